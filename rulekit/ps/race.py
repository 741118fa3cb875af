"""A race of cars: turns, damage, pit stops, fuel, laps, places (PS-6, PS-8, PS-19…PS-23).

A turn is a row of events, each with its phase: what cars on pit space 3 are to do (`Planned`), the colours of the dice
(`Picked`), what they show (`Thrown`), and each car's move (`Moved`). `apply` gives the race after an event.

*Pit lane.* Its places hold a car each. A car is asked at pit space 3, at its player's next turn, which is when it
first matters: refuelled or repaired it takes a die and leaves, for both it goes on to space 6. Cars in the pit lane go
on before the dice are thrown, the foremost first; one that is held up tries again when the dice have been moved, and
takes no damage if it has to wait. *Turns.* A player all of whose cars are in the pit lane picks no die, which is a turn
like any other; one whose cars have all left is passed over. The race goes on until every car has left the track, also
where the last car's place is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

from rulekit.errors import BadInput
from rulekit.ps.car import OUT_AT, Car, Plan, Status, arrived, cars_of, plans, told
from rulekit.ps.dice import Colour, can_show
from rulekit.ps.moves import DAMAGING, Kind, Outcome
from rulekit.ps.picks import CARS
from rulekit.ps.terms import EMPTY_SPEED, Terms
from rulekit.ps.track import FINISH, OUT, PIT_SHORT
from rulekit.readings import Fuel


class Die(NamedTuple):
    """A die on the table: of red the sum of its throws."""

    colour: Colour
    value: int


class Planned(NamedTuple):
    """What a car on pit space 3 is to do."""

    car: int
    plan: Plan


class Picked(NamedTuple):
    """The colours of the dice, slowest first."""

    colours: tuple[Colour, ...]


class Thrown(NamedTuple):
    """What the dice show, in the order in which they were picked."""

    values: tuple[int, ...]


class Moved(NamedTuple):
    """A car moved with a die to one of its ends."""

    car: int
    die: Die
    outcome: Outcome


Event = Planned | Picked | Thrown | Moved


class Phase(Enum):
    """What is to be done next."""

    PLAN = "plan"
    PICK = "pick"
    THROW = "throw"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True)
class Race:
    """A race under way: an immutable value. Player p has the cars 3p, 3p + 1 and 3p + 2.

    `mover` is the player whose turn it is, None after the end; `turns` each player's turns taken. `picked` are colours
    that are still to be thrown, `dice` those thrown that no car has yet, `waiting` the mover's cars that are still to
    get one, `held` those in the pit lane that have not gone on this turn.
    """

    terms: Terms
    cars: tuple[Car, ...]
    mover: int | None
    turns: tuple[int, ...]
    picked: tuple[Colour, ...] = ()
    dice: tuple[Die, ...] = ()
    waiting: tuple[int, ...] = ()
    held: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.turns)

    @property
    def over(self) -> bool:
        """Whether all cars have left the track."""
        return self.mover is None

    @cached_property
    def phase(self) -> Phase:
        """What is to be done next."""
        if self.mover is None:
            return Phase.OVER
        if self.dice:
            return Phase.MOVE
        if self.picked:
            return Phase.THROW
        return Phase.PICK if self.planner is None else Phase.PLAN

    @property
    def planner(self) -> int | None:
        """The mover's car that has to be told what to do in the pit, the one with the lowest number; or None."""
        return next((car for car in self.own if self.cars[car].space == PIT_SHORT and not self.cars[car].plan), None)

    @property
    def own(self) -> range:
        """The mover's cars."""
        return cars_of(self.mover) if self.mover is not None else range(0)

    @property
    def movable(self) -> tuple[int, ...]:
        """The mover's cars that take a die in this turn."""
        return tuple(car for car in self.own if self.cars[car].races and self.cars[car].takes_die)

    def taken(self, car: int) -> frozenset[int]:
        """Spaces and pit places on which the other cars stand."""
        return frozenset(
            other.space for number, other in enumerate(self.cars) if number != car and other.space > FINISH
        )

    @property
    def free_places(self) -> list[int]:
        """Places that no car has yet, the highest first: there are as many as cars (PS-20)."""
        given = {car.place for car in self.cars}
        return [place for place in range(1, len(self.cars) + 1) if place not in given]

    def lacking(self, car: int) -> int:
        """Crossings of the line that a car still lacks (PS-23)."""
        return self.terms.crossings - self.cars[car].crossings


def begin(terms: Terms, boxes: Sequence[int], starter: int) -> Race:
    """A race with every car in its box; `boxes` by car, as a line-up gives them.

    Raises BadInput where these are not the boxes from 1 on, one for each car.
    """
    players = len(boxes) // CARS
    if not boxes or sorted(boxes) != list(range(1, CARS * players + 1)) or not 0 <= starter < players:
        raise BadInput("a race needs three cars a player, a box from 1 on for each, and one who begins (PS-6, PS-7)")
    cars = tuple(Car(FINISH - box, box, terms.tank) for box in boxes)
    return Race(terms, cars, starter, (0,) * players)


# What may be done.


def legal_plans(race: Race) -> tuple[Plan, ...]:
    """What the car that is asked may do in the pit."""
    return plans(race.terms)


def legal_picks(race: Race) -> tuple[Picked, ...]:
    """The colours that the mover may pick: one for each car that takes a die; of every colour there are enough (PS-6).

    An empty tank forbids none of them: red or yellow cost a point then (PS-19).
    """
    return tuple(Picked(colours) for colours in combinations_with_replacement(Colour, len(race.movable)))


def legal_moves(race: Race) -> tuple[Moved, ...]:
    """Every car that still waits with every die left and every end (PS-6); equal dice are told once."""
    dice = dict.fromkeys(race.dice)
    return tuple(Moved(car, die, end) for car in race.waiting for die in dice for end in ends(race, car, die))


def ends(race: Race, number: int, die: Die) -> tuple[Outcome, ...]:
    """What a car can do with a die, the other cars where they are now."""
    return ends_among(race, number, die, race.taken(number))


def ends_among(race: Race, number: int, die: Die, taken: frozenset[int]) -> tuple[Outcome, ...]:
    """What a car could do with a die if other cars stood on `taken`."""
    car, terms = race.cars[number], race.terms
    colour, speed = die.colour, EMPTY_SPEED if is_starved(race, number, die) else die.value
    if car.status is Status.BOX:
        return terms.from_box(car.box, colour, speed, race.lacking(number), taken, last=car.box == 1)
    return terms.ends(car.space, colour, speed, race.lacking(number), taken)


def is_starved(race: Race, number: int, die: Die) -> bool:
    """Whether the car would drive red or yellow on an empty tank (PS-19)."""
    return race.terms.counts_fuel and not race.cars[number].tank and die.colour is not Colour.BLUE


def points_taken(race: Race, number: int, die: Die, outcome: Outcome) -> int:
    """Points of damage that an end costs: one for the end itself, one for an empty tank (PS-16…PS-19).

    A car that stays in its box has not driven: it takes none.
    """
    starved = outcome.kind is not Kind.WAIT and is_starved(race, number, die)
    return int(outcome.kind in DAMAGING) + int(starved)


# What happens.


def apply(race: Race, event: Event) -> Race:
    """The race after an event.

    Raises BadInput for one that is not legal.
    """
    match event:
        case Planned():
            return _planned(race, event)
        case Picked():
            return _picked(race, event)
        case Thrown():
            return _thrown(race, event)
        case Moved():
            if race.phase is not Phase.MOVE or event.die not in race.dice or event.car not in race.waiting:
                raise BadInput("this car is not to be moved with such a die now (PS-6)")
            if event.outcome not in ends(race, event.car, event.die):
                raise BadInput("the car cannot end its move like that")
            return moved(race, event)


def _planned(race: Race, event: Planned) -> Race:
    if race.phase is not Phase.PLAN or event.car != race.planner or event.plan not in legal_plans(race):
        raise BadInput("this car is not asked for such a plan now (PS-21)")
    return _with(race, event.car, told(race.terms, race.cars[event.car], event.plan))


def _picked(race: Race, event: Picked) -> Race:
    """The dice are picked: cars in the pit lane go on, then the dice are thrown; without dice the turn is over."""
    if race.phase is not Phase.PICK or event not in legal_picks(race):
        raise BadInput("these dice may not be picked now (PS-6)")
    movable = race.movable
    held = tuple(car for car in race.own if race.cars[car].status is Status.PIT and car not in movable)
    race = _go_on(replace(race, picked=event.colours, waiting=movable, held=held))
    return race if event.colours else _end_turn(race)


def _go_on(race: Race) -> Race:
    """The mover's cars in the pit lane go on by a space, the foremost first, where no car is in the way (PS-21)."""
    for car in sorted(race.held, key=lambda car: race.cars[car].space):
        there = race.cars[car].space - 1
        if there not in race.taken(car):
            race = _with(race, car, arrived(race.terms, replace(race.cars[car], space=there)))
            race = replace(race, held=tuple(other for other in race.held if other != car))
    return race


def _thrown(race: Race, event: Thrown) -> Race:
    fits = len(event.values) == len(race.picked) and all(map(can_show, race.picked, event.values))
    if race.phase is not Phase.THROW or not fits:
        raise BadInput("this is no throw of the dice that were picked (PS-5)")
    return replace(race, picked=(), dice=tuple(map(Die, race.picked, event.values)))


def moved(race: Race, event: Moved) -> Race:
    """The race after a move that is one of `legal_moves`, which is not looked up again."""
    dice, waiting = list(race.dice), tuple(car for car in race.waiting if car != event.car)
    dice.remove(event.die)
    race = _with(race, event.car, _driven(race, event))
    race = replace(race, dice=tuple(dice), waiting=waiting)
    return race if dice else _end_turn(race)


def _driven(race: Race, event: Moved) -> Car:
    """The car at its end: damage, fuel, crossings, and its place where it leaves the track.

    What has not moved uses no fuel; one that has needs it for the die's value, steps left unused included, and if the
    tank holds less it is empty then (PS-22). The point for an empty tank is taken as the car sets off: a fourth one
    removes it before it reaches the finish (PS-19, PS-20).
    """
    car, (_, die, outcome) = race.cars[event.car], event
    damage = car.damage + points_taken(race, event.car, die, outcome)
    if damage >= OUT_AT:
        return replace(car, space=OUT, damage=damage, plan=None, place=race.free_places[-1])
    stood = outcome.kind in (Kind.STAY, Kind.WAIT)
    tank = car.tank if stood else max(0, car.tank - race.terms.use(die.value))
    # A car that has begun no lap has none to lose by being moved back (PS-23).
    crossings = max(0, car.crossings + outcome.line)
    plan = car.plan if stood else None
    car = replace(car, space=outcome.end, damage=damage, tank=tank, crossings=crossings, plan=plan)
    return replace(car, place=_place(race, car)) if outcome.kind is Kind.FINISH else car


def _place(race: Race, car: Car) -> int:
    """A finisher's place: the highest that is free, or the lowest without the stop of limited fuel (PS-22, PS-23)."""
    unplaced = race.terms.readings.fuel is Fuel.LIMITED and not car.refuelled
    return race.free_places[-1 if unplaced else 0]


def _end_turn(race: Race) -> Race:
    """Cars that were held up in the pit lane try again, then the next player who still has cars is to move."""
    race = _go_on(race)
    player = race.mover or 0
    turns = tuple(count + (seat == player) for seat, count in enumerate(race.turns))
    after = ((player + k) % race.players for k in range(1, race.players + 1))
    mover = next((seat for seat in after if any(race.cars[car].races for car in cars_of(seat))), None)
    return replace(race, mover=mover, turns=turns, picked=(), dice=(), waiting=(), held=())


def _with(race: Race, number: int, car: Car) -> Race:
    return replace(race, cars=(*race.cars[:number], car, *race.cars[number + 1 :]))
