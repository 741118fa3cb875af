"""The legend's entries: the same signs as on the board, with the words for them."""

from collections.abc import Iterator
from functools import partial
from math import pi

from matplotlib.axes import Axes

from rulekit.hexgrid import Facing, Hex, Side
from rulekit.plot import marks, tiles
from rulekit.plot.layout import Entry
from rulekit.plot.palette import BARE, LAND, WATER, WATER_GRID
from rulekit.plot.picture import Picture
from rulekit.plot.plane import Point, Segment, away, corners, strokes
from rulekit.plot.shapes import polygon, segments
from rulekit.powerboats.course import Course, Tile, TileKind

SMALL = 0.8
"""Radius of a hex in the legend, in parts of one on the board."""


def legend(picture: Picture, bare: bool = False) -> Iterator[Entry]:
    """An entry for each kind of sign that the picture shows; `bare` beside a heat map, which colours the water."""
    if not bare:
        yield Entry("water", _water)
    if picture.lake.land:
        yield Entry("land", partial(_land, *(BARE if bare else LAND)))
    if picture.lake.spots:
        yield Entry("spot: the wedge tells its side", _spot)
    if picture.course:
        yield from _marks(picture.course)
    if picture.lines:
        yield Entry("rounding line", _rounding)
    if picture.route:
        yield Entry(f"shortest route, {len(picture.route) - 1} steps", _route)
    if picture.course:
        yield from _tiles(picture.course)


def _marks(course: Course) -> Iterator[Entry]:
    arrows = {buoy.arrow for buoy in course.buoys}
    for side, words in ((Side.LEFT, "rounded leftward"), (Side.RIGHT, "rounded rightward")):
        if side in arrows:
            yield Entry(words, partial(_sense, side))
    yield Entry("start and finish line", _chequers)
    if course.start is not None:
        yield Entry(f"start, towards the {course.start.word}", partial(_crossing, False))
    if course.finish is not None:
        yield Entry(f"finish, towards the {course.finish.word}", partial(_crossing, True))


def _tiles(course: Course) -> Iterator[Entry]:
    first: dict[TileKind, Tile] = {}
    for tile in course.tiles:
        first.setdefault(tile.kind, tile)
    for kind, tile in first.items():
        yield Entry(tiles.NAMES[kind], partial(_tile, tile))


def _ring(point: Point) -> list[Point]:
    return [(point[0] + x * SMALL, point[1] + y * SMALL) for x, y in corners(Hex(0, 0))]


def _hatch(point: Point) -> Iterator[Segment]:
    for (x, y), (to_x, to_y) in strokes(Hex(0, 0)):
        yield (point[0] + x * SMALL, point[1] + y * SMALL), (point[0] + to_x * SMALL, point[1] + to_y * SMALL)


def _water(ax: Axes, point: Point) -> None:
    polygon(ax, _ring(point), facecolor=WATER, edgecolor=WATER_GRID, linewidth=0.6)


def _land(fill: str, hatching: str, edge: str, ax: Axes, point: Point) -> None:
    polygon(ax, _ring(point), facecolor=fill, edgecolor=edge, linewidth=1)
    segments(ax, _hatch(point), edgecolor=hatching, linewidth=0.035, capstyle="butt")


def _spot(ax: Axes, point: Point) -> None:
    _water(ax, point)
    marks.spot(ax, point, "A", Facing.E)


def _sense(side: Side, ax: Axes, point: Point) -> None:
    marks.sense(ax, point, side, scale=0.7)


def _chequers(ax: Axes, point: Point) -> None:
    marks.chequers(ax, away(point, pi, 0.6), 0, 1.2)


def _crossing(finish: bool, ax: Axes, point: Point) -> None:
    marks.crossing(ax, point, 0, finish, scale=0.75)


def _rounding(ax: Axes, point: Point) -> None:
    marks.rounding(ax, away(point, pi, 0.65), 0, 1.3)


def _route(ax: Axes, point: Point) -> None:
    marks.route(ax, [away(point, pi, 0.6), away(point, 0, 0.6)], [(away(point, 0, 0.2), 0.0)])


def _tile(tile: Tile, ax: Axes, point: Point) -> None:
    polygon(ax, _ring(point), facecolor=tiles.GROUND[tile.kind], edgecolor=WATER_GRID, linewidth=0.6, zorder=2)
    tiles.effect(ax, point, tile, len(tile.hexes) - 1)
