"""Rules into tables: a settled course under its readings as the arrays that the solver sweeps over.

This is the one place where numbers stand for hexes, facings and progress. Hexes are numbered in reading order.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulekit.errors import BadInput
from rulekit.hexgrid import FACINGS, Hex, by_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.move import clear_water
from rulekit.powerboats.route import start_places
from rulekit.powerboats.waters import Waters
from rulekit.readings import FirstTurn, Reroll
from rulekit.solve.model import DiceRules, Race, Straights
from rulekit.solve.tile_tables import tiled


@dataclass(frozen=True)
class Numbered:
    """A course with its water hexes numbered, and the race over these numbers."""

    waters: Waters

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """Number to hex."""
        return tuple(by_name(self.waters.water))

    @cached_property
    def number(self) -> dict[Hex, int]:
        """Hex to number."""
        return {at: number for number, at in enumerate(self.hexes)}

    @cached_property
    def race(self) -> Race:
        """The solo race as arrays (PB-15…PB-22, X1-4…X1-10).

        Raises BadInput where the readings set no limit on the dice.
        """
        waters, dice = self.waters, dice_rules(self.waters)
        straights = self._straights()
        moves = tiled(waters, self.hexes, straights, dice.hands) if waters.effects else straights
        return Race(len(self.hexes), waters.last, waters.readings.sink_at, dice, moves)

    def _straights(self) -> Straights:
        """clear[W, 6], land[W, 6, k] and progress[P, W, 6, k] of straight moves, k up to the largest total."""
        most = _largest_total(self.waters)
        clear = np.array(
            [[clear_water(self.waters, at, facing) for facing in FACINGS] for at in self.hexes], np.int32
        ).reshape(-1, len(FACINGS))
        depth = min(most, int(clear.max(initial=0))) + 1
        land = np.zeros((*clear.shape, depth), np.int32)
        progress = np.zeros((self.waters.last, *land.shape), np.int32)
        after = self.waters.gates.after_step
        for place, at in enumerate(self.hexes):
            for facing in FACINGS:
                here = at
                passed = list(range(self.waters.last))
                for k in range(min(depth, int(clear[place, facing]) + 1)):
                    if k:
                        ahead = here.step(facing)
                        passed = [after(gates, here, ahead) for gates in passed]
                        here = ahead
                    land[place, facing, k] = self.number[here]
                    progress[:, place, facing, k] = passed
        return Straights(clear, land, progress)

    @cached_property
    def starts(self) -> tuple[Boat, ...]:
        """Every legal way to place a boat: hex and facing (PB-13)."""
        places = start_places(self.waters.course, self.waters.readings)
        return tuple(Boat(place.at, facing, (), place.progress) for place in places for facing in FACINGS)

    def state(self, boat: Boat) -> tuple[int, int, int, int, int]:
        """(damage, progress, hex, facing, hand) of a boat, as numbers.

        Raises BadInput for a hand beyond the limit on the dice.
        """
        hands, most = self.race.dice.hands, self.race.dice.most
        if len(boat.hand) > most:
            raise BadInput(f"{len(boat.hand)} dice: the limit here is {most} (--dice-max)")
        return boat.damage, boat.progress, self.number[boat.at], int(boat.facing), hands.index(boat.hand)


def dice_rules(waters: Waters) -> DiceRules:
    """The dials of the dice; a stock limits one boat's dice as `dice-max` does."""
    readings = waters.readings
    if readings.dice_max is None:
        raise BadInput("solving needs a limit on a boat's dice: --dice-max N")
    weights = Counter(readings.faces)
    return DiceRules(
        tuple(sorted(weights)),
        tuple(weights[face] for face in sorted(weights)),
        readings.dice_max if readings.dice_stock is None else min(readings.dice_max, readings.dice_stock),
        readings.change,
        "one" if readings.reroll is Reroll.ONE else "any",
        readings.first_turn is FirstTurn.MUST_ROLL,
    )


def _largest_total(waters: Waters) -> int:
    rules = dice_rules(waters)
    return max(rules.faces) * rules.most
