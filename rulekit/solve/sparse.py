"""A race followed where the boat mostly is: rows that hardly ever carry it are dropped, so that a turn costs little."""

from dataclasses import dataclass

import numpy as np

from rulekit.solve.bounds import Solution, aligned, working_space
from rulekit.solve.flow import throw_mass
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Shorts, add_dice, end_of, fix_row, throw_values
from rulekit.solve.passage import State
from rulekit.solve.policy import empty_policy, pick_choices, pick_steers

SHARE, LEAST = 1e-4, 1e-8
"""Of the boats with some damage, the share that a row must carry to be followed; and the least chance of all."""

LEFT, MOST_TURNS = 1e-3, 500
"""The race is followed until less than this chance is left, or for so many turns."""

RARE = 1e-14
"""Moves less likely than this are dropped."""


@dataclass(frozen=True)
class Ending:
    """How a race ends: chances of finishing and sinking, moves with damage a race.

    `unhurt` is the chance to finish without damage, `strayed` that to come into the last row, `dropped` what else was
    not followed. The other figures are shares of what was followed to an end: they are off by at most about these.
    """

    finish: float
    sink: float
    unhurt: float
    crashes: float
    strayed: float
    dropped: float


def unhurt_mostly(solution: Solution, state: State) -> float:
    """The chance to finish without damage on the way, but for what is rare: followed to the first damage only."""
    totals = _follow(solution, state, state[0] + 1)
    return float(totals[4] / (totals[4] + totals[2]))


def follow_mostly(solution: Solution, state: State) -> Ending:
    """The race from a state under the best choices, but for what is rare; nobody is followed beyond the last row."""
    finish, sunk, crashes, strayed, unhurt = map(float, _follow(solution, state, solution.race.levels))
    ended = finish + sunk
    lost = max(0.0, 1.0 - ended - strayed)
    return Ending(finish / ended, sunk / ended, unhurt / ended, crashes / ended, strayed, lost)


def _follow(solution: Solution, state: State, levels: int) -> Floats:
    """(finished, sunk, moves with damage, strayed, finished unhurt) of boats with less damage than `levels`."""
    race, damage = solution.race, state[0]
    told, known = empty_policy(race), np.zeros((race.levels, race.rows), np.int8)
    fixed, table = aligned(race.rows * race.board.slots * 8), working_space(race, 1).work[0]
    start, options = race.dice.listed_choices
    mass, after = (np.zeros((race.levels, race.rows * race.row_cells)) for _ in range(2))
    hit, hit_after = (np.zeros((race.levels, race.rows), np.int8) for _ in range(2))
    work, totals = np.zeros(8 * int(race.dice_tables.start[-1])), np.zeros(5)
    mass[damage, race.cell(*state[1:])] = 1.0
    hit[damage, race.cell(*state[1:]) // race.row_cells] = 1
    for _ in range(MOST_TURNS):
        left = 0.0
        for level in range(damage, levels):
            rows, sum_ = rows_that_count(mass[level], hit[level], race.row_cells, SHARE, LEAST, totals)
            left += sum_
            learn_rows(
                rows, known[level], solution.levels, level, race.board, race.dice_tables, fixed, solution.sunk,
                start, options, table, told.choice[level], told.steer[level],
            )  # fmt: skip
            flow_rows(
                mass, after, hit_after, level, rows, race.board, race.dice_tables, told.choice[level],
                told.steer[level], work, totals, level == damage,
            )  # fmt: skip
        mass, after, hit, hit_after = after, mass, hit_after, hit
        if left < LEFT:
            break
    return totals


@compiled
def rows_that_count(
    mass: Floats, hit: Bytes, row_cells: int, share: float, least: float, totals: Floats
) -> tuple[Ints, float]:
    """(rows that are followed, mass of all rows); the others are emptied, `hit` is cleared."""
    carried = np.zeros(hit.size)
    total = 0.0
    for row in range(hit.size):
        if hit[row]:
            carried[row] = mass[row * row_cells : (row + 1) * row_cells].sum()
            total += carried[row]
    bar = max(least, share * total)
    rows = np.empty(hit.size, np.int32)
    count = 0
    for row in range(hit.size):
        if hit[row]:
            hit[row] = 0
            if row == hit.size - 1:
                totals[3] += carried[row]
            if carried[row] >= bar and row < hit.size - 1:
                rows[count] = row
                count += 1
            else:
                mass[row * row_cells : (row + 1) * row_cells] = 0.0
    return rows[:count], total


@compiled
def learn_rows(
    rows: Ints, known: Bytes, levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, sunk: float,
    start: Ints, options: Ints, work: Floats, choice: Shorts, steer: Bytes,
) -> None:  # fmt: skip
    """The best choices and directions in the rows that are not known yet."""
    row_cells, harm = dice.size.size * 8, np.zeros(dice.start[-1] * 8)
    for row in rows:
        if known[row] == 0:
            at = row * row_cells
            fix_row(levels, level, board, dice, sunk, row, fixed)
            throw_values(levels[level], fixed, board, dice, row, 0.0, work)
            add_dice(dice, work)
            harmful = pick_steers(levels, level, board, dice, sunk, row, steer, harm)
            if harmful:
                add_dice(dice, harm)
            pick_choices(work, harm, harmful, start, options, choice[at : at + row_cells])
            known[row] = 1


@compiled
def flow_rows(
    mass: Floats, after: Floats, hit: Bytes, level: int, rows: Ints, board: Board, dice: Dice, choice: Shorts,
    steer: Bytes, work: Floats, totals: Floats, first: bool,
) -> None:  # fmt: skip
    """Moves the rows' probability on by a turn and empties them; `totals` as in `_follow`."""
    hands = dice.size.size
    row_cells, finished = hands * 8, board.rows * hands * 8
    for row in rows:
        here = mass[level, row * row_cells : (row + 1) * row_cells]
        throw_mass(here, choice, row * row_cells, dice, work)
        here[:] = 0.0
        for hand in range(hands):
            for facing in range(6):
                chance = work[hand * 8 + facing]
                if chance < RARE:
                    continue
                gain, cell = end_of(board, dice, level, row, hand, facing, steer[row * row_cells + hand * 8 + facing])
                if gain > 0:
                    totals[2] += chance
                if cell >= finished:
                    totals[0] += chance
                    if first and gain == 0:
                        totals[4] += chance
                elif level + gain >= after.shape[0]:
                    totals[1] += chance
                else:
                    after[level + gain, cell] += chance
                    hit[level + gain, cell // row_cells] = 1
