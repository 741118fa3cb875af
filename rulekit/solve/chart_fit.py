"""Compiled sums over the states that a boat comes to: what instructions shared by many states cost."""

import numpy as np

from rulekit.solve.flow import throw_mass
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import (
    Board,
    Dice,
    Floats,
    Ints,
    Rule,
    Shorts,
    add_dice,
    end_of,
    end_value,
    fix_row,
    steered_values,
    throw_values,
)


@compiled
def throw_table(
    levels: Floats, level: int, row: int, board: Board, dice: Dice, rule: Rule, work: Floats, fixed: Floats
) -> None:
    """What every (hand kept, dice rolled) of a row costs, this turn included, in the rule's or the best directions."""
    if rule.fixed_policy:
        steered_values(levels, level, board, dice, rule, 1.0, row, work)
    else:
        fix_row(levels, level, board, dice, rule.sunk, row, fixed)
        throw_values(levels[level], fixed, board, dice, row, 1.0, work)
    add_dice(dice, work)


@compiled
def add_option_costs(
    costs: Floats, letters: Ints, levels: Floats, level: int, seen: Floats, board: Board, dice: Dice, rule: Rule,
    option_start: Ints, options: Ints, work: Floats, fixed: Floats,
) -> None:  # fmt: skip
    """costs[letter, option] += visits × cost, over a level's states; options are those of all hands in a row."""
    hands = dice.size.size
    for row in range(board.rows):
        here = seen[level, row * hands * 8 : (row + 1) * hands * 8]
        if here.sum() <= 0.0:
            continue
        throw_table(levels, level, row, board, dice, rule, work, fixed)
        for hand in range(hands):
            for facing in range(6):
                weight = here[hand * 8 + facing]
                if weight > 0.0:
                    for option in range(option_start[hand], option_start[hand + 1]):
                        costs[letters[row, facing], option] += weight * work[options[option] * 8 + facing]


@compiled
def add_letter_costs(
    costs: Floats, tables: Shorts, levels: Floats, level: int, seen: Floats, board: Board, dice: Dice, rule: Rule,
    work: Floats, fixed: Floats,
) -> None:  # fmt: skip
    """costs[row, facing, letter] += visits × cost of the letter's instructions tables[letter, hand]."""
    hands = dice.size.size
    for row in range(board.rows):
        here = seen[level, row * hands * 8 : (row + 1) * hands * 8]
        if here.sum() <= 0.0:
            continue
        throw_table(levels, level, row, board, dice, rule, work, fixed)
        for facing in range(6):
            for hand in range(hands):
                weight = here[hand * 8 + facing]
                if weight > 0.0:
                    for letter in range(tables.shape[0]):
                        costs[row, facing, letter] += weight * work[tables[letter, hand] * 8 + facing]


@compiled
def add_steer_costs(
    costs: Floats, levels: Floats, level: int, seen: Floats, choice: Shorts, board: Board, dice: Dice, sunk: float,
    work: Floats,
) -> None:  # fmt: skip
    """costs[row, facing, total, way] += chance of the throws × what the move leads to; way 0, 1, 2: right … left.

    A way that is not legal counts as the one that is taken in its place: the first legal of straight, right, left.
    """
    hands = dice.size.size
    rows = board.rows
    ends = np.empty(3)
    for row in range(rows):
        at = row * hands * 8
        here = seen[level, at : at + hands * 8]
        if here.sum() <= 0.0:
            continue
        throw_mass(here, choice, at, dice, work)
        for hand in range(hands):
            for facing in range(6):
                weight = work[hand * 8 + facing]
                if weight > 0.0:
                    for way in range(3):
                        gain, cell = end_of(board, dice, level, row, hand, facing, way)
                        legal = cell < (rows + 1) * hands * 8
                        ends[way] = end_value(levels, level, gain, cell, sunk, rows * hands * 8) if legal else np.inf
                    other = ends[1] if ends[1] < np.inf else (ends[0] if ends[0] < np.inf else ends[2])
                    for way in range(3):
                        worth = ends[way] if ends[way] < np.inf else other
                        costs[row, facing, dice.total[hand], way] += weight * min(worth, 1e4)
