"""How `rulekit build-course` tells where the expansion tiles lie."""

from collections.abc import Mapping
from typing import Any

from rulekit.cli.output import tabulated
from rulekit.files.write import spot_word
from rulekit.hexgrid import Facing, hex_name
from rulekit.powerboats.course import Tile
from rulekit.powerboats.tiling import Laid, LeftOut, Tiling


def tile_rows(tiling: Tiling) -> dict[str, Any]:
    """The keys that the tiles add to a course's row: where each lies, what is left out, which free spots are empty."""
    return {
        "tiles": [_laid(one) for one in tiling.laid],
        "left_out": [_left_out(one) for one in tiling.left_out],
        "empty": [spot_word(spot) for spot in tiling.empty],
    }


def _laid(one: Laid) -> dict[str, Any]:
    hexes = [hex_name(at) for at in one.tile.hexes]
    place = {"kind": one.tile.kind.value, "spot": spot_word(one.spot), "hexes": hexes, "shifted": one.shifted}
    return place | _detail(one.tile)


def _detail(tile: Tile) -> dict[str, Any]:
    own = {
        "flow": [Facing(flow).name for flow in tile.flow],
        "spin": [spin.word for spin in tile.spin],
        "rocks": list(tile.rocks),
    }
    return {key: value for key, value in own.items() if value}


def _left_out(one: LeftOut) -> dict[str, Any]:
    return {"kind": one.kind.value, "spot": one.spot and spot_word(one.spot), "reason": one.reason}


def tiles_table(row: Mapping[str, Any]) -> str:
    """The tiles of a course's row as a table; nothing where it has none."""
    if "tiles" not in row:
        return ""
    cells = [[tile["kind"], tile["spot"], " ".join(tile["hexes"]), _words(tile)] for tile in row["tiles"]]
    return "\n\n" + tabulated(["tile", "spot", "hexes", ""], cells)


def _words(tile: Mapping[str, Any]) -> str:
    """What the hexes do, from the first one on, and whether the tile lies back over its letter."""
    details = [str(one) for key in ("flow", "spin", "rocks") for one in tile.get(key, ())]
    detail = details[0] if len(set(details)) == 1 else " ".join(details)
    return ", ".join(filter(None, [detail, "shifted" * tile["shifted"]]))
