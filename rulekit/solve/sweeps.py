"""Compiled sweeps over the rows of a level: fresh values, how much they changed, whose values grew stale by that."""

from typing import NamedTuple

from rulekit.solve.jit import compiled, compiled_parallel, parallel_range
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Rule, row_values
from rulekit.solve.lanes import fill, greatest, highest, least, load, lowest, marked, rise, store

FRESH, STALE, DONE = 0, 1, 2
FEW_ROWS = 24  # too few to be worth waking the threads


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
