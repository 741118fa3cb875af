"""Which states a boat can be in: yes or no, carried forward turn by turn with whatever dice.

A *slot* is (damage · rows + row) · 6 + facing; masks are [damage, cell] as in `kernel`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Dice, Ints, end_of
from rulekit.solve.model import Race

Bools = NDArray[np.bool_]
State = tuple[int, int, int, int, int]
"""(damage, progress, hex, facing, hand)."""


@dataclass(frozen=True)
class Allowed:
    """The dice choices that may be made: mask[row, facing, entry of the throw table]; `safe`: none can damage."""

    mask: Bools
    safe: bool


def allowed(race: Race, *, safe: bool = False, damage: int = 0) -> Allowed:
    """All choices, or only those after which every throw has a direction without damage.

    These depend on the damage that the boat has, and so keeps, where rocks can sink it.
    """
    entries = int(race.dice_tables.start[-1])
    mask = np.ones((race.rows, 6, entries), np.bool_)
    if safe:
        _mark_safe(mask, race.board, race.dice_tables, damage)
    return Allowed(mask, safe)


@compiled
def _mark_safe(mask: Bools, board: Board, dice: Dice, level: int) -> None:
    faces, finished = dice.chance.size, board.rows * dice.size.size * 8
    beyond = finished + dice.size.size * 8
    for row in range(board.rows):
        for facing in range(6):
            here = mask[row, facing]
            for hand in range(dice.size.size):
                good = False
                for steer in range(3):
                    gain, cell = end_of(board, dice, level, row, hand, facing, steer)
                    good = good or (cell < beyond and gain == 0)
                here[hand] = good
            for rolled in range(1, dice.start.size - 1):
                for kept in range(dice.start[rolled + 1] - dice.start[rolled]):
                    good = True
                    for face in range(faces):
                        good = good and here[dice.start[rolled - 1] + dice.more[kept * faces + face]]
                    here[dice.start[rolled] + kept] = good


def start_mask(race: Race, state: State) -> Bools:
    """Only this state."""
    damage, progress, place, facing, hand = state
    mask = np.zeros((race.levels, race.rows * race.row_cells), np.bool_)
    mask[damage, race.cell(progress, place, facing, hand)] = True
    return mask


def spread(race: Race, now: Bools, choices: Allowed) -> tuple[Bools, bool]:
    """The states that one turn can lead to from any of `now`, and whether a boat can finish."""
    after = np.zeros_like(now)
    marks = np.zeros(int(race.dice_tables.start[-1]), np.bool_)
    listed = race.dice.listed_choices
    finishes = False
    for level in range(race.levels):
        tables = race.board, race.dice_tables, *listed
        finishes |= _spread_level(now, after, level, *tables, choices.mask, choices.safe, marks)
    return after, finishes


@compiled
def _spread_level(
    now: Bools, after: Bools, level: int, board: Board, dice: Dice, option_start: Ints, options: Ints, mask: Bools,
    safe: bool, marks: Bools,
) -> bool:  # fmt: skip
    """Marks what a level's states lead to; whether the finish is among it."""
    hands, finishes = dice.size.size, False
    for row in range(board.rows):
        here = now[level, row * hands * 8 : (row + 1) * hands * 8]
        if not here.any():
            continue
        for facing in range(6):
            if _mark_thrown(here[facing::8], mask[row, facing], dice, option_start, options, marks):
                for hand in range(hands):
                    if marks[hand] and _mark_moves(after, level, board, dice, row, hand, facing, safe):
                        finishes = True
    return finishes


@compiled
def _mark_thrown(here: Bools, mask: Bools, dice: Dice, option_start: Ints, options: Ints, marks: Bools) -> bool:
    """Marks the hands that can be thrown in the first part of `marks`; False if there is none."""
    faces, found = dice.chance.size, False
    marks[:] = False
    for hand in range(here.size):
        if here[hand]:
            for option in range(option_start[hand], option_start[hand + 1]):
                if mask[options[option]]:
                    marks[options[option]] = True
                    found = True
    for rolled in range(dice.start.size - 2, 0, -1):
        for kept in range(dice.start[rolled + 1] - dice.start[rolled]):
            if marks[dice.start[rolled] + kept]:
                for face in range(faces):
                    marks[dice.start[rolled - 1] + dice.more[kept * faces + face]] = True
    return found


@compiled
def _mark_moves(
    after: Bools, level: int, board: Board, dice: Dice, row: int, hand: int, facing: int, safe: bool
) -> bool:
    """Marks the ends of a thrown hand's moves; whether one of them finishes."""
    finished, finishes = board.rows * dice.size.size * 8, False
    for steer in range(3):
        gain, cell = end_of(board, dice, level, row, hand, facing, steer)
        if safe and gain > 0:
            continue
        if cell < finished:
            if level + gain < after.shape[0]:
                after[level + gain, cell] = True
        elif cell < finished + dice.size.size * 8:
            finishes = True
    return finishes


def first_turns(race: Race, state: State, choices: Allowed) -> Ints:
    """For each hex the fewest turns after which the boat can stand there with the best dice; −1 where it never can.

    A turn counts at least: the boat's own hex is reached by the first turn that can end there.
    """
    found = np.full(race.hexes, -1, np.int32)
    now = start_mask(race, state)
    seen = now.copy()
    turn = 0
    while now.any() and (found < 0).any():
        turn += 1
        after, _ = spread(race, now, choices)
        found[hexes_of(race, after) & (found < 0)] = turn
        now = after & ~seen
        seen |= after
    return found


def hexes_of(race: Race, mask: Bools) -> Bools:
    """The hexes of a mask's states."""
    return np.asarray(_by_hex(race, mask).any(axis=(0, 1, 3, 4)))


def facings_of(race: Race, mask: Bools) -> Bools:
    """[hex, facing] of a mask's states."""
    found: Bools = np.any(_by_hex(race, mask), axis=(0, 1, 3))
    return found[:, :6]


def _by_hex(race: Race, mask: Bools) -> Bools:
    return mask.reshape(race.levels, race.progresses, race.hexes, race.dice.hands.count, 8)
