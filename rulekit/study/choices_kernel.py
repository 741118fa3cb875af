"""Compiled count of what a boat can choose from: dice choices that differ, that no other dominates, and their price.

Everything is worked out by the throw table: a number for every hand thrown, then means with one die less at a time.
"""

import numpy as np

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Shorts, end_of, listed_move, straight_move
from rulekit.study.chain_kernel import HOME, LOST, Longs

VALUE, CRASH, FORCED, MARK = range(4)
"""Numbers of an outcome: its value; whether the best direction crashes; whether every direction does; and a number
drawn for each end, whose mean tells distributions of ends apart."""

LEVEL = 1e-9
"""Means that lie no further apart are equal."""

GOLDEN, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@compiled
def drawn(number: int) -> float:
    """A number from 0 to 1 drawn for a whole number (SplitMix64)."""
    word = np.uint64(number + 3) * GOLDEN
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return float(np.float64((word ^ (word >> np.uint64(31))) >> np.uint64(11)) / 9007199254740992.0)


@compiled
def fill_outcomes(
    board: Board, dice: Dice, steer: Bytes, levels: Floats, sunk: float, state: int, table: Floats
) -> None:  # fmt: skip
    """The numbers of every hand thrown into the table's first part. Arrays are unpacked once."""
    hands, total, cells, ends, gains, clear = (
        dice.size.size,
        dice.total,
        board.cells,
        board.ends,
        board.gains,
        board.clear,
    )
    width, slots, finished = board.rows * hands * 8, board.slots, board.rows * hands * 8
    level, row, facing = state // width, state % width // (hands * 8), state % 8
    block, beyond = board.block[level * board.rows + row], finished + hands * 8
    for hand in range(hands):
        best, forced = steer[level * width + (row * hands + hand) * 8 + facing], 1.0
        for way in range(3):
            if block >= 0:
                gain, cell = listed_move(ends, gains, block * hands + hand, facing, way)
            else:
                gain, cell = straight_move(cells, clear, slots, finished, row, total[hand], hand, facing, way)
            if cell < beyond and gain == 0:
                forced = 0.0
            if way == best:
                home, lost = cell >= finished, level + gain >= levels.shape[0]
                end = HOME if home else LOST if lost else (level + gain) * width + cell
                table[hand, VALUE] = 0.0 if home else sunk if lost else levels[level + gain, cell]
                table[hand, CRASH], table[hand, MARK] = gain > 0, drawn(end)
        table[hand, FORCED] = forced


@compiled
def fill_means(start: Ints, more: Ints, chance: Floats, table: Floats) -> None:
    """The means of every entry with dice to throw, by those with one less."""
    for rolled in range(1, start.size - 1):
        before, here = start[rolled - 1], start[rolled]
        for kept in range(start[rolled + 1] - here):
            for number in range(4):
                mean = 0.0
                for face in range(chance.size):
                    mean += chance[face] * table[before + more[kept * chance.size + face], number]
                table[here + kept, number] = mean


@compiled
def count_distinct(table: Floats, options: Ints, kinds: Ints) -> int:
    """Fills in one option of each distribution of ends; their number."""
    count = 0
    for option in options:
        new = True
        for k in range(count):
            new &= abs(table[kinds[k], MARK] - table[option, MARK]) > LEVEL
        if new:
            kinds[count] = option
            count += 1
    return count


@compiled
def is_dominated(table: Floats, kinds: Ints, count: int, k: int) -> bool:
    """Whether another choice is as good in value and chance of a crash, and better in one of them."""
    value, crash = table[kinds[k], VALUE], table[kinds[k], CRASH]
    for other in range(count):
        less = value - table[kinds[other], VALUE], crash - table[kinds[other], CRASH]
        if min(less) > -LEVEL and max(less) > LEVEL:
            return True
    return False


@compiled
def summed_up(table: Floats, options: Ints, kinds: Ints) -> tuple[int, int, float, float]:
    """(choices that differ, those not dominated, value of the second best less that of the best, least chance that a
    crash cannot be avoided). The second best is ∞ away where there is but one."""
    count = count_distinct(table, options, kinds)
    free, best, second, risk = 0, np.inf, np.inf, np.inf
    for k in range(count):
        free += not is_dominated(table, kinds, count, k)
        value = table[kinds[k], VALUE]
        best, second = min(best, value), min(second, max(best, value))
        risk = min(risk, table[kinds[k], FORCED])
    return count, free, second - best, risk


@compiled
def survey(
    board: Board, dice: Dice, start: Ints, options: Ints, steer: Bytes, levels: Floats, sunk: float, states: Longs
) -> Floats:  # fmt: skip
    """What `summed_up` tells, by [state, number]; states that differ in the hand alone are best told one by one."""
    found, table = np.empty((states.size, 4)), np.empty((dice.start[-1], 4))
    kinds, row_cells, last = np.empty(options.size, np.int32), dice.size.size * 8, -1
    for i in range(states.size):
        place, hand = states[i] // row_cells * 8 + states[i] % 8, states[i] % row_cells // 8
        if place != last:
            fill_outcomes(board, dice, steer, levels, sunk, states[i], table)
            fill_means(dice.start, dice.more, dice.chance, table)
            last = place
        count, free, spread, risk = summed_up(table, options[start[hand] : start[hand + 1]], kinds)
        found[i, 0], found[i, 1], found[i, 2], found[i, 3] = count, free, spread, risk
    return found


@compiled
def legal_ways(board: Board, dice: Dice, state: Longs, thrown: Shorts) -> Ints:
    """Number of legal directions with each of many hands thrown."""
    hands, found = dice.size.size, np.zeros(state.size, np.int32)
    width = board.rows * hands * 8
    for i in range(state.size):
        level, row, facing = state[i] // width, state[i] % width // (hands * 8), state[i] % 8
        for way in range(3):
            found[i] += end_of(board, dice, level, row, thrown[i], facing, way)[1] < width + hands * 8
    return found
