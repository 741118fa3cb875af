"""How races end: finishing and sinking, how long they take, what boats behind others lose, who sits out (5, 6, 26)."""

from collections.abc import Iterator

import numpy as np

from rulekit.powerboats.match import SUNK_BONUS
from rulekit.powerboats.race import Status
from rulekit.readings import TwoPlayerScore
from rulekit.simulate.bulk import FINISHED, STATUSES, SUNK
from rulekit.simulate.rates import RACING, places, points
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, nothing
from rulekit.study.stats import Floats, bootstrap_figure, clustered, generator, mean_figure, quantile_figure

STOPPED = STATUSES.index(Status.STOPPED)


def completion(evidence: Evidence) -> list[Figure]:
    """The share of boats that finish, over all and by policy."""
    return list(_shares(evidence, evidence.outcomes.status == FINISHED))


def sink_rate(evidence: Evidence) -> list[Figure]:
    """The share of boats that sink, over all and by policy."""
    return list(_shares(evidence, evidence.outcomes.status == SUNK))


def _shares(evidence: Evidence, hits: np.ndarray) -> Iterator[Figure]:
    """Shares of boats by [race, match, seat]; the boats of a match are a group."""
    held = np.broadcast_to(evidence.held[..., None], hits.shape)
    yield clustered((hits & held).sum(axis=(0, 2)), held.sum(axis=(0, 2)), "all boats")
    names = evidence.policy_names
    for name in names if len(names) > 1 else ():
        boats = held & evidence.plays(name)
        yield clustered((hits & boats).sum(axis=(0, 2)), boats.sum(axis=(0, 2)), name)


def cap_rate(evidence: Evidence) -> list[Figure]:
    """The share of races that were given up when a boat had taken as many turns as are allowed."""
    held = evidence.held
    capped = held & (evidence.outcomes.status == RACING).any(axis=-1)
    note = f"the cap is {evidence.contest.cap} turns of a boat"
    return [clustered(capped.sum(axis=0), held.sum(axis=0), "", note)]


def rounds_taken(evidence: Evidence) -> Floats:
    """The rounds of each race held: the most turns of a boat."""
    return evidence.of_races(evidence.outcomes.turns.max(axis=-1)).astype(float)


def duration(evidence: Evidence) -> list[Figure]:
    """Rounds of a race: mean, standard deviation and quantiles."""
    rounds, seed = rounds_taken(evidence), evidence.contest.seed
    if not rounds.size:
        return [nothing()]
    return [
        mean_figure(rounds, generator(seed, "duration"), "mean"),
        bootstrap_figure(rounds, spread, generator(seed, "duration-sd"), "sd", "", (0.0, np.inf)),
        *(quantile_figure(rounds, share, f"{share:.0%}".replace("%", " %")) for share in (0.05, 0.5, 0.95)),
    ]


def spread(values: Floats) -> float:
    """The standard deviation of a sample, 0 of one case.

    >>> spread(np.array([1.0, 3.0])) ** 2
    2.0000000000000004
    """
    return float(values.std(ddof=1)) if values.size > 1 else 0.0


def duration_variation(evidence: Evidence) -> list[Figure]:
    """The coefficient of variation of the rounds: their standard deviation over their mean."""
    rounds = rounds_taken(evidence)
    rng = generator(evidence.contest.seed, "duration-variation")
    return [bootstrap_figure(rounds, lambda races: spread(races) / races.mean(), rng, "", "", (0.0, np.inf))]


def idle_rounds(evidence: Evidence) -> list[Figure]:
    """The rounds that a player whose boat has sunk sits out until the race is over: of each of them, and a race."""
    turns, sunk = evidence.outcomes.turns, evidence.outcomes.status == SUNK
    waited = np.where(sunk, turns.max(axis=-1, keepdims=True) - turns, 0)
    seed = evidence.contest.seed
    each = evidence.of_races(waited)[evidence.of_races(sunk)]
    return [
        mean_figure(each, generator(seed, "idle-each"), "a sunk boat"),
        mean_figure(evidence.of_races(waited.sum(axis=-1)), generator(seed, "idle-race"), "all boats of a race"),
    ]


def points_by_sinking(evidence: Evidence) -> list[Figure]:
    """The share of all points that are won over boats which sank.

    A finisher's points are one, two or three (by the number of the race) for each boat behind it: those for a sunk boat
    count here, and the two-player score's bonus for sunk boats.
    """
    given, by_sinking = points_at_stake(evidence)
    if not given.any():
        return [nothing("", "no points were won")]

    def share(matches: Floats) -> float:
        return float(matches[:, 1].sum() / matches[:, 0].sum()) if matches[:, 0].any() else 0.0

    rng = generator(evidence.contest.seed, "points-by-sinking")
    found = bootstrap_figure(np.stack([given, by_sinking], axis=1), share, rng, within=(0.0, 1.0))
    # No race with points decided so: as likely as Wilson says of so many matches.
    return [found if by_sinking.any() else clustered(by_sinking, np.ones_like(by_sinking))]


def points_at_stake(evidence: Evidence) -> tuple[Floats, Floats]:
    """(all points given, those for boats that sank) by match."""
    outcomes, contest = evidence.outcomes, evidence.contest
    given = np.where(evidence.held[..., None], points(contest, outcomes, places(outcomes)), 0).sum(axis=(0, 2))
    finished, stopped, sunk = ((outcomes.status == status).sum(axis=-1) for status in (FINISHED, STOPPED, SUNK))
    number = np.arange(1, len(contest.races) + 1)[:, None]
    reading = contest.readings.two_player_score
    extra = reading is TwoPlayerScore.ON or (reading is TwoPlayerScore.AUTO and contest.seats == 2)
    pairs = (finished + stopped) * sunk * number + (finished * sunk * SUNK_BONUS if extra else 0)
    decided = np.where(evidence.held, pairs, 0).sum(axis=0)
    return given.astype(float), decided.astype(float)
