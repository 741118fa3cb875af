"""Two sides set against each other: exact figures as they are, races in pairs on the same random numbers.

Where many measures are read at once, p-values are Holm's. Effects are Cohen's d: the difference in parts of the spread
that races have anyway, which tells what a player could notice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, sqrt

import numpy as np

from rulekit.study.measures import Measure, Sample
from rulekit.study.stats import LEVEL, Floats, generator, holm, mean_figure, never_seen

EXACTLY = 1e-6
"""Exact figures are certified so closely: what differs by less is the same."""

TINY, SMALL, MEDIUM = 0.2, 0.5, 0.8
"""Cohen's bounds of effects: below the first nobody notices, from the last on they are large."""


@dataclass(frozen=True)
class Difference:
    """A measure of two sides. `difference` is b − a, with its interval of 95 %; exact ones have no p-value.

    `n` is the number of races that both sides have; `adjusted` is Holm's p-value over all measures read with this one;
    `spread` the standard deviation of the races of both sides.
    `alike`: not one race differs.
    """

    name: str
    measure: Measure
    a: float | None
    b: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    p_value: float | None = None
    adjusted: float | None = None
    spread: float | None = None
    alike: bool = False

    @property
    def effect(self) -> float | None:
        """Cohen's d: the difference over the races' own spread; None where they have none."""
        return self.difference / self.spread if self.difference is not None and self.spread else None

    @property
    def exact(self) -> bool:
        """Whether it was worked out, not measured."""
        return self.n is None

    @property
    def seen(self) -> bool:
        """Whether there is a difference beyond chance."""
        if self.difference is None:
            return False
        if self.exact:
            return abs(self.difference) > EXACTLY
        return self.adjusted is not None and self.adjusted < LEVEL

    @property
    def verdict(self) -> str:
        """What to think of it, in words."""
        if self.difference is None:
            return "nothing to compare"
        if self.exact:
            return ("more" if self.difference > 0 else "less") if self.seen else "the same"
        if self.alike:
            return "the same in every race"
        if not self.seen:
            return "no difference seen"
        return f"{'more' if self.difference > 0 else 'less'}, {size_word(self.effect)}"


def size_word(effect: float | None) -> str:
    """An effect's size in a word.

    >>> [size_word(effect) for effect in (0.1, -0.3, 0.6, 2.0, None)]
    ['tiny', 'small', 'medium', 'large', 'always']
    """
    if effect is None:
        return "always"
    size = abs(effect)
    return "tiny" if size < TINY else "small" if size < SMALL else "medium" if size < MEDIUM else "large"


def differences(a: Sample, b: Sample, seed: int) -> list[Difference]:
    """Every measure that both sides have, exact ones first, with Holm's p-values over all of them."""
    known = b.measures
    exact = [exact_difference(name, known[name], a.exact[name], b.exact[name]) for name in a.exact if name in b.exact]
    raced = [
        raced_difference(name, known[name], a.races[name], b.races[name], seed) for name in a.races if name in b.races
    ]
    return [*exact, *adjusted(raced)]


def exact_difference(name: str, measure: Measure, a: float, b: float) -> Difference:
    """A difference that was worked out; none where a side has no such figure."""
    sides = [None if isnan(value) else value for value in (a, b)]
    if sides[0] is None or sides[1] is None:
        return Difference(name, measure, sides[0], sides[1], None)
    return Difference(name, measure, a, b, b - a, b - a, b - a)


def raced_difference(name: str, measure: Measure, a: Floats, b: Floats, seed: int) -> Difference:
    """The mean of b − a over the races that both sides have, paired race by race."""
    races = min(a.size, b.size)
    both = np.isfinite(a[:races]) & np.isfinite(b[:races])
    one, two = a[:races][both], b[:races][both]
    if not one.size:
        return Difference(name, measure, None, None, None, n=0)
    apart = two - one
    low, high = interval(apart, seed, name)
    return Difference(
        name, measure, float(one.mean()), float(two.mean()), float(apart.mean()), low, high, one.size,
        paired_p_value(apart), None, pooled_spread(one, two), not apart.any(),
    )  # fmt: skip


def interval(apart: Floats, seed: int, name: str) -> tuple[float, float]:
    """The bootstrap interval of a mean of differences; where all are alike, as many may be others as are still likely.

    >>> low, high = interval(np.full(40, -0.5), 1, "x")
    >>> low < -0.5 < high
    True
    """
    mean = float(apart.mean())
    if not np.ptp(apart):
        half = never_seen(apart.size) * (abs(mean) or 1.0)
        return mean - half, mean + half
    found = mean_figure(apart, generator(seed, f"compare-{name}"))
    return float(found.low or 0.0), float(found.high or 0.0)


def paired_p_value(apart: Floats) -> float | None:
    """Student's t-test of paired differences, two-sided.

    >>> paired_p_value(np.zeros(9)), paired_p_value(np.ones(9)), paired_p_value(np.ones(1))
    (1.0, 0.0, None)
    """
    from scipy.stats import t

    if apart.size < 2:
        return None
    spread, mean = float(apart.std(ddof=1)), float(apart.mean())
    if spread == 0:
        return 0.0 if mean else 1.0
    return float(2 * t.sf(abs(mean) / spread * sqrt(apart.size), apart.size - 1))


def pooled_spread(a: Floats, b: Floats) -> float | None:
    """The standard deviation of both sides' races; None of single ones.

    >>> round(pooled_spread(np.array([1.0, 3.0]), np.array([2.0, 4.0])) ** 2, 9)
    2.0
    """
    return sqrt((float(a.var(ddof=1)) + float(b.var(ddof=1))) / 2) if a.size > 1 else None


def adjusted(found: Sequence[Difference]) -> list[Difference]:
    """The differences with Holm's p-values over all of them together."""
    told = [k for k, one in enumerate(found) if one.p_value is not None]
    corrected = dict(zip(told, holm([found[k].p_value or 0.0 for k in told]), strict=True))
    return [replace(one, adjusted=corrected.get(k)) for k, one in enumerate(found)]


@dataclass(frozen=True)
class Weight:
    """How much one answer to one question of the rules matters here.

    `greatest` is the measure of the races with the greatest effect among those that differ beyond chance, all answers
    read together; None where none does.
    """

    reading: str
    differences: tuple[Difference, ...]

    @property
    def greatest(self) -> Difference | None:
        """The greatest effect on the races."""
        seen = [one for one in self.differences if not one.exact and one.seen]
        return max(seen, key=lambda one: abs(one.effect) if one.effect is not None else np.inf, default=None)

    @property
    def alike(self) -> bool:
        """Whether nothing at all differs."""
        return all(one.alike or (one.exact and not one.seen) for one in self.differences if one.difference is not None)

    @property
    def rank(self) -> tuple[float, float]:
        """What weights are ordered by, the heaviest first: the greatest effect, then the exact turns gained or lost."""
        greatest = self.greatest
        effect = 0.0 if greatest is None else np.inf if greatest.effect is None else abs(greatest.effect)
        turns = [one.difference or 0.0 for one in self.differences if one.exact and one.name.endswith("turns")]
        return -float(effect), -abs(sum(turns))


def weights(base: Sample, others: Mapping[str, Sample], seed: int) -> list[Weight]:
    """Every answer against the default ones, the one that matters most first; Holm's p-values over all of them."""
    found = {name: differences(base, sample, seed) for name, sample in others.items()}
    raced = [(name, k) for name, one in found.items() for k, each in enumerate(one) if not each.exact]
    for (name, k), corrected in zip(raced, adjusted([found[name][k] for name, k in raced]), strict=True):
        found[name][k] = corrected
    return sorted((Weight(name, tuple(one)) for name, one in found.items()), key=lambda weight: weight.rank)
