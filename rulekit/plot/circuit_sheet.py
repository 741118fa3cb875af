"""A whole sheet of a circuit: title, the ring or the straightened track, legend."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.plot import circuit_signs as signs
from rulekit.plot.board import fit
from rulekit.plot.circuit import circuit_box, draw_circuit
from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.plot.palette import MUTED
from rulekit.plot.plane import Box, Point
from rulekit.plot.ring import LANE, Ring
from rulekit.plot.shapes import cut_to, polygon, width_of, words
from rulekit.ps.track import LANES, Mark

TITLE, LEAST_TITLE, TEXT, PITCH = 0.66, 0.5, 0.42, 0.95
"""Sizes of the title (least: before a long one is cut) and the legend's words, height of its lines, in columns."""

SIGN_ROOM = 1.5
LEAST_WIDTH = 20.0
WIDEST, SLIMMEST, PAGE = 0.44, 0.2, 9.0
"""Inches: a column on a small and on a huge track; in between, the sheet is as wide as a page."""


class Entry(NamedTuple):
    """Words of the legend, and how to draw the sign about a point."""

    text: str
    sign: Callable[[Axes, Point], None]


@dataclass(frozen=True)
class Layout:
    """Where things stand: the sheet's box, title, legend and remarks."""

    box: Box
    title: Point
    title_text: str
    title_size: float
    entries: tuple[tuple[Point, Entry], ...]
    remarks: tuple[tuple[Point, str], ...]


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
    words(ax, layout.title, layout.title_text, layout.title_size, "title", weight="bold")
    for point, entry in layout.entries:
        entry.sign(ax, (point[0] + SIGN_ROOM / 2, point[1]))
        words(ax, (point[0] + SIGN_ROOM + 0.2, point[1]), entry.text, TEXT, ha="left")
    for point, remark in layout.remarks:
        words(ax, point, remark, TEXT, "remark", ha="left", color=MUTED)


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
    left, right, bottom, top = circuit_box(picture.track, ring)
    middle, half = (left + right) / 2, max(LEAST_WIDTH, right - left) / 2
    left, right = middle - half, middle + half
    entries = tuple(_placed(tuple(legend(picture)), left + 0.3, right - 0.3, bottom - 0.9))
    low = min([bottom, *(point[1] for point, _ in entries)])
    remarks = tuple(((left + 0.4, low - PITCH * (k + 0.95)), text) for k, text in enumerate(picture.remarks))
    low = min([low, *(point[1] for point, _ in remarks)])
    title = cut_to(picture.title, LEAST_TITLE, "bold", right - left - 1)
    size = min(TITLE, (right - left - 1) / max(1, width_of(title, 1, "bold")))
    return Layout((left, right, low - 0.8, top + 1.5), (middle, top + 0.75), title, size, entries, remarks)


def _placed(entries: Sequence[Entry], left: float, right: float, top: float) -> Iterator[tuple[Point, Entry]]:
    """The legend in columns of equal width, as many as fit, read column by column."""
    wide = SIGN_ROOM + max(width_of(entry.text, TEXT) for entry in entries) + 0.9
    columns = max(1, int((right - left + 0.5) / wide))
    rows = -(-len(entries) // columns)
    for k, entry in enumerate(entries):
        column, row = divmod(k, rows)
        yield (left + column * (right - left) / columns, top - row * PITCH), entry
