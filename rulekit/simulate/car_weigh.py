"""Weighing the options of a turn by a cost for each car's end: which dice to pick, which car to move with which die.

*Dice.* Each pick is weighed by the expected sum of costs when the dice are dealt to the cars in the best way; the
mover's other cars that are still to move do not count as in the way, for they may go first. Red is listed up to
`RED_VALUES` values, the rest counts as the last of these. *Moves.* Every order of the cars and every dealing of the
dice is followed to the end of the turn, each car taking its cheapest end in its turn, with all cars where they are
then. Of equal options the first one is taken.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, permutations

import numpy as np

from rulekit.ps.dice import Colour, values
from rulekit.ps.moves import Outcome
from rulekit.ps.race import Die, Moved, Race, ends_among
from rulekit.ps.track import FINISH
from rulekit.simulate.car_questions import Moving, Picking
from rulekit.solve.kernel import Floats

Cost = Callable[[Race, int, Die, Outcome], float]
"""What an end of a car with a die costs."""

RED_VALUES = 8
"""Red's values up to 23: up to 17 only, it looked safe in places where longer ones fly."""


TIE = 1e-9
"""Costs so close are equal."""

_COUNT = {Colour.BLUE: 3, Colour.RED: RED_VALUES, Colour.YELLOW: 3}

LISTED = {colour: tuple(Die(colour, value) for value, _ in islice(values(colour), _COUNT[colour])) for colour in Colour}
"""The dice that are weighed, by colour."""


def _listed_chances(colour: Colour) -> Floats:
    found = [float(chance) for _, chance in islice(values(colour), _COUNT[colour])]
    return np.array([*found[:-1], 1.0 - sum(found[:-1])])


CHANCES = {colour: _listed_chances(colour) for colour in Colour}
"""Their chances, which add up to 1."""


def best_pick(asked: Picking, cost: Cost) -> int:
    """The pick with the least expected sum of costs."""
    race = asked.race
    costs = [_by_colour(race, car, cost) for car in race.movable]
    return first_least([_expected(costs, pick.colours) for pick in asked.options])


def first_least(costs: Sequence[float]) -> int:
    """The first of the costs that are the least, but for rounding."""
    least = min(costs) + TIE
    return next(k for k, found in enumerate(costs) if found <= least)


def _by_colour(race: Race, car: int, cost: Cost) -> dict[Colour, Floats]:
    """A car's least costs by colour and value."""
    taken = race.taken(car) - {race.cars[other].space for other in race.movable}
    return {colour: np.array([cheapest(race, car, die, taken, cost)[0] for die in LISTED[colour]]) for colour in Colour}


def cheapest(race: Race, car: int, die: Die, taken: frozenset[int], cost: Cost) -> tuple[float, Outcome]:
    """The least cost of a car's ends among cars on `taken`, and the first end that has it."""
    found = ends_among(race, car, die, taken)
    costs = [cost(race, car, die, end) for end in found]
    at = first_least(costs)
    return costs[at], found[at]


def _expected(costs: Sequence[dict[Colour, Floats]], colours: tuple[Colour, ...]) -> float:
    """The mean of the least sum over all dealings of the dice, over all that they can show: an axis for each die."""
    dice = range(len(colours))
    on_axis = [[_along(car[colours[die]], die, len(dice)) for die in dice] for car in costs]
    ways = [sum((on_axis[way[die]][die] for die in dice), np.zeros(1)) for way in permutations(dice)]
    return float((_chances(colours) * np.minimum.reduce(ways)).sum())


def _along(values: Floats, axis: int, axes: int) -> Floats:
    return values.reshape([-1 if k == axis else 1 for k in range(axes)])


@cache
def _chances(colours: tuple[Colour, ...]) -> Floats:
    """The chances of all that the dice can show together."""
    return np.array(math.prod(_along(CHANCES[colour], die, len(colours)) for die, colour in enumerate(colours)))


def best_move(asked: Moving, cost: Cost) -> int:
    """The first move of the cheapest way to end the turn."""
    return asked.options.index(_line(asked.race, cost)[1])


def _line(race: Race, cost: Cost) -> tuple[float, Moved]:
    taken = frozenset(car.space for car in race.cars if car.space > FINISH)
    total, move = _further(race, cost, race.waiting, race.dice, taken)
    if move is None:
        raise ValueError("no car is to move")
    return total, move


def _further(
    race: Race, cost: Cost, cars: tuple[int, ...], dice: tuple[Die, ...], taken: frozenset[int]
) -> tuple[float, Moved | None]:
    """The least cost of the cars that are left with the dice that are left, and its first move."""
    best: tuple[float, Moved | None] = 0.0, None
    for car, die, rest, left in _next(cars, dice):
        others = taken - {race.cars[car].space}
        own, end = cheapest(race, car, die, others, cost)
        total = own + _further(race, cost, rest, left, _with(others, end.end))[0]
        if best[1] is None or total < best[0] - TIE:
            best = total, Moved(car, die, end)
    return best


def _next(
    cars: tuple[int, ...], dice: tuple[Die, ...]
) -> Iterator[tuple[int, Die, tuple[int, ...], tuple[Die, ...]]]:  # fmt: skip
    """Every car with every die, equal dice once, and what is left of both."""
    for car in cars:
        for die in dict.fromkeys(dice):
            at = dice.index(die)
            yield car, die, tuple(other for other in cars if other != car), (*dice[:at], *dice[at + 1 :])


def _with(taken: frozenset[int], end: int) -> frozenset[int]:
    return taken | {end} if end > FINISH else taken
