"""What the compiled races do to single cars, against the rules engine: rare meetings in the pit lane among them."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.car import Car, Plan, Status
from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.race import Die, Moved, Race, apply, begin, ends, legal_picks, moved
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, PIT_LONG, PIT_SHORT, STOP
from rulekit.readings import Fuel, PsReadings
from rulekit.simulate.car_kernel import AT, PLACE, Field, drive, ends_of, go_on, lift, new_field, put_car
from rulekit.simulate.car_solved import CarTables, car_tables
from rulekit.solve.car_moves import FOUND, new_search
from rulekit.solve.car_tables import place_of

TRACK = read_track(read_source(str(Path(__file__).parent / "cases" / "tracks" / "tiny.toml"))).track
PLANS = [None, *Plan]
COLOURS = list(Colour)


def terms_of(fuel: Fuel) -> Terms:
    return Terms(TRACK, PsReadings(fuel=fuel), TRACK.laps)


def row_of(terms: Terms, car: Car) -> list[int]:
    """A car as the columns of a field."""
    away = car.place is not None
    at = len(TRACK.spaces) + 7 + car.box if car.status is Status.BOX else place_of(TRACK, car.space)
    return [-1 if away else at, car.box - 1, car.tank, car.damage, car.crossings, int(car.refuelled),
            PLANS.index(car.plan), car.place or 0]  # fmt: skip


def field_of(race: Race, tables: CarTables) -> Field:
    field = new_field(race.players, tables.circuit.places)
    field.free[:] = 1, len(race.cars)
    field.cars[:, AT] = -1
    for number, car in enumerate(race.cars):
        at, *rest = row_of(race.terms, car)
        put_car(field, number, at)
        field.cars[number, 1:] = rest
    return field


def race_with(terms: Terms, *cars: Car) -> Race:
    """A race of two in which the first cars are these, the others in their boxes."""
    race = begin(terms, [6, 4, 2, 5, 3, 1], 0)
    return replace(race, cars=(*cars, *race.cars[len(cars) :]))


def assert_same(race: Race, field: Field) -> None:
    assert field.cars.tolist() == [row_of(race.terms, car) for car in race.cars]


@pytest.mark.parametrize("fuel", [Fuel.NONE, Fuel.FULL])
def test_the_foremost_goes_on_first_in_the_pit_lane(fuel: Fuel) -> None:
    """Every three places of the pit lane for one player's cars, with and without a rival's on a fourth one (PS-21)."""
    terms = terms_of(fuel)
    tables, plan = car_tables(terms, {"random"}), Plan.REPAIR if fuel is Fuel.NONE else Plan.BOTH
    pit = range(STOP, PIT_LONG - 1, -1) if fuel is Fuel.FULL else range(STOP, PIT_SHORT - 1, -1)
    for spaces in permutations(pit, 4):
        cars = [Car(space, 6 - k, 3, 2, 1, plan=plan if space <= PIT_SHORT else None) for k, space in enumerate(spaces)]
        race = race_with(terms, *cars)
        field = field_of(race, tables)
        picked = apply(race, next(iter(legal_picks(race))))
        held = np.array([int(car.status is Status.PIT and not car.takes_die) for car in race.cars], np.int8)
        for _ in range(1 if race.movable else 2):
            go_on(tables.circuit, tables.law, field, 0, held)
        assert_same(picked, field)


@pytest.mark.parametrize("fuel", list(Fuel))
def test_every_end_of_a_car_does_the_same(fuel: Fuel) -> None:
    """From boxes, spaces and the pit lane, damaged and with little in the tank, its exit taken or free."""
    terms = terms_of(fuel)
    tables, kinds = car_tables(terms, {"random"}), set[Kind]()
    exits = TRACK.pit.exit_short if TRACK.pit else 0
    places = [*range(0, len(TRACK.spaces), 5), PIT_SHORT, PIT_LONG, FINISH - 6]
    for space in places:
        plan = {PIT_SHORT: Plan.REPAIR, PIT_LONG: Plan.BOTH}.get(space)
        for damage, tank, crossings in ((0, terms.tank, 0), (3, 0, 1), (2, min(1, terms.tank), terms.laps)):
            car = Car(space, 6, tank, damage, crossings, plan=plan)
            blocker = Car(exits if space != exits else TRACK.ahead[exits], 4, terms.tank)
            race = race_with(terms, car, blocker)
            for colour, value in ((Colour.BLUE, 3), (Colour.RED, 5), (Colour.RED, 16), (Colour.YELLOW, 7)):
                kinds |= follow(race, tables, Die(colour, value))
    assert kinds >= {Kind.MOVE, Kind.FLY, Kind.STAY, Kind.FINISH}


def follow(race: Race, tables: CarTables, die: Die) -> set[Kind]:
    """Every end of the first car with a die, here and there; their kinds."""
    known = ends(race, 0, die)
    rolled = replace(race, dice=(die, die), waiting=(0, 1))
    for number, end in enumerate(known):
        field, search = field_of(race, tables), new_search(tables.circuit)
        lift(field, field.cars[0, AT])
        colour = COLOURS.index(die.colour)
        assert ends_of(tables.circuit, tables.law, search, field, 0, colour, die.value) == len(known)
        drive(tables.law, field, 0, colour, die.value, search.ends[FOUND, number])
        after = moved(rolled, Moved(0, die, end))
        assert (field.cars[0, PLACE] > 0) == (after.cars[0].place is not None)
        assert_same(after, field)
    return {end.kind for end in known}
