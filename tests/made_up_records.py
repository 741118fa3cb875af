"""Records of races made up by hand: who moves when, the turns that boats have left, their chances to win."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Boat, Landing
from rulekit.study.chain import Chain
from rulekit.study.chain_kernel import HOME, LOST
from rulekit.study.oracle import RaceOracle
from rulekit.study.record import RaceRecord, Turns

Rows = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Story:
    """A race: the seat of each turn, then by moment (one more than turns) the turns left and the chances to win."""

    seats: Sequence[int]
    left: Rows
    win: Rows
    ranks: Sequence[float]


def record_of(*stories: Story) -> RaceRecord:
    """The stories' record; a boat with 0 turns left has finished."""
    seats = np.concatenate([story.seats for story in stories]).astype(np.int64)
    match = np.repeat(np.arange(len(stories)), [len(story.seats) for story in stories])
    number = np.concatenate([_numbers(story.seats) for story in stories])
    none = np.zeros(seats.size, np.int64)
    shorts, steers = none.astype(np.int16), none.astype(np.int8)
    turns = Turns(match, seats, number, shorts, shorts, steers, none, none, none)
    left = np.concatenate([np.array(story.left, float) for story in stories])
    ranks = np.array([story.ranks for story in stories], float)
    best = ranks == ranks.min(axis=1, keepdims=True)
    first = np.searchsorted(match, np.arange(len(stories) + 1))
    state = np.where(left == 0, HOME, 7).astype(np.int64)
    wins, policy = best / best.sum(axis=1, keepdims=True), np.zeros(ranks.shape, np.int32)
    return RaceRecord(turns, first, wins, ranks, policy, state, left)


def _numbers(seats: Sequence[int]) -> np.ndarray:
    return np.array([list(seats[: k + 1]).count(seat) for k, seat in enumerate(seats)], np.int64)


def oracle_of(*stories: Story) -> RaceOracle:
    """The stories' chances to win as an oracle's."""
    record = record_of(*stories)
    win = np.concatenate([np.array(story.win, float) for story in stories])
    chain: Chain = None  # type: ignore[assignment]
    return RaceOracle(record, chain, win, win, np.zeros((record.turns.match.size, 5)), np.zeros(0, np.int64))


def boat_of(record: RaceRecord, state: int) -> Boat:
    """The boat that is in a state."""
    assert record.course is not None
    race, numbered = record.course.race, record.course.numbered
    damage, cell = divmod(state, race.rows * race.row_cells)
    row, rest = divmod(cell, race.row_cells)
    progress, place = divmod(row, race.hexes)
    return Boat(numbered.hexes[place], FACINGS[rest % 8], race.dice.hands.tuple_of(rest // 8), progress, damage)


def state_of(record: RaceRecord, landing: Landing) -> int:
    """The state in which a move by the rules leaves a boat."""
    assert record.course is not None
    if landing.finished or landing.sunk:
        return HOME if landing.finished else LOST
    race = record.course.race
    damage, *state = record.course.numbered.state(landing.boat)
    return damage * race.rows * race.row_cells + race.cell(*state)


BACK_AND_FORTH = Story(
    seats=(0, 1, 0, 1, 0, 1, 1),
    left=((3, 3), (2, 3), (2, 1.5), (0.5, 1.5), (0.5, 1), (0, 1), (0, 0.25), (0, 0)),
    win=((0.5, 0.5), (0.55, 0.45), (0.4, 0.6), (0.65, 0.35), (0.7, 0.3), (1, 0), (1, 0), (1, 0)),
    ranks=(1, 2),
)
"""Boat 0 is behind after the first round, ahead after the second, home in the third; boat 1 comes in a round later."""

PHOTO = Story(
    seats=(1, 0, 1, 0, 1, 0),
    left=((3, 3), (3, 2), (2, 2), (2, 1), (1, 1), (1, 0), (0, 0)),
    win=((0.4, 0.6), (0.2, 0.8), (0.4, 0.6), (0.3, 0.7), (0.04, 0.96), (0, 1), (0, 1)),
    ranks=(2, 1),
)
"""Boat 1 moves first and is home first, boat 0 in the same round; they are level at the end of every round."""

TIE = Story(
    seats=(0, 1),
    left=((2, 2), (1, 2), (1, 1)),
    win=((0.5, 0.5), (0.6, 0.4), (0.5, 0.5)),
    ranks=(1.5, 1.5),
)
"""Given up after a round: two winners, none of them single."""
