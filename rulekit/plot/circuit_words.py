"""Where the names of sections, their limits and the arrow of the driving direction stand: beside the track, clear of
it and of each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from rulekit.plot.circuit_pit import EDGE, PitLane, boxes
from rulekit.plot.circuit_signs import ARROW, LIMIT_RADIUS
from rulekit.plot.plane import Box, Point, away, grown
from rulekit.plot.ring import Ring
from rulekit.plot.shapes import width_of
from rulekit.ps.track import Track

Floats = npt.NDArray[np.float64]

NAME_SIZE = 0.44
TICK_ROOM = 0.42
"""Beside the track's edge: the numbers of the columns."""

SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
"""Where along its section a name may stand, best first."""

NEAR, FAR = (0.0, 0.4, 0.8), (1.3, 1.9, 2.6)
"""How much further out: near the track first outside, then inside, only then far from it."""


@dataclass(frozen=True, slots=True)
class Label:
    """A word, limit or arrow, its middle and the box that it takes."""

    point: Point
    box: Box


@dataclass
class Placing:
    """Labels placed so far, and what else they must keep clear of."""

    track: Track
    ring: Ring
    taken: list[Box] = field(default_factory=list)
    asphalt: Floats = field(default_factory=lambda: np.empty((0, 2)))

    @classmethod
    def of(cls, track: Track, ring: Ring) -> "Placing":
        """With nothing placed but boxes and pit lane."""
        outlines = list(boxes(track, ring))
        ways: list[Point] = []
        if track.pit:
            lane = PitLane(track, ring, track.pit)
            outlines += [lane.outline(place) for place in range(-7, 0)]
            ways = [point for way in lane.ways_in() for point in way]
        taken = [box_of(outline) for outline in outlines]
        if track.pit and (post := lane.signpost()):
            taken.append((post[0] - 0.95, post[0] + 0.95, post[1] - 0.2, post[1] + 0.2))
        return cls(track, ring, taken, np.array([*_asphalt(ring), *ways]))

    def direction(self) -> tuple[Label, float]:
        """The arrow beside the start/finish line, and its heading."""
        section, column = self.track.line
        heading = self.ring.heading(section, column)
        along = ARROW / 2 + 0.1
        place = column - along if column > ARROW else column + along
        half = abs(cos(heading)) * ARROW / 2 + 0.25, abs(sin(heading)) * ARROW / 2 + 0.25
        return self._best(section, (place,), *half), heading

    def limit(self, section: int) -> Label:
        """The limit at a curve's beginning."""
        return self._best(section, (0.1, 0.5, -0.4, 1.0), LIMIT_RADIUS, LIMIT_RADIUS, is_round=True)

    def name(self, section: int, name: str) -> Label:
        """A section's name."""
        places = [share * self.ring.columns[section] for share in SHARES]
        return self._best(section, places, width_of(name, NAME_SIZE, "bold") / 2, NAME_SIZE / 2)

    def _best(self, section: int, columns: Sequence[float], wide: float, high: float, is_round: bool = False) -> Label:
        """The first place that is free, or simply the first."""
        places = list(self._places(section, columns, wide, high))
        points = self._near(places)
        best = next((label for label in places if self._is_free(label.box, points, is_round)), places[0])
        self.taken.append(best.box)
        return best

    def _places(self, section: int, columns: Sequence[float], wide: float, high: float) -> Iterator[Label]:
        outside = self.ring.outsides[section]
        for sides, steps in (((outside,), NEAR), ((-outside,), NEAR), ((outside, -outside), FAR)):
            for side, further in product(sides, steps):
                for column in columns:
                    out = self.ring.heading(section, column) + side * pi / 2
                    room = abs(cos(out)) * wide + abs(sin(out)) * high
                    point = away(self.ring.point(section, column), out, EDGE + TICK_ROOM + further + room)
                    yield Label(point, (point[0] - wide, point[0] + wide, point[1] - high, point[1] + high))

    def _near(self, places: Sequence[Label]) -> Floats:
        """The points of the track that one of these places can touch."""
        left, right, bottom, top = (pick(side) for pick, side in zip(
            (min, max, min, max), zip(*(label.box for label in places), strict=True), strict=True))  # fmt: skip
        x, y = self.asphalt.T
        near: Floats = self.asphalt[(left - 1 < x) & (x < right + 1) & (bottom - 1 < y) & (y < top + 1)]
        return near

    def _is_free(self, box: Box, points: Floats, is_round: bool) -> bool:
        room = grown(box, 0.12)
        if any(room[0] < b[1] and b[0] < room[1] and room[2] < b[3] and b[2] < room[3] for b in self.taken):
            return False
        if is_round:
            middle, radius = ((room[0] + room[1]) / 2, (room[2] + room[3]) / 2), (room[1] - room[0]) / 2
            return not np.any(np.hypot(*(points - middle).T) < radius)
        low, high = room[::2], room[1::2]
        return not np.any(np.all((low < points) & (points < high), axis=1))


@dataclass(frozen=True)
class Labels:
    """All labels of a circuit: the arrow with its heading, limits by curve, names by section, and every box taken."""

    direction: tuple[Label, float]
    limits: Mapping[int, Label]
    names: tuple[Label, ...]
    boxes: tuple[Box, ...]


def labels_of(track: Track, ring: Ring) -> Labels:
    """The labels of a circuit, placed."""
    placing = Placing.of(track, ring)
    direction = placing.direction()
    limits = {number: placing.limit(number) for number, section in enumerate(track.sections) if section.is_curve}
    names = tuple(placing.name(number, section.id) for number, section in enumerate(track.sections))
    return Labels(direction, limits, names, tuple(placing.taken))


def _asphalt(ring: Ring) -> Iterator[Point]:
    """Points all over the track and its numbers, close enough that no word slips between them."""
    for section, columns in enumerate(ring.columns):
        for k in range(4 * columns + 1):
            for offset in (-1.0, -0.5, 0.0, 0.5, 1.0):
                yield ring.point(section, k / 4, offset * EDGE)
            yield ring.point(section, k / 4, ring.outsides[section] * (EDGE + 0.3))


def box_of(points: Iterable[Point]) -> Box:
    """The least box round some points."""
    across, up = zip(*points, strict=True)
    return min(across), max(across), min(up), max(up)
