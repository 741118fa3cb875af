"""Course files: good ones, and every fault at its place."""

from pathlib import Path

import pytest
from board_text import CASES, board_text, case_text, edited, faults_of, source_of, told

from rulekit.errors import Fault, FileFaults
from rulekit.files.course import read_course
from rulekit.files.findings import Place
from rulekit.files.kinds import read_any
from rulekit.files.lake import LakeFile
from rulekit.files.shipped import shipped
from rulekit.files.source import read_source
from rulekit.hexgrid import Facing, Side, hex_name, parse_hex
from rulekit.powerboats.course import TileKind

TEN = case_text("courses/ten.toml")
SMALL = """\
format = "rulekit/course-1"
name = "On small"
lake = "lakes/small.toml"
spots = "A"
[start]
buoy = "@1A"
[[buoy]]
number = 1
at = "@2b"
turn = "left"
"""


def test_a_course_with_a_map() -> None:
    file = read_course(source_of(TEN))
    course = file.course
    assert (course.name, course.lake.name, len(course.lake.hexes)) == ("Ten", "Ten", 100)
    assert (hex_name(course.start_buoy), course.strip_side, course.strip_length) == ("C3", Facing.E, 4)
    assert [hex_name(buoy.at) for buoy in course.buoys] == ["C9", "I9", "I6"]
    assert [buoy.arrow for buoy in course.buoys] == [None, Side.LEFT, None]
    assert (course.start, course.finish) == (None, Side.LEFT)
    assert (file.spots, file.lake_file, file.layout, file.faults[1:]) == ("A", None, None, ())
    assert file.marks == ("C3", "C9", "I9", "I6")


def test_expansion_tiles() -> None:
    current, maelstrom, low_water, redoubt = read_course(source_of(TEN)).course.tiles
    assert (current.kind, [hex_name(at) for at in current.hexes]) == (TileKind.CURRENT, ["D5", "D4", "E3"])
    assert current.flow == (Facing.NE, Facing.NE, Facing.E)
    assert (maelstrom.spin, [hex_name(at) for at in maelstrom.hexes]) == ((Side.LEFT,) * 3, ["D8", "E8", "F8"])
    assert low_water.rocks == (1, 2, 3)
    assert (redoubt.kind, redoubt.hexes[0]) == (TileKind.REDOUBT, parse_hex("J10"))


def test_places_of_a_course() -> None:
    file = read_course(source_of(TEN))
    places = {
        "name": (2, 8), "spots": (16, 9), "start": (18, 8), "side": (19, 8), "start.start": (20, 9),
        "start.finish": (21, 10), "buoy 1": (24, 6), "buoy 1 turn": (25, 8), "buoy 3": (32, 6),
        "buoy 3 turn": (30, 1), "expansion 2": (37, 1),
    }  # fmt: skip
    assert {key: file.place(key) for key in places} == places
    assert file.place("lake") == Place(1, 1)


def test_a_course_on_a_lake_of_tiles() -> None:
    file = read_course(source_of(SMALL))
    course = file.course
    assert (hex_name(course.start_buoy), course.strip_side) == ("D3", Facing.NE)
    assert hex_name(course.buoys[0].at) == "I3"
    assert [fault.code for fault in file.faults] == ["buoy-count"]
    assert file.lake_file is not None
    assert file.lake_file.source.path == str(CASES / "lakes/small.toml")


def test_a_course_may_give_another_layout() -> None:
    text = edited(SMALL, "spots =", 'layout = ["2 1r"]\nspots =')
    file = read_course(source_of(text))
    assert file.course.strip_side is Facing.SW
    assert board_text(file.course.lake).splitlines()[3] == " . . . B3. . . A1. . ."
    assert (hex_name(file.course.start_buoy), hex_name(file.course.buoys[0].at)) == ("H4", "D4")


@pytest.mark.parametrize("path", sorted(CASES.glob("courses/*.toml")) + sorted(CASES.glob("moves/*.toml")), ids=str)
def test_courses_of_the_cases_have_no_faults(path: Path) -> None:
    file = read_course(read_source(str(path)))
    assert {fault.severity for fault in file.faults} <= {"warning"}
    assert set(file.course.buoy_hexes()) >= {buoy.at for buoy in file.course.buoys}


@pytest.mark.parametrize("name", [one.name for one in shipped() if one.kind == "course"])
def test_shipped_courses_have_no_faults(name: str) -> None:
    assert read_course(read_source(name)).faults == ()


def test_another_number_of_tiles_is_warned_of() -> None:
    (fault,) = read_course(source_of(TEN)).faults
    assert (fault.severity, *told(fault), fault.rule) == ("warning", "expansion-count", 33, 1, "X1-1")


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ('name = "Ten"', 'name = "Ten', [("toml", 2, 12)]),
        ("rulekit/course-1", "rulekit/course-3", [("format", 1, 10)]),
        ("rulekit/course-1", "rulekit/lake-1", [("format", 1, 10)]),
        ('name = "Ten"', "", [("missing-key", 1, 1)]),
        ('name = "Ten"', 'nmae = "Ten"', [("missing-key", 1, 1), ("unknown-key", 2, 1)]),
        ("map = ", "mop = ", [("missing-key", 1, 1), ("unknown-key", 3, 1)]),
        ("map = ", 'lake = "lagoon"\nmap = ', [("lake-and-map", 4, 1)]),
        ("map = ", 'layout = ["1"]\nmap = ', [("layout", 3, 1)]),
        (" 8:  . .", " 8: . .", [("shifted-row", 12, 5)]),
        (" 3: . . a6.", " 3: . . a .", [("spot-digit", 7, 10)]),
        (" 3: . . a6.", " 3: . . a8.", [("spot-digit", 7, 10)]),
        (" 3: . . a6.", " 4: . . a6.", [("ruler", 7, 2)]),
        ("    A B C D E", "    A B C E D", [("ruler", 4, 11)]),
        ('spots = "A"', 'spots = "a"', [("value", 16, 9)]),
        ('spots = "A"', 'spots = "A"\nstart-tile = 0', [("value", 17, 14)]),
        ('spots = "A"', 'spots = "A"\nstart-tile = true', [("type", 17, 14)]),
        ('spots = "A"', 'spots = "A"\nstart-tile = "4"', [("type", 17, 14)]),
        ('buoy = "C3"', "", [("missing-key", 17, 1)]),
        ('buoy = "C3"', 'buoy = "K3"', [("off-board", 18, 8)]),
        ('buoy = "C3"', 'buoy = "C11"', [("off-board", 18, 8)]),
        ('buoy = "C3"', 'buoy = "3C"', [("hex", 18, 8)]),
        ('buoy = "C3"', "buoy = 3", [("type", 18, 8)]),
        ('buoy = "C3"', 'buoy = "@1A"', [("spot", 18, 8)]),
        ('buoy = "C3"', 'buoy = "@"', [("spot", 18, 8)]),
        ('buoy = "C3"\nside = "E"', 'buoy = "D3"', [("missing-key", 17, 1)]),
        ('buoy = "C3"\nside = "E"', 'buoy = "C3"\nside = "N"', [("value", 19, 8)]),
        ('finish = "left"', 'finish = "lefft"', [("value", 21, 10)]),
        ('finish = "left"', 'finish = "Left"', [("value", 21, 10)]),
        ('finish = "left"', 'finsh = "left"', [("unknown-key", 21, 1)]),
        ("[start]", "[strat]", [("missing-key", 1, 1), ("unknown-key", 17, 1)]),
        ("[start]", "[[start]]", [("type", 17, 1)]),
        ("number = 2", "number = 3", [("buoy-number", 27, 10)]),
        ("number = 2", 'number = "2"', [("type", 27, 10)]),
        ("number = 2", "number = 1", [("buoy-number", 27, 10)]),
        ("number = 2", "", [("missing-key", 26, 1)]),
        ('at = "C9"', 'at = "C3"', [("buoy-twice", 24, 6)]),
        ('at = "C9"', 'at = "I9"', [("buoy-twice", 28, 6)]),
        ('at = "C9"', "", [("missing-key", 22, 1)]),
        ('at = "C9"\nturn = "auto"', 'at = "Z99"\nturn = "lft"', [("value", 25, 8)]),
        ('kind = "current"', 'kind = "curent"', [("value", 34, 8)]),
        ('kind = "current"', "", [("missing-key", 33, 1)]),
        ('at = "C6"\n', "", [("missing-key", 33, 1)]),
        ('at = "C6"\n', 'at = "D6"\n', [("spot", 35, 6)]),
        ('at = "C6"\n', 'at = "C6"\nhex = "C7"\n', [("tile-place", 35, 6)]),
        ('["NE", "NE", "E"]', '"N"', [("value", 36, 8)]),
        ('["NE", "NE", "E"]', '["NE", "N", "X"]', [("value", 36, 15), ("value", 36, 20)]),
        ('["NE", "NE", "E"]', '["NE", "NE"]', [("value", 36, 8)]),
        ('["NE", "NE", "E"]', '["NE", 3, "NE"]', [("type", 36, 15)]),
        ('flow = ["NE", "NE", "E"]', "", [("missing-key", 33, 1)]),
        ('flow = ["NE", "NE", "E"]', 'flow = "E"\nspin = "left"', [("misplaced-key", 37, 1)]),
        ('spin = "left"', 'spin = "auto"', [("value", 41, 8)]),
        ('hex = "D8"\nside = "E"', 'hex = "D8"', [("missing-key", 37, 1)]),
        ('hex = "D8"', 'hex = "D88"', [("off-board", 39, 7)]),
        ("rocks = [1, 2, 3]", "rocks = [0, 2, 4]", [("value", 46, 10), ("value", 46, 16)]),
        ("rocks = [1, 2, 3]", "rocks = 2", [("type", 46, 9)]),
        ("rocks = [1, 2, 3]", "rocks = [1, 2.0, true]", [("value", 46, 13), ("value", 46, 18)]),
    ],
)
def test_faults_of_a_course(old: str, new: str, faults: list[tuple[str, int, int]]) -> None:
    found = faults_of(read_course, edited(TEN, old, new))
    assert [told(fault) for fault in found] == faults
    assert {fault.path for fault in found} == {"x.toml"}


def test_no_buoys() -> None:
    text = TEN.split("[[buoy]]")[0]
    assert [told(fault) for fault in faults_of(read_course, text)] == [("missing-key", 1, 1)]
    assert [told(fault) for fault in faults_of(read_course, "buoy = 3\n" + text)] == [("type", 1, 8)]


def test_faults_of_one_stage_come_together_in_the_order_of_the_file() -> None:
    text = edited(edited(edited(TEN, 'kind = "current"', 'kind = "x"'), 'finish = "left"', "finish = 1"), "a6", "a5")
    assert [fault.line for fault in faults_of(read_course, text)] == [7, 21, 34]


@pytest.mark.parametrize(
    ("lake", "code", "words"),
    [
        ("lagun", "lake-missing", "did you mean 'lagoon'?"),
        ("small", "lake-missing", "`rulekit courses` lists those that do"),
        ("lakes/smal.toml", "lake-unreadable", "did you mean"),
        ("lakes/none.toml", "lake-unreadable", "there is no file"),
        ("lakes", "lake-missing", ""),
        ("./lakes", "lake-unreadable", "is a folder"),
        ("../x.toml", "lake-path", "outside this file's folder"),
        ("lakes/../../x.toml", "lake-path", "outside this file's folder"),
        ("lakes\\\\..\\\\..\\\\x.toml", "lake-path", "outside"),
        ("/etc/passwd", "lake-path", "absolute"),
        ("C:/x.toml", "lake-path", "absolute"),
        ("courses/ten.toml", "format", "a course, where a lake is needed"),
        (" ", "value", "not empty"),
    ],
)
def test_faults_of_the_lake_that_a_course_names(lake: str, code: str, words: str) -> None:
    found = faults_of(read_course, edited(SMALL, "lakes/small.toml", lake))
    assert found[-1].code == code
    assert words in str(found[-1])


def test_the_lakes_own_faults_bear_its_path(tmp_path: Path) -> None:
    (tmp_path / "lake.toml").write_text(edited(case_text("lakes/small.toml"), " . A9. .", " . A . ."))
    text = edited(SMALL, "lakes/small.toml", "lake.toml")
    found = faults_of(read_course, text, tmp_path)
    assert [(fault.path, *told(fault)) for fault in found] == [
        ("x.toml", "lake", 3, 8),
        (str(tmp_path / "lake.toml"), "spot-digit", 8, 5),
    ]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "lake.toml").write_text(case_text("lakes/small.toml"))
    (tmp_path / "inner" / "link.toml").symlink_to(tmp_path / "lake.toml")
    text = edited(SMALL, "lakes/small.toml", "link.toml")
    assert faults_of(read_course, text, tmp_path / "inner")[-1].code == "lake-path"


def test_a_course_that_names_itself_as_its_lake(tmp_path: Path) -> None:
    file = tmp_path / "self.toml"
    file.write_text(edited(SMALL, "lakes/small.toml", "self.toml"))
    with pytest.raises(FileFaults, match="a course, where a lake is needed"):
        read_course(read_source(str(file)))


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("@3A", "there is no spot '@3A' on this lake"),
        ("@1C", "tile 1 shows @1A"),
        ("@A", "no spot '@A'"),
        ("F9", "goes from A1 to K6"),
    ],
)
def test_spots_that_are_not_there(at: str, words: str) -> None:
    found = faults_of(read_course, edited(SMALL, "@1A", at))
    assert words in str(found[-1])


@pytest.mark.parametrize(
    ("layout", "fault"),
    [
        ('["1 3"]', ("layout-tile", 4, 14)),
        ('["1 2", "3"]', ("layout", 4, 19)),
        ('["1"]', ("frame", 4, 12)),
        ('["1* 2"]', ("light-side", 4, 12)),
        ('["1 2$"]', ("layout", 4, 14)),
    ],
)
def test_faults_of_a_courses_own_layout(layout: str, fault: tuple[str, int, int]) -> None:
    found = faults_of(read_course, edited(SMALL, "spots =", f"layout = {layout}\nspots ="))
    assert fault in [told(one) for one in found]


def test_a_layout_on_a_free_form_lake(tmp_path: Path) -> None:
    (tmp_path / "free.toml").write_text('format = "rulekit/lake-1"\nname = "F"\nmap = "a6. . ."\n')
    text = edited(edited(SMALL, "lakes/small.toml", "free.toml"), "spots =", 'layout = ["1"]\nspots =')
    assert told(faults_of(read_course, text, tmp_path)[0]) == ("layout", 4, 10)


def test_a_lakes_warnings_are_handed_on(tmp_path: Path) -> None:
    (tmp_path / "free.toml").write_text('format = "rulekit/lake-1"\nname = "F"\nmap = """\na6. . .\n . a4."""\n')
    text = edited(edited(SMALL, "lakes/small.toml", "free.toml"), "@1A", "A1").replace("@2b", "C2")
    text = text.replace("C2", "B2")
    faults: tuple[Fault, ...] = read_course(source_of(text, folder=tmp_path)).faults
    assert [fault.code for fault in faults] == ["ragged", "buoy-count"]


def test_any_kind_is_read_by_its_format() -> None:
    assert isinstance(read_any(source_of(case_text("lakes/small.toml"))), LakeFile)
    assert read_any(source_of(TEN)).source.path == "x.toml"
    assert faults_of(read_any, 'format = "rulekit/x-1"')[0].code == "format"
