"""Compiled races of boats that follow tables: choice, throw, direction, falling back, the end. It knows arrays only.

A row is progress · hexes + hex, as in `solve.kernel`; policies are arrays over its cells. Boats' states are the entries
of a `Fleet`, one a seat. Random numbers are those of `streams`: SplitMix64 by (match, seat, purpose).
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Bytes, Floats, Ints, Shorts

Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Whole = int | np.int64
"""Compiled code knows one kind of whole numbers."""

RACING, FINISHED, STOPPED, SUNK = 1, 2, 3, 4
"""Statuses in the order of `powerboats.race.Status`; 0 waits."""

AWAY = -1
"""The hex of a boat that is not on the lake."""

START, DICE, POLICY = np.uint64(0), np.uint64(1), np.uint64(2)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF = np.uint64(1 << 32)
LOWER = np.uint32((1 << 32) - 256)
ONE, S27, S30, S31, S32 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


class Water(NamedTuple):
    """Straight ways: by (row or hex, facing, steps)."""

    to: Ints  # row after so many steps; `rows` once the finish is passed
    at: Ints  # hex then
    clear: Ints  # clear water ahead by (hex, facing)
    rows: int
    levels: int
    stops: bool  # whether the last boat afloat stops (PB-23)


class AnyWater(Protocol):
    """Water with tiles or without."""

    @property
    def to(self) -> Ints: ...
    @property
    def at(self) -> Ints: ...
    @property
    def clear(self) -> Ints: ...
    @property
    def rows(self) -> int: ...
    @property
    def levels(self) -> int: ...
    @property
    def stops(self) -> bool: ...


class Throws(NamedTuple):
    """The dice and the throw table's entries."""

    kept: Shorts  # hand kept, by entry
    rolled: Bytes  # dice rolled, by entry
    more: Ints  # hand with one die more: hand · faces + face
    side: Bytes  # the face that each side of a die shows
    pips: Ints  # total of a hand
    less: Ints  # the entry that takes the lowest die off a hand
    chance: Floats  # of a face
    start: Ints  # see `solve.hands.Throws`
    option_start: Ints  # see `solve.model.DiceRules.listed_choices`
    options: Ints


class Book(NamedTuple):
    """Policies as flat tables by (book, damage, cell), and the order in which each likes the starts by [book, damage].

    An end tells in one word what the direction chosen for a hand leads to without other boats, see `packed_end`.
    """

    choice: Shorts
    ends: Longs
    width: int  # cells of a damage
    starts: Ints
    start_row: Ints
    start_at: Ints
    start_facing: Ints


ROW, AT, FACING, HAND, DAMAGE, SITUATION, TURNS, LEFT, THROWN, CRASHED, BACK = range(11)
"""Columns of a fleet: a boat's row, hex, facing, hand, damage, status, turns taken, and number of boats that left the
race before it; of its last turn the hand thrown, whether it crashed, and the hexes that it fell back."""

COLUMNS = 11

Fleet = Ints
"""The boats of a race by [seat, column]."""

KEY, DRAWN = 0, 1

Rng = Words
"""A stream a seat by [seat, KEY or DRAWN]: its key and the words drawn so far."""


@compiled_inline
def mixed(word: np.uint64) -> np.uint64:
    """SplitMix64's mixing, see `streams.mix`."""
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    return word ^ (word >> S31)


@compiled_inline
def stream_key(root: np.uint64, match: Whole, seat: Whole, purpose: np.uint64) -> np.uint64:
    """See `streams.key`."""
    root = mixed(root + (np.uint64(match) + ONE) * GOLDEN)
    root = mixed(root + (np.uint64(seat) + ONE) * GOLDEN)
    return mixed(root + (purpose + ONE) * GOLDEN)


@compiled_inline
def next_word(rng: Rng, seat: Whole) -> np.uint64:
    """The next 64 bits of a seat's stream."""
    rng[seat, DRAWN] += ONE
    return mixed(rng[seat, KEY] + rng[seat, DRAWN] * GOLDEN)


@compiled_inline
def below(rng: Rng, seat: Whole, count: Whole) -> Whole:
    """A number from 0 to count − 1, see `streams.Stream.below`."""
    while True:
        half = np.uint32(next_word(rng, seat) >> S32)
        # Halves in the incomplete last round are drawn again; nearly all lie far below it.
        if half < LOWER or np.uint64(half) < HALF - HALF % np.uint64(count):
            return np.int64(half % np.uint32(count))


@compiled_inline
def clear_fleet(fleet: Fleet) -> None:
    """All boats wait, without damage."""
    for seat in range(fleet.shape[0]):
        for column in range(COLUMNS):
            fleet[seat, column] = 0
        fleet[seat, AT] = AWAY
        fleet[seat, LEFT] = -1


@compiled_inline
def is_taken(fleet: Fleet, seat: Whole, at: Whole) -> bool:
    """Whether another boat is on a hex."""
    found = False
    for other in range(fleet.shape[0]):
        found |= fleet[other, AT] == at and other != seat
    return found


@compiled_inline
def throw(dice: Throws, entry: Whole, rng: Rng, seat: Whole, shown: Bytes) -> Whole:
    """The hand after the throw; `shown` are the sides in the order in which the dice fell."""
    hand, faces, sides = np.int64(dice.kept[entry]), dice.chance.size, dice.side.size
    for die in range(dice.rolled[entry]):
        side = below(rng, seat, sides)
        shown[die] = side
        hand = np.int64(dice.more[hand * faces + dice.side[side]])
    return hand


@compiled_inline
def fall_back(water: AnyWater, fleet: Fleet, seat: Whole, ahead: Whole, steps: Whole) -> Whole:
    """The steps that are left when the boat goes back to the last free hex of its path, 0 at worst (PB-19)."""
    at = fleet[seat, AT]
    while steps > 0 and is_taken(fleet, seat, water.at[at, ahead, steps]):
        steps -= 1
    return steps


@compiled_inline
def steps_made(water: AnyWater, fleet: Fleet, seat: Whole, ahead: Whole, total: Whole) -> tuple[Whole, Whole]:
    """(steps, damage) of a move ahead: a crash where water ends, then back behind boats (PB-19, PB-20)."""
    steps = min(total, np.int64(water.clear[fleet[seat, AT], ahead]))
    gain = total - steps
    if fleet[seat, DAMAGE] + gain < water.levels:
        steps = fall_back(water, fleet, seat, ahead, steps)
    return steps, gain


@compiled_inline
def straight_held(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> bool:
    """Whether other boats would keep a boat that has dice on its hex, where there are no tiles."""
    steps, gain = steps_made(water, fleet, seat, (fleet[seat, FACING] + 5 + way) % 6, np.int64(dice.pips[hand]))
    return steps == 0 and gain == 0 and dice.pips[hand] > 0


@compiled_inline
def land(
    water: AnyWater,
    fleet: Fleet,
    seat: Whole,
    ahead: Whole,
    row: Whole,
    at: Whole,
    gain: Whole,
    hand: Whole,
    back: Whole,
) -> None:
    """The boat at the end of its move, so many hexes back from where it would have come; it may leave the lake."""
    fleet[seat, THROWN], fleet[seat, CRASHED], fleet[seat, BACK] = hand, gain > 0, back
    fleet[seat, TURNS] += 1
    fleet[seat, FACING] = ahead
    fleet[seat, HAND] = 0 if gain else hand
    fleet[seat, ROW] = row
    fleet[seat, AT] = at
    fleet[seat, DAMAGE] += gain
    if row == water.rows:
        leave(fleet, seat, FINISHED)
    elif fleet[seat, DAMAGE] >= water.levels:
        leave(fleet, seat, SUNK)


@compiled_inline
def straight_turn(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> None:
    """The boat's move with the hand thrown where there are no tiles; way 0, 1, 2 is right, straight, left."""
    ahead = (fleet[seat, FACING] + 5 + way) % 6
    total = np.int64(dice.pips[hand])
    steps, gain = steps_made(water, fleet, seat, ahead, total)
    row, at = water.to[fleet[seat, ROW], ahead, steps], water.at[fleet[seat, AT], ahead, steps]
    land(water, fleet, seat, ahead, row, at, gain, hand, total - gain - steps)


@compiled_inline
def straight_ways(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole) -> tuple[bool, bool, bool]:
    """Whether right, straight, left are legal with a hand where there are no tiles (PB-17)."""
    at, facing = fleet[seat, AT], fleet[seat, FACING]
    right, ahead, left = water.clear[at, (facing + 5) % 6], water.clear[at, facing], water.clear[at, (facing + 1) % 6]
    need = min(np.int64(dice.pips[hand]), max(right, ahead, left))
    return right >= need, ahead >= need, left >= need


@compiled_inline
def straight_way_end(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole
) -> tuple[Whole, Whole, Whole]:
    """(row, damage, cell) at the end of a move ahead where there are no tiles."""
    steps, gain = steps_made(water, fleet, seat, ahead, np.int64(dice.pips[hand]))
    row = np.int64(water.to[fleet[seat, ROW], ahead, steps])
    return row, fleet[seat, DAMAGE] + gain, (row * dice.pips.size + (0 if gain else hand)) * 8 + ahead


@compiled_bare
def leave(fleet: Fleet, seat: Whole, status: Whole) -> None:
    """The boat leaves the race."""
    gone = 0
    for other in range(fleet.shape[0]):
        gone += fleet[other, LEFT] >= 0
    fleet[seat, LEFT], fleet[seat, SITUATION], fleet[seat, AT] = gone, status, AWAY


@compiled_inline
def packed_end(steps: Whole, gain: Whole, ahead: Whole, at: Whole, row: Whole) -> Whole:
    """Steps made, damage, facing, hex and row at a move's end in one word: one look into memory instead of five."""
    return np.int64(steps) | np.int64(gain) << 9 | np.int64(ahead) << 18 | np.int64(at) << 21 | np.int64(row) << 37


@compiled_bare
def pack_ends(water: AnyWater, pips: Ints, steer: Bytes, ends: Longs) -> None:
    """The ends of the directions chosen, cell by cell of a damage."""
    hands = pips.size
    for row in range(water.rows):
        at = row % water.clear.shape[0]
        for hand in range(hands):
            for facing in range(6):
                cell = (row * hands + hand) * 8 + facing
                ahead = (facing + 5 + steer[cell]) % 6
                steps = min(pips[hand], water.clear[at, ahead])
                ends[cell] = packed_end(
                    steps, pips[hand] - steps, ahead, water.at[at, ahead, steps], water.to[row, ahead, steps]
                )


@compiled_inline
def choice_index(dice: Throws, book: Book, levels: Whole, number: Whole, fleet: Fleet, seat: Whole) -> Whole:
    """Where a boat's choice stands; with the hand thrown instead of its own, where its end does."""
    level = (np.int64(number) * levels + fleet[seat, DAMAGE]) * book.width
    return np.int64(level + np.int64(fleet[seat, ROW]) * dice.pips.size * 8 + fleet[seat, FACING])


@compiled_inline
def begin_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, rng: Rng, shown: Bytes
) -> tuple[Whole, Whole]:
    """The table's choice and the throw: (entry, hand thrown)."""
    at = choice_index(dice, book, water.levels, number, fleet, seat)
    entry = np.int64(book.choice[at + np.int64(fleet[seat, HAND]) * 8])
    return entry, throw(dice, entry, rng, seat, shown)


@compiled_inline
def straight_end_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, entry: Whole, hand: Whole,
    rng: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    """The move in the table's direction where there are no tiles: (entry, way).

    Tables know no other boats: where these would hold the boat on its hex although it throws no die, it takes its
    lowest die off, or boats that hold each other would never part.
    """
    index = choice_index(dice, book, water.levels, number, fleet, seat)
    end = book.ends[index + hand * 8]
    steps = end & 511
    if is_taken(fleet, seat, end >> 21 & 0xFFFF) and fleet[seat, DAMAGE] + (end >> 9 & 511) < water.levels and steps:
        steps = fall_back(water, fleet, seat, end >> 18 & 7, steps)
        if steps == 0 and end >> 9 & 511 == 0 and dice.rolled[entry] == 0:
            entry = np.int64(dice.less[fleet[seat, HAND]])
            hand = throw(dice, entry, rng, seat, shown)
            end = book.ends[index + hand * 8]
            steps = fall_back(water, fleet, seat, end >> 18 & 7, end & 511)
    ahead, row, at = end >> 18 & 7, end >> 37, end >> 21 & 0xFFFF
    if steps < end & 511:
        row, at = np.int64(water.to[fleet[seat, ROW], ahead, steps]), np.int64(water.at[fleet[seat, AT], ahead, steps])
    way = (ahead - fleet[seat, FACING] + 7) % 6
    land(water, fleet, seat, ahead, row, at, end >> 9 & 511, hand, (end & 511) - steps)
    return entry, way


@compiled_bare
def stop_last(water: AnyWater, fleet: Fleet) -> None:
    """The only boat afloat of several stops under that reading (PB-23)."""
    if not water.stops or fleet.shape[0] == 1:
        return
    afloat, last = 0, 0
    for seat in range(fleet.shape[0]):
        if fleet[seat, SITUATION] == RACING:
            afloat += 1
            last = seat
    if afloat == 1:
        leave(fleet, last, STOPPED)


@compiled_inline
def next_mover(fleet: Fleet, seat: Whole) -> Whole:
    """The next boat that races, clockwise (PB-14); −1 when none does."""
    seats, other = fleet.shape[0], seat
    for _ in range(seats):
        other = other + 1 if other + 1 < seats else 0
        if fleet[other, SITUATION] == RACING:
            return other
    return -1


@compiled_bare
def set_out(book: Book, number: Whole, fleet: Fleet, seat: Whole) -> None:
    """Places a boat on the free start that its book likes best (PB-13)."""
    damage = fleet[seat, DAMAGE]
    for k in range(book.start_at.size):
        start = book.starts[number, damage, k]
        if not is_taken(fleet, seat, book.start_at[start]):
            fleet[seat, ROW], fleet[seat, AT] = book.start_row[start], book.start_at[start]
            fleet[seat, FACING], fleet[seat, SITUATION] = book.start_facing[start], RACING
            return
