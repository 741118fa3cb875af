"""The board of a course as SVG: what lies under and over the hexes that answer."""

from collections.abc import Iterable, Iterator, Sequence
from math import pi

from rulekit.hexgrid import Facing, Hex, by_name, column_letters, hex_name, to_offset
from rulekit.plot import plane
from rulekit.plot.board import board_box, crossings
from rulekit.plot.picture import Picture, RoundingLine
from rulekit.plot.plane import Box, Point, Segment, angle_of, away, centre, corners
from rulekit.plot.shapes import curved_arrow, straight_arrow, triangle
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.lake import Lake
from rulekit.report.heat import Heat, cells_of, layers_of
from rulekit.report.ink import circle, line, number, path, polygon, shape, words
from rulekit.report.parts import Board

UNIT = 20.0
"""Width of a hex in the drawing."""

SIDES = "v-11.55l-10-5.77-10 5.77v11.55l10 5.77z"
"""From the lower end of a hex's E side round it, UNIT wide."""

SAID = (
    "Circles are buoys with the way round them, the chequered band is the start and finish line (filled arrow: start), "
    "dashed lines are where a buoy counts as rounded, hatched hexes are land."
)


def course_board(picture: Picture, title: str, caption: str, heats: Sequence[Heat[Hex]]) -> Board:
    """The board of a course, its water coloured by layers of values."""
    course = picture.course
    assert course is not None
    below = "".join([*_land(picture.lake), *_buoy_water(picture.lake, course)])
    above = "".join([*_borders(picture.lake), *_marks(picture, course), *_rulers(picture.lake.hexes)])
    return _board(picture, title, f"{caption} {SAID}", heats, course.water, below, above)


def lake_board(picture: Picture, title: str, caption: str, heats: Sequence[Heat[Hex]]) -> Board:
    """The board of a bare lake with its spots, its water coloured by layers of values."""
    lake = picture.lake
    spots = [words(on_paper((x, y - 0.18)), spot.letter, "spot middle") for spot in lake.spots
             for x, y in [centre(spot.at)]]  # fmt: skip
    above = "".join([*_borders(lake), *spots, *_rulers(lake.hexes)])
    return _board(picture, title, caption, heats, lake.water, "".join(_land(lake)), above)


def _board(
    picture: Picture,
    title: str,
    caption: str,
    heats: Sequence[Heat[Hex]],
    afloat: Iterable[Hex],
    below: str,
    above: str,
) -> Board:
    left, right, bottom, top = board_box(picture)
    water = by_name(afloat)
    outlines = {at: _hexagon(at) for at in water}
    places = {at: on_paper(centre(at)) for at in water}
    named = [(at, hex_name(at), outlines[at], places[at], to_offset(at)[1]) for at in water]
    cells = cells_of(named, heats)
    box = (left * UNIT, -top * UNIT, (right - left) * UNIT, (top - bottom) * UNIT)
    return Board("board", title, caption, layers_of(heats), cells, below, above, box, "hex")


def _hexagon(at: Hex) -> str:
    """The `d` of a hex: its first corner, then the same five sides for all."""
    x, y = on_paper(corners(at)[0])
    return f"M{number(x)} {number(y)}{SIDES}"


def on_paper(point: Point) -> Point:
    """A point of the board in the drawing, whose y grows downwards."""
    return point[0] * UNIT, -point[1] * UNIT


def outline(points: Iterable[Point]) -> list[Point]:
    """Points of the board in the drawing."""
    return [on_paper(point) for point in points]


def strokes(segments: Iterable[Segment]) -> str:
    """Many straight lines as one path's `d`."""
    return "".join(path(outline(pair), closed=False) for pair in segments)


def _land(lake: Lake) -> Iterator[str]:
    land = by_name(lake.land)
    yield shape("".join(path(outline(corners(at))) for at in land), "land")
    yield shape(strokes(stroke for at in land for stroke in plane.strokes(at)), "hatch")


def _buoy_water(lake: Lake, course: Course) -> Iterator[str]:
    """Water that carries a buoy: no boat can be there."""
    yield shape("".join(path(outline(corners(at))) for at in course.buoy_hexes() if at in lake.water), "water")


def _borders(lake: Lake) -> Iterator[str]:
    everything, tile_of = frozenset(lake.hexes), lake.tile_of

    def differ(here: Hex, beyond: Hex) -> bool:
        return beyond in everything and tile_of.get(here) != tile_of.get(beyond)

    yield shape(strokes(plane.borders(by_name(tile_of), differ)), "seam")
    yield shape(strokes(plane.borders(by_name(lake.land), lambda _, beyond: beyond not in lake.land)), "coast")
    yield shape(strokes(plane.outline(lake.hexes)), "shore")


def _marks(picture: Picture, course: Course) -> Iterator[str]:
    """Everything that a course adds to its lake, the route lowest."""
    if picture.route:
        yield shape(path(outline(plane.lanes(picture.route)), closed=False), "route")
    for tile in course.tiles:
        yield from _tile(tile)
    yield from _strip(course)
    yield from _rounding(picture.lines, picture.lake.hexes)
    yield from _crossings(course)
    yield from _buoys(course, picture.lines)


def _strip(course: Course) -> Iterator[str]:
    angle, start, size = angle_of(course.strip_side), centre(course.start_buoy), 0.11
    length = course.strip_length + 1
    count = round(length / size)
    step = length / count
    yield polygon(outline(_slab(start, angle, 0, length, -size, size)), "chequer-paper")
    squares = (
        path(outline(_slab(start, angle, k * step, (k + 1) * step, *((0, size) if k % 2 else (-size, 0)))))
        for k in range(count)
    )
    yield shape("".join(squares), "ink")


def _slab(start: Point, angle: float, begin: float, end: float, low: float, high: float) -> list[Point]:
    first, last, across = away(start, angle, begin), away(start, angle, end), angle + pi / 2
    return [away(first, across, low), away(last, across, low), away(last, across, high), away(first, across, high)]


def _rounding(lines: Iterable[RoundingLine], hexes: Sequence[Hex]) -> Iterator[str]:
    box: Box = plane.grown(plane.box_of(hexes), -0.3)
    for one in lines:
        begin = centre(one.at)
        end = away(begin, one.bearing, plane.reach(begin, one.bearing, box))
        yield line(on_paper(begin), on_paper(end), "rounding")


def _crossings(course: Course) -> Iterator[str]:
    for word, _, point, angle in crossings(course):
        arrow = straight_arrow(away(point, angle, -0.8), angle, 1.75, 0.2, 0.52)
        yield polygon(outline(arrow), f"arrow {word}")


def _buoys(course: Course, lines: Iterable[RoundingLine]) -> Iterator[str]:
    bearings = {one.number: one.bearing for one in lines}
    for count, buoy in enumerate(course.buoys, 1):
        if buoy.arrow is not None:
            bent = curved_arrow(centre(buoy.at), 0.61, bearings.get(count, pi / 2), buoy.arrow, width=0.17, head=0.5)
            yield polygon(outline(bent), f"arrow {buoy.arrow.word}")
        yield from _buoy(buoy.at, str(count), "buoy")
    yield from _buoy(course.start_buoy, "0", "buoy end")
    yield from _buoy(course.finish_buoy, "F", "buoy end")


def _buoy(at: Hex, name: str, style: str) -> Iterator[str]:
    x, y = on_paper(centre(at))
    yield circle((x, y), 0.36 * UNIT, style)
    yield words((x, y + 3.6), name, "buoy-name middle")


def _tile(tile: Tile) -> Iterator[str]:
    yield shape(strokes(plane.outline(tile.hexes)), "tile")
    for place, at in enumerate(tile.hexes):
        yield from _sign(tile, place, centre(at))


def _sign(tile: Tile, place: int, point: Point) -> Iterator[str]:
    """What a hex of a tile does: an arrow, a spin, rocks, a wall."""
    if tile.kind is TileKind.CURRENT:
        angle = angle_of(Facing(tile.flow[place]))
        arrow = straight_arrow(away(point, angle, -0.34), angle, 0.7, width=0.12, head=0.34)
        yield polygon(outline(arrow), "sign")
    elif tile.kind is TileKind.MAELSTROM:
        rings = (curved_arrow(point, 0.27, middle, tile.spin[place], 2.6, 0.08, 0.24) for middle in (0.0, pi))
        yield shape("".join(path(outline(ring)) for ring in rings), "sign")
    elif tile.kind is TileKind.LOW_WATER:
        count = tile.rocks[place]
        for k in range(count):
            turn = pi / 2 + 2 * pi * k / count if count > 2 else pi * k
            yield circle(on_paper(away(point, turn, 0.0 if count == 1 else 0.2)), 0.12 * UNIT, "sign")
    else:
        heads = (triangle(away(point, k * pi / 3, 0.36), k * pi / 3, 0.18) for k in range(6))
        yield shape("".join(path(outline(head)) for head in heads), "sign")


def _rulers(hexes: Sequence[Hex]) -> Iterator[str]:
    left, right, bottom, top = plane.box_of(hexes)
    columns, rows = zip(*map(to_offset, hexes), strict=True)
    for column in range(max(0, min(columns)), max(columns) + 1):
        for y, row in ((top + 0.3, min(rows)), (bottom - 0.62, max(rows))):
            yield words(on_paper((column + row % 2 / 2, y)), column_letters(column), "ruler middle")
    for row in range(max(0, min(rows)), max(rows) + 1):
        y = -row * plane.ROW - 0.13
        yield words(on_paper((left - 0.2, y)), str(row + 1), "ruler end")
        yield words(on_paper((right + 0.2, y)), str(row + 1), "ruler")
