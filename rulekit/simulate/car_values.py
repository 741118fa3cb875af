"""What the place of a car is worth by itself: the turns that it has left, from the solved laps of the circuit."""

from dataclasses import dataclass
from functools import cached_property

from rulekit.ps.car import OUT_AT, Car, Plan
from rulekit.ps.moves import Kind, Outcome
from rulekit.ps.race import Die, Race, points_taken
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, PIT_LONG, PIT_SHORT, STOP
from rulekit.readings import Fuel
from rulekit.solve.laps import Laps, solve_laps


@dataclass(frozen=True)
class CarValues:
    """The solved laps of a race's terms: expected turns left, and what a lost car costs, by state."""

    terms: Terms
    laps: Laps

    @cached_property
    def table(self) -> list[list[list[list[float]]]]:
        """The values as lists, which are faster for one entry at a time: [lacking − 1][tank][damage][place]."""
        found: list[list[list[list[float]]]] = self.laps.values.tolist()
        return found

    @cached_property
    def finish(self) -> list[float]:
        """The cost of a finish by tank."""
        found: list[float] = self.laps.tables.finish.tolist()
        return found

    def tank(self, car: Car) -> int:
        """The level of the tank as the laps know it: under limited fuel whether the stop has been made."""
        return int(car.refuelled) if self.terms.readings.fuel is Fuel.LIMITED else car.tank

    def place(self, space: int) -> int:
        """The number of a place as the laps know it."""
        places = self.laps.places
        if space >= 0:
            return space
        pit = {STOP: places.stop, PIT_SHORT: places.stop + 1, PIT_LONG: places.stop + 2}
        return pit[space] if space in pit else places.boxes[FINISH - space - 1]

    def after(self, race: Race, number: int, die: Die, outcome: Outcome) -> float:
        """The value of a car after a move."""
        car = race.cars[number]
        damage = car.damage + points_taken(race, number, die, outcome)
        tank = self.tank(car)
        if self.terms.counts_fuel and outcome.kind is not Kind.STAY and outcome.kind is not Kind.WAIT:
            tank = max(0, tank - self.terms.use(die.value))
        return self.worth(race.lacking(number), tank, damage, outcome)

    def worth(self, lacking: int, tank: int, damage: int, outcome: Outcome) -> float:
        """The value of an end; `lacking` are the crossings that lacked before the move, tank and damage those after."""
        if damage >= OUT_AT:
            return self.laps.sink_cost
        if outcome.kind is Kind.FINISH:
            return self.finish[tank]
        lacking = min(lacking - outcome.line, self.terms.crossings)
        return self.table[lacking - 1][tank][damage][self.place(outcome.end)]

    def of_plan(self, race: Race, number: int, plan: Plan) -> float:
        """The value of a car on pit space 3 with a plan (PS-21)."""
        car = race.cars[number]
        damage = car.damage if plan is Plan.REFUEL else 0
        tank = self.tank(car) if plan is Plan.REPAIR else self.laps.full
        # For both it needs three turns more to space 6.
        wait, place = (3.0, PIT_LONG) if plan is Plan.BOTH else (0.0, PIT_SHORT)
        return wait + self.table[race.lacking(number) - 1][tank][damage][self.place(place)]


_KNOWN: list[CarValues] = []
"""The terms solved last."""

MOST_KNOWN = 8


def car_values(terms: Terms) -> CarValues:
    """The solved laps of a race's terms; known ones are not solved again."""
    found = next((one for one in _KNOWN if one.terms is terms), None)
    found = found or next((one for one in _KNOWN if one.terms == terms), None)
    if found is None:
        found = CarValues(terms, solve_laps(terms.track, terms.readings, terms.laps))
        _KNOWN[:] = [*_KNOWN[1 - MOST_KNOWN :], found]
    return found


def columns_driven(race: Race, car: Car) -> int:
    """How far a car is: columns from the line of the first crossing, below 0 before it."""
    return columns_at(race.terms, car.space, car.crossings)


def columns_at(terms: Terms, space: int, crossings: int) -> int:
    """How far a space, a place in the pit lane (as far as its entry), a box (as far as the space beside it) or the
    finish is, after so many crossings."""
    track = terms.track
    ring = sum(section.columns for section in track.sections)
    if space == FINISH:
        return terms.laps * ring
    if space < FINISH:
        space = track.along(track.box_1 or 0, FINISH - space - 1)
    elif space < 0:
        space = track.pit.entry if track.pit else 0
    return (crossings - 1) * ring + track.from_line[space]
