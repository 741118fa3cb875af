"""Compiled walks over states of the solo race: where moves end, which states a policy comes to, when boats leave.

A *state* is damage · width + cell, where `width` is the number of cells of a damage; a boat that has finished is in
`HOME`, one that has sunk in `LOST`. Here boats have the lake to themselves.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Shorts, end_of

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]

HOME, LOST = -1, -2
"""The states of boats that have left the lake."""


class Links(NamedTuple):
    """A graph of throws: for each node its state and dice choice, and where they lead by the policy.

    The node's ends are to[start[node]:start[node + 1]], nodes or HOME or LOST, with their chances and hands thrown.
    """

    state: Longs
    entry: Ints
    start: Longs
    chance: Floats
    hand: Ints
    to: Ints


@compiled
def end_state(board: Board, dice: Dice, state: int, thrown: int, way: int) -> int:
    """Where a move with a hand thrown ends; way 0, 1, 2 is right, straight, left."""
    hands = dice.size.size
    width = board.rows * hands * 8
    level, cell = state // width, state % width
    gain, to = end_of(board, dice, level, cell // (hands * 8), thrown, cell % 8, way)
    if to >= width:
        return HOME
    if level + gain >= board.block.size // board.rows:
        return LOST
    return int((level + gain) * width + to)


@compiled
def thrown_cell(dice: Dice, state: int, thrown: int) -> int:
    """The state with the hand thrown in the place of its own: there a policy's direction stands."""
    row_cells = dice.size.size * 8
    return state - state % row_cells + thrown * 8 + state % 8


@compiled
def end_states(board: Board, dice: Dice, state: Longs, thrown: Shorts, way: Bytes) -> Longs:
    """Where each of many moves ends."""
    found = np.empty(state.size, np.int64)
    for i in range(state.size):
        found[i] = end_state(board, dice, state[i], thrown[i], way[i])
    return found


@compiled
def fill_thrown(dice: Dice, entry: int, work: Floats) -> None:
    """The chance of every hand that a dice choice can throw, in the first places of `work`."""
    faces, rolled = dice.chance.size, 0
    while dice.start[rolled + 1] <= entry:
        rolled += 1
    work[: dice.start[rolled + 1]] = 0.0
    work[entry] = 1.0
    for left in range(rolled, 0, -1):
        for kept in range(dice.start[left + 1] - dice.start[left]):
            chance = work[dice.start[left] + kept]
            if chance > 0.0:
                for face in range(faces):
                    work[dice.start[left - 1] + dice.more[kept * faces + face]] += chance * dice.chance[face]


@compiled
def longer(array: NDArray[Any]) -> NDArray[Any]:
    """The array with room for twice as much."""
    found = np.empty(2 * array.size, array.dtype)
    found[: array.size] = array
    return found


@compiled
def follow(
    board: Board, dice: Dice, choice: Shorts, steer: Bytes, roots: Longs, entries: Ints, ids: Ints
) -> Links:  # fmt: skip
    """All throws that a policy comes to from the roots, which come first: states with a dice choice made there.

    `ids` holds by state the node in which the policy's own choice is made, −1 where there is none yet; it is filled in.
    """
    count, used, node = roots.size, 0, 0
    state, entry, start = roots.copy(), entries.copy(), np.zeros(roots.size + 1, np.int64)
    chance, thrown, to = np.empty(1 << 12), np.empty(1 << 12, np.int32), np.empty(1 << 12, np.int32)
    work = np.empty(dice.start[-1])
    while node < count:
        if node + 2 > start.size:
            start = longer(start)
        fill_thrown(dice, entry[node], work)
        for hand in range(dice.size.size):
            if work[hand] == 0.0:
                continue
            end = end_state(board, dice, state[node], hand, steer[thrown_cell(dice, state[node], hand)])
            if end >= 0 and ids[end] < 0:
                if count == state.size:
                    state, entry = longer(state), longer(entry)
                ids[end], state[count], entry[count] = count, end, choice[end]
                count += 1
            if used == to.size:
                chance, thrown, to = longer(chance), longer(thrown), longer(to)
            chance[used], thrown[used], to[used] = work[hand], hand, ids[end] if end >= 0 else end
            used += 1
        node += 1
        start[node] = used
    return Links(state[:count], entry[:count], start[: count + 1], chance[:used], thrown[:used], to[:used])


@compiled
def first_turn(links: Links, now: Floats) -> None:
    """The chances to finish and to sink in the first turn, by [node, (finish, sink)]."""
    now[:] = 0.0
    for node in range(now.shape[0]):
        for i in range(links.start[node], links.start[node + 1]):
            if links.to[i] < 0:
                now[node, HOME - links.to[i]] += links.chance[i]


@compiled
def next_turn(links: Links, before: Floats, now: Floats) -> None:
    """The same one turn later, from those a turn earlier."""
    for node in range(now.shape[0]):
        finish, sink = 0.0, 0.0
        for i in range(links.start[node], links.start[node + 1]):
            if links.to[i] >= 0:
                finish += links.chance[i] * before[links.to[i], 0]
                sink += links.chance[i] * before[links.to[i], 1]
        now[node, 0], now[node, 1] = finish, sink


@compiled
def mean_ends(
    board: Board, dice: Dice, steer: Bytes, levels: Floats, sunk: float, state: Longs, entry: Shorts
) -> Floats:  # fmt: skip
    """The mean value of the policy's ends after each of many dice choices; `levels` are values by [damage, cell]."""
    found, work = np.zeros(state.size), np.empty(dice.start[-1])
    width = board.rows * dice.size.size * 8
    for i in range(state.size):
        fill_thrown(dice, entry[i], work)
        for hand in range(dice.size.size):
            if work[hand] > 0.0:
                end = end_state(board, dice, state[i], hand, steer[thrown_cell(dice, state[i], hand)])
                if end >= 0:
                    found[i] += work[hand] * levels[end // width, end % width]
                elif end == LOST:
                    found[i] += work[hand] * sunk
    return found
