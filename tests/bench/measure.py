"""Measuring: medians of interleaved runs, so that both sides of a ratio see the same machine."""

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import NamedTuple

Work = Callable[[], object]


class Ratio(NamedTuple):
    """How long rulekit takes for a piece of work, and how long another way does."""

    work: str
    other: str
    ours: float
    theirs: float

    @property
    def factor(self) -> float:
        return self.theirs / self.ours


def seconds(work: Work) -> float:
    """Wall-clock time of one run."""
    began = perf_counter()
    work()
    return perf_counter() - began


def medians(works: Mapping[str, Work], runs: int) -> dict[str, float]:
    """The median time of each piece of work, all taking turns; one run of each before, not counted."""
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            taken[name].append(seconds(work))
    return {name: median(times) for name, times in taken.items()}
