"""The race on a corridor: only the places near a shortest way, each one a hex of its own to the solver.

A place is a hex with a progress. Those on no way to the finish within `slack` steps of the shortest are left out: one
more hex, the last, stands for all of them. It is shut in by land: who strays there can only sink, which costs more than
to find the way back on the whole course. So values are hardly ever below the course's own, and little above them the
wider the corridor is. Courses without expansion tiles only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulekit.errors import BadInput
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.waters import Waters
from rulekit.solve.bounds import (
    SINK_COST,
    Solution,
    Sweeper,
    best_rule,
    empty_levels,
    level_states,
    working_space,
)
from rulekit.solve.jit import use_threads
from rulekit.solve.kernel import Floats, Ints
from rulekit.solve.model import Race, Straights
from rulekit.solve.steps import NOWHERE, Steps
from rulekit.solve.tables import dice_rules

SLACK = 8
"""Steps more than the shortest way has, within which places are kept."""

HASTE = 3.5
"""Steps of a turn, for a first guess of the values."""

BATCH = 16
"""Rows computed from the same values: with few rows in all, the fresh ones should count soon."""


@dataclass(frozen=True)
class Corridor:
    """A course's race on the places near the shortest ways from some boats' places to the finish."""

    waters: Waters
    steps: Steps
    boats: Sequence[Boat]
    slack: int = SLACK

    def __post_init__(self) -> None:
        if self.waters.effects:
            raise BadInput("a corridor knows no expansion tiles")

    @cached_property
    def kept(self) -> Ints:
        """The nodes that are kept, ascending; none where no boat has a way to the finish."""
        starts = np.array([self._node(boat) for boat in self.boats], np.int32)
        came, left = self.steps.from_starts(starts), self.left
        ways = left[starts[left[starts] != NOWHERE]]
        if not ways.size:
            return np.zeros(0, np.int32)
        near = (came >= 0) & (left >= 0) & (came + left <= int(ways.max()) + self.slack)
        return np.flatnonzero(near).astype(np.int32)

    def _node(self, boat: Boat) -> int:
        return boat.progress * len(self.steps.hexes) + self.steps.number[boat.at]

    @cached_property
    def left(self) -> Ints:
        """[node]: the fewest steps to the finish, NOWHERE without a way."""
        return self.steps.to_finish()

    @cached_property
    def race(self) -> Race:
        """The race: as many hexes as places are kept, and one for all others."""
        readings = self.waters.readings
        return Race(len(self.kept) + 1, 1, readings.sink_at, dice_rules(self.waters), self._straights())

    def _straights(self) -> Straights:
        dice = dice_rules(self.waters)
        most, hexes, outside = max(dice.faces) * dice.most, len(self.steps.hexes), len(self.kept)
        number = np.full(self.steps.count + hexes + 1, outside, np.int32)
        number[self.kept] = np.arange(outside)
        clear = np.zeros((outside + 1, 6), np.int32)
        land = np.full((outside + 1, 6, most + 1), outside, np.int32)
        done = np.zeros((1, *land.shape), np.int32)
        for facing in range(6):
            place, progress = self.kept % hexes, self.kept // hexes
            free = np.zeros(outside, np.int32)
            going = np.ones(outside, bool)
            for k in range(most + 1):
                if k:
                    to = self.steps.near[place, facing]
                    going &= to >= 0
                    free += going
                    here = np.minimum(progress, self.steps.last - 1)
                    after = np.where(progress < self.steps.last, self.steps.after[here, place, facing], progress)
                    place, progress = np.where(going, to, place), np.where(going, after, progress)
                home = progress == self.steps.last
                land[:outside, facing, k] = np.where(home, 0, number[np.where(home, 0, progress * hexes + place)])
                done[0, :outside, facing, k] = home
            clear[:outside, facing] = free
        return Straights(clear, land, done)

    def keeps(self, boat: Boat) -> bool:
        """Whether a boat's place is kept: of those given, all from which a way leads to the finish are."""
        return self._number(boat) < len(self.kept)

    def _number(self, boat: Boat) -> int:
        node = self._node(boat)
        place = int(np.searchsorted(self.kept, node))
        return place if place < len(self.kept) and self.kept[place] == node else len(self.kept)

    def state(self, boat: Boat) -> tuple[int, int, int, int, int]:
        """(damage, progress, hex, facing, hand) of a boat, as numbers of this race; outside is the last hex."""
        return boat.damage, 0, self._number(boat), int(boat.facing), self.race.dice.hands.index(boat.hand)

    def solution(self, sink_cost: float = SINK_COST, tolerance: float = 2e-3) -> Solution:
        """Values to about the tolerance, without certified bounds: those are 0 and infinite.

        The tolerance grows with the damage: the more of it, the rarer.
        """
        use_threads(1)
        race = self.race
        sweeper, rule = Sweeper(race, empty_levels(race, 0.0)), best_rule(sink_cost)
        sweeper.space = working_space(race, BATCH)
        values = np.broadcast_to(self._guess(sink_cost)[:, None, None], level_states(race, sweeper.levels, 0).shape)
        for level in reversed(range(race.levels)):
            level_states(race, sweeper.levels, level)[:] = values
            sweeper.settle(level, rule, 1.0, tolerance * (1 + level))
            values = level_states(race, sweeper.levels, level)
        return Solution(race, sink_cost, sweeper.levels, 0.0, float("inf"), sweeper.sweeps, sweeper.computed)

    def _guess(self, sink_cost: float) -> Floats:
        """[row]: about how many turns are left, from the steps to the finish."""
        return np.append(self.left[self.kept] / HASTE + 2.0, sink_cost + self.race.levels)
