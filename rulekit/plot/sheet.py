"""A whole sheet: the title above the board, the legend below it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.plot.board import board_box, draw_picture, fit
from rulekit.plot.heat import Heat, draw_bar, draw_heat
from rulekit.plot.legend import Entry, legend
from rulekit.plot.palette import FAULT, MUTED
from rulekit.plot.picture import Picture
from rulekit.plot.plane import Box, Point
from rulekit.plot.shapes import cut_to, width_of, words

TITLE, LEAST_TITLE = 0.75, 0.55
TEXT = 0.4
PITCH = 1.05
BAR = 0.45
"""Sizes of the title (a longer one is cut) and the legend's words, height of its lines and the colour bar, in hexes."""

SIGN = 1.4
"""Width of the legend's signs."""

LEAST_WIDTH = 17.0
WIDEST_HEX, SLIMMEST_HEX, PAGE, POSTER = 0.42, 0.17, 8.0, 40.0
"""Inches: a hex on a small and on a huge board; in between, the sheet is as wide as a page. No side is longer than a
poster's."""


@dataclass(frozen=True)
class Layout:
    """Where things stand, in board units: the sheet's box, the title's and the legend's places."""

    box: Box
    title: Point
    title_text: str
    title_size: float
    entries: tuple[tuple[Point, Entry], ...]
    remarks: tuple[tuple[Point, str], ...]
    bar: Box


def sheet_size(picture: Picture, heat: Heat | None = None) -> tuple[float, float]:
    """Width and height of a picture's sheet in inches."""
    left, right, bottom, top = _layout(picture, heat).box
    hexagon = min(WIDEST_HEX, max(SLIMMEST_HEX, PAGE / (right - left)), POSTER / max(right - left, top - bottom))
    return (right - left) * hexagon, (top - bottom) * hexagon


def draw_sheet(figure: Figure, picture: Picture, heat: Heat | None = None) -> None:
    """Board, title and legend of a picture on an empty figure of `sheet_size`; with `heat`, values as colours too."""
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1))
    layout = _layout(picture, heat)
    fit(ax, layout.box)
    draw_picture(ax, picture, bare=heat is not None)
    if heat:
        draw_heat(ax, heat)
        draw_bar(ax, heat, layout.bar)
    _words(ax, picture, layout)


def _words(ax: Axes, picture: Picture, layout: Layout) -> None:
    words(ax, layout.title, layout.title_text, layout.title_size, "title", weight="bold")
    for point, entry in layout.entries:
        entry.sign(ax, (point[0] + SIGN / 2, point[1]))
        words(ax, (point[0] + SIGN + 0.2, point[1]), entry.text, TEXT, ha="left")
    for point, remark in layout.remarks:
        words(ax, point, remark, TEXT, "remark", ha="left", color=FAULT if picture.flaws else MUTED)


def _layout(picture: Picture, heat: Heat | None) -> Layout:
    left, right, bottom, top = board_box(picture)
    middle, half = (left + right) / 2, max(LEAST_WIDTH, right - left) / 2
    left, right = middle - half, middle + half
    bar = (left + half / 2, right - half / 2, bottom - 0.4 - BAR, bottom - 0.4)
    low = bottom - 2.4 if heat else bottom
    entries = tuple(_placed(tuple(legend(picture, bare=heat is not None)), left + 0.3, right - 0.3, low - 0.5))
    low = min([low, *(point[1] for point, _ in entries)])
    remarks = tuple(((left + 0.4, low - PITCH * (k + 0.9)), text) for k, text in enumerate(picture.remarks))
    low = min([low, *(point[1] for point, _ in remarks)])
    title = cut_to(picture.title, LEAST_TITLE, "bold", right - left - 1)
    size = min(TITLE, (right - left - 1) / max(1, width_of(title, 1, "bold")))
    return Layout((left, right, low - 0.8, top + 1.3), (middle, top + 0.5), title, size, entries, remarks, bar)


def _placed(entries: Sequence[Entry], left: float, right: float, top: float) -> Iterator[tuple[Point, Entry]]:
    """The legend in columns of equal width, as many as fit, read column by column."""
    wide = SIGN + max(width_of(entry.text, TEXT) for entry in entries) + 0.9
    columns = max(1, int((right - left + 0.5) / wide))
    rows = -(-len(entries) // columns)
    for k, entry in enumerate(entries):
        column, row = divmod(k, rows)
        yield (left + column * (right - left) / columns, top - row * PITCH), entry
