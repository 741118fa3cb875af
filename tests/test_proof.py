"""The proof of the bounds on a course for play: Bellman's inequalities in fractions, over the rules engine.

An upper bound u on the optimum needs Bellman(u) ≤ u in every state, a lower one the contrary. The solver checks
this for all states in floats, over its own tables; here random states are checked exactly, over the engine.
"""

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from random import Random

import pytest
from test_tables import bellman

from rulekit.cli.output import Output
from rulekit.cli.position import load_waters
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Boat, Landing
from rulekit.readings import PowerboatsReadings
from rulekit.solve.bounds import SINK_COST, Solution, solve
from rulekit.solve.tables import Numbered

ENDLESS = Fraction(10**9)
Value = Callable[[Landing], Fraction]


@pytest.fixture(scope="module")
def practice() -> Numbered:
    """A shipped course, all readings and dials as they are."""
    return Numbered(load_waters("practice-a", None, PowerboatsReadings(), Output(quiet=True)))


@pytest.fixture(scope="module")
def solution(practice: Numbered) -> Solution:
    """The solved race."""
    return solve(practice.race)


def drawn(found: Numbered, count: int, seed: int) -> list[Boat]:
    """Boats in random states, each hand of dice as likely as any other."""
    rng, hands, waters = Random(seed), found.race.dice.hands, found.waters
    return [
        Boat(
            rng.choice(found.hexes), rng.choice(FACINGS), hands.tuple_of(rng.randrange(hands.count)),
            rng.randrange(waters.last), rng.randrange(waters.readings.sink_at),
        )
        for _ in range(count)
    ]  # fmt: skip


def bound(found: Numbered, solution: Solution, factor: float, boat: Boat) -> Fraction:
    value = solution.value(*found.state(boat))
    return Fraction(factor) * Fraction(value) if isfinite(value) else ENDLESS


def after(found: Numbered, solution: Solution, factor: float) -> Value:
    def value(landing: Landing) -> Fraction:
        if landing.finished:
            return Fraction(0)
        return Fraction(SINK_COST) if landing.sunk else bound(found, solution, factor, landing.boat)

    return value


@pytest.mark.parametrize(("count", "seed"), [(100, 1), pytest.param(1000, 2, marks=pytest.mark.slow)])
def test_bounds_are_proved_on_a_course_for_play(practice: Numbered, solution: Solution, count: int, seed: int) -> None:
    upper, lower = (after(practice, solution, factor) for factor in (solution.high, solution.low))
    boats = [boat for boat in drawn(practice, count, seed) if isfinite(solution.value(*practice.state(boat)))]
    assert len(boats) > 0.9 * count
    assert {len(boat.hand) for boat in boats} == set(range(7))
    assert solution.low < 1 < solution.high
    for boat in boats:
        assert 1 + bellman(practice, boat, upper) <= bound(practice, solution, solution.high, boat), boat
        assert 1 + bellman(practice, boat, lower) >= bound(practice, solution, solution.low, boat), boat


def test_the_values_alone_prove_nothing(practice: Numbered, solution: Solution) -> None:
    """Bounds narrower than the certified ones fail in some states: the inequalities are not idle."""
    boats = drawn(practice, 20, 3)
    for factor in (1 + 1e-6, 1 - 1e-6):
        value = after(practice, solution, factor)
        gaps = [1 + bellman(practice, at, value) - bound(practice, solution, factor, at) for at in boats]
        assert min(gaps) < 0 if factor > 1 else max(gaps) > 0
