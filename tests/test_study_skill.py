"""Skill: superiority by hand; races without a feature against the solver's own answers and the rules."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from made_up_races import ended, practice, told, won_by
from made_up_tiles import HOME, sea

from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.move import landings
from rulekit.powerboats.turn import throws
from rulekit.simulate.bulk import Contest, play
from rulekit.simulate.rates import wilson
from rulekit.simulate.solved import solved
from rulekit.solve.named import OneTurn
from rulekit.solve.passage import follow_policy
from rulekit.solve.tables import Numbered
from rulekit.study import skill
from rulekit.study.books import book_of, race_by_books
from rulekit.study.evidence import Evidence, SolvedCourse, solved_course
from rulekit.study.restricted import (
    DETOUR,
    Restricted,
    at_most,
    careful_race,
    no_reroll,
    no_risk_above,
    restricted_races,
    risks,
    unrestricted,
)
from rulekit.study.tiles import states_seen

WATERS = practice(dice_max=3, sink_at=2)


@pytest.fixture(scope="module")
def course() -> SolvedCourse:
    return solved_course(WATERS)


def start_of(course: SolvedCourse) -> tuple[int, int, int, int, int]:
    return course.numbered.state(course.best.start.boat)


def test_superiority_by_hand() -> None:
    # Policies move on by a seat: greedy sits at seats 1, then 3, then 2. Ranks 1 2 3 in all races.
    outcomes = ended([("fff", [0, 1, 2], [4, 5, 6])] * 3)
    figure = skill.superiority(told(outcomes, policies=("greedy", "solo", "solo")))[0]
    # It beats both, neither, one of two.
    assert (figure.value, figure.n, figure.label) == (0.5, 3, "greedy over solo")
    assert (figure.low, figure.high) == wilson(1.5, 3)


def test_superiority_counts_ties_by_half() -> None:
    outcomes = ended([("rr", [-1, -1], [500, 500]), ("ff", [0, 1], [4, 5])])
    # The tie is half; in the second race solo sits at seat 1 and wins.
    assert skill.superiority(told(outcomes, policies=("greedy", "solo")))[0].value == 0.25


def test_superiority_needs_two_policies() -> None:
    assert skill.superiority(told(won_by([0], 2)))[0].value is None


@pytest.mark.parametrize("make", [unrestricted, no_reroll, at_most(1), at_most(2), no_risk_above(1.0)])
def test_costs_are_those_of_the_policy_followed(make, course: SolvedCourse) -> None:  # type: ignore[no-untyped-def]
    found: Restricted = make(course.numbered, course.best.solution)
    passage = follow_policy(found.policy, start_of(course))
    assert passage.turns + course.best.solution.sunk * passage.sink == pytest.approx(
        found.cost(start_of(course)), abs=1e-5
    )


def test_no_die_is_thrown_again(course: SolvedCourse) -> None:
    found = no_reroll(course.numbered, course.best.solution)
    rolled = choices_made(course, found)
    assert rolled
    for hand, kept, dice in rolled:
        assert dice <= 1
        assert not (dice and kept != hand), "a die is thrown only as a further one"


def test_few_dice_are_kept_to(course: SolvedCourse) -> None:
    made = choices_made(course, at_most(2)(course.numbered, course.best.solution))
    assert max(len(kept) + dice for _hand, kept, dice in made) == 2
    assert (
        max(
            len(kept) + dice
            for _hand, kept, dice in choices_made(course, unrestricted(course.numbered, course.best.solution))
        )
        == 3
    )


def choices_made(course: SolvedCourse, found: Restricted) -> set[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """(hand, dice kept, dice rolled) of every state that a race comes to."""
    race = course.numbered.race
    seen = states_seen(found.policy, start_of(course))
    hands, made = race.dice.hands, set()
    for level, cell in zip(*np.nonzero(seen), strict=True):
        kept, rolled = race.dice.throws.choice(int(found.policy.choice[level, cell]))
        made.add((hands.tuple_of(int(cell) % race.row_cells // 8), hands.tuple_of(kept), rolled))
    return made


def test_risk_of_a_choice_by_the_rules(course: SolvedCourse) -> None:
    numbered: Numbered = course.numbered
    race, found = numbered.race, risks(OneTurn(course.numbered), 0)
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(150):
        place, facing = int(rng.integers(race.hexes)), int(rng.integers(6))
        hand = int(rng.integers(race.dice.hands.count))
        kept, rolled = race.dice.choices(hand)[int(rng.integers(len(race.dice.choices(hand))))]
        at = Boat(
            numbered.hexes[place], list(type(numbered.starts[0].facing))[facing], race.dice.hands.tuple_of(hand), 1
        )
        chance = sum(
            (chance for chance, thrown in throws(WATERS, at, Choice(race.dice.hands.tuple_of(kept), rolled))
             if all(landing.crashed for landing in landings(WATERS, thrown))), Fraction(0),
        )  # fmt: skip
        assert found[0, place, facing, race.dice.throws.entry(kept, rolled)] == pytest.approx(float(chance), abs=1e-12)
        seen.add(chance)
    assert len(seen) > 4


def test_a_careful_race_without_a_limit_is_the_best(course: SolvedCourse) -> None:
    policy, levels = careful_race(course.numbered, course.best.solution, 1.0)
    finite = np.isfinite(course.best.solution.levels)
    assert levels[finite] == pytest.approx(course.best.solution.levels[finite], abs=1e-5)
    assert follow_policy(policy, start_of(course)).turns == pytest.approx(course.best.passage.turns, abs=1e-5)


@pytest.mark.slow
def test_features_among_tiles() -> None:
    waters = sea("low-water F7 E 1/2/3", "current F5 NE NW", readings="dice-max=2", course=HOME)
    course = solved_course(waters)
    numbered, solution = course.numbered, course.best.solution
    levels, finite = careful_race(numbered, solution, 1.0)[1], np.isfinite(solution.levels)
    assert levels[finite] == pytest.approx(solution.levels[finite], abs=1e-5)
    full, other = unrestricted(numbered, solution), no_reroll(numbered, solution)
    contest, by_book = Contest((waters,), ("solo",) * 3, 4), solved(waters)
    found = race_by_books(contest, by_book, book_of(by_book, (full, full)), (0, 1, 0), 20)
    assert all((a == b).all() for a, b in zip(found, play(contest, 0, 20), strict=True))
    assert skill.loss_alone(course, other) >= -1e-6


def test_a_careful_race_avoids_risks(course: SolvedCourse) -> None:
    """What is taken all the same costs its extra turns: they add up to what the values tell beyond the turns."""
    numbered, solution = course.numbered, course.best.solution
    for most in (0.0, 0.3):
        policy, levels = careful_race(numbered, solution, most)
        passage, start = follow_policy(policy, start_of(course)), start_of(course)
        taken = risky_taken(course, policy, most)
        value = levels[0, numbered.race.cell(*start[1:])]
        assert passage.turns + solution.sunk * passage.sink + DETOUR * taken == pytest.approx(value, abs=1e-4)
        assert taken < risky_taken(course, course.policy, most)


def risky_taken(course: SolvedCourse, policy, most: float) -> float:  # type: ignore[no-untyped-def]
    """Choices with a greater risk that a race makes."""
    race, ahead = course.numbered.race, OneTurn(course.numbered)
    seen, total = states_seen(policy, start_of(course)), 0.0
    for level in range(race.levels):
        found = risks(ahead, level)
        for cell in np.flatnonzero(seen[level]):
            row, facing = int(cell) // race.row_cells, int(cell) % 8
            if found[0, row % race.hexes, facing, policy.choice[level, cell]] > most + 1e-12:
                total += seen[level, cell]
    return total


def test_what_is_left_out_never_helps_and_more_of_it_costs_more(course: SolvedCourse) -> None:
    numbered, solution = course.numbered, course.best.solution
    losses = [skill.loss_alone(course, make(numbered, solution)) for make in (unrestricted, at_most(2), at_most(1))]
    assert losses[0] == pytest.approx(0.0, abs=1e-5)
    assert all(b > a for a, b in pairwise(losses))
    names = [found.name for found in restricted_races(numbered, solution)]
    assert names == ["everything", "no re-roll", "at most 2 dice", "no risk above 10 %"]


def test_races_by_books_are_those_of_solo(course: SolvedCourse) -> None:
    contest = Contest((WATERS,), ("solo",) * 3, 4)
    by_book = solved(WATERS)
    full = unrestricted(course.numbered, course.best.solution)
    found = race_by_books(contest, by_book, book_of(by_book, (full, full)), (0, 1, 0), 50)
    assert all((a == b).all() for a, b in zip(found, play(contest, 0, 50), strict=True))


def test_a_feature_that_does_nothing_is_worth_nothing(course: SolvedCourse) -> None:
    contest = Contest((WATERS,), ("solo",) * 4, 4)
    full = unrestricted(course.numbered, course.best.solution)
    assert skill.full_share(contest, course, full, full, 2000) == pytest.approx(0.5, abs=0.05)


def test_boats_with_one_die_lose(course: SolvedCourse) -> None:
    contest = Contest((WATERS,), ("solo",) * 3, 4)
    full, slow = (make(course.numbered, course.best.solution) for make in (unrestricted, at_most(1)))
    assert skill.full_share(contest, course, full, slow, 400) > 0.8


def test_worth_of_features_in_races_and_alone() -> None:
    evidence = Evidence(Contest((WATERS,), ("solo",) * 3, 4), 400)
    figures = skill.restricted_play(evidence)
    for figure in figures:
        assert None not in (figure.low, figure.value, figure.high)
        assert -1 <= (figure.low or 0) < (figure.value or 0) < (figure.high or 0) <= 1
        assert figure.n == 400
    alone = {figure.label: figure.value for figure in skill.restricted_alone(evidence)}
    assert list(alone) == [figure.label for figure in figures]
    assert all(value is not None and value > -1e-5 for value in alone.values())


def test_books_tell_who_may_what(course: SolvedCourse) -> None:
    """The boats with few dice are those of the second book, wherever they sit."""
    numbered, solution = course.numbered, course.best.solution
    by_book = solved(WATERS)
    pair = unrestricted(numbered, solution), at_most(1)(numbered, solution)
    contest = Contest((WATERS,), ("solo",) * 2, 4)
    found = race_by_books(contest, by_book, book_of(by_book, pair), (0, 1), 200)
    played = Evidence.given(contest, outcomes=found)
    slow = found.turns[0][played.lined_up == 1].mean()
    assert slow > found.turns[0][played.lined_up == 0].mean() + 2


@pytest.fixture
def few_races(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "MIDDLING", 10)
    monkeypatch.setattr(skill, "SLOW", 2)


@pytest.mark.usefixtures("few_races")
def test_ladder_names_all_pairs_and_solo_beats_random() -> None:
    evidence = Evidence(Contest((WATERS,), ("solo",) * 3, 4), 10)
    figures = {figure.label: figure for figure in skill.skill_ladder(evidence)}
    assert len(figures) == 10
    best = figures["solo over random"]
    assert best.low is not None
    assert best.low > 0.5
    assert figures["lookahead over solo"].n == skill.SLOW


@pytest.mark.usefixtures("few_races")
def test_ladder_says_which_policies_cannot_play() -> None:
    endless = practice(dice_max=None)
    contest = Contest((endless,), ("greedy",) * 2, 4)
    figures = {figure.label: figure for figure in skill.skill_ladder(Evidence(contest, 10))}
    assert figures["greedy over random"].value is not None
    assert figures["solo over greedy"].value is None
    assert "--dice-max" in figures["solo over greedy"].note
