"""Random edits of good files: a fault or a good value, never another exception."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from board_text import CASES, case_text, source_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulekit.errors import FileFaults, errors_in
from rulekit.files.kinds import AnyFile, read_any
from rulekit.files.lake import LakeFile
from rulekit.files.track import TrackFile

ON_SMALL = """\
format = "rulekit/course-1"
name = "On small"
lake = "lakes/small.toml"
layout = ["2* 1r"]
spots = "A"
[start]
buoy = "@1A"
[[buoy]]
number = 1
at = "@2B"
turn = "left"
[[expansion]]
kind = "redoubt"
at = "@2B"
"""
TEXTS = [case_text("lakes/small.toml"), case_text("courses/ten.toml"), case_text("moves/tiles-13.toml"), ON_SMALL,
         case_text("tracks/ring-a.toml")]  # fmt: skip
SCRAPS = [
    "'", '"', "'''", '"""', "[", "]", "[[", "{", "}", "=", ".", ",", "#", "\n", " ", "*", "@", "r", "A9", "7", "-1",
    "nan", "true", "1979-05-27", "é", "\u2028", "\x85", "\t", "\x7f", "[]", "{}", '""', "[[buoy]]\n", "[start]\n",
    "9" * 30, "x = 1\n",
    "left", "lake = ", "map", "[frame]\n", "1e400", "0x1f", "\\u0000", "\\",
]  # fmt: skip
VALUES = [
    "1",
    '""',
    "[]",
    "{}",
    "true",
    '"x"',
    "-7",
    "[[1]]",
    '["1"]',
    "{a = 1}",
    "0.5",
    "1979-05-27",
    "9" * 25,
    '"auto"',
]

Edit = Callable[[str], str]


def _at(text: str, place: float) -> int:
    return int(place * len(text))


def _swap_lines(text: str, one: float, two: float) -> str:
    lines = text.split("\n")
    first, second = _at("x" * (len(lines) - 1), one), _at("x" * (len(lines) - 1), two)
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _drop_line(text: str, place: float) -> str:
    lines = text.split("\n")
    del lines[_at("x" * (len(lines) - 1), place)]
    return "\n".join(lines)


def _other_value(text: str, place: float, value: str) -> str:
    pairs = list(re.finditer(r"^([\w-]+ = ).+$", text, re.MULTILINE))
    if not pairs:
        return text
    pair = pairs[_at("x" * (len(pairs) - 1), place)]
    return text[: pair.start()] + pair[1] + value + text[pair.end() :]


PLACES = st.floats(0, 1)
EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(lambda p, n: lambda t: t[: _at(t, p)] + t[_at(t, p) + n :], PLACES, st.integers(1, 5)),
    st.builds(lambda p, s: lambda t: t[: _at(t, p)] + s + t[_at(t, p) :], PLACES, st.sampled_from(SCRAPS)),
    st.builds(lambda p, s: lambda t: t[: _at(t, p)] + s + t[_at(t, p) + 1 :], PLACES, st.sampled_from(SCRAPS)),
    st.builds(lambda p, c: lambda t: t[: _at(t, p)] + c + t[_at(t, p) + 1 :], PLACES, st.characters(codec="utf-8")),
    st.builds(lambda p, q: lambda t: _swap_lines(t, p, q), PLACES, PLACES),
    st.builds(lambda p: lambda t: _drop_line(t, p), PLACES),
    st.builds(lambda p, v: lambda t: _other_value(t, p, v), PLACES, st.sampled_from(VALUES)),
)


def judged(text: str, folder: Path = CASES) -> AnyFile | None:
    """What a text is read as; None where it is refused with faults that are sound themselves."""
    try:
        return read_any(source_of(text, folder=folder))
    except FileFaults as refused:
        faults = refused.faults
    assert errors_in(faults)
    lines = text.split("\n")
    for fault in faults:
        assert fault.code
        assert fault.message
        if fault.path == "x.toml" and fault.line is not None and fault.column is not None:
            assert 1 <= fault.line <= len(lines) + 1
            assert 1 <= fault.column <= len(lines[min(fault.line, len(lines)) - 1]) + 2
    return None


def sound(file: AnyFile) -> None:
    """What was read can be used."""
    if isinstance(file, LakeFile):
        assert file.lake.water
        return
    if isinstance(file, TrackFile):
        assert file.track.spaces
        return
    course, board = file.course, file.course.lake.water | file.course.lake.land
    marks = [course.start_buoy, *(buoy.at for buoy in course.buoys)]
    assert set(marks) <= board
    assert len(set(marks)) == len(marks) >= 2
    assert all(len(tile.hexes) == 3 for tile in course.tiles)
    assert str(file.place("buoy 1"))


@pytest.mark.parametrize("text", TEXTS)
def test_the_files_are_good_before_they_are_edited(text: str) -> None:
    file = judged(text)
    assert file is not None
    sound(file)


@given(st.sampled_from(TEXTS), st.lists(EDITS, min_size=1, max_size=4))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_edited_files(text: str, edits: list[Edit]) -> None:
    for edit in edits:
        text = edit(text)
    file = judged(text.replace("\r\n", "\n"))
    if file is not None:
        sound(file)


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    judged('format = "rulekit/course-1"\n' + text)
    judged('format = "rulekit/lake-1"\n' + text)


@given(st.text(" .#Aa9*\n1:bB7", max_size=60))
def test_any_picture(picture: str) -> None:
    judged(f"format = \"rulekit/lake-1\"\nname = 'x'\nmap = '''{picture}'''")
    judged(case_text("lakes/small.toml").split("[frame]")[0] + f"[frame]\nmap = '''\n{picture}'''")
