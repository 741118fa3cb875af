"""Where a race takes damage: by the hex where the move begins, and by the hex where it ends."""

from typing import NamedTuple

import numpy as np

from rulekit.solve.flow import Shores, shore_of, throw_mass
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, end_of
from rulekit.solve.passage import State
from rulekit.solve.policy import Policy
from rulekit.study.tiles import states_seen


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
    seen = states_seen(policy, state)
    found = Harm(*(np.zeros(race.hexes) for _ in Harm._fields))
    work = np.zeros(8 * int(race.dice_tables.start[-1]))
    for level in range(race.levels):
        for row in map(int, np.flatnonzero(seen[level].reshape(race.rows, -1).any(axis=1))):
            here = seen[level, row * race.row_cells : (row + 1) * race.row_cells]
            found.begun[row % race.hexes] += here.sum()
            throw_mass(here, policy.choice[level], row * race.row_cells, race.dice_tables, work)
            tables = race.board, race.shores, race.dice_tables, policy.steer[level]
            harm_of_row(level, row, *tables, work, race.levels, found.crashes, found.damage)
    return found


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
