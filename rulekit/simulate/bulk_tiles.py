"""Compiled moves of boats over expansion tiles: looked up, and made hex by hex where other boats are in the way.

A move's end depends on other boats only where one lies on its last hex or where a flight would land (X1-5, PB-19).
What is done every turn is put in place of calls: handing over so many arrays takes longer than a move.
"""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import (
    AT,
    BACK,
    CRASHED,
    DAMAGE,
    FACING,
    FINISHED,
    HAND,
    ROW,
    SUNK,
    THROWN,
    TURNS,
    Book,
    Fleet,
    Longs,
    Rng,
    Throws,
    Whole,
    choice_index,
    is_taken,
    leave,
    packed_end,
    steps_made,
    straight_end_turn,
    straight_ways,
    throw,
)
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Bytes, Ints, Shorts
from rulekit.solve.tile_moves import (
    CRASHES,
    ENTERED,
    FLEW_OUT,
    GAIN,
    GAINED,
    KEPT,
    OUT_OF_RACE,
    PASSED,
    PLACE,
    TOUCHED,
    TURNED,
    Lake,
    Run,
    make,
    write_way,
)

WENT_BACK, ALONE = PASSED + 1, PASSED + 2
"""Items of an end besides those of a way: the hexes that the boat fell back, the hex where it would be alone."""

END_SIZE = PASSED + 3


class TiledWater(NamedTuple):
    """As `bulk_kernel.Water`, and the ways over tiles, see `tile_tables.ways_for_races`.

    `run` and `end` are memory of the one who moves boats: another one at the same time needs other ones.
    """

    to: Ints
    at: Ints
    clear: Ints
    rows: int
    levels: int
    stops: bool
    block: Ints  # by damage · hexes + hex; below 0 where no tile can be met
    ways: Shorts
    open: Bytes  # legal ways (bits right, straight, left) by (block · hands + hand) · 6 + facing
    lake: Lake
    run: Run
    end: Shorts


@compiled_inline
def way_number(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, facing: Whole) -> Whole:
    """Where a way stands in the tables; below 0 where no tile can be met."""
    block = np.int64(water.block[fleet[seat, DAMAGE] * water.clear.shape[0] + fleet[seat, AT]])
    return (block * dice.pips.size + hand) * 6 + facing if block >= 0 else np.int64(-1)


@compiled_inline
def find_end(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole) -> None:
    """The end of a move ahead among the other boats, in `water.end`."""
    number = way_number(water, dice, fleet, seat, hand, ahead)
    if number >= 0:
        find_tile_end(water, fleet, seat, hand, ahead, number)
    else:
        find_straight_end(water, dice, fleet, seat, hand, ahead)


@compiled_bare
def find_straight_end(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole) -> None:
    """As `find_end` where no tile can be met."""
    at, end = fleet[seat, AT], water.end
    steps, gain = steps_made(water, fleet, seat, ahead, np.int64(dice.pips[hand]))
    free = dice.pips[hand] - gain
    end[PLACE], end[TURNED], end[KEPT] = water.at[at, ahead, steps], ahead, 0 if gain else hand
    end[GAINED], end[CRASHES], end[OUT_OF_RACE] = gain, gain > 0, 0
    end[PASSED] = water.to[fleet[seat, ROW], ahead, steps] // water.clear.shape[0]
    end[WENT_BACK], end[ALONE] = free - steps, water.at[at, ahead, free]


@compiled_inline
def find_tile_end(
    water: TiledWater, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole, number: Whole
) -> None:  # fmt: skip
    """As `find_end` with the number of the way."""
    way, end = water.ways[number], water.end
    if is_taken(fleet, seat, way[PLACE]) or (way[TOUCHED] >= 0 and is_taken(fleet, seat, way[TOUCHED])):
        make_among_boats(water, fleet, seat, hand, ahead)
    else:
        for k in range(PASSED):
            end[k] = way[k]
        end[PASSED], end[WENT_BACK] = way[PASSED + fleet[seat, ROW] // water.clear.shape[0]], 0
    end[ALONE] = way[PLACE]


@compiled_bare
def find_again(water: TiledWater, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole, number: Whole) -> None:
    """`find_tile_end` where it is rare, by a call."""
    find_tile_end(water, fleet, seat, hand, ahead, number)


@compiled_bare
def make_among_boats(water: TiledWater, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole) -> None:
    """The end of a way made hex by hex, back to the last free hex of its trail (PB-19, X1-4)."""
    run, end, hexes, limit = water.run, water.end, water.clear.shape[0], water.levels - fleet[seat, DAMAGE]
    mark_boats(run.taken, fleet, seat, 1)
    run.progress[0] = fleet[seat, ROW] // hexes
    make(water.lake, run, fleet[seat, AT], ahead, hand, limit)
    write_way(run, end)
    end[WENT_BACK] = 0
    if not run.state[FLEW_OUT] and run.state[GAIN] < limit:
        free = run.state[ENTERED]
        while free > 0 and run.taken[run.trail[free]]:
            free -= 1
        end[PLACE], end[PASSED], end[WENT_BACK] = run.trail[free], run.passed[free], run.state[ENTERED] - free
    mark_boats(run.taken, fleet, seat, 0)


@compiled_inline
def mark_boats(taken: Bytes, fleet: Fleet, seat: Whole, mark: int) -> None:
    """Marks the hexes of the other boats."""
    for other in range(fleet.shape[0]):
        if other != seat and fleet[other, AT] >= 0:
            taken[fleet[other, AT]] = mark


@compiled_inline
def end_row(water: TiledWater) -> Whole:
    """The row of the end found."""
    row = np.int64(water.end[PASSED]) * water.clear.shape[0] + water.end[PLACE]
    return np.int64(min(row, water.rows))


@compiled_inline
def is_kept(water: TiledWater, fleet: Fleet, seat: Whole) -> bool:
    """Whether, by the end found, only other boats keep a boat on its hex."""
    end, at = water.end, fleet[seat, AT]
    moves = end[PLACE] != at or end[ALONE] == at or end[CRASHES] or end[OUT_OF_RACE]
    return bool(not moves and end_row(water) < water.rows and fleet[seat, DAMAGE] + end[GAINED] < water.levels)


@compiled_inline
def land_on(water: TiledWater, fleet: Fleet, seat: Whole, hand: Whole) -> None:
    """The boat at the end found, after a throw of the hand; it may leave the lake."""
    end, row = water.end, end_row(water)
    fleet[seat, TURNS] += 1
    fleet[seat, THROWN], fleet[seat, CRASHED], fleet[seat, BACK] = hand, end[CRASHES], end[WENT_BACK]
    fleet[seat, FACING], fleet[seat, HAND], fleet[seat, AT], fleet[seat, ROW] = end[TURNED], end[KEPT], end[PLACE], row
    fleet[seat, DAMAGE] += end[GAINED]
    if row == water.rows:
        leave(fleet, seat, FINISHED)
    elif end[OUT_OF_RACE] or fleet[seat, DAMAGE] >= water.levels:
        leave(fleet, seat, SUNK)


@compiled_bare
def tile_turn(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> None:
    """As `straight_turn`."""
    find_end(water, dice, fleet, seat, hand, (fleet[seat, FACING] + 5 + way) % 6)
    land_on(water, fleet, seat, hand)


@compiled_bare
def tile_held(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> bool:
    """Whether only other boats would keep a boat on its hex."""
    find_end(water, dice, fleet, seat, hand, (fleet[seat, FACING] + 5 + way) % 6)
    return is_kept(water, fleet, seat)


@compiled_inline
def tile_end_turn(
    water: TiledWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, entry: Whole, hand: Whole,
    rng: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    """As `straight_end_turn`; where tiles can be met the book's ends are numbers of ways, below 0."""
    index = choice_index(dice, book, water.levels, number, fleet, seat)
    if book.ends[index + hand * 8] >= 0:
        return straight_end_turn(water, dice, book, number, fleet, seat, entry, hand, rng, shown)
    found = -1 - book.ends[index + hand * 8]
    find_tile_end(water, fleet, seat, hand, found % 6, found)
    if dice.rolled[entry] == 0 and is_kept(water, fleet, seat):
        entry = np.int64(dice.less[fleet[seat, HAND]])
        hand = throw(dice, entry, rng, seat, shown)
        found = -1 - book.ends[index + hand * 8]
        find_again(water, fleet, seat, hand, found % 6, found)
    way = (found % 6 - fleet[seat, FACING] + 7) % 6
    land_on(water, fleet, seat, hand)
    return entry, way


@compiled_inline
def tile_ways(water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole) -> tuple[bool, bool, bool]:
    """As `straight_ways`."""
    number = way_number(water, dice, fleet, seat, hand, np.int64(fleet[seat, FACING]))
    if number < 0:
        return straight_ways(water, dice, fleet, seat, hand)
    ways = water.open[number]
    return ways & 1 > 0, ways & 2 > 0, ways & 4 > 0


@compiled_inline
def tile_way_end(
    water: TiledWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole
) -> tuple[Whole, Whole, Whole]:
    """As `straight_way_end`."""
    find_end(water, dice, fleet, seat, hand, ahead)
    damage = np.int64(fleet[seat, DAMAGE] + water.end[GAINED])
    damage = max(damage, np.int64(water.levels)) if water.end[OUT_OF_RACE] else damage
    row = end_row(water)
    return row, damage, (row * dice.pips.size + water.end[KEPT]) * 8 + water.end[TURNED]


@compiled_bare
def pack_tile_ends(water: TiledWater, pips: Ints, steer: Bytes, damage: int, ends: Longs) -> None:
    """As `pack_ends`; where tiles can be met −1 less the number of the way."""
    hexes, hands = water.clear.shape[0], pips.size
    for row in range(water.rows):
        at = row % hexes
        block = np.int64(water.block[damage * hexes + at])
        for hand in range(hands):
            for facing in range(6):
                cell = (row * hands + hand) * 8 + facing
                ahead = (facing + 5 + steer[cell]) % 6
                steps = min(pips[hand], water.clear[at, ahead])
                if block >= 0:
                    ends[cell] = -1 - ((block * hands + hand) * 6 + ahead)
                else:
                    to = water.at[at, ahead, steps], water.to[row, ahead, steps]
                    ends[cell] = packed_end(steps, pips[hand] - steps, ahead, to[0], to[1])
