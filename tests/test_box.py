"""Lakes from tiles in a frame."""

import pytest
from board_text import board_text, case_text, source_of
from hypothesis import given
from hypothesis import strategies as st

from rulekit.files.lake import read_lake
from rulekit.hexgrid import Facing, hex_name, parse_hex
from rulekit.powerboats.box import Box, Face, LakeTile, Mark, Slot, layout_rows, parse_layout, parse_slot

BOARD = """\
. . . . . . . . . . .
 . . . . . # . . . . .
. . . A9. . . # b6. .
 . . . # . . . . . . .
. . . . . . . . # # .
 . . . . . . . . . . ."""

UNFRAMED = """\
. . . . # . . .
 . A9. . . # b6.
. . # . . . . .
 . . . . . . # #"""


def test_the_example_gives_exactly_its_whole_board() -> None:
    assert board_text(read_lake(source_of(case_text("lakes/small.toml"))).lake) == BOARD


def test_without_a_frame_the_block_is_the_lake() -> None:
    text = case_text("lakes/small.toml").split("[frame]")[0]
    assert board_text(read_lake(source_of(text)).lake) == UNFRAMED


def test_spots_and_tiles_of_the_example() -> None:
    lake = read_lake(source_of(case_text("lakes/small.toml"))).lake
    spots = {(spot.tile, spot.letter): (hex_name(spot.at), spot.side) for spot in lake.spots}
    assert spots == {("1", "A"): ("D3", Facing.NE), ("2", "B"): ("I3", Facing.E)}
    assert parse_hex("D3") in lake.land
    assert parse_hex("I3") in lake.water
    assert len(lake.tile_of) == 32
    assert (lake.tile_of[parse_hex("B2")], lake.tile_of[parse_hex("F2")]) == ("1", "2")
    assert parse_hex("A1") not in lake.tile_of


def test_a_block_that_begins_in_an_odd_row() -> None:
    frame = "map = '''\n" + "\n".join(
        [". * * * * * * * * .", " . * * * * * * * * .", ". * * * * * * * * .", " . * * * * * * * * .", "'''"]
    )
    text = case_text("lakes/small.toml").split("map = ")[0] + frame
    lake = read_lake(source_of(text)).lake
    assert [hex_name(spot.at) for spot in lake.spots] == ["C2", "H2"]


def test_slots_are_parsed_back() -> None:
    for text in ("5", "5r", "6*", "5r*", "abR", "rx", "xr9r*"):
        assert str(parse_slot(text)) == text


@pytest.mark.parametrize("text", ["", "r", "*", "5*r", "5 r", "5rr*x", "@5", "5**"])
def test_what_is_no_slot(text: str) -> None:
    with pytest.raises(ValueError, match="no tile of a layout"):
        parse_slot(text)


def test_layouts_are_written_as_they_are_read() -> None:
    rows = ["1 2 3", "4 5r 6*"]
    assert layout_rows(parse_layout(rows)) == rows


FACES = st.builds(
    lambda columns, half, land: Face(
        columns,
        2 * half,
        frozenset((x % columns, y % (2 * half)) for x, y in land),
        (Mark("A", land[0][0] % columns, land[0][1] % (2 * half), Facing.NE),) if land else (),
    ),
    st.integers(1, 6),
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20))),
)


@given(FACES)
def test_two_half_turns_are_none(face: Face) -> None:
    assert face.turned().turned() == face


@given(FACES)
def test_a_half_turn_keeps_neighbours(face: Face) -> None:
    """A turned lake is the point reflection of the lake: all differences of hexes change sign."""
    box = Box("x", {"1": LakeTile("1", face)})
    plain, turned = box.lake(((Slot("1"),),)), box.lake(((Slot("1", turned=True),),))
    centre_q = plain.hexes[0].q + turned.hexes[-1].q
    centre_r = plain.hexes[0].r + turned.hexes[-1].r
    assert {(centre_q - q, centre_r - r) for q, r in plain.land} == set(turned.land)
    assert [spot.side for spot in turned.spots] == [spot.side.steer(3) for spot in plain.spots]


def box_of(rows: int = 2) -> Box:
    return Box("x", {own: LakeTile(own, Face(2, rows, frozenset())) for own in "1234"})


@pytest.mark.parametrize(
    ("layout", "where", "code"),
    [
        (["1 5"], (0, 1), "layout-tile"),
        (["1 2", "3 1"], (1, 1), "layout-repeat"),
        (["1 2*"], (0, 1), "light-side"),
        (["1 2", "3"], (1, 0), "layout"),
        ([], (0, 0), "layout"),
        ([""], (0, 0), "layout"),
    ],
)
def test_misfits(layout: list[str], where: tuple[int, int], code: str) -> None:
    misfits = box_of().misfits(parse_layout(layout))
    assert [(one.row, one.place, one.code) for one in misfits] == [(*where, code)]
    with pytest.raises(ValueError, match=r".+"):
        box_of().lake(parse_layout(layout))


def test_all_misfits_are_told_at_once() -> None:
    assert len(box_of().misfits(parse_layout(["1 1", "7 2*"]))) == 3
