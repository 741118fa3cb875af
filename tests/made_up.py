"""Courses made up for tests: from a picture, from a file with a bare map, or at random."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from rulekit.hexgrid import FACINGS, Facing, Hex, Side, from_offset, parse_facing, parse_hex
from rulekit.powerboats.course import Buoy, Course
from rulekit.powerboats.lake import Lake

CASES = Path(__file__).parent / "cases" / "courses"
SIDES = {"left": Side.LEFT, "right": Side.RIGHT, "auto": None}


def lake_from(picture: str) -> Lake:
    """A bare lake of `.` and `#`, one hex every second character."""
    ground: dict[str, set[Hex]] = {".": set(), "#": set()}
    for row, line in enumerate(picture.strip("\n").split("\n")):
        for column, letter in enumerate(line[row & 1 :: 2]):
            ground[letter].add(from_offset(column, row))
    return Lake("made up", frozenset(ground["."]), frozenset(ground["#"]))


def course_on(lake: Lake, start: str, side: str, buoys: Iterable[tuple[str, str]], strip: int = 4) -> Course:
    """A course told by names: start buoy, strip side, and (hex, arrow or auto) of each buoy."""
    placed = tuple(Buoy(parse_hex(at), SIDES[arrow]) for at, arrow in buoys)
    return Course(lake.name, lake, parse_hex(start), parse_facing(side), placed, strip)


def case(name: str) -> Course:
    """A course with known answers, arrows as its file has them."""
    data = tomllib.loads((CASES / name).read_text(encoding="utf-8"))
    buoys = [(buoy["at"], buoy["turn"]) for buoy in data["buoy"]]
    return course_on(lake_from(data["map"]), data["start"]["buoy"], data["start"]["side"], buoys, data["start-tile"])


def board(columns: int, rows: int) -> set[Hex]:
    """All hexes of a board."""
    return {from_offset(column, row) for row in range(rows) for column in range(columns)}


def random_course(rng: Random, columns: int, rows: int, land: float, buoys: int = 3, strip: int = 4) -> Course:
    """A random course whose strip and buoys are in place; its arrows are open."""
    hexes = board(columns, rows)
    while True:
        side = rng.choice(FACINGS)
        start = rng.choice(sorted(hexes))
        line = [start.step(side, k) for k in range(strip + 2)]
        if hexes.issuperset(line):
            break
    marks = rng.sample(sorted(hexes.difference(line)), buoys)
    water = {at for at in hexes if at in line[1:-1] or rng.random() >= land}
    lake = Lake("random", frozenset(water), frozenset(hexes - water))
    return Course("random", lake, start, side, tuple(map(Buoy, marks)), strip)


def courses(
    columns: int = 9, rows: int = 9, land: float = 0.12, strips: tuple[int, ...] = (1, 2, 3)
) -> st.SearchStrategy[Course]:
    """Random courses with 1 to 3 buoys."""
    return st.builds(
        lambda seed, buoys, strip: random_course(Random(seed), columns, rows, land, buoys, strip),
        st.integers(0, 2**32),
        st.integers(1, 3),
        st.sampled_from(strips),
    )


def turned(course: Course, sixths: int) -> Course:
    """The course turned counter-clockwise by so many sixths of a circle."""

    def move(at: Hex) -> Hex:
        for _ in range(sixths % 6):
            at = Hex(at.q + at.r, -at.q)
        return at

    return _moved(course, move, course.strip_side.steer(sixths), lambda side: side)


def mirrored(course: Course) -> Course:
    """The course seen in a mirror that swaps east and west: left and right change places."""
    side = Facing((3 - course.strip_side) % 6)
    return _moved(course, lambda at: Hex(-at.q - at.r, at.r), side, lambda side: side and side.other)


def _moved(course: Course, move, strip_side: Facing, swap) -> Course:  # type: ignore[no-untyped-def]
    lake = course.lake
    moved = Lake(lake.name, frozenset(map(move, lake.water)), frozenset(map(move, lake.land)))
    return replace(
        course,
        lake=moved,
        start_buoy=move(course.start_buoy),
        strip_side=strip_side,
        buoys=tuple(Buoy(move(buoy.at), swap(buoy.arrow)) for buoy in course.buoys),
        start=swap(course.start),
        finish=swap(course.finish),
    )
