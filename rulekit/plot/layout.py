"""A sheet round a drawing: the title above it, legend and remarks below it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.axes import Axes

from rulekit.plot.plane import Box, Point
from rulekit.plot.shapes import cut_to, width_of, words


class Entry(NamedTuple):
    """Words of the legend, and how to draw the sign about a point."""

    text: str
    sign: Callable[[Axes, Point], None]


class Style(NamedTuple):
    """Sizes in units of the drawing (hexes, columns): the title (least: before a long one is cut), the words of the
    legend, the height of its lines, the room of its signs, the narrowest sheet; the space above the drawing, of it that
    below the title's middle, above the legend, and from the legend to the remarks (in lines)."""

    title: float
    least_title: float
    text: float
    pitch: float
    sign: float
    least_width: float
    head: float
    title_rise: float
    foot: float
    remark_gap: float


@dataclass(frozen=True)
class Layout:
    """Where things stand: the sheet's box and the drawing's lower edge, title, legend and remarks."""

    style: Style
    box: Box
    title: Point
    title_text: str
    title_size: float
    entries: tuple[tuple[Point, Entry], ...]
    remarks: tuple[tuple[Point, str], ...]


def lay_out(style: Style, box: Box, title: str, entries: Sequence[Entry], remarks: Sequence[str]) -> Layout:
    """Places a title, a legend and remarks about a drawing's box, which is widened where it is narrow."""
    left, right, bottom, top = widened(box, style.least_width)
    placed = tuple(_placed(style, entries, left + 0.3, right - 0.3, bottom - style.foot))
    low = min([bottom, *(point[1] for point, _ in placed)])
    told = tuple(((left + 0.4, low - style.pitch * (k + style.remark_gap)), text) for k, text in enumerate(remarks))
    low = min([low, *(point[1] for point, _ in told)])
    cut = cut_to(title, style.least_title, "bold", right - left - 1)
    size = min(style.title, (right - left - 1) / max(1, width_of(cut, 1, "bold")))
    whole = left, right, low - 0.8, top + style.head
    return Layout(style, whole, ((left + right) / 2, top + style.title_rise), cut, size, placed, told)


def widened(box: Box, least: float) -> Box:
    """A box at least so wide, its middle kept."""
    left, right, bottom, top = box
    middle, half = (left + right) / 2, max(least, right - left) / 2
    return middle - half, middle + half, bottom, top


def draw_words(ax: Axes, layout: Layout, remark_colour: str) -> None:
    """Title, legend and remarks."""
    style = layout.style
    words(ax, layout.title, layout.title_text, layout.title_size, "title", weight="bold")
    for point, entry in layout.entries:
        entry.sign(ax, (point[0] + style.sign / 2, point[1]))
        words(ax, (point[0] + style.sign + 0.2, point[1]), entry.text, style.text, ha="left")
    for point, remark in layout.remarks:
        words(ax, point, remark, style.text, "remark", ha="left", color=remark_colour)


def _placed(
    style: Style, entries: Sequence[Entry], left: float, right: float, top: float
) -> Iterator[tuple[Point, Entry]]:
    """The legend in columns of equal width, as many as fit, read column by column."""
    wide = style.sign + max(width_of(entry.text, style.text) for entry in entries) + 0.9
    columns = max(1, int((right - left + 0.5) / wide))
    rows = -(-len(entries) // columns)
    for k, entry in enumerate(entries):
        column, row = divmod(k, rows)
        yield (left + column * (right - left) / columns, top - row * style.pitch), entry
