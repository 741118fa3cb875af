"""Compiled sweeps of a race in which some dice choices cost extra: the best race that avoids them.

Which ones is told by risky[row, entry of the throw table · 8 + facing].
"""

import numpy as np

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import (
    Board,
    Bytes,
    Dice,
    Floats,
    Ints,
    Shorts,
    add_dice,
    choose_any,
    choose_listed,
    throw_values,
)
from rulekit.solve.policy import pick_choices, pick_steers


@compiled
def careful_table(
    values: Floats, board: Board, dice: Dice, fixed: Floats, row: int, risky: Bytes, extra: float, table: Floats
) -> None:
    """A row's throw table, with the extra cost of risky choices."""
    throw_values(values, fixed, board, dice, row, 1.0, table)
    add_dice(dice, table)
    for i in range(risky.shape[1]):
        table[i] += extra * risky[row, i]


@compiled
def settle_careful(
    values: Floats, board: Board, dice: Dice, fixed: Floats, order: Ints, reader_start: Ints, readers: Ints,
    risky: Bytes, extra: float, tolerance: float, table: Floats, fresh: Floats,
) -> None:  # fmt: skip
    """Sweeps a level in place until no row is stale; a row that changes makes those that read it so."""
    cells, stale, done = dice.size.size * 8, np.ones(board.rows, np.int8), 1
    while done:
        done = 0
        for row in order:
            if stale[row] == 0:
                continue
            done, stale[row], change = done + 1, 0, 0.0
            careful_table(values, board, dice, fixed, row, risky, extra, table)
            if dice.listed:
                choose_listed(dice, table, fresh, 0)
            else:
                choose_any(dice, table, table[8 * dice.start[-1] :], fresh, 0)
            for i in range(cells):
                # Infinite values, where no race ever ends, stay.
                if i % 8 < 6 and fresh[i] != values[row * cells + i]:
                    change = max(change, abs(fresh[i] - values[row * cells + i]))
                    values[row * cells + i] = fresh[i]
            if change > tolerance:
                for i in range(reader_start[row], reader_start[row + 1]):
                    stale[readers[i]] = 1


@compiled
def pick_careful(
    levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, start: Ints, options: Ints, sunk: float,
    risky: Bytes, extra: float, table: Floats, choice: Shorts, steer: Bytes,
) -> None:  # fmt: skip
    """A level's best choices and directions."""
    cells, harm = dice.size.size * 8, np.zeros(dice.start[-1] * 8)
    for row in range(board.rows):
        careful_table(levels[level], board, dice, fixed, row, risky, extra, table)
        pick_steers(levels, level, board, dice, sunk, row, steer, harm)
        pick_choices(table, harm, False, start, options, choice[row * cells : (row + 1) * cells])
