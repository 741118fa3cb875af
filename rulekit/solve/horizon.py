"""A fixed number of turns: the chance to finish in time, the greatest chance to stand on a hex after N turns."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.bounds import (
    Report,
    Sweeper,
    aligned,
    best_rule,
    empty_levels,
    policy_rule,
    working_space,
)
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import (
    Board,
    Dice,
    Floats,
    Ints,
    Rule,
    fix_row,
    row_values,
)
from rulekit.solve.model import Outcomes, Race
from rulekit.solve.policy import Policy
from rulekit.solve.sweeps import Space

Bools = NDArray[np.bool_]
State = tuple[int, int, int, int, int]
"""(damage, progress, hex, facing, hand)."""


def finish_within(
    race: Race, turns: int, policy: Policy | None = None, report: Report | None = None
) -> Iterator[Floats]:
    """The chance to finish within 1, 2, …, `turns` turns, [damage, cell]: the greatest one, or a policy's.

    Each step yields the same memory, overwritten by the next. Relative errors are those of rounding only (below
    1e-13 × turns), so that a chance above 0, however small, never shows as 0.
    """
    rule = policy_rule(0.0, policy.choice, policy.steer) if policy else best_rule(0.0)
    before, after = (empty_levels(race, -1.0) for _ in range(2))
    for levels in (before, after):
        _decision_cells(race, levels)[:] = 0.0
    chance = np.empty_like(before)
    for turn in range(1, turns + 1):
        sweeper = Sweeper(race, before)
        for level in range(race.levels):
            sweeper.advance(after, level, rule, 0.0)
        if report:
            report(0, turn, race.rows * race.levels)
        before, after = after, before
        yield np.negative(before, out=chance)


def _decision_cells(race: Race, levels: Floats) -> Floats:
    cells = levels[:, : race.rows * race.row_cells]
    return cells.reshape(race.levels, -1, 8)[..., :6]


@dataclass(frozen=True)
class Standing:
    """The greatest chance to stand on a hex after exactly N turns, and the first turn's (hand kept, dice rolled)."""

    place: int
    chance: float
    exact: Fraction | None
    kept: int
    rolled: int


def reach(race: Race, start: State, turns: int) -> list[Standing]:
    """For each hex where the boat can stand (afloat, not finished) after exactly `turns` ≥ 1 turns, its best chance.

    Hands that grow past reach are left out first; then the turns are taken backward for each hex over the rows that the
    boat can be on at that time. `exact` is the chance as a fraction where rounding cannot have hidden it: chances are
    whole multiples of 1 / weights^(dice thrown), found again by rounding as long as errors stay far below that.
    """
    if turns < 1:
        raise ValueError("the number of turns is at least 1")
    damage, progress, place, facing, hand = start
    size = int(race.dice.hands.size[hand])
    small = _with_most(race, min(race.dice.most, size + turns * race.dice.change))
    rows = _rows_by_turn(small, damage, progress * race.hexes + place, size, turns)
    targets = np.unique(rows[turns] % race.rows % race.hexes).astype(np.int32)
    listed = small.dice.listed_choices
    best, chance = np.empty(targets.size, np.int32), np.empty(targets.size)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    _reach_targets(
        targets, race.hexes, np.concatenate(rows), starts, empty_levels(small, 0.0), empty_levels(small, 0.0),
        small.board, small.dice_tables, aligned(small.rows * small.board.slots * 8), best_rule(0.0),
        working_space(small, 1), facing, hand, *listed, best, chance,
    )  # fmt: skip
    scale = _scale(small, size, turns)
    return [
        Standing(int(target), float(p), _exact(float(p), scale, small, turns), *small.dice.throws.choice(int(entry)))
        for target, entry, p in zip(targets, best, chance, strict=True)
        if p > 0.0
    ]


def _with_most(race: Race, most: int) -> Race:
    """The same race with fewer dice: hands are numbered by size, so a table by hand is cut off."""
    dice = replace(race.dice, most=most)
    if most == race.dice.most or not isinstance(race.moves, Outcomes):
        return replace(race, dice=dice)
    count = dice.hands.count
    cut = {name: getattr(race.moves, name)[:, :count] for name in ("hex", "facing", "progress", "gain", "hand")}
    return replace(race, dice=dice, moves=Outcomes(**cut))


def _rows_by_turn(race: Race, damage: int, row: int, size: int, turns: int) -> list[Ints]:
    """Rows (damage · rows + row) where the boat can be before each turn and after the last, whatever its dice."""
    board, levels, most = race.board, race.levels, max(race.dice.faces)
    found = [np.array([damage * race.rows + row], np.int32)]
    for turn in range(1, turns + 1):
        seen = np.zeros(levels * race.rows, np.bool_)
        largest = most * min(size + turn * race.dice.change, race.dice.most)
        _mark_next(found[-1], board, race.row_cells, levels, largest, seen)
        found.append(np.flatnonzero(seen).astype(np.int32))
    return found


@compiled
def _mark_next(rows: Ints, board: Board, row_cells: int, levels: int, largest: int, seen: Bools) -> None:
    """Marks the rows that one turn can lead to with a total of at most `largest`."""
    finished = board.rows * row_cells
    for place in rows:
        level, row = place // board.rows, place % board.rows
        if board.by_hand:
            width = board.slots * 24
            for i in range(row * width, (row + 1) * width):
                after = level + board.gains[i]
                if board.ends[i] < finished and after < levels:
                    seen[after * board.rows + board.ends[i] // row_cells] = True
            continue
        for ahead in range(6):
            clear = board.clear[row % (board.clear.size // 6) * 6 + ahead]
            for total in range(min(clear, largest) + 1):
                cell = board.cells[(row * board.slots + total) * 8 + ahead]
                damage = largest - clear if total == clear else 0
                for after in range(level, min(level + max(damage, 0) + 1, levels)):
                    if cell < finished:
                        seen[after * board.rows + cell // row_cells] = True


@compiled
def _reach_targets(
    targets: Ints, hexes: int, rows: Ints, starts: Ints, before: Floats, after: Floats, board: Board, dice: Dice,
    fixed: Floats, rule: Rule, space: Space, facing: int, hand: int, option_start: Ints, options: Ints, best: Ints,
    chance: Floats,
) -> None:  # fmt: skip
    """For each target, values −chance backward from the last turn; before the first: the best choice."""
    row_cells = dice.size.size * 8
    work = space.work[0]
    for k in range(targets.size):
        for place in rows[starts[-2] : starts[-1]]:
            level, row = place // board.rows, place % board.rows
            before[level, row * row_cells : (row + 1) * row_cells] = -1.0 if row % hexes == targets[k] else 0.0
        for turn in range(starts.size - 3, -1, -1):
            for place in rows[starts[turn] : starts[turn + 1]]:
                level, row = place // board.rows, place % board.rows
                fix_row(before, level, board, dice, 0.0, row, fixed)
                row_values(before, level, board, dice, fixed, rule, 0.0, row, work, after[level], row * dice.size.size)
            before, after = after, before
        best[k] = options[option_start[hand]]
        for option in range(option_start[hand], option_start[hand + 1]):
            if work[options[option] * 8 + facing] < work[best[k] * 8 + facing]:
                best[k] = options[option]
        chance[k] = -work[best[k] * 8 + facing]


def _scale(race: Race, size: int, turns: int) -> int:
    """A whole number of which every chance is a multiple of its inverse: weights^(most dice that can be thrown)."""
    change, most = race.dice.change, race.dice.most
    thrown = sum(min(size + turn * change, most) for turn in range(1, turns + 1))
    return int(sum(race.dice.weights) ** thrown)


def _exact(chance: float, scale: int, race: Race, turns: int) -> Fraction | None:
    """The fraction near a chance, if the rounding errors are less than a quarter of 1 / scale."""
    error = turns * (race.dice.most * (len(race.dice.faces) + 2) + 8) * 2.0**-52
    return Fraction(round(Fraction(chance) * scale), scale) if error * scale < 0.25 else None
