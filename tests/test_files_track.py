"""Track files: good ones, and every fault at its place."""

import contextlib
import re

import pytest
from board_text import case_text, edited, faults_of, source_of, told
from hypothesis import given
from hypothesis import strategies as st

from rulekit.errors import FileFaults
from rulekit.files.kinds import read_any
from rulekit.files.shipped import shipped
from rulekit.files.source import read_source
from rulekit.files.strip import MARKS, SYMBOL
from rulekit.files.track import TrackFile, named_space, read_track
from rulekit.hexgrid import Side
from rulekit.ps.check import check
from rulekit.ps.limits import Unmarked
from rulekit.ps.track import LANES, Mark, Track

RING = case_text("tracks/ring-a.toml")
SHIPPED = [one.name for one in shipped() if one.kind == "track"]
SMALL = """\
format = "rulekit/track-1"
name = "Small"
inside = "left"
points = [3, 2, 1]
[[section]]
id = "home"
picture = '''
left    = ^ s | =
middle  = = = | =
right   = = = | =
'''
[[section]]
id = "bend"
turn = "left"
degrees = 360
limit = 4
picture = '''
left    = - - u
middle  = - U -
right   S - = =
'''
[pit]
entry = "bend left 4"
exit-short = "home left 2"
exit-long = "home left 3"
[grid]
box-1 = "home left 1"
[fuel]
tank = { 3 = 30 }
use = { 1 = 1, 4 = 2 }
"""


def pictures(track: Track) -> list[list[str]]:
    """The lines of every section's picture, made anew from the track."""
    return [[_line(track, section, lane) for lane in range(3)] for section in range(len(track.sections))]


def _line(track: Track, section: int, lane: int) -> str:
    row = []
    for column in range(1, track.sections[section].columns + 1):
        space = track.spaces[track.at_column[section, lane, column]]
        row.append(SYMBOL[space.marks] if space.first == column else "-")
    if track.line[0] == section:
        row.insert(track.line[1], "|")
    return f"{LANES[lane]:<7} {' '.join(row)}"


def test_a_track() -> None:
    file = read_track(source_of(SMALL))
    track = file.track
    assert (track.name, track.inside, track.laps, track.points) == ("Small", Side.LEFT, 3, (3, 2, 1))
    assert (track.line, track.tank, track.use) == ((0, 3), {3: 30}, {1: 1, 4: 2})
    home, bend = track.sections
    assert (home.id, home.columns, home.turn, home.limit, home.degrees) == ("home", 4, None, None, None)
    assert (bend.id, bend.columns, bend.turn, bend.limit, bend.degrees) == ("bend", 4, Side.LEFT, 4, 360)
    assert track.pit is not None
    joints = [track.pit.entry, track.pit.exit_short, track.pit.exit_long, track.box_1 or 0]
    assert [track.name_of(space) for space in joints] == ["bend left 4", "home left 2", "home left 3", "home left 1"]
    assert file.faults == ()


def test_spaces_and_marks() -> None:
    track = read_track(source_of(SMALL)).track
    bend = [(space.lane, space.first, space.last, sorted(mark.value for mark in space.marks)) for space in track.spaces
            if space.section == 1]  # fmt: skip
    assert bend == [
        (0, 1, 3, []), (0, 4, 4, ["mu"]), (1, 1, 2, []), (1, 3, 4, ["mu", "triangle"]),
        (2, 1, 2, ["mu", "sigma", "triangle"]), (2, 3, 3, []), (2, 4, 4, []),
    ]  # fmt: skip
    assert track.spaces[track.by_name["home left 3"]].marks == {Mark.TRIANGLE, Mark.SIGMA}


def test_places_of_a_track() -> None:
    file = read_track(source_of(SMALL))
    places = {
        "name": (2, 8), "inside": (3, 10), "points": (4, 10), "laps": (1, 1), "line": (8, 15), "section home": (5, 1),
        "section bend limit": (16, 9), "section bend degrees": (15, 11), "section home limit": (5, 1),
        "section bend turn": (14, 8), "space home left 3": (8, 13), "space bend right 3": (20, 13), "pit": (22, 1),
        "pit entry": (23, 9), "pit exit-long": (25, 13), "grid box-1": (27, 9), "fuel": (28, 1),
        "fuel tank 3": (29, 14), "fuel use": (30, 7), "fuel use 4": (30, 20), "no such key": (1, 1),
    }  # fmt: skip
    assert {key: file.place(key) for key in places} == places


def test_a_finding_gets_its_place() -> None:
    file = read_track(source_of(edited(SMALL, "limit = 4\n", "")))
    (fault,) = [file.fault(finding) for finding in check(file.track) if finding.code == "no-limit"]
    assert str(fault).startswith("x.toml:12:1: error: curve 'bend' has no limit")
    assert (fault.rule, fault.code) == ("PS-3", "no-limit")


def test_a_track_may_lack_pit_grid_fuel_points_and_laps() -> None:
    text = re.sub(r"points = .*\n", "", SMALL.split("[pit]")[0])
    track = read_track(source_of(text)).track
    assert (track.pit, track.box_1, track.tank, track.use, track.points, track.laps) == (None, None, {}, {}, (), 3)


def test_the_handed_track_is_told_by_its_own_pictures() -> None:
    track = read_track(source_of(RING)).track
    assert [line for picture in pictures(track) for line in picture] == [
        line for line in RING.splitlines() if line.split(" ")[0] in LANES
    ]
    assert check(track) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tracks_have_no_faults_and_every_mark_is_earned(name: str) -> None:
    file = read_track(read_source(name))
    assert file.faults == ()
    assert check(file.track) == []
    assert [space.marks for space in file.track.spaces] == list(Unmarked(file.track).marks)


def test_the_shipped_tracks_are_a_short_and_a_full_one() -> None:
    tracks = [read_track(read_source(name)).track for name in SHIPPED]
    sizes = [(sum(part.columns for part in track.sections), sum(part.is_curve for part in track.sections))
             for track in tracks]  # fmt: skip
    assert sizes == [(47, 4), (90, 8)]
    full = tracks[1]
    assert {part.limit for part in full.sections if part.is_curve} == {2, 3, 4, 5, 6, 7}
    unmarked = Unmarked(full)
    assert not unmarked.deadly
    assert not unmarked.idle
    closed_five = [number for number in unmarked.closed if full.sections[number].limit == 5]
    assert any(Mark.MU in space.marks for space in full.spaces if space.section in closed_five)
    chicane = [(a, b) for a, b in zip(full.sections, full.sections[1:], strict=False)
               if a.turn is not None and b.turn is a.turn.other]  # fmt: skip
    assert chicane


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ("track-1", "track-2", [("format", 1, 10)]),
        ("track-1", "trac-1", [("format", 1, 10)]),
        ('name = "Small"\n', "", [("missing-key", 1, 1)]),
        ('name = "Small"', "name = 3", [("type", 2, 8)]),
        ('name = "Small"', 'nam = "Small"', [("missing-key", 1, 1), ("unknown-key", 2, 1)]),
        ('inside = "left"', 'inside = "lft"', [("value", 3, 10)]),
        ('inside = "left"\n', "", [("missing-key", 1, 1)]),
        ("points = [3, 2, 1]", "points = [3, -2, 1.5]", [("value", 4, 14), ("value", 4, 18)]),
        ("points = [3, 2, 1]", "points = 3", [("type", 4, 10)]),
        ("points = [3, 2, 1]", "laps = 0", [("value", 4, 8)]),
        ("points = [3, 2, 1]", "laps = true", [("type", 4, 8)]),
        ('id = "home"', "", [("missing-key", 5, 1)]),
        ('id = "home"', 'id = "to the left"', [("section-id", 6, 6)]),
        ('id = "home"', 'id = "bend"', [("section-id", 13, 6)]),
        ('id = "home"', 'id = "home"\ncolour = 1', [("unknown-key", 7, 1)]),
        ('id = "home"', 'id = "home"\nlimit = 4\ndegrees = 90', [("straight", 7, 1), ("straight", 8, 1)]),
        ('turn = "left"', 'turn = "Left"', [("value", 14, 8)]),
        ("degrees = 360", "degrees = 0", [("value", 15, 11)]),
        ("degrees = 360", "degrees = 90.0", [("type", 15, 11)]),
        ("limit = 4", "limit = 100", [("value", 16, 9)]),
        ("left    = ^ s | =", "lefft   = ^ s | =", [("lane", 8, 1)]),
        ("middle  = = = | =", "left    = = = | =", [("lane", 9, 1)]),
        ("middle  = = = | =\n", "", [("lane", 7, 11)]),
        ("middle  = = = | =", "middle", [("lane-length", 9, 7)]),
        ("middle  = = = | =", "middle  = = = | = =", [("lane-length", 9, 20)]),
        ("middle  = = = | =", "middle  = =   | =", [("gap", 9, 13)]),
        ("middle  = = = | =", "middle  = == | =", [("gap", 9, 12)]),
        ("middle  = = = | =", "middle\t= = = | =", [("gap", 9, 7)]),
        ("middle  = = = | =", "middle  - = = | =", [("no-start", 9, 9)]),
        ("middle  = = = | =", "middle  = = = = =", [("lane-length", 9, 18), ("line", 9, 18)]),
        ("middle  = = = | =", "middle  = = | = =", [("line", 9, 13)]),
        ("middle  = = = | =", "middle  = | = = | =", [("line", 9, 17)]),
        ("middle  = = = | =", "middle  = = σ | =", [("symbol", 9, 13)]),
        ("middle  = = = | =", "middle  = = x | =", [("symbol", 9, 13)]),
        ("middle  = - U -", "middle  | = - U", [("line-curve", 19, 9)]),
        ("left    = - - u\nmiddle  = - U -\nright   S - = =", "", [("lane", 17, 11)]),
        ("bend left 4", "bend left", [("space", 23, 9)]),
        ("bend left 4", "bned left 4", [("space", 23, 9)]),
        ("bend left 4", "bend lft 4", [("space", 23, 9)]),
        ("bend left 4", "bend left 5", [("space", 23, 9)]),
        ("bend left 4", "bend left 0", [("space", 23, 9)]),
        ('entry = "bend left 4"\n', "", [("missing-key", 22, 1)]),
        ('entry = "bend left 4"', "entry = 4", [("type", 23, 9)]),
        ('box-1 = "home left 1"', "", [("missing-key", 26, 1)]),
        ("tank = { 3 = 30 }", "", [("missing-key", 28, 1)]),
        ("tank = { 3 = 30 }", "tank = 30", [("type", 29, 8)]),
        ("tank = { 3 = 30 }", "tank = { three = 30 }", [("value", 29, 10)]),
        ("tank = { 3 = 30 }", "tank = { 03 = 30 }", [("value", 29, 10)]),
        ("tank = { 3 = 30 }", "tank = { 3 = -1 }", [("value", 29, 14)]),
        ("4 = 2 }", "4 = 2.5 }", [("type", 30, 20)]),
    ],
)
def test_faults_of_a_track(old: str, new: str, faults: list[tuple[str, int, int]]) -> None:
    found = faults_of(read_track, edited(SMALL, old, new))
    assert [told(fault) for fault in found] == faults
    assert {fault.path for fault in found} == {"x.toml"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('inside = "left"', 'inside = "lft"', "did you mean 'left'?"),
        ("left    = ^ s | =", "lefft   = ^ s | =", "did you mean 'left'?"),
        ("middle  = = = | =", "middle  = = μ | =", "did you mean 'u'?"),
        ("middle  = = = | =", "middle  = = σ | =", "did you mean 's'?"),
        ("bend left 4", "bned left 4", "did you mean 'bend'?"),
        ("bend left 4", "bend lft 4", "did you mean 'left'?"),
        ("bend left 4", "bend left 9", "has columns 1 to 4"),
        ("bend left 4", "here", "such as 'home left 1'"),
        ("degrees = 360", "degres = 360", "did you mean 'degrees'?"),
        ('turn = "left"\n', "", 'add turn = "left"'),
        ("middle  = = = | =", "middle  = = = = =", "lacks the line"),
    ],
)
def test_messages_tell_the_near_miss(old: str, new: str, words: str) -> None:
    assert words in "\n".join(fault.message for fault in faults_of(read_track, edited(SMALL, old, new)))


def test_a_track_without_sections() -> None:
    head = SMALL.split("[[section]]")[0]
    assert [told(fault) for fault in faults_of(read_track, head)] == [("missing-key", 1, 1)]
    assert [told(fault) for fault in faults_of(read_track, head + "[section]\n")] == [
        ("missing-key", 1, 1), ("type", 5, 1),
    ]  # fmt: skip


def test_exactly_one_line() -> None:
    assert [told(fault) for fault in faults_of(read_track, SMALL.replace("| ", ""))] == [("line", 1, 1)]
    third = "[[section]]\nid = 'x'\npicture = '''\nleft = | =\nmiddle = | =\nright = | =\n'''\n[pit]"
    assert [told(fault) for fault in faults_of(read_track, edited(SMALL, "[pit]", third))] == [("line", 25, 8)]


def test_faults_of_one_stage_come_together_in_the_order_of_the_file() -> None:
    text = SMALL.replace("left    = ^", "left    x ^").replace("middle  = - U", "middle  - = U")
    text = text.replace('"left"\npoints', '"up"\npoints').replace("limit = 4", "limt = 4").replace("3 = 30", "x = 30")
    assert [told(fault) for fault in faults_of(read_track, text)] == [
        ("value", 3, 10), ("symbol", 8, 9), ("unknown-key", 16, 1), ("no-start", 19, 9), ("value", 29, 10),
    ]  # fmt: skip


def test_a_column_inside_a_space_is_warned_of() -> None:
    file = read_track(source_of(edited(SMALL, "bend left 4", "bend left 2")))
    (fault,) = file.faults
    assert (fault.severity, *told(fault)) == ("warning", "space", 23, 9)
    assert "belongs to the space 'bend left 1'" in fault.message


def test_a_track_of_endless_columns_is_refused() -> None:
    lanes = "\n".join(f"{lane} {'= ' * 1001}" for lane in LANES)
    text = re.sub(r"left    = - - u\n.*\n.*\n", lanes + "\n", SMALL)
    assert [told(fault) for fault in faults_of(read_track, text)] == [("value", 1, 1)]


def test_other_kinds_of_files_are_no_track() -> None:
    assert faults_of(read_track, 'format = "rulekit/lake-1"\n')[0].message == "this is a lake, where a track is needed"
    assert isinstance(read_any(source_of(SMALL)), TrackFile)


def test_named_space() -> None:
    track = read_track(source_of(SMALL)).track
    for number in range(len(track.spaces)):
        assert named_space(track, track.name_of(number)) == (number, "")
    assert named_space(track, " bend   right 2 ") == (
        track.by_name["bend right 1"], "column 2 belongs to the space 'bend right 1'",
    )  # fmt: skip


ROWS = st.lists(st.sampled_from([*MARKS, "-", "|"]), min_size=1, max_size=8).map(" ".join)


@given(ROWS, ROWS, ROWS, st.booleans())
def test_any_section_is_refused_or_read_as_it_is_drawn(left: str, middle: str, right: str, curve: bool) -> None:
    drawn = [f"left    {left}", f"middle  {middle}", f"right   {right}"]
    old = SMALL.split("picture = '''\n")[2 if curve else 1].split("\n'''")[0]
    text = edited(SMALL.split("[pit]")[0], old, "\n".join(drawn))
    rows = [row.split()[1:] for row in drawn]
    lines = [[k for k, symbol in enumerate(row) if symbol == "|"] for row in rows]
    starts = [[symbol for symbol in row if symbol != "|"][:1] for row in rows]
    good = (
        all(start and start[0] != "-" for start in starts)
        and len({len(row) - row.count("|") for row in rows}) == 1
        and lines[0] == lines[1] == lines[2]
        and len(lines[0]) == (0 if curve else 1)
    )
    if good:
        assert pictures(read_track(source_of(text)).track)[1 if curve else 0] == drawn
    else:
        with pytest.raises(FileFaults):
            read_track(source_of(text))


@given(st.text(" =-|^suUS\nleftmidrgh", max_size=80))
def test_any_picture(picture: str) -> None:
    head = SMALL.split("[[section]]")[0]
    with contextlib.suppress(FileFaults):
        read_track(source_of(f"{head}[[section]]\nid = 'x'\npicture = '''\n{picture}'''\n"))
