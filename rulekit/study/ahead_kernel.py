"""Compiled look ahead over the next few turns with all boats on the lake: what being in each other's way does to W.

Chances to win that take boats as independent are right but for the hexes on which boats fall back (PB-19). Followed
along the real turns, what is wrong with them is the sum of what each turn's fall-back changes: the chances where the
boat comes to be, less those where it would have come. For the next few turns that sum is worked out throw by throw.
"""

from typing import NamedTuple

import numpy as np

from rulekit.solve.jit import compiled, compiled_bare
from rulekit.solve.kernel import Bytes, Floats, Ints, Shorts
from rulekit.study.chain_kernel import HOME, LOST, Links, Longs, Singles
from rulekit.study.oracle_kernel import fill_wins

UNKNOWN = -3
"""In the place of a node that no chain holds."""


class Straits(NamedTuple):
    """What moves on a bare lake need, see `bulk_kernel.Water` and `Throws`."""

    to: Ints
    at: Ints
    clear: Ints
    pips: Ints
    levels: int


class Branch(NamedTuple):
    """The turns looked ahead to, by depth: all boats' states and nodes, who moves, how likely, its next link."""

    state: Longs
    node: Ints
    mover: Longs
    chance: Floats
    link: Longs


@compiled_bare
def end_among(straits: Straits, state: Longs, seat: int, hand: int, way: int) -> tuple[int, bool]:
    """(where a move ends among the other boats, whether it falls back)."""
    row_cells, hexes = straits.pips.size * 8, straits.clear.shape[0]
    width = straits.to.shape[0] * row_cells
    level, row, facing = state[seat] // width, state[seat] % width // row_cells, state[seat] % 8
    ahead, here, total = (facing + 5 + way) % 6, row % hexes, straits.pips[hand]
    steps = min(total, straits.clear[here, ahead])
    gain, most = total - steps, steps
    if level + gain < straits.levels:
        while steps > 0 and is_taken(state, seat, straits.at[here, ahead, steps], width, row_cells, hexes):
            steps -= 1
    to = straits.to[row, ahead, steps]
    if to == straits.to.shape[0]:
        return HOME, steps < most
    if level + gain >= straits.levels:
        return LOST, False
    return (level + gain) * width + to * row_cells + (0 if gain > 0 else hand) * 8 + ahead, steps < most


@compiled_bare
def is_taken(state: Longs, seat: int, at: int, width: int, row_cells: int, hexes: int) -> bool:
    """Whether another boat is on a hex."""
    for other in range(state.size):
        if other != seat and state[other] >= 0 and state[other] % width // row_cells % hexes == at:
            return True
    return False


@compiled
def ends_among(straits: Straits, states: Longs, seat: Longs, hand: Shorts, way: Bytes) -> Longs:
    """Where each of many moves ends among the other boats; states are those of all boats, by [move, seat]."""
    found = np.empty(seat.size, np.int64)
    for i in range(seat.size):
        found[i] = end_among(straits, states[i], seat[i], hand[i], way[i])[0]
    return found


@compiled_bare
def next_seat(node: Ints, seat: int) -> int:
    """The next boat that races, −1 where there is none."""
    for k in range(1, node.size + 1):
        if node[(seat + k) % node.size] >= 0:
            return (seat + k) % node.size
    return -1


@compiled_bare
def add_wins(
    finish: Singles, sink: Singles, node: Ints, seat: int, end: int, weight: float, work: Floats, found: Floats
) -> None:
    """Adds the chances to win after a boat's turn that ended in a node, times a weight."""
    before = node[seat]
    if end == HOME:
        found[seat] += weight
        return
    node[seat] = end
    mover = next_seat(node, seat)
    if mover < 0:
        found[seat] += weight
    else:
        fill_wins(finish, sink, node, mover, work[0], work[1], work[2])
        for other in range(node.size):
            found[other] += weight * work[2, other]
    node[seat] = before


@compiled_bare
def look_ahead(
    links: Links, straits: Straits, steer: Bytes, ids: Ints, finish: Singles, sink: Singles, branch: Branch,
    work: Floats, found: Floats,
) -> None:  # fmt: skip
    """Adds to the chances to win what fall-backs in the next turns change; the branch's first turn is the one due."""
    row_cells, depth = straits.pips.size * 8, 0
    while depth >= 0:
        node, state, seat = branch.node[depth], branch.state[depth], branch.mover[depth]
        i = branch.link[depth]
        if i == links.start[node[seat] + 1]:
            depth -= 1
            continue
        branch.link[depth] += 1
        hand, chance, free = links.hand[i], branch.chance[depth] * links.chance[i], links.to[i]
        way = steer[state[seat] - state[seat] % row_cells + hand * 8 + state[seat] % 8]
        end, fell_back = end_among(straits, state, seat, hand, way)
        after = node_after(ids, end, fell_back, free)
        if after == UNKNOWN:
            after, end = free, links.state[free] if free >= 0 else free
        elif fell_back:
            add_wins(finish, sink, node, seat, after, chance, work, found)
            add_wins(finish, sink, node, seat, free, -chance, work, found)
        if after != HOME and depth + 1 < branch.mover.size:
            depth += go_on(links, branch, depth, after, end, chance)


@compiled_bare
def node_after(ids: Ints, end: int, fell_back: bool, free: int) -> int:
    """The node of a move's end."""
    if not fell_back or end < 0:
        return end if fell_back else free
    return UNKNOWN if ids[end] < 0 else int(ids[end])


@compiled_bare
def go_on(links: Links, branch: Branch, depth: int, after: int, end: int, chance: float) -> int:
    """Sets out the turn that follows; 1, or 0 where no boat is left to take it."""
    seat = branch.mover[depth]
    for other in range(branch.node.shape[1]):
        branch.node[depth + 1, other], branch.state[depth + 1, other] = (
            branch.node[depth, other],
            branch.state[depth, other],
        )
    branch.node[depth + 1, seat], branch.state[depth + 1, seat] = after, end
    mover = next_seat(branch.node[depth + 1], seat)
    if mover < 0:
        return 0
    branch.mover[depth + 1], branch.chance[depth + 1] = mover, chance
    branch.link[depth + 1] = links.start[branch.node[depth + 1, mover]]
    return 1


@compiled_bare
def mend_wins(
    links: Links, straits: Straits, steer: Bytes, ids: Ints, finish: Singles, sink: Singles, state: Longs, node: Ints,
    mover: Longs, winner: Longs, branch: Branch, work: Floats, win: Floats,
) -> None:  # fmt: skip
    """Mends the chances to win by [moment, seat] wherever the race is open; `work` has room for three of its rows."""
    for moment in range(mover.size):
        if mover[moment] >= 0 and winner[moment] < 0:
            for seat in range(state.shape[1]):
                branch.node[0, seat], branch.state[0, seat] = node[moment, seat], state[moment, seat]
            branch.mover[0], branch.chance[0], branch.link[0] = (
                mover[moment],
                1.0,
                links.start[node[moment, mover[moment]]],
            )
            look_ahead(links, straits, steer, ids, finish, sink, branch, work, win[moment])
