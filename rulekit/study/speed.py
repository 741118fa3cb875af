"""How fast boats are, and whether speed wins or crashes (24). The speed of a turn is the total of the dice."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure
from rulekit.study.stats import Floats, generator, mean_figure, proportion


def speed(evidence: Evidence) -> list[Figure]:
    """The mean speed (pips on the dice) of each policy's boats, race by race."""
    boats = speeds(evidence)
    seed, names = evidence.contest.seed, np.array(evidence.contest.policies)
    return [
        mean_figure(boats.speed[names[boats.policy] == name], generator(seed, f"speed {name}"), name)
        for name in evidence.policy_names
    ]


class Boats(NamedTuple):
    """Boats of all races that took a turn: mean speed, share of turns with a crash, share of the win, policy's
    number."""

    speed: Floats
    crashes: Floats
    wins: Floats
    policy: np.ndarray


def speeds(evidence: Evidence) -> Boats:
    """Each boat of each race."""
    parts = []
    for number, log in enumerate(evidence.logs):
        pips = evidence.pips(number)[log.thrown]
        boat = log.match.astype(np.int64) * evidence.seats + log.seat
        size = evidence.races * evidence.seats
        turns = np.bincount(boat, minlength=size)
        raced = turns > 0
        sums = (np.bincount(boat, weights=weights, minlength=size)[raced] for weights in (pips, log.crashed))
        means = [total / turns[raced] for total in sums]
        parts.append([*means, evidence.wins[number].ravel()[raced], evidence.lined_up.ravel()[raced]])
    return Boats(*(np.concatenate(column) for column in zip(*parts, strict=True)))


QUARTERS = ("slowest quarter", "second quarter", "third quarter", "fastest quarter")


def speed_wins(evidence: Evidence) -> list[Figure]:
    """The share of races won by boats of each quarter of mean speed."""
    boats = speeds(evidence)
    return [proportion(float(boats.wins[at].sum()), int(at.sum()), name, note) for name, note, at in quarters(boats)]


def speed_crashes(evidence: Evidence) -> list[Figure]:
    """The share of turns with a crash, by boats of each quarter of mean speed."""
    boats, seed = speeds(evidence), evidence.contest.seed
    return [mean_figure(boats.crashes[at], generator(seed, name), name, note) for name, note, at in quarters(boats)]


def quarters(boats: Boats) -> Iterator[tuple[str, str, np.ndarray]]:
    """(name, mean speed in words, which boats) of each quarter of mean speed."""
    if not boats.speed.size:
        return
    order = np.argsort(boats.speed, kind="stable")
    for name, part in zip(QUARTERS, np.array_split(order, 4), strict=True):
        at = np.zeros(order.size, bool)
        at[part] = True
        if part.size:
            yield name, f"mean speed {boats.speed[part].mean():.2f}", at
