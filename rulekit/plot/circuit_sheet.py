"""A whole sheet of a circuit: title, the ring or the straightened track, legend."""

from collections.abc import Iterator
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.plot import circuit_signs as signs
from rulekit.plot.board import fit
from rulekit.plot.circuit import circuit_box, draw_circuit
from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.plot.layout import Entry, Layout, Style, draw_words, lay_out
from rulekit.plot.palette import MUTED
from rulekit.plot.plane import Point
from rulekit.plot.ring import LANE, Ring
from rulekit.plot.shapes import polygon, words
from rulekit.ps.track import LANES, Mark

STYLE = Style(title=0.66, least_title=0.5, text=0.42, pitch=0.95, sign=1.5, least_width=20.0, head=1.5,
              title_rise=0.75, foot=0.9, remark_gap=0.95)  # fmt: skip

WIDEST, SLIMMEST, PAGE = 0.44, 0.2, 9.0
"""Inches: a column on a small and on a huge track; in between, the sheet is as wide as a page."""


def sheet_size(picture: CircuitPicture, ring: Ring) -> tuple[float, float]:
    """Width and height of a sheet in inches."""
    left, right, bottom, top = _layout(picture, ring).box
    unit = min(WIDEST, max(SLIMMEST, PAGE / (right - left)))
    return (right - left) * unit, (top - bottom) * unit


def draw_sheet(figure: Figure, picture: CircuitPicture, ring: Ring) -> None:
    """Circuit, title and legend on an empty figure of `sheet_size`."""
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1))
    layout = _layout(picture, ring)
    fit(ax, layout.box)
    draw_circuit(ax, picture, ring)
    draw_words(ax, layout, MUTED)


def legend(picture: CircuitPicture) -> Iterator[Entry]:
    """An entry for each kind of sign that the picture shows."""
    track = picture.track
    marks = {mark for space in track.spaces for mark in space.marks}
    yield Entry("lanes: left, middle, right", _lanes)
    yield Entry("start/finish line", _line)
    yield Entry("driving direction", partial(signs.direction, heading=0, scale=0.6))
    if any(section.is_curve for section in track.sections):
        yield Entry("a curve's limit; double lines: its ends", partial(signs.limit, number=4))
    if Mark.TRIANGLE in marks:
        yield Entry("triangle: from here a car may speed", partial(_marked, {Mark.TRIANGLE}))
    if Mark.SIGMA in marks:
        yield Entry("σ: speeding is safe while the way is free", partial(_marked, {Mark.TRIANGLE, Mark.SIGMA}))
    if Mark.MU in marks:
        yield Entry("μ: a speeding car's last step at the latest", partial(_marked, {Mark.MU}))
    if track.box_1 is not None:
        yield Entry("start boxes 1 to 12", _box)
    if track.pit:
        yield Entry("pit lane; ways out behind P3 and P6", _pit)
    for colour, meaning in picture.keys:
        yield Entry(meaning, partial(_filled, colour))


def _lanes(ax: Axes, point: Point) -> None:
    for lane, name in enumerate(LANES):
        y = point[1] + (1 - lane) * 0.27
        polygon(ax, _cell((point[0], y), 0.27), facecolor=signs.STRAIGHT, edgecolor=signs.EDGE, linewidth=0.7)
        words(ax, (point[0] - 0.42, y), name[0].upper(), 0.24)
    signs.direction(ax, (point[0] + 0.12, point[1]), 0, scale=0.36)


def _cell(point: Point, high: float = LANE) -> list[Point]:
    x, y = point
    return [(x - 0.6, y - high / 2), (x + 0.6, y - high / 2), (x + 0.6, y + high / 2), (x - 0.6, y + high / 2)]


def _line(ax: Axes, point: Point) -> None:
    signs.finish(ax, (point[0], point[1] + 0.4), 0, 0.8)


def _marked(marks: set[Mark], ax: Axes, point: Point) -> None:
    polygon(ax, _cell(point), facecolor=signs.CURVE, edgecolor=signs.EDGE, linewidth=0.7)
    signs.marks(ax, point, 0, marks)


def _filled(colour: str, ax: Axes, point: Point) -> None:
    polygon(ax, _cell(point, 0.6), facecolor=colour, edgecolor=signs.EDGE, linewidth=0.7)


def _box(ax: Axes, point: Point) -> None:
    x, y = point
    signs.box(ax, [(x + 0.4, y + 0.25), (x - 0.4, y + 0.25), (x - 0.4, y - 0.25), (x + 0.4, y - 0.25)], 1)


def _pit(ax: Axes, point: Point) -> None:
    x, y = point
    signs.pit_space(ax, [(x - 0.5, y - 0.33), (x + 0.5, y - 0.33), (x + 0.5, y + 0.33), (x - 0.5, y + 0.33)], "P1")


def _layout(picture: CircuitPicture, ring: Ring) -> Layout:
    return lay_out(STYLE, circuit_box(picture.track, ring), picture.title, tuple(legend(picture)), picture.remarks)
