"""Compiled moves over expansion tiles: every way of every hand from a hex, step by step (X1-4…X1-10).

A way is one direction chosen with one hand thrown. It does not depend on the progress: gates are counted beside it for
all progresses at once. It depends on the damage before only where rocks may sink the boat: `limit` is the damage that
does.
"""

from typing import NamedTuple

import numpy as np

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Ints

CLEAR, REDOUBT, CURRENT, MAELSTROM, LOW_WATER = range(5)
"""Kinds of hexes."""

OUT = -1
"""No water there; a flight that ends so ends the race (X1-5)."""


class Lake(NamedTuple):
    """The board by water hex. Steps and flights: by (hex, facing) and by (redoubt, facing, steps left)."""

    kind: Ints
    detail: Ints  # a redoubt's number, a current's facing, a maelstrom's turn, a low-water tile's rocks
    ahead: Ints  # hex one step ahead, or OUT
    passed: Ints  # progress after that step, by (progress before, hex, facing)
    landing: Ints  # hex where a flight lands, or OUT
    flown: Ints  # progress there, by (progress before, redoubt, facing, steps left)
    pips: Ints  # total of a hand
    without: Ints  # hand left when rocks take dice, by (hand, rocks)
    crash: bool  # whether a blocked current damages (reading x1-current=crash)


class Run(NamedTuple):
    """Memory of a way under way: the hexes it has been carried over in this step bear the step's number."""

    state: Ints
    progress: Ints
    carried: Ints


AT, FACING, HAND, GAIN, ROCKS, STEPS, LEFT, ENDED, FLEW_OUT, STEP = range(10)
"""Items of a run's state; LEFT is left over, ROCKS the damage by rocks, STEP the number of the step."""


@compiled
def enter(lake: Lake, run: Run, facing: int) -> None:
    """One hex further, gates counted (PB-12)."""
    at = run.state[AT]
    for progress in range(run.progress.size):
        now = run.progress[progress]
        if now < run.progress.size:
            run.progress[progress] = lake.passed[now, at, facing]
    run.state[AT] = lake.ahead[at, facing]


@compiled
def end(run: Run) -> None:
    """The move ends here, whatever steps are left."""
    run.state[LEFT] += run.state[STEPS]
    run.state[STEPS] = 0
    run.state[ENDED] = 1


@compiled
def crash(run: Run, damage: int) -> None:
    """An obstacle: damage, all dice lost (PB-20)."""
    run.state[GAIN] += damage
    run.state[HAND] = 0
    end(run)


@compiled
def fly(lake: Lake, run: Run) -> bool:
    """Twice the steps left, straight on (X1-5); whether the landing's effect strikes."""
    redoubt, steps = lake.detail[run.state[AT]], run.state[STEPS]
    to = lake.landing[redoubt, run.state[FACING], steps]
    for progress in range(run.progress.size):
        now = run.progress[progress]
        if now < run.progress.size:
            run.progress[progress] = lake.flown[now, redoubt, run.state[FACING], steps]
    if to == OUT:
        run.state[STEPS], run.state[FLEW_OUT] = 2 * steps, 1
        crash(run, 0)
        return False
    run.state[STEPS], run.state[AT] = 0, to
    new = run.carried[to] != run.state[STEP]
    run.carried[to] = run.state[STEP]
    return bool(new)


@compiled
def strike(lake: Lake, run: Run, limit: int) -> None:
    """The effect of the hex that a boat has just entered, and of those that it is carried onto (X1-4)."""
    on = True
    while on and not run.state[ENDED]:
        kind, detail, on = lake.kind[run.state[AT]], lake.detail[run.state[AT]], False
        if kind == REDOUBT and run.state[STEPS]:
            on = fly(lake, run)
        elif kind == CURRENT:
            on = carry(lake, run, detail)
        elif kind == MAELSTROM:
            run.state[FACING] = (run.state[FACING] + detail + 6) % 6
        elif kind == LOW_WATER:
            scrape(lake, run, detail, limit)


@compiled
def carry(lake: Lake, run: Run, flow: int) -> bool:
    """A current: one hex on, and whether a new one, which strikes in its turn (X1-7)."""
    to = lake.ahead[run.state[AT], flow]
    if to == OUT:
        if lake.crash:
            crash(run, 1)
        return False
    enter(lake, run, flow)
    new = run.carried[to] != run.state[STEP]
    run.carried[to] = run.state[STEP]
    return bool(new)


@compiled
def scrape(lake: Lake, run: Run, rocks: int, limit: int) -> None:
    """Rocks: damage, fewer steps, fewer dice; at the limit the boat sinks at once (X1-4, X1-9)."""
    run.state[GAIN] += rocks
    run.state[ROCKS] += rocks
    run.state[STEPS] = max(0, run.state[STEPS] - rocks)
    if run.state[GAIN] >= limit:
        end(run)
    else:
        run.state[HAND] = lake.without[run.state[HAND], rocks]


@compiled
def make(lake: Lake, run: Run, at: int, facing: int, hand: int, limit: int) -> None:
    """A whole way from a hex in a direction."""
    step = run.state[STEP] + 1
    run.state[:] = 0
    run.state[AT], run.state[FACING], run.state[HAND], run.state[STEPS] = at, facing, hand, lake.pips[hand]
    run.state[STEP] = step
    for progress in range(run.progress.size):
        run.progress[progress] = progress
    if lake.kind[at] == REDOUBT:
        if run.state[STEPS] and fly(lake, run):
            strike(lake, run, limit)
        return
    while run.state[STEPS] and not run.state[ENDED]:
        to = lake.ahead[run.state[AT], run.state[FACING]]
        if to == OUT:
            crash(run, run.state[STEPS])
        else:
            run.state[STEPS] -= 1
            run.state[STEP] += 1
            run.carried[to] = run.state[STEP]
            enter(lake, run, run.state[FACING])
            strike(lake, run, limit)


@compiled
def all_ways(
    lake: Lake, places: Ints, limits: Ints, sinking: int, place: Ints, facing: Ints, gain: Ints, hand: Ints, left: Ints,
    progress: Ints, rocks: Ints,
) -> None:  # fmt: skip
    """Fills [block, hand, facing chosen] for the hex and limit of each block; a flight that ends out gains `sinking`.

    rocks[block] is the most damage by rocks of any way.
    """
    state, carried = np.zeros(10, np.int32), np.full(lake.kind.size, -1, np.int32)
    run = Run(state, np.zeros(progress.shape[0], np.int32), carried)
    for block in range(places.size):
        for thrown in range(lake.pips.size):
            for chosen in range(6):
                make(lake, run, places[block], chosen, thrown, limits[block])
                way = block, thrown, chosen
                place[way], facing[way], hand[way] = state[AT], state[FACING], state[HAND]
                gain[way] = sinking if state[FLEW_OUT] else state[GAIN]
                left[way] = state[LEFT]
                rocks[block] = max(rocks[block], state[ROCKS])
                for before in range(progress.shape[0]):
                    progress[before, block, thrown, chosen] = run.progress[before]
