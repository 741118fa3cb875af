"""Policies as arrays: the best one taken from values, any one evaluated."""

from dataclasses import dataclass

import numpy as np

from rulekit.solve.bounds import (
    Report,
    Solution,
    Sweeper,
    greatest_value,
    level_states,
    mark_all_endless,
    policy_rule,
    rounding_margin,
    set_finished,
    working_space,
)
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import (
    Board,
    Bytes,
    Dice,
    Floats,
    Ints,
    Shorts,
    add_dice,
    end_of,
    end_value,
    fix_damaging,
    listed_move,
    straight_move,
    throw_values,
)
from rulekit.solve.model import Race


@dataclass(frozen=True)
class Policy:
    """What to do in every state.

    choice[damage, cell of (row, hand before, facing)] is an entry of the throw table: (kept, rolled) by
    `race.dice.throws.choice`; steer[damage, cell of (row, hand thrown, facing before)]: 0 right, 1, 2 left.
    """

    race: Race
    choice: Shorts
    steer: Bytes

    def dice_choice(self, damage: int, progress: int, place: int, facing: int, hand: int) -> tuple[int, int]:
        """(hand kept, dice rolled) before the throw."""
        return self.race.dice.throws.choice(int(self.choice[damage, self.race.cell(progress, place, facing, hand)]))

    def direction(self, damage: int, progress: int, place: int, facing: int, thrown: int) -> int:
        """The change of facing after the throw: −1 right, 0, 1 left."""
        return int(self.steer[damage, self.race.cell(progress, place, facing, thrown)]) - 1


@dataclass(frozen=True)
class Evaluation:
    """Values of one policy: expected turns and chance of sinking as [damage, cell], with the most that they are off."""

    race: Race
    turns: Floats
    sink: Floats
    turns_error: float
    sink_error: float

    def at(self, damage: int, progress: int, place: int, facing: int, hand: int = 0) -> tuple[float, float]:
        """(expected turns, chance of sinking); turns are infinite where the race may never end."""
        cell = self.race.cell(progress, place, facing, hand)
        return float(self.turns[damage, cell]), float(self.sink[damage, cell])


def empty_policy(race: Race) -> Policy:
    """Keeps no dice, rolls none, and goes straight on: arrays to fill."""
    shape = race.levels, race.rows * race.row_cells
    return Policy(race, np.zeros(shape, np.int16), np.ones(shape, np.int8))


def best_policy(solution: Solution) -> Policy:
    """The choices with the least value; of equal ones those with the least damage behind the finish.

    That costs this race nothing, the next one a counter (PB-24). Then the fewest dice rolled and kept; straight, right,
    left.
    """
    race, found = solution.race, empty_policy(solution.race)
    fixed = np.empty(race.rows * race.board.slots * 8)
    start, options = race.dice.listed_choices
    work = working_space(race, 1).work[0]
    tables = race.board, race.dice_tables
    for level in range(race.levels):
        fix_damaging(solution.levels, level, *tables, solution.sunk, fixed)
        pick_level(
            solution.levels, level, *tables, fixed, solution.sunk, start, options, work, found.choice, found.steer
        )
    return found


def legal_policy(policy: Policy) -> Policy:
    """The same dice choices; an illegal direction is replaced by the first legal one of straight, right, left."""
    steer = policy.steer.copy()
    for level in range(policy.race.levels):
        legalise_level(policy.race.board, policy.race.dice_tables, level, steer[level])
    return Policy(policy.race, policy.choice, steer)


def evaluate(policy: Policy, *, within: float = 1e-6, report: Report | None = None) -> Evaluation:
    """Expected turns and chance of sinking of a policy from every state.

    `turns_error` is certified as in `bounds`; `sink_error` is the residual × the greatest expected number of turns:
    each turn adds at most the residual. The chance of sinking is given only where the race surely ends (∞ elsewhere).
    """
    race = policy.race
    marked = mark_all_endless(race, policy_rule(0.0, policy.choice, policy.steer), report)
    ends = np.isfinite(marked.levels)
    turns, rise, most = _values_of(policy, ends, 1.0, 0.0, within, report)
    sink, rise_sink, _most = _values_of(policy, ends, 0.0, 1.0, within / max(most, 1.0), report)
    error = most * rise / (1.0 - rise) if rise < 1.0 else np.inf
    return Evaluation(race, turns, sink, error, rise_sink * (most + error))


def _values_of(
    policy: Policy, ends: np.ndarray, step: float, sunk: float, within: float, report: Report | None
) -> tuple[Floats, float, float]:
    """(values, greatest residual with its rounding margin, greatest value) of a policy."""
    race = policy.race
    levels = np.where(ends, 0.0, np.inf)
    sweeper = Sweeper(race, levels, report)
    set_finished(race, levels, 0.0)
    rule = policy_rule(sunk, policy.choice, policy.steer)
    tolerance, worst, most = within / 8.0, 0.0, 0.0
    while True:
        for level in reversed(range(race.levels)):
            sweeper.settle(level, rule, step, tolerance)
        most = max(greatest_value(level_states(race, levels, level)) for level in range(race.levels))
        margin = rounding_margin(race, most)
        worst = max(max(sweeper.residual(level, rule, step)) for level in range(race.levels)) + margin
        if worst * max(most, 1.0) <= within or tolerance <= margin:
            return levels, worst, most
        tolerance = max(min(tolerance / 4.0, within / (4.0 * max(most, 1.0))), margin)


@compiled
def pick_level(
    levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, sunk: float, option_start: Ints, options: Ints,
    work: Floats, choice: Shorts, steer: Bytes,
) -> None:  # fmt: skip
    """A level's best choices and directions."""
    row_cells, harm = dice.size.size * 8, np.zeros(dice.start[-1] * 8)
    for row in range(board.rows):
        throw_values(levels[level], fixed, board, dice, row, 0.0, work)
        add_dice(dice, work)
        harmful = pick_steers(levels, level, board, dice, sunk, row, steer[level], harm)
        if harmful:
            add_dice(dice, harm)
        pick_choices(work, harm, harmful, option_start, options, choice[level, row * row_cells : (row + 1) * row_cells])


@compiled
def pick_choices(
    work: Floats, harm: Floats, harmful: bool, option_start: Ints, options: Ints, choice: Shorts
) -> None:  # fmt: skip
    """A row's dice choices of least value, of equal ones the first with the least harm."""
    least, least_harm = np.empty(6), np.empty(6)
    for hand in range(option_start.size - 1):
        least[:], least_harm[:] = np.inf, np.inf
        choice[hand * 8 : hand * 8 + 6] = options[option_start[hand]]
        for option in range(option_start[hand], option_start[hand + 1]):
            entry = options[option]
            for facing in range(6):
                at = entry * 8 + facing
                if work[at] < least[facing] or (
                    harmful and work[at] == least[facing] and harm[at] < least_harm[facing]
                ):
                    least[facing], least_harm[facing] = work[at], harm[at]
                    choice[hand * 8 + facing] = entry


@compiled
def pick_steers(
    levels: Floats, level: int, board: Board, dice: Dice, sunk: float, row: int, steer: Bytes, harm: Floats
) -> bool:
    """A row's legal directions of least value, of equal ones the one with least damage, then straight, then right.

    Fills the throw table's first part of `harm` with damage behind the finish, and tells whether there is any. Arrays
    are unpacked once.
    """
    hands, slots, total, block = dice.size.size, board.slots, dice.total, board.block[level * board.rows + row]
    cells, ends, gains, clear, finished = board.cells, board.ends, board.gains, board.clear, board.rows * hands * 8
    harmful = False
    for hand in range(hands):
        for facing in range(6):
            best, hurt, found, home = np.inf, 0, -1, False
            for way in (1, 0, 2):
                if block >= 0:
                    gain, cell = listed_move(ends, gains, block * hands + hand, facing, way)
                else:
                    gain, cell = straight_move(cells, clear, slots, finished, row, total[hand], hand, facing, way)
                if cell >= finished + hands * 8:
                    continue
                value = end_value(levels, level, gain, cell, sunk, finished)
                if found < 0 or value < best or (value == best and gain < hurt):
                    best, hurt, found, home = value, gain, way, cell >= finished
            steer[(row * hands + hand) * 8 + facing] = max(found, 0)
            harm[hand * 8 + facing] = hurt if home else 0
            harmful |= home and hurt > 0
    return harmful


@compiled
def legalise_level(board: Board, dice: Dice, level: int, steer: Bytes) -> None:
    """Replaces illegal directions."""
    illegal = (board.rows + 1) * dice.size.size * 8
    for row in range(board.rows):
        for hand in range(dice.size.size):
            for facing in range(6):
                at = (row * dice.size.size + hand) * 8 + facing
                if end_of(board, dice, level, row, hand, facing, steer[at])[1] < illegal:
                    continue
                for other in (2, 0, 1):
                    if end_of(board, dice, level, row, hand, facing, other)[1] < illegal:
                        steer[at] = other
