"""Figures of what there is to decide: richness, forced turns and risks, the price of safety (15, 16, 18)."""

from functools import lru_cache

import numpy as np

from rulekit.solve.best import Trade
from rulekit.solve.kernel import Floats
from rulekit.study.choices import Options, front, options_of, shares
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, exact, nothing
from rulekit.study.stats import bootstrap_figure, clustered, generator

SURE = 1e-9
"""Chances below count as none."""


@lru_cache(maxsize=1)
def all_options(evidence: Evidence) -> tuple[Options, ...]:
    """The options of all turns, course by course."""
    return tuple(options_of(record) for record in evidence.record.races)


def _shared(evidence: Evidence, hits: list[np.ndarray]) -> Figure:
    """A share of turns, which come in races."""
    told = np.concatenate([shares(*pair) for pair in zip(evidence.record.races, hits, strict=True)])
    return clustered(told[:, 0], told[:, 1])


def _mean(evidence: Evidence, purpose: str, values: list[Floats], counted: list[np.ndarray], label: str) -> Figure:
    """The mean over the turns that count; drawn again race by race."""
    found = []
    for record, value, count in zip(evidence.record.races, values, counted, strict=True):
        match = record.turns.match
        parts = np.where(count, value, 0.0), count.astype(float)
        found.append(np.stack([np.bincount(match, part, record.races) for part in parts], axis=1))
    told = np.concatenate(found)
    if not told[:, 1].any():
        return nothing(label)
    rng = generator(evidence.contest.seed, purpose)
    return bootstrap_figure(told, lambda races: races[:, 0].sum() / races[:, 1].sum(), rng, label, within=(0.0, np.inf))


def choice_turns(evidence: Evidence) -> list[Figure]:
    """The share of turns in which dice choices differ in what they can lead to."""
    return [_shared(evidence, [options.distinct > 1 for options in all_options(evidence)])]


def choice_count(evidence: Evidence) -> list[Figure]:
    """Dice choices a turn: those that differ, and those of them that no other dominates."""
    found = all_options(evidence)
    every = [np.ones(options.distinct.size, bool) for options in found]
    differ, free = [one.distinct.astype(float) for one in found], [one.free.astype(float) for one in found]
    return [
        _mean(evidence, "choice-count", differ, every, "different"),
        _mean(evidence, "choice-free", free, every, "not dominated in turns and crash risk"),
    ]


def choice_spread(evidence: Evidence) -> list[Figure]:
    """What the second best dice choice costs, in turns, where there is one."""
    found = all_options(evidence)
    return [_mean(evidence, "choice-spread", [one.spread for one in found], [one.distinct > 1 for one in found], "")]


def forced_turns(evidence: Evidence) -> list[Figure]:
    """The share of turns with one legal direction."""
    return [_shared(evidence, [options.ways == 1 for options in all_options(evidence)])]


def forced_risk(evidence: Evidence) -> list[Figure]:
    """The share of turns in which every dice choice can crash whatever the direction."""
    return [_shared(evidence, [options.risk > SURE for options in all_options(evidence)])]


@lru_cache(maxsize=1)
def fronts(evidence: Evidence) -> tuple[list[Trade], ...]:
    """The front of each course."""
    return tuple(front(course.numbered) for course in evidence.solved)


def premium(evidence: Evidence) -> list[Figure]:
    """The turns that the safest race takes longer than the fastest, course by course."""
    return [
        exact(trades[-1].turns - trades[0].turns, _course(evidence, k), f"chance of sinking {_risks(trades)}")
        if trades
        else nothing(_course(evidence, k), "every race found sinks on purpose")
        for k, trades in enumerate(fronts(evidence))
    ]


def front_figures(evidence: Evidence) -> list[Figure]:
    """The points between the fastest and the safest race: expected turns, with the chance of sinking in the note."""
    return [
        exact(trade.turns, _course(evidence, k), f"chance of sinking {trade.sink:.4f}, at {trade.sink_cost:.6g} turns")
        for k, trades in enumerate(fronts(evidence))
        for trade in trades
    ]


def _course(evidence: Evidence, number: int) -> str:
    """The course's name, where there are several."""
    races = evidence.contest.races
    return races[number].course.name if len(races) > 1 else ""


def _risks(trades: list[Trade]) -> str:
    return f"{trades[-1].sink:.4f} against {trades[0].sink:.4f}"
