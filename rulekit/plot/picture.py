"""What a picture of a board shows: plain values, ready to be drawn on axes or printed as text."""

from dataclasses import dataclass
from typing import Literal

from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake


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
