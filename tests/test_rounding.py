"""Turns, legal arrows, swept angles, rounding lines, against angles in floats and against searches (PB-7…PB-10)."""

import json
from collections import deque
from fractions import Fraction
from itertools import pairwise
from math import atan2, degrees, isqrt, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import CASES, board, case, course_on, courses, lake_from, mirrored, turned

from rulekit.hexgrid import Facing, Hex, Side, from_offset, parse_hex
from rulekit.powerboats.course import Buoy, Course
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.rounding import (
    Corner,
    Line,
    Vector,
    corners,
    cross,
    dot,
    doubled,
    marks,
    minus,
    rounding_lines,
    sign_of_sum,
)

EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
BOTH = (Side.LEFT, Side.RIGHT)


def bearing(vector: Vector) -> float:
    """Degrees counter-clockwise from east."""
    return degrees(atan2(-sqrt(3) * vector.y, vector.x))


@pytest.mark.parametrize("name", EXPECTED)
def test_courses_with_known_answers(name: str) -> None:
    want, course = EXPECTED[name], case(name)
    found = corners(course)
    arrows = [buoy.arrow or corner.legal[0] for buoy, corner in zip(course.buoys, found, strict=True)]
    assert [arrow.word for arrow in arrows] == want["arrows"]
    assert [corner.turn_degrees for corner in found] == pytest.approx(want["turns"], abs=1e-5)
    pairs = list(zip(found, arrows, strict=True))
    assert [corner.angle_degrees(arrow) for corner, arrow in pairs] == pytest.approx(want["swept"], abs=1e-5)
    assert [corner.full_circle(arrow) for corner, arrow in pairs] == want["full_circle"]


@given(courses())
def test_angles_by_a_second_route(course: Course) -> None:
    for corner in corners(course):
        for arrow in BOTH:
            swept = (bearing(corner.after) - bearing(corner.before)) * arrow % 360
            swept = 360.0 if min(swept, 360 - swept) < 1e-7 else swept
            assert corner.angle_degrees(arrow) == pytest.approx(swept, abs=1e-7)
            assert corner.full_circle(arrow) == (swept < 180 - 1e-7)
            line = corner.line(arrow)
            looped = swept + 360 if corner.full_circle(arrow) else swept
            off = (line.bearing - bearing(corner.before) - arrow * looped / 2) % 360
            assert min(off, 360 - off) < 1e-6


@given(courses(), st.integers(0, 5))
def test_turning_a_course_changes_no_angle(course: Course, sixths: int) -> None:
    for old, new in zip(corners(course), corners(turned(course, sixths)), strict=True):
        assert old.legal == new.legal
        assert old.turn_degrees == pytest.approx(new.turn_degrees)


@given(courses())
def test_mirroring_a_course_swaps_left_and_right(course: Course) -> None:
    for old, new in zip(corners(course), corners(mirrored(course)), strict=True):
        assert set(new.legal) == {side.other for side in old.legal}
        assert abs(new.turn_degrees) == pytest.approx(abs(old.turn_degrees))
        for arrow in BOTH:
            assert new.swept_degrees(arrow.other) == pytest.approx(old.swept_degrees(arrow))


STRAIGHT = lake_from("\n".join(" " * (row & 1) + ". " * 9 for row in range(9)))


def test_straight_on_leaves_both_arrows_and_auto_takes_left() -> None:
    course = course_on(STRAIGHT, "A5", "E", [("F5", "auto"), ("H5", "auto")], strip=1)
    corner = corners(course)[0]
    assert (corner.turns, corner.legal, corner.turn_degrees) == (None, BOTH, 0.0)
    assert [corner.swept_degrees(arrow) for arrow in BOTH] == [180.0, 180.0]
    assert [round(corner.line(arrow).bearing) for arrow in BOTH] == [270, 90]


def test_straight_back_sweeps_a_full_circle_and_no_more() -> None:
    corner = corners(course_on(STRAIGHT, "A5", "E", [("F5", "auto")], strip=1))[0]
    assert (corner.turns, corner.legal, corner.turn_degrees) == (None, BOTH, 180.0)
    assert [corner.swept_degrees(arrow) for arrow in BOTH] == [360.0, 360.0]
    assert [round(corner.line(arrow).bearing) % 360 for arrow in BOTH] == [0, 0]


def test_the_middle_of_a_strip_lies_between_two_hexes() -> None:
    course = course_on(STRAIGHT, "A5", "E", [("F2", "auto")], strip=2)
    assert marks(course)[0] == minus(marks(course)[-1], Vector(0, 0))
    assert 2 * marks(course)[0].x == doubled(parse_hex("B5")).x + doubled(parse_hex("C5")).x


def test_a_buoy_in_the_middle_of_the_strip_does_not_crash() -> None:
    """Such a course is faulty (PB-6), yet it can be read and drawn."""
    course = course_on(STRAIGHT, "A5", "E", [("C5", "left")], strip=3)
    corner, line = corners(course)[0], rounding_lines(course)[0]
    assert corner.legal == BOTH
    assert line.bearing >= 0
    assert not line.steps(course.lake.water)


@given(*[st.integers(-50, 50)] * 2, *[st.integers(1, 400)] * 2)
def test_sign_of_a_sum_of_roots(u: int, v: int, u_square: int, v_square: int) -> None:
    scale = 10**40
    near = Fraction(u * scale, isqrt(u_square * scale**2)) + Fraction(v * scale, isqrt(v_square * scale**2))
    exact = u * abs(u) * v_square == -v * abs(v) * u_square
    assert sign_of_sum(u, u_square, v, v_square) == (0 if exact else (near > 0) - (near < 0))


def _float_side(line: Line, at: Hex) -> int:
    x, y = line.direction
    seen = minus(doubled(at), line.mark)
    left = x * -sqrt(3) * seen.y - y * seen.x
    return 0 if abs(left) < 1e-9 else line.sense * (1 if left > 0 else -1)


@settings(max_examples=30)
@given(courses())
def test_sides_and_crossings_by_a_second_route(course: Course) -> None:
    hexes = course.lake.water | course.lake.land
    for corner in corners(course):
        for arrow in BOTH:
            line = corner.line(arrow)
            sides = {at: _float_side(line, at) for at in hexes}
            assert {at: line.side(minus(doubled(at), line.mark)) for at in hexes} == sides
            crossing = {
                (a, b)
                for a in hexes
                for b in a.neighbours()
                if b in hexes and sides[a] <= 0 < sides[b] and _meets(line, a, b)
            }
            assert line.steps(hexes) == crossing
            assert all(line.passes(a, b) for a, b in crossing)


def _meets(line: Line, a: Hex, b: Hex) -> bool:
    """Whether the segment meets the half-line itself, by solving for the point of meeting in floats."""
    (x, y), p, q = line.direction, minus(doubled(a), line.mark), minus(doubled(b), line.mark)
    px, py, vx, vy = p.x, -sqrt(3) * p.y, q.x - p.x, -sqrt(3) * (q.y - p.y)
    along = (px * vy - py * vx) / (x * vy - y * vx)
    return along > 1e-9


@given(courses(columns=14, rows=14))
def test_lines_of_consecutive_buoys_never_cross(course: Course) -> None:
    """With legal arrows the line never leans towards the next mark or the former one, which keeps neighbours apart."""
    lines = rounding_lines(course)
    for line in lines:
        assert line.side(line.after) >= 0 >= line.side(line.before)
        x, y = line.direction
        for vector in (line.before, line.after):
            assert x * vector.x - y * sqrt(3) * vector.y <= 1e-9
    for line, following in pairwise(lines):
        assert not _half_lines_cross(line, following)


def _half_lines_cross(one: Line, two: Line) -> bool:
    (ux, uy), (vx, vy) = one.direction, two.direction
    apart = minus(two.mark, one.mark)
    wx, wy = apart.x, -sqrt(3) * apart.y
    parallel = ux * vy - uy * vx
    if abs(parallel) < 1e-9:
        return False
    return (wx * vy - wy * vx) / parallel > 1e-9 and (wx * uy - wy * ux) / parallel > 1e-9


# The verdict by a search: on a lake without islands, the least angle that a boat can sweep round the buoy while the
# string touches it (180° or more in the arrow's sense).


def lake_without_islands(rng: Random, buoy: Hex, keep: set[Hex], columns: int = 7, rows: int = 7) -> set[Hex]:
    """Water of a random lake whose only hole is the buoy: the shore eats hexes that hold nothing together."""
    water = board(columns, rows) - {buoy}
    for at in rng.sample(sorted(water), rng.randrange(len(water))):
        ring = [n in water or n == buoy for n in at.neighbours()]
        shore = sum(not wet for wet in ring)
        runs = sum(ring[k] and not ring[k - 1] for k in range(6))
        if at not in keep and buoy not in at.neighbours() and shore and runs == 1:
            water.remove(at)
    return water


def least_sweep(water: set[Hex], corner: Corner, first: Hex, last: Hex, sense: Side) -> float | None:
    """Least angle swept in a sense from the mark before to the mark after, not below 180°, over all chains of hexes."""

    def seen(at: Hex) -> Vector:
        return minus(doubled(at), corner.mark)

    begin = _turn(corner.before, seen(first))
    queue, found = deque([(first, begin)]), {(first, round(begin))}
    best: float | None = None
    while queue:
        at, swept = queue.popleft()
        total = sense * (swept + _turn(seen(at), corner.after))
        if at == last and total >= 180 - 1e-7 and (best is None or total < best):
            best = total
        for step in at.neighbours():
            further = swept + _turn(seen(at), seen(step)) if step in water else 1e9
            if abs(further) < 800 and (step, round(further)) not in found:
                found.add((step, round(further)))
                queue.append((step, further))
    return best


def _turn(u: Vector, v: Vector) -> float:
    return degrees(atan2(sqrt(3) * cross(u, v), dot(u, v)))


@pytest.mark.parametrize("seed", range(60))
def test_the_verdict_by_a_search_over_windings(seed: int) -> None:
    rng = Random(seed)
    buoy = from_offset(rng.randrange(1, 6), rng.randrange(1, 6))
    first, last = rng.sample(sorted(board(7, 7) - {buoy}), 2)
    last = first if seed % 10 == 0 else last
    corner = Corner(doubled(buoy), minus(doubled(first), doubled(buoy)), minus(doubled(last), doubled(buoy)))
    water = lake_without_islands(rng, buoy, {first, last})
    for arrow in BOTH:
        swept = least_sweep(water, corner, first, last, arrow)
        assert swept is not None
        assert swept == pytest.approx(corner.swept_degrees(arrow), abs=1e-6)
        assert (swept > 360 + 1e-6) == corner.full_circle(arrow)


@pytest.mark.parametrize("seed", range(20))
def test_the_verdict_from_the_middle_of_a_strip(seed: int) -> None:
    """The string leaves the middle of the strip, which may lie between two hexes."""
    rng = Random(seed)
    buoy = from_offset(3, 3)
    strip = [from_offset(0, 0).step(Facing.SE, k) for k in (1, 2)]
    last = rng.choice(sorted(board(7, 7) - {buoy, *strip}))
    water = lake_without_islands(rng, buoy, {*strip, last})
    lake = Lake("random", frozenset(water), frozenset())
    corner = corners(Course("random", lake, from_offset(0, 0), Facing.SE, (Buoy(buoy), Buoy(last)), 2))[0]
    for arrow in BOTH:
        swept = least_sweep(water, corner, strip[0], last, arrow)
        assert swept == pytest.approx(corner.swept_degrees(arrow), abs=1e-6)
