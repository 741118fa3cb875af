"""Statistics of races: intervals, tests and effect sizes, as pure functions on arrays. Intervals are of 95 %."""

from collections.abc import Callable, Sequence
from math import ceil, sqrt
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rulekit.simulate.rates import QUANTILE, wilson
from rulekit.simulate.streams import root
from rulekit.study.figure import Figure, nothing

Floats = NDArray[np.float64]
Statistic = Callable[..., Any]

LEVEL = 0.05
RESAMPLES = 1000


def generator(seed: int, purpose: str) -> np.random.Generator:
    """PCG64 for one purpose of a seed: what one study draws moves no other's."""
    return np.random.Generator(np.random.PCG64([root(seed), crc32(purpose.encode())]))


def proportion(hits: float, tries: int, label: str = "", note: str = "") -> Figure:
    """A share with Wilson's interval.

    >>> figure = proportion(0, 10)
    >>> figure.value, round(figure.high or 0, 4), figure.n
    (0.0, 0.2775, 10)
    """
    if not tries:
        return nothing(label, note)
    return Figure(hits / tries, *wilson(hits, tries), tries, label, note)


def clustered(hits: ArrayLike, tries: ArrayLike, label: str = "", note: str = "") -> Figure:
    """A share of cases that come in groups (the boats of a match): Wilson's interval for as many cases as they tell.

    hits[group], tries[group]. Where cases of a group are alike, so many of them tell less than as many drawn singly; n
    is the number of cases all the same.

    >>> alike, none = clustered([2, 0] * 50, [2, 2] * 50), clustered([0, 0], [2, 2])
    >>> [round(bound, 2) for bound in (alike.low, proportion(50, 100).low, proportion(100, 200).low)]
    [0.4, 0.4, 0.43]
    >>> none.high == proportion(0, 4).high
    True
    """
    hit, tried = np.asarray(hits, float), np.asarray(tries, float)
    total = float(tried.sum())
    if not total:
        return nothing(label, note)
    share, groups = float(hit.sum() / total), int((tried > 0).sum())
    told = total
    if groups > 1 and 0 < share < 1:
        variance = groups / (groups - 1) * float(((hit - share * tried) ** 2).sum()) / total**2
        told = min(total, share * (1 - share) / variance) if variance else total
    return Figure(share, *wilson(share * told, told), round(total), label, note)


def sidak_quantile(tests: int) -> float:
    """The normal quantile with which that many intervals hold all together in 95 %.

    >>> round(sidak_quantile(1), 4), round(sidak_quantile(4), 4)
    (1.96, 2.4909)
    """
    from scipy.stats import norm

    return float(norm.ppf(0.5 + 0.5 * (1 - LEVEL) ** (1 / max(tests, 1))))


def simultaneous(hits: ArrayLike, tries: int) -> Floats:
    """Wilson's intervals of several shares that hold all together in at least 95 %: [share, (low, high)]."""
    found = np.atleast_1d(np.asarray(hits, float))
    quantile = sidak_quantile(found.size)
    return np.array([wilson(float(hit), tries, quantile) for hit in found])


def bootstrap(
    values: ArrayLike, statistic: Statistic, rng: np.random.Generator, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """The interval of a statistic of the races (first axis), which are drawn again with replacement.

    Quantiles of the resamples, moved by their mean's distance from the statistic, so that one which chance moves upward
    (the greatest difference of several shares) is not told too high.
    """
    data = np.asarray(values)
    drawn = rng.integers(data.shape[0], size=(resamples, data.shape[0]))
    return centred(float(statistic(data)), np.array([statistic(data[index]) for index in drawn], float))


def centred(whole: float, resampled: Floats) -> tuple[float, float]:
    """The interval of a statistic from its value in the resamples (see `bootstrap`); those without one do not count."""
    found = resampled[np.isfinite(resampled)]
    if not found.size:
        return whole, whole
    low, high = np.quantile(found, [LEVEL / 2, 1 - LEVEL / 2]) - (found.mean() - whole)
    return min(float(low), whole), max(float(high), whole)


def bootstrap_figure(
    values: ArrayLike, statistic: Statistic, rng: np.random.Generator, label: str = "", note: str = "",
    within: tuple[float, float] = (-np.inf, np.inf),
) -> Figure:  # fmt: skip
    """A statistic of the races as a figure; `within` are the bounds of what it can be."""
    data = np.asarray(values)
    if not data.shape[0]:
        return nothing(label, note)
    low, high = bootstrap(data, statistic, rng)
    return Figure(float(statistic(data)), max(low, within[0]), min(high, within[1]), data.shape[0], label, note)


def resampled_sums(counts: Floats, rng: np.random.Generator, resamples: int = RESAMPLES) -> Floats:
    """The sums over the races of counts[race, …], in as many resamples of the races: [resample, …].

    Fast for many numbers a race: how often each race is drawn, times what it counts.
    """
    races = counts.shape[0]
    drawn = rng.multinomial(races, np.full(races, 1 / races), size=resamples)
    return np.asarray(drawn.astype(np.float32) @ counts.astype(np.float32), float)


def mean_figure(values: ArrayLike, rng: np.random.Generator, label: str = "", note: str = "") -> Figure:
    """The mean of a number a race, with a bootstrap interval; none of what was counted in no race has Poisson's.

    >>> figure = mean_figure([0, 0, 0, 0], generator(1, "none"))
    >>> figure.value, figure.low, round(figure.high or 0, 3)
    (0.0, 0.0, 0.922)
    """
    data = np.asarray(values, float)
    if not data.size:
        return nothing(label, note)
    if not data.any():
        return Figure(0.0, 0.0, never_seen(data.size), data.size, label, note)
    means = np.sort(_resampled_means(data, rng))
    low, high = np.quantile(means, [LEVEL / 2, 1 - LEVEL / 2])
    mean = float(data.mean())
    return Figure(mean, min(float(low), mean), max(float(high), mean), data.size, label, note)


def _resampled_means(data: Floats, rng: np.random.Generator) -> Floats:
    return np.asarray(data[rng.integers(data.size, size=(RESAMPLES, data.size))].mean(axis=1))


def never_seen(cases: int) -> float:
    """The greatest mean number a case that is still likely where none was counted (Poisson)."""
    return float(-np.log(LEVEL / 2) / cases)


def paired_difference(a: ArrayLike, b: ArrayLike, rng: np.random.Generator, label: str = "", note: str = "") -> Figure:
    """The mean of a − b, race by race, with a bootstrap interval."""
    return mean_figure(np.asarray(a, float) - np.asarray(b, float), rng, label, note)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: each may be read as if it stood alone.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    found, so_far = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p_values[index]))
        found[index] = so_far
    return found


class ChiSquare(NamedTuple):
    """Pearson's statistic with its degrees of freedom and p-value."""

    statistic: float
    freedom: int
    p_value: float


def chi_square(hits: ArrayLike) -> ChiSquare:
    """Whether counts are equal but for chance.

    >>> found = chi_square([10, 20])
    >>> round(found.statistic, 3), found.freedom, round(found.p_value, 4)
    (3.333, 1, 0.0679)
    """
    from scipy.stats import chi2

    found = np.asarray(hits, float)
    expected = found.mean()
    statistic = float(((found - expected) ** 2).sum() / expected) if expected else 0.0
    freedom = found.size - 1
    return ChiSquare(statistic, freedom, float(chi2.sf(statistic, freedom)) if freedom else 1.0)


def cohen_w(shares: ArrayLike) -> float:
    """Cohen's w of shares against equal ones: 0.1 is small, 0.3 medium, 0.5 large.

    >>> cohen_w([0.75, 0.25])
    0.5
    """
    found = np.asarray(shares, float)
    return float(np.sqrt(((found - 1 / found.size) ** 2).sum() * found.size))


def kendall_w(ranks: ArrayLike) -> float:
    """Kendall's W of ranks[race, seat] with mid-ranks, corrected for ties; 0 where every race is one tie.

    >>> kendall_w([[1, 2, 3], [1, 2, 3]]), kendall_w([[1, 2], [2, 1]])
    (1.0, 0.0)
    """
    found = np.asarray(ranks, float)
    races, seats = found.shape
    middle = (seats + 1) / 2
    between = ((found.mean(axis=0) - middle) ** 2).sum()
    # A race's spread is less where boats are tied: that is the correction.
    within = ((found - middle) ** 2).sum() / races
    return float(between / within) if within else 0.0


def gini(values: ArrayLike) -> float:
    """Gini's coefficient of numbers ≥ 0: 0 all alike, near 1 all in one place; 0 where there is nothing.

    >>> gini([1, 1, 1]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    found = np.sort(np.asarray(values, float))
    total, count = found.sum(), found.size
    if not total:
        return 0.0
    return float(((2 * np.arange(1, count + 1) - count - 1) * found).sum() / (count * total))


def quantile_figure(values: ArrayLike, share: float, label: str = "", note: str = "") -> Figure:
    """A quantile with an interval of order statistics, which asks for no distribution; exact for any sample.

    The quantile is the least value that at least `share` of the cases do not exceed.

    >>> quantile_figure(range(1, 101), 0.5).value, quantile_figure(range(1, 101), 0.5).low
    (50.0, 40.0)
    """
    from scipy.stats import binom

    found = np.sort(np.asarray(values, float))
    count = found.size
    if not count:
        return nothing(label, note)
    at = min(max(ceil(share * count - 1e-9), 1), count)
    below = int(binom.ppf(LEVEL / 2, count, share))
    above = int(binom.ppf(1 - LEVEL / 2, count, share)) + 1
    low, high = found[max(min(below, at) - 1, 0)], found[min(max(above, at), count) - 1]
    return Figure(float(found[at - 1]), float(low), float(high), count, label, note)


def normal_mean(values: ArrayLike, label: str = "", note: str = "") -> Figure:
    """A mean with the normal interval: for many thousands of cases, where drawing again would take long."""
    found = np.asarray(values, float)
    if not found.size:
        return nothing(label, note)
    half = QUANTILE * float(found.std(ddof=1)) / sqrt(found.size) if found.size > 1 else np.inf
    mean = float(found.mean())
    return Figure(mean, mean - half, mean + half, found.size, label, note)
