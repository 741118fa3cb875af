"""The solver through the rules: its tables against the engine, its optima against exact routes over the engine."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import isfinite
from random import Random

import numpy as np
import pytest
from made_up import case, course_on, lake_from, mirrored, random_course, turned
from solve_plain import DONE, SUNK, End, Plain, exact_values

from rulekit.errors import BadInput
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course
from rulekit.powerboats.dice import choices
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import outcomes, throws
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.best import best_race, by_deadline, check_size, fewest_turns, own_or_legal_starts
from rulekit.solve.bounds import Solution, solve
from rulekit.solve.tables import Numbered

POND = """
. . . . .
 . . # . .
. . . . .
 . . . . .
"""

READINGS = [
    ("dice-max=3",),
    ("dice-max=2", "reroll=one", "sink-at=2"),
    ("dice-max=2", "first-turn=must-roll", "rounding=line"),
    ("dice-max=3", "change=2", "sink-at=1", "faces=1/4"),
    ("dice-max=2", "change=0", "faces=1/1/2", "sink-at=2"),
    ("dice-max=4", "dice-stock=2", "faces=2/3", "sink-at=2"),
]


def pond() -> Course:
    """Twenty hexes, a strip of one, a buoy to round."""
    return course_on(lake_from(POND), "C2", "W", [("D3", "auto")], strip=1)


def tiny(seed: int, columns: int, rows: int) -> Course:
    """A course of at most eight water hexes, chosen because it can be raced."""
    course = random_course(Random(seed), columns, rows, 0.25, buoys=1, strip=1)
    assert len(course.water) <= 8
    return course


def numbered(course: Course, *readings: str) -> Numbered:
    """A course in numbers."""
    answers = PowerboatsReadings.parse(readings)
    return Numbered(Waters(settle(course, answers), answers))


def every_boat(found: Numbered) -> list[Boat]:
    """A boat in every decision state."""
    waters, hands = found.waters, found.race.dice.hands
    told = [hands.tuple_of(hand) for hand in range(hands.count)]
    every = product(found.hexes, FACINGS, told, range(waters.last), range(waters.readings.sink_at))
    return [Boat(*parts) for parts in every]


def as_end(found: Numbered, landing: Landing) -> End:
    """A landing as the tables tell it."""
    boat = landing.boat
    if landing.finished:
        return DONE
    return SUNK if landing.sunk else (boat.damage, boat.progress, found.number[boat.at], int(boat.facing), boat.hand)


@pytest.mark.parametrize("readings", READINGS)
def test_every_move_is_what_the_rules_say(readings: tuple[str, ...]) -> None:
    found = numbered(pond(), *readings)
    plain, ends = Plain(found.race), Counter[bool]()
    for boat in every_boat(found):
        state = boat.damage, boat.progress, found.number[boat.at], int(boat.facing), boat.hand
        ruled = [as_end(found, landing) for landing in landings(found.waters, boat)]
        assert Counter(plain.ends(state, boat.hand)) == Counter(ruled), boat
        ends.update(isinstance(end, str) for end in ruled)
    assert min(ends[True], ends[False]) > 100


@pytest.mark.parametrize("readings", READINGS)
def test_every_choice_and_throw_is_what_the_rules_say(readings: tuple[str, ...]) -> None:
    found = numbered(pond(), *readings)
    plain, dice = Plain(found.race), found.race.dice
    for hand in range(dice.hands.count):
        boat = Boat(found.hexes[0], FACINGS[0], dice.hands.tuple_of(hand))
        ruled = choices(boat.hand, found.waters.readings)
        assert {(dice.hands.tuple_of(kept), rolled) for kept, rolled in dice.choices(hand)} == set(ruled)
        for choice in ruled:
            told = {thrown.hand: chance for chance, thrown in throws(found.waters, boat, choice)}
            assert plain.throws(*choice) == told


def bellman(found: Numbered, boat: Boat, value: Callable[[Landing], Fraction]) -> Fraction:
    """The least expected value of a turn, over the rules engine, in fractions."""
    return min(
        sum((chance * min(map(value, legal)) for chance, legal in thrown), Fraction(0))
        for _choice, thrown in outcomes(found.waters, boat)
    )


@pytest.mark.parametrize(
    ("seed", "columns", "rows", "turns", "readings"),
    [
        (186, 4, 4, 4, ("dice-max=2",)),
        (75, 4, 3, 5, ("dice-max=2", "reroll=one")),
        (256, 4, 3, 4, ("dice-max=3", "sink-at=2", "change=2")),
        (112, 4, 3, 5, ("dice-max=1", "faces=1/2", "sink-at=6")),
    ],
)
def test_finishing_in_time_by_brute_force_over_the_rules(
    seed: int, columns: int, rows: int, turns: int, readings: tuple[str, ...]
) -> None:
    found = numbered(tiny(seed, columns, rows), *readings, "behind=strip-only")

    @cache
    def missed(boat: Boat, left: int) -> Fraction:
        if not left:
            return Fraction(1)
        return bellman(found, boat, lambda end: after(end, left - 1))

    def after(end: Landing, left: int) -> Fraction:
        return Fraction(0) if end.finished else Fraction(1) if end.sunk else missed(end.boat, left)

    near_the_finish = [boat for boat in every_boat(found) if boat.progress == found.waters.last - 1]
    boats = [*Random(seed).sample(near_the_finish, 20), *found.starts]
    exact: dict[Boat, Fraction] = {}
    for left in range(1, turns + 1):
        told = by_deadline(found, boats, left)
        exact = {boat: 1 - missed(boat, left) for boat in boats}
        for start in told.starts:
            assert Fraction(start.lower) <= exact[start.boat] <= Fraction(start.upper)
        assert told.chances[-1] == max(start.value for start in told.starts)
    late = [boat for boat, chance in exact.items() if 0 < chance < 1]
    assert len(late) > 2
    for boat in late:
        assert fewest_turns(found, [boat]) == next(n for n in range(1, turns + 1) if missed(boat, n) < 1)


@pytest.mark.parametrize(
    ("seed", "columns", "rows"), [(75, 4, 3), (90, 4, 3), (531, 4, 4), (1196, 4, 4), (110, 5, 3), (158, 5, 3)]
)
def test_optimum_by_exact_elimination_over_the_rules(seed: int, columns: int, rows: int) -> None:
    found = numbered(tiny(seed, columns, rows), "dice-max=1", "sink-at=1")
    solution = solve(found.race, sunk=50.0, within=1e-9)
    boats = [boat for boat in every_boat(found) if isfinite(solution.value(*found.state(boat)))]
    ended = {SUNK: Fraction(50), DONE: Fraction(0)}
    policy = {boat: best_turn(found, solution, boat) for boat in boats}
    exact = exact_values(Plain(found.race), policy, ended)  # type: ignore[arg-type]

    def value(landing: Landing) -> Fraction:
        told = DONE if landing.finished else SUNK if landing.sunk else None
        return ended[told] if told else exact.get(landing.boat, Fraction(10**9))  # type: ignore[call-overload]

    assert boats
    for boat in boats:
        assert exact[boat] == 1 + bellman(found, boat, value)  # type: ignore[index]
        low, high = solution.bounds(*found.state(boat))
        assert Fraction(low) <= exact[boat] <= Fraction(high)  # type: ignore[index]


def best_turn(found: Numbered, solution: Solution, boat: Boat) -> dict[Boat | str, Fraction]:
    """Where the best choice by the solved values leads, over the rules engine."""

    def value(landing: Landing) -> Fraction:
        if landing.finished or landing.sunk:
            return Fraction(0 if landing.finished else 50)
        known = solution.value(*found.state(landing.boat))
        return Fraction(known) if isfinite(known) else Fraction(10**9)

    def mean(thrown: list[tuple[Fraction, tuple[Landing, ...]]]) -> Fraction:
        return sum((chance * min(map(value, legal)) for chance, legal in thrown), Fraction(0))

    _choice, thrown = min(outcomes(found.waters, boat), key=lambda option: mean(option[1]))
    nexts: dict[Boat | str, Fraction] = {}
    for chance, legal in thrown:
        best = min(legal, key=value)
        end = DONE if best.finished else SUNK if best.sunk else best.boat
        nexts[end] = nexts.get(end, Fraction(0)) + chance
    return nexts


def start_values(course: Course, *readings: str) -> list[float]:
    """The sorted values of all starts."""
    found = numbered(course, *readings)
    return sorted(start.value for start in best_race(found, found.starts).starts)


def test_turned_and_mirrored_courses_have_equal_values() -> None:
    values = start_values(pond(), "dice-max=3")
    assert len(set(np.round(values, 6))) > 5
    for other in (turned(settle(pond()), 2), mirrored(settle(pond()))):
        assert start_values(other, "dice-max=3") == pytest.approx(values, abs=1e-6)


def test_more_dice_never_cost() -> None:
    one, two, four = (start_values(case("tiny-0.toml"), f"dice-max={dice}") for dice in (1, 2, 4))
    for few, many in ((one, two), (two, four)):
        assert all(less <= more + 1e-6 for less, more in zip(many, few, strict=True))
    assert four[0] < one[0] - 0.01


def test_damage_at_the_start_never_helps() -> None:
    found = numbered(pond(), "dice-max=3", "sink-at=3")
    values = [best_race(found, own_or_legal_starts(found, [], damage)).start.value for damage in range(3)]
    assert values == sorted(values)
    with pytest.raises(BadInput, match="has sunk"):
        own_or_legal_starts(found, [], 3)


@pytest.mark.parametrize(
    "readings", [("dice-max=18", "faces=1/2/3/4", "sink-at=99"), ("dice-max=9", "faces=1/2/3/4/5/6/7/8/9/10")]
)
def test_races_too_large_are_refused_before_any_table(readings: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match="--dice-max"):
        check_size(numbered(pond(), *readings).waters)


def test_no_limit_of_dice_is_refused() -> None:
    with pytest.raises(BadInput, match="--dice-max"):
        check_size(numbered(pond(), "dice-max=none").waters)
