"""Boats among each other, from played races: who falls back behind whom, which water is used (20, 25)."""

from collections.abc import Iterator

import numpy as np

from rulekit.simulate.solved import solved
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, nothing
from rulekit.study.stats import Floats, centred, clustered, generator, gini, mean_figure, resampled_sums

TOP_HEXES = 10


def fall_backs(evidence: Evidence) -> list[Figure]:
    """Moves that end behind another boat, a race, by number of players (PB-19)."""
    return [
        mean_figure(counts, generator(evidence.contest.seed, f"fall-backs {label}"), label)
        for label, counts, _lost in by_players(evidence)
    ]


def turns_given_away(evidence: Evidence) -> list[Figure]:
    """Turns lost by falling back, a race, by number of players: by the solo values of the hexes."""
    return [
        mean_figure(lost, generator(evidence.contest.seed, f"given-away {label}"), label)
        for label, _counts, lost in by_players(evidence)
    ]


def by_players(evidence: Evidence) -> Iterator[tuple[str, Floats, Floats]]:
    """(number of players in words, fall-backs, turns lost by them) by race held, for each number that can race."""
    for crowd in evidence.crowds:
        yield f"{crowd.seats} boats", *fallen_back(crowd)


def fallen_back(evidence: Evidence) -> tuple[Floats, Floats]:
    """(fall-backs, turns lost by them) by race held."""
    from rulekit.study.record import values_of

    counts, lost = [], []
    for number, record in enumerate(evidence.record.races):
        turns, course, log = record.turns, solved(evidence.contest.races[number]), evidence.logs[number]
        moved = turns.free != turns.after
        after, free = (values_of(course, states[moved]) for states in (turns.after, turns.free))
        lost.append(np.bincount(turns.match[moved], weights=after - free, minlength=record.races))
        # One that falls back behind the line has finished all the same: its states are equal.
        fell = np.bincount(log.match, weights=log.fell_back > 0, minlength=evidence.races)
        counts.append(fell[evidence.held[number]])
    return np.concatenate(counts), np.concatenate(lost)


def visits(evidence: Evidence) -> Iterator[tuple[str, list[str], Floats]]:
    """(what to put before labels, names of the water hexes, turns ended on each by [match, hex]) of each course."""
    for number, (course, log) in enumerate(zip(evidence.solved, evidence.logs, strict=True)):
        ended, hexes = log.at >= 0, len(course.hex_names)
        cells = log.match[ended].astype(np.int64) * hexes + log.at[ended]
        counts = np.bincount(cells, minlength=evidence.races * hexes).reshape(-1, hexes)
        yield evidence.prefixes[number], course.hex_names, counts[evidence.held[number]].astype(float)


def water_used(evidence: Evidence) -> list[Figure]:
    """The share of the water hexes on which a boat ever ended a turn, in all races together."""
    return [
        Figure(float((counts.sum(axis=0) > 0).mean()), None, None, len(counts), before.removesuffix(": "),
               "rises with the number of races")
        for before, _names, counts in visits(evidence)
    ]  # fmt: skip


def visits_gini(evidence: Evidence) -> list[Figure]:
    """Gini's coefficient of the turns ended on the water hexes."""
    found = []
    for before, _names, counts in visits(evidence):
        if not len(counts):
            found.append(nothing(before.removesuffix(": ")))
            continue
        sums = resampled_sums(counts, generator(evidence.contest.seed, "visits-gini"))
        whole = gini(counts.sum(axis=0))
        low, high = centred(whole, np.array([gini(row) for row in sums]))
        found.append(Figure(whole, max(low, 0.0), min(high, 1.0), len(counts), before.removesuffix(": ")))
    return found


def top_hexes(evidence: Evidence) -> list[Figure]:
    """The hexes on which most turns end, with their shares of all turns that end on water."""
    found = []
    for before, names, counts in visits(evidence):
        total, by_race = counts.sum(axis=0), counts.sum(axis=1)
        for k in np.argsort(-total, kind="stable")[:TOP_HEXES]:
            if total[k]:
                found.append(clustered(counts[:, k], by_race, before + names[k]))
    return found or [nothing()]


def blocked_ends(evidence: Evidence) -> list[Figure]:
    """The share of moves whose end was taken, so that the boat fell back (PB-19)."""
    hits = tries = np.zeros(evidence.races)
    for log in evidence.logs:
        hits = hits + np.bincount(log.match, weights=log.fell_back > 0, minlength=evidence.races)
        tries = tries + np.bincount(log.match, minlength=evidence.races)
    return [clustered(hits, tries)]
