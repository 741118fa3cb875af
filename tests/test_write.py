"""Course files as text."""

import tomllib
from dataclasses import replace

from board_text import case_text, source_of
from hypothesis import given
from hypothesis import strategies as st

from rulekit.files.course import CourseFile, read_course
from rulekit.files.write import CourseText, commented, quoted
from rulekit.hexgrid import Side
from rulekit.powerboats.box import parse_layout
from rulekit.powerboats.route import settle


@given(st.text(st.characters(codec="utf-8")))
def test_quoted_texts_are_read_back(text: str) -> None:
    assert tomllib.loads(f"x = {quoted(text)}") == {"x": text}


def on_small() -> CourseFile:
    return read_course(
        source_of(
            "format = 'rulekit/course-1'\nname = 'On small'\nlake = 'lakes/small.toml'\n[start]\nbuoy = '@1A'\n"
            "[[buoy]]\nnumber = 1\nat = '@2B'\n"
        )
    )


def test_a_written_course_is_read_back() -> None:
    """Open settings stay `auto`, settled ones are written out; strip length and names survive."""
    lake = on_small().course.lake
    order = (*lake.spots_of("A"), *lake.spots_of("B"))
    left_open = replace(on_small().course, name='back\\slash "x" é', strip_length=2, start=Side.RIGHT)
    for course in (left_open, settle(left_open)):
        layout = parse_layout(["1 2r*"])
        text = str(CourseText(course, "lakes/small.toml", "two\nlines", order, "A", layout))
        file = read_course(source_of(text))
        assert file.course == course
        assert (file.spots, file.layout, file.marks) == ("A", layout, ("@1A", "@2B"))
        assert text.startswith("# two\n# lines\n")


def test_a_comment_goes_on_top() -> None:
    text = case_text("courses/ten.toml")
    assert commented(text, "made") == "# made\n" + text
    assert read_course(source_of(commented(text, "made"))).course == read_course(source_of(text)).course
