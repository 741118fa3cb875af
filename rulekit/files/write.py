"""Course files as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.hexgrid import Side, hex_name
from rulekit.powerboats.box import Layout, layout_rows
from rulekit.powerboats.course import START_TILE, Course
from rulekit.powerboats.lake import Spot


@dataclass(frozen=True)
class CourseText:
    """What a course file tells beside the course itself.

    `made_by` is the comment at the top, `lake` the shipped name or relative path, `order` the spots of buoys 0, 1, ….
    """

    course: Course
    lake: str
    made_by: str
    order: Sequence[Spot]
    spots: str
    layout: Layout | None = None

    def __str__(self) -> str:
        """The TOML text, with arrows and crossings written out where they are settled."""
        course = self.course
        lines = [f"# {line}" for line in self.made_by.splitlines()]
        lines += ['format = "rulekit/course-1"', f"name = {quoted(course.name)}", f"lake = {quoted(self.lake)}"]
        if self.layout:
            lines.append(f"layout = [{', '.join(map(quoted, layout_rows(self.layout)))}]")
        lines += [f"spots = {quoted(self.spots)}"]
        if course.strip_length != START_TILE:
            lines.append(f"start-tile = {course.strip_length}")
        lines += ["", "[start]", f"buoy = {_spot(self.order[0])}", f'side = "{course.strip_side.name}"']
        lines += [f"start = {_side(course.start)}", f"finish = {_side(course.finish)}"]
        for number, (buoy, spot) in enumerate(zip(course.buoys, self.order[1:], strict=True), 1):
            lines += ["", "[[buoy]]", f"number = {number}", f"at = {_spot(spot)}", f"turn = {_side(buoy.arrow)}"]
        return "\n".join(lines) + "\n"


def spot_word(spot: Spot) -> str:
    """A spot's name as a file takes it: `@3A`, or its hex on a lake without tiles."""
    return hex_name(spot.at) if spot.tile is None else f"@{spot.tile}{spot.letter}"


def _spot(spot: Spot) -> str:
    """A spot's name as a TOML value, with its hex as a comment where it is told by tile."""
    comment = "" if spot.tile is None else f"  # {hex_name(spot.at)}"
    return quoted(spot_word(spot)) + comment


def _side(side: Side | None) -> str:
    return quoted("auto" if side is None else side.word)


def quoted(text: str) -> str:
    """A text as a TOML basic string.

    >>> print(quoted('say "hi"'))
    "say \\"hi\\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def commented(text: str, comment: str) -> str:
    """A file's text with a comment line at its top."""
    return "".join(f"# {line}\n" for line in comment.splitlines()) + text
