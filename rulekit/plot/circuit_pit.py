"""Where start boxes and pit lane lie: beside the inside lane, on the side of the infield."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot

from rulekit.plot.plane import Point, away
from rulekit.plot.ring import LANE, Ring
from rulekit.ps.track import BOXES, PIT_LONG, PIT_SHORT, STOP, Pit, Track

EDGE = 1.5 * LANE
"""From the middle line to the track's edge."""

BOX_NEAR, BOX_FAR = EDGE + 0.12, EDGE + 0.62
PIT_NEAR, PIT_FAR = EDGE + 0.95, EDGE + 1.6
"""Distances of the start boxes and the pit lane from the middle line."""

SHIFTS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
"""Columns by which the pit lane may move on where it would lie on the track."""

PLACES = tuple(STOP - place for place in range(7))
"""The stop space and pit spaces 1 to 6."""

SAME_ROW = 12.0


def lane_offset(lane: int) -> float:
    """How far to the left of the middle line a lane's own middle lies."""
    return (1 - lane) * LANE


def boxes(track: Track, ring: Ring) -> Iterator[list[Point]]:
    """The start boxes from 1 to 12: front, back, far back, far front."""
    if track.box_1 is None:
        return
    at = track.spaces[track.box_1]
    for number in range(BOXES):
        back, front = at.first + number - 0.9, at.first + number - 0.1
        corners = ((front, BOX_NEAR), (back, BOX_NEAR), (back, BOX_FAR), (front, BOX_FAR))
        yield [ring.point(at.section, column, track.inside * offset) for column, offset in corners]


@dataclass(frozen=True)
class PitLane:
    """The pit lane as a row of spaces beside the straight to which pit space 3 leads, with its ways in and out."""

    track: Track
    ring: Ring
    pit: Pit

    def outline(self, place: int, shift: float | None = None) -> list[Point]:
        """The outline of a place of the pit lane."""
        section, end = self._column(place, self.shift if shift is None else shift)
        return self.ring.cell(section, end - 0.94, end, self.track.inside * PIT_NEAR, self.track.inside * PIT_FAR)

    @cached_property
    def shift(self) -> float:
        """By how many columns the row is moved on, so that it does not lie on the track."""
        return next((shift for shift in SHIFTS if self._is_free(shift)), 0.0)

    def _is_free(self, shift: float) -> bool:
        corners = [point for place in PLACES for point in self.outline(place, shift)]
        return all(hypot(x - px, y - py) > EDGE + 0.1 for x, y in corners for px, py in middle_line(self.ring))

    def _column(self, place: int, shift: float) -> tuple[int, float]:
        """The section beside which a place lies, and behind which column it ends."""
        short, long = self.track.spaces[self.pit.exit_short], self.track.spaces[self.pit.exit_long]
        end = short.first - 1 + shift
        if place >= PIT_SHORT:
            return short.section, float(end - (place - PIT_SHORT))
        apart = (long.first - short.first) / 3 if long.section == short.section else 1.0
        return short.section, end + (PIT_SHORT - place) * min(max(apart, 1.0), 2.0)

    def ways_in(self) -> list[list[Point]]:
        """From the entry space to the stop space, in a bow; only its beginning and its end where they lie far apart."""
        section, end = self._column(STOP, self.shift)
        target = self.ring.point(section, end - 1.1, self.track.inside * (PIT_NEAR + PIT_FAR) / 2)
        begin, heading = self._beside(self.pit.entry, 0.6, -0.1), self.ring.heading(section, 0)
        if hypot(target[0] - begin[0], target[1] - begin[1]) > SAME_ROW:
            return [[begin, self._beside(self.pit.entry, 0.6, 0.35)], [away(target, heading, -1.0), target]]
        bend = away(target, heading, -0.9)
        return [[_bow(begin, bend, target, k / 12) for k in range(13)]]

    def signpost(self) -> Point | None:
        """Where words tell that a way leads to the pit, if its beginning and end lie far apart."""
        return self._beside(self.pit.entry, 0.6, 0.85) if len(self.ways_in()) > 1 else None

    def ways_out(self) -> Iterator[list[Point]]:
        """From pit spaces 3 and 6 to the spaces one step ahead."""
        for place, space in ((PIT_SHORT, self.pit.exit_short), (PIT_LONG, self.pit.exit_long)):
            section, end = self._column(place, self.shift)
            yield [self.ring.point(section, end, self.track.inside * PIT_NEAR), self._beside(space, 0.25, 0.1)]

    def _beside(self, number: int, share: float, beyond: float) -> Point:
        """A point near the edge of a space towards the infield."""
        space = self.track.spaces[number]
        offset = lane_offset(space.lane) + self.track.inside * (LANE / 2 + beyond)
        return self.ring.point(space.section, space.first - 1 + share * (space.last - space.first + 1), offset)


def middle_line(ring: Ring) -> list[Point]:
    """Points along the middle line, close enough that nothing slips between them."""
    return [
        ring.point(section, columns * k / pieces)
        for section, columns in enumerate(ring.columns)
        for pieces in [ceil(3 * ring.lengths[section])]
        for k in range(pieces)
    ]


def _bow(begin: Point, bend: Point, end: Point, share: float) -> Point:
    """A point of the curve that leaves towards `bend` and arrives from there."""
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return a * begin[0] + b * bend[0] + c * end[0], a * begin[1] + b * bend[1] + c * end[1]
