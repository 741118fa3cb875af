"""A circuit as the arrays that solving its laps needs: places, values of the dice, and all endings of every move."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from rulekit.ps.dice import Colour, above, values
from rulekit.ps.terms import EMPTY_SPEED
from rulekit.ps.track import BOXES, FINISH, PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.ps.ways import Ending, Start, Ways, line_spaces, start_in_box, start_on
from rulekit.readings import Fuel, PsReadings
from rulekit.solve.lap_kernel import COLOURS, FINISHED, Tables

SIXES = 24
"""Red values are listed up to so many sixes."""


@dataclass(frozen=True)
class Places:
    """Numbers of the places: first the spaces of the track, then stop, pit 3 and pit 6, then the start boxes."""

    track: Track

    @property
    def stop(self) -> int:
        """The stop space; pit 3 and pit 6 follow."""
        return len(self.track.spaces)

    @property
    def boxes(self) -> tuple[int, ...]:
        """The start boxes from the rearmost; none without a grid."""
        return tuple(range(self.stop + 3, self.stop + 3 + BOXES)) if self.track.box_1 is not None else ()

    @property
    def behind_line(self) -> tuple[int, ...]:
        """The first space behind the line in each lane."""
        return line_spaces(self.track)

    @property
    def count(self) -> int:
        """Number of places."""
        return self.stop + 3 + len(self.boxes)

    def name(self, place: int) -> str:
        """What people call a place."""
        if place < self.stop:
            return self.track.name_of(place)
        if place < self.stop + 3:
            return self.track.name_of((STOP, PIT_SHORT, PIT_LONG)[place - self.stop])
        return f"box {place - self.stop - 2}"

    def number(self, end: int) -> int:
        """The place of an ending's end."""
        if end == FINISH:
            return FINISHED
        return self.stop if end == STOP else end

    def starts(self, readings: PsReadings) -> Iterator[tuple[int, Start]]:
        """Every place from which a car moves by a die."""
        yield from ((space, start_on(self.track, space)) for space in range(self.stop))
        if self.track.pit is not None:
            yield self.stop + 1, start_on(self.track, PIT_SHORT)
            yield self.stop + 2, start_on(self.track, PIT_LONG)
        for box, place in enumerate(self.boxes, 1):
            yield place, start_in_box(self.track, box, readings)

    def order(self) -> list[int]:
        """All places in use, the nearest to the finish first."""
        pit = self.track.pit
        distance = {space: float(-self.track.from_line[space]) for space in range(self.stop)}
        if pit is not None:
            distance[self.stop + 1] = distance[pit.exit_short] + 0.1
            distance[self.stop + 2] = distance[pit.exit_long] + 0.1
            distance[self.stop] = max(distance[self.stop + 1], distance[self.stop + 2]) + 0.1
        distance |= dict.fromkeys(self.boxes, float(1 - min(self.track.from_line)))
        return sorted(distance, key=lambda place: (distance[place], place))


class Slot(NamedTuple):
    """One value of one colour with its chance."""

    colour: Colour
    value: int
    chance: float


def slots() -> list[Slot]:
    """The values of all colours, blue, red, yellow."""
    counts = {Colour.BLUE: 3, Colour.RED: 2 * (SIXES + 1), Colour.YELLOW: 3}
    return [Slot(colour, value, float(chance))
            for colour in COLOURS for value, chance in islice(values(colour), counts[colour])]  # fmt: skip


def tables(
    track: Track, readings: PsReadings, most: int, tanks: int, sink_cost: float
) -> tuple[Places, Tables]:  # fmt: skip
    """Places and arrays of a race that ends with the crossing number `most`."""
    places, dice, endings = Places(track), slots(), Endings()
    ways = Ways(track, readings, most)
    longest = max(slot.value for slot in dice)
    group = np.full((places.count, len(dice) + 1, most), -1, np.int64)
    for place, start in places.starts(readings):
        for number, slot in enumerate([*dice, Slot(Colour.YELLOW, EMPTY_SPEED, 1.0)]):
            crossed = ways.most_crossings(start, slot.colour, slot.value, longest)
            for lacking in range(1, most + 1):
                same = lacking > crossed + 1
                group[place, number, lacking - 1] = (
                    group[place, number, crossed] if same
                    else endings.number(places, ways.endings(start, slot.colour, slot.value, lacking, longest))
                )  # fmt: skip
    full = readings.fuel is Fuel.FULL
    use = [track.fuel_of(slot.value) if full else 0 for slot in dice]
    finish = np.zeros(tanks)
    finish[0] = sink_cost if readings.fuel is Fuel.LIMITED else 0.0
    starts = np.cumsum([0, *(sum(slot.colour is colour for slot in dice) for colour in COLOURS)], dtype=np.int64)
    tail = np.array([0.0, float(above(Colour.RED, longest)), 0.0])
    return places, Tables(
        group, *endings.arrays(), starts, np.array([*(slot.chance for slot in dice), 1.0]), tail, np.array([*use, 0]),
        finish, float(sink_cost), np.array(places.order()), places.stop + np.arange(3), int(full),
    )  # fmt: skip


class Endings:
    """Sets of endings, each kept once."""

    def __init__(self) -> None:
        self.numbers: dict[frozenset[Ending], int] = {}
        self.kept: list[list[tuple[int, int, int]]] = []

    def number(self, places: Places, found: frozenset[Ending]) -> int:
        """The number of a set."""
        if found not in self.numbers:
            self.numbers[found] = len(self.kept)
            self.kept.append(sorted((places.number(end), line, damage) for end, line, damage in found))
        return self.numbers[found]

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """First entry of each set and of the one behind the last; ends, crossings, damage of the entries."""
        first = np.cumsum([0, *map(len, self.kept)])
        entries = np.array([entry for kept in self.kept for entry in kept], np.int64).reshape(-1, 3)
        return first, *(np.ascontiguousarray(column) for column in entries.T)  # type: ignore[return-value]
