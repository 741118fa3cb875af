"""Races played on from given moments by the compiled `solo` policy, all boats together: the oracle's second opinion.

Other than the oracle they know that boats fall back behind each other (PB-19), and what that costs in the long run.
"""

import numpy as np

from rulekit.simulate.bulk_kernel import (
    AT,
    AWAY,
    COLUMNS,
    DAMAGE,
    DRAWN,
    FACING,
    FINISHED,
    GOLDEN,
    HAND,
    KEY,
    LEFT,
    RACING,
    ROW,
    SITUATION,
    SUNK,
    AnyWater,
    Book,
    Fleet,
    Rng,
    Throws,
    mixed,
    next_mover,
    stop_last,
)
from rulekit.simulate.bulk_ways import table_turn
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Bytes, Floats
from rulekit.solve.model import Straights
from rulekit.study.chain_kernel import HOME, Longs
from rulekit.study.oracle import RaceOracle
from rulekit.study.record import RaceRecord

MOST_TURNS = 4000
"""Boat-turns after which a race is given up."""


def rollouts(record: RaceRecord, moments: Longs, samples: int, key: int) -> Floats:
    """The share of races won by each boat, of `samples` that are played on from each moment: [moment, seat].

    All boats race on as `solo`. `key` tells the dice; the moments of a call have other dice.
    """
    assert record.course is not None
    course = record.course
    tables = course.own_water(), course.throws, course.book
    fleets = np.stack([_fleet(record, int(moment)) for moment in moments]).reshape(-1, record.seats, COLUMNS)
    return np.asarray(play_on(*tables, fleets, record.mover[moments], samples, np.uint64(key)))


def squared_errors(oracle: RaceOracle, moments: int, samples: int, rng: np.random.Generator) -> Floats:
    """The mean squares over boats of what an oracle's chances are off by at some open moments, without the rollouts'
    own variance (so that it may be below 0); none over tiles, where compiling would take too long."""
    record = oracle.record
    if record.course is None or not isinstance(record.course.race.moves, Straights):
        return np.zeros(0)
    open_ = np.flatnonzero((record.winner < 0) & (record.mover >= 0))
    chosen = np.sort(rng.choice(open_, min(moments, open_.size), replace=False))
    played = rollouts(record, chosen, samples, int(rng.integers(1 << 62)))
    noise = played * (1 - played) / (samples - 1)
    return np.asarray(((played - oracle.win[chosen]) ** 2 - noise).mean(axis=1))


def _fleet(record: RaceRecord, moment: int) -> Fleet:
    """The boats of a moment as the compiled races see them."""
    state, race = record.state[moment], record.course.race  # type: ignore[union-attr]
    fleet = np.zeros((record.seats, COLUMNS), np.int32)
    left = state < 0
    damage, cell = np.divmod(state, race.rows * race.row_cells)
    row = cell // race.row_cells
    racing = np.stack([row, row % race.hexes, cell % 8, cell % race.row_cells // 8, damage], axis=1)
    fleet[:, [ROW, AT, FACING, HAND, DAMAGE]] = np.where(left[:, None], [0, AWAY, 0, 0, 0], racing)
    fleet[:, SITUATION] = np.where(left, np.where(state == HOME, FINISHED, SUNK), RACING)
    # Who left before whom does not matter here, only that they have.
    fleet[:, LEFT] = np.where(left, 0, -1)
    return fleet


@compiled
def play_on(
    water: AnyWater, dice: Throws, book: Book, fleets: Fleet, movers: Longs, samples: int, key: np.uint64
) -> Floats:
    """The share of races won by [fleet, seat]."""
    count, seats = fleets.shape[:2]
    found, trial = np.zeros((count, seats)), np.empty((seats, fleets.shape[2]), np.int32)
    rng, shown = np.empty((seats, 2), np.uint64), np.empty(64, np.int8)
    for k in range(count):
        base = mixed(key + np.uint64(k + 1) * GOLDEN)
        for sample in range(samples):
            for seat in range(seats):
                rng[seat, KEY] = mixed(base + np.uint64(sample * seats + seat + 1) * GOLDEN)
                rng[seat, DRAWN] = 0
            trial[:] = fleets[k]
            seat = first_in(water, dice, book, trial, movers[k], rng, shown)
            if seat >= 0:
                found[k, seat] += 1.0
    return found / max(samples, 1)


@compiled
def first_in(water: AnyWater, dice: Throws, book: Book, fleet: Fleet, mover: int, rng: Rng, shown: Bytes) -> int:
    """Plays on until a boat has won: the first to finish, or the last afloat (PB-23, PB-26); −1 if none ever does."""
    seat = np.int64(mover)
    for _ in range(MOST_TURNS):
        afloat, last = 0, 0
        for other in range(fleet.shape[0]):
            if fleet[other, SITUATION] == RACING:
                afloat, last = afloat + 1, other
        if afloat == 1:
            return last
        table_turn(water, dice, book, 0, fleet, seat, rng, shown)
        if fleet[seat, SITUATION] == FINISHED:
            return int(seat)
        stop_last(water, fleet)
        seat = np.int64(next_mover(fleet, seat))
        if seat < 0:
            return last
    return -1
