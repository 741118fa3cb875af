"""The signs on a circuit, each drawn about a point, so that the circuit and its legend use the same ones."""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from matplotlib.axes import Axes

from rulekit.plot.palette import FAULT, INK, MUTED, PAPER, VERMILLION
from rulekit.plot.plane import Point, Segment, away
from rulekit.plot.shapes import disc, line, polygon, polygons, segments, straight_arrow, words
from rulekit.ps.track import Mark

STRAIGHT, CURVE, EDGE = "#F3F5F6", "#FBE2BC", "#3A4349"
PIT, PIT_EDGE = "#D3DADF", "#5A6872"
LIMIT_RADIUS, ARROW = 0.5, 1.9
LEAST_SCALE = 0.65
LETTER = 0.46
"""Height of σ and μ, in units."""

WIDTHS = {Mark.TRIANGLE: 0.36, Mark.SIGMA: 0.36, Mark.MU: 0.36}
"""Room that each mark takes along its space."""


def marks(
    ax: Axes, point: Point, heading: float, found: Iterable[Mark], gid: str | None = None, room: float = 1.0
) -> None:
    """The marks of a space side by side along the driving direction, letters upright, smaller where room is short."""
    shown = [mark for mark in Mark if mark in set(found)]
    # Read from the left (or the top), whichever way the lane runs.
    along = heading if cos(heading) > 0.1 or (abs(cos(heading)) <= 0.1 and sin(heading) < 0) else heading + pi
    wide = sum(WIDTHS[mark] for mark in shown)
    scale = min(1.0, max(LEAST_SCALE, (room - 0.12) / wide)) if shown else 1.0
    at = -wide / 2
    for mark in shown:
        place = away(point, along, scale * (at + WIDTHS[mark] / 2))
        at += WIDTHS[mark]
        _mark(ax, place, heading, mark, gid and f"{gid}-{mark.value}", scale)


def _mark(ax: Axes, point: Point, heading: float, mark: Mark, gid: str | None, scale: float) -> None:
    if mark is Mark.TRIANGLE:
        polygon(ax, _triangle(point, heading, 0.165 * scale), gid, facecolor=INK, zorder=4)
    elif mark is Mark.SIGMA:
        words(ax, point, "σ", LETTER * scale, gid, weight="bold", zorder=4)
    else:
        words(ax, point, "μ", LETTER * scale, gid, halo=0.05, weight="bold", color=FAULT, zorder=4)


def _triangle(point: Point, heading: float, size: float) -> list[Point]:
    """Pointing in the driving direction."""
    return [away(point, heading + turn, size * reach) for turn, reach in ((0, 1.1), (2.2, 1.1), (-2.2, 1.1))]


def limit(ax: Axes, point: Point, number: int | None, gid: str | None = None) -> None:
    """A speed limit as on a road: the number in a ring; a dash where there is none."""
    disc(ax, point, LIMIT_RADIUS - 0.06, gid, facecolor=PAPER, edgecolor=VERMILLION, linewidth=0.13, zorder=6)
    words(ax, point, "–" if number is None else str(number), 0.55, weight="bold", zorder=6.1)


def double_line(ax: Axes, pairs: Iterable[Segment], heading: float, gid: str | None = None) -> None:
    """Two lines across the track, close together, as wide as one space's border and a gap."""
    for begin, end in pairs:
        both = [(away(begin, heading, by), away(end, heading, by)) for by in (-0.055, 0.055)]
        line(ax, [begin, end], edgecolor=PAPER, linewidth=0.12, capstyle="butt", zorder=3)
        segments(ax, both, gid, edgecolor=INK, linewidth=0.055, capstyle="butt", zorder=3.1)


def finish(ax: Axes, begin: Point, heading: float, length: float, gid: str | None = None) -> None:
    """The chequered start/finish line, from a point across the track to the right of the heading."""
    across, size = heading - pi / 2, 0.13
    count = max(2, round(length / size))
    step = length / count
    whole = [_slab(begin, across, 0, length, heading, -size, size)]
    squares = [
        _slab(begin, across, k * step, (k + 1) * step, heading, *((0, size) if k % 2 else (-size, 0)))
        for k in range(count)
    ]
    polygons(ax, whole, gid, facecolor=PAPER, edgecolor=INK, linewidth=0.5, zorder=3.4)
    polygons(ax, squares, facecolor=INK, zorder=3.5)


def _slab(point: Point, along: float, begin: float, end: float, up: float, low: float, high: float) -> list[Point]:
    near, far = away(point, along, begin), away(point, along, end)
    return [away(near, up, low), away(far, up, low), away(far, up, high), away(near, up, high)]


def direction(ax: Axes, point: Point, heading: float, gid: str | None = None, scale: float = 1) -> None:
    """The driving direction: an arrow about a point."""
    begin = away(point, heading, -ARROW * scale / 2)
    polygon(ax, straight_arrow(begin, heading, ARROW * scale, 0.22 * scale, 0.56 * scale), gid, facecolor=INK, zorder=4)


def box(ax: Axes, outline: Sequence[Point], number: int, gid: str | None = None) -> None:
    """A start box: a bracket open in the driving direction, with its number. The outline begins at the front."""
    front, back, far_back, far_front = outline
    line(ax, [front, back, far_back, far_front], gid, edgecolor=EDGE, linewidth=0.06, joinstyle="miter", zorder=3)
    words(ax, _middle(outline), str(number), 0.3, zorder=4)


def pit_space(ax: Axes, outline: Sequence[Point], label: str, gid: str | None = None) -> None:
    """A space of the pit lane with its name."""
    polygon(ax, outline, gid, facecolor=PIT, edgecolor=PIT_EDGE, linewidth=0.9, zorder=3)
    words(ax, _middle(outline), label, 0.32, zorder=4)


def link(ax: Axes, points: Sequence[Point], gid: str | None = None) -> None:
    """A way into or out of the pit lane, with an arrow head at its end."""
    line(ax, points, gid, edgecolor=PIT_EDGE, linewidth=0.08, rim=0.05, zorder=4.5)
    (x, y), (to_x, to_y) = points[-2], points[-1]
    length = max(1e-9, ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5)
    ahead = (to_x - x) / length, (to_y - y) / length
    tip = to_x + 0.2 * ahead[0], to_y + 0.2 * ahead[1]
    left = to_x - 0.12 * ahead[1] - 0.1 * ahead[0], to_y + 0.12 * ahead[0] - 0.1 * ahead[1]
    right = to_x + 0.12 * ahead[1] - 0.1 * ahead[0], to_y - 0.12 * ahead[0] - 0.1 * ahead[1]
    polygon(ax, [tip, left, right], facecolor=PIT_EDGE, edgecolor=PAPER, linewidth=0.4, zorder=4.6)


def small(ax: Axes, point: Point, text: str, gid: str | None = None) -> None:
    """A column's number."""
    words(ax, point, text, 0.27, gid, color=MUTED, zorder=4)


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
