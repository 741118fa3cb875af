"""A whole sheet: the title above the board, the legend below it."""

from matplotlib.figure import Figure

from rulekit.plot.board import board_box, draw_picture, fit
from rulekit.plot.heat import Heat, draw_bar, draw_heat
from rulekit.plot.layout import Layout, Style, draw_words, lay_out, widened
from rulekit.plot.legend import legend
from rulekit.plot.palette import FAULT, MUTED
from rulekit.plot.picture import Picture
from rulekit.plot.plane import Box

STYLE = Style(title=0.75, least_title=0.55, text=0.4, pitch=1.05, sign=1.4, least_width=17.0, head=1.3, title_rise=0.5,
              foot=0.5, remark_gap=0.9)  # fmt: skip

BAR, BAR_ROOM = 0.45, 2.4
"""Height of the colour bar, and of the room for it."""

WIDEST_HEX, SLIMMEST_HEX, PAGE, POSTER = 0.42, 0.17, 8.0, 40.0
"""Inches: a hex on a small and on a huge board; in between, the sheet is as wide as a page. No side is longer than a
poster's."""


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
        draw_bar(ax, heat, _bar(picture))
    draw_words(ax, layout, FAULT if picture.flaws else MUTED)


def _layout(picture: Picture, heat: Heat | None) -> Layout:
    left, right, bottom, top = board_box(picture)
    room = BAR_ROOM if heat else 0
    entries = tuple(legend(picture, bare=heat is not None))
    return lay_out(STYLE, (left, right, bottom - room, top), picture.title, entries, picture.remarks)


def _bar(picture: Picture) -> Box:
    """Where the colour bar stands: below the board, half as wide as the sheet."""
    left, right, bottom, _ = widened(board_box(picture), STYLE.least_width)
    quarter = (right - left) / 4
    return left + quarter, right - quarter, bottom - 0.4 - BAR, bottom - 0.4
