"""The order of the cars along the circuit, move by move: who passes whom, and who is in front."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rulekit.ps.track import FINISH, OUT
from rulekit.simulate.car_values import columns_at
from rulekit.solve.kernel import Ints
from rulekit.study.car_record import CarRecord

LEFT = -1_000_000
"""Columns of a car that has lost its race: behind all others."""


@dataclass(frozen=True)
class Order:
    """By move: how many cars the car passed with it. By [race, move of the race]: the car in front after it, -1 behind
    the race's last move. By race: its moves up to the one with the first finish (all of them where there is none)."""

    passed: Ints
    leader: Ints
    until_finish: Ints


def order_of(record: CarRecord) -> Order:
    """The order of the cars in every race.

    A car passes another when it was behind it, or level having been behind, and is ahead after its own move, both being
    on the track: not in a box or in the pit lane. Cars that are level keep their order.
    """
    steps = list(_steps(record))
    columns = _Columns(record)
    passed = np.zeros(record.moves.race.size, np.int32)
    leader = np.full((record.races, len(steps)), -1, np.int32)
    for number, rows in enumerate(steps):
        passed[rows] = columns.move(rows)
        races = record.moves.race[rows]
        leader[races, number] = columns.in_front(races)
    return Order(passed, leader, _until_finish(record, len(steps)))


def _steps(record: CarRecord) -> Iterator[Ints]:
    """The first moves of all races, the second ones, …: rows of the moves."""
    counts = np.bincount(record.moves.race, minlength=record.races).astype(np.int32)
    first = np.cumsum(counts) - counts
    for number in range(int(counts.max(initial=0))):
        yield (first + number)[counts > number]


def _until_finish(record: CarRecord, steps: int) -> Ints:
    counts = np.bincount(record.moves.race, minlength=record.races)
    first = np.cumsum(counts) - counts
    found = counts.copy()
    finished = np.flatnonzero(record.moves.after == FINISH)
    for row in finished[::-1]:
        race = record.moves.race[row]
        found[race] = row - first[race] + 1
    return np.asarray(found, np.int32)


class _Columns:
    """Where the cars are, as columns from the line of the first crossing on, and who is ahead of whom."""

    def __init__(self, record: CarRecord) -> None:
        self.record, terms = record, record.terms
        self.of_space = np.array([columns_at(terms, space, 1) for space in range(OUT, len(terms.track.spaces))])
        self.ring = sum(section.columns for section in terms.track.sections)
        self.columns = self.of_space[FINISH - record.boxes - OUT] - self.ring
        self.crossings = np.zeros_like(record.boxes)
        self.on_track = np.zeros(record.boxes.shape, bool)
        self.ahead = self.columns[:, :, None] > self.columns[:, None, :]

    def move(self, rows: Ints) -> Ints:
        """Make one move in each of some races; how many cars each passed."""
        moves = self.record.moves
        race, car, after = moves.race[rows], moves.car[rows], moves.after[rows]
        was_on = self.on_track[race, car]
        self.crossings[race, car] = np.maximum(0, self.crossings[race, car] + moves.line[rows])
        there = self.of_space[after - OUT] + self.ring * (self.crossings[race, car] - 1)
        there = np.where(after == OUT, LEFT, there)
        there = np.where(after == FINISH, self.ring * self.record.terms.laps, there)
        self.columns[race, car] = there
        self.on_track[race, car] = after >= 0
        before = self.ahead[race, car].copy()
        others = self.columns[race]
        now = np.where(there[:, None] == others, before, there[:, None] > others)
        self.ahead[race, car] = now
        self.ahead[race, :, car] = np.where(there[:, None] == others, self.ahead[race, :, car], there[:, None] < others)
        counts = now & ~before & self.on_track[race]
        counts[np.arange(len(rows)), car] = False
        return np.where(was_on, counts.sum(axis=1), 0)

    def in_front(self, races: Ints) -> Ints:
        """The car that most others are behind, of each race."""
        return np.asarray(self.ahead[races].sum(axis=2).argmax(axis=1))
