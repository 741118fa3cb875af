"""The string round the buoys: turns, legal arrows, swept angles, rounding lines (PB-7…PB-10).

The string runs from the middle of the strip round the buoys and back. Every verdict is reached in integers, in the
plane (X, Y) = (2q + r, r) with all marks doubled, so that the middle of the strip is a point of the lattice too.
Lengths there are X² + 3Y²; Y grows downwards, so the sign of a cross product is turned over to count to the left.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import atan2, degrees, hypot, sqrt
from typing import NamedTuple

from rulekit.hexgrid import STEPS, Hex, Side, plane
from rulekit.powerboats.course import Course

Step = tuple[Hex, Hex]


class Vector(NamedTuple):
    """A point or a difference of two points of the doubled plane."""

    x: int
    y: int

    @property
    def square(self) -> int:
        """Squared length, four times (doubled: sixteen times) that in units of a hex's width."""
        return self.x * self.x + 3 * self.y * self.y


def minus(u: Vector, v: Vector) -> Vector:
    """The vector from v to u."""
    return Vector(u.x - v.x, u.y - v.y)


def cross(u: Vector, v: Vector) -> int:
    """Positive where v lies to the left of u, 0 where the two are parallel.

    >>> cross(Vector(2, 0), Vector(1, -1))
    2
    """
    return u.y * v.x - u.x * v.y


def dot(u: Vector, v: Vector) -> int:
    """Positive where the angle between u and v is less than 90°."""
    return u.x * v.x + 3 * u.y * v.y


def doubled(hexagon: Hex) -> Vector:
    """The centre of a hex in the doubled plane."""
    x, y = plane(hexagon)
    return Vector(2 * x, 2 * y)


def sign_of_sum(u: int, u_square: int, v: int, v_square: int) -> int:
    """Sign of u/√u_square + v/√v_square, without a root; a zero numerator makes its term 0.

    >>> sign_of_sum(3, 9, -2, 4), sign_of_sum(3, 8, -2, 4)
    (0, 1)
    """
    if u * v >= 0:
        return _sign(u + v)
    return _sign(u) * _sign(u * u * v_square - v * v * u_square)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True, slots=True)
class Line:
    """A rounding line: the endless half-line from a buoy that a boat has to cross in the arrow's sense (PB-10).

    `before` and `after` are the vectors from the buoy to its neighbours on the string. The half-line halves the swept
    angle: it points away from the middle between the two, or square to both where the string goes straight on.
    """

    mark: Vector
    before: Vector
    after: Vector
    sense: Side

    @property
    def straight_on(self) -> bool:
        """Whether the string does not turn here."""
        return _straight_on(self.before, self.after)

    def side(self, point: Vector) -> int:
        """1 where a point (seen from the mark) is past the whole line in the arrow's sense, -1 before it, 0 on it."""
        if self.straight_on:
            return -_sign(dot(self.before, point))
        left = sign_of_sum(cross(self.before, point), self.before.square, cross(self.after, point), self.after.square)
        return -self.sense * left

    def passes(self, a: Hex, b: Hex) -> bool:
        """Whether the step from a to b crosses the half-line in the arrow's sense; a centre on it has not yet."""
        p, q = self._seen(a), self._seen(b)
        return self.sense * cross(p, q) > 0 and self.side(p) <= 0 < self.side(q)

    def steps(self, board: Iterable[Hex]) -> frozenset[Step]:
        """All steps between neighbours on the board that pass the line."""
        sides = {hexagon: self.side(self._seen(hexagon)) for hexagon in board}
        return frozenset(
            (a, b)
            for a, side in sides.items()
            if side <= 0
            for b in a.neighbours()
            if sides.get(b, 0) > 0 and self.passes(a, b)
        )

    def _seen(self, hexagon: Hex) -> Vector:
        return minus(doubled(hexagon), self.mark)

    @property
    def direction(self) -> tuple[float, float]:
        """Unit vector of the half-line for a picture: x to the right, y upwards."""
        bx, by = _upright(self.before)
        if self.straight_on:
            return -self.sense * by, self.sense * bx
        ax, ay = _upright(self.after)
        x, y = -(bx + ax), -(by + ay)
        length = hypot(x, y) or 1.0
        return x / length, y / length

    @property
    def bearing(self) -> float:
        """Degrees of the half-line, counter-clockwise from east, in [0, 360)."""
        x, y = self.direction
        return degrees(atan2(y, x)) % 360


def _straight_on(before: Vector, after: Vector) -> bool:
    return cross(before, after) == 0 and dot(before, after) < 0


def _upright(vector: Vector) -> tuple[float, float]:
    length = sqrt(vector.square) or 1.0
    return vector.x / length, -sqrt(3) * vector.y / length


@dataclass(frozen=True, slots=True)
class Corner:
    """The string at one buoy: the mark and the vectors to the marks before and after it."""

    mark: Vector
    before: Vector
    after: Vector

    @property
    def turns(self) -> Side | None:
        """The side to which the string turns; None where it goes straight on or straight back."""
        turn = cross(self.after, self.before)
        return Side(_sign(turn)) if turn else None

    @property
    def legal(self) -> tuple[Side, ...]:
        """The arrows that need no full circle (PB-8), the one that `auto` takes first."""
        return (Side.LEFT, Side.RIGHT) if self.turns is None else (self.turns,)

    def full_circle(self, arrow: Side) -> bool:
        """Whether boats must sweep more than 360° round the buoy (PB-8)."""
        return arrow not in self.legal

    @property
    def turn_degrees(self) -> float:
        """Degrees by which the string turns, left positive, in (-180, 180]."""
        back = Vector(-self.before.x, -self.before.y)
        return degrees(atan2(sqrt(3) * cross(back, self.after), dot(back, self.after)))

    def angle_degrees(self, arrow: Side) -> float:
        """φ of PB-9 before the full circle that a wrong arrow adds: in (0, 360]."""
        turned = 180 + arrow * self.turn_degrees
        return turned if turned > 0 else turned + 360

    def swept_degrees(self, arrow: Side) -> float:
        """Degrees that the string sweeps round the buoy: 180 to 360 with a legal arrow, else above 360 (PB-9)."""
        return self.angle_degrees(arrow) + (360 if self.full_circle(arrow) else 0)

    def line(self, arrow: Side) -> Line:
        """The rounding line for an arrow."""
        return Line(self.mark, self.before, self.after, arrow)


def marks(course: Course) -> tuple[Vector, ...]:
    """M0 (the middle of the strip), the buoys in order, and M0 again (PB-8)."""
    dq, dr = STEPS[course.strip_side]
    reach = course.strip_length + 1
    middle = Hex(2 * course.start_buoy.q + reach * dq, 2 * course.start_buoy.r + reach * dr)
    ends = Vector(*plane(middle))
    return (ends, *(doubled(buoy.at) for buoy in course.buoys), ends)


def corners(course: Course) -> tuple[Corner, ...]:
    """The string at each buoy in order."""
    points = marks(course)
    return tuple(
        Corner(here, minus(before, here), minus(after, here))
        for before, here, after in zip(points, points[1:], points[2:], strict=False)
    )


def rounding_lines(course: Course) -> tuple[Line, ...]:
    """The rounding line of each buoy; one without an arrow gets the one that `auto` takes (PB-8, PB-10)."""
    return tuple(
        corner.line(buoy.arrow if buoy.arrow is not None else corner.legal[0])
        for corner, buoy in zip(corners(course), course.buoys, strict=True)
    )
