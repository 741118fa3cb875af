"""Ways for all values at once, against the search for one value, and against moves cut at the last crossing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from made_up_tracks import circuits

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import Colour
from rulekit.ps.limits import colour_of
from rulekit.ps.moves import DAMAGING, Drive, Stretch, outcomes, starts_on_triangle, steps
from rulekit.ps.track import FINISH, PIT_LONG, PIT_SHORT, STOP, Mark, Track
from rulekit.ps.ways import Ending, Ways, line_spaces, start_in_box, start_on
from rulekit.readings import PsReadings

CASES = Path(__file__).parent / "cases" / "tracks"
SPEEDS = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 17, 23)
ALONE = frozenset[int]()
READINGS = ["", "triangle=aid", "line-crossing=diagonal", "exit-step=flies", "strike=free", "pit-entry=exact"]


def shipped(name: str) -> Track:
    return read_track(read_source(name)).track


RING, ORCHARD = shipped(str(CASES / "ring-a.toml")), shipped("orchard")


def searched(track: Track, space: int, value: int, readings: PsReadings) -> set[Ending]:
    """The endings as the search for one value finds them."""
    found = outcomes(track, space, colour_of(value), value, ALONE, readings)
    return {Ending(one.end, one.line, int(one.kind in DAMAGING)) for one in found}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("track", [RING, ORCHARD], ids=["ring", "orchard"])
def test_endings_agree_with_the_search_for_one_value(track: Track, reading: str) -> None:
    readings = PsReadings.parse([reading] if reading else [])
    ways = Ways(track, readings, most=9)
    for space in (*range(0, len(track.spaces), 3), PIT_SHORT, PIT_LONG):
        for value in SPEEDS:
            mine = ways.endings(start_on(track, space), colour_of(value), value, 9, max(SPEEDS))
            assert mine == searched(track, space, value, readings), (track.name_of(space), value)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(circuits())
def test_endings_agree_on_any_circuit(track: Track) -> None:
    ways = Ways(track, PsReadings(), most=9)
    for space in range(0, len(track.spaces), 5):
        for value in SPEEDS[:10]:
            mine = ways.endings(start_on(track, space), colour_of(value), value, 9, SPEEDS[9])
            assert mine == searched(track, space, value, PsReadings()), (track.name_of(space), value)


def spelled_out(track: Track, space: int, value: int, crossings: int, made: int = 0) -> set[Ending]:
    """Second route for the last lap: every way step by step, recursively, ended at the last crossing."""
    drive = Drive(track, PsReadings(), colour_of(value), value, ALONE, starts_on_triangle(track, space))
    found = set(_followed(drive, Stretch(space, made), crossings))
    free = {ending for ending in found if not ending.damage}
    return free or found


def _followed(drive: Drive, at: Stretch, crossings: int) -> Iterator[Ending]:
    track = drive.track
    if at.line >= crossings:
        yield Ending(FINISH, crossings)
        return
    if at.made == drive.speed or (drive.colour is Colour.BLUE and at.made):
        yield Ending(at.space, at.line)
    if at.made == drive.speed:
        return
    if track.pit and at.space == track.pit.entry:
        yield Ending(STOP, at.line)
    for step in steps(drive, at):
        if step.to is None or (step.speeding and not drive.on_triangle):
            yield _flown(drive, at.space, step.speeding.outside if step.speeding else 0, at.line)
            continue
        there = Stretch(step.to, at.made + 1, step.diagonal_due, step.beside,
                        at.line + track.over_line(at.space, step.to))  # fmt: skip
        held = step.speeding and Mark.MU in track.spaces[step.to].marks and there.made < drive.speed
        if held and step.speeding and there.line < crossings:
            yield _flown(drive, step.to, step.speeding.outside, there.line)
        else:
            yield from _followed(drive, there, crossings)


def _flown(drive: Drive, space: int, outside: int, line: int) -> Ending:
    here = drive.track.in_lane(space, outside)
    for _ in range(drive.speed):
        behind = drive.track.along(here, -1)
        line -= drive.track.over_line(behind, here)
        here = behind
    return Ending(here, line, 1)


def test_ps_23_the_last_crossing_ends_the_move() -> None:
    ways = Ways(RING, PsReadings(), most=2)
    finished = 0
    for space in range(len(RING.spaces)):
        for value in (1, 3, 5, 8, 9):
            mine = ways.endings(start_on(RING, space), colour_of(value), value, 1, 17)
            assert mine == spelled_out(RING, space, value, 1), (RING.name_of(space), value)
            finished += any(ending.end == FINISH for ending in mine)
    assert finished > 20


def test_ps_23_a_car_with_laps_to_go_drives_on() -> None:
    """Two crossings lacking: the same move goes on beyond the line."""
    ways = Ways(RING, PsReadings(), most=2)
    start = start_on(RING, RING.by_name["main left 12"])
    assert {ending.end for ending in ways.endings(start, Colour.RED, 4, 1, 4)} == {FINISH}
    assert FINISH not in {ending.end for ending in ways.endings(start, Colour.RED, 4, 2, 4)}


def test_ps_8_boxes_lead_to_the_inner_lane() -> None:
    ways, start = Ways(ORCHARD, PsReadings(), 2), start_in_box(ORCHARD, 1, PsReadings())
    assert {ORCHARD.name_of(e.end) for e in ways.endings(start, Colour.BLUE, 1, 2, 9)} == {"main left 2"}
    beside = PsReadings.parse(["start-entry=inner-beside"])
    start = start_in_box(ORCHARD, 1, beside)
    assert {ORCHARD.name_of(e.end) for e in Ways(ORCHARD, beside, 2).endings(start, Colour.BLUE, 2, 2, 9)} == {
        "main left 1", "main left 2",
    }  # fmt: skip


def test_ps_8_no_such_box() -> None:
    with pytest.raises(ValueError, match="box"):
        start_in_box(ORCHARD, 13, PsReadings())


def test_spaces_behind_the_line() -> None:
    assert [ORCHARD.name_of(space) for space in line_spaces(ORCHARD)] == [
        "main left 14", "main middle 14", "main right 14",
    ]  # fmt: skip
