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
    """What became of the box's tiles, in the order in which they were laid; `empty` are free spots without a tile."""

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
    ones stay empty, with fewer which tiles are left out. Raises Clashing under the reading x1-clash=error where a tile
    has no room.
    """
    spots = free_spots(course)
    used = sorted(random.sample(range(len(spots)), min(len(spots), len(BOX))))
    deck = random.sample(BOX, len(BOX))
    tiling = _lay(course, land_first(course, [spots[k] for k in used]), deck, random)
    if readings.x1_clash is Clash.ERROR:
        _refuse_clashes(tiling)
    empty = tuple(spot for k, spot in enumerate(spots) if k not in used)
    return Tiling(tiling.laid, tiling.left_out, empty)


def land_first(course: Course, spots: Iterable[Spot]) -> list[Spot]:
    """Spots in the order in which they are served (X1-3)."""
    return sorted(spots, key=lambda spot: spot.at in course.lake.water)


def _lay(course: Course, spots: Sequence[Spot], deck: Sequence[Printed], random: Random) -> Tiling:
    laid: list[Laid] = []
    left_out = [LeftOut(printed.kind) for printed in deck[len(spots) :]]
    for spot, printed in zip(spots, deck, strict=False):
        turned = random.random() < 0.5
        room = [way for way in _ways_of(course, spot) if not obstacle(course, laid, way)]
        if room:
            out, _ = ways(spot)
            laid.append(Laid(spot, _tile(printed, room[0], turned), shifted=room[0] != out))
        else:
            left_out.append(LeftOut(printed.kind, spot, _why(course, laid, spot)))
    return Tiling(tuple(laid), tuple(left_out))


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


def _tile(printed: Printed, hexes: tuple[Hex, ...], turned: bool) -> Tile:
    """A tile along these hexes as it is drawn; `turned`: the other end first."""
    if printed.kind is TileKind.CURRENT:
        return Tile(printed.kind, hexes, flow=(_along(hexes).steer(3 * turned),) * len(hexes))
    if printed.spin is not None:
        return Tile(printed.kind, hexes, spin=(printed.spin,) * len(hexes))
    if printed.kind is TileKind.LOW_WATER:
        return Tile(printed.kind, hexes, rocks=ROCKS[::-1] if turned else ROCKS)
    return Tile(printed.kind, hexes)


def _along(hexes: Sequence[Hex]) -> Facing:
    return next(side for side in Facing if hexes[0].step(side) == hexes[1])


def _refuse_clashes(tiling: Tiling) -> None:
    for one in tiling.left_out:
        if one.spot is not None:
            at = hex_name(one.spot.at)
            raise Clashing(f"the {one.kind.value} tile has no room at the spot on {at}: {one.reason}")
