"""Compiled races of cars: where cars are, dice, moves, damage, fuel, the pit lane, places. It knows arrays only.

Places are numbered as in `solve.car_tables`: spaces, stop, pit 1 to 6; behind them the finish and the start boxes.
"""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import Rng, Words, below, next_word
from rulekit.solve.car_moves import (
    FINISH,
    FLY,
    STAY,
    WAIT,
    Search,
    Whole,
    find_ends,
    find_from_box,
    kind_of,
    line_of,
    place_in,
)
from rulekit.solve.car_tables import Circuit
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Bytes, Ints

CARS = 3
"""Cars of a player."""

AT, BOX, TANK, DAMAGE, CROSSED, REFUELLED, PLAN, PLACE = range(8)
"""Columns of a car: the number of its place (AWAY once it has left the track), its box from 0 on, the fuel left, points
of damage, crossings of the line, whether it has refuelled, what it does in the pit, and its place in the race (0: none
yet)."""
COLUMNS = 8

AWAY = -1

NO_PLAN, REPAIR, REFUEL, BOTH = range(4)
"""What a car does in the pit, in the order of `ps.car.Plan`."""

NO_FUEL, LIMITED, FULL = range(3)
"""Readings of fuel."""

BLUE, RED, YELLOW = range(3)
OUT_AT = 4
EMPTY_SPEED = 3
PIT_SHORT, PIT_LONG = 3, 6
"""Behind the stop space."""

W6, W63, ONE = np.uint64(6), np.uint64(63), np.uint64(1)


class Law(NamedTuple):
    """A race's terms: crossings to the finish, a full tank, the reading of fuel, a move's fuel by speed (the last entry
    serves all greater ones)."""

    crossings: int
    tank: int
    fuel: int
    use: Ints


class Field(NamedTuple):
    """A race under way: cars by [car, column], which places are taken (a byte each, and a bit each), the places in the
    race that are free (from FIRST to LAST), each player's turns."""

    cars: Ints
    taken: Bytes
    mask: Words
    free: Ints
    turns: Ints


FIRST, LAST = 0, 1


def new_field(players: int, places: int) -> Field:
    """Memory for a race."""
    cars = CARS * players
    return Field(
        np.zeros((cars, COLUMNS), np.int32), np.zeros(places, np.int8), np.zeros(places // 64 + 1, np.uint64),
        np.zeros(2, np.int32), np.zeros(players, np.int32),
    )  # fmt: skip


@compiled_inline
def lift(f: Field, place: Whole) -> None:
    """Nobody stands there any more; places off the track do not count."""
    if 0 <= place < f.taken.size:
        f.taken[place] = 0
        f.mask[np.uint64(place) >> W6] &= ~(ONE << (np.uint64(place) & W63))


@compiled_inline
def put(f: Field, place: Whole) -> None:
    """A car stands there."""
    if 0 <= place < f.taken.size:
        f.taken[place] = 1
        f.mask[np.uint64(place) >> W6] |= ONE << (np.uint64(place) & W63)


@compiled_inline
def put_car(f: Field, car: Whole, place: Whole) -> None:
    """Moves a car."""
    lift(f, f.cars[car, AT])
    f.cars[car, AT] = place
    put(f, place)


@compiled_bare
def set_field(law: Law, f: Field, boxes: Ints) -> None:
    """All cars in their boxes (PS-7)."""
    f.taken[:] = 0
    f.mask[:] = 0
    f.turns[:] = 0
    f.cars[:] = 0
    f.free[FIRST], f.free[LAST] = 1, f.cars.shape[0]
    for car in range(f.cars.shape[0]):
        f.cars[car, BOX] = boxes[car] - 1
        f.cars[car, AT] = f.taken.size + boxes[car]
        f.cars[car, TANK] = law.tank


@compiled_inline
def in_pit(c: Circuit, place: Whole) -> bool:
    """Whether a place lies in the pit lane."""
    return bool(c.stop <= place < c.places)


@compiled_inline
def takes_die(c: Circuit, f: Field, car: Whole) -> bool:
    """Whether a car is to be moved by a die (PS-6, PS-21)."""
    at, plan = f.cars[car, AT], f.cars[car, PLAN]
    if not in_pit(c, at):
        return bool(f.cars[car, PLACE] == 0)
    return bool(at == c.stop + PIT_LONG or (at == c.stop + PIT_SHORT and REPAIR <= plan <= REFUEL))


@compiled_inline
def is_starved(law: Law, f: Field, car: Whole, colour: Whole) -> bool:
    """Whether it would drive red or yellow on an empty tank (PS-19)."""
    return bool(law.fuel == FULL and f.cars[car, TANK] == 0 and colour != BLUE)


@compiled_inline
def is_standing(kind: Whole) -> bool:
    """Whether the car has not moved."""
    return kind in (STAY, WAIT)


@compiled_inline
def points_taken(law: Law, f: Field, car: Whole, colour: Whole, kind: Whole) -> Whole:
    """Points of damage that an end costs (PS-16…PS-19)."""
    return (1 if FLY <= kind <= STAY else 0) + (1 if kind != WAIT and is_starved(law, f, car, colour) else 0)


@compiled_inline
def fuel_used(law: Law, value: Whole) -> Whole:
    """The fuel of a move by speed (PS-22)."""
    return np.int64(law.use[min(value, law.use.size - 1)])


@compiled_bare
def ends_of(c: Circuit, law: Law, s: Search, f: Field, car: Whole, colour: Whole, value: Whole) -> Whole:
    """The ends of a car with a die, the others where they are now, in `s.ends[FOUND]`: how many. Its own place is not
    to be taken."""
    speed = EMPTY_SPEED if is_starved(law, f, car, colour) else value
    lacking = law.crossings - f.cars[car, CROSSED]
    at = f.cars[car, AT]
    if at > c.places:
        box = f.cars[car, BOX]
        return find_from_box(c, s, box, colour == BLUE, speed, f.taken, lacking, box == 0)
    return find_ends(c, s, at, colour == BLUE, speed, f.taken, True, lacking)


@compiled_bare
def drive(law: Law, f: Field, car: Whole, colour: Whole, value: Whole, end: Whole) -> None:
    """A car to its end: damage, fuel, crossings, and its place where it leaves the track, see `ps.race`."""
    kind, cars = kind_of(end), f.cars
    damage = cars[car, DAMAGE] + points_taken(law, f, car, colour, kind)
    cars[car, DAMAGE] = damage
    if damage >= OUT_AT:
        put_car(f, car, AWAY)
        cars[car, PLAN], cars[car, PLACE] = NO_PLAN, f.free[LAST]
        f.free[LAST] -= 1
        return
    if is_standing(kind):
        return
    if law.fuel == FULL:
        cars[car, TANK] = max(0, cars[car, TANK] - fuel_used(law, value))
    cars[car, CROSSED] = max(0, cars[car, CROSSED] + line_of(end))
    cars[car, PLAN] = NO_PLAN
    if kind != FINISH:
        put_car(f, car, place_in(end))
        return
    put_car(f, car, AWAY)
    if law.fuel == LIMITED and not cars[car, REFUELLED]:
        cars[car, PLACE] = f.free[LAST]
        f.free[LAST] -= 1
    else:
        cars[car, PLACE] = f.free[FIRST]
        f.free[FIRST] += 1


# The pit lane (PS-21).


@compiled_inline
def serve(law: Law, f: Field, car: Whole) -> None:
    """Repair takes off all damage, refuelling fills the tank."""
    if f.cars[car, PLAN] != REFUEL:
        f.cars[car, DAMAGE] = 0
    if f.cars[car, PLAN] != REPAIR:
        f.cars[car, TANK], f.cars[car, REFUELLED] = law.tank, 1


@compiled_bare
def tell(law: Law, f: Field, car: Whole, plan: Whole) -> None:
    """A car on pit space 3 is told what to do; what it leaves with is done at once."""
    f.cars[car, PLAN] = plan
    if plan != BOTH:
        serve(law, f, car)


@compiled_bare
def go_on(c: Circuit, law: Law, f: Field, player: Whole, held: Bytes) -> None:
    """The player's cars that are `held` go on by a pit space, the foremost first, where no car is in the way."""
    behind: Whole = c.places
    for _ in range(CARS):
        best: Whole = AWAY
        for car in range(CARS * player, CARS * player + CARS):
            at = f.cars[car, AT]
            if held[car] and at < behind and (best == AWAY or at > f.cars[best, AT]):
                best = car
        if best == AWAY:
            return
        behind = np.int64(f.cars[best, AT])
        if not f.taken[behind + 1]:
            held[best] = 0
            put_car(f, best, behind + 1)
            if behind + 1 == c.stop + PIT_SHORT and law.fuel == NO_FUEL:
                tell(law, f, best, REPAIR)
            if behind + 1 == c.stop + PIT_LONG:
                serve(law, f, best)


# Dice (PS-5).


@compiled_bare
def shown_by(colour: Whole, rng: Rng, seat: Whole) -> Whole:
    """What a die shows; of red the sum of its throws (see `car_table`)."""
    face = CARS * colour + 1 + below(rng, seat, 3)
    total = face
    while colour == RED and face == 6:
        face = 4 + below(rng, seat, 3)
        total += face
    return np.int64(total)


@compiled_bare
def drawn_below(rng: Rng, seat: Whole, count: Whole) -> Whole:
    """What `random.Random.randrange` draws from a stream."""
    bits = 0
    while count >> bits:
        bits += 1
    while True:
        number = np.int64(next_word(rng, seat) & ((ONE << np.uint64(bits)) - ONE))
        if number < count:
            return number


@compiled_inline
def next_player(f: Field, player: Whole) -> Whole:
    """The next player who still has cars, clockwise; AWAY when none has."""
    players = f.turns.size
    for k in range(1, players + 1):
        other = (player + k) % players
        for car in range(CARS * other, CARS * other + CARS):
            if f.cars[car, PLACE] == 0:
                return np.int64(other)
    return AWAY
