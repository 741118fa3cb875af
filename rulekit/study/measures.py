"""What two things are compared by: exact figures of a course, and numbers of every race, alike for both sides.

A measure of the races gives one number a race, so that a match can be set against the same match (same seed, same
number) under other circumstances; NaN where a race has none. To add one, write the function and a line in `MEASURES`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk import FINISHED, SUNK
from rulekit.simulate.rates import places, points
from rulekit.solve.best import fewest_turns
from rulekit.study import tension
from rulekit.study.evidence import Evidence, SolvedCourse
from rulekit.study.oracle import RaceOracle
from rulekit.study.stats import Floats
from rulekit.study.water import best_starts


class Measure(NamedTuple):
    """A number to compare by: its title for people, its unit."""

    title: str
    unit: str


@dataclass(frozen=True)
class Sample:
    """One side of a comparison: exact figures by name, numbers by name and match, and what they all mean."""

    label: str
    exact: Mapping[str, float]
    races: Mapping[str, Floats]
    measures: Mapping[str, Measure]


EXACT = {
    "turns": Measure("turns", "turns"),
    "sink": Measure("chance of sinking", "share"),
    "crashes": Measure("crashes", "a race"),
    "start-range": Measure("longer from the worst start", "turns"),
    "shortest": Measure("fewest turns, best dice", "turns"),
}
"""Exact figures of a course."""

LEAD = Measure("winner's lead in points", "points")
NEVER = 1 << 40


def exact_figures(course: SolvedCourse) -> dict[str, float]:
    """The exact figures of a solved course, by name; NaN where there is none."""
    best, starts = course.best, best_starts(course.best.starts)
    fewest = fewest_turns(best.numbered, [start.boat for start in best.starts])
    return {
        "turns": best.passage.turns,
        "sink": best.passage.sink,
        "crashes": float(best.passage.crashes.sum()),
        "start-range": starts[-1].value - starts[0].value,
        "shortest": float("nan") if fewest is None else float(fewest),
    }


def rounds(evidence: Evidence) -> Floats:
    """Rounds of each race: the most turns of a boat."""
    return np.asarray(evidence.outcomes.turns.max(axis=-1), float)


def boat_turns(evidence: Evidence) -> Floats:
    """Mean turns of a boat."""
    return np.asarray(evidence.outcomes.turns.mean(axis=-1))


def winners_margin(evidence: Evidence) -> Floats:
    """Rounds between the first and the second boat to finish; NaN with fewer than two."""
    finished = evidence.outcomes.status == FINISHED
    if finished.shape[-1] < 2:
        return np.full(finished.shape[:-1], np.nan)
    turns = np.sort(np.where(finished, evidence.outcomes.turns, NEVER), axis=-1)
    return np.where(turns[..., 1] == NEVER, np.nan, turns[..., 1] - turns[..., 0])


def photo_finish(evidence: Evidence) -> Floats:
    """Whether the first two boats finish in the same round."""
    margin = winners_margin(evidence)
    return np.where(np.isnan(margin), np.nan, margin == 0)


def finished(evidence: Evidence) -> Floats:
    """Share of boats that finish."""
    return np.asarray((evidence.outcomes.status == FINISHED).mean(axis=-1))


def sunk(evidence: Evidence) -> Floats:
    """Share of boats that sink."""
    return np.asarray((evidence.outcomes.status == SUNK).mean(axis=-1))


def damaged(evidence: Evidence) -> Floats:
    """Share of boats that take damage."""
    return np.asarray((evidence.outcomes.damaged > 0).mean(axis=-1))


MEASURES: dict[str, tuple[Measure, Callable[[Evidence], Floats]]] = {
    "rounds": (Measure("rounds of a race", "rounds"), rounds),
    "boat-turns": (Measure("turns of a boat", "turns"), boat_turns),
    "margin": (Measure("winner's margin in rounds", "rounds"), winners_margin),
    "photo-finish": (Measure("photo finishes", "share"), photo_finish),
    "finished": (Measure("boats that finish", "share"), finished),
    "sunk": (Measure("boats that sink", "share"), sunk),
    "damaged": (Measure("boats damaged", "share"), damaged),
}
"""Numbers of every race, by [race, match]."""

TENSION: dict[str, tuple[Measure, Callable[[RaceOracle], Floats]]] = {
    "lead-changes": (Measure("lead changes", "a round"), lambda oracle: tension.lead_changes(oracle.record)),
    "drama": (Measure("drama", "share"), tension.drama),
    "uncertainty": (Measure("uncertainty", ""), tension.mean_uncertainty),
    "dead-time": (Measure("rounds before the win decided", "share"), tension.dead_before),
}
"""Numbers of every race held in which several boats race, in the order of its matches."""


def points_lead(evidence: Evidence) -> Floats:
    """Points of a match's winner above the second's (PB-25, PB-27), by match."""
    given = points(evidence.contest, evidence.outcomes, places(evidence.outcomes)) * evidence.held[..., None]
    total = np.sort(given.sum(axis=0), axis=-1).astype(float)
    return np.asarray(total[:, -1] - total[:, -2] if total.shape[-1] > 1 else np.full(total.shape[0], np.nan))


def mean_of_match(values: Floats, held: np.ndarray) -> Floats:
    """Numbers of races by [race, match] as means of the races held that have one, by match.

    >>> mean_of_match(np.array([[1.0, np.nan], [3.0, np.nan]]), np.array([[True, True], [True, False]]))
    array([ 2., nan])
    """
    told = held & ~np.isnan(values)
    count = told.sum(axis=0)
    return np.where(count > 0, np.where(told, values, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan)


def by_side(evidence: Evidence) -> Iterator[tuple[str, Measure, Floats]]:
    """Shares of wins by seat in the order of turns, and by policy where there are several, by [race, match]."""
    won = evidence.in_turn_order(evidence.wins)
    for seat in range(evidence.seats if evidence.seats > 1 else 0):
        yield f"win-seat-{seat + 1}", Measure(f"seat {seat + 1} wins", "share"), won[..., seat]
    names = evidence.policy_names
    for name in names if len(names) > 1 else ():
        shares = (evidence.wins * evidence.plays(name)).sum(axis=-1)
        yield f"win-{name}", Measure(f"{name} wins", "share"), np.asarray(shares)


def by_tension(evidence: Evidence) -> Iterator[tuple[str, Measure, Floats]]:
    """How tense the races are, by [race, match]; NaN for races not held."""
    for name, (measure, number) in TENSION.items() if evidence.seats > 1 else ():
        values = np.full(evidence.held.shape, np.nan)
        for race, oracle in enumerate(evidence.oracle.races):
            values[race, evidence.held[race]] = number(oracle)
        yield name, measure, values


def sample_of(label: str, evidence: Evidence) -> Sample:
    """A side of a comparison; raises BadInput where a course cannot be solved."""
    measures, exact, races = {}, {}, {}
    for number, course in enumerate(evidence.solved, 1):
        before = f"race {number}: " if len(evidence.solved) > 1 else ""
        for name, value in exact_figures(course).items():
            exact[before + name] = value
            measures[before + name] = EXACT[name]._replace(title=before + EXACT[name].title)
    plain = ((name, measure, compute(evidence)) for name, (measure, compute) in MEASURES.items())
    for name, measure, values in chain(plain, by_tension(evidence), by_side(evidence)):
        races[name], measures[name] = mean_of_match(values, evidence.held), measure
    races["points-lead"], measures["points-lead"] = points_lead(evidence), LEAD
    return Sample(label, exact, races, measures)
