"""Whether the seat decides: seat advantage, balance, concordance (1-3). Seats are counted in the order of turns."""

from functools import cache

import numpy as np

from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, nothing
from rulekit.study.stats import (
    Floats,
    bootstrap_figure,
    chi_square,
    cohen_w,
    generator,
    kendall_w,
    simultaneous,
)

FAIR_GAMES = 20_000
"""Fair games drawn for the band."""

ALONE = "one boat alone has no seat to compare"


def wins_by_seat(evidence: Evidence) -> Floats:
    """Shares of the win by [race held, seat], the seats in their order of turns."""
    return evidence.of_races(evidence.in_turn_order(evidence.wins))


def ranks_by_seat(evidence: Evidence) -> Floats:
    """Ranks by [race held, seat], the seats in their order of turns."""
    return evidence.of_races(evidence.in_turn_order(evidence.ranks))


def seat_advantage(evidence: Evidence) -> list[Figure]:
    """Each seat's share of wins above an equal share; the intervals hold all together in 95 %."""
    won = wins_by_seat(evidence)
    races, seats = won.shape
    if not races or seats < 2:
        return [nothing("", ALONE if seats < 2 else "")]
    bounds, fair = simultaneous(won.sum(axis=0), races), 1 / seats
    return [
        Figure(float(share - fair), float(low - fair), float(high - fair), races, f"seat {seat}")
        for seat, (share, (low, high)) in enumerate(zip(won.mean(axis=0), bounds, strict=True), 1)
    ]


def seat_test(evidence: Evidence) -> list[Figure]:
    """The p-value of equal seats (chi-square); it has no interval."""
    won = wins_by_seat(evidence)
    if not won.size or won.shape[1] < 2:
        return [nothing()]
    found = chi_square(won.sum(axis=0))
    note = f"chi-square {found.statistic:.2f} with {found.freedom} degrees of freedom"
    return [Figure(found.p_value, None, None, won.shape[0], "p-value", note)]


def seat_effect(evidence: Evidence) -> list[Figure]:
    """Cohen's w of the seats' shares of wins."""
    won = wins_by_seat(evidence)
    if won.shape[1] < 2:
        return [nothing()]
    rng = generator(evidence.contest.seed, "seat-effect")
    note = "small from 0.1, medium from 0.3, large from 0.5"
    return [bootstrap_figure(won, lambda races: cohen_w(races.mean(axis=0)), rng, "", note, (0.0, np.inf))]


def balance_of(won: Floats) -> float:
    """1 − the greatest difference between two seats' shares of wins.

    >>> balance_of(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    0.5
    """
    return float(1 - np.ptp(won.mean(axis=0)))


@cache
def fair_band(races: int, seats: int) -> tuple[float, float]:
    """Between which values the balance of 95 % of fair games lies, with so many races and seats."""
    drawn = generator(0, "fair-band").multinomial(races, np.full(seats, 1 / seats), size=FAIR_GAMES)
    low, high = np.quantile(1 - np.ptp(drawn, axis=1) / races, [0.025, 0.975])
    return float(low), float(high)


def balance(evidence: Evidence) -> list[Figure]:
    """The balance, with the band of a fair game."""
    won = wins_by_seat(evidence)
    if not won.size or won.shape[1] < 2:
        return [nothing()]
    low, high = fair_band(*won.shape)
    note = f"a fair game of {won.shape[0]:,} races gives {low:.3f} … {high:.3f}"
    return [bootstrap_figure(won, balance_of, generator(evidence.contest.seed, "balance"), "", note, (0.0, 1.0))]


def seat_concordance(evidence: Evidence) -> list[Figure]:
    """Kendall's W of the ranks by seat."""
    from scipy.stats import chi2

    ranks = ranks_by_seat(evidence)
    races, seats = ranks.shape
    if not races or seats < 2:
        return [nothing()]
    fair = float(chi2.ppf(0.95, seats - 1)) / (races * (seats - 1))
    note = f"95 % of fair games of {races:,} races stay below {fair:.5f}"
    rng = generator(evidence.contest.seed, "seat-concordance")
    return [bootstrap_figure(ranks, kendall_w, rng, "", note, (0.0, 1.0))]
