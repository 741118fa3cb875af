"""The signs on a board, each drawn about a point, so that the board and its legend use the same ones."""

from math import atan2, pi

from matplotlib.axes import Axes

from rulekit.hexgrid import Facing, Side
from rulekit.plot.palette import (
    BLUE,
    FAULT,
    GREEN,
    INK,
    PAPER,
    SEAT_INKS,
    SEATS,
    SPOT,
    VERMILLION,
    YELLOW,
)
from rulekit.plot.plane import Point, Segment, angle_of, away
from rulekit.plot.shapes import (
    curved_arrow,
    disc,
    line,
    polygon,
    polygons,
    segments,
    straight_arrow,
    triangle,
    width_of,
    words,
)

ROUTE = INK
RING = 0.98
LINE = "#8A2F6B"
SENSES = {Side.LEFT: BLUE, Side.RIGHT: VERMILLION}


def buoy(ax: Axes, point: Point, name: str, end: bool = False, gid: str | None = None) -> None:
    """A buoy with its number: dark at an end of the strip, bright for one to round."""
    disc(ax, point, 0.36, gid, facecolor=INK if end else YELLOW, edgecolor=PAPER if end else INK, linewidth=0.06,
         zorder=7)  # fmt: skip
    words(ax, point, name, 0.46, color=PAPER if end else INK, weight="bold", zorder=7.1)


def sense(
    ax: Axes, point: Point, arrow: Side, middle: float = pi / 2, gid: str | None = None, scale: float = 1
) -> None:
    """The curved arrow round a buoy; its body lies about the angle `middle`."""
    outline = curved_arrow(point, 0.61 * scale, middle, arrow, width=0.17 * scale, head=0.5 * scale)
    polygon(ax, outline, gid, facecolor=SENSES[arrow], edgecolor=PAPER, linewidth=1.2, zorder=6)


def crossing(ax: Axes, point: Point, angle: float, finish: bool, gid: str | None = None, scale: float = 1) -> None:
    """An arrow across the strip: open for the finish, filled for the start."""
    outline = straight_arrow(away(point, angle, -0.8 * scale), angle, 1.75 * scale, 0.2 * scale, 0.52 * scale)
    polygon(ax, outline, gid, facecolor=PAPER if finish else GREEN, edgecolor=INK if finish else PAPER,
            linewidth=1.2, zorder=8)  # fmt: skip


def chequers(ax: Axes, start: Point, angle: float, length: float, gid: str | None = None) -> None:
    """A chequered band from a point on, as of a finish line."""
    size = 0.12
    count = max(1, round(length / size))
    step = length / count
    band = [_slab(start, angle, 0, length, -size, size)]
    squares = [
        _slab(start, angle, k * step, (k + 1) * step, *((0, size) if k % 2 else (-size, 0))) for k in range(count)
    ]
    polygons(ax, band, gid, facecolor=PAPER, edgecolor=INK, linewidth=0.5, zorder=2.6)
    polygons(ax, squares, facecolor=INK, zorder=2.7)


def _slab(start: Point, angle: float, begin: float, end: float, low: float, high: float) -> list[Point]:
    along = [away(start, angle, begin), away(start, angle, end)]
    across = angle + pi / 2
    return [
        away(along[0], across, low), away(along[1], across, low), away(along[1], across, high),
        away(along[0], across, high),
    ]  # fmt: skip


def rounding(ax: Axes, point: Point, angle: float, length: float, gid: str | None = None) -> None:
    """A dashed line from a point on."""
    line(ax, [point, away(point, angle, length)], gid, edgecolor=LINE, linewidth=0.07, rim=0.03,
         linestyle=(0, (3.2, 2.6)), capstyle="butt", zorder=4)  # fmt: skip


def route(ax: Axes, points: list[Point], headings: list[tuple[Point, float]], gid: str | None = None) -> None:
    """A thin line with arrow heads at the given places."""
    line(ax, points, gid, edgecolor=ROUTE, linewidth=0.055, rim=0.04, zorder=5)
    disc(ax, points[0], 0.19, gid and f"{gid}-start", facecolor=PAPER, edgecolor=ROUTE, linewidth=0.09, zorder=8.2)
    polygons(ax, [triangle(tip, angle, 0.34) for tip, angle in headings], gid and f"{gid}-heads", facecolor=ROUTE,
             zorder=5.1)  # fmt: skip


def spot(
    ax: Axes, point: Point, letter: str, facing: Facing, gid: str | None = None, covered: bool = False
) -> None:  # fmt: skip
    """A letter beside the side where it is printed, with a small wedge pointing over that side.

    An expansion tile that has `covered` the letter's hex hides the letter, not the wedge; a route hides neither.
    """
    angle = angle_of(facing)
    words(ax, away(point, angle, 0.04), letter, 0.46, gid, color=SPOT, weight="bold", zorder=1.05 if covered else 5.5,
          halo=0.1)  # fmt: skip
    polygon(ax, triangle(away(point, angle, 0.5), angle, 0.22), facecolor=SPOT, zorder=3)


def boat(ax: Axes, point: Point, facing: Facing, label: str, seat: int, gid: str | None = None) -> None:
    """A small boat from above, its bow where it heads, with its label."""
    angle = angle_of(facing)
    shape = [(0.48, 0), (0.2, 0.27), (-0.4, 0.27), (-0.4, -0.27), (0.2, -0.27)]
    hull = [away(away(point, angle, x), angle + pi / 2, y) for x, y in shape]
    colour, ink = SEATS[seat % len(SEATS)], SEAT_INKS[seat % len(SEATS)]
    polygon(ax, hull, gid, facecolor=colour, edgecolor=ink, linewidth=0.8, zorder=9)
    words(ax, away(point, angle, -0.06), label, 0.34, color=ink, weight="bold", zorder=9.1)


def ring(ax: Axes, point: Point, gid: str | None = None) -> None:
    """A fault: a thick ring about a hex."""
    disc(ax, point, RING, gid, fill=False, edgecolor=FAULT, linewidth=0.14, zorder=10)


def cross(ax: Axes, point: Point, gid: str | None = None) -> None:
    """A fault: a hex crossed out."""
    segments(ax, _cross(point), gid, edgecolor=FAULT, linewidth=0.14, rim=0.04, zorder=10)


def _cross(point: Point) -> list[Segment]:
    return [(away(point, angle, 0.42), away(point, angle + pi, 0.42)) for angle in (pi / 4, 3 * pi / 4)]


def fault_label(
    ax: Axes, point: Point, text: str, mark: Point, ring: bool = False, gid: str | None = None
) -> None:  # fmt: skip
    """What is wrong, in a box of the fault's colour, joined to its mark."""
    begin = away(mark, atan2(point[1] - mark[1], point[0] - mark[0]), RING if ring else 0)
    line(ax, [begin, point], edgecolor=FAULT, linewidth=0.08, rim=0.03, zorder=9.9)
    words(ax, point, text, 0.4, gid, color=PAPER, weight="bold", zorder=11,
          bbox={"boxstyle": "round,pad=0.25", "facecolor": FAULT, "edgecolor": PAPER, "linewidth": 0.8})  # fmt: skip


def fault_width(text: str) -> float:
    """Width of a fault's label with its box."""
    return width_of(text, 0.4, "bold") + 0.3
