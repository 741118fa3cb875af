"""Laps of one car alone on a circuit, solved exactly: the best colour of die from every place, with certified bounds.

A state is (crossings of the line still lacking, tank, damage, place). A turn costs 1; a car that is removed (PS-20), or
not placed because it never refuelled (PS-22), costs `sink_cost` more. A move can go back over the line only by flying,
and damage is taken off only in the pit: states are swept in the order of their distance to the finish, the last lap and
the most damaged car first, so that few sweeps are needed. Bounds and their proof are those of `bounds`.

*Red.* A red die that shows more sixes than are listed, with a chance below 1e-11, is counted as 0 below and as the
worst value of any state above: it is part of the certified bounds.

*Lost laps.* PS-23 takes back the lap that a crossing began or completed. A car that has begun none has none to lose.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rulekit.ps.car import OUT_AT
from rulekit.ps.dice import Colour
from rulekit.ps.terms import need_tables
from rulekit.ps.track import Track
from rulekit.readings import Fuel, PsReadings
from rulekit.solve.kernel import Bytes, Floats
from rulekit.solve.lap_kernel import COLOURS, Tables, follow, pick, residual, sweep
from rulekit.solve.lap_tables import Places, tables

SINK_COST = 50.0
DAMAGES = OUT_AT
"""A car with so many points is out (PS-20)."""

TOLERANCE = 1e-11
MOST_SWEEPS = 10_000


class Figures(NamedTuple):
    """What is known of a state: the least expected cost with certified bounds, and of the best policy the expected
    turns, the chance of losing the car, and the chance to finish without having refuelled (PS-22)."""

    value: float
    lower: float
    upper: float
    turns: float
    sink: float
    unplaced: float


@dataclass(frozen=True)
class Laps:
    """Laps of a circuit solved: `values[lacking − 1, tank, damage, place]`, and factors that make bounds of them."""

    track: Track
    readings: PsReadings
    laps: int
    sink_cost: float
    places: Places
    tables: Tables
    values: Floats
    low: float
    high: float
    sweeps: int

    @property
    def states(self) -> int:
        """Number of states that can be reached by some car."""
        return self.values[..., 0].size * self.tables.order.size

    @property
    def full(self) -> int:
        """The tank of a car that has refuelled."""
        return int(self.values.shape[1]) - 1

    @property
    def at_start(self) -> int:
        """The tank at the start of a race: full, but under limited fuel the one stop is still to be made."""
        return 0 if self.readings.fuel is Fuel.LIMITED else self.full

    @cached_property
    def policy(self) -> Bytes:
        """The best colour (0 blue, 1 red, 2 yellow) of every state; at the stop space 0 repair, 1 refuel, 2 both."""
        policy = np.zeros(self.values.shape, np.int8)
        pick(self.values, self.tables, policy)
        return policy

    @cached_property
    def turns(self) -> Floats:
        """Expected turns of the best policy from every state."""
        return self._followed(1.0, 0.0, 0.0)

    @cached_property
    def sink(self) -> Floats:
        """Chance that the car is lost."""
        return self._followed(0.0, 1.0, 0.0)

    @cached_property
    def unplaced(self) -> Floats:
        """Chance to finish without having refuelled, under limited fuel."""
        if self.readings.fuel is not Fuel.LIMITED:
            return np.zeros(self.values.shape)
        return self._followed(0.0, 0.0, 1.0)

    def _followed(self, step: float, sunk: float, unplaced: float) -> Floats:
        found, finish = np.zeros(self.values.shape), np.where(self.tables.finish > 0, unplaced, 0.0)
        if self.sink_cost == 0 and self.readings.fuel is Fuel.LIMITED:
            finish[0] = unplaced

        def again(lacking: int) -> float:
            return follow(self.values, self.tables, self.policy, found, step, sunk, finish, lacking)

        _settle(self.laps + 1, again)
        return found

    def figures(self, place: int, lacking: int, damage: int = 0, tank: int | None = None) -> Figures:
        """What is known of a state; `place` counts as in `places`, the tank is full unless it is given."""
        at = lacking - 1, self.full if tank is None else tank, damage, place
        value = float(self.values[at])
        return Figures(
            value, value * self.low, value * self.high,
            float(self.turns[at]), float(self.sink[at]), float(self.unplaced[at]),
        )  # fmt: skip

    def colour(self, place: int, lacking: int, damage: int = 0, tank: int | None = None) -> Colour:
        """The best die; of equal ones the slowest."""
        return COLOURS[int(self.policy[lacking - 1, self.full if tank is None else tank, damage, place])]

    def flying_lap(self, damage: int = 0) -> tuple[int, Figures]:
        """The best space just behind the line and the lap from there: one crossing lacks."""
        return self._best(self.places.behind_line, 1, damage, None)

    def standing_lap(self, damage: int = 0) -> tuple[int, Figures]:
        """The best start box and a lap from there: the crossing that begins it, and the one that ends it."""
        return self._best(self.places.boxes, 2, damage, None)

    def race(self, damage: int = 0) -> tuple[int, Figures]:
        """The best start, a box or without a grid a space behind the line, and the race of all laps from there."""
        if not self.places.boxes:
            return self._best(self.places.behind_line, self.laps, damage, self.at_start)
        return self._best(self.places.boxes, self.laps + 1, damage, self.at_start)

    def _best(self, places: tuple[int, ...], lacking: int, damage: int, tank: int | None) -> tuple[int, Figures]:
        found = [(place, self.figures(place, lacking, damage, tank)) for place in places]
        return min(found, key=lambda pair: (pair[1].value, pair[0]))


def solve_laps(
    track: Track,
    readings: PsReadings,
    laps: int | None = None,
    *,
    sink_cost: float = SINK_COST,
    report: Callable[[str], None] = lambda _: None,
) -> Laps:
    """The fewest expected turns plus `sink_cost` × the chance of losing the car, from every state of a race.

    Raises BadInput under full fuel for a track without a tank for so many laps or without a table of consumption.
    """
    laps = track.laps if laps is None else laps
    if laps < 1 or sink_cost < 0:
        raise ValueError("a race has at least one lap, and losing a car costs at least nothing")
    tanks = _tanks(track, readings, laps)
    report("looking for all ways")
    places, known = tables(track, readings, laps + 1, tanks, sink_cost)
    # From above a good policy is found at once; values from below would climb by a turn or two a sweep.
    values = np.full((laps + 1, tanks, DAMAGES, places.count), 2.0 * sink_cost + 100.0 * (laps + 1))
    report("solving")
    sweeps = _settle(laps + 1, lambda lacking: sweep(values, known, lacking))
    low, high = _factors(values, known)
    return Laps(track, readings, laps, sink_cost, places, known, values, low, high, sweeps)


def _settle(laps: int, sweep_lap: Callable[[int], float]) -> int:
    """Sweeps until nothing changes, the last lap first, each until it has settled; the number of sweeps of a lap."""
    sweeps, worst = 0, np.inf
    while worst > TOLERANCE and sweeps < MOST_SWEEPS:
        worst = 0.0
        for lacking in range(laps):
            change = np.inf
            while change > TOLERANCE and sweeps < MOST_SWEEPS:
                change = sweep_lap(lacking)
                worst, sweeps = max(worst, change), sweeps + 1
    return sweeps


def _tanks(track: Track, readings: PsReadings, laps: int) -> int:
    """Levels of the tank: 1 without fuel rules, 2 (still to refuel, refuelled) under limited, empty to full else."""
    if readings.fuel is not Fuel.FULL:
        return 2 if readings.fuel is Fuel.LIMITED else 1
    need_tables(track, laps)
    return track.tank[laps] + 1


def _factors(values: Floats, known: Tables) -> tuple[float, float]:
    """Factors of certified lower and upper bounds, as proved in `bounds`; red's unlisted sixes are in the upper one."""
    rise, fall = residual(values, known)
    greatest = float(values.max())
    margin = 2.0**-52 * (known.chance.size + 16) * (greatest + 1.0)
    rise += margin + float(known.tail[1]) * (greatest + 1.0) * 2.0
    fall += margin
    high = 1.0 + rise / (1.0 - rise) if rise < 1.0 else np.inf
    return 1.0 - fall / (1.0 + fall), high
