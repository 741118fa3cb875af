"""Compiled chances to win a race between boats whose turns left are independent.

The boat that moves next has its k-th turn from now before all others have theirs, and so on in the order of seats. The
first to finish wins; where nobody finishes, the last to sink does (PB-26). That holds whether the last boat afloat
races on or stops (PB-23): it has won already in either case.

A boat is given by the node whose throw it makes next, see `chain`; HOME and LOST have left the lake.
"""

import numpy as np

from rulekit.solve.jit import compiled, compiled_bare
from rulekit.solve.kernel import Floats, Ints
from rulekit.study.chain_kernel import HOME, LOST, Longs, Singles

SURE = 1e-10
"""Nobody looks further ahead than to where it is as certain as that that some boat has finished."""


@compiled_bare
def others_share(node: Ints, alive: Floats, gone: Floats, seat: int) -> tuple[float, float]:
    """The chances that none of the other boats has finished, and that all of them have sunk."""
    unfinished, sunk = 1.0, 1.0
    for other in range(node.size):
        if other != seat and node[other] >= 0:
            unfinished *= alive[other]
            sunk *= gone[other]
    return unfinished, sunk


@compiled_bare
def fill_wins(
    finish: Singles, sink: Singles, node: Ints, mover: int, alive: Floats, gone: Floats, found: Floats
) -> None:
    """The chances to win of all boats at a moment at which none has finished."""
    seats = node.size
    alive[:], gone[:], found[:] = 1.0, 0.0, 0.0
    for turn in range(finish.shape[1]):
        open_share = 1.0
        for k in range(seats):
            seat = (mover + k) % seats
            if node[seat] >= 0:
                unfinished, sunk = others_share(node, alive, gone, seat)
                found[seat] += finish[node[seat], turn] * unfinished + sink[node[seat], turn] * sunk
                alive[seat] -= finish[node[seat], turn]
                gone[seat] += sink[node[seat], turn]
                open_share *= alive[seat]
        if open_share < SURE:
            return


@compiled
def win_chances(finish: Singles, sink: Singles, node: Ints, mover: Longs, winner: Longs) -> Floats:
    """The chances to win by [moment, seat]; all of it is the winner's once there is one."""
    moments, seats = node.shape
    found, alive, gone = np.zeros((moments, seats)), np.empty(seats), np.empty(seats)
    for moment in range(moments):
        if winner[moment] >= 0:
            found[moment, winner[moment]] = 1.0
        elif mover[moment] >= 0:
            fill_wins(finish, sink, node[moment], mover[moment], alive, gone, found[moment])
    return found


@compiled_bare
def fill_prices(
    finish: Singles, sink: Singles, node: Ints, seat: int, alive: Floats, gone: Floats, home: Floats, lost: Floats
) -> None:
    """What it is worth to the boat to move to finish or to sink in its next turn, in the one after, …

    Its chance to win is the sum of finish · home + sink · lost.
    """
    seats = node.size
    alive[:], gone[:] = 1.0, 0.0
    for turn in range(finish.shape[1] + 1):
        home[turn], lost[turn] = others_share(node, alive, gone, seat)
        for other in range(seats):
            if other != seat and node[other] >= 0 and turn < finish.shape[1]:
                alive[other] -= finish[node[other], turn]
                gone[other] += sink[node[other], turn]


@compiled_bare
def priced(finish: Singles, sink: Singles, node: int, wait: int, home: Floats, lost: Floats) -> float:
    """A boat's chance to win in a node whose throw it makes after so many turns; or home or lost with this turn."""
    if node == HOME:
        return float(home[0])
    if node == LOST:
        return float(lost[0])
    found = 0.0
    for turn in range(finish.shape[1]):
        found += finish[node, turn] * home[turn + wait] + sink[node, turn] * lost[turn + wait]
    return found


@compiled
def turn_chances(
    finish: Singles, sink: Singles, node: Ints, moment: Longs, seat: Longs, winner: Longs, made: Ints, after: Ints
) -> Floats:
    """The mover's chance to win by [turn, what is known]: with nothing known and with its dice choice, the nodes of
    `made`[turn]; then at the ends of its move, the nodes of `after`[turn]. 0 in races that have been won."""
    turns, first, last = seat.size, made.shape[1], after.shape[1]
    found = np.zeros((turns, first + last))
    alive, gone = np.empty(node.shape[1]), np.empty(node.shape[1])
    home, lost = np.empty(finish.shape[1] + 1), np.empty(finish.shape[1] + 1)
    for turn in range(turns):
        if winner[moment[turn]] >= 0:
            continue
        fill_prices(finish, sink, node[moment[turn]], seat[turn], alive, gone, home, lost)
        for k in range(first):
            found[turn, k] = priced(finish, sink, made[turn, k], 0, home, lost)
        for k in range(last):
            found[turn, first + k] = priced(finish, sink, after[turn, k], 1, home, lost)
    return found
