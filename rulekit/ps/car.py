"""A car in a race: where it is, its damage, tank and laps, and what the pit does for it (PS-20…PS-23)."""

from dataclasses import dataclass, replace
from enum import Enum

from rulekit.ps.picks import CARS
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, OUT, PIT_LONG, PIT_SHORT
from rulekit.readings import Fuel

OUT_AT = 4
"""Points of damage that remove a car (PS-20)."""


class Plan(Enum):
    """What a car does in the pit (PS-21)."""

    REPAIR = "repair"
    REFUEL = "refuel"
    BOTH = "both"


class Status(Enum):
    """Where a car is in its race."""

    BOX = "box"
    TRACK = "track"
    PIT = "pit"
    FINISHED = "finished"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Car:
    """A car. `space` is a space of the track, a place in the pit lane, its box (FINISH - box), FINISH or OUT.

    `crossings` of the line are those forward less those taken back (PS-23). `tank` is the fuel left. `plan` is known
    from pit space 3 on until the car leaves the pit. `place` is given when it leaves the track.
    """

    space: int
    box: int
    tank: int = 0
    damage: int = 0
    crossings: int = 0
    refuelled: bool = False
    plan: Plan | None = None
    place: int | None = None

    @property
    def status(self) -> Status:
        """Where it is."""
        if self.space >= 0:
            return Status.TRACK
        if self.space > FINISH:
            return Status.PIT
        return {FINISH: Status.FINISHED, OUT: Status.OUT}.get(self.space, Status.BOX)

    @property
    def laps(self) -> int:
        """Laps completed: the first crossing only begins one (PS-23)."""
        return max(0, self.crossings - 1)

    @property
    def races(self) -> bool:
        """Whether it has not yet left for its place."""
        return self.place is None

    @property
    def takes_die(self) -> bool:
        """Whether it is to be moved by a die (PS-6, PS-21)."""
        leaves = self.space == PIT_LONG or (self.space == PIT_SHORT and self.plan in (Plan.REPAIR, Plan.REFUEL))
        return leaves or self.status in (Status.BOX, Status.TRACK)


def cars_of(player: int) -> range:
    """A player's cars."""
    return range(CARS * player, CARS * (player + 1))


def player_of(car: int) -> int:
    """Whose car it is."""
    return car // CARS


def plans(terms: Terms) -> tuple[Plan, ...]:
    """What a car may do in the pit: without fuel rules there is nothing but repair (PS-21, PS-22)."""
    return (Plan.REPAIR,) if terms.readings.fuel is Fuel.NONE else tuple(Plan)


def told(terms: Terms, car: Car, plan: Plan) -> Car:
    """A car on pit space 3 that knows what to do; what it leaves with is done at once."""
    car = replace(car, plan=plan)
    return car if plan is Plan.BOTH else served(terms, car)


def served(terms: Terms, car: Car) -> Car:
    """Repair takes off all damage, refuelling fills the tank (PS-21)."""
    if car.plan is not Plan.REFUEL:
        car = replace(car, damage=0)
    return car if car.plan is Plan.REPAIR else replace(car, tank=terms.tank, refuelled=True)


def arrived(terms: Terms, car: Car) -> Car:
    """A car on its next pit space: on space 3 it is told what to do if there is but one thing, on 6 both are done."""
    if car.space == PIT_SHORT and len(known := plans(terms)) == 1:
        return told(terms, car, known[0])
    return served(terms, car) if car.space == PIT_LONG else car
