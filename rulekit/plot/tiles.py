"""The signs of the expansion tiles: one drawing for each kind of hex, about a point, on top of a route."""

from math import pi

from matplotlib.axes import Axes

from rulekit.hexgrid import Facing, Side
from rulekit.plot.palette import BLUE, INK, PAPER
from rulekit.plot.plane import CORNER, Point, angle_of, away
from rulekit.plot.shapes import curved_arrow, disc, polygon, polygons, straight_arrow, triangle
from rulekit.powerboats.course import Tile, TileKind

GROUND = {
    TileKind.REDOUBT: "#B9C0C6",
    TileKind.CURRENT: "#A9D6F0",
    TileKind.MAELSTROM: "#C9C3E6",
    TileKind.LOW_WATER: "#F3EDB4",
}
"""Fill of a tile's hexes by kind."""

ROCK = "#4A4030"

NAMES = {
    TileKind.REDOUBT: "redoubt",
    TileKind.CURRENT: "current",
    TileKind.MAELSTROM: "maelstrom",
    TileKind.LOW_WATER: "low water, 1–3 rocks",
}


def effect(ax: Axes, point: Point, tile: Tile, place: int, gid: str | None = None) -> None:
    """The sign of a tile's hex number `place`."""
    if tile.kind is TileKind.CURRENT:
        current(ax, point, tile.flow[place], gid)
    elif tile.kind is TileKind.MAELSTROM:
        maelstrom(ax, point, tile.spin[place], gid)
    elif tile.kind is TileKind.LOW_WATER:
        rocks(ax, point, tile.rocks[place], gid)
    else:
        redoubt(ax, point, gid)


def current(ax: Axes, point: Point, flow: Facing, gid: str | None = None) -> None:
    """An arrow the way the water flows."""
    angle = angle_of(flow)
    outline = straight_arrow(away(point, angle, -0.34), angle, 0.7, width=0.14, head=0.36)
    polygon(ax, outline, gid, facecolor=BLUE, zorder=5.2)


def maelstrom(ax: Axes, point: Point, spin: Side, gid: str | None = None) -> None:
    """Two arrows round in the sense in which a boat is turned."""
    rings = [curved_arrow(point, 0.26, middle, spin, sweep=2.6, width=0.09, head=0.26) for middle in (0, pi)]
    polygons(ax, rings, gid, facecolor=INK, zorder=5.2)


def rocks(ax: Axes, point: Point, count: int, gid: str | None = None) -> None:
    """As many rocks as the hex holds, like the pips of a die."""
    radius = 0 if count == 1 else 0.2
    for k in range(count):
        at = away(point, pi / 2 + 2 * pi * k / count if count > 2 else pi * k, radius)
        disc(ax, at, 0.13, gid if not k else None, facecolor=ROCK, edgecolor=PAPER, linewidth=0.03, zorder=5.2)


def redoubt(ax: Axes, point: Point, gid: str | None = None) -> None:
    """A wall that boats fly off: six chevrons pointing outwards."""
    ring = [away(point, (2 * k + 1) * pi / 6, CORNER * 0.62) for k in range(6)]
    polygons(ax, [ring], gid, facecolor="#4B555D", edgecolor=PAPER, linewidth=0.8, zorder=5.2)
    polygons(ax, [triangle(away(point, k * pi / 3, 0.27), k * pi / 3, 0.15) for k in range(6)], facecolor=PAPER,
             zorder=5.3)  # fmt: skip
