"""Progress after a step (PB-10, PB-12), told by hand on open water and against every step of random courses."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from made_up import course_on, courses, lake_from, mirrored, turned

from rulekit.hexgrid import Hex, Side, parse_hex
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import Gates, gates
from rulekit.powerboats.route import settle
from rulekit.readings import PowerboatsReadings, Rounding

LINE = PowerboatsReadings(rounding=Rounding.LINE)

# Strip C5 D5, crossed towards the left (north): behind is south. The buoy at H5 is rounded leftwards (straight back),
# its line runs east from H5.
OPEN = lake_from("\n".join(" " * (row & 1) + ". " * 11 for row in range(9)))
COURSE = replace(
    course_on(OPEN, "B5", "E", [("H5", "left")], strip=2), start=Side.LEFT, finish=Side.RIGHT
)  # finish: from north to south


def walk(names: str, progress: int, course_gates: Gates) -> list[int]:
    """Progress after each step of a chain of hexes."""
    hexes = [parse_hex(name) for name in names.split()]
    found = []
    for a, b in pairwise(hexes):
        progress = course_gates.after_step(progress, a, b)
        found.append(progress)
    return found


@pytest.mark.parametrize(
    ("chain", "progress", "found"),
    [
        ("C6 C5", 0, [1]),  # onto the strip from behind
        ("C4 C5 C6", 0, [0, 0]),  # from the front, then out behind: nothing to take back
        ("C6 C5 C6 C5", 0, [1, 0, 1]),  # leaving to the side behind takes it back
        ("C5 C4 C5 C6", 1, [1, 1, 0]),  # the strip is left in front, entered again, left behind
        ("C5 D5 C5", 1, [1, 1]),  # along the strip
        ("C5 C6", 2, [2]),  # only the last gate passed can be taken back
        ("J6 J5", 1, [1]),  # onto the rounding line: not crossed yet
        ("J6 J5 I4", 1, [1, 2]),
        ("J6 J5 I6", 1, [1, 1]),
        ("J6 J5 I4 J5", 1, [1, 2, 1]),  # back onto the line: the string is unwound
        ("I4 J5 J6", 1, [1, 1]),  # against the arrow
        ("C6 C5 D4", 1, [1, 1]),
        ("F6 F5 F4", 1, [1, 1]),  # the line has no other half
        ("C4 C5", 2, [3]),
        ("C4 C5 C4", 2, [3, 3]),  # the finish is never taken back
        ("C6 C5 C4 C5", 2, [2, 2, 3]),  # the finish from the wrong side is none
        ("B5 C5", 0, [0]),  # a flight over the buoy enters along the strip
        ("G5 H5 I5", 1, [1, 1]),  # a flight over the buoy rounds nothing
        ("I6 H5 H4", 1, [1, 1]),
    ],
)
def test_steps_by_hand(chain: str, progress: int, found: list[int]) -> None:
    assert walk(chain, progress, gates(COURSE)) == found


def test_reading_line_never_takes_a_rounding_back() -> None:
    """The witness of rounding=line; the strip is no rounding."""
    assert walk("J6 J5 I4 J5", 1, gates(COURSE, LINE)) == [1, 2, 2]
    assert walk("C6 C5 C6", 0, gates(COURSE, LINE)) == [1, 0]


def test_flights_over_the_edge_are_judged_too() -> None:
    course_gates = gates(COURSE)
    far = parse_hex("P5")
    assert course_gates.after_step(1, far, far.step(2)) == 2


@settings(max_examples=30)
@given(courses())
def test_known_steps_are_the_rule(course: Course) -> None:
    """The tables of steps on the board say what the gates themselves say."""
    course_gates = gates(settle(course))
    bare = replace(course_gates, board=frozenset(), known=())
    for at in course_gates.board:
        for step in at.neighbours():
            for progress in range(course_gates.last + 1):
                after = course_gates.after_step(progress, at, step)
                assert after == bare.after_step(progress, at, step)
                assert after == progress or step not in course_gates.board or at in course_gates.stirs(progress)


@settings(max_examples=20)
@given(courses(columns=7, rows=7))
def test_turned_and_mirrored_courses_have_the_same_steps(course: Course) -> None:
    course = settle(course)

    def mirror(at: Hex) -> Hex:
        return Hex(-at.q - at.r, at.r)

    def turn(at: Hex) -> Hex:
        return Hex(at.q + at.r, -at.q)

    own, seen, round_ = gates(course), gates(mirrored(course)), gates(turned(course, 1))
    for a in own.board:
        for b in a.neighbours():
            for progress in range(own.last):
                found = own.after_step(progress, a, b)
                assert found == seen.after_step(progress, mirror(a), mirror(b))
                assert found == round_.after_step(progress, turn(a), turn(b))
