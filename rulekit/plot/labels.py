"""Where a label goes so that it covers nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulekit.plot.plane import Box, Point

HALF_HEIGHT = 0.4
"""Half the height of a label with its box, in hexes."""


class Taken(NamedTuple):
    """Something that a label should not cover: its middle, half its width, how bad covering it is."""

    at: Point
    half: float = 0.4
    weight: float = 1


def free_place(point: Point, near: float, half: float, box: Box, taken: Sequence[Taken]) -> Point:
    """The middle of a label `2 * half` wide: near the point, above or below it, clear of what is taken, in the box.

    >>> free_place((0, 0), 1, 1, (-9, 9, -9, 9), [Taken((0, 1))])
    (0.0, -1)
    """
    return min(_places(point, near), key=lambda place: _cost(place, point, half, box, taken))


def _places(point: Point, near: float) -> Iterator[Point]:
    for up in (near, near + 0.9, near + 1.8, near + 2.7, near + 3.6):
        for sign in (1, -1):
            for sideways in (0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6):
                yield point[0] + sideways / 2, point[1] + sign * up


def _cost(place: Point, point: Point, half: float, box: Box, taken: Sequence[Taken]) -> float:
    (x, y), (left, right, bottom, top) = place, box
    outside = (left + half - x, x + half - right, bottom + HALF_HEIGHT - y, y + HALF_HEIGHT - top)
    covered = sum(one.weight * max(0.0, 0.1 - _gap(place, half, one)) for one in taken)
    return 60 * max(0.0, *outside) + 2 * covered + abs(x - point[0]) / 6 + abs(y - point[1]) / 4


def _gap(place: Point, half: float, one: Taken) -> float:
    """Free space between a label and something else, negative where they overlap."""
    across = abs(place[0] - one.at[0]) - half - one.half
    return max(across, abs(place[1] - one.at[1]) - 2 * HALF_HEIGHT)
