"""Every move of cars in many races as columns of numbers, of compiled races and of those by the rules alike.

Spaces are numbered as the track numbers them, places off the lanes below zero: the pit lane, FINISH, OUT, boxes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rulekit.ps.car import OUT_AT, player_of
from rulekit.ps.moves import KINDS
from rulekit.ps.race import Event, Moved, Race, moved
from rulekit.ps.track import BOXES, FINISH, OUT, Track
from rulekit.simulate.car_bulk import CarContest, CarOutcomes, outcomes_of, play_by_rules, records_of
from rulekit.simulate.car_solved import COLOURS
from rulekit.simulate.car_table import play_race
from rulekit.solve.car_tables import PIT_PLACES, space_of
from rulekit.solve.kernel import Ints

NOWHERE = -1000
"""The origin of a move that was neither flown nor struck."""


class CarLog(NamedTuple):
    """The moves with a die, in the order made, race after race, which count from 0.

    `turn` is the number of the player's turn in the race, from 1; `colour` and `kind` are places in `ps.dice.Colour`
    and `ps.moves.Kind`; `before` and `after` are places, `origin` the space flown from or struck at, `line` the
    crossings forward less backward; `damage`, `fuel` and `place` are those of the car after the move (place 0: it still
    races). `ended` tells of whole races: boxes, places, turns, who began.
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
    ended: CarOutcomes


COLUMNS = len(CarLog._fields) - 1


def log_of(contest: CarContest, first: int, count: int) -> CarLog:
    """The moves of the races first, first + 1, …: those that `car_bulk.play_cars` plays."""
    return log_compiled(contest, first, count) if contest.compiled else log_by_rules(contest, first, count)


def log_compiled(contest: CarContest, first: int, count: int) -> CarLog:
    """The moves by the compiled races."""
    from rulekit.simulate.car_races import AFTER, BEFORE, HURT, LOGGED, ORIGIN, RANK

    records, spaces = records_of(contest, first, count, log=True), spaces_of(contest.terms.track)
    rows = records.log[: records.done[LOGGED], :COLUMNS].copy()
    left, lost = rows[:, RANK] > 0, rows[:, HURT] >= OUT_AT
    rows[:, BEFORE] = spaces[rows[:, BEFORE]]
    rows[:, AFTER] = np.where(left, np.where(lost, OUT, FINISH), spaces[rows[:, AFTER]])
    rows[:, ORIGIN] = np.where(rows[:, ORIGIN] < 0, NOWHERE, rows[:, ORIGIN])
    return CarLog._make([*np.ascontiguousarray(rows.T), outcomes_of(records)])


def spaces_of(track: Track) -> Ints:
    """The space of each of the compiled races' places: those of the track and the pit lane, the finish, the boxes."""
    places = range(len(track.spaces) + PIT_PLACES)
    boxes = (FINISH - box for box in range(1, BOXES + 1))
    return np.array([*(space_of(track, place) for place in places), FINISH, *boxes], np.int32)


def log_by_rules(contest: CarContest, first: int, count: int) -> CarLog:
    """The moves by the rules engine."""
    rows: list[Sequence[int]] = []
    for k in range(count):
        play_race(
            contest.terms, contest.seated_policies(first + k), contest.seed, first + k, contest.cap, _Writer(k, rows)
        )
    columns = np.array(rows, np.int32).reshape(-1, COLUMNS).T
    return CarLog._make([*np.ascontiguousarray(columns), play_by_rules(contest, first, count)])


class _Writer:
    """Writes a row for each move of one race."""

    def __init__(self, number: int, rows: list[Sequence[int]]) -> None:
        self.number, self.rows = number, rows

    def __call__(self, race: Race, event: Event) -> None:
        if not isinstance(event, Moved):
            return
        after, (kind, _, origin, line) = moved(race, event).cars[event.car], event.outcome
        self.rows.append((
            self.number, race.turns[player_of(event.car)] + 1, event.car, COLOURS.index(event.die.colour),
            event.die.value, KINDS.index(kind), race.cars[event.car].space, after.space,
            NOWHERE if origin is None else origin, line, after.damage, after.tank, after.place or 0,
        ))  # fmt: skip
