"""Circuits made up at random, for tests."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from rulekit.hexgrid import Side
from rulekit.ps.track import Mark, Pit, Section, Space, Track

MARKS = ((), (Mark.TRIANGLE,), (Mark.TRIANGLE, Mark.SIGMA), (Mark.MU,), (Mark.TRIANGLE, Mark.MU), tuple(Mark))


def lane_spaces(section: int, lane: int, lengths: Sequence[int], columns: int) -> list[Space]:
    """Spaces of the given lengths one behind the other, the last one cut or lengthened to the columns."""
    spaces, first = [], 1
    for length in (*lengths, columns):
        last = min(columns, first + length - 1)
        if first <= columns:
            marks = frozenset(MARKS[(first * 7 + last + lane) % len(MARKS)])
            spaces.append(Space(section, lane, first, last, marks))
        first = last + 1
    return spaces


@st.composite
def circuits(draw: st.DrawFn, degrees: bool = False) -> Track:
    """A ring of a straight with line, grid and pit lane, then curves and straights in any order.

    With `degrees` the curves to the inside make one full circle in all, else nothing is said.
    """
    inside = draw(st.sampled_from(Side))
    turns = draw(st.lists(st.sampled_from([None, inside, inside.other]), min_size=1, max_size=6))
    turns = [None, inside, *turns, inside, inside]
    sections, spaces = [], []
    for number, turn in enumerate(turns):
        columns = draw(st.integers(13, 18)) if not number else draw(st.integers(2, 9))
        sections.append(Section(f"part{number}", columns, turn, None if turn is None else draw(st.integers(2, 8))))
        for lane in range(3):
            sizes = st.lists(st.integers(1, 3), max_size=6)
            spaces += lane_spaces(number, lane, [1] * columns if turn is None else draw(sizes), columns)
    if degrees:
        outward = sum(turn is inside.other for turn in turns) * 30
        inward = sum(turn is inside for turn in turns)
        share, rest = divmod(360 + outward, inward)
        told = iter([share + rest, *[share] * inward])
        sections = [
            section if section.turn is None else
            replace(section, degrees=next(told) if section.turn is inside else 30)
            for section in sections
        ]  # fmt: skip
    line = 0, draw(st.integers(12, sections[0].columns - 1))
    track = Track("Made up", tuple(sections), tuple(spaces), line, inside, points=tuple(range(11, -1, -1)))
    inner = 0 if inside is Side.LEFT else 2
    own = [track.at_column[0, inner, column] for column in range(1, 8)]
    entry = track.at_column[len(sections) - 1, inner, sections[-1].columns]
    return replace(track, pit=Pit(entry, own[2], own[5]), box_1=own[0])
