"""Where a race takes damage: by the hex where the move begins, and by the hex where it ends."""

from typing import NamedTuple

import numpy as np

from rulekit.solve.flow import Shores, flow_level, shore_of, throw_mass
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Shorts, end_of
from rulekit.solve.passage import State
from rulekit.solve.policy import Policy

LEFT, MOST_TURNS = 1e-10, 2000
"""A race is followed until less than this chance is left, or for so many turns."""


class Harm(NamedTuple):
    """By hex, a race: `begun` turns, `crashes` of these, `damage` where moves end.

    Damage that a boat takes beyond what sinks it counts for nothing.
    """

    begun: Floats
    crashes: Floats
    damage: Floats

    @property
    def risk(self) -> Floats:
        """The chance that a turn begun there brings damage."""
        return np.divide(self.crashes, self.begun, out=np.zeros_like(self.begun), where=self.begun > 0)


def harm_of(policy: Policy, state: State) -> Harm:
    """The damage of a race under a policy, from one state."""
    race = policy.race
    seen = turns_begun(policy, state)
    found = Harm(*(np.zeros(race.hexes) for _ in Harm._fields))
    work = np.zeros(8 * int(race.dice_tables.start[-1]))
    for level in range(race.levels):
        tables = race.board, race.shores, race.dice_tables, policy.choice[level], policy.steer[level]
        harm_of_level(seen[level], level, *tables, work, race.levels, *found)
    return found


def turns_begun(policy: Policy, state: State) -> Floats:
    """How often a boat begins a turn in each state, by [damage, cell]; what is left after LEFT counts for nothing."""
    race = policy.race
    mass, after, seen = (np.zeros((race.levels, race.rows * race.row_cells)) for _ in range(3))
    mass[state[0], race.cell(*state[1:])] = 1.0
    work, by_place = np.zeros(8 * int(race.dice_tables.start[-1])), [np.zeros(race.hexes) for _ in range(3)]
    for _ in range(MOST_TURNS):
        if add_rows(mass, seen, race.row_cells) < LEFT:
            break
        for level in range(state[0], race.levels):
            tables = race.board, race.shores, race.dice_tables, policy.choice, policy.steer
            flow_level(mass, after, level, *tables, work, np.zeros(3), *by_place)
        # The same memory again: fresh pages would take longer than the race.
        mass[:] = 0.0
        mass, after = after, mass
    return seen


@compiled
def add_rows(mass: Floats, seen: Floats, cells: int) -> float:
    """Adds the rows that carry mass; all of it."""
    whole = 0.0
    for level in range(mass.shape[0]):
        for at in range(0, mass.shape[1], cells):
            total = mass[level, at : at + cells].sum()
            if total > 0.0:
                seen[level, at : at + cells] += mass[level, at : at + cells]
                whole += total
    return whole


@compiled
def harm_of_level(
    seen: Floats, level: int, board: Board, shores: Shores, dice: Dice, choice: Shorts, steer: Bytes, work: Floats,
    levels: int, begun: Floats, crashes: Floats, damage: Floats,
) -> None:  # fmt: skip
    """Adds what becomes of a level's turns, so many of which begin in each state."""
    cells = dice.size.size * 8
    for row in range(board.rows):
        here = seen[row * cells : (row + 1) * cells]
        total = here.sum()
        if total > 0.0:
            begun[row % begun.size] += total
            throw_mass(here, choice, row * cells, dice, work)
            harm_of_row(level, row, board, shores, dice, steer, work, levels, crashes, damage)


@compiled
def harm_of_row(
    level: int, row: int, board: Board, shores: Shores, dice: Dice, steer: Bytes, work: Floats, levels: int,
    crashes: Floats, damage: Floats,
) -> None:  # fmt: skip
    """Adds the damage of a row's moves, whose thrown hands' chances are the throw table's first part."""
    hands = dice.size.size
    for hand in range(hands):
        for facing in range(6):
            chance = work[hand * 8 + facing]
            if chance == 0.0:
                continue
            way = steer[(row * hands + hand) * 8 + facing]
            gain, cell = end_of(board, dice, level, row, hand, facing, way)
            if gain > 0:
                place = cell // (hands * 8) % crashes.size
                if cell >= board.rows * hands * 8:
                    place = shore_of(board, shores, hands, level, row, hand, facing, way)
                crashes[row % crashes.size] += chance
                damage[place] += chance * min(gain, levels - level)
