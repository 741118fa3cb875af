"""Compiled weighing of a turn's options among the other boats: what `racer` and `lookahead` do in the place of a table.

`racer` looks one turn ahead, exactly: every throw's best end, boats in the way included, priced by what it is worth in
this race. `lookahead` picks the best few choices by their expected turns and plays the race on from each of them.
"""

from math import erfc, sqrt
from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import (
    DAMAGE,
    DRAWN,
    FACING,
    FINISHED,
    GOLDEN,
    HAND,
    KEY,
    RACING,
    ROW,
    SITUATION,
    SUNK,
    TURNS,
    AnyWater,
    Book,
    Fleet,
    Rng,
    Throws,
    Whole,
    mixed,
    next_mover,
    stop_last,
    throw,
)
from rulekit.simulate.bulk_ways import end_turn, is_held, move, open_ways, table_turn, way_end
from rulekit.solve.jit import compiled, compiled_bare
from rulekit.solve.kernel import Bytes, Floats, Ints

GRID = 56
"""Points at which the price of a value is worked out, `STEP` turns apart; between them it is a straight line."""

STEP = 0.5


class Sense(NamedTuple):
    """What both know of a course: the solo optimum's values and how far races stray from them."""

    values: Floats  # [damage, cell], the finished row's 0
    sunk: float  # cost of a sunk boat there
    spread: float  # variance of the turns left, by expected turn
    win: float  # racer's weight of the win against the place, 0 to 1
    slope: float  # price of a turn by itself
    few: int  # choices that lookahead tries
    samples: int  # races that it plays from each


class Prices(NamedTuple):
    """What turns left cost: `price[i]` at `low + i · STEP`, and a sunk boat's cost."""

    price: Floats
    low: float
    sunk: float


@compiled_bare
def turns_left(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense) -> float:
    """A boat's solo value."""
    at = (np.int64(fleet[seat, ROW]) * dice.pips.size + fleet[seat, HAND]) * 8 + fleet[seat, FACING]
    return float(sense.values[fleet[seat, DAMAGE], at])


@compiled
def place_prices(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense) -> Prices:
    """The price of having so many turns left: the share of places lost, and the chance not to win.

    The turns that boats still take count as normal and independent; the others move first in the next round.
    """
    rivals, price = np.empty(fleet.shape[0]), np.empty(GRID)
    low, sunk = fill_prices(water, dice, fleet, seat, sense, rivals, price)
    return Prices(price, low, sunk)


@compiled_bare
def fill_prices(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, rivals: Floats, price: Floats
) -> tuple[float, float]:
    """Fills in the prices: (the least turns left, a sunk boat's price)."""
    seats, count, ahead, gone = fleet.shape[0], 0, 0, 0
    for other in range(seats):
        ahead += fleet[other, SITUATION] == FINISHED
        gone += fleet[other, SITUATION] == SUNK
        if other != seat and fleet[other, SITUATION] == RACING:
            rivals[count] = turns_left(water, dice, fleet, other, sense)
            count += 1
    low = max(0.0, np.floor(turns_left(water, dice, fleet, seat, sense)) - 12.0)
    for i in range(GRID):
        left = low + i * STEP
        place, win = float(ahead), 0.0 if ahead else 1.0
        for k in range(count):
            beaten = 0.0
            if left > 0.0:
                beaten = 0.5 * erfc((rivals[k] - left - 0.5) / sqrt(2.0 * sense.spread * (rivals[k] + left)))
            place += beaten
            win *= 1.0 - beaten
        price[i] = mixed_price(sense, place / max(seats - 1, 1), win) + sense.slope * left
    last = mixed_price(sense, (seats - 1 - gone) / max(seats - 1, 1), 0.0)
    return low, last + sense.slope * sense.sunk


@compiled_bare
def mixed_price(sense: Sense, place: float, win: float) -> float:
    """Cost of a place (0 first, 1 last) and a chance to win."""
    return (1.0 - sense.win) * place + sense.win * (1.0 - win)


@compiled
def turn_prices(sense: Sense) -> Prices:
    """Turns as they are."""
    return Prices(np.empty(0), 0.0, sense.sunk)


@compiled_bare
def priced(prices: Prices, left: float) -> float:
    """The price of so many turns left."""
    if prices.price.size == 0:
        return left
    place = (left - prices.low) / STEP
    if place < 0.0:
        return float(prices.price[0] + place * (prices.price[1] - prices.price[0]))
    if place >= GRID - 1:
        return float(prices.price[GRID - 1] + 1e-3 * (place - GRID))
    i = int(place)
    return float(prices.price[i] + (place - i) * (prices.price[i + 1] - prices.price[i]))


@compiled_bare
def way_cost(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices, hand: Whole,
             way: Whole) -> float:  # fmt: skip
    """The price of a move's end."""
    row, damage, cell = way_end(water, dice, fleet, seat, hand, (fleet[seat, FACING] + 5 + way) % 6)
    if row == water.rows:
        return priced(prices, 0.0)
    return prices.sunk if damage >= water.levels else priced(prices, sense.values[damage, cell])


@compiled_bare
def best_way(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices, hand: Whole
) -> tuple[int, float]:
    """The cheapest legal way and its price; of equal ones straight, right, left."""
    legal = open_ways(water, dice, fleet, seat, hand)
    best, found = np.inf, -1
    for way in (1, 0, 2):
        if legal[way]:
            cost = way_cost(water, dice, fleet, seat, sense, prices, hand, way)
            if found < 0 or cost < best:
                best, found = cost, way
    return found, best


@compiled
def entry_costs(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices) -> Floats:
    """The mean price of every entry of the throw table."""
    costs = np.empty(dice.start[-1])
    fill_costs(water, dice, fleet, seat, sense, prices, costs)
    return costs


@compiled_bare
def fill_costs(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices, costs: Floats
) -> None:
    """Hands thrown first, then with a die less at a time."""
    faces = dice.chance.size
    for hand in range(dice.pips.size):
        costs[hand] = best_way(water, dice, fleet, seat, sense, prices, hand)[1]
    for rolled in range(1, dice.start.size - 1):
        for kept in range(dice.start[rolled + 1] - dice.start[rolled]):
            mean = 0.0
            for face in range(faces):
                mean += dice.chance[face] * costs[dice.start[rolled - 1] + dice.more[kept * faces + face]]
            costs[dice.start[rolled] + kept] = mean


@compiled
def racer_choice(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices) -> Whole:
    """The entry with the least mean price."""
    costs = entry_costs(water, dice, fleet, seat, sense, prices)
    entry = cheapest(dice, np.int64(fleet[seat, HAND]), costs)
    return parted(water, dice, fleet, seat, sense, prices, entry)


@compiled_bare
def parted(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, sense: Sense, prices: Prices, entry: Whole
) -> Whole:
    """The entry, or as in `table_turn` the lowest die taken off a boat that would be held on its hex."""
    if dice.rolled[entry] == 0:
        kept = np.int64(dice.kept[entry])
        way = best_way(water, dice, fleet, seat, sense, prices, kept)[0]
        if is_held(water, dice, fleet, seat, kept, way):
            return np.int64(dice.less[fleet[seat, HAND]])
    return entry


@compiled_bare
def cheapest(dice: Throws, hand: Whole, costs: Floats) -> Whole:
    """The hand's entry of least cost, the first of equal ones."""
    best = np.int64(dice.options[dice.option_start[hand]])
    for i in range(dice.option_start[hand], dice.option_start[hand + 1]):
        if costs[dice.options[i]] < costs[best]:
            best = np.int64(dice.options[i])
    return best


@compiled
def best_few(dice: Throws, hand: Whole, costs: Floats, few: Whole) -> Ints:
    """The hand's cheapest entries, in order."""
    options = dice.options[dice.option_start[hand] : dice.option_start[hand + 1]]
    order = np.argsort(costs[options], kind="mergesort")
    return options[order[:few]]


@compiled
def lookahead_choice(water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, sense: Sense,
                     base: np.uint64) -> Whole:  # fmt: skip
    """The entry of the best few that did best in races played on; all get the same dice."""
    prices = turn_prices(sense)
    costs = entry_costs(water, dice, fleet, seat, sense, prices)
    entries = best_few(dice, np.int64(fleet[seat, HAND]), costs, sense.few)
    best, found = np.inf, 0
    for i in range(entries.size):
        cost = played_on(water, dice, book, number, fleet, seat, sense, base, np.int64(entries[i]), -1, -1)
        if cost < best:
            best, found = cost, i
    return parted(water, dice, fleet, seat, sense, prices, np.int64(entries[found]))


@compiled
def lookahead_way(water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, sense: Sense,
                  hand: Whole, base: np.uint64) -> Whole:  # fmt: skip
    """The legal way that did best in races played on."""
    legal = open_ways(water, dice, fleet, seat, hand)
    best, found = np.inf, -1
    for way in (1, 0, 2):
        if legal[way]:
            cost = played_on(water, dice, book, number, fleet, seat, sense, base, -1, hand, way)
            if cost < best:
                best, found = cost, way
    return found


@compiled
def played_on(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, sense: Sense, base: np.uint64,
    entry: Whole, hand: Whole, way: Whole,
) -> float:  # fmt: skip
    """The price of the boat's place, summed over races in which this turn is taken with an entry, or a hand and a way,
    and everybody plays by the book from then on."""
    trial, shown, rng = np.empty_like(fleet), np.empty(64, np.int8), np.empty((fleet.shape[0], 2), np.uint64)
    return sampled(water, dice, book, number, fleet, seat, sense, base, entry, hand, way, trial, rng, shown)


@compiled_bare
def sampled(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, sense: Sense, base: np.uint64,
    entry: Whole, hand: Whole, way: Whole, trial: Fleet, rng: Rng, shown: Bytes,
) -> float:  # fmt: skip
    """As `played_on`, in memory that it is given."""
    seats, total = fleet.shape[0], 0.0
    for sample in range(sense.samples):
        for other in range(seats):
            rng[other, KEY] = mixed(base + np.uint64(sample * seats + other + 1) * GOLDEN)
            rng[other, DRAWN] = 0
            for column in range(fleet.shape[1]):
                trial[other, column] = fleet[other, column]
        if entry >= 0:
            thrown = throw(dice, entry, rng, seat, shown)
            end_turn(water, dice, book, number, trial, seat, entry, thrown, rng, shown)
        else:
            move(water, dice, trial, seat, hand, way)
        total += outcome(water, dice, book, number, trial, seat, sense, rng, shown)
    return total


@compiled_bare
def outcome(water: AnyWater, dice: Throws, book: Book, number: Whole, trial: Fleet, seat: Whole, sense: Sense, rng: Rng,
            shown: Bytes) -> float:  # fmt: skip
    """Plays on until the boat has left the race (or its turns are many); the price of its place, half of
    it that of the win."""
    seats, mover, most = trial.shape[0], seat, trial[seat, TURNS] + 100
    while trial[seat, SITUATION] == RACING and trial[seat, TURNS] < most:
        mover = next_mover(trial, mover)
        table_turn(water, dice, book, number, trial, mover, rng, shown)
        stop_last(water, trial)
    ahead, gone = 0, 0
    for other in range(seats):
        ahead += other != seat and trial[other, SITUATION] == FINISHED
        gone += other != seat and trial[other, SITUATION] == SUNK
    sunk = trial[seat, SITUATION] == SUNK
    place = (seats - 1 - gone if sunk else ahead) / max(seats - 1, 1)
    lost = 1.0 if ahead or sunk else 0.0
    return float(0.5 * (place + lost) + 1e-4 * trial[seat, TURNS])
