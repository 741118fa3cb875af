"""Compiled sweeps over the solo race: the after-throw values, the throw table and the dice choice of one row.

A *row* is a progress and a water hex; its values are hands × eight lanes (six facings, two unused). One row of a level
(a damage) is computed in three stages: W(hand) from the moves, U(kept, rolled) by adding dice one by one, V(hand) by
dropping dice one by one. Arrays are flat; a *cell* is (row · hands + hand) · 8 + facing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.jit import compiled, compiled_parallel, parallel_range
from rulekit.solve.lanes import (
    add,
    best_neighbour,
    fill,
    gather,
    greatest,
    highest,
    least,
    load,
    lowest,
    marked,
    rise,
    scale,
    store,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Shorts = NDArray[np.int16]


FRESH, STALE, DONE = 0, 1, 2
FEW_ROWS = 24  # too few to be worth waking the threads


class Dice(NamedTuple):
    """The hands' tables: see `hands.Hands` and `hands.Throws`; `less` has the number of hands where no such hand is."""

    size: Ints
    slot: Ints  # the place of a hand's moves in the board's tables: its total, or its number
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
    """Where moves lead: cells by (row, slot, facing chosen) or, if `by_hand`, by (row, hand, steer, facing before)."""

    cells: Ints  # of moves without damage; the impossible row's elsewhere
    ends: Ints  # by hand only: of all moves
    gains: Bytes  # by hand only
    clear: Ints  # straight moves only
    rows: int
    slots: int
    by_hand: bool


class Rule(NamedTuple):
    """How values are taken: the best choices, or those of a policy ([level, cell]: entry of the throw table, steer)."""

    fixed_policy: bool
    marking: bool
    sunk: float
    choice: Shorts
    steer: Bytes


class Active(NamedTuple):
    """The rows' order, which of them are stale, and who reads whom."""

    order: Ints
    stale: Bytes
    start: Ints
    readers: Ints


class Space(NamedTuple):
    """Working memory: a throw table a part, a batch's rows, their fresh values and changes."""

    work: Floats
    batch: Ints
    fresh: Floats
    rises: Floats
    falls: Floats


@compiled
def throw_values(values: Floats, fixed: Floats, board: Board, dice: Dice, row: int, step: float, table: Floats) -> None:
    """W of every hand of a row into the throw table's first part: `step` + the best legal direction's value."""
    hands = dice.size.size
    each = fill(step)
    for hand in range(hands):
        slot = row * board.slots + dice.slot[hand]
        if board.by_hand:
            best = gather(values, board.cells, 3 * slot, 0)
            best = least(best, gather(values, board.cells, 3 * slot + 1, 0))
            best = least(best, gather(values, board.cells, 3 * slot + 2, 0))
        else:
            best = best_neighbour(gather(values, board.cells, slot, hand * 8))
        store(table, hand, add(each, least(best, load(fixed, slot))))


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
    steer, slots, finished = rule.steer[level], dice.slot, board.rows * hands * 8
    cells, ends, gains, clear = board.cells, board.ends, board.gains, board.clear
    width, by_hand, sunk = board.slots, board.by_hand, rule.sunk
    for hand in range(hands):
        for facing in range(6):
            way = steer[(row * hands + hand) * 8 + facing]
            if by_hand:
                gain, cell = listed_move(ends, gains, row * width + hand, facing, way)
            else:
                gain, cell = straight_move(cells, clear, width, finished, row, slots[hand], hand, facing, way)
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
    """(damage, cell) of a move from the table of a board by hand."""
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
    slots, finished = board.slots, board.rows * dice.size.size * 8
    cells, ends, gains, clear, by_hand = board.cells, board.ends, board.gains, board.clear, board.by_hand
    fixed[row * slots * 8 : (row + 1) * slots * 8] = np.inf
    for facing in range(6):
        first = 0 if by_hand else longest_way(clear, row, facing) + 1
        for slot in range(first, slots):
            at = row * slots + slot
            best = np.inf
            for steer in range(3):
                if by_hand:
                    gain, cell = listed_move(ends, gains, at, facing, steer)
                else:
                    gain, cell = straight_move(cells, clear, slots, finished, row, slot, 0, facing, steer)
                if gain > 0:
                    best = min(best, end_value(levels, level, gain, cell, sunk, finished))
            fixed[at * 8 + facing] = best


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


@compiled
def change_of(new: Floats, at: int, old: Floats, place: int, hands: int) -> tuple[float, float]:
    """The greatest rise and the greatest fall (≤ 0) of a row's values."""
    up = fill(0.0)
    down = fill(0.0)
    for hand in range(hands):
        grown = rise(load(new, at + hand), load(old, place + hand))
        up = greatest(up, grown)
        down = least(down, grown)
    return highest(up), lowest(down)


@compiled
def mark(new: Floats, at: int, hands: int) -> None:
    """Below 0 becomes −1: some way out has been found."""
    for hand in range(hands):
        store(new, at + hand, marked(load(new, at + hand)))


@compiled
def copy_row(new: Floats, at: int, old: Floats, place: int, hands: int) -> None:
    """Overwrites a row's values."""
    for hand in range(hands):
        store(old, place + hand, load(new, at + hand))


@compiled
def compute_part(
    levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, rule: Rule, step: float, space: Space,
    part: int, parts: int, count: int,
) -> None:  # fmt: skip
    """A part of a batch: fresh values, their greatest rises and falls."""
    hands = dice.size.size
    for j in range(part, count, parts):
        row = space.batch[j]
        row_values(levels, level, board, dice, fixed, rule, step, row, space.work[part], space.fresh, j * hands)
        if rule.marking:
            mark(space.fresh, j * hands, hands)
        up, down = change_of(space.fresh, j * hands, levels[level], row * hands, hands)
        space.rises[j] = up
        space.falls[j] = down


@compiled_parallel
def compute(
    levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, rule: Rule, step: float, space: Space,
    count: int,
) -> None:  # fmt: skip
    """The rows of a batch, a part for each thread: fresh values and changes; levels stay as they are."""
    parts = space.work.shape[0] if count > FEW_ROWS else 1
    for part in parallel_range(parts):
        compute_part(levels, level, board, dice, fixed, rule, step, space, int(part), parts, count)


@compiled
def take_stale(active: Active, first: int, batch: Ints) -> tuple[int, int]:
    """Fills the batch with the next stale rows, which are stale no more; their number, and where to go on."""
    count = 0
    while first < active.order.size and count < batch.size:
        row = active.order[first]
        if active.stale[row] == STALE:
            active.stale[row] = FRESH
            batch[count] = row
            count += 1
        first += 1
    return count, first


@compiled
def write_changed(
    values: Floats, active: Active, space: Space, count: int, hands: int, tolerance: float, marking: bool
) -> None:
    """Writes the rows of a batch that changed, and makes their readers stale; a row marked all over is done."""
    for j in range(count):
        if max(space.rises[j], -space.falls[j]) > tolerance:
            row = space.batch[j]
            copy_row(space.fresh, j * hands, values, row * hands, hands)
            if marking and all_marked(space.fresh, j * hands, hands):
                active.stale[row] = DONE
            for i in range(active.start[row], active.start[row + 1]):
                if active.stale[active.readers[i]] != DONE:
                    active.stale[active.readers[i]] = STALE


@compiled
def all_marked(values: Floats, at: int, hands: int) -> bool:
    """Whether no state of a row can change any more."""
    for hand in range(at, at + hands):
        for lane in range(hand * 8, hand * 8 + 6):
            if values[lane] >= 0.0:
                return False
    return True


@compiled
def sweep(
    levels: Floats, target: Floats, level: int, board: Board, dice: Dice, fixed: Floats, rule: Rule, step: float,
    space: Space, active: Active, tolerance: float,
) -> tuple[int, float, float]:  # fmt: skip
    """One pass over the stale rows in order; the number of rows computed, their greatest rise and fall.

    Rows of a batch are computed from the same values, then written to the target (`levels` itself: in place). So
    results don't depend on the number of threads. A row that changed by more than the tolerance is written and makes
    its readers stale; one that did not stays as it was, so that at the end no row is further off than that.
    """
    done, first = 0, 0
    up, down = 0.0, 0.0
    while first < active.order.size:
        count, first = take_stale(active, first, space.batch)
        compute(levels, level, board, dice, fixed, rule, step, space, count)
        write_changed(target[level], active, space, count, dice.size.size, tolerance, rule.marking)
        for j in range(count):
            up = max(up, space.rises[j])
            down = min(down, space.falls[j])
        done += count
    return done, up, down
