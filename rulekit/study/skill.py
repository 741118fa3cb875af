"""Whether play matters: policies against each other, against themselves without a feature (4, 22, 23)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from rulekit.errors import BadInput
from rulekit.simulate.bulk import Contest
from rulekit.simulate.solved import solved
from rulekit.solve.passage import follow_policy
from rulekit.study.books import book_of, race_by_books
from rulekit.study.evidence import Evidence, SolvedCourse
from rulekit.study.figure import Figure, exact, nothing
from rulekit.study.restricted import Restricted
from rulekit.study.stats import Floats, proportion, simultaneous
from rulekit.study.water import by_course

LADDER = ("random", "greedy", "cautious", "solo", "lookahead")
SLOW, MIDDLING, FAST = 12, 40, 1000
"""Races of a pair: with `lookahead`, by the rules, by the compiled races."""

MOST_RACES = 4000


def superiority(evidence: Evidence) -> list[Figure]:
    """P(a ranks before b) + ½ P(they tie), for each two policies of the line-up."""
    names = evidence.policy_names
    if len(names) < 2:
        return [nothing("", "all boats play alike")]
    return [_superiority(evidence, a, b) for a, b in combinations(names, 2)]


def _superiority(evidence: Evidence, a: str, b: str) -> Figure:
    values = [
        share
        for number in range(len(evidence.contest.races))
        for share in superior_shares(evidence.ranks[number], evidence.plays(a), evidence.plays(b))[
            evidence.held[number]
        ]
    ]
    # A race's share of its pairs of boats varies no more than one pair: Wilson's interval is not too narrow.
    return proportion(float(np.sum(values)), len(values), f"{a} over {b}")


def superior_shares(ranks: Floats, a: np.ndarray, b: np.ndarray) -> Floats:
    """By race, the share of pairs of a boat of a and one of b in which that of a is ahead, ties by half.

    Ranks, and who plays a and b, are by [race, seat].

    >>> superior_shares(np.array([[1.0, 2.0, 3.0]]), np.array([[0, 1, 0]]) > 0, np.array([[1, 0, 1]]) > 0)
    array([0.5])
    """
    ahead, level = ranks[:, :, None] < ranks[:, None, :], ranks[:, :, None] == ranks[:, None, :]
    pairs = a[:, :, None] & b[:, None, :]
    return np.asarray(((ahead + 0.5 * level) * pairs).sum(axis=(1, 2)) / pairs.sum(axis=(1, 2)))


def skill_ladder(evidence: Evidence) -> list[Figure]:
    """The policies two by two on the course, seats in turn: how far each is above the other, as `superiority`."""
    return [figure for before, contest in _duels(evidence) for figure in _ladder(before, contest)]


def _duels(evidence: Evidence) -> Iterator[tuple[str, Contest]]:
    contest = evidence.contest
    for before, waters in zip(evidence.prefixes, contest.races, strict=True):
        yield before, replace(contest, races=(waters,), names=(), rotate=True)


def _ladder(before: str, contest: Contest) -> Iterator[Figure]:
    for a, b in combinations(LADDER, 2):
        duel = replace(contest, policies=(a, b))
        try:
            duel.check()
        except BadInput as fault:
            yield nothing(f"{before}{b} over {a}", str(fault))
            continue
        figure = _superiority(Evidence(duel, _races_of(duel)), b, a)
        yield replace(figure, label=before + figure.label)


def _races_of(duel: Contest) -> int:
    if "lookahead" in duel.policies:
        return SLOW
    return FAST if duel.compiled else MIDDLING


def restricted_play(evidence: Evidence) -> list[Figure]:
    """The share of wins of boats that may do everything, less that of boats without a feature, half of each."""
    if evidence.seats < 2:
        return [nothing("", "one boat alone wins every race")]
    contest = replace(evidence.contest, policies=("solo", "solo"))
    if not contest.compiled:
        return [nothing("", "told of lakes on which all boats can play by tables only")]
    races = min(evidence.races, MOST_RACES)
    return [
        figure
        for before, course in by_course(evidence)
        for figure in _restricted(before, evidence.contest, course, races)
    ]


def _restricted(before: str, contest: Contest, course: SolvedCourse, races: int) -> list[Figure]:
    full, *others = course.restrictions
    found = [full_share(contest, course, full, other, races) for other in others]
    bounds = simultaneous(np.array(found) * races, races)
    return [
        Figure(2 * share - 1, 2 * float(low) - 1, 2 * float(high) - 1, races, before + other.name)
        for share, (low, high), other in zip(found, bounds, others, strict=True)
    ]


def full_share(contest: Contest, course: SolvedCourse, full: Restricted, other: Restricted, races: int) -> float:
    """The share of wins of the boats that may do everything, among as many that may not."""
    boats = max(2, contest.seats // 2 * 2)
    by_book = solved(course.numbered.waters)
    line_up = [k % 2 for k in range(boats)]
    duel = replace(contest, races=(course.numbered.waters,), policies=("solo",) * boats, rotate=True)
    outcomes = race_by_books(duel, by_book, book_of(by_book, (full, other)), line_up, races)
    played = Evidence.given(duel, outcomes=outcomes)
    return float(played.wins[0][np.array(line_up)[played.lined_up] == 0].sum() / races)


def restricted_alone(evidence: Evidence) -> list[Figure]:
    """What a boat alone loses without a feature: turns and the cost of sinking, above the best race."""
    return [
        exact(loss_alone(course, other), before + other.name)
        for before, course in by_course(evidence)
        for other in course.restrictions[1:]
    ]


def loss_alone(course: SolvedCourse, other: Restricted) -> float:
    """The value of the best race without a feature, from its best start, less that of the best race."""
    states = [course.numbered.state(start.boat) for start in course.best.starts]
    passage = follow_policy(other.policy, min(states, key=other.cost))
    return passage.turns + course.best.solution.sunk * passage.sink - course.best.start.value
