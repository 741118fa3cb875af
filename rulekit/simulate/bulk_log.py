"""Compiled log of turns: each written down as the races that take turns make it, later filed by match."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.simulate.bulk_kernel import (
    AT,
    BACK,
    CRASHED,
    DAMAGE,
    FACING,
    FINISHED,
    HAND,
    ROW,
    SITUATION,
    SUNK,
    THROWN,
    TURNS,
    Fleet,
    Longs,
    Whole,
)
from rulekit.solve.jit import compiled_bare
from rulekit.solve.kernel import Bytes, Ints, Shorts

LOG = 12
"""Columns of a log: match, seat, entry, way, turns taken, hex, facing, hand, row, damage, hand thrown, and in one what
came of it: 1 crashed, 2 finished, 4 sunk, the hexes that it fell back times 8."""

Flags = NDArray[np.bool_]


@compiled_bare
def write_turn(line: Ints, fleet: Fleet, match: Whole, seat: Whole, entry: Whole, way: Whole) -> None:
    """A boat's turn, just made, into a line of the log."""
    line[0], line[1], line[2], line[3] = match, seat, entry, way
    for k, column in enumerate((TURNS, AT, FACING, HAND, ROW, DAMAGE, THROWN)):
        line[4 + k] = fleet[seat, column]
    status = fleet[seat, SITUATION]
    line[11] = fleet[seat, CRASHED] | (status == FINISHED) << 1 | (status == SUNK) << 2 | fleet[seat, BACK] << 3


class Turns(NamedTuple):
    """Turns by column, see `turn_log.TurnLog`."""

    match: Ints
    seat: Bytes
    number: Shorts
    at: Ints
    facing: Bytes
    hand: Shorts
    progress: Bytes
    damage: Shorts
    entry: Shorts
    thrown: Shorts
    way: Bytes
    crashed: Flags
    fell_back: Shorts
    finished: Flags
    sunk: Flags


def empty_turns(count: int) -> Turns:
    """Room for so many turns."""

    def whole() -> Ints:
        return np.zeros(count, np.int32)

    def short() -> Shorts:
        return np.zeros(count, np.int16)

    def byte() -> Bytes:
        return np.zeros(count, np.int8)

    def flag() -> Flags:
        return np.zeros(count, np.bool_)

    return Turns(
        match=whole(), seat=byte(), number=short(), at=whole(), facing=byte(), hand=short(), progress=byte(),
        damage=short(), entry=short(), thrown=short(), way=byte(), crashed=flag(), fell_back=short(), finished=flag(),
        sunk=flag(),
    )  # fmt: skip


@compiled_bare
def file_turns(log: Ints, first: int, hexes: int, place: Longs, turns: Turns) -> None:
    """Each turn of a log into its match's next place; matches are told from `first` on, rows are parted by hexes."""
    for i in range(log.shape[0]):
        line = log[i]
        k = place[line[0]]
        place[line[0]] += 1
        turns.match[k], turns.seat[k], turns.entry[k], turns.way[k] = first + line[0], line[1], line[2], line[3]
        turns.number[k], turns.at[k], turns.facing[k], turns.hand[k] = line[4], line[5], line[6], line[7]
        turns.progress[k], turns.damage[k], turns.thrown[k] = line[8] // hexes, line[9], line[10]
        turns.crashed[k], turns.finished[k] = line[11] & 1, line[11] >> 1 & 1
        turns.sunk[k], turns.fell_back[k] = line[11] >> 2 & 1, line[11] >> 3
