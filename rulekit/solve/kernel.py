"""Compiled values of one row of the solo race: the after-throw values, the throw table and the dice choice of one row.

A *row* is a progress and a water hex; its values are hands × eight lanes (six facings, two unused). One row of a level
(a damage) is computed in three stages: W(hand) from the moves, U(kept, rolled) by adding dice one by one, V(hand) by
dropping dice one by one. Arrays are flat; a *cell* is (row · hands + hand) · 8 + facing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.jit import compiled
from rulekit.solve.lanes import add, best_neighbour, fill, gather, least, load, scale, store

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Shorts = NDArray[np.int16]


class Dice(NamedTuple):
    """The hands' tables: see `hands.Hands` and `hands.Throws`; `less` has the number of hands where no such hand is."""

    size: Ints
    total: Ints
    slot: Ints  # what moves depend on: a hand's total, or its number where some rows are listed
    more: Ints  # flat: hand · faces + face
    less: Ints  # likewise
    chance: Floats
    start: Ints
    upto: Ints  # upto[k]: number of hands of fewer than k dice
    option_start: Ints
    options: Ints
    change: int
    must_roll: int
    listed: bool  # choices stand in `options` instead of every sub-hand


class Board(NamedTuple):
    """Where moves lead: cells, the impossible row's where a move damages or is illegal.

    From *straight* rows (`first` −1) they lie in `cells`, by (row, total, facing chosen). From *listed* rows moves
    depend on the hand: those without damage lie in `listed` from group `first` on, by (hand, facing chosen) or, where
    `steered`, by (hand, steer, facing before); all of them in `ends`, with the damage in `gains`, by (block, hand,
    steer, facing before), where `block`[level · rows + row] says which block.
    """

    cells: Ints
    clear: Ints
    listed: Ints
    first: Ints
    steered: Bytes
    ends: Ints
    gains: Bytes
    block: Ints
    rows: int
    slots: int  # of a row: at least the totals + 1, and the hands where there are listed rows


class Rule(NamedTuple):
    """How values are taken: the best choices, or those of a policy ([level, cell]: entry of the throw table, steer)."""

    fixed_policy: bool
    marking: bool
    sunk: float
    choice: Shorts
    steer: Bytes


@compiled
def throw_values(values: Floats, fixed: Floats, board: Board, dice: Dice, row: int, step: float, table: Floats) -> None:
    """W of every hand of a row into the throw table's first part: `step` + the best legal direction's value."""
    if board.first[row] >= 0:
        _listed_values(values, fixed, board, dice, row, step, table)
        return
    each = fill(step)
    for hand in range(dice.size.size):
        slot = row * board.slots + dice.total[hand]
        best = best_neighbour(gather(values, board.cells, slot, hand * 8))
        store(table, hand, add(each, least(best, load(fixed, slot))))


@compiled
def _listed_values(
    values: Floats, fixed: Floats, board: Board, dice: Dice, row: int, step: float, table: Floats
) -> None:
    each, first, slot = fill(step), board.first[row], row * board.slots
    for hand in range(dice.size.size):
        if board.steered[row]:
            best = gather(values, board.listed, first + 3 * hand, 0)
            best = least(best, gather(values, board.listed, first + 3 * hand + 1, 0))
            best = least(best, gather(values, board.listed, first + 3 * hand + 2, 0))
        else:
            best = best_neighbour(gather(values, board.listed, first + hand, 0))
        store(table, hand, add(each, least(best, load(fixed, slot + hand))))


@compiled
def add_dice(dice: Dice, table: Floats) -> None:
    """U(kept, rolled) from U(kept + a die, rolled − 1), for all numbers rolled."""
    most = dice.start.size - 2
    for rolled in range(1, most + 1):
        here = dice.start[rolled]
        kept_hands = dice.start[rolled + 1] - here
        if dice.chance.size == 3:
            _add_three(dice, table, dice.start[rolled - 1], here, kept_hands)
        else:
            _add_any(dice, table, dice.start[rolled - 1], here, kept_hands)


@compiled
def _add_three(dice: Dice, table: Floats, before: int, here: int, kept_hands: int) -> None:
    """One die of three faces, unrolled: chances and offsets stay in registers."""
    low, middle, high = fill(dice.chance[0]), fill(dice.chance[1]), fill(dice.chance[2])
    for kept in range(kept_hands):
        i = 3 * kept
        mean = scale(low, load(table, before + dice.more[i]))
        mean = add(mean, scale(middle, load(table, before + dice.more[i + 1])))
        store(table, here + kept, add(mean, scale(high, load(table, before + dice.more[i + 2]))))


@compiled
def _add_any(dice: Dice, table: Floats, before: int, here: int, kept_hands: int) -> None:
    for kept in range(kept_hands):
        mean = scale(fill(dice.chance[0]), load(table, before + dice.more[kept * dice.chance.size]))
        for face in range(1, dice.chance.size):
            part = scale(fill(dice.chance[face]), load(table, before + dice.more[kept * dice.chance.size + face]))
            mean = add(mean, part)
        store(table, here + kept, mean)


@compiled
def choose_any(dice: Dice, table: Floats, dropped: Floats, out: Floats, at: int) -> None:
    """V(hand) = least B(hand, n) over the allowed numbers n of dice: B keeps all of the hand or drops one die more.

    B(hand, n) stands at dropped[hand · (most + 1) + n]; a row of infinities follows the last hand's.
    """
    wide = dice.start.size - 1
    hands = dice.size.size
    for total in range(wide):
        store(dropped, hands * wide + total, fill(np.inf))
    for hand in range(hands):
        size = dice.size[hand]
        floor = max(size - dice.change, dice.must_roll if size == 0 else 0)
        if dice.chance.size == 3:
            _drop_three(dice, table, dropped, hand, size)
        else:
            _drop_any(dice, table, dropped, hand, size)
        best = fill(np.inf)
        for total in range(floor, min(size + dice.change, wide - 1) + 1):
            best = least(best, load(dropped, hand * wide + total))
        store(out, at + hand, best)


@compiled
def _drop_three(dice: Dice, table: Floats, dropped: Floats, hand: int, size: int) -> None:
    wide = dice.start.size - 1
    i = 3 * hand
    low, middle, high = dice.less[i] * wide, dice.less[i + 1] * wide, dice.less[i + 2] * wide
    for total in range(max(size - dice.change, 0), wide):
        best = least(load(dropped, low + total), load(dropped, middle + total))
        best = least(best, load(dropped, high + total))
        if total >= size:
            best = least(best, load(table, dice.start[total - size] + hand))
        store(dropped, hand * wide + total, best)


@compiled
def _drop_any(dice: Dice, table: Floats, dropped: Floats, hand: int, size: int) -> None:
    wide = dice.start.size - 1
    for total in range(max(size - dice.change, 0), wide):
        best = load(table, dice.start[total - size] + hand) if total >= size else fill(np.inf)
        for face in range(dice.chance.size):
            best = least(best, load(dropped, dice.less[hand * dice.chance.size + face] * wide + total))
        store(dropped, hand * wide + total, best)


@compiled
def choose_listed(dice: Dice, table: Floats, out: Floats, at: int) -> None:
    """V(hand) = least U over the listed choices."""
    for hand in range(dice.size.size):
        best = fill(np.inf)
        for option in range(dice.option_start[hand], dice.option_start[hand + 1]):
            best = least(best, load(table, dice.options[option]))
        store(out, at + hand, best)


@compiled
def row_values(
    levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, rule: Rule, step: float, row: int,
    work: Floats, out: Floats, at: int,
) -> None:  # fmt: skip
    """One row's new values into `out` from group `at` on, by the best choices or by the rule's policy."""
    if rule.fixed_policy:
        steered_values(levels, level, board, dice, rule, step, row, work)
    else:
        throw_values(levels[level], fixed, board, dice, row, step, work)
    add_dice(dice, work)
    if rule.fixed_policy:
        choose_chosen(rule.choice[level], dice.size.size * 8, row, work, out, at)
    elif dice.listed:
        choose_listed(dice, work, out, at)
    else:
        choose_any(dice, work, work[8 * dice.start[-1] :], out, at)


@compiled
def steered_values(
    levels: Floats, level: int, board: Board, dice: Dice, rule: Rule, step: float, row: int, table: Floats
) -> None:
    """As throw_values, in the policy's directions."""
    hands = dice.size.size
    steer, totals, finished = rule.steer[level], dice.total, board.rows * hands * 8
    cells, ends, gains, clear = board.cells, board.ends, board.gains, board.clear
    width, block, sunk = board.slots, board.block[level * board.rows + row], rule.sunk
    for hand in range(hands):
        for facing in range(6):
            way = steer[(row * hands + hand) * 8 + facing]
            if block >= 0:
                gain, cell = listed_move(ends, gains, block * hands + hand, facing, way)
            else:
                gain, cell = straight_move(cells, clear, width, finished, row, totals[hand], hand, facing, way)
            table[hand * 8 + facing] = step + end_value(levels, level, gain, cell, sunk, finished)
        for lane in range(6, 8):
            table[hand * 8 + lane] = 0.0


@compiled
def choose_chosen(choice: Shorts, row_cells: int, row: int, table: Floats, out: Floats, at: int) -> None:
    """V(hand) = U of the policy's choice."""
    for i in range(row_cells):
        lane = i % 8
        out[at * 8 + i] = table[choice[row * row_cells + i] * 8 + lane] if lane < 6 else np.inf


@compiled
def listed_move(ends: Ints, gains: Bytes, at: int, facing: int, steer: int) -> tuple[int, int]:
    """(damage, cell) of a listed move; `at` is block · hands + hand."""
    i = (3 * at + steer) * 8 + facing
    return gains[i], ends[i]


@compiled
def straight_move(
    cells: Ints, clear: Ints, slots: int, finished: int, row: int, total: int, hand: int, facing: int, steer: int
) -> tuple[int, int]:
    """(damage, cell) of a straight move; steer 0, 1, 2: right, straight, left. Illegal: a cell of infinite value."""
    place = row % (clear.size // 6) * 6
    ahead = (facing + 5 + steer) % 6
    free = clear[place + ahead]
    if free >= total:
        return 0, cells[(row * slots + total) * 8 + ahead] + hand * 8
    if free < longest_way(clear, row, facing):
        return 0, finished + finished // (cells.size // (slots * 8)) + ahead
    return total - free, cells[(row * slots + free) * 8 + ahead]


@compiled
def end_value(levels: Floats, level: int, gain: int, cell: int, sunk: float, finished: int) -> float:
    """The value at a move's end: a boat that finished keeps its place even if it sinks (PB-22)."""
    if cell < finished and level + gain >= levels.shape[0]:
        return sunk
    return float(levels[min(level + gain, levels.shape[0] - 1), cell])


@compiled
def fix_row(levels: Floats, level: int, board: Board, dice: Dice, sunk: float, row: int, fixed: Floats) -> None:
    """A row's best values among the moves that damage: known before its level is solved, since damage only grows."""
    slots, hands, block = board.slots, dice.size.size, board.block[level * board.rows + row]
    cells, ends, gains, clear, finished = board.cells, board.ends, board.gains, board.clear, board.rows * hands * 8
    fixed[row * slots * 8 : (row + 1) * slots * 8] = np.inf
    for facing in range(6):
        first = 0 if block >= 0 else longest_way(clear, row, facing) + 1
        for slot in range(first, hands if block >= 0 else slots):
            best = np.inf
            for steer in range(3):
                if block >= 0:
                    gain, cell = listed_move(ends, gains, block * hands + slot, facing, steer)
                else:
                    gain, cell = straight_move(cells, clear, slots, finished, row, slot, 0, facing, steer)
                if gain > 0:
                    best = min(best, end_value(levels, level, gain, cell, sunk, finished))
            fixed[(row * slots + slot) * 8 + facing] = best


@compiled
def end_of(board: Board, dice: Dice, level: int, row: int, hand: int, facing: int, steer: int) -> tuple[int, int]:
    """(damage, cell) of any move; cells of the impossible row are illegal."""
    hands, block = dice.size.size, board.block[level * board.rows + row]
    if block >= 0:
        return listed_move(board.ends, board.gains, block * hands + hand, facing, steer)
    finished = board.rows * hands * 8
    return straight_move(board.cells, board.clear, board.slots, finished, row, dice.total[hand], hand, facing, steer)


@compiled
def cells_read(board: Board, hands: int, row: int) -> Ints:
    """The cells of a row's moves without damage."""
    first = board.first[row]
    if first < 0:
        return board.cells[row * board.slots * 8 : (row + 1) * board.slots * 8]
    return board.listed[first * 8 : (first + hands * (3 if board.steered[row] else 1)) * 8]


@compiled
def longest_way(clear: Ints, row: int, facing: int) -> int:
    """The most clear water in the three directions."""
    place = row % (clear.size // 6) * 6
    return int(max(clear[place + facing], clear[place + (facing + 1) % 6], clear[place + (facing + 5) % 6]))


@compiled
def fix_damaging(levels: Floats, level: int, board: Board, dice: Dice, sunk: float, fixed: Floats) -> None:
    """fix_row for all rows."""
    for row in range(board.rows):
        fix_row(levels, level, board, dice, sunk, row, fixed)
