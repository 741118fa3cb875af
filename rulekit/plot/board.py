"""The board as a picture: lake, course, route, faults, boats. Axes must have their limits set (`fit` does it)."""

from collections.abc import Container, Iterable, Iterator, Sequence
from math import pi

from matplotlib.axes import Axes

from rulekit.hexgrid import Facing, Hex, Side, by_name, column_letters, hex_name, to_offset
from rulekit.plot import marks, tiles
from rulekit.plot.labels import Taken, free_place
from rulekit.plot.palette import BARE, INK, LAND, MUTED, PAPER, TILE_BORDER, WATER, WATER_GRID
from rulekit.plot.picture import BoatMark, Flaw, Picture, RoundingLine
from rulekit.plot.plane import (
    ROW,
    Box,
    Point,
    angle_of,
    away,
    borders,
    box_of,
    centre,
    corners,
    grown,
    heading,
    lanes,
    outline,
    reach,
    strokes,
)
from rulekit.plot.shapes import polygons, segments, words
from rulekit.powerboats.course import Course, Tile
from rulekit.powerboats.lake import Lake

RULER = 0.95
"""Room that the coordinates take on each side of the board."""

HEADS_EVERY = 3
"""Steps of a route from one arrow head to the next."""


def board_box(picture: Picture) -> Box:
    """The box of a board with its coordinates and with marks that lie outside the lake, in board units."""
    return grown(box_of(picture.hexes), RULER)


def fit(ax: Axes, box: Box) -> None:
    """Make the axes show a box of the board and nothing else."""
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(box[0], box[1])
    ax.set_ylim(box[2], box[3])


def draw_board(
    ax: Axes, lake: Lake, bare: bool = False, beside: Iterable[Hex] = (), covered: Container[Hex] = ()
) -> None:
    """The lake: water, land (`bare`: without a colour of its own), borders of tiles, spots, coordinates.

    The coordinates also leave room for the hexes `beside` the lake; `covered` spots lie below what covers them.
    """
    polygons(ax, map(corners, by_name(lake.water)), "water", facecolor=WATER, edgecolor=WATER_GRID, linewidth=0.6,
             zorder=1)  # fmt: skip
    _land(ax, lake, *(BARE if bare else LAND))
    _tile_borders(ax, lake)
    segments(ax, outline(lake.hexes), "shore", edgecolor=INK, linewidth=0.06, zorder=1.9)
    for spot in lake.spots:
        gid = f"spot-{spot.letter}-{hex_name(spot.at)}"
        marks.spot(ax, centre(spot.at), spot.letter, spot.side, gid, covered=spot.at in covered)
    _rulers(ax, [*lake.hexes, *beside])


def _land(ax: Axes, lake: Lake, fill: str, hatching: str, edge: str) -> None:
    polygons(ax, map(corners, by_name(lake.land)), "land", facecolor=fill, zorder=1.4)
    hatch = (stroke for hexagon in by_name(lake.land) for stroke in strokes(hexagon))
    segments(ax, hatch, "land-hatch", edgecolor=hatching, linewidth=0.035, capstyle="butt", zorder=1.5)
    coast = borders(by_name(lake.land), lambda _land, beyond: beyond not in lake.land)
    segments(ax, coast, "coast", edgecolor=edge, linewidth=0.07, zorder=1.8)


def _tile_borders(ax: Axes, lake: Lake) -> None:
    def differ(here: Hex, beyond: Hex) -> bool:
        return beyond in everything and lake.tile_of.get(here) != lake.tile_of.get(beyond)

    everything = frozenset(lake.hexes)
    segments(ax, borders(by_name(lake.tile_of), differ), "tile-borders", edgecolor=TILE_BORDER, linewidth=0.07,
             zorder=1.7)  # fmt: skip
    for name in sorted(set(lake.tile_of.values())):
        left, right, bottom, top = box_of(hexagon for hexagon, tile in lake.tile_of.items() if tile == name)
        words(ax, ((left + right) / 2, (bottom + top) / 2), name, 2.4, f"tile-{name}", color=TILE_BORDER, alpha=0.32,
              weight="bold", zorder=1.2)  # fmt: skip


def _rulers(ax: Axes, hexes: Sequence[Hex]) -> None:
    left, right, bottom, top = box_of(hexes)
    columns, rows = zip(*map(to_offset, hexes), strict=True)
    for column in range(max(0, min(columns)), max(columns) + 1):
        for y, row in ((top + 0.45, min(rows)), (bottom - 0.45, max(rows))):
            words(ax, (column + row % 2 / 2, y), column_letters(column), 0.38, color=MUTED, zorder=3)
    for row in range(max(0, min(rows)), max(rows) + 1):
        for x, side in ((left - 0.22, "right"), (right + 0.22, "left")):
            words(ax, (x, -row * ROW), str(row + 1), 0.38, color=MUTED, zorder=3, ha=side)


def draw_course(
    ax: Axes, course: Course, lines: Iterable[RoundingLine] = (), route: Sequence[Hex] = (), bare: bool = False
) -> None:
    """Strip, buoys, arrows, crossings and expansion tiles of a course, with its rounding lines and a route.

    `bare` leaves the strip's hexes and the words beside its arrows out, which would hide the values of a heat map.
    """
    lines = tuple(lines)
    for number, tile in enumerate(course.tiles, 1):
        _tile(ax, tile, f"tile-{number}-{tile.kind.value}")
    _strip(ax, course, bare)
    _rounding_lines(ax, course.lake, lines)
    if route:
        draw_route(ax, route)
    _buoys(ax, course, {line.number: line.bearing for line in lines})
    _crossings(ax, course, bare)


def _tile(ax: Axes, tile: Tile, gid: str) -> None:
    polygons(ax, map(corners, tile.hexes), gid, facecolor=tiles.GROUND[tile.kind], edgecolor=WATER_GRID,
             linewidth=0.6, zorder=2)  # fmt: skip
    segments(ax, outline(tile.hexes), edgecolor=INK, linewidth=0.05, zorder=2.1)
    for place, hexagon in enumerate(tile.hexes):
        tiles.effect(ax, centre(hexagon), tile, place, f"{gid}-{hex_name(hexagon)}")


def _strip(ax: Axes, course: Course, bare: bool) -> None:
    afloat = [hexagon for hexagon in course.strip if hexagon in course.lake.water]
    if not bare:
        polygons(ax, map(corners, afloat), facecolor=PAPER, zorder=2.4)
    polygons(ax, map(corners, course.strip), "strip", fill=False, edgecolor=INK, linewidth=0.8, zorder=2.5)
    marks.chequers(ax, centre(course.start_buoy), angle_of(course.strip_side), course.strip_length + 1, "line")


def _rounding_lines(ax: Axes, lake: Lake, lines: Iterable[RoundingLine]) -> None:
    box = grown(box_of(lake.hexes), -0.3)
    for line in lines:
        length = reach(centre(line.at), line.bearing, box)
        marks.rounding(ax, centre(line.at), line.bearing, length, f"rounding-{line.number}")


def draw_route(ax: Axes, route: Sequence[Hex]) -> None:
    """A chain of hexes as a thin line with arrow heads."""
    points = lanes(route)
    places = [k for k in range(1, len(route)) if k % HEADS_EVERY == 0 or k == len(route) - 1]
    marks.route(ax, points, [_head(route, points, k) for k in places], "route")


def _head(route: Sequence[Hex], points: Sequence[Point], place: int) -> tuple[Point, float]:
    """The tip and angle of an arrow head on the step that ends at a place of the route."""
    angle = angle_of(heading(route[place - 1], route[place]))
    (x, y), (to_x, to_y) = points[place - 1], points[place]
    return away(((x + to_x) / 2, (y + to_y) / 2), angle, 0.17), angle


def _buoys(ax: Axes, course: Course, bearings: dict[int, float]) -> None:
    marks.buoy(ax, centre(course.start_buoy), "0", end=True, gid="buoy-0")
    marks.buoy(ax, centre(course.finish_buoy), "F", end=True, gid="buoy-finish")
    for number, mark in enumerate(course.buoys, 1):
        marks.buoy(ax, centre(mark.at), str(number), gid=f"buoy-{number}")
        if mark.arrow is not None:
            gid = f"arrow-{number}-{mark.arrow.word}"
            marks.sense(ax, centre(mark.at), mark.arrow, bearings.get(number, pi / 2), gid)


def _crossings(ax: Axes, course: Course, bare: bool) -> None:
    for word, towards, point, angle in crossings(course):
        marks.crossing(ax, point, angle, word == "finish", f"{word}-{towards.word}")
        if not bare:
            words(ax, _tail(point, angle), word, 0.42, f"{word}-label", weight="bold", halo=0.09, zorder=8.5)


def crossings(course: Course) -> Iterator[tuple[str, Side, Point, float]]:
    """The settled crossings: start or finish, the side, where the arrow crosses the strip and at what angle."""
    middle = (course.strip_length + 1) / 2
    apart = max(0.3, (course.strip_length - 1) / 4)
    along = angle_of(course.strip_side)
    for word, towards, place in (("start", course.start, middle - apart), ("finish", course.finish, middle + apart)):
        if towards is not None:
            yield word, towards, away(centre(course.start_buoy), along, place), along + towards * pi / 2


def _tail(point: Point, angle: float) -> Point:
    """Where the word for a crossing stands: behind its arrow."""
    return away(point, angle, -1.1)


def draw_boats(ax: Axes, boats: Iterable[BoatMark]) -> None:
    """Boats where they are, each heading its way."""
    for boat in boats:
        marks.boat(ax, centre(boat.at), Facing(boat.facing), boat.label, boat.seat, f"boat-{boat.label}")


def draw_flaws(ax: Axes, picture: Picture, taken: Iterable[Taken] = ()) -> None:
    """Rings and crosses with their labels, which keep off what is taken, and inside the coordinates.

    Each label names its hexes and is joined to the first of them; the same words are written once.
    """
    full = [*taken, *(spot for flaw in picture.flaws for spot in _taken_by(flaw))]
    box, done = box_of(picture.hexes), set[str]()
    for number, flaw in enumerate(picture.flaws, 1):
        point = centre(flaw.at)
        (marks.ring if flaw.sign == "ring" else marks.cross)(ax, point, f"flaw-{number}-{flaw.sign}")
        if flaw.label and flaw.label not in done:
            text = picture.told(flaw)
            half = marks.fault_width(text) / 2
            place = free_place(point, 1.4 if flaw.sign == "ring" else 1.0, half, box, full)
            marks.fault_label(ax, place, text, point, ring=flaw.sign == "ring", gid=f"flaw-{number}-label")
            full.append(Taken(place, half, 20))
            done.add(flaw.label)


def _taken_by(flaw: Flaw) -> Iterator[Taken]:
    """What labels should keep off for a fault's sign: a ring is higher than a label."""
    x, y = centre(flaw.at)
    for up in (-0.7, 0.0, 0.7) if flaw.sign == "ring" else (0.0,):
        yield Taken((x, y + up), 1.0 if flaw.sign == "ring" else 0.4, 8)


def draw_picture(ax: Axes, picture: Picture, bare: bool = False) -> None:
    """Everything of a picture but its title and legend; `bare` as in `draw_board`."""
    draw_board(ax, picture.lake, bare, picture.hexes, _covered(picture, bare))
    if picture.course:
        draw_course(ax, picture.course, picture.lines, picture.route, bare)
    elif picture.route:
        draw_route(ax, picture.route)
    draw_boats(ax, picture.boats)
    draw_flaws(ax, picture, _taken(picture))


def _covered(picture: Picture, bare: bool) -> frozenset[Hex]:
    """Hexes on which something lies that hides a letter: a tile, or with `bare` a value."""
    if bare:
        return picture.lake.water
    return (
        frozenset(hexagon for tile in picture.course.tiles for hexagon in tile.hexes) if picture.course else frozenset()
    )


def _taken(picture: Picture) -> Iterator[Taken]:
    """What labels should keep off: the route least, the words beside the strip most."""
    yield from (Taken(centre(hexagon)) for hexagon in picture.route)
    yield from (Taken(centre(spot.at)) for spot in picture.lake.spots)
    if picture.course:
        marked = [*picture.course.buoy_hexes(), *picture.course.strip]
        yield from (Taken(centre(hexagon), weight=2) for hexagon in marked)
        yield from (Taken(_tail(point, angle), 0.9, 4) for _, _, point, angle in crossings(picture.course))
