"""What a picture of a board shows: plain values, ready to be drawn on axes or printed as text."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import radians
from typing import Literal

from rulekit.hexgrid import Facing, Hex, hex_name, to_offset
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.rounding import corners, rounding_lines
from rulekit.powerboats.route import route, settle
from rulekit.readings import PowerboatsReadings


@dataclass(frozen=True, slots=True)
class RoundingLine:
    """The half-line at which buoy `number` is rounded (PB-10); `bearing` in radians from E, counter-clockwise."""

    number: int
    at: Hex
    bearing: float


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault to mark on the board: a `ring` round the hex or a `cross` through it, and what to write beside it."""

    at: Hex
    label: str
    sign: Literal["ring", "cross"] = "ring"


@dataclass(frozen=True, slots=True)
class BoatMark:
    """A boat to draw: its hex, where it heads, a short label such as its seat, and which seat's colour it wears."""

    at: Hex
    facing: Facing
    label: str = ""
    seat: int = 0


@dataclass(frozen=True)
class Picture:
    """A lake and what lies on it. Without a course it is the bare lake with its spots.

    `route` is a chain of neighbouring hexes. `remarks` are lines for below the legend.
    """

    title: str
    lake: Lake
    course: Course | None = None
    lines: tuple[RoundingLine, ...] = ()
    route: tuple[Hex, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    boats: tuple[BoatMark, ...] = ()
    remarks: tuple[str, ...] = ()

    @cached_property
    def hexes(self) -> frozenset[Hex]:
        """All hexes that something is drawn on: the lake's, and those of marks that lie outside it."""
        marks = {*self.course.strip, *self.course.buoy_hexes()} if self.course else set()
        return self.lake.water | self.lake.land | marks

    def told(self, flaw: Flaw) -> str:
        """A fault in words, with all hexes that have it by their names, as far as these have any."""
        same = [other.at for other in self.flaws if other.label == flaw.label]
        named = [hex_name(at) for at in same if min(to_offset(at)) >= 0]
        return f"{', '.join(named)}: {flaw.label}" if named else flaw.label


def lake_picture(lake: Lake) -> Picture:
    """The picture of a bare lake."""
    return Picture(lake.name, lake)


def course_picture(course: Course, readings: PowerboatsReadings, with_route: bool = True) -> Picture:
    """The picture of a course, legal or not: settled, with its rounding lines, route and faults."""
    course = settle(course, readings)
    lines = tuple(
        RoundingLine(number, buoy.at, radians(line.bearing))
        for number, (buoy, line) in enumerate(zip(course.buoys, rounding_lines(course), strict=True), 1)
    )
    way = route(course, readings) if with_route else None
    remarks = ("There is no route: this course cannot be raced (PB-12).",) if with_route and way is None else ()
    return Picture(course.name, course.lake, course, lines, way or (), tuple(course_flaws(course)), remarks=remarks)


def course_flaws(course: Course) -> Iterator[Flaw]:
    """What breaks PB-6 and PB-8 on a settled course, with the place to mark."""
    for buoy, corner in zip(course.buoys, corners(course), strict=True):
        if buoy.arrow is not None and corner.full_circle(buoy.arrow):
            yield Flaw(buoy.at, f"full circle, {corner.swept_degrees(buoy.arrow):.0f}°")
    buoys = list(course.buoy_hexes())
    for hexagon in course.strip:
        if hexagon not in course.water:
            yield Flaw(hexagon, _why_blocked(course, hexagon), "cross")
    for hexagon in dict.fromkeys(buoys):
        if hexagon not in course.lake.water | course.lake.land:
            yield Flaw(hexagon, "buoy outside the lake")
        elif buoys.count(hexagon) > 1:
            yield Flaw(hexagon, "two buoys")


def _why_blocked(course: Course, hexagon: Hex) -> str:
    if hexagon in course.lake.water:
        return "buoy on the strip"
    return "strip on land" if hexagon in course.lake.land else "strip outside the lake"
