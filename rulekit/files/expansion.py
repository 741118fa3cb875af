"""The [[expansion]] tables of a course (X1-1…X1-3)."""

from collections.abc import Mapping
from typing import Any

from rulekit.files.findings import Place
from rulekit.files.schema import Table, shown
from rulekit.files.spots import SpotReader
from rulekit.hexgrid import Facing, Hex, Side
from rulekit.powerboats.course import TILE_LENGTH, Tile, TileKind

EXPANSION_KEYS = ("kind", "at", "hex", "side", "flow", "spin", "rocks")
KINDS: Mapping[str, TileKind] = {kind.value: kind for kind in TileKind}
DETAIL: Mapping[TileKind, str] = {TileKind.CURRENT: "flow", TileKind.MAELSTROM: "spin", TileKind.LOW_WATER: "rocks"}
"""The key that tells more of a kind."""

_SPINS = {"left": Side.LEFT, "right": Side.RIGHT}
_MOST_ROCKS = 3


def expansion_tile(table: Table, spots: SpotReader | None) -> Tile | None:
    """The tile of a table on a lake. Without `spots` only what needs no lake is noted; None where faults were noted."""
    kind = _kind(table) if spots is None else KINDS[table.values["kind"]]
    if spots is None:
        _check_place_keys(table)
        if kind is not None:
            _details(table, kind)
        return None
    hexes = _hexes(table, spots)
    assert kind is not None
    return None if hexes is None else Tile(kind, hexes, **_details(table, kind))


def _kind(table: Table) -> TileKind | None:
    table.require("kind")
    kind = table.choice("kind", KINDS)
    if kind is None:
        return None
    for key in ("flow", "spin", "rocks"):
        if key in table and key != DETAIL.get(kind):
            owner = next(one.value for one, own in DETAIL.items() if own == key)
            place = table.entry(key).key
            table.findings.error(
                "misplaced-key", f"'{key}' belongs to a {owner} tile, not to {kind.value}", place, "X1-1"
            )
    if kind in DETAIL:
        table.require(DETAIL[kind])
    return kind


def _check_place_keys(table: Table) -> None:
    if "at" in table and ("hex" in table or "side" in table):
        table.error("tile-place", "a tile lies at a spot (at) or at a hex with a side, not both", "at", "X1-2")
    elif "at" not in table and "hex" not in table:
        table.findings.error("missing-key", "a tile needs its place: at, or hex and side", table.header, "X1-2")
    elif "hex" in table:
        table.require("side")
    for key in ("at", "hex"):
        table.text(key)
    table.choice("side", Facing.__members__)


def _hexes(table: Table, spots: SpotReader) -> tuple[Hex, ...] | None:
    """Three hexes: from the one next to a spot, over the letter's side, or from a hex itself."""
    if "at" in table:
        spot = spots.spot(table, "at")
        return None if spot is None else _strip(spot.at.step(spot.side), spot.side)
    first = spots.find(table, "hex")
    side = table.choice("side", Facing.__members__)
    return None if first is None or side is None else _strip(first, side)


def _strip(first: Hex, side: Facing) -> tuple[Hex, ...]:
    return tuple(first.step(side, steps) for steps in range(TILE_LENGTH))


def _details(table: Table, kind: TileKind) -> dict[str, Any]:
    if kind is TileKind.CURRENT:
        return {"flow": table.one_or_each("flow", TILE_LENGTH, _word_reader(table, "flow", Facing.__members__)) or ()}
    if kind is TileKind.MAELSTROM:
        return {"spin": table.one_or_each("spin", TILE_LENGTH, _word_reader(table, "spin", _SPINS)) or ()}
    if kind is TileKind.LOW_WATER:
        return {"rocks": table.each("rocks", TILE_LENGTH, lambda value, place: _rocks(table, value, place)) or ()}
    return {}


def _word_reader(table: Table, key: str, options: Mapping[str, Any]) -> Any:
    def read(value: object, place: Place) -> Any:
        if isinstance(value, str):
            return table.option(value, options, place, key)
        table.findings.error("type", f"'{key}' must be words in quotes: {', '.join(options)}", place)
        return None

    return read


def _rocks(table: Table, value: object, place: Place) -> int | None:
    if type(value) is int and 1 <= value <= _MOST_ROCKS:
        return value
    message = f"'rocks' must be whole numbers from 1 to {_MOST_ROCKS}, not {shown(value)}"
    table.findings.error("value", message, place, "X1-9")
    return None
