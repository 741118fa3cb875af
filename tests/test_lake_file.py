"""Lake files: good ones, and every fault at its place."""

from time import process_time

import pytest
from board_text import board_text, case_text, edited, faults_of, source_of, told

from rulekit.files.lake import read_lake
from rulekit.files.shipped import shipped
from rulekit.files.source import read_source
from rulekit.hexgrid import hex_name

SMALL = case_text("lakes/small.toml")
FREE = """\
format = "rulekit/lake-1"
name = "Free"
map = '''
. . # .
 . a9. .
. . C4.
'''
"""
BOARD = ". . # .\n . a9. .\n. . C4."


def test_a_free_form_lake() -> None:
    file = read_lake(source_of(FREE))
    assert board_text(file.lake) == ". . # .\n . a9. .\n. . C4."
    assert (file.box, file.layout) == (None, None)
    assert file.faults == ()
    assert {hex_name(at) for at in file.lake.land} == {"C1", "C3"}


def test_places_of_a_lake() -> None:
    file = read_lake(source_of(SMALL))
    assert (file.place("name"), file.place("layout"), file.place("tile 2")) == ((2, 8), (3, 10), (12, 1))
    assert file.place("nothing") == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (" . a9. .", " . a9.", (5, 6), "row 2 has 3 hexes, most rows 4: what is missing"),
        (" . a9. .", " . a9. . .", (5, 10), "row 2 has 5 hexes, most rows 4: what is more"),
        (". . C4.", ". . C4. #", (6, 9), "row 3 has 5 hexes, most rows 4"),
        (". . # .", ". . #", (4, 5), "row 1 has 3 hexes, most rows 4"),
    ],
)
def test_a_ragged_row_is_warned_of(old: str, new: str, place: tuple[int, int], words: str) -> None:
    (fault,) = read_lake(source_of(edited(FREE, old, new))).faults
    assert (fault.severity, *told(fault)) == ("warning", "ragged", *place)
    assert words in fault.message


def test_a_ragged_frame_is_warned_of() -> None:
    rows = ". . * * * * * * * * .\n . . . ."
    (fault,) = read_lake(source_of(edited(SMALL, rows, rows.replace(".\n", ". .\n")))).faults
    assert (fault.severity, fault.code) == ("warning", "ragged")
    assert "row 5 has 12 hexes, most rows 11" in fault.message


def test_a_board_of_no_rectangle_is_warned_of_four_times_at_most() -> None:
    rows = [" " * (row % 2) + ". " * (3 + row % 7) for row in range(30)]
    faults = read_lake(source_of(FREE.replace(BOARD, "\n".join(rows)))).faults
    assert [fault.code for fault in faults] == ["ragged"] * 4
    assert "22 more rows" in faults[-1].message


@pytest.mark.parametrize(("columns", "rows"), [(100, 101), (200_000, 1), (600, 400), (1, 10_001)])
def test_a_board_that_is_too_large_is_refused_at_once(columns: int, rows: int) -> None:
    picture = "\n".join(" " * (row % 2) + ". " * columns for row in range(rows))
    began = process_time()
    (fault,) = faults_of(read_lake, FREE.replace(BOARD, picture))
    assert told(fault) == ("size", 4, 1)
    assert f"{columns * rows:,} hexes: a board has at most 10,000" in fault.message
    assert process_time() - began < 5


def test_tiles_that_make_too_large_a_board_are_refused() -> None:
    face = "\n".join(" " * (row % 2) + ". " * 70 for row in range(80))
    tiles = "".join(f"[[tile]]\nid = '{k}'\ndark = '''\n{face}\n'''\n" for k in (1, 2))
    (fault,) = faults_of(read_lake, f'format = "rulekit/lake-1"\nname = "Big"\nlayout = ["1 2"]\n{tiles}')
    assert told(fault) == ("size", 3, 10)


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ('name = "Small"', 'name = "Small', [("toml", 2, 14)]),
        ("rulekit/lake-1", "rulekit/lake-2", [("format", 1, 10)]),
        ("rulekit/lake-1", "rulekit/leak-1", [("format", 1, 10)]),
        ("rulekit/lake-1", "rulekit/course-1", [("format", 1, 10)]),
        ('format = "rulekit/lake-1"', "", [("format", 1, 1)]),
        ('format = "rulekit/lake-1"', "format = 1", [("format", 1, 10)]),
        ('name = "Small"', "", [("missing-key", 1, 1)]),
        ('name = "Small"', 'name = ""', [("value", 2, 8)]),
        ('name = "Small"', 'name = "a\\u001b[31m"', [("value", 2, 8)]),
        ('name = "Small"', "name = 7", [("type", 2, 8)]),
        ("layout = [", "layuot = [", [("missing-key", 1, 1), ("unknown-key", 3, 1)]),
        ('["1 2r*"]', '"1 2r*"', [("type", 3, 10)]),
        ('["1 2r*"]', "[1, 2]", [("type", 3, 11), ("type", 3, 14)]),
        ('["1 2r*"]', "[]", [("layout", 3, 10)]),
        ('["1 2r*"]', '["1 2*r"]', [("layout", 3, 14)]),
        ('["1 2r*"]', '["1 1r"]', [("layout-repeat", 3, 14)]),
        ('["1 2r*"]', '["1  3"]', [("layout-tile", 3, 15)]),
        ('["1 2r*"]', '["1* 2"]', [("light-side", 3, 12)]),
        ('["1 2r*"]', '["1",\n "2"]', [("frame", 3, 12)]),
        ('["1 2r*"]', '["1 2", "1"]', [("layout-repeat", 3, 19), ("layout", 3, 19)]),
        ('["1 2r*"]', '["1"]', [("frame", 3, 12)]),
        ('id = "2"', 'id = "1"', [("tile-id", 13, 6)]),
        ('id = "2"', 'id = "2r"', [("tile-id", 13, 6)]),
        ('id = "2"', 'id = "2-3"', [("tile-id", 13, 6)]),
        ('id = "2"', "", [("missing-key", 12, 1)]),
        ('id = "2"', 'id = "2"\ndrak = ""', [("unknown-key", 14, 1)]),
        (" . A9. .", " . A . .", [("spot-digit", 8, 5)]),
        (" . A9. .", ". A9. .", [("shifted-row", 8, 1)]),
        (" . A9. .", " . A9. ", [("tile-size", 8, 2)]),
        (" . A9. .", " . A9a9.", [("spot-twice", 8, 6)]),
        (". . # .\n . . . .", ". . # .", [("odd-rows", 6, 8)]),
        (" . A9. .\n. . # .", " . A9. .\n. . # .\n . . . .\n. . . .", [("tile-size", 6, 8)]),
        (". b4# .", ". b4# . .", [("tile-size", 23, 1)]),
        ("[frame]\nmap", "[frame]\nmaps", [("missing-key", 26, 1), ("unknown-key", 27, 1)]),
        ("[frame]\nmap", "[[frame]]\nmap", [("type", 26, 1)]),
        (" . * * * * * * * * . .\n. . * * * * * * * * .\n . *", " . * * * * * * * * . .\n. . * * * * * * * * .\n . .",
         [("frame", 3, 12)]),
        ("'''\n. . . . . . . . . . .\n . *", "'''\n. . . . A9. . . . . .\n . *", [("symbol", 28, 9)]),
        ("[frame]", "[frame]\n[map]", [("map-and-tiles", 3, 1), ("map-and-tiles", 4, 1), ("map-and-tiles", 26, 1),
                                       ("type", 27, 1)]),
    ],
)  # fmt: skip
def test_faults_of_a_lake_of_tiles(old: str, new: str, faults: list[tuple[str, int, int]]) -> None:
    found = faults_of(read_lake, edited(SMALL, old, new))
    assert [told(fault) for fault in found] == faults
    assert {fault.path for fault in found} == {"x.toml"}


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ("map = '''\n. .", "map = 7\nx = '''\n. .", [("type", 3, 7), ("unknown-key", 4, 1)]),
        ("map = ", 'layout = ["1"]\nmap = ', [("map-and-tiles", 3, 1)]),
        ("map = ", "mpa = ", [("missing-key", 1, 1), ("unknown-key", 3, 1)]),
        (". . # .\n . a9. .\n. . C4.", "# #", [("no-water", 3, 7)]),
        (". . C4.\n'''", ". . C4.\n", [("toml", 3, 7)]),
    ],
)
def test_faults_of_a_free_form_lake(old: str, new: str, faults: list[tuple[str, int, int]]) -> None:
    assert [told(fault) for fault in faults_of(read_lake, edited(FREE, old, new))] == faults


def test_messages_tell_the_near_miss() -> None:
    def message(old: str, new: str) -> str:
        return str(faults_of(read_lake, edited(SMALL, old, new))[-1])

    assert "did you mean 'layout'?" in message("layout", "layuot")
    assert "version 1" in message("rulekit/lake-1", "rulekit/lake-9")
    assert "did you mean 'rulekit/lake-1'?" in message("rulekit/lake-1", "rulekit/leak-1")
    assert "a course, where a lake is needed" in message("rulekit/lake-1", "rulekit/course-1")
    assert "(PB-1) [odd-rows]" in message(". . # .\n . . . .", ". . # .")
    assert "E3 needs a *" not in message('["1 2r*"]', '["1",\n "2"]')


def test_faults_of_several_tiles_come_together() -> None:
    text = edited(edited(SMALL, " . A9. .", " . A . ."), ". . B3.", ". . B8.")
    assert [fault.code for fault in faults_of(read_lake, text)] == ["spot-digit", "spot-digit"]


@pytest.mark.parametrize("name", [one.name for one in shipped() if one.kind == "lake"])
def test_shipped_lakes_have_no_faults(name: str) -> None:
    file = read_lake(read_source(name))
    assert file.faults == ()
    if file.box:
        assert [len(file.lake.spots_of(letter)) for letter in "ABC"] == [4, 4, 4]
