"""The board in a terminal: golden texts, cut to the width, colours only when asked for."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import board, case, course_on, lake_from

from rulekit.hexgrid import Facing, Hex, Side, parse_hex, to_offset
from rulekit.plot.picture import BoatMark, Flaw, Picture, course_picture
from rulekit.plot.text import board_glyphs, board_text
from rulekit.powerboats.course import Tile, TileKind
from rulekit.powerboats.lake import Lake, Spot
from rulekit.readings import PowerboatsReadings

POND = """
. . . . . . . .
 . # . . . . . .
. . . . . . # .
 . . . . . . . .
. . . . . . . .
 . . . . . . . .
"""
READINGS = PowerboatsReadings()


def pond() -> Lake:
    spots = (Spot("A", parse_hex("B2"), Facing.NE), Spot("B", parse_hex("H6"), Facing.W))
    return replace(lake_from(POND), name="Pond", spots=spots)


def pond_picture() -> Picture:
    course = course_on(pond(), "D2", "SE", [("C4", "auto"), ("G3", "right")], strip=3)
    return course_picture(replace(course, name="Pond, race A"), READINGS)


def test_golden_lake() -> None:
    assert board_text(Picture("Pond", pond())) == (
        """Pond

   A B C D E F G H
1: . . . . . . . .
2:  . A9. . . . . .
3: . . . . . . # .
4:  . . . . . . . .
5: . . . . . . . .
6:  . . . . . . . b4

. water   # land
A9 spot on land, a9 in water: 9 is its side as on a number pad"""
    )


def test_golden_course() -> None:
    assert board_text(pond_picture()) == GOLDEN


GOLDEN = """\
Pond, race A

   A B C D E F G H
1: . . . . . . . .
2:  . A9. 0 . * * .
3: . . * * = * 2>*
4:  . * 1>* = * * .
5: . . * * . = . .
6:  . . . . . F . b4

. water   # land
A9 spot on land, a9 in water: 9 is its side as on a number pad   = strip
1< rounded leftward, 1> rightward   * route

strip   from 0 at D2 to F at F6, start right, finish right
buoys   1 C4 right, 2 G3 right
route   14 steps from E3 to E4"""


def test_a_lake_reads_as_its_file_shows_it() -> None:
    lines = board_text(Picture("Pond", pond())).split("\n")[3:9]
    bare = re.sub(
        r"[A-Za-z]\d", lambda spot: "# " if spot[0].isupper() else ". ", "\n".join(line[3:] for line in lines)
    )
    assert [line.rstrip() for line in bare.split("\n")] == POND.strip("\n").split("\n")


def test_tiles_show_flow_spin_and_rocks() -> None:
    def three(start: str) -> tuple[Hex, ...]:
        return tuple(parse_hex(start).step(Facing.E, k) for k in range(3))

    tiles = (
        Tile(TileKind.REDOUBT, three("A1")),
        Tile(TileKind.CURRENT, three("E1"), flow=(Facing.NE, Facing.SW, Facing.E)),
        Tile(TileKind.MAELSTROM, three("A6"), spin=(Side.LEFT, Side.LEFT, Side.RIGHT)),
        Tile(TileKind.LOW_WATER, three("E6"), rocks=(1, 2, 3)),
    )
    course = replace(course_on(pond(), "D2", "SE", [("B4", "auto")], strip=2), tiles=tiles)
    text = board_text(course_picture(course, READINGS, with_route=False))
    assert "1: R R R . ~9~1~6.\n" in text
    assert "6:  @<@<@>. o1o2o3b4\n" in text
    for words in ("R redoubt", "~9 current", "@< maelstrom", "o2 low water"):
        assert words in text


def test_faults_are_marked_and_told() -> None:
    picture = course_picture(course_on(pond(), "B4", "W", [("E2", "left"), ("E5", "left")]), READINGS)
    text = board_text(picture)
    assert "strip outside the lake" in text
    assert "to F outside the lake" in text
    ringed = replace(Picture("Pond", pond()), flaws=(Flaw(parse_hex("C2"), "here"), Flaw(parse_hex("E2"), "", "cross")))
    assert "2:  . A9. . X . . .\n" in board_text(ringed)
    assert "fault   C2: here" in board_text(ringed)
    assert "\x1b[1;41m.\x1b[0m \x1b[34m.\x1b[0m \x1b[1;41mX\x1b[0m" in board_text(ringed, colour=True)


def test_boats_show_label_and_heading_over_everything() -> None:
    boats = (BoatMark(parse_hex("D3"), Facing.NW, "X"), BoatMark(parse_hex("A1"), Facing.SE))
    text = board_text(replace(pond_picture(), boats=boats))
    assert "\n1: ^3" in text
    assert "X7" in text.split("\n")[5]


def test_colours_change_nothing_but_the_colours() -> None:
    picture = pond_picture()
    coloured = board_text(picture, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == board_text(picture)
    assert "\x1b" not in board_text(picture)


@given(st.integers(1, 60), st.integers(1, 30), st.integers(20, 120))
def test_a_board_fits_the_width_and_shows_each_hex_once(columns: int, rows: int, width: int) -> None:
    picture = Picture("big", Lake("big", frozenset(board(columns, rows)), frozenset()))
    lines = board_text(picture, width).split("\n")
    shown = [line for line in lines[2:] if ":" in line]
    assert all(len(line) <= width for line in shown)
    assert sum(line.count(".") for line in shown) == columns * rows


@pytest.mark.parametrize("columns", [26, 27, 30])
def test_columns_beyond_z_have_two_letters(columns: int) -> None:
    lines = board_text(Picture("big", Lake("big", frozenset(board(columns, 2)), frozenset()))).split("\n")
    rulers = lines[2 : lines.index(next(line for line in lines if line.startswith("1:")))]
    assert len(rulers) == 1 + (columns > 26)
    assert rulers[-1].split()[-1] == "ZABCD"[columns - 26]
    assert (len(rulers) == 1) or set(rulers[0].split()) == {"A"}


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_every_mark_of_a_course_is_in_the_text(number: int) -> None:
    picture = course_picture(case(f"mid-{number}.toml"), READINGS)
    course = picture.course
    assert course is not None
    glyphs = board_glyphs(picture)
    assert [glyphs[at].text[0] for at in course.buoy_hexes()] == ["0", "1", "2", "3", "F"]
    assert {glyphs[at].text[0] for at in course.strip} == {"="}
    assert {glyphs[buoy.at].text[1] for buoy in course.buoys} <= {"<", ">"}
    assert all(glyphs[at].text[0] in "*=" for at in picture.route)
    lines = [line for line in board_text(picture).split("\n") if re.match(r" *\d+: ", line)]
    for at, glyph in glyphs.items():
        column, row = to_offset(at)
        place = lines[row].index(":") + 2 + 2 * column + row % 2
        assert lines[row][place] == glyph.text[0]


@pytest.mark.parametrize(("width", "parts"), [(61, 1), (60, 2), (33, 2), (32, 3)])
def test_a_board_is_cut_only_where_it_must_be(width: int, parts: int) -> None:
    picture = Picture("big", Lake("big", frozenset(board(28, 28)), frozenset()))
    assert board_text(picture, width).count("28: ") == parts
