"""The lake: which hexes are water and land, and where the spots are (PB-1…PB-3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rulekit.hexgrid import Facing, Hex, by_name


@dataclass(frozen=True, slots=True)
class Spot:
    """A letter on the lake: its hex, the side where it is printed, and the tile that carries it (PB-2)."""

    letter: str
    at: Hex
    side: Facing
    tile: str | None = None


@dataclass(frozen=True)
class Lake:
    """A whole board. Everything that is neither `water` nor `land` is outside the lake.

    `tile_of` names the tile of each hex on a tile; the frame's hexes and a free-form lake's are missing in it.
    """

    name: str
    water: frozenset[Hex]
    land: frozenset[Hex]
    spots: tuple[Spot, ...] = ()
    tile_of: Mapping[Hex, str] = field(default_factory=dict)

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes of the board in reading order."""
        return tuple(by_name(self.water | self.land))

    def spots_of(self, letter: str) -> tuple[Spot, ...]:
        """The spots of one letter, in reading order."""
        return tuple(sorted((spot for spot in self.spots if spot.letter == letter), key=lambda s: (s.at.r, s.at.q)))
