"""Intervals hold as often as they say; tests and effect sizes by hand and against scipy."""

from math import erf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, rankdata

from rulekit.simulate.rates import wilson
from rulekit.study.stats import (
    bootstrap_figure,
    chi_square,
    clustered,
    cohen_w,
    generator,
    gini,
    holm,
    kendall_w,
    mean_figure,
    normal_mean,
    paired_difference,
    proportion,
    quantile_figure,
    sidak_quantile,
    simultaneous,
)

RNG = np.random.default_rng


def covered(figures: list, truth: float) -> float:  # type: ignore[type-arg]
    """How often the interval holds the truth."""
    return float(np.mean([figure.low <= truth <= figure.high for figure in figures]))


def test_wilson_by_hand() -> None:
    # z² = 3.8415; (0.5 + z²/20) / (1 + z²/10) ± …: the textbook's 5 of 10.
    figure = proportion(5, 10)
    assert (figure.low, figure.high) == pytest.approx((0.23659, 0.76341), abs=1e-5)
    assert proportion(0, 0).value is None
    assert proportion(0, 7).high == pytest.approx(3.841459 / (7 + 3.841459))  # z² / (n + z²): not a point at 0


def test_sidak_holds_for_all_together() -> None:
    quantile = sidak_quantile(3)
    assert erf(quantile / sqrt(2)) ** 3 == pytest.approx(0.95)
    assert simultaneous([4, 6], 10).tolist() == [
        list(wilson(4, 10, sidak_quantile(2))),
        [*wilson(6, 10, sidak_quantile(2))],
    ]


def test_mean_of_a_skewed_number_is_covered() -> None:
    rng = RNG(3)
    figures = [mean_figure(rng.exponential(size=80), generator(k, "test")) for k in range(300)]
    assert 0.90 <= covered(figures, 1.0) <= 0.985


def test_mean_of_what_was_never_seen_has_an_upper_bound() -> None:
    # Poisson: with 3.689 a hundred cases none is seen once in forty.
    assert mean_figure(np.zeros(100), generator(1, "x")).high == pytest.approx(3.68888 / 100, rel=1e-4)


def test_shares_of_alike_boats_are_covered() -> None:
    """The four boats of a race share one fate: an interval that took them for single cases would hold but 2 in 3."""
    rng = RNG(5)
    fates = [4 * (rng.random(100) < 0.3) for _ in range(400)]
    assert 0.92 <= covered([clustered(hits, np.full(100, 4)) for hits in fates], 0.3) <= 0.98
    assert covered([proportion(hits.sum(), 400) for hits in fates], 0.3) < 0.75


def test_shares_of_single_cases_are_not_widened() -> None:
    rng = RNG(6)
    hits = (rng.random(500) < 0.2).astype(int)
    alone, grouped = proportion(hits.sum(), 500), clustered(hits, np.ones(500))
    assert grouped.low == pytest.approx(alone.low, abs=1e-3)
    assert grouped.high == pytest.approx(alone.high, abs=1e-3)


def test_quantiles_are_covered() -> None:
    rng = RNG(7)
    for share in (0.05, 0.5, 0.95):
        figures = [quantile_figure(rng.random(200), share) for _ in range(300)]
        assert covered(figures, share) >= 0.93


def test_quantile_by_hand() -> None:
    assert [quantile_figure([1, 2, 3, 4], share).value for share in (0.25, 0.26, 0.5, 1.0)] == [1, 2, 2, 4]
    assert quantile_figure([], 0.5).value is None


def test_greatest_difference_is_not_told_too_high() -> None:
    """Chance alone makes the greatest difference of four equal shares differ from 0, once more in every resample."""
    rng = RNG(8)
    won = np.eye(4)[rng.integers(4, size=400)]
    figure = bootstrap_figure(won, lambda races: np.ptp(races.mean(axis=0)), generator(1, "x"), within=(0.0, 1.0))
    assert figure.low is not None
    assert figure.low <= 0.03


def test_bootstrap_is_the_same_for_a_seed_and_another_for_a_purpose() -> None:
    values = RNG(9).random(50)
    first, again, other = (mean_figure(values, generator(1, name)) for name in ("a", "a", "b"))
    assert first == again
    assert first != other


def test_paired_difference_of_equal_things_is_nothing() -> None:
    assert paired_difference([3, 4], [3, 4], generator(1, "x")).value == 0.0
    figure = paired_difference([3, 5, 4], [1, 4, 4], generator(1, "x"))
    assert (figure.value, figure.n) == (1.0, 3)


def test_normal_mean_by_hand() -> None:
    figure = normal_mean([1.0, 3.0])  # sd √2, so ± 1.96 · √2 / √2
    assert (figure.low, figure.value, figure.high) == pytest.approx((0.04, 2.0, 3.96), abs=1e-3)


def test_holm_by_hand() -> None:
    # 4 · 0.005, then 3 · 0.01, 2 · 0.03 and 1 · 0.04, which may not be less than the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.integers(1, 50), min_size=2, max_size=6))
def test_chi_square_as_scipy_tells_it(counts: list[int]) -> None:
    found, scipy = chi_square(counts), chisquare(counts)
    assert (found.statistic, found.p_value) == pytest.approx((float(scipy.statistic), float(scipy.pvalue)), abs=1e-9)


def test_effect_by_hand() -> None:
    assert cohen_w([0.5, 0.25, 0.25, 0.0]) == pytest.approx(sqrt((0.25**2 + 0.25**2) * 4))
    assert cohen_w([0.25] * 4) == 0.0


def test_concordance_by_the_textbook_formula() -> None:
    # Rank sums 2, 5, 5, mean 4: S = 6; W = 12 S / (m² (n³ − n)) = 72 / 96.
    assert kendall_w([[1, 2, 3], [1, 3, 2]]) == pytest.approx(0.75)
    # With ties T = 6 for each race: W = 72 / (96 − 2 · 12).
    assert kendall_w([[1.5, 1.5, 3], [1.5, 1.5, 3]]) == pytest.approx(1.0)
    assert kendall_w([[2, 2, 2]]) == 0.0


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=8))
def test_concordance_with_ties_against_the_textbook(scores: list[list[int]]) -> None:
    ranks = np.array([rankdata(row) for row in scores])
    races, seats = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum(int(c) ** 3 - int(c) for row in scores for c in np.unique(row, return_counts=True)[1])
    most = races**2 * (seats**3 - seats) - races * ties
    expected = 12 * ((sums - sums.mean()) ** 2).sum() / most if most else 0.0
    assert kendall_w(ranks) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=8))
def test_gini_by_all_differences(values: list[int]) -> None:
    total = sum(values)
    apart = sum(abs(a - b) for a in values for b in values)
    assert gini(values) == pytest.approx(apart / (2 * len(values) * total) if total else 0.0)
