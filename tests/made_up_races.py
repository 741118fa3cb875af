"""Races told by hand: how they ended, seat by seat."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.powerboats.race import Status
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.bulk import STATUSES, Contest, Outcomes
from rulekit.study.evidence import Evidence

PRACTICE = Waters(settle(read_course(read_source("practice-a")).course))
LETTERS = {"f": Status.FINISHED, "s": Status.SUNK, "r": Status.RACING, "p": Status.STOPPED}


def practice(**readings: Any) -> Waters:
    """The small course under some readings."""
    told = PowerboatsReadings(**readings)
    return Waters(settle(read_course(read_source("practice-a")).course, told), told)


def ended(*races: Sequence[tuple[str, Sequence[int], Sequence[int]]]) -> Outcomes:
    """Outcomes of matches of one race or more: (statuses "ffs", order of leaving, turns) by race and match."""
    status = np.array([[[STATUSES.index(LETTERS[c]) for c in word] for word, _, _ in matches] for matches in races])
    left, turns = (np.array([[match[k] for match in matches] for matches in races]) for k in (1, 2))
    return Outcomes(status, left, turns, np.zeros_like(turns), np.ones(turns.shape[:2], np.int64))


def told(outcomes: Outcomes, waters: Waters = PRACTICE, policies: Sequence[str] = (), **parts: Any) -> Evidence:
    """Evidence of outcomes told by hand; the seat with the least number starts unless told otherwise."""
    races, matches, seats = outcomes.status.shape
    contest = Contest((waters,) * races, tuple(policies) or ("solo",) * seats, 1)
    parts = {"starters": np.zeros((races, matches), np.int64)} | parts
    return Evidence.given(contest, outcomes=outcomes, **parts)


def won_by(winners: Sequence[int], seats: int) -> Outcomes:
    """Races that these seats won; the others came in by their number."""
    orders = [[0 if seat == winner else 1 + seat for seat in range(seats)] for winner in winners]
    return ended([("f" * seats, order, [9] * seats) for order in orders])
