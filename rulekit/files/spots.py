"""Names of hexes in a file: `K14`, or `@3A` for the A-spot of tile 3."""

import re

from rulekit.errors import did_you_mean
from rulekit.files.schema import Table
from rulekit.hexgrid import Hex, hex_name, parse_hex
from rulekit.powerboats.lake import Lake, Spot


class SpotReader:
    """Finds the hexes and spots that a file names on one lake, and notes those that are not there."""

    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self.on_board = lake.water | lake.land
        self.by_hex = {spot.at: spot for spot in lake.spots}
        self.by_name = {f"@{spot.tile}{spot.letter}": spot for spot in lake.spots if spot.tile is not None}

    def at(self, hexagon: Hex) -> Spot | None:
        """The spot on a hex."""
        return self.by_hex.get(hexagon)

    def find(self, table: Table, key: str) -> Hex | None:
        """The hex that a key names, by either kind of name; None where it was noted."""
        name = str(table.text(key))
        if name.startswith("@"):
            spot = self.spot(table, key)
            return spot.at if spot else None
        try:
            hexagon = parse_hex(name)
        except ValueError as fault:
            table.error("hex", str(fault), key)
            return None
        if hexagon not in self.on_board:
            table.error("off-board", f"{hex_name(hexagon)} is not on the lake{self.extent()}", key, "PB-3")
            return None
        return hexagon

    def spot(self, table: Table, key: str) -> Spot | None:
        """The spot that a key names; None where it was noted."""
        name = str(table.text(key))
        if not name.startswith("@"):
            return self.spot_on_hex(table, key)
        spot = self.by_name.get(name[:-1] + name[-1].upper())
        if spot is None:
            table.error("spot", self.no_spot(name), key, "PB-2")
        return spot

    def spot_on_hex(self, table: Table, key: str) -> Spot | None:
        hexagon = self.find(table, key)
        if hexagon is not None and hexagon not in self.by_hex:
            message = f"there is no spot on {hex_name(hexagon)}: for a tile without a spot write hex and side"
            table.error("spot", message, key, "PB-2")
        return self.by_hex.get(hexagon) if hexagon is not None else None

    def no_spot(self, name: str) -> str:
        """Why a name such as @7A is no spot of this lake."""
        if not self.by_name:
            return f"{name!r}: this lake has no tiles, so its spots are told by hex, such as K14"
        tile = re.fullmatch(r"@([A-Za-z0-9]+)[ABCabc]", name)
        own = sorted(spot for spot in self.by_name if tile and spot[1:-1] == tile[1])
        near = f": tile {tile[1]} shows {' and '.join(own)}" if tile and own else did_you_mean(name, self.by_name)
        return f"there is no spot {name!r} on this lake{near}"

    def extent(self) -> str:
        """The board's corners in words."""
        hexes = self.lake.hexes
        return f", which goes from {hex_name(hexes[0])} to {hex_name(hexes[-1])}" if hexes else ""
