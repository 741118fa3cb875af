"""What the rules say against circuits: each finding with its place, none against sound ones."""

from dataclasses import replace

import pytest
from board_text import CASES, edited, source_of
from hypothesis import given
from made_up_tracks import circuits

from rulekit.errors import errors_in
from rulekit.files.shipped import shipped
from rulekit.files.source import read_source
from rulekit.files.track import TrackFile, read_track
from rulekit.hexgrid import Side
from rulekit.ps.check import Finding, check, inside_lane, turned
from rulekit.ps.track import Track

RING = read_track(read_source(str(CASES / "tracks" / "ring-a.toml"))).track
ORCHARD_TEXT = next(one.file for one in shipped() if one.name == "orchard").read_text(encoding="utf-8")
ORCHARD = read_track(read_source("orchard")).track


def judged(*edits: tuple[str, str]) -> tuple[TrackFile, list[Finding]]:
    """The shipped short circuit with its text edited, and the findings about it."""
    text = ORCHARD_TEXT
    for old, new in edits:
        text = edited(text, old, new)
    file = read_track(source_of(text))
    return file, check(file.track)


def told(finding: Finding) -> tuple[str, str, str, str]:
    return finding.severity, finding.code, finding.rule, finding.where


@pytest.mark.parametrize("track", [RING, ORCHARD], ids=lambda track: track.name)
def test_sound_circuits_have_no_findings(track: Track) -> None:
    assert check(track) == []


@given(circuits(degrees=True))
def test_made_up_circuits_have_no_findings_but_warnings_of_marks_and_lanes(track: Track) -> None:
    assert turned(track) == 360
    assert {finding.code for finding in check(track)} <= {"mu-straight", "inner-lane"}


@given(circuits())
def test_mirrored_circuits_have_the_same_findings(track: Track) -> None:
    spaces = sorted((replace(space, lane=2 - space.lane) for space in track.spaces),
                    key=lambda space: (space.section, space.lane, space.first))  # fmt: skip
    sections = tuple(replace(one, turn=one.turn and one.turn.other) for one in track.sections)
    mirrored = replace(track, sections=sections, spaces=tuple(spaces), inside=track.inside.other)
    twin = {number: spaces.index(replace(space, lane=2 - space.lane)) for number, space in enumerate(track.spaces)}
    assert track.pit is not None
    pit = replace(track.pit, entry=twin[track.pit.entry], exit_short=twin[track.pit.exit_short],
                  exit_long=twin[track.pit.exit_long])  # fmt: skip
    mirrored = replace(mirrored, pit=pit, box_1=twin[track.box_1 or 0])
    assert sorted(one.code for one in check(mirrored)) == sorted(one.code for one in check(track))


@pytest.mark.parametrize(
    ("old", "new", "findings"),
    [
        ("degrees = 180", "degrees = 170", [("error", "degrees", "PS-1", "section gate degrees")]),
        ("degrees = 180\n", "", [("error", "degrees", "PS-1", "section hairpin")]),
        ("degrees = 60\n", "", [("error", "degrees", "PS-1", "section kink")]),
        ("limit = 7\n", "", [("error", "no-limit", "PS-3", "section kink")]),
        ("left    = = = ^ ^", "left    = = u ^ U", [
            ("warning", "mu-straight", "PS-3", "space press left 3"),
            ("warning", "mu-straight", "PS-3", "space press left 5"),
        ]),
        ("left    = = = ^ ^", "left    = - = ^ ^", [("error", "long-space", "PS-2", "space press left 1")]),
        ("left    s - s - s - =", "left    = = = = = = =", [
            ("warning", "inner-lane", "PS-2", "section hairpin turn"),
        ]),
        ('exit-long = "main left 9"', 'exit-long = "hairpin left 1"', [
            ("error", "pit-curve", "PS-21", "pit exit-long"),
        ]),
        ('exit-long = "main left 9"', 'exit-long = "main middle 9"', [
            ("warning", "pit-lane", "PS-4", "pit exit-long"),
        ]),
        ('exit-long = "main left 9"', 'exit-long = "main left 5"', [
            ("warning", "pit-order", "PS-4", "pit exit-long"),
        ]),
        ('entry = "gate left 4"', 'entry = "gate right 5"', [("warning", "pit-lane", "PS-4", "pit entry")]),
        ('box-1 = "main left 1"', 'box-1 = "main right 1"', [("error", "grid-lane", "PS-4", "grid box-1")]),
        ('box-1 = "main left 1"', 'box-1 = "main left 3"', [("error", "grid-line", "PS-4", "grid box-1")]),
        ('box-1 = "main left 1"', 'box-1 = "main left 5"', [("error", "grid-room", "PS-4", "grid box-1")]),
        ('box-1 = "main left 1"', 'box-1 = "gate left 1"', [("error", "grid-curve", "PS-4", "grid box-1")]),
        ("laps = 3", "laps = 2", [
            ("warning", "laps", "PS-6", "laps"), ("error", "tank", "PS-22", "fuel tank"),
        ]),
        ("points = [15, 12,", "points = [12, 15,", [("warning", "points", "PS-24", "points")]),
        (", 1, 0]", ", 1]", [("warning", "points", "PS-24", "points")]),
        ("tank = { 3 = 30,", "tank = { 3 = 0,", [("error", "tank", "PS-22", "fuel tank 3")]),
        ("tank = { 3 = 30,", "tank = { 3 = 45,", [("warning", "tank", "PS-22", "fuel tank 4")]),
        ("use = { 1 = 1,", "use = {", [("error", "use", "PS-22", "fuel use")]),
        ("use = { 1 = 1,", "use = { 1 = 2,", [("warning", "use", "PS-22", "fuel use 2")]),
    ],
)  # fmt: skip
def test_findings(old: str, new: str, findings: list[tuple[str, str, str, str]]) -> None:
    file, found = judged((old, new))
    assert [told(finding) for finding in found] == findings
    assert all(finding.where in file.places for finding in found)
    for finding in found:
        fault = file.fault(finding)
        assert ORCHARD_TEXT.splitlines()[(fault.line or 0) - 1]


def test_all_findings_come_at_once() -> None:
    _, found = judged(
        ("degrees = 180", "degrees = 90"), ("limit = 7\n", ""),
        ('exit-long = "main left 9"', 'exit-long = "hairpin left 1"'),
        ('box-1 = "main left 1"', 'box-1 = "main middle 1"'),
    )  # fmt: skip
    assert [finding.code for finding in found] == ["degrees", "no-limit", "pit-curve", "grid-lane"]


def test_the_sum_of_turns_is_told_with_what_is_lacking() -> None:
    _, (finding,) = judged(("degrees = 180", "degrees = 170"))
    assert finding.message == (
        "the curves turn 410° to the left and 60° to the right, 350° towards the inside: "
        "a closed ring needs 360° (+10°)"
    )


def test_a_ring_driven_the_other_way_round() -> None:
    found = check(replace(ORCHARD, inside=Side.RIGHT))
    assert 'is inside = "right" meant?' not in found[0].message
    assert 'or is inside = "left" meant?' in found[0].message
    assert {finding.code for finding in found} == {"degrees", "pit-lane", "grid-lane"}


def test_no_curve_to_the_inside() -> None:
    sections = tuple(replace(one, turn=one.turn and Side.RIGHT) for one in ORCHARD.sections)
    assert check(replace(ORCHARD, sections=sections))[0].code == "no-ring"
    bare = tuple(replace(one, turn=None, limit=None) for one in ORCHARD.sections)
    assert "no-ring" in {finding.code for finding in check(replace(ORCHARD, sections=bare))}


def test_a_limit_on_a_straight_is_found_in_values_that_no_file_made() -> None:
    sections = (replace(ORCHARD.sections[0], limit=4), *ORCHARD.sections[1:])
    (finding,) = check(replace(ORCHARD, sections=sections))
    assert told(finding) == ("error", "limit-straight", "PS-3", "section main limit")


def test_the_line_keeps_off_curves_and_double_lines() -> None:
    hairpin = 1
    (inside,) = [one for one in check(replace(ORCHARD, line=(hairpin, 2))) if one.where == "line"]
    assert told(inside) == ("error", "line-curve", "PS-4", "line")
    for line in ((0, 15), (0, 0), (2, 0)):
        assert ("warning", "line-end", "PS-4", "line") in map(told, check(replace(ORCHARD, line=line)))
    assert check(replace(ORCHARD, line=(0, 14))) == []


def test_missing_parts_are_warned_of() -> None:
    bare = replace(ORCHARD, pit=None, box_1=None, points=(), tank={}, use={})
    assert [told(finding)[:2] for finding in check(bare)] == [
        ("warning", "no-pit"), ("warning", "no-grid"), ("warning", "points"),
    ]  # fmt: skip
    assert not errors_in(TrackFile(bare, source_of("")).fault(finding) for finding in check(bare))


def test_the_line_may_follow_the_boxes_on_the_next_straight() -> None:
    text = edited(ORCHARD_TEXT, '[[section]]\nid = "main"',
                  '[[section]]\nid = "grid"\npicture = \'\'\'\n' + "\n".join(
                      f"{lane:<7} {' '.join('=' * 12)}" for lane in ("left", "middle", "right")
                  ) + '\n\'\'\'\n\n[[section]]\nid = "main"')  # fmt: skip
    text = edited(text, 'box-1 = "main left 1"', 'box-1 = "grid left 1"')
    assert check(read_track(source_of(text)).track) == []


def test_the_inside_lane() -> None:
    assert (inside_lane(ORCHARD), inside_lane(RING)) == (0, 2)
