"""Volatility of the chances to win, the oracle's self-check, and luck against decision (13, 14).

*A turn in four parts.* What a boat's own turn changes is parted at the stages of the turn: the dice chosen, the hand
thrown, the direction taken, and where other boats let it come to. Chances W take the boats' turns left as independent
and the solo optimum as what each boat does later:

    choice    Q − W      Q the mean of U over the hands that the choice can throw
    dice      U − Q      U the chance where the optimum goes with the hand thrown, the lake to itself
    direction F − U      F the chance where the direction taken leads, the lake to itself
    in the way  W′ − F   W′ the chance where the boat came to be (PB-19)

The sum is W′ − W, the change by the turn. The mean of the dice's part is 0, whatever the boat plays; a boat that plays
the solo optimum decides nothing else than that does, so that its choice and direction are 0. Where a boat takes its
lowest die off because others hold it on its hex, that is not its choice: it counts as boats in the way. The rest of
what changes comes in the others' turns.

Alone the same parts hold of V, the exact turns left, with Q, U and F told in turns: above 0 is better.
"""

from typing import NamedTuple

import numpy as np

from rulekit.solve.kernel import Floats
from rulekit.study.ahead_kernel import ends_among
from rulekit.study.chain_kernel import LOST, mean_ends
from rulekit.study.oracle import AFTER, BEFORE, RaceOracle, aimed_states, straits_of
from rulekit.study.record import RaceRecord, values_of

PARTS = ("choice of dice", "dice", "direction", "boats in the way")
CHOICE, DICE, DIRECTION, WAY = range(4)


def volatility(oracle: RaceOracle) -> Floats:
    """By race Σ ½ Σ |ΔW| over turns and boats: how much of the win changes hands."""
    step = np.zeros_like(oracle.win)
    step[1:] = oracle.win[1:] - oracle.win[:-1]
    step[oracle.record.starts] = 0.0
    return np.asarray(np.add.reduceat(np.abs(step).sum(axis=1) / 2, oracle.record.starts))


class Luck(NamedTuple):
    """A boat's races: the sums of its turns' parts by [boat, part], of their squares, and the change in all.

    A boat stands for one seat in one race: race by race, seat by seat.
    """

    parts: Floats
    squares: Floats
    change: Floats

    @property
    def others(self) -> Floats:
        """What changed in the others' turns."""
        return np.asarray(self.change - self.parts.sum(axis=1))


def of_wins(oracle: RaceOracle) -> Luck:
    """The parts of the chances to win."""
    record = oracle.record
    change = np.asarray(oracle.apart[record.ends] - oracle.apart[record.starts]).ravel()
    return _summed(record, win_parts(oracle), change)


def win_parts(oracle: RaceOracle) -> Floats:
    """The parts of the mover's chance by [turn, part]."""
    return without_held(oracle.record, np.diff(oracle.own[:, BEFORE : AFTER + 1], axis=1))


def of_turns(record: RaceRecord) -> Luck:
    """The parts of the turns left, exact; the change is what was won against the solo optimum's mean."""
    steps = turn_parts(record)
    return _summed(record, steps, _by_boat(record, steps.sum(axis=1)))


def turn_parts(record: RaceRecord) -> Floats:
    """The parts of V by [turn, part], in turns won: their sum is V before less V after less the turn itself."""
    assert record.course is not None
    course, turns = record.course, record.turns
    race = course.race
    tables = race.board, race.dice_tables, course.policy.steer.ravel(), course.solution.levels, course.solution.sunk
    chosen = mean_ends(*tables, turns.before, turns.entry)
    aimed = values_of(course, aimed_states(course.policy, turns.before, turns.thrown))
    left = [values_of(course, turns.before) - 1.0, chosen, aimed]
    left += [values_of(course, turns.free), values_of(course, turns.after)]
    return without_held(record, -np.diff(np.stack(left, axis=1), axis=1))


def without_held(record: RaceRecord, parts: Floats) -> Floats:
    """The parts, with the choices that boats held on their hex make put down to the boats in the way."""
    held = held_turns(record)
    found = parts.copy()
    found[held, WAY] += parts[held, CHOICE]
    found[held, CHOICE] = 0.0
    return found


def held_turns(record: RaceRecord) -> np.ndarray:
    """The turns in which the optimum throws no die, others would hold it on its hex, and the lowest die is taken off.

    Over tiles it is enough that another boat lies where it would go.
    """
    assert record.course is not None
    course, turns = record.course, record.turns
    race, usual = course.race, course.policy.choice.ravel()[turns.before]
    less = course.throws.less[turns.before % race.row_cells // 8]
    held = (turns.entry != usual) & (usual < race.dice.throws.start[1]) & (turns.entry == less)
    before, boats, seat = turns.before[held], record.state[record.moment[held]], turns.seat[held]
    if (straits := straits_of(course)) is not None:
        way = course.policy.steer.ravel()[before - before % race.row_cells + usual[held] * 8 + before % 8]
        # Without a crash and back on its hex: damage, progress and hex are what they were.
        held[held] = ends_among(straits, boats, seat, usual[held], way) // race.row_cells == before // race.row_cells
        return np.asarray(held)
    ends = aimed_states(course.policy, before, usual[held])
    boats[np.arange(boats.shape[0]), seat] = LOST
    lies = (boats >= 0) & (boats // race.row_cells % race.hexes == (ends // race.row_cells % race.hexes)[:, None])
    held[held] = lies.any(axis=1) & (ends >= 0)
    return np.asarray(held)


def _by_boat(record: RaceRecord, values: Floats) -> Floats:
    """Sums over each boat's turns."""
    boat = record.turns.match * record.seats + record.turns.seat
    return np.asarray(np.bincount(boat, values, record.wins.size), float)


def _summed(record: RaceRecord, parts: Floats, change: Floats) -> Luck:
    sums, squares = (
        np.stack([_by_boat(record, column) for column in values.T], axis=1) for values in (parts, parts**2)
    )
    return Luck(sums, squares, change)


def luck_share(squares: Floats) -> float:
    """Σ dice² / (Σ dice² + Σ decision²) of sums of squares by [boat, part]; the parts decided are the boat's own.

    NaN where nothing changed.
    """
    dice = squares[..., DICE].sum()
    decided = squares[..., CHOICE].sum() + squares[..., DIRECTION].sum()
    return float(dice / (dice + decided)) if dice + decided else float("nan")
