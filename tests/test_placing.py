"""Courses from a lake's letters."""

from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest
from board_text import case_text, edited, source_of

from rulekit.errors import BadInput
from rulekit.files.lake import read_lake
from rulekit.files.source import read_source
from rulekit.hexgrid import Hex, Side, to_offset
from rulekit.powerboats import placing
from rulekit.powerboats.box import Layout
from rulekit.powerboats.check import check
from rulekit.powerboats.course import Buoy, Course
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.placing import (
    NoLegalCourse,
    Placed,
    all_courses,
    draw_course,
    draw_shuffled,
    shuffled_layout,
)
from rulekit.powerboats.rounding import corners
from rulekit.powerboats.route import route
from rulekit.readings import PowerboatsReadings


def mapped(text: str) -> Lake:
    """The lake that the map of a course shows."""
    picture = text.split("'''")[1]
    return read_lake(source_of(f"format = 'rulekit/lake-1'\nname = 'Ten'\nmap = '''{picture}'''")).lake


TEN = mapped(case_text("courses/ten.toml"))
SIDES = (Side.LEFT, Side.RIGHT)


def legal(lake: Lake, letter: str) -> list[Placed]:
    return [one for one in all_courses(lake, letter, "x") if isinstance(one, Placed)]


def brute_force(lake: Lake, letter: str) -> dict[tuple[Hex, ...], int]:
    """The least route of each order that can be raced, all arrows and crossings tried."""
    found = {}
    for order in permutations([spot for spot in lake.spots if spot.letter == letter]):
        line = [order[0].at.step(order[0].side, steps) for steps in range(6)]
        marks = {spot.at for spot in order}
        if not set(line[1:5]) <= lake.water or set(line[1:]) & marks or line[5] not in lake.water | lake.land:
            continue
        lengths = [len(way) - 1 for course in every_way(lake, order) if (way := route(course))]
        if lengths:
            found[tuple(spot.at for spot in order)] = min(lengths)
    return found


def every_way(lake: Lake, order: tuple[Spot, ...]) -> list[Course]:
    bare = Course("x", lake, order[0].at, order[0].side, tuple(Buoy(spot.at) for spot in order[1:]))
    ways = []
    for arrows in product(SIDES, repeat=len(bare.buoys)):
        if any(corner.full_circle(arrow) for corner, arrow in zip(corners(bare), arrows, strict=True)):
            continue
        buoys = tuple(replace(buoy, arrow=arrow) for buoy, arrow in zip(bare.buoys, arrows, strict=True))
        ways += [replace(bare, buoys=buoys, start=start, finish=finish) for start, finish in product(SIDES, SIDES)]
    return ways


WALLED = case_text("courses/ten.toml").replace(" 9: . . a3. . . . . a4.", " 9: . . a3. . . # # a4.")


PRACTICE = read_lake(read_source("practice")).lake


@pytest.mark.parametrize(
    ("lake", "letter", "count"),
    [(TEN, "A", 18), (mapped(WALLED), "A", 12), *((PRACTICE, letter, 24) for letter in "ABC")],
)
def test_counts_of_courses(lake: Lake, letter: str, count: int) -> None:
    """Legal orders out of 24. The counts come from `brute_force`, which is run here too.

    By hand: one A-spot of Ten has no room for a strip, which leaves 18; the wall of the second lake blocks one more.
    """
    listed = {tuple(spot.at for spot in one.order): one for one in legal(lake, letter)}
    tried = brute_force(lake, letter)
    assert listed.keys() == tried.keys()
    assert len(listed) == count
    for order, one in listed.items():
        if all(len(corner.legal) == 1 for corner in corners(one.course)):
            assert len(one.route) - 1 == tried[order]
        else:  # where either arrow is legal, the leftward one is taken, be it the longer way (PB-8)
            assert len(one.route) - 1 >= tried[order]


def test_orders_whose_strip_leaves_the_lake_are_counted_with_their_reason() -> None:
    """C9 is printed SE: its strip would leave the board; it is buoy 0 in 6 of the 24 orders."""
    reasons = Counter(one for one in all_courses(TEN, "A", "x") if isinstance(one, str))
    assert reasons["the strip leaves the lake (PB-6)"] == 6


def test_listed_courses_pass_the_check() -> None:
    for one in legal(TEN, "A"):
        assert [found for found in check(one.course, "A") if found.severity == "error"] == []


def test_none_legal_is_told_with_the_reasons_counted() -> None:
    lake = replace(TEN, water=frozenset(at for at in TEN.water if at not in {Hex(1, 2).step(0, k) for k in range(9)}))
    spots = tuple(replace(spot, side=lake.spots_of("A")[0].side) for spot in lake.spots if to_offset(spot.at)[0] > 5)
    with pytest.raises(NoLegalCourse) as raised:
        draw_course(replace(lake, spots=spots), "A", "x", Random(1))
    assert str(raised.value) == "none of 2 courses is legal: the strip leaves the lake (PB-6): 2"
    assert raised.value.exit_code == 1


@pytest.mark.parametrize("letter", ["B", "C"])
def test_too_few_spots(letter: str) -> None:
    with pytest.raises(BadInput, match=f"{letter}-spots"):
        draw_course(TEN, letter, "x", Random(1))


def test_a_seed_gives_one_course() -> None:
    assert draw_course(TEN, "A", "x", Random(5)) == draw_course(TEN, "A", "x", Random(5))


def test_courses_are_drawn_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """7 of the 24 orders are taken as legal; each must come up about equally often."""
    good = list(permutations(TEN.spots_of("A")))[::3][:7]

    def one_in_three(lake: Lake, order: list[Spot], name: str, _readings: PowerboatsReadings) -> Placed | str:
        if tuple(order) not in good:
            return "no"
        return Placed(tuple(order), placing.course_on(lake, order, name), ())

    monkeypatch.setattr(placing, "place", one_in_three)
    random = Random(7)
    counts = Counter(draw_course(TEN, "A", "x", random).order for _ in range(7000))
    assert set(counts) == set(good)
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 25  # six degrees of freedom: exceeded once in 3,000 times


def test_shuffled_layouts_are_even_and_use_every_tile() -> None:
    file = read_lake(source_of(case_text("lakes/small.toml")))
    assert file.box is not None
    assert file.layout is not None
    random = Random(3)
    counts: Counter[Layout] = Counter(shuffled_layout(file.box, file.layout, random) for _ in range(8000))
    # Two orders, two ways round each; tile 1 has no light side, tile 2 has: its two sides come up equally often.
    assert len(counts) == 2 * 2 * 2 * 2
    assert max(counts.values()) < 1.25 * min(counts.values())
    assert all({slot.tile for row in layout for slot in row} == {"1", "2"} for layout in counts)


def test_a_shuffled_course_fits_its_layout() -> None:
    file = read_lake(read_source("lagoon"))
    assert file.box is not None
    assert file.layout is not None
    layout, placed = draw_shuffled(file.box, file.layout, "B", "x", Random(11))
    assert layout != file.layout
    assert placed.course.lake == file.box.lake(layout)
    assert {spot.letter for spot in placed.order} == {"B"}
    assert [found for found in check(placed.course, "B") if found.severity == "error"] == []


def test_a_hopeless_box_ends_with_its_reasons() -> None:
    text = edited(case_text("lakes/small.toml"), ". . B3.", ". . a3.")
    file = read_lake(source_of(text.replace("b4", "a4")))
    assert file.box is not None
    assert file.layout is not None
    with pytest.raises(NoLegalCourse, match=r"none of 500 courses is legal: .*PB-6"):
        draw_shuffled(file.box, file.layout, "A", "x", Random(1))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lagoon", "skerries"])
def test_every_order_on_the_shipped_lakes_is_legal(name: str) -> None:
    lake = read_lake(read_source(name)).lake
    assert [len(legal(lake, letter)) for letter in "ABC"] == [24, 24, 24]
