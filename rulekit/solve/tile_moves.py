"""Compiled moves over expansion tiles: every way of every hand from a hex, step by step (X1-4…X1-10).

A way is one direction chosen with one hand thrown. It does not depend on the progress: gates are counted beside it for
all progresses at once. It depends on the damage before only where rocks may sink the boat: `limit` is the damage that
does.
"""

from typing import NamedTuple

import numpy as np

from rulekit.solve.jit import compiled_bare
from rulekit.solve.kernel import Bytes, Ints, Shorts

CLEAR, REDOUBT, CURRENT, MAELSTROM, LOW_WATER = range(5)
"""Kinds of hexes."""

OUT = -1
"""No water there; a flight that ends so ends the race (X1-5)."""


Whole = int | np.int64


class Lake(NamedTuple):
    """The board by water hex. Steps by (hex, facing); flights by (redoubt, facing, steps left or hexes flown)."""

    kind: Ints
    detail: Ints  # a redoubt's number, a current's facing, a maelstrom's turn, a low-water tile's rocks
    ahead: Ints  # hex one step ahead, or OUT
    passed: Ints  # progress after that step, by (progress before, hex, facing)
    flight: Ints  # hexes flown with so many steps left
    over: Ints  # hex after so many hexes flown, or OUT
    flown: Ints  # progress there, by (progress before, redoubt, facing, hexes flown)
    pips: Ints  # total of a hand
    without: Ints  # hand left when rocks take dice, by (hand, rocks)
    last: int  # progress of a boat that has finished
    crash: bool  # whether a blocked current damages (reading x1-current=crash)


class Run(NamedTuple):
    """Memory of a way under way: the hexes it has been carried over in this step bear the step's number; `taken` marks
    the hexes of other boats; `trail` are the hexes really entered and `passed` the first progress there."""

    state: Ints
    progress: Ints
    carried: Ints
    taken: Bytes
    trail: Ints
    passed: Ints


AT, FACING, HAND, GAIN, ROCKS, STEPS, LEFT, ENDED, CRASHED, FLEW_OUT, FLIGHT, ENTERED, STEP = range(13)
"""Items of a run's state; LEFT is left over, ROCKS the damage by rocks, FLIGHT the hex where a flight would end without
boats (or OUT), ENTERED the last place of the trail, STEP the number of the step."""

PLACE, TURNED, KEPT, GAINED, CRASHES, OUT_OF_RACE, TOUCHED, PASSED = range(8)
"""What a way comes to, by column: hex, facing, hand, damage, whether it crashed, whether it flew out, FLIGHT; then the
progress for each progress before."""

OUT_DAMAGE = 4
"""Counters of a boat that flies out, see `powerboats.effects`."""


def new_run(lake: Lake, progresses: int) -> Run:
    """Memory for ways over a lake, told for so many progresses at once."""
    hexes = lake.kind.size
    # Each step enters a hex, and at most all currents' neighbours besides.
    longest = 1 + int(lake.pips.max()) * (2 + int((lake.kind == CURRENT).sum()))
    return Run(
        np.zeros(STEP + 1, np.int32), np.zeros(progresses, np.int32), np.full(hexes, -1, np.int32),
        np.zeros(hexes, np.int8), np.zeros(longest, np.int32), np.zeros(longest, np.int32),
    )  # fmt: skip


@compiled_bare
def log_hex(run: Run) -> None:
    """The hex where the boat is now, at the end of its trail."""
    run.state[ENTERED] += 1
    run.trail[run.state[ENTERED]], run.passed[run.state[ENTERED]] = run.state[AT], run.progress[0]


@compiled_bare
def enter(lake: Lake, run: Run, facing: int) -> None:
    """One hex further, gates counted (PB-12)."""
    at = run.state[AT]
    for k in range(run.progress.size):
        if run.progress[k] < lake.last:
            run.progress[k] = lake.passed[run.progress[k], at, facing]
    run.state[AT] = lake.ahead[at, facing]
    log_hex(run)


@compiled_bare
def end(run: Run) -> None:
    """The move ends here, whatever steps are left."""
    run.state[LEFT] += run.state[STEPS]
    run.state[STEPS] = 0
    run.state[ENDED] = 1


@compiled_bare
def crash(run: Run, damage: int) -> None:
    """An obstacle: damage, all dice lost (PB-20)."""
    run.state[GAIN] += damage
    run.state[HAND] = 0
    run.state[CRASHED] = 1
    end(run)


@compiled_bare
def fly(lake: Lake, run: Run) -> bool:
    """Twice the steps left, straight on, back behind boats (X1-5); whether the landing's effect strikes."""
    redoubt, facing, steps = lake.detail[run.state[AT]], run.state[FACING], run.state[STEPS]
    hexes = lake.flight[redoubt, facing, steps]
    if hexes:
        run.state[FLIGHT] = lake.over[redoubt, facing, hexes]
    while hexes and lake.over[redoubt, facing, hexes] != OUT and run.taken[lake.over[redoubt, facing, hexes]]:
        hexes -= 1
    for k in range(run.progress.size):
        if run.progress[k] < lake.last:
            run.progress[k] = lake.flown[run.progress[k], redoubt, facing, hexes]
    to = lake.over[redoubt, facing, hexes] if hexes else OUT
    if to != OUT:
        run.state[AT] = to
    if to == OUT or lake.kind[to] == REDOUBT:
        run.state[STEPS], run.state[FLEW_OUT], run.state[HAND] = 2 * steps, 1, 0
        end(run)
        return False
    run.state[STEPS] = 0
    log_hex(run)
    new = run.carried[to] != run.state[STEP]
    run.carried[to] = run.state[STEP]
    return bool(new)


@compiled_bare
def strike(lake: Lake, run: Run, limit: Whole) -> None:
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


@compiled_bare
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


@compiled_bare
def scrape(lake: Lake, run: Run, rocks: int, limit: Whole) -> None:
    """Rocks: damage, fewer steps, fewer dice; at the limit the boat sinks at once (X1-4, X1-9)."""
    run.state[GAIN] += rocks
    run.state[ROCKS] += rocks
    run.state[STEPS] = max(0, run.state[STEPS] - rocks)
    if run.state[GAIN] >= limit:
        end(run)
    else:
        run.state[HAND] = lake.without[run.state[HAND], rocks]


@compiled_bare
def make(lake: Lake, run: Run, at: Whole, facing: Whole, hand: Whole, limit: Whole) -> None:
    """A whole way from a hex in a direction, with the progresses that stand in the run."""
    for k in range(STEP):
        run.state[k] = 0
    run.state[AT], run.state[FACING], run.state[HAND], run.state[STEPS] = at, facing, hand, lake.pips[hand]
    run.state[FLIGHT] = OUT
    run.state[STEP] += 1
    run.trail[0], run.passed[0] = at, run.progress[0]
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


@compiled_bare
def start_from_all(run: Run) -> None:
    """Every progress stands in the run."""
    for progress in range(run.progress.size):
        run.progress[progress] = progress


@compiled_bare
def all_ways(
    lake: Lake, run: Run, places: Ints, limits: Ints, sinking: int, place: Ints, facing: Ints, gain: Ints, hand: Ints,
    left: Ints, progress: Ints, rocks: Ints,
) -> None:  # fmt: skip
    """Fills [block, hand, facing chosen] for the hex and limit of each block; a flight that ends out gains `sinking`.

    rocks[block] is the most damage by rocks of any way.
    """
    state = run.state
    for block in range(places.size):
        for thrown in range(lake.pips.size):
            for chosen in range(6):
                start_from_all(run)
                make(lake, run, places[block], chosen, thrown, limits[block])
                way = block, thrown, chosen
                place[way], facing[way], hand[way] = state[AT], state[FACING], state[HAND]
                gain[way] = sinking if state[FLEW_OUT] else state[GAIN]
                left[way] = state[LEFT]
                rocks[block] = max(rocks[block], state[ROCKS])
                for before in range(progress.shape[0]):
                    progress[before, block, thrown, chosen] = run.progress[before]


@compiled_bare
def write_way(run: Run, way: Shorts) -> None:
    """What the way just made comes to, by column."""
    state = run.state
    way[PLACE], way[TURNED], way[KEPT] = state[AT], state[FACING], state[HAND]
    way[GAINED] = state[GAIN] + (OUT_DAMAGE if state[FLEW_OUT] else 0)
    way[CRASHES], way[OUT_OF_RACE], way[TOUCHED] = state[CRASHED], state[FLEW_OUT], state[FLIGHT]
    for k in range(run.progress.size):
        way[PASSED + k] = run.progress[k]


@compiled_bare
def write_ways(lake: Lake, run: Run, places: Ints, limits: Ints, ways: Shorts) -> None:
    """As `all_ways`, by [(block · hands + hand) · 6 + facing chosen, column]."""
    for block in range(places.size):
        for thrown in range(lake.pips.size):
            for chosen in range(6):
                start_from_all(run)
                make(lake, run, places[block], chosen, thrown, limits[block])
                write_way(run, ways[(block * lake.pips.size + thrown) * 6 + chosen])
