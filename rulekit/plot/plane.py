"""The drawing plane: a hex is one unit wide, x grows to the right and y upwards, A1 lies at the origin."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt

from rulekit.hexgrid import FACINGS, Facing, Hex, facing_between, plane

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""(left, right, bottom, top)."""

ROW = sqrt(3) / 2
"""Distance between two rows."""

CORNER = 1 / sqrt(3)
"""Distance of a corner from the middle of its hex."""

Segment = tuple[Point, Point]


def centre(hexagon: Hex) -> Point:
    """The middle of a hex.

    >>> centre(Hex(1, 0))
    (1.0, 0.0)
    """
    x, y = plane(hexagon)
    return x / 2, -y * ROW


def away(point: Point, angle: float, length: float) -> Point:
    """The point `length` away at an angle in radians."""
    return point[0] + length * cos(angle), point[1] + length * sin(angle)


def angle_of(facing: int) -> float:
    """A facing's angle in radians, counter-clockwise from E."""
    return facing * pi / 3


def corners(hexagon: Hex, radius: float = CORNER) -> list[Point]:
    """The six corners, counter-clockwise from the lower end of the E side."""
    middle = centre(hexagon)
    return [away(middle, (2 * k - 1) * pi / 6, radius) for k in range(6)]


def side(hexagon: Hex, facing: int) -> Segment:
    """The two ends of one side of a hex."""
    ring = corners(hexagon)
    return ring[facing], ring[(facing + 1) % 6]


def borders(hexes: Iterable[Hex], differs: Callable[[Hex, Hex], bool]) -> Iterator[Segment]:
    """The sides at which a hex and its neighbour beyond differ."""
    for hexagon in hexes:
        for facing in FACINGS:
            if differs(hexagon, hexagon.step(facing)):
                yield side(hexagon, facing)


def outline(hexes: Sequence[Hex]) -> Iterator[Segment]:
    """The outer sides of a set of hexes."""
    inside: Container[Hex] = frozenset(hexes)
    return borders(hexes, lambda _here, beyond: beyond not in inside)


def strokes(hexagon: Hex) -> Iterator[Segment]:
    """Three slanted strokes that fill a hex and run on without a break into the next one."""
    middle = centre(hexagon)
    for offset in (-ROW / 3, 0.0, ROW / 3):
        through = away(middle, pi / 3 + pi / 2, offset)
        yield away(through, pi / 3, -0.5), away(through, pi / 3, 0.5)


def box_of(hexes: Iterable[Hex]) -> Box:
    """The least box round some hexes."""
    points = [centre(hexagon) for hexagon in hexes]
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across) - 0.5, max(across) + 0.5, min(up) - CORNER, max(up) + CORNER


def grown(box: Box, by: float) -> Box:
    """A box with a margin (negative: shrunk)."""
    return box[0] - by, box[1] + by, box[2] - by, box[3] + by


def within(point: Point, box: Box) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= point[0] <= box[1] and box[2] <= point[1] <= box[3]


def reach(point: Point, angle: float, box: Box) -> float:
    """How far a half-line runs from a point in a box until it leaves the box.

    >>> reach((0, 0), 0, (-1, 2, -1, 1))
    2.0
    """
    runs = []
    for along, here, least, most in ((cos(angle), point[0], box[0], box[1]), (sin(angle), point[1], box[2], box[3])):
        if abs(along) > 1e-12:
            runs.append(((most if along > 0 else least) - here) / along)
    return max(0.0, min(runs))


def lanes(route: Sequence[Hex], apart: float = 0.15) -> list[Point]:
    """A route as points; where it runs along a way twice it keeps to starboard, so that the two stay apart."""
    steps = Counter(frozenset(step) for step in pairwise(route))
    often = {hexagon for step, times in steps.items() if times > 1 for hexagon in step}
    return [
        _starboard(route, place, apart) if hexagon in often else centre(hexagon) for place, hexagon in enumerate(route)
    ]


def _starboard(route: Sequence[Hex], place: int, apart: float) -> Point:
    """The middle of a hex of the route, moved to the right of the way through it."""
    before, after = centre(route[max(0, place - 1)]), centre(route[min(place + 1, len(route) - 1)])
    across, up = after[0] - before[0], after[1] - before[1]
    length = hypot(across, up)
    x, y = centre(route[place])
    return (x + up / length * apart, y - across / length * apart) if length else (x, y)


def heading(a: Hex, b: Hex) -> Facing:
    """The facing of a step; E where the two are no neighbours."""
    facing = facing_between(a, b)
    return Facing.E if facing is None else facing
