"""Whether who is ahead stays ahead: within a race, and from race to race of a match (21)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from rulekit.readings import TwoPlayerScore
from rulekit.simulate.rates import RACING, places, points
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, nothing
from rulekit.study.stats import Floats, generator, mean_figure, proportion

if TYPE_CHECKING:
    from rulekit.study.record import RaceRecord

SHARES = (0.25, 0.5, 0.75)


def mid_ranks(values: Floats) -> Floats:
    """Ranks along the last axis, the least first, equal ones by their mean.

    >>> mid_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    less, level = values[..., None, :] < values[..., None], values[..., None, :] == values[..., None]
    return np.asarray(less.sum(axis=-1) + (level.sum(axis=-1) + 1) / 2)


def rank_correlations(a: Floats, b: Floats) -> Floats:
    """Spearman's correlation of two rows of ranks, row by row; NaN where one is all ties.

    >>> rank_correlations(np.array([[1.0, 2.0, 3.0]] * 2), np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).tolist()
    [1.0, -1.0]
    """
    x, y = (ranks - ranks.mean(axis=1, keepdims=True) for ranks in (a, b))
    size = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(np.divide((x * y).sum(axis=1), size, out=np.full(len(x), np.nan), where=size > 0))


def progress_at(record: "RaceRecord", share: float) -> Floats:
    """Progress by [race, seat] after that share of a race's rounds, rounded down but for the first."""
    rounds = record.rounds
    raced = rounds.held > 0
    after = np.maximum(np.floor(rounds.held[raced] * share).astype(int), 1)
    return np.asarray(record.progress[rounds.moment[rounds.first[:-1][raced] + after - 1]])


def order_kept(evidence: Evidence) -> list[Figure]:
    """The rank correlation of the order after a quarter, half, three quarters of the race with the end."""
    found = []
    for share in SHARES:
        parts = [
            rank_correlations(mid_ranks(-progress_at(record, share)), record.ranks[record.rounds.held > 0])
            for record in evidence.record.races
        ]
        values = np.concatenate(parts)
        rng = generator(evidence.contest.seed, f"order-kept {share}")
        found.append(mean_figure(values[np.isfinite(values)], rng, f"after {share * 100:.0f} %"))
    return found


def leader_at_half(evidence: Evidence) -> list[Figure]:
    """The chance that the leader at half of the race wins, above an equal share; leaders that are level share it."""
    parts = [leaders_wins(progress_at(record, 0.5), record.wins[record.rounds.held > 0])
             for record in evidence.record.races]  # fmt: skip
    return [above_fair(np.concatenate(parts), evidence.seats)]


def leaders_wins(scores: Floats, wins: Floats) -> Floats:
    """By row, the mean share of the win of those with the greatest score.

    >>> leaders_wins(np.array([[2.0, 2.0, 1.0]]), np.array([[1.0, 0.0, 0.0]]))
    array([0.5])
    """
    leads = scores == scores.max(axis=1, keepdims=True)
    return np.asarray((wins * leads).sum(axis=1) / leads.sum(axis=1))


def above_fair(values: Floats, seats: int, label: str = "") -> Figure:
    """A share of wins above 1 / seats."""
    found = proportion(float(values.sum()), values.size, label)
    if found.value is None or found.low is None or found.high is None:
        return nothing(label)
    fair = 1 / seats
    return Figure(found.value - fair, found.low - fair, found.high - fair, found.n, label)


def match_points(evidence: Evidence) -> tuple[Floats, Floats]:
    """Of matches played to the end: points by [race, match, seat], and shares of the match's win by [match, seat]."""
    outcomes = evidence.outcomes
    place = places(outcomes)
    whole = (evidence.held & (outcomes.status != RACING).all(axis=2)).all(axis=0)
    won = points(evidence.contest, outcomes, place)[:, whole].astype(float)
    # Equal points go to the better place in the last race (PB-26).
    score = won.sum(axis=0) * 1000 - place[-1, whole]
    best = score == score.max(axis=1, keepdims=True)
    return won, best / best.sum(axis=1, keepdims=True)


def match_leader(evidence: Evidence) -> list[Figure]:
    """The chance that the leader after each race but the last wins the match, above an equal share."""
    won, wins = match_points(evidence)
    if len(won) < 2 or not won.shape[1]:
        return [nothing("", "told of matches of several races")]
    totals = won.cumsum(axis=0)
    return [
        above_fair(leaders_wins(totals[number], wins), evidence.seats, f"after race {number + 1}")
        for number in range(len(won) - 1)
    ]


def match_decided(evidence: Evidence) -> list[Figure]:
    """The share of matches whose winner is sure before the last race: nobody could get as many points any more."""
    won, _wins = match_points(evidence)
    reading, seats = evidence.contest.readings.two_player_score, evidence.seats
    if len(won) < 2 or not won.shape[1]:
        return [nothing("", "told of matches of several races")]
    if reading is TwoPlayerScore.ON or (reading is TwoPlayerScore.AUTO and seats == 2):
        return [nothing("", "points for turns ahead have no limit: no lead is safe (PB-27)")]
    decided = list(_decided(won[:-1].sum(axis=0), len(won) * (seats - 1)))
    return [proportion(sum(decided), len(decided), f"before race {len(won)}")]


def _decided(totals: Floats, most: int) -> Iterator[bool]:
    """Whether the leader's lead is more than the points of the last race; at equal points that race decides."""
    ordered = np.sort(totals, axis=1)
    yield from (ordered[:, -1] - ordered[:, -2] > most).tolist()
