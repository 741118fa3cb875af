"""A race followed turn by turn from one state, choosing only where the boat really comes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rulekit.solve.bounds import Solution, aligned, working_space
from rulekit.solve.flow import flow_level
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Shorts, add_dice, fix_damaging, throw_values
from rulekit.solve.policy import Policy, empty_policy, pick_choices, pick_steers

State = tuple[int, int, int, int, int]
"""(damage, progress, hex, facing, hand)."""

MOST_TURNS = 2000
LEFT = 1e-13
"""A race is followed until less than this chance is left, or for so many turns."""


@dataclass(frozen=True)
class Passage:
    """How races end that begin in one state: chances by turn (index 0: the first), expected numbers by hex.

    `left` is the chance that the race still goes on after the last turn followed, `unhurt` that it finishes without any
    further damage, behind the line either. `crashes` are moves with damage, by the hex where they end, those of boats
    that have just finished among them; `sunk` and `sinkings` leave out boats that keep their place (PB-22).
    """

    finished: Floats
    sunk: Floats
    left: float
    unhurt: float
    visits: Floats
    crashes: Floats
    sinkings: Floats

    @property
    def ends(self) -> bool:
        """Whether the race surely ends, up to rounding."""
        return self.left < 1e3 * LEFT

    @property
    def turns(self) -> float:
        """Expected turns until finished or sunk, infinite where the race may never end."""
        ended = self.finished + self.sunk
        return float((ended * np.arange(1, ended.size + 1)).sum()) if self.ends else float("inf")

    @property
    def sink(self) -> float:
        """Chance of sinking."""
        return float(self.sunk.sum())


class Chooser:
    """The best choices by the values of a solution, worked out row by row when a boat comes there first."""

    def __init__(self, solution: Solution) -> None:
        self.solution, race = solution, solution.race
        self.policy = empty_policy(race)
        self.known = np.zeros((race.levels, race.rows), np.int8)
        self.start, self.options = race.dice.listed_choices
        self.work = working_space(race, 1).work[0]
        self.fixed = [self._fixed(level) for level in range(race.levels)]

    def _fixed(self, level: int) -> Floats:
        race, found = self.solution.race, self.solution
        fixed = aligned(race.rows * race.board.slots * 8)
        fix_damaging(found.levels, level, race.board, race.dice_tables, found.sunk, fixed)
        return fixed

    def learn(self, mass: Floats, level: int) -> None:
        """Fills in the policy for the rows of a level that carry mass."""
        race, found = self.solution.race, self.solution
        pick_rows(
            mass[level], self.known[level], found.levels, level, race.board, race.dice_tables, self.fixed[level],
            found.sunk, self.start, self.options, self.work, self.policy.choice[level], self.policy.steer[level],
        )  # fmt: skip


def follow_best(solution: Solution, state: State) -> Passage:
    """The passage from a state under the best choices."""
    chooser = Chooser(solution)
    return _follow(chooser.policy, state, chooser.learn)


def follow_policy(policy: Policy, state: State) -> Passage:
    """The passage from a state under a policy."""
    return _follow(policy, state, lambda _mass, _level: None)


def _follow(policy: Policy, state: State, learn: Callable[[Floats, int], None]) -> Passage:
    race, damage = policy.race, state[0]
    mass = np.zeros((race.levels, race.rows * race.row_cells))
    mass[damage, race.cell(*state[1:])] = 1.0
    after, work = np.zeros_like(mass), np.zeros(working_space(race, 1).work.shape[1])
    visits, crashes, sinkings = (np.zeros(race.hexes) for _ in range(3))
    ends: list[Floats] = []
    left, unhurt = 1.0, 0.0
    while left > LEFT and len(ends) < MOST_TURNS:
        after[:] = 0.0
        totals = np.zeros((race.levels, 3))
        for level in range(damage, race.levels):
            learn(mass, level)
            arrays = policy.choice, policy.steer, work, totals[level], visits, crashes, sinkings
            flow_level(mass, after, level, race.board, race.shores, race.dice_tables, *arrays)
        mass, after = after, mass
        unhurt += float(totals[damage, 2])
        ends.append(totals[:, :2].sum(axis=0))
        left = float(mass.sum())
    finished, sunk = np.array(ends).T
    return Passage(finished, sunk, left, unhurt, visits, crashes, sinkings)


@compiled
def pick_rows(
    mass: Floats, known: Bytes, levels: Floats, level: int, board: Board, dice: Dice, fixed: Floats, sunk: float,
    start: Ints, options: Ints, work: Floats, choice: Shorts, steer: Bytes,
) -> None:  # fmt: skip
    """The best choices and directions in the rows that carry mass and are not known yet."""
    row_cells, harm = dice.size.size * 8, np.zeros(dice.start[-1] * 8)
    for row in range(board.rows):
        at = row * row_cells
        if known[row] == 0 and mass[at : at + row_cells].sum() > 0:
            throw_values(levels[level], fixed, board, dice, row, 0.0, work)
            add_dice(dice, work)
            harmful = pick_steers(levels, level, board, dice, sunk, row, steer, harm)
            if harmful:
                add_dice(dice, harm)
            pick_choices(work, harm, harmful, start, options, choice[at : at + row_cells])
            known[row] = 1
