"""What many matches come to: whole counts that add up in any order, and rates with their intervals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED as FIRST
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from typing import Generic, Protocol, TypeVar

import numpy as np

from rulekit.powerboats.match import SUNK_BONUS
from rulekit.powerboats.race import Status
from rulekit.readings import TwoPlayerScore
from rulekit.simulate.bulk import FINISHED, STATUSES, SUNK, Contest, Ints, Outcomes, play

QUANTILE = 1.959963984540054
"""Of the normal distribution, for intervals of 95 %."""

RACING = STATUSES.index(Status.RACING)

FIELDS = (
    "races", "place", "place_squared", "win", "finish", "sink", "turns", "turns_squared", "points", "points_squared",
    "matches", "match_win", "match_points",
)  # fmt: skip
"""What is counted for each seat and policy; places are doubled, so that shared ones are whole."""

Report = Callable[[int, int], None]


@dataclass
class Tally:
    """Counts by [seat, policy's number in the line-up], and over all: matches, those given up, boat-turns."""

    counts: dict[str, Ints]
    matches: int = 0
    capped: int = 0
    turns: int = 0

    @classmethod
    def of(cls, seats: int, fields: Sequence[str] = FIELDS) -> "Tally":
        """Nothing counted yet."""
        return cls({name: np.zeros((seats, seats), np.int64) for name in fields})

    def add(self, other: "Tally") -> None:
        """Adds another tally's counts."""
        for name, counts in other.counts.items():
            self.counts[name] += counts
        self.matches += other.matches
        self.capped += other.capped
        self.turns += other.turns


def tally(contest: Contest, first: int, found: Outcomes) -> Tally:
    """The counts of the matches first, first + 1, …"""
    seats, counts = contest.seats, Tally.of(contest.seats)
    numbers = first + np.arange(found.played.shape[1])
    policy = (np.arange(seats) + (numbers[:, None] if contest.rotate else 0 * numbers[:, None])) % seats
    place = places(found)
    won = points(contest, found, place)
    held = np.broadcast_to(found.played[..., None].astype(bool), found.status.shape)
    turns = found.turns
    by_race = {
        "races": held, "place": place, "place_squared": place**2, "win": place == 2, "finish": found.status == FINISHED,
        "sink": found.status == SUNK, "turns": turns, "turns_squared": turns**2, "points": won,
        "points_squared": won**2,
    }  # fmt: skip
    for name, values in by_race.items():
        _count(counts.counts[name], policy, (np.where(held, values, 0)).sum(axis=0))
    whole = (found.played.astype(bool) & (found.status != RACING).all(axis=2)).all(axis=0)
    total = np.where(whole[:, None], won.sum(axis=0), 0)
    _count(counts.counts["matches"], policy, np.broadcast_to(whole[:, None], total.shape))
    _count(counts.counts["match_points"], policy, total)
    _count(counts.counts["match_win"], policy, whole[:, None] & _winners(total, place[-1]))
    counts.matches, counts.capped, counts.turns = len(numbers), int((~whole).sum()), int((turns * held).sum())
    return counts


def _count(into: Ints, policy: Ints, values: Ints) -> None:
    for seat in range(into.shape[0]):
        np.add.at(into[seat], policy[:, seat], values[:, seat].astype(np.int64))


def places(found: Outcomes) -> Ints:
    """Twice the place of each boat (PB-26): boats that raced on when theirs was given up share the mean of theirs."""
    key = np.where(found.status == FINISHED, found.left, np.where(found.status == SUNK, 10**6 - found.left, 10**5))
    ahead, level = key[..., None, :] < key[..., None], key[..., None, :] == key[..., None]
    return np.asarray(2 * ahead.sum(axis=-1) + level.sum(axis=-1) + 1, np.int64)


def points(contest: Contest, found: Outcomes, place: Ints) -> Ints:
    """Points of each boat (PB-25, PB-27); none for a boat that never finished a race that was given up."""
    number = np.arange(1, len(contest.races) + 1)[:, None, None]
    out = (found.status == SUNK) | (found.status == RACING)
    plain = np.where(out, 0, number * (2 * contest.seats - place) // 2)
    reading = contest.readings.two_player_score
    if reading is TwoPlayerScore.OFF or (reading is TwoPlayerScore.AUTO and contest.seats != 2):
        return plain
    finished = found.status == FINISHED
    last = np.where(finished, found.turns, 0).max(axis=2, keepdims=True)
    sunk = (found.status == SUNK).sum(axis=2, keepdims=True)
    return plain + np.where(finished, last - found.turns + SUNK_BONUS * sunk, 0)


def _winners(total: Ints, place: Ints) -> np.ndarray:
    """Most points; equal ones by the place in the last race (PB-26)."""
    score = total * 1000 - place
    return np.asarray(score == score.max(axis=1, keepdims=True))


def wilson(hits: float, tries: float, quantile: float = QUANTILE) -> tuple[float, float]:
    """Wilson's interval of a proportion, 95 % unless another quantile of the normal distribution is given.

    >>> [round(bound, 4) for bound in wilson(0, 10)], [round(bound, 4) for bound in wilson(5, 10)]
    ([0.0, 0.2775], [0.2366, 0.7634])
    """
    if not tries:
        return 0.0, 1.0
    share, square = hits / tries, quantile**2 / tries
    middle = (share + square / 2) / (1 + square)
    half = quantile * sqrt(share * (1 - share) / tries + square / (4 * tries)) / (1 + square)
    # At 0 and 1 the bound is the share itself, but for rounding.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def mean_bounds(total: int, squared: int, tries: int) -> tuple[float, float]:
    """The normal interval of a mean, 95 %, from the sum and the sum of squares."""
    mean = total / tries
    variance = max(0.0, (squared - total * mean) / (tries - 1)) if tries > 1 else 0.0
    half = QUANTILE * sqrt(variance / tries)
    return mean - half, mean + half


@dataclass(frozen=True)
class Chunks:
    """The matches of a run, parted."""

    matches: int
    size: int

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(first match, number of matches)."""
        return ((first, min(self.size, self.matches - first)) for first in range(0, self.matches, self.size))


def chunk_size(contest: Contest) -> int:
    """Matches of a chunk: a fraction of a second's work, more for line-ups that are played fast."""
    if not contest.compiled:
        return 2
    return 8 if "lookahead" in contest.policies else 256 if "racer" in contest.policies else 4096


def _chunk(contest: Contest, first: int, count: int) -> Tally:
    return tally(contest, first, play(contest, first, count))


class Meeting(Protocol):
    """A line-up that meets in match after match, of boats or of cars."""

    @property
    def compiled(self) -> bool:
        """Whether compiled races play it."""


AnyContest = TypeVar("AnyContest", bound=Meeting)
Chunk = Callable[[AnyContest, int, int], Tally]
"""The tally of some matches of a line-up: the first one, and how many."""


@dataclass
class Run(Generic[AnyContest]):
    """A run under way: its tally so far, and whether it was broken off."""

    contest: AnyContest
    matches: int
    tally: Tally
    interrupted: bool = False


def run(
    contest: Contest, matches: int, jobs: int = 1, size: int | None = None, report: Report | None = None
) -> Run[Contest]:
    """So many matches, on `jobs` workers; the same counts however they are parted.

    `report` is told the matches done and those asked for. Ctrl-C breaks the run off: it then holds what was done.
    """
    found, chunks = Run(contest, matches, Tally.of(contest.seats)), Chunks(matches, size or chunk_size(contest))
    return count_up(found, chunks, _chunk, jobs, report)


def count_up(
    found: Run[AnyContest], chunks: Chunks, chunk: Chunk[AnyContest], jobs: int = 1, report: Report | None = None
) -> Run[AnyContest]:
    """The run with the tallies of all chunks added, see `run`; `chunk` is a function of a module."""
    contest, matches = found.contest, found.matches
    with workers(contest, jobs) as pool:
        try:
            for part in _parts(contest, chunks, chunk, pool, jobs):
                found.tally.add(part)
                if report:
                    report(found.tally.matches, matches)
        except KeyboardInterrupt:
            found.interrupted = True
            if pool:
                pool.shutdown(wait=False, cancel_futures=True)
    return found


def workers(contest: Meeting, jobs: int) -> AbstractContextManager[Executor | None]:
    """What plays chunks side by side: threads for compiled races, else processes; None for one job alone."""
    if jobs == 1:
        return nullcontext(None)
    if contest.compiled:
        return ThreadPoolExecutor(jobs)
    return ProcessPoolExecutor(jobs, get_context("spawn"), signal, (SIGINT, SIG_IGN))


def _parts(
    contest: AnyContest, chunks: Iterable[tuple[int, int]], chunk: Chunk[AnyContest], pool: Executor | None, jobs: int
) -> Iterator[Tally]:
    """The chunks' tallies as they are done; few are handed out ahead, so that a run can be broken off."""
    if pool is None:
        yield from (chunk(contest, *part) for part in chunks)
        return
    waiting: set[Future[Tally]] = set()
    for part in chunks:
        waiting.add(pool.submit(chunk, contest, *part))
        if len(waiting) >= 2 * jobs:
            done, waiting = wait(waiting, return_when=FIRST)
            yield from (tallied.result() for tallied in done)
    yield from (tallied.result() for tallied in waiting)
