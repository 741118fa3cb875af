"""Expansion tiles into tables: the ways from the hexes where a boat can come onto a tile in one move."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rulekit.hexgrid import FACINGS, Hex
from rulekit.powerboats.course import TileKind
from rulekit.powerboats.effects import without
from rulekit.powerboats.waters import Waters
from rulekit.readings import Border, CurrentBlocked, PathTest
from rulekit.solve import tile_moves
from rulekit.solve.hands import Hands
from rulekit.solve.kernel import Bytes, Ints, Shorts
from rulekit.solve.model import NO_MOVE, Straights, Tiled
from rulekit.solve.tile_moves import OUT, Lake, all_ways, new_run, write_ways

KINDS = {
    TileKind.REDOUBT: tile_moves.REDOUBT,
    TileKind.CURRENT: tile_moves.CURRENT,
    TileKind.MAELSTROM: tile_moves.MAELSTROM,
    TileKind.LOW_WATER: tile_moves.LOW_WATER,
}
UNSINKABLE = 1_000_000


def tiled(waters: Waters, hexes: Sequence[Hex], straights: Straights, hands: Hands) -> Straights | Tiled:
    """The moves of a course with tiles over numbered hexes; straight ones alone where no boat can come onto a tile."""
    lake = lake_of(waters, hexes, straights, hands)
    places = np.flatnonzero(_meets_tile(lake, straights)).astype(np.int32)
    if not places.size:
        return straights
    sinking = waters.readings.sink_at
    free, rocks = _ways(lake, waters.last, places, np.full(places.size, UNSINKABLE, np.int32), sinking)
    block = np.full((sinking, len(hexes)), NO_MOVE, np.int32)
    block[:, places] = np.arange(places.size)
    # Where the rocks met can sink a boat with some damage, the ways for that damage stand apart.
    apart = [(damage, k) for damage in range(sinking) for k in range(places.size) if rocks[k] >= sinking - damage]
    for number, (damage, k) in enumerate(apart, places.size):
        block[damage, places[k]] = number
    where = np.concatenate([places, np.array([places[k] for _, k in apart], np.int32)])
    limits = np.array([sinking - damage for damage, _ in apart], np.int32)
    ways, _ = _ways(lake, waters.last, where[places.size :], limits, sinking)
    *parts, progress = (np.concatenate(pair, axis=-3) for pair in zip(free, ways, strict=True))
    place, facing, gain, hand, left = parts
    if waters.readings.x1_path is PathTest.PLAIN:
        left = np.maximum(0, hands.pip_count[:, None] - straights.clear[where][:, None, :]).astype(np.int32)
    bound = lake.kind[where] == tile_moves.REDOUBT
    return Tiled(straights, block, place, facing, gain, hand, left, progress, bound)


def _ways(lake: Lake, last: int, places: Ints, limits: Ints, sinking: int) -> tuple[tuple[Ints, ...], Ints]:
    """((hex, facing, gain, hand, left, progress), most damage by rocks) of blocks."""
    shape = places.size, lake.pips.size, len(FACINGS)
    place, facing, gain, hand, left = (np.zeros(shape, np.int32) for _ in range(5))
    progress, rocks = np.zeros((last, *shape), np.int32), np.zeros(places.size, np.int32)
    ways = place, facing, gain, hand, left, progress
    all_ways(lake, new_run(lake, last), places, limits, sinking, *ways, rocks)
    return ways, rocks


def ways_for_races(lake: Lake, moves: Tiled, levels: int) -> Shorts:
    """[(block · hands + hand) · 6 + facing chosen, column] of `tile_moves.write_ways` for the blocks of moves."""
    free = np.flatnonzero((moves.block >= 0).any(axis=0))
    count = moves.bound.size
    places, limits = np.zeros(count, np.int32), np.full(count, UNSINKABLE, np.int32)
    places[: free.size] = free
    for damage, place in np.argwhere(moves.block >= free.size):
        block = moves.block[damage, place]
        places[block], limits[block] = place, levels - damage
    run = new_run(lake, lake.last)
    ways = np.zeros((count * lake.pips.size * len(FACINGS), tile_moves.PASSED + lake.last), np.int16)
    write_ways(lake, run, places, limits, ways)
    return ways


def open_steers(moves: Tiled) -> Bytes:
    """The legal directions by (block · hands + hand) · 6 + facing before: bits 1 right, 2 straight, 4 left."""
    left = np.stack([np.roll(moves.left, 1, axis=-1), moves.left, np.roll(moves.left, -1, axis=-1)])
    legal = left == left.min(axis=0)
    legal[:, moves.bound] = np.array([False, True, False])[:, None, None, None]
    return np.asarray((legal * np.array([1, 2, 4])[:, None, None, None]).sum(axis=0).ravel(), np.int8)


def _meets_tile(lake: Lake, straights: Straights) -> NDArray[np.bool_]:
    """The hexes on or from which a boat can meet a tile."""
    steps = np.arange(straights.land.shape[2])
    ahead = (steps > 0) & (steps <= straights.clear[..., None])
    met = (ahead & (lake.kind[straights.land] != tile_moves.CLEAR)).any(axis=(1, 2))
    return np.asarray(met | (lake.kind == tile_moves.REDOUBT))


def lake_of(waters: Waters, hexes: Sequence[Hex], straights: Straights, hands: Hands) -> Lake:
    """The board for ways over tiles."""
    number = {at: k for k, at in enumerate(hexes)}
    kind, detail = (np.zeros(len(hexes), np.int32) for _ in range(2))
    redoubts = [at for at in hexes if waters.is_redoubt(at)]
    for at, effect in waters.effects.items():
        kind[number[at]] = KINDS[effect.kind]
        detail[number[at]] = redoubts.index(at) if effect.kind is TileKind.REDOUBT else int(effect.detail)
    flight, over, flown = _flights(waters, redoubts, number, int(hands.pip_count.max()))
    ahead = np.where(straights.clear > 0, straights.land[:, :, min(1, straights.land.shape[2] - 1)], OUT)
    passed = straights.progress[..., min(1, straights.land.shape[2] - 1)]
    crash = waters.readings.x1_current is CurrentBlocked.CRASH
    left = _dice_left(waters, hands)
    return Lake(
        kind, detail, ahead.astype(np.int32), np.ascontiguousarray(passed), flight, over, flown, hands.pip_count, left,
        waters.last, crash,
    )  # fmt: skip


def _dice_left(waters: Waters, hands: Hands) -> Ints:
    """[hand, rocks]: the hand left."""
    most = max((rocks for tile in waters.course.tiles for rocks in tile.rocks), default=0)
    told = [hands.tuple_of(hand) for hand in range(hands.count)]
    reading = waters.readings.x1_dice
    return np.array([[hands.index(without(hand, k, reading)) for k in range(most + 1)] for hand in told], np.int32)


def _flights(waters: Waters, redoubts: Sequence[Hex], number: dict[Hex, int], most: int) -> tuple[Ints, Ints, Ints]:
    """(hexes flown by [redoubt, facing, steps left], hex by [redoubt, facing, hexes flown], progress there by [progress
    before, redoubt, facing, hexes flown])."""
    shape = len(redoubts), len(FACINGS)
    flight, over = np.zeros((*shape, most + 1), np.int32), np.full((*shape, 2 * most + 1), OUT, np.int32)
    flown = np.zeros((waters.last, *over.shape), np.int32)
    for k, start in enumerate(redoubts):
        for facing in FACINGS:
            path = [start.step(facing, step) for step in range(2 * most + 1)]
            over[k, facing] = [number.get(at, OUT) for at in path]
            flown[:, k, facing] = [list(_progress(waters, before, path)) for before in range(waters.last)]
            flight[k, facing] = [_last_step(waters, path, 2 * steps) for steps in range(most + 1)]
    return flight, over, flown


def _progress(waters: Waters, before: int, path: Sequence[Hex]) -> Iterator[int]:
    """The progress after each hex of a path."""
    yield before
    for k in range(1, len(path)):
        before = waters.gates.after_step(before, path[k - 1], path[k])
        yield before


def _last_step(waters: Waters, path: Sequence[Hex], steps: int) -> int:
    """The step of a flight at which it ends: before the border under the reading x1-border=stop (X1-5)."""
    lake = waters.course.lake
    if waters.readings.x1_border is Border.OUT or path[steps] in lake.water or path[steps] in lake.land:
        return steps
    return max((k for k in range(1, steps + 1) if path[k] in waters.water), default=0)
