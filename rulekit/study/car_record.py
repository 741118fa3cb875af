"""Every move of cars in races played: what the figures of circuits are counted from.

Spaces are numbered as the track numbers them, places off the lanes below zero: the pit lane, FINISH, OUT, boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.terms import Terms
from rulekit.simulate.car_bulk import CarContest
from rulekit.simulate.car_log import CarLog, log_of
from rulekit.solve.kernel import Ints

COLOURS, KINDS = tuple(Colour), tuple(Kind)
"""What the numbers of colours and of kinds mean."""


class Moves(NamedTuple):
    """The moves with a die, in the order made, race after race.

    `turn` is the number of the player's turn in the race, from 1; `before` and `after` are places, `origin` the space
    flown from or struck at, `line` the crossings forward less backward; `damage`, `fuel` and `place` are those of the
    car after the move (place 0: it still races).
    """

    race: Ints
    turn: Ints
    car: Ints
    colour: Ints
    value: Ints
    kind: Ints
    before: Ints
    after: Ints
    origin: Ints
    line: Ints
    damage: Ints
    fuel: Ints
    place: Ints


@dataclass(frozen=True, eq=False)
class CarRecord:
    """Races of cars: their moves; by [race, car] the start boxes and the places (0: none, the race was given up); by
    [race, player] the turns taken; who began."""

    terms: Terms
    moves: Moves
    boxes: Ints
    places: Ints
    turns: Ints
    starter: Ints

    @property
    def races(self) -> int:
        """Number of races."""
        return int(self.boxes.shape[0])

    @property
    def cars(self) -> int:
        """Number of cars in a race."""
        return int(self.boxes.shape[1])

    @property
    def players(self) -> int:
        """Number of players in a race."""
        return int(self.turns.shape[1])

    def count(self, those: np.ndarray) -> Ints:
        """How many of the moves picked out by a mask each race has."""
        return np.bincount(self.moves.race[those], minlength=self.races).astype(np.int32)

    def only(self, those: np.ndarray) -> "CarRecord":
        """The record of the races picked out by a mask, numbered anew."""
        number = np.cumsum(those) - 1
        moves = Moves(*(column[those[self.moves.race]] for column in self.moves))
        moves = moves._replace(race=number[moves.race].astype(np.int32))
        return CarRecord(
            self.terms, moves, self.boxes[those], self.places[those], self.turns[those], self.starter[those]
        )

    def of_kind(self, kind: Kind) -> np.ndarray:
        """A mask of the moves that ended like that."""
        return np.asarray(self.moves.kind == KINDS.index(kind))

    def of_colour(self, colour: Colour) -> np.ndarray:
        """A mask of the moves with a die of that colour."""
        return np.asarray(self.moves.colour == COLOURS.index(colour))


class Row(NamedTuple):
    """A move before it goes into columns, as in `Moves`."""

    race: int
    turn: int
    car: int
    colour: int
    value: int
    kind: int
    before: int
    after: int
    origin: int
    line: int
    damage: int
    fuel: int
    place: int


def record_of_rows(
    terms: Terms, rows: Sequence[Row], boxes: Sequence[Sequence[int]], places: Sequence[Sequence[int]],
    turns: Sequence[Sequence[int]], starter: Sequence[int],
) -> CarRecord:  # fmt: skip
    """A record of moves written down one by one."""
    table = np.array(rows, np.int32).reshape(-1, len(Row._fields))
    columns = Moves(*(np.ascontiguousarray(table[:, k]) for k in range(table.shape[1])))
    by_race = (np.array(values, np.int32) for values in (boxes, places, turns, starter))
    return CarRecord(terms, columns, *by_race)


def record_of(contest: CarContest, races: int) -> CarRecord:
    """The record of a contest's first races."""
    return record_of_log(contest.terms, log_of(contest, 0, races))


def record_of_log(terms: Terms, log: CarLog) -> CarRecord:
    """A log of races as a record."""
    ended = log.ended
    return CarRecord(terms, Moves(*log[:-1]), ended.boxes, ended.places, ended.turns, ended.began.argmax(axis=1))
