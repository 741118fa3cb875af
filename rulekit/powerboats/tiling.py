"""Placing the expansion tiles by lot on the spots that the buoys leave free (X1-1…X1-3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rulekit.errors import RulekitError
from rulekit.hexgrid import Facing, Hex, Side, hex_name
from rulekit.powerboats.course import TILE_LENGTH, Course, Tile, TileKind
from rulekit.powerboats.gates import DEFAULT
from rulekit.powerboats.lake import Spot
from rulekit.readings import Clash, PowerboatsReadings

ROCKS = (1, 2, 3)
"""The low-water tile's rocks from one end to the other (X1-3)."""

Ways = tuple[tuple[Hex, ...], tuple[Hex, ...]]


class Clashing(RulekitError):
    """A tile crosses something whichever way it lies, under the reading x1-clash=error."""

    exit_code = 1


class Printed(NamedTuple):
    """One of the tiles of the box; `spin` is a maelstrom's."""

    kind: TileKind
    spin: Side | None = None


class _Drawn(NamedTuple):
    """A tile of the box as it comes to the table; `turned`: its other end first."""

    kind: TileKind
    spin: Side | None
    turned: bool


BOX = (
    Printed(TileKind.REDOUBT),
    Printed(TileKind.REDOUBT),
    Printed(TileKind.CURRENT),
    Printed(TileKind.CURRENT),
    Printed(TileKind.MAELSTROM, Side.LEFT),
    Printed(TileKind.MAELSTROM, Side.RIGHT),
    Printed(TileKind.LOW_WATER),
)
"""The seven tiles (X1-1)."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the lake. `shifted`: it lies back over the letter instead of out over the letter's side (X1-3)."""

    spot: Spot
    tile: Tile
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tile without a place: its spot and what lies in its way, or no spot at all."""

    kind: TileKind
    spot: Spot | None = None
    reason: str = "no spot is left for it (X1-2)"


@dataclass(frozen=True, slots=True)
class Tiling:
    """What became of the box's tiles, in the order in which they were laid; `empty` are free spots to spare."""

    laid: tuple[Laid, ...]
    left_out: tuple[LeftOut, ...] = ()
    empty: tuple[Spot, ...] = ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that lie on the lake."""
        return tuple(one.tile for one in self.laid)


def free_spots(course: Course) -> tuple[Spot, ...]:
    """The spots for tiles: without a buoy, and off the lake tile of buoy 0's spot; in reading order (X1-2)."""
    marks = {course.start_buoy, *(buoy.at for buoy in course.buoys)}
    zero = zero_tile(course)
    free = (spot for spot in course.lake.spots if spot.at not in marks and (zero is None or spot.tile != zero))
    return tuple(sorted(free, key=lambda spot: (spot.at.r, spot.at.q, spot.letter)))


def zero_tile(course: Course) -> str | None:
    """The lake tile that carries buoy 0's spot; None where buoy 0 stands on no spot or the lake has no tiles."""
    return next((spot.tile for spot in course.lake.spots if spot.at == course.start_buoy), None)


def ways(spot: Spot, length: int = TILE_LENGTH) -> Ways:
    """Both ways in which a tile lies at a spot: out over the letter's side, and back over the letter itself (X1-3)."""
    out = tuple(spot.at.step(spot.side, k) for k in range(1, length + 1))
    back = tuple(spot.at.step(spot.side, -k) for k in range(length))
    return out, back


def lay_tiles(course: Course, random: Random, readings: PowerboatsReadings = DEFAULT) -> Tiling:
    """The box's tiles on a course's free spots: which tile on which spot and which way round is drawn (X1-2, X1-3).

    Land spots are served before water spots, each in reading order. With more free spots than tiles it is drawn which
    ones stay empty, but a tile without room takes one of those; with fewer it is drawn which tiles are left out.
    Raises Clashing under the reading x1-clash=error where a tile has no room.
    """
    spots = free_spots(course)
    used = sorted(random.sample(range(len(spots)), min(len(spots), len(BOX))))
    spare = [spot for k, spot in enumerate(spots) if k not in used]
    deck = [_Drawn(*printed, random.random() < 0.5) for printed in random.sample(BOX, len(BOX))]
    tiling = _lay(course, land_first(course, [spots[k] for k in used]), spare, deck)
    if readings.x1_clash is Clash.ERROR:
        _refuse_clashes(tiling)
    return tiling


def land_first(course: Course, spots: Iterable[Spot]) -> list[Spot]:
    """Spots in the order in which they are served (X1-3)."""
    return sorted(spots, key=lambda spot: spot.at in course.lake.water)


def _lay(course: Course, spots: Sequence[Spot], spare: Sequence[Spot], deck: Sequence[_Drawn]) -> Tiling:
    laid: list[Laid] = []
    left_out = [LeftOut(drawn.kind) for drawn in deck[len(spots) :]]
    empty = list(spare)
    clashing = [(spot, drawn) for spot, drawn in zip(spots, deck, strict=False) if not _put(course, laid, spot, drawn)]
    for spot, drawn in clashing:
        instead = next((other for other in empty if _put(course, laid, other, drawn)), None)
        if instead is None:
            left_out.append(LeftOut(drawn.kind, spot, _why(course, laid, spot)))
        else:
            empty[empty.index(instead)] = spot
    return Tiling(tuple(laid), tuple(left_out), tuple(empty))


def _put(course: Course, laid: list[Laid], spot: Spot, drawn: _Drawn) -> bool:
    """Lay a tile at a spot; False where it has no room."""
    room = [way for way in _ways_of(course, spot) if not obstacle(course, laid, way)]
    if room:
        laid.append(Laid(spot, _tile(drawn, room[0]), shifted=room[0] != ways(spot)[0]))
    return bool(room)


def _ways_of(course: Course, spot: Spot) -> tuple[tuple[Hex, ...], ...]:
    """Out, and from a water spot back too: only there can a tile lie on the letter."""
    return ways(spot) if spot.at in course.lake.water else ways(spot)[:1]


def obstacle(course: Course, laid: Iterable[Laid], way: Iterable[Hex]) -> str:
    """The first thing that a tile would cross, in words; empty where it has room."""
    owner = {at: one for one in laid for at in one.tile.hexes}
    for at in way:
        if at in owner:
            return f"the {owner[at].tile.kind.value} tile on {hex_name(at)}"
        if at in course.strip:
            return f"the start strip on {hex_name(at)}"
        if at in course.buoy_hexes():
            return f"the buoy on {hex_name(at)}"
        if at in course.lake.land:
            return f"land on {hex_name(at)}"
        if at not in course.lake.water:
            return "the edge of the lake"
    return ""


def _why(course: Course, laid: Sequence[Laid], spot: Spot) -> str:
    met = [obstacle(course, laid, way) for way in _ways_of(course, spot)]
    if len(met) == 1:
        return f"it would cross {met[0]}, and the letter's own hex is land (X1-3)"
    return f"it would cross {met[0]} one way and {met[1]} the other (X1-3)"


def _tile(drawn: _Drawn, hexes: tuple[Hex, ...]) -> Tile:
    """The tile along these hexes, as it is printed (X1-3)."""
    if drawn.kind is TileKind.CURRENT:
        return Tile(drawn.kind, hexes, flow=(_along(hexes).steer(3 * drawn.turned),) * len(hexes))
    if drawn.spin is not None:
        return Tile(drawn.kind, hexes, spin=(drawn.spin,) * len(hexes))
    if drawn.kind is TileKind.LOW_WATER:
        return Tile(drawn.kind, hexes, rocks=ROCKS[::-1] if drawn.turned else ROCKS)
    return Tile(drawn.kind, hexes)


def _along(hexes: Sequence[Hex]) -> Facing:
    return next(side for side in Facing if hexes[0].step(side) == hexes[1])


def _refuse_clashes(tiling: Tiling) -> None:
    for one in tiling.left_out:
        if one.spot is not None:
            at = hex_name(one.spot.at)
            raise Clashing(f"the {one.kind.value} tile has no room at the spot on {at}: {one.reason}")
