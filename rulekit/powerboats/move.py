"""A boat's move for dice already thrown: directions, steps, crash, boats in the way (PB-17…PB-22, X1-4…X1-10)."""

from collections.abc import Set

from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import STEERS, Boat, Landing
from rulekit.powerboats.effects import Run, fly, strike
from rulekit.powerboats.waters import Waters
from rulekit.readings import PathTest

NOBODY: frozenset[Hex] = frozenset()


def clear_water(waters: Waters, at: Hex, facing: Facing) -> int:
    """Number of water hexes in a row ahead, boats ignored: w(d) of PB-17."""
    steps = 0
    while at.step(facing, steps + 1) in waters.water:
        steps += 1
    return steps


def landings(waters: Waters, boat: Boat, taken: Set[Hex] = NOBODY) -> tuple[Landing, ...]:
    """What becomes of a boat in each legal direction, left first, for the dice that it has now thrown.

    `taken` are the other boats' hexes: they play no part in which directions are legal (PB-17).
    """
    return tuple(move(waters, boat, facing, taken) for facing in legal_facings(waters, boat))


def legal_facings(waters: Waters, boat: Boat) -> tuple[Facing, ...]:
    """The directions that PB-17, X1-6 and X1-10 allow, left first."""
    if waters.is_redoubt(boat.at):
        return (boat.facing,)
    facings = [boat.facing.steer(left) for left in STEERS]
    left_over = [_left_over(waters, boat, facing) for facing in facings]
    return tuple(facing for facing, left in zip(facings, left_over, strict=True) if left == min(left_over))


def _left_over(waters: Waters, boat: Boat, facing: Facing) -> int:
    """Steps that the boat could not make that way: 0 where it allows the total."""
    if waters.readings.x1_path is PathTest.EFFECTS and waters.effects:
        return move(waters, boat, facing).left_over
    return max(0, sum(boat.hand) - clear_water(waters, boat.at, facing))


def move(waters: Waters, boat: Boat, facing: Facing, taken: Set[Hex] = NOBODY) -> Landing:
    """The move in a direction, whether legal or not, among boats on the hexes `taken`."""
    run = Run.begin(waters, boat, facing, taken)
    if waters.is_redoubt(boat.at):
        if run.steps:
            fly(run)
    else:
        _make_steps(run)
    sunk = run.out or run.damage >= waters.readings.sink_at
    if not sunk:
        _fall_back(run)
    after = Boat(run.at, run.facing, run.hand, run.progress, run.damage)
    finished = run.progress == waters.last
    return Landing(facing, after, run.left_over, run.crashed, sunk, finished, tuple(at for at, _ in run.trail))


def _make_steps(run: Run) -> None:
    """Step by step until the steps are used up or something ends the move."""
    while run.steps and not run.ended:
        ahead = run.at.step(run.facing)
        if ahead not in run.waters.water:
            run.crash(run.steps)
        else:
            run.steps -= 1
            run.carried = {ahead}
            run.enter(ahead)
            strike(run)


def _fall_back(run: Run) -> None:
    """Back along the hexes really entered to the last free one, gates counting only so far (PB-19, X1-4)."""
    free = next((k for k in range(len(run.trail) - 1, 0, -1) if run.trail[k][0] not in run.taken), 0)
    run.at, run.progress = run.trail[free]
