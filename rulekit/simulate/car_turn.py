"""Compiled turns of cars: plans for the pit, dice, and the cars moved one by one, see `ps.race` and `car_weigh`."""

import numpy as np

from rulekit.simulate.bulk_kernel import Rng
from rulekit.simulate.car_choice import (
    CAUTIOUS,
    COLOUR,
    GREEDY,
    RANDOM,
    SHOWN,
    WAITING,
    Sense,
    Turn,
    cheapest,
)
from rulekit.simulate.car_kernel import (
    AT,
    BOTH,
    CARS,
    CROSSED,
    DAMAGE,
    FULL,
    LIMITED,
    NO_FUEL,
    NO_PLAN,
    OUT_AT,
    PIT_LONG,
    PIT_SHORT,
    PLAN,
    REFUEL,
    REFUELLED,
    REPAIR,
    TANK,
    Field,
    Law,
    drawn_below,
    ends_of,
    in_pit,
    lift,
    put,
    takes_die,
    tell,
)
from rulekit.simulate.car_pick import pick_dice, set_pick, weigh_cars
from rulekit.solve.car_moves import FOUND, Search, Whole, place_in
from rulekit.solve.car_tables import Circuit
from rulekit.solve.jit import compiled_bare, compiled_inline, compiled_within
from rulekit.solve.kernel import Bytes

PICKS = 3, 6, 10
"""Picks of one, two and three dice."""


WHO, WHICH, END = range(3)
"""Columns of `Turn.line` by [cars − 1, move]: a car's place among those that wait, the number of its die, its end."""


# Which car to move with which die where to.


@compiled_inline
def is_alike(t: Turn, die: Whole, other: Whole) -> bool:
    """Whether two dice show the same."""
    return bool(t.dice[COLOUR, die] == t.dice[COLOUR, other] and t.dice[SHOWN, die] == t.dice[SHOWN, other])


@compiled_bare
def deal_one(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, car: Whole, die: Whole
) -> float:
    """The least cost of a car with a die."""
    number = np.int64(t.dice[WAITING, car])
    lift(f, f.cars[number, AT])
    cost, end = cheapest(
        c, law, k, s, f, t, policy, number, np.int64(t.dice[COLOUR, die]), np.int64(t.dice[SHOWN, die])
    )
    put(f, f.cars[number, AT])
    t.line[0, 0, WHO], t.line[0, 0, WHICH], t.line[0, 0, END] = car, die, end
    return cost


@compiled_inline
def take_over(t: Turn, level: Whole, car: Whole, die: Whole, end: Whole) -> None:
    """A move, and behind it the best ones of the level below, are the best ones of a level."""
    t.line[level, 0, WHO], t.line[level, 0, WHICH], t.line[level, 0, END] = car, die, end
    for move in range(level):
        for column in range(3):
            t.line[level, move + 1, column] = t.line[level - 1, move, column]


@compiled_bare
def deal_two(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, car: Whole,
    other: Whole, die: Whole, left: Whole,
) -> float:  # fmt: skip
    """The least cost of two cars with two dice, in any order."""
    best = np.inf
    for way in range(4):
        mover, last = (car, other) if way < 2 else (other, car)
        first, second = (die, left) if way % 2 == 0 else (left, die)
        if way % 2 and is_alike(t, die, left):
            continue
        at = np.int64(f.cars[t.dice[WAITING, mover], AT])
        cost = deal_one(c, law, k, s, f, t, policy, mover, first)
        end = t.line[0, 0, END]
        lift(f, at)
        put(f, place_in(end))
        cost += deal_one(c, law, k, s, f, t, policy, last, second)
        lift(f, place_in(end))
        put(f, at)
        if cost < best - k.tie:
            best = cost
            take_over(t, 1, mover, first, end)
    return best


@compiled_bare
def deal_three(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole
) -> float:  # fmt: skip
    """The least cost of three cars with three dice, in any order."""
    best = np.inf
    for way in range(9):
        car, die = way // 3, way % 3
        rest, behind = (1 if car == 0 else 0), (1 if car == 2 else 2)
        left, right = (1 if die == 0 else 0), (1 if die == 2 else 2)
        if (die > 0 and is_alike(t, 0, die)) or (die > 1 and is_alike(t, 1, die)):
            continue
        at = np.int64(f.cars[t.dice[WAITING, car], AT])
        cost = deal_one(c, law, k, s, f, t, policy, car, die)
        end = t.line[0, 0, END]
        lift(f, at)
        put(f, place_in(end))
        cost += deal_two(c, law, k, s, f, t, policy, rest, behind, left, right)
        lift(f, place_in(end))
        put(f, at)
        if cost < best - k.tie:
            best = cost
            take_over(t, 2, car, die, end)
    return best


@compiled_within
def deal(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, cars: Whole
) -> None:  # fmt: skip
    """The best way to move the first cars with the first dice."""
    if cars == 1:
        deal_one(c, law, k, s, f, t, policy, 0, 0)
    elif cars == 2:
        deal_two(c, law, k, s, f, t, policy, 0, 1, 0, 1)
    else:
        deal_three(c, law, k, s, f, t, policy)


@compiled_bare
def count_ends(c: Circuit, law: Law, s: Search, f: Field, t: Turn, car: Whole, die: Whole) -> Whole:
    """The number of ends of a waiting car with a die, which are in `s.ends[FOUND]`."""
    number = np.int64(t.dice[WAITING, car])
    lift(f, f.cars[number, AT])
    count = ends_of(c, law, s, f, number, np.int64(t.dice[COLOUR, die]), np.int64(t.dice[SHOWN, die]))
    put(f, f.cars[number, AT])
    return count


@compiled_bare
def draw_move(
    c: Circuit, law: Law, s: Search, f: Field, t: Turn, cars: Whole, rng: Rng, seat: Whole
) -> None:  # fmt: skip
    """One of all moves, each equally likely."""
    total: Whole = 0
    for car in range(cars):
        for die in range(cars):
            if not ((die > 0 and is_alike(t, 0, die)) or (die > 1 and is_alike(t, 1, die))):
                total += count_ends(c, law, s, f, t, car, die)
    number = drawn_below(rng, seat, total) if total > 1 else np.int64(0)
    for car in range(cars):
        for die in range(cars):
            if not ((die > 0 and is_alike(t, 0, die)) or (die > 1 and is_alike(t, 1, die))):
                count = count_ends(c, law, s, f, t, car, die)
                if 0 <= number < count:
                    t.line[0, 0, WHO], t.line[0, 0, WHICH], t.line[0, 0, END] = car, die, s.ends[FOUND, number]
                number -= count


# What to do in the pit.


@compiled_inline
def wants_fuel(law: Law, f: Field, car: Whole) -> bool:
    """Whether a car has still to refuel, see `car_policies.wants_fuel`."""
    if law.fuel == LIMITED:
        return bool(f.cars[car, REFUELLED] == 0)
    return bool(law.fuel == FULL and 2 * f.cars[car, TANK] < law.tank)


@compiled_bare
def plan_value(c: Circuit, law: Law, k: Sense, f: Field, car: Whole, plan: Whole) -> float:
    """The turns left with a plan, see `car_values.CarValues.of_plan`."""
    damage = np.int64(f.cars[car, DAMAGE]) if plan == REFUEL else np.int64(0)
    own = f.cars[car, REFUELLED] if law.fuel == LIMITED else f.cars[car, TANK]
    tank = np.int64(own) if plan == REPAIR else np.int64(k.values.shape[1] - 1)
    lacking = law.crossings - f.cars[car, CROSSED]
    if plan == BOTH:
        return float(3.0 + k.values[lacking - 1, tank, damage, c.stop + PIT_LONG])
    return float(k.values[lacking - 1, tank, damage, c.stop + PIT_SHORT])


@compiled_bare
def plan_of(c: Circuit, law: Law, k: Sense, f: Field, policy: Whole, car: Whole, rng: Rng, seat: Whole) -> Whole:
    """What a policy does with a car on pit space 3, where there is something to choose."""
    if policy == RANDOM:
        return REPAIR + drawn_below(rng, seat, BOTH)
    if policy == GREEDY:
        return REFUEL if wants_fuel(law, f, car) else REPAIR
    if policy == CAUTIOUS:
        if not wants_fuel(law, f, car):
            return REPAIR
        return BOTH if f.cars[car, DAMAGE] else REFUEL
    best: Whole = REPAIR
    for plan in range(REPAIR, BOTH + 1):
        if plan_value(c, law, k, f, car, plan) < plan_value(c, law, k, f, car, best):
            best = plan
    return best


@compiled_within
def tell_plans(c: Circuit, law: Law, k: Sense, f: Field, policy: Whole, player: Whole, rng: Rng) -> None:
    """Cars on pit space 3 are told what to do; without fuel rules they know already."""
    for car in range(CARS * player, CARS * player + CARS):
        if law.fuel != NO_FUEL and f.cars[car, AT] == c.stop + PIT_SHORT and f.cars[car, PLAN] == NO_PLAN:
            tell(law, f, car, plan_of(c, law, k, f, policy, car, rng, player))


# A turn.


@compiled_within
def muster(c: Circuit, f: Field, t: Turn, held: Bytes, player: Whole) -> Whole:
    """The player's cars that take a die, in `t.dice[WAITING]`: how many. Those to go on in the pit lane are held."""
    cars: Whole = 0
    t.entries[:] = 0
    for car in range(CARS * player, CARS * player + CARS):
        moves = takes_die(c, f, car)
        held[car] = in_pit(c, f.cars[car, AT]) and not moves
        if moves:
            t.dice[WAITING, cars] = car
            cars += 1
    return cars


@compiled_within
def pick(
    c: Circuit, law: Law, k: Sense, s: Search, f: Field, t: Turn, policy: Whole, cars: Whole, rng: Rng, player: Whole
) -> None:
    """The policy's dice, in `t.dice[COLOUR]`."""
    if policy == RANDOM:
        set_pick(t, cars, drawn_below(rng, player, PICKS[cars - 1]))
    else:
        weigh_cars(c, law, k, s, f, t, policy, cars)
        pick_dice(k, t, cars)


@compiled_within
def strike_off(t: Turn, level: Whole, car: Whole, die: Whole, cars: Whole) -> None:
    """A car and its die are done with: the others move up, and the moves of the line behind it name them anew."""
    for place in range(car, cars - 1):
        t.dice[WAITING, place] = t.dice[WAITING, place + 1]
    for place in range(die, cars - 1):
        t.dice[COLOUR, place], t.dice[SHOWN, place] = t.dice[COLOUR, place + 1], t.dice[SHOWN, place + 1]
    for move in range(level):
        other, left = t.line[level, move + 1, WHO], t.line[level, move + 1, WHICH]
        t.line[level - 1, move, WHO] = other - 1 if other > car else other
        t.line[level - 1, move, WHICH] = left - 1 if left > die else left
        t.line[level - 1, move, END] = t.line[level, move + 1, END]


@compiled_inline
def is_lost(f: Field, car: Whole) -> bool:
    """Whether a car has been removed (PS-20)."""
    return bool(f.cars[car, DAMAGE] >= OUT_AT)
