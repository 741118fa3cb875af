"""Figures of how tense races are, and of luck and decision (7-14)."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from rulekit.solve.kernel import Floats
from rulekit.study import tension
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, nothing
from rulekit.study.luck import CHOICE, DICE, DIRECTION, PARTS, Luck, luck_share, of_turns, of_wins, volatility
from rulekit.study.oracle import RaceOracle, self_check
from rulekit.study.record import RaceRecord
from rulekit.study.stats import bootstrap_figure, generator, mean_figure, normal_mean, proportion, quantile_figure

QUARTERS = (0.25, 0.5, 0.75)

MOMENTS, SAMPLES = 150, 400
"""Open moments of a course's races from which races are played on, and how many from each."""

ALONE = "one boat alone has no rival"
BASELINE = "solo plays the optimum that decisions are measured against: all that is left is luck"

TO_WIN = "of the rounds up to the win"

Numbers = Callable[[RaceOracle], Floats]


def of_all(evidence: Evidence, number: Numbers) -> Floats:
    """A number a race of all courses' races; those left out of which it cannot be told."""
    found = np.concatenate([number(oracle) for oracle in evidence.oracle.races])
    return np.asarray(found[~np.isnan(found)])


def mean_of(evidence: Evidence, purpose: str, number: Numbers, label: str = "", note: str = "") -> Figure:
    """The mean of a number a race."""
    if evidence.seats < 2:
        return nothing(label, ALONE)
    return mean_figure(of_all(evidence, number), generator(evidence.contest.seed, purpose), label, note)


def closeness(evidence: Evidence) -> list[Figure]:
    """The median of the turns that the second still had left at the end of the winner's round."""
    found = of_margins(evidence)
    note = "of races in which two boats finish"
    return [quantile_figure(found, 0.5, "median", note)] if evidence.seats > 1 else [nothing("median", ALONE)]


def photo_finish(evidence: Evidence) -> list[Figure]:
    """The share of races in which the second finishes in the winner's round."""
    found = of_margins(evidence)
    return [proportion(float((found == 0).sum()), found.size)] if evidence.seats > 1 else [nothing("", ALONE)]


def of_margins(evidence: Evidence) -> Floats:
    """The margins of the races in which two boats finish."""
    found = np.concatenate([tension.margins(record) for record in evidence.record.races])
    return np.asarray(found[~np.isnan(found)])


def lead_changes(evidence: Evidence) -> list[Figure]:
    """Lead changes a round."""
    return [mean_of(evidence, "lead-changes", lambda oracle: tension.lead_changes(oracle.record))]


def drama(evidence: Evidence) -> list[Figure]:
    """How far the later winner was behind the favourite, in chances to win, in the mean of all rounds."""
    return [mean_of(evidence, "drama", tension.drama)]


def behind(evidence: Evidence) -> list[Figure]:
    """The share of rounds in which the later winner was behind."""
    return [mean_of(evidence, "behind", tension.behind)]


def comeback(evidence: Evidence) -> list[Figure]:
    """The number of boats times the winner's lowest chance to win: mean and 10 % quantile."""
    if evidence.seats < 2:
        return [nothing("", ALONE)]
    found, rng = of_all(evidence, tension.comeback), generator(evidence.contest.seed, "comeback")
    return [mean_figure(found, rng, "mean"), quantile_figure(found, 0.1, "10 % quantile")]


def decided_at(evidence: Evidence) -> list[Figure]:
    """The first round from which on the winner stays ahead."""
    return [mean_of(evidence, "decided-at", tension.decided_at)]


def left_then(evidence: Evidence) -> list[Figure]:
    """The share of the race that is left when it is decided: of all rounds, and of those up to the win."""
    return [
        mean_of(evidence, "left-when-decided", tension.left_then, "of all rounds", "those behind the winner included"),
        mean_of(evidence, "left-to-win", tension.left_to_win, TO_WIN),
    ]


def dead_time(evidence: Evidence) -> list[Figure]:
    """The share of rounds after which one boat has a chance above 95 %: of all, and of those before a boat is home."""
    return [
        mean_of(evidence, "dead-time", tension.dead_time, "of all rounds", "those behind the winner included"),
        mean_of(evidence, "dead-before", tension.dead_before, "before the winner is home"),
    ]


def uncertainty(evidence: Evidence) -> list[Figure]:
    """The entropy of the chances to win at 25, 50 and 75 % of the race, and in the mean of all rounds."""
    return [
        *(
            mean_of(evidence, f"uncertainty-{share}", _entropy_at(share), f"{share:.0%}".replace("%", " %"))
            for share in QUARTERS
        ),
        mean_of(evidence, "uncertainty", tension.mean_uncertainty, "mean"),
    ]


def _entropy_at(share: float) -> Numbers:
    return lambda oracle: tension.uncertainty_at(oracle, share)


def volatility_figures(evidence: Evidence) -> list[Figure]:
    """How much of the win changes hands in a race."""
    return [mean_of(evidence, "volatility", volatility)]


def oracle_check(evidence: Evidence) -> list[Figure]:
    """Both sides of the oracle's self-check, their difference race by race, and how far off chances at a moment are."""
    if evidence.seats < 2:
        return [nothing("", ALONE)]
    found = [self_check(oracle) for oracle in evidence.oracle.races]
    changes, ends = (np.concatenate(side) for side in zip(*found, strict=True))
    return [
        normal_mean(changes, "squared changes of the chances"),
        normal_mean(ends, "variance of the wins"),
        normal_mean(changes - ends, "difference", "near 0 where the oracle is right"),
        played_on(evidence),
    ]


def played_on(evidence: Evidence) -> Figure:
    """The root mean square of what chances at open moments differ by from races played on, but for those races' chance.

    None over tiles, where it would take too long to compile.
    """
    from rulekit.study.rollouts import squared_errors

    rng, label = generator(evidence.contest.seed, "rollouts"), "distance from races played on"
    found = [squared_errors(oracle, MOMENTS, SAMPLES, rng) for oracle in evidence.oracle.races]
    note = f"{SAMPLES} races from each of some open moments, all boats as solo"
    return bootstrap_figure(np.concatenate(found), _root, rng, label, note, within=(0.0, 1.0))


def _root(squares: Floats) -> float:
    return float(np.sqrt(max(squares.mean(), 0.0)))


def luck_in_wins(evidence: Evidence) -> list[Figure]:
    """The parts of a boat's change in its chance to win, and the share of luck in its own turns."""
    if evidence.seats < 2:
        return [nothing("", ALONE)]
    return list(_luck_figures(evidence, luck_of_wins(evidence), "luck-wins", others=True))


def luck_in_turns(evidence: Evidence) -> list[Figure]:
    """The parts of the turns that a boat wins or loses against the solo optimum, exact values throughout."""
    return list(_luck_figures(evidence, luck_of_turns(evidence), "luck-turns", others=False))


@lru_cache(maxsize=1)
def luck_of_wins(evidence: Evidence) -> tuple[Luck, ...]:
    """The parts of the chances to win in the races of each course."""
    return tuple(of_wins(oracle) for oracle in evidence.oracle.races)


@lru_cache(maxsize=1)
def luck_of_turns(evidence: Evidence) -> tuple[Luck, ...]:
    """The parts of the turns left in the races of each course."""
    return tuple(of_turns(record) for record in evidence.record.races)


def _luck_figures(evidence: Evidence, luck: tuple[Luck, ...], purpose: str, *, others: bool) -> Iterator[Figure]:
    """For each policy of the line-up the means by race of its boats' parts, and the share of luck."""
    names = evidence.policy_names
    for name in names:
        label = f"{name}: " if len(names) > 1 else ""
        plays = [_plays(evidence, record, name) for record in evidence.record.races]
        for k, part in enumerate(PARTS):
            yield normal_mean(_means([found.parts[:, k] for found in luck], plays), label + part)
        if others:
            yield normal_mean(_means([found.others for found in luck], plays), label + "the others' turns")
        squares = np.stack([_means([one.squares[:, k] for one in luck], plays) for k in (CHOICE, DICE, DIRECTION)], -1)
        rng = generator(evidence.contest.seed, f"{purpose}-{name}")
        note = BASELINE if name == "solo" else ""
        yield bootstrap_figure(squares, _share, rng, label + "share of luck", note, (0.0, 1.0))


def _share(squares: Floats) -> float:
    return luck_share(squares.sum(axis=0))


def _plays(evidence: Evidence, record: RaceRecord, name: str) -> np.ndarray:
    """Which boats a policy plays, by [race, seat]."""
    return np.array([policy == name for policy in evidence.contest.policies])[record.policy]


def _means(values: list[Floats], plays: list[np.ndarray]) -> Floats:
    """The mean over the boats that count, by race."""
    return np.concatenate(
        [
            np.where(boats, part.reshape(boats.shape), 0.0).sum(axis=1) / boats.sum(axis=1)
            for part, boats in zip(values, plays, strict=True)
        ]
    )
