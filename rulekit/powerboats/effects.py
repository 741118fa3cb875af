"""What the expansion tiles do to a boat that enters them: a table from terrain to effect (X1-4…X1-9)."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field

from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import TileKind
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.waters import Waters
from rulekit.readings import Border, CurrentBlocked, RockDice

OUT_DAMAGE = 4
"""Counters of a boat whose flight ends on anything but water (X1-5)."""


@dataclass(slots=True)
class Run:
    """A move under way. `trail` lists the hexes really entered with the progress there, the boat's own first.

    `carried` are the hexes of the step under way, for chains of currents (X1-7).
    """

    waters: Waters
    at: Hex
    facing: Facing
    hand: Hand
    progress: int
    damage: int
    steps: int
    taken: Set[Hex]
    trail: list[tuple[Hex, int]]
    carried: set[Hex] = field(default_factory=set)
    left_over: int = 0
    crashed: bool = False
    out: bool = False
    ended: bool = False

    @classmethod
    def begin(cls, waters: Waters, boat: Boat, facing: Facing, taken: Set[Hex]) -> "Run":
        """The move before its first step."""
        trail = [(boat.at, boat.progress)]
        steps = sum(boat.hand)
        return cls(waters, boat.at, facing, boat.hand, boat.progress, boat.damage, steps, taken, trail)

    def enter(self, at: Hex) -> None:
        """One hex further, gates counted (PB-12)."""
        self.progress = self.waters.gates.after_step(self.progress, self.at, at)
        self.at = at
        self.trail.append((at, self.progress))

    def crash(self, damage: int) -> None:
        """An obstacle: damage, all dice lost, the steps not made left over (PB-20)."""
        self.damage += damage
        self.hand = ()
        self.crashed = True
        self.end()

    def end(self) -> None:
        """The move ends here, whatever steps are left."""
        self.left_over += self.steps
        self.steps = 0
        self.ended = True


def strike(run: Run) -> None:
    """The effect of the hex that a boat has just entered, and of those that it is carried onto (X1-4)."""
    while not run.ended and run.at in run.waters.effects:
        effect = run.waters.effects[run.at]
        if not EFFECTS[effect.kind](run, effect.detail):
            return


def _redoubt(run: Run, _detail: int) -> bool:
    """Fly on by twice the steps left (X1-5); with none left the boat stands there, bound (X1-6)."""
    if run.steps:
        fly(run)
    return False


def fly(run: Run) -> None:
    """Twice the steps left, straight on, over anything; the landing's effect strikes (X1-5)."""
    flight = 2 * run.steps
    run.steps = 0
    path = _path(run, flight)
    if run.waters.readings.x1_border is Border.STOP:
        path = _inside(run.waters, path)
    landing = len(path) - 1
    while landing >= 0 and path[landing][0] in run.taken:
        landing -= 1
    if landing < 0:
        _sink(run, flight)
        return
    run.at, run.progress = path[landing]
    run.trail.append(path[landing])
    if run.at not in run.waters.water or run.waters.is_redoubt(run.at):
        _sink(run, flight)
    elif run.at not in run.carried:
        run.carried.add(run.at)
        strike(run)


def _path(run: Run, flight: int) -> list[tuple[Hex, int]]:
    """The hexes of a flight with the progress at each: gates count over land too (X1-5)."""
    path, at, progress = [], run.at, run.progress
    for _ in range(flight):
        ahead = at.step(run.facing)
        progress = run.waters.gates.after_step(progress, at, ahead)
        at = ahead
        path.append((at, progress))
    return path


def _inside(waters: Waters, path: list[tuple[Hex, int]]) -> list[tuple[Hex, int]]:
    """A flight that would end outside the lake cut after its last water hex (reading x1-border=stop)."""
    lake = waters.course.lake
    if path[-1][0] in lake.water or path[-1][0] in lake.land:
        return path
    water = [k for k, (at, _) in enumerate(path) if at in waters.water]
    return path[: water[-1] + 1] if water else []


def _sink(run: Run, flight: int) -> None:
    """The flight ends the race; all its flown steps are left over (X1-10)."""
    run.damage += OUT_DAMAGE
    run.out = True
    run.hand = ()
    run.steps = flight
    run.end()


def _current(run: Run, flow: int) -> bool:
    """Carried one hex, facing kept; a chain stops at a hex that it has carried the boat over (X1-7)."""
    ahead = run.at.step(flow)
    if ahead not in run.waters.water:
        if run.waters.readings.x1_current is CurrentBlocked.CRASH:
            run.crash(1)
        return False
    run.enter(ahead)
    new = ahead not in run.carried
    run.carried.add(ahead)
    return new


def _maelstrom(run: Run, spin: int) -> bool:
    """Turned one side; the steps left go on in the new direction (X1-8)."""
    run.facing = run.facing.steer(spin)
    return False


def _low_water(run: Run, rocks: int) -> bool:
    """Damage, fewer steps, fewer dice; the fourth counter sinks the boat at once (X1-4, X1-9)."""
    run.damage += rocks
    run.steps = max(0, run.steps - rocks)
    if run.damage >= run.waters.readings.sink_at:
        run.end()
        return False
    run.hand = without(run.hand, rocks, run.waters.readings.x1_dice)
    return False


EFFECTS: dict[TileKind, Callable[[Run, int], bool]] = {
    TileKind.REDOUBT: _redoubt,
    TileKind.CURRENT: _current,
    TileKind.MAELSTROM: _maelstrom,
    TileKind.LOW_WATER: _low_water,
}
"""The effect of each terrain; True says that the boat has come to another hex, which strikes in its turn."""


def without(hand: Hand, rocks: int, reading: RockDice = RockDice.FEWEST) -> Hand:
    """The dice left when rocks take the cheapest set of at least `rocks` pips (X1-9).

    >>> without((3, 3), 1), without((3, 2, 1), 3), without((1,), 3)
    ((3,), (2, 1), ())
    """
    if sum(hand) < rocks:
        return ()
    sets: set[Hand] = {()}
    for die in hand:
        # A set that is heavy enough only grows dearer by another die.
        sets |= {(*dice, die) for dice in sets if sum(dice) < rocks}
    few = 1 if reading is RockDice.FEWEST else -1
    lost = min((dice for dice in sets if sum(dice) >= rocks), key=lambda dice: (sum(dice), few * len(dice), dice))
    left = list(hand)
    for die in lost:
        left.remove(die)
    return tuple(left)
