"""The circuit of a track as SVG: its spaces answer, edges, limits, marks and pit lane lie over them."""

from collections.abc import Iterable, Iterator, Sequence
from math import pi

from rulekit.plot.circuit_pit import EDGE, PLACES, PitLane, boxes, lane_offset
from rulekit.plot.circuit_words import labels_of
from rulekit.plot.plane import Point, away
from rulekit.plot.ring import LANE, Ring, ring
from rulekit.plot.shapes import straight_arrow, triangle
from rulekit.ps.track import STOP, Mark, Space, Track
from rulekit.report.heat import Heat, cells_of, layers_of
from rulekit.report.ink import circle, path, polygon, shape, words
from rulekit.report.parts import Board

UNIT = 20.0
"""Length of a straight's column in the drawing."""

MARGIN = 8.0

LETTERS = {Mark.SIGMA: "σ", Mark.MU: "μ"}

SAID = "Numbers in rings are the curves' limits, triangles, σ and μ the printed marks, the chequered band is the line."


def circuit_board(track: Track, title: str, caption: str, heats: Sequence[Heat[int]]) -> Board:
    """The circuit, its spaces coloured by layers of values."""
    shape_of = ring(track)
    named = []
    for number, space in enumerate(track.spaces):
        middle = lane_offset(space.lane)
        cell = shape_of.cell(space.section, space.first - 1, space.last, middle - LANE / 2, middle + LANE / 2)
        at = on_paper(shape_of.point(space.section, (space.first - 1 + space.last) / 2, middle))
        named.append((number, track.name_of(number), path(on_paper(point) for point in cell), at, space.lane))
    labels = labels_of(track, shape_of)
    above = "".join(
        [*_edges(track, shape_of), *_marks(track, shape_of), *_words(track, shape_of), *_beside(track, shape_of)]
    )
    corners = [(x, y) for left, right, low, high in labels.boxes for x in (left, right) for y in (low, high)]
    corners += [point for section, columns in enumerate(shape_of.columns) for side in (-EDGE, EDGE)
                for point in shape_of.edge(section, 0, columns, side)]  # fmt: skip
    return Board("board", title, f"{caption} {SAID}", layers_of(heats), cells_of(named, heats), "", above,
                 _box(corners), "space")  # fmt: skip


def on_paper(point: Point) -> Point:
    """A point of the plane in the drawing, whose y grows downwards."""
    return point[0] * UNIT, -point[1] * UNIT


def outline(points: Iterable[Point]) -> list[Point]:
    """Points of the plane in the drawing."""
    return [on_paper(point) for point in points]


def _box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = zip(*map(on_paper, points), strict=True)
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top


def _edges(track: Track, around: Ring) -> Iterator[str]:
    for section, columns in enumerate(around.columns):
        for side in (-EDGE, EDGE):
            yield shape(path(outline(around.edge(section, 0, columns, side)), closed=False), "edge")
    for number, here in enumerate(track.sections):
        if here.is_curve or track.sections[number - 1].is_curve:
            ends = [around.point(number, 0, side) for side in (-EDGE, EDGE)]
            yield shape(path(outline(ends), closed=False), "double-paper")
            yield shape(path(outline(ends), closed=False), "double")
    yield from _line(track, around)


def _line(track: Track, around: Ring) -> Iterator[str]:
    section, column = track.line
    heading, begin, size = around.heading(section, column), around.point(section, column, EDGE), 0.12
    count = round(2 * EDGE / size)
    yield polygon(outline(_slab(begin, heading, 0, count, -1, 1, size)), "chequer-paper")
    squares = (_slab(begin, heading, k, k + 1, *((0, 1) if k % 2 else (-1, 0)), size) for k in range(count))
    yield shape("".join(path(outline(square)) for square in squares), "ink")


def _slab(begin: Point, heading: float, first: int, last: int, low: int, high: int, size: float) -> list[Point]:
    near, far = (away(begin, heading - pi / 2, k * size) for k in (first, last))
    return [away(near, heading, low * size), away(far, heading, low * size), away(far, heading, high * size),
            away(near, heading, high * size)]  # fmt: skip


def _marks(track: Track, around: Ring) -> Iterator[str]:
    for space in track.spaces:
        for place, mark in enumerate(mark for mark in Mark if mark in space.marks):
            yield _mark(mark, *_place(around, space, place))


def _place(around: Ring, space: Space, place: int) -> tuple[Point, float]:
    """Where a space's mark number `place` stands: in the corner that its value leaves free, and its heading."""
    column = space.first - 1 + 0.22 + 0.3 * place
    return around.point(space.section, column, lane_offset(space.lane) + 0.24), around.heading(space.section, column)


def _mark(mark: Mark, at: Point, heading: float) -> str:
    if mark is Mark.TRIANGLE:
        return polygon(outline(triangle(away(at, heading, 0.12), heading, 0.24)), "mark")
    x, y = on_paper(at)
    return words((x, y + 2), LETTERS[mark], "mark-letter middle")


def _words(track: Track, around: Ring) -> Iterator[str]:
    labels = labels_of(track, around)
    arrow, heading = labels.direction
    begin = away(arrow.point, heading, -0.95)
    yield polygon(outline(straight_arrow(begin, heading, 1.9, 0.2, 0.5)), "ink")
    for section, label in labels.limits.items():
        at = on_paper(label.point)
        limit = track.sections[section].limit
        yield circle(at, 9, "limit")
        yield words((at[0], at[1] + 4), "–" if limit is None else str(limit), "limit-number middle")
    for section, label in enumerate(labels.names):
        x, y = on_paper(label.point)
        yield words((x, y + 3), track.sections[section].id, "section-name middle")


def _beside(track: Track, around: Ring) -> Iterator[str]:
    """Start boxes and the pit lane."""
    for number, (front, back, far_back, far_front) in enumerate(boxes(track, around), 1):
        corners = outline((front, back, far_back, far_front))
        yield shape(path(corners, closed=False), "box")
        yield _named(corners, str(number))
    if track.pit:
        lane = PitLane(track, around, track.pit)
        for place in PLACES:
            corners = outline(lane.outline(place))
            yield polygon(corners, "pit")
            yield _named(corners, "stop" if place == STOP else f"P{STOP - place}")
        for way in (*lane.ways_in(), *lane.ways_out()):
            yield shape(path(outline(way), closed=False), "pit-way")


def _named(corners: Sequence[Point], name: str) -> str:
    x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    return words((x, y + 2.2), name, "tiny middle")
