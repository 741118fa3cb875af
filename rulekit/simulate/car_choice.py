"""Compiled costs of the ends of cars' moves, see `car_policies` and `car_weigh`.

Costs that differ by less than a tie are equal, so that no rounding makes compiled races differ from those by the rules.
"""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import Words
from rulekit.simulate.car_kernel import (
    AT,
    AWAY,
    CARS,
    CROSSED,
    DAMAGE,
    FULL,
    LIMITED,
    OUT_AT,
    REFUELLED,
    TANK,
    Field,
    Law,
    ends_of,
    fuel_used,
    is_standing,
    is_starved,
    points_taken,
)
from rulekit.solve.car_moves import (
    FINISH,
    FLY,
    FOUND,
    STRIKE,
    Longs,
    Search,
    Whole,
    kind_of,
    line_of,
    place_in,
)
from rulekit.solve.car_tables import Circuit
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Floats, Ints

RANDOM, GREEDY, CAUTIOUS, SOLO, BLOCKER = range(5)
"""Policies, in the order of `car_policies.CAR_POLICIES`."""

LITTLE = 1e-3
COLOURS = 3


class Sense(NamedTuple):
    """What policies know of a circuit. A slot is a colour's listed value, the last one red's or yellow's move on an
    empty tank; `slot[colour, value]` is −1 where a value is not listed.

    `first[(lacking − 1, slot, place)]` says where the ends of a car alone on the track begin in `ends`; `zone[slot,
    place]` has a bit for each place that is on some way.
    """

    values: Floats  # turns left by [lacking − 1, tank, damage, place], at the finish what it costs
    sunk: float
    column: Ints  # columns behind the line, by place
    ring: int
    listed: Ints  # values by [colour, rank]
    chance: Floats
    counts: tuple[int, int, int]  # listed values of each colour
    slot: Ints
    first: Ints
    ends: Longs
    zone: Words
    delay: (
        Floats  # turns lost by a car in the way, by [crossings that a car lacks − 1, at most 1; its space; the other's]
    )
    weight: float  # of the turns that the others lose by a blocker, and the most that they count as
    most: float
    far: float  # more columns than any race has
    tie: float  # costs so close are equal


class Turn(NamedTuple):
    """Memory for a turn: `dice[WAITING]` are the mover's cars that wait, `dice[COLOUR]` the colours of their dice,
    `dice[SHOWN]` what these show; `costs` are those of one car's ends, or of picks; `least` the least ones by [car,
    colour, rank]; `line` the best ways to move one, two and three cars, see `car_turn`.

    What has been worked out in this turn is known by [car, slot, entry], `entries` of them: the cheapest end (`end`)
    and its cost (`known`), and in `among` which cars it depends on, then a word of ones if it depends on all cars.
    """

    dice: Ints
    costs: Floats
    least: Floats
    line: Longs
    entries: Ints
    known: Floats
    end: Longs
    among: Words


WAITING, COLOUR, SHOWN = range(3)
MOST_KNOWN = 8


def new_turn(sense: Sense, search: Search) -> Turn:
    """Memory for a turn."""
    costs, least = np.zeros(search.ends.shape[1]), np.zeros((CARS, COLOURS, sense.listed.shape[1]))
    slots, _, words = sense.zone.shape
    shape = CARS, slots, MOST_KNOWN
    return Turn(
        np.zeros((3, CARS), np.int32), costs, least, np.zeros((CARS, CARS, 3), np.int64),
        np.zeros(shape[:2], np.int32), np.zeros(shape), np.zeros(shape, np.int64),
        np.zeros((*shape, words + 1), np.uint64),
    )  # fmt: skip


@compiled_inline
def columns_at(law: Law, k: Sense, place: Whole, crossings: Whole) -> Whole:
    """How far a place is, see `car_values.columns_at`."""
    return np.int64((crossings - 1) * k.ring + k.column[place])


@compiled_inline
def by_columns(
    law: Law, k: Sense, f: Field, car: Whole, colour: Whole, end: Whole, price: float
) -> float:  # fmt: skip
    """The cost of an end in columns to the finish, see `car_policies`."""
    points = points_taken(law, f, car, colour, kind_of(end))
    if f.cars[car, DAMAGE] + points >= OUT_AT:
        return k.far + price * points
    crossings = law.crossings if kind_of(end) == FINISH else max(0, f.cars[car, CROSSED] + line_of(end))
    return price * points - columns_at(law, k, place_in(end), crossings)


@compiled_inline
def by_turns(law: Law, k: Sense, f: Field, car: Whole, colour: Whole, value: Whole, end: Whole) -> float:
    """The turns that a car has left after a move, see `car_values.CarValues.after`."""
    kind = kind_of(end)
    damage = f.cars[car, DAMAGE] + points_taken(law, f, car, colour, kind)
    if damage >= OUT_AT:
        return k.sunk
    tank = np.int64(f.cars[car, REFUELLED] if law.fuel == LIMITED else f.cars[car, TANK])
    if law.fuel == FULL and not is_standing(kind):
        tank = max(np.int64(0), np.int64(tank - fuel_used(law, value)))
    left = law.crossings - f.cars[car, CROSSED] - line_of(end)
    lacking = 1 if kind == FINISH else min(left, law.crossings)
    return float(k.values[lacking - 1, tank, damage, place_in(end)])


@compiled_bare
def delay(c: Circuit, law: Law, k: Sense, f: Field, mover: Whole, place: Whole) -> float:
    """The turns that the others' cars lose by one that stands there, see `car_block`."""
    total = 0.0
    for car in range(f.cars.shape[0]):
        at = f.cars[car, AT]
        if car // CARS != mover and 0 <= at < c.stop:
            total += k.delay[min(2, law.crossings - f.cars[car, CROSSED]) - 1, at, place]
    return total


@compiled_inline
def cost_of(
    c: Circuit, law: Law, k: Sense, f: Field, policy: Whole, car: Whole, colour: Whole, value: Whole, end: Whole
) -> float:
    """What an end costs a policy."""
    if policy == GREEDY:
        return by_columns(law, k, f, car, colour, end, LITTLE)
    if policy == CAUTIOUS:
        return by_columns(law, k, f, car, colour, end, k.far)
    own = by_turns(law, k, f, car, colour, value, end)
    place, points = place_in(end), points_taken(law, f, car, colour, kind_of(end))
    if policy == SOLO or place >= c.stop or f.cars[car, DAMAGE] + points >= OUT_AT or f.turns.size == 1:
        return own
    return own - min(k.most, k.weight * delay(c, law, k, f, car // CARS, place)) / (f.turns.size - 1)


@compiled_inline
def slot_of(law: Law, k: Sense, f: Field, car: Whole, colour: Whole, value: Whole) -> Whole:
    """The slot of a car's move with a die, AWAY for values that are not listed."""
    if is_starved(law, f, car, colour):
        return np.int64(k.zone.shape[0] - 1)
    return np.int64(k.slot[colour, value]) if value < k.slot.shape[1] else AWAY


@compiled_inline
def is_alone(c: Circuit, k: Sense, f: Field, slot: Whole, place: Whole, row: Whole) -> bool:
    """Whether nobody stands where a step of the move leads, nor where it is moved back to (PS-16)."""
    met = np.uint64(0)
    for word in range(f.mask.size):
        met |= f.mask[word] & k.zone[slot, place, word]
    stand = met == 0
    for number in range(k.first[row], k.first[row + 1]):
        stand &= not (FLY <= kind_of(k.ends[number]) <= STRIKE and f.taken[place_in(k.ends[number])])
    return bool(stand)


@compiled_inline
def least_of(
    c: Circuit, law: Law, k: Sense, f: Field, t: Turn, policy: Whole, car: Whole, colour: Whole, value: Whole,
    ends: Longs, begin: Whole, count: Whole,
) -> tuple[float, Whole, bool]:  # fmt: skip
    """The least cost of some ends, the first end that has it, and whether any of them is moved back to (PS-16)."""
    back = False
    for number in range(count):
        back = back or bool(FLY <= kind_of(ends[begin + number]) <= STRIKE)
        t.costs[number] = cost_of(c, law, k, f, policy, car, colour, value, ends[begin + number])
    first = first_least(k, t, count)
    return float(t.costs[first]), np.int64(ends[begin + first]), back


@compiled_inline
def weigh_ends(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, car: Whole, colour: Whole,
    value: Whole, slot: Whole,
) -> tuple[float, Whole, bool]:  # fmt: skip
    """The least cost of a car's ends with the others where they are, the first end that has it, and whether cars out of
    its way may matter: from a box, or where it may be moved back."""
    place, lacking = np.int64(f.cars[car, AT]), law.crossings - f.cars[car, CROSSED]
    row = ((lacking - 1) * k.zone.shape[0] + slot) * c.places + place
    if slot != AWAY and place < c.places and is_alone(c, k, f, slot, place, row):
        ends, begin, count = k.ends, np.int64(k.first[row]), np.int64(k.first[row + 1] - k.first[row])
    else:
        ends, begin, count = s.ends[FOUND], np.int64(0), np.int64(ends_of(c, law, s, f, car, colour, value))
    cost, end, back = least_of(c, law, k, f, t, policy, car, colour, value, ends, begin, count)
    return cost, end, bool(back or place >= c.places)


@compiled_inline
def entry_of(k: Sense, f: Field, t: Turn, own: Whole, slot: Whole, place: Whole) -> Whole:
    """The entry that was worked out with the same cars in the way; AWAY if there is none."""
    words = f.mask.size
    for entry in range(t.entries[own, slot]):
        differ = np.uint64(0)
        for word in range(words):
            matter = k.zone[slot, place, word] | t.among[own, slot, entry, words]
            differ |= f.mask[word] & matter ^ t.among[own, slot, entry, word]
        if differ == 0:
            return np.int64(entry)
    return AWAY


@compiled_inline
def keep(
    k: Sense, f: Field, t: Turn, own: Whole, slot: Whole, place: Whole, cost: float, end: Whole, back: bool
) -> None:
    """Keeps what was worked out, as long as there is room."""
    entry, words = t.entries[own, slot], f.mask.size
    if entry == MOST_KNOWN:
        return
    every = ~np.uint64(0) if back else np.uint64(0)
    for word in range(words):
        t.among[own, slot, entry, word] = f.mask[word] & (k.zone[slot, place, word] | every)
    t.among[own, slot, entry, words] = every
    t.known[own, slot, entry], t.end[own, slot, entry] = cost, end
    t.entries[own, slot] += 1


@compiled_inline
def cheapest(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, car: Whole, colour: Whole,
    value: Whole,
) -> tuple[float, Whole]:  # fmt: skip
    """The least cost of a car's ends with the others where they are, and the first end that has it. Its own place is
    not to be taken."""
    slot, own = slot_of(law, k, f, car, colour, value), car % CARS
    place = min(np.int64(f.cars[car, AT]), np.int64(c.places - 1))
    if slot != AWAY:
        entry = entry_of(k, f, t, own, slot, place)
        if entry != AWAY:
            return float(t.known[own, slot, entry]), np.int64(t.end[own, slot, entry])
    cost, end, back = weigh_ends(c, law, k, s, f, t, policy, car, colour, value, slot)
    if slot != AWAY:
        keep(k, f, t, own, slot, place, cost, end, back)
    return cost, end


@compiled_inline
def first_least(k: Sense, t: Turn, count: Whole) -> Whole:
    """The first of the costs that are the least, but for rounding."""
    least, first = np.inf, 0
    for number in range(count):
        least = min(least, t.costs[number])
    while t.costs[first] > least + k.tie:
        first += 1
    return np.int64(first)
