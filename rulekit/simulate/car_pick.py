"""Compiled picks: the colours of dice with the least expected costs, see `car_weigh`."""

import numpy as np

from rulekit.simulate.car_choice import (
    COLOUR,
    COLOURS,
    WAITING,
    Sense,
    Turn,
    cheapest,
    first_least,
    is_alone,
    keep,
    least_of,
)
from rulekit.simulate.car_kernel import AT, BLUE, CARS, CROSSED, Field, Law, is_starved, lift, put
from rulekit.solve.car_moves import FOUND, HURT, Search, Whole, find_ends_on_the_way, one_layer, row_base
from rulekit.solve.car_tables import LINES, TRIANGLE, Circuit
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Floats


@compiled_inline
def goes_far(c: Circuit, law: Law, k: Sense, f: Field, car: Whole, colour: Whole, rank: Whole) -> bool:
    """Whether a value of red or yellow speeds in every curve, as all greater ones do, and others are in its way."""
    place, value = np.int64(f.cars[car, AT]), np.int64(k.listed[colour, rank])
    if colour == BLUE or value < c.level.size - 1 or c.exact or place >= c.places or is_starved(law, f, car, colour):
        return False
    slot, lacking = np.int64(k.slot[colour, value]), law.crossings - f.cars[car, CROSSED]
    return not is_alone(c, k, f, slot, place, ((lacking - 1) * k.zone.shape[0] + slot) * c.places + place)


@compiled_bare
def weigh_far(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, i: Whole, colour: Whole, rank: Whole
) -> None:
    """The least costs of a waiting car from a value on that speeds in every curve: greater ones go the same ways on."""
    car = np.int64(t.dice[WAITING, i])
    place, lacking = np.int64(f.cars[car, AT]), law.crossings - f.cars[car, CROSSED]
    base = row_base(c, np.int64(k.listed[colour, rank]), c.spaces[place, TRIANGLE])
    s.states[0, 0], s.size[FOUND], s.size[HURT] = 4 * place * LINES, 0, 0
    width: Whole = 1
    row: Whole = 0
    made: Whole = 0
    while rank < k.counts[colour]:
        value = np.int64(k.listed[colour, rank])
        if made + 1 == value:
            count = find_ends_on_the_way(c, s, base, row, width, value, f.taken, lacking)
            cost, end, back = least_of(c, law, k, f, t, policy, car, colour, value, s.ends[FOUND], np.int64(0), count)
            t.least[i, colour, rank] = cost
            keep(k, f, t, car % CARS, np.int64(k.slot[colour, value]), place, cost, end, back)
            rank += 1
        width = one_layer(c, s, base, row, width, made, False, value + 1, f.taken, True, lacking)
        row, made = 1 - row, made + 1


@compiled_bare
def weigh_cars(c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, cars: Whole) -> None:
    """The least costs of the waiting cars by colour and value; they do not count as in each other's way."""
    for i in range(cars):
        lift(f, f.cars[t.dice[WAITING, i], AT])
    for i in range(cars):
        car = np.int64(t.dice[WAITING, i])
        for colour in range(COLOURS):
            rank: Whole = 0
            while rank < k.counts[colour] and not goes_far(c, law, k, f, car, colour, rank):
                value = np.int64(k.listed[colour, rank])
                t.least[i, colour, rank] = cheapest(c, law, k, s, f, t, policy, car, colour, value)[0]
                rank += 1
            if rank < k.counts[colour]:
                weigh_far(c, law, k, s, f, t, policy, i, colour, rank)
    for i in range(cars):
        put(f, f.cars[t.dice[WAITING, i], AT])


@compiled_bare
def expected_three(k: Sense, d: Floats, one: Whole, two: Whole, three: Whole) -> float:
    """The mean of the least sum over all dealings of three dice of these colours."""
    total = 0.0
    for i in range(k.counts[one]):
        a0, a1, a2 = d[0, one, i], d[1, one, i], d[2, one, i]
        for j in range(k.counts[two]):
            chance, b0, b1, b2 = k.chance[one, i] * k.chance[two, j], d[0, two, j], d[1, two, j], d[2, two, j]
            for n in range(k.counts[three]):
                c0, c1, c2 = d[0, three, n], d[1, three, n], d[2, three, n]
                first = min(a0 + b1 + c2, a0 + c1 + b2)
                second = min(b0 + a1 + c2, b0 + c1 + a2)
                third = min(c0 + a1 + b2, c0 + b1 + a2)
                total += chance * k.chance[three, n] * min(first, second, third)
    return total


@compiled_bare
def expected_two(k: Sense, d: Floats, one: Whole, two: Whole) -> float:
    """The same of two dice."""
    total = 0.0
    for i in range(k.counts[one]):
        for j in range(k.counts[two]):
            least = min(d[0, one, i] + d[1, two, j], d[0, two, j] + d[1, one, i])
            total += k.chance[one, i] * k.chance[two, j] * least
    return total


@compiled_bare
def expected_one(k: Sense, d: Floats, one: Whole) -> float:
    """The mean of one die."""
    total = 0.0
    for i in range(k.counts[one]):
        total += k.chance[one, i] * d[0, one, i]
    return total


@compiled_bare
def pick_dice(k: Sense, t: Turn, cars: Whole) -> None:
    """The colours with the least expected sum, the first of equal ones."""
    count: Whole = 0
    for one in range(COLOURS):
        for two in range(one, COLOURS if cars > 1 else one + 1):
            for three in range(two, COLOURS if cars > 2 else two + 1):
                if cars == 1:
                    t.costs[count] = expected_one(k, t.least, one)
                elif cars == 2:
                    t.costs[count] = expected_two(k, t.least, one, two)
                else:
                    t.costs[count] = expected_three(k, t.least, one, two, three)
                count += 1
    set_pick(t, cars, first_least(k, t, count))


@compiled_bare
def set_pick(t: Turn, cars: Whole, number: Whole) -> None:
    """The colours of a pick by its place among all of so many dice, slowest first."""
    count = 0
    for one in range(COLOURS):
        for two in range(one, COLOURS if cars > 1 else one + 1):
            for three in range(two, COLOURS if cars > 2 else two + 1):
                if count == number:
                    t.dice[COLOUR, 0], t.dice[COLOUR, 1], t.dice[COLOUR, 2] = one, two, three
                count += 1
