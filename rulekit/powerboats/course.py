"""The course: buoys, start/finish strip and expansion tiles on a lake (PB-5…PB-7, X1-1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from rulekit.hexgrid import Facing, Hex, Side
from rulekit.powerboats.lake import Lake

START_TILE = 4
"""Hexes of the start/finish strip (PB-6)."""

TILE_LENGTH = 3
"""Hexes of an expansion tile (X1-1)."""


@dataclass(frozen=True, slots=True)
class Buoy:
    """A buoy to round; `arrow` is the sense (left: counter-clockwise), None until it is settled (PB-8)."""

    at: Hex
    arrow: Side | None = None


class TileKind(Enum):
    """The four kinds of expansion tiles (X1-1)."""

    REDOUBT = "redoubt"
    CURRENT = "current"
    MAELSTROM = "maelstrom"
    LOW_WATER = "low-water"


@dataclass(frozen=True, slots=True)
class Tile:
    """An expansion tile: a strip of hexes, one entry of the effect's detail for each.

    `flow` holds a current's facings, `spin` a maelstrom's turns, `rocks` a low-water tile's rocks; the others are
    empty.
    """

    kind: TileKind
    hexes: tuple[Hex, ...]
    flow: tuple[Facing, ...] = ()
    spin: tuple[Side, ...] = ()
    rocks: tuple[int, ...] = ()


@dataclass(frozen=True)
class Course:
    """A lake with its marks.

    The strip starts at the hex next to `start_buoy` in the direction `strip_side`; `buoys` are 1, 2, 3 in order.
    `start` and `finish` are the sides towards which the strip is crossed, None until settled (PB-11).
    """

    name: str
    lake: Lake
    start_buoy: Hex
    strip_side: Facing
    buoys: tuple[Buoy, ...]
    strip_length: int = START_TILE
    start: Side | None = None
    finish: Side | None = None
    tiles: tuple[Tile, ...] = ()

    @cached_property
    def strip(self) -> tuple[Hex, ...]:
        """The hexes of the start/finish tile, from buoy 0 outwards (PB-6)."""
        return tuple(self.start_buoy.step(self.strip_side, k) for k in range(1, self.strip_length + 1))

    @cached_property
    def finish_buoy(self) -> Hex:
        """The hex after the strip (PB-6)."""
        return self.start_buoy.step(self.strip_side, self.strip_length + 1)

    @cached_property
    def water(self) -> frozenset[Hex]:
        """Hexes where a boat can be: water without a buoy (PB-3)."""
        return self.lake.water - set(self.buoy_hexes())

    def buoy_hexes(self) -> Iterator[Hex]:
        """The hexes of all buoys: 0, 1, 2, …, finish."""
        yield self.start_buoy
        yield from (buoy.at for buoy in self.buoys)
        yield self.finish_buoy

    @property
    def gates(self) -> int:
        """Number of gates (PB-12): the strip twice and one rounding line a buoy; that progress means finished."""
        return len(self.buoys) + 2

    @property
    def settled(self) -> bool:
        """Whether all arrows and both crossings are known."""
        return None not in (self.start, self.finish, *(buoy.arrow for buoy in self.buoys))
