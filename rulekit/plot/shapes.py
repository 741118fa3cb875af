"""Shapes and words in board units, so that they keep their proportions at every size of the picture."""

import json
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import cos, sin
from typing import Any

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import Stroke, withStroke
from matplotlib.textpath import TextPath

from rulekit.errors import shortened
from rulekit.plot.palette import INK, PAPER
from rulekit.plot.plane import Point, Segment, away

FONT = "DejaVu Sans"
"""Ships with matplotlib, so that a picture looks alike everywhere."""


def points_per_unit(ax: Axes) -> float:
    """Printer's points that one hex's width takes on these axes, as their limits and figure stand now."""
    ax.apply_aspect()
    box = ax.get_window_extent()
    left, right = ax.get_xlim()
    return float(box.width / (right - left) * 72 / ax.figure.dpi)


def polygon(ax: Axes, points: Sequence[Point], gid: str | None = None, **style: Any) -> None:
    """A filled closed shape."""
    _patch(ax, Path([*points, points[0]], closed=True), gid, **{"linewidth": 0, **style})


def polygons(ax: Axes, rings: Iterable[Sequence[Point]], gid: str | None = None, **style: Any) -> None:
    """Many filled closed shapes as one element."""
    paths = [Path([*ring, ring[0]], closed=True) for ring in rings]
    if paths:
        _patch(ax, Path.make_compound_path(*paths), gid, **{"linewidth": 0, **style})


def segments(ax: Axes, pairs: Iterable[Segment], gid: str | None = None, **style: Any) -> None:
    """Many straight lines as one element; `linewidth` in board units."""
    points = [point for pair in pairs for point in pair]
    if points:
        codes = [Path.MOVETO, Path.LINETO] * (len(points) // 2)
        _stroke(ax, Path(points, codes), gid, **style)


def line(ax: Axes, points: Sequence[Point], gid: str | None = None, **style: Any) -> None:
    """One line through points; `linewidth` in board units."""
    _stroke(ax, Path(points), gid, **style)


def disc(ax: Axes, point: Point, radius: float, gid: str | None = None, **style: Any) -> None:
    """A filled circle; `linewidth` in board units."""
    width = style.pop("linewidth", 0) * points_per_unit(ax)
    _patch(ax, Path.circle(point, radius), gid, linewidth=width, **style)


def words(
    ax: Axes,
    point: Point,
    text: str,
    size: float,
    gid: str | None = None,
    halo: float = 0,
    rim: str = PAPER,
    **style: Any,
) -> None:
    """Text of a height in board units, with a rim of width `halo` round it."""
    unit = points_per_unit(ax)
    label = ax.text(
        *point, drawable(text), fontsize=size * unit, clip_on=False, gid=gid,
        **{"ha": "center", "va": "center_baseline", "color": INK, "family": FONT, "parse_math": False, **style},
    )  # fmt: skip
    if halo:
        label.set_path_effects([withStroke(linewidth=2 * halo * unit, foreground=rim)])


@cache
def _known() -> frozenset[int]:
    """The characters that the font has."""
    return frozenset(get_font(findfont(FontProperties(family=FONT))).get_charmap())


def drawable(text: str) -> str:
    """A text with an escape in place of each character that the font lacks, which would be drawn as an empty box.

    >>> print(drawable("Lake 池"))
    Lake \\u6c60
    """
    return "".join(char if ord(char) in _known() else json.dumps(char)[1:-1] for char in text)


def cut_to(text: str, size: float, weight: str, width: float) -> str:
    """A text cut in its middle until it is no wider than a width."""
    most = len(text)
    shown = text
    while most > 8 and width_of(shown, size, weight) > width:
        most = min(most - 1, max(8, int(most * width / width_of(shown, size, weight))))
        shown = shortened(text, most)
    return shown


@lru_cache(maxsize=1024)
def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Width of a text in the unit of its size."""
    if not text.strip():
        return 0.0
    prop = FontProperties(family=FONT, weight=weight)
    plain = drawable(text).replace("$", r"\$")
    return float(TextPath((0, 0), plain, size=100, prop=prop, usetex=False).get_extents().width) * size / 100


def straight_arrow(start: Point, angle: float, length: float, width: float = 0.16, head: float = 0.42) -> list[Point]:
    """The outline of an arrow from a point, `head` long and wide at its tip."""
    neck = max(0.0, length - head)
    flat = [(0, -width), (neck, -width), (neck, -head), (length, 0), (neck, head), (neck, width), (0, width)]
    return [_turned(start, angle, x, y / 2) for x, y in flat]


def triangle(tip: Point, angle: float, size: float) -> list[Point]:
    """A slim arrow head with its tip at a point."""
    return [_turned(tip, angle, x * size, y * size) for x, y in ((0, 0), (-1, 0.5), (-0.75, 0), (-1, -0.5))]


def curved_arrow(
    middle: Point, radius: float, centre: float, sense: int, sweep: float = 4.5, width: float = 0.2, head: float = 0.5
) -> list[Point]:
    """The outline of an arrow round a point: `sense` 1 is counter-clockwise; its body lies about the angle `centre`."""
    begin, tip = centre - sense * sweep / 2, centre + sense * sweep / 2
    neck = tip - sense * 0.9 * head / radius
    angles = [begin + (neck - begin) * k / 24 for k in range(25)]
    outer = [away(middle, angle, radius + width / 2) for angle in angles]
    inner = [away(middle, angle, radius - width / 2) for angle in reversed(angles)]
    barbs = [away(middle, neck, radius + head / 2), away(middle, tip, radius), away(middle, neck, radius - head / 2)]
    return [*outer, *barbs, *inner]


def _turned(origin: Point, angle: float, x: float, y: float) -> Point:
    return origin[0] + x * cos(angle) - y * sin(angle), origin[1] + x * sin(angle) + y * cos(angle)


def _patch(ax: Axes, path: Path, gid: str | None, **style: Any) -> None:
    patch = PathPatch(path, gid=gid, clip_on=False, **style)
    # add_artist, not add_patch: the limits of the axes are set, and must not follow what is drawn.
    ax.add_artist(patch)


def _stroke(ax: Axes, path: Path, gid: str | None, **style: Any) -> None:
    width = style.pop("linewidth", 0.05) * points_per_unit(ax)
    rim = style.pop("rim", 0) * points_per_unit(ax)
    patch = PathPatch(path, gid=gid, clip_on=False, fill=False, linewidth=width,
                      **{"capstyle": "round", "joinstyle": "round", **style})  # fmt: skip
    if rim:
        patch.set_path_effects([Stroke(linewidth=width + 2 * rim, foreground=PAPER), withStroke(linewidth=0)])
    ax.add_artist(patch)
