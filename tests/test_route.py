"""Shortest routes, settled crossings and starting places (PB-11…PB-13), each against a second implementation."""

import json
from dataclasses import replace
from itertools import pairwise
from math import atan2, degrees, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import CASES, case, course_on, courses, lake_from, mirrored, turned

from rulekit.hexgrid import Hex, Side, distance, hex_name
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import gates
from rulekit.powerboats.route import route, route_places, settle, start_places
from rulekit.readings import Behind, PowerboatsReadings

EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
LEGAL = [name for name, want in EXPECTED.items() if not any(want["full_circle"])]
ORDER = [(start, finish) for start in (Side.LEFT, Side.RIGHT) for finish in (Side.LEFT, Side.RIGHT)]


@pytest.mark.parametrize("name", LEGAL)
def test_courses_with_known_answers(name: str) -> None:
    want, course = EXPECTED[name], settle(case(name))
    chain = route(course)
    assert chain is not None
    assert (course.start, course.finish) == (Side[want["start"].upper()], Side[want["finish"].upper()])
    assert len(chain) == want["route"] + 1


# A second implementation: bearings in floats, layers instead of a queue, nothing shared but the course itself.


def xy(q: float, r: float) -> tuple[float, float]:
    return q + r / 2, -r * sqrt(3) / 2


def bearing(frm: tuple[float, float], to: tuple[float, float]) -> float:
    return degrees(atan2(to[1] - frm[1], to[0] - frm[0])) % 360


def layers(course: Course) -> int | None:
    """Steps of the shortest route, by the angle that each step sweeps across the line's bearing."""
    ends = xy(*[(a + b) / 2 for a, b in zip(course.strip[0], course.strip[-1], strict=True)])
    points = [ends, *(xy(*buoy.at) for buoy in course.buoys), ends]
    bearings = []
    for i, buoy in enumerate(course.buoys, 1):
        before, after = bearing(points[i], points[i - 1]), bearing(points[i], points[i + 1])
        assert buoy.arrow is not None
        swept = (after - before) * buoy.arrow % 360
        swept = 360 if min(swept, 360 - swept) < 1e-7 else swept
        bearings.append(before + buoy.arrow * (swept / 2 + (180 if swept < 180 - 1e-7 else 0)))

    def passes(gate: int, a: Hex, b: Hex) -> bool:
        if gate in (0, len(course.buoys) + 1):
            towards = course.finish if gate else course.start
            lane = bearing(xy(*course.start_buoy), xy(*course.finish_buoy))
            off = (bearing(xy(*course.start_buoy), xy(*a)) - lane + 180) % 360 - 180
            return b in course.strip and 1e-7 < abs(off) < 180 - 1e-7 and (off > 0) != (towards is Side.LEFT)
        here, sense = points[gate], course.buoys[gate - 1].arrow
        assert sense is not None
        ahead = [
            ((bearing(here, xy(*at)) - bearings[gate - 1]) * sense + 180 + 1e-7) % 360 - 180 - 1e-7 for at in (a, b)
        ]
        # Before the line or on it, and then past it, by less than half a circle.
        return ahead[0] < 1e-7 < ahead[1] and ahead[1] - ahead[0] < 180 - 1e-7

    layer, seen = {(at, 1) for at in course.strip if at in course.water}, set[tuple[Hex, int]]()
    steps = 0
    while layer:
        if any(progress == len(course.buoys) + 2 for _, progress in layer):
            return steps
        seen |= layer
        following = set()
        for at, progress in layer:
            for step in at.neighbours():
                if step in course.water:
                    back = progress > 0 and passes(progress - 1, step, at)
                    after = progress + 1 if passes(progress, at, step) else progress - back
                    following.add((step, after))
        layer, steps = following - seen, steps + 1
    return None


@settings(max_examples=60)
@given(courses(), st.sampled_from(ORDER), st.lists(st.sampled_from([None, Side.LEFT, Side.RIGHT]), min_size=3))
def test_routes_by_a_second_implementation(course: Course, ends: tuple[Side, Side], arrows: list[Side | None]) -> None:
    buoys = tuple(replace(buoy, arrow=arrow) for buoy, arrow in zip(course.buoys, arrows, strict=False))
    course = settle(replace(course, buoys=buoys, start=ends[0], finish=ends[1]))
    chain = route(course)
    assert (None if chain is None else len(chain) - 1) == layers(course)


@settings(max_examples=40)
@given(courses())
def test_a_route_is_a_chain_of_water_through_all_gates(course: Course) -> None:
    course = settle(course)
    places = route_places(course)
    if places is not None:
        assert (places[0].progress, places[-1].progress) == (1, course.gates)
        assert places[0].at in course.strip
        assert course.water.issuperset(place.at for place in places)
        for a, b in pairwise(places):
            assert distance(a.at, b.at) == 1
            assert gates(course).after_step(a.progress, a.at, b.at) == b.progress


@settings(max_examples=40)
@given(courses(), st.sampled_from([None, Side.LEFT, Side.RIGHT]), st.sampled_from([None, Side.LEFT, Side.RIGHT]))
def test_auto_takes_the_first_of_the_shortest_pairs(course: Course, start: Side | None, finish: Side | None) -> None:
    settled = settle(replace(course, start=start, finish=finish))
    lengths = {}
    for pair in ORDER:
        if start in (None, pair[0]) and finish in (None, pair[1]):
            steps = layers(replace(settled, start=pair[0], finish=pair[1]))
            lengths[pair] = float("inf") if steps is None else steps
    assert (settled.start, settled.finish) == min(lengths, key=lambda pair: lengths[pair])


@settings(max_examples=40)
@given(courses(), st.integers(0, 5))
def test_turning_or_mirroring_a_settled_course_changes_no_route(course: Course, sixths: int) -> None:
    course = settle(course)
    steps = [route(seen) for seen in (course, turned(course, sixths), mirrored(course))]
    assert len({None if chain is None else len(chain) for chain in steps}) == 1


def test_settling_keeps_what_is_told() -> None:
    course = case("mid-1.toml")
    told = replace(settle(course), start=Side.RIGHT, finish=Side.RIGHT)
    assert settle(told) == told
    assert settle(course).buoys[2].arrow is Side.RIGHT  # a full circle, yet as the file has it


WALLED = lake_from(
    """
. . . . # . .
 . . . . # . .
. . . . # . .
 . . . . # . .
. . . . # . .
"""
)


def test_no_route_still_settles() -> None:
    course = settle(course_on(WALLED, "A3", "E", [("F3", "auto")], strip=2))
    assert route(course) is None
    assert (course.start, course.finish) == (Side.LEFT, Side.LEFT)


@pytest.mark.parametrize(
    ("behind", "names"),
    [
        ("strip-only", ""),
        ("rows-1", "A4 B4 C4"),
        ("rows-2", "A3 B3 C3 D3 A4 B4 C4 D4"),
        ("rows-4", "A1 B1 C1 D1 A2 B2 C2 D2 A3 B3 C3 D3 F3 A4 B4 C4 D4 F4"),
    ],
)
def test_starting_places(behind: str, names: str) -> None:
    """Strip B5 C5 crossed towards the right (south): behind lie the hexes to the north, land left out."""
    course = replace(course_on(WALLED, "A5", "E", [("D2", "auto")], strip=2), start=Side.RIGHT)
    course = replace(course, buoys=(replace(course.buoys[0], at=Hex(9, 9)),))
    places = start_places(course, PowerboatsReadings(behind=Behind(behind)))
    assert [(hex_name(at), progress) for at, progress in places] == [
        ("B5", 1),
        ("C5", 1),
        *((name, 0) for name in names.split()),
    ]
