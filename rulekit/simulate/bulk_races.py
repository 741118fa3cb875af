"""Compiled bulk races: many matches' races on one course, each with its own random streams."""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import (
    AT,
    COLUMNS,
    DAMAGE,
    DICE,
    DRAWN,
    FACING,
    HAND,
    KEY,
    LEFT,
    POLICY,
    ROW,
    SITUATION,
    START,
    TURNS,
    AnyWater,
    Book,
    Fleet,
    Longs,
    Rng,
    Throws,
    Whole,
    Words,
    begin_turn,
    below,
    choice_index,
    clear_fleet,
    next_mover,
    set_out,
    stop_last,
    stream_key,
)
from rulekit.simulate.bulk_log import LOG, write_turn
from rulekit.simulate.bulk_ways import end_turn
from rulekit.simulate.bulk_weighed import RACER, TABLE, AnySense, lookahead_turn, racer_turn
from rulekit.simulate.prefetch import prefetch
from rulekit.solve.jit import compiled_bare, compiled_in_caller, compiled_inline
from rulekit.solve.kernel import Bytes, Ints

SLOTS = 16
"""Races that take turns in a kernel."""

NEXT, LOGGED = range(2)
"""Counts of a run: the next match that waits, turns in the log."""


class Plan(NamedTuple):
    """Which races: the seed's root, the first match, the number of the race (from 0), turns of a boat at most, each
    policy's kind and book, and whether policies move on by one seat from match to match."""

    root: np.uint64
    first: int
    race: int
    cap: int
    rotate: bool
    kinds: Ints
    books: Ints


@compiled_bare
def set_streams(rng: Rng, root: np.uint64, match: Whole, purpose: np.uint64) -> None:
    """The seats' streams of a purpose in a match, at their beginning."""
    for seat in range(rng.shape[0]):
        rng[seat, KEY] = stream_key(root, match, seat, purpose)
        rng[seat, DRAWN] = 0


@compiled_bare
def first_starter(root: np.uint64, match: Whole, seats: Whole, rng: Rng) -> Whole:
    """Who starts a match's first race, see `table.drawn_starter`."""
    set_streams(rng, root, match, START)
    return below(rng, 0, seats)


class Slots(NamedTuple):
    """Races under way side by side, by slot: the match's place in the chunk (-1: none), boats, streams, who moves."""

    match: Ints
    fleet: Fleet
    rng: Words
    own: Words
    kinds: Ints
    books: Ints
    mover: Ints
    entry: Ints
    hand: Ints
    shown: Bytes
    draw: Rng  # of who starts
    counts: Longs


def new_slots(seats: int, count: int = SLOTS) -> Slots:
    """Empty slots for `play_races`."""
    return Slots(
        np.full(count, -1, np.int32), np.zeros((count, seats, COLUMNS), np.int32),
        np.zeros((count, seats, 2), np.uint64), np.zeros((count, seats, 2), np.uint64),
        np.zeros((count, seats), np.int32), np.zeros((count, seats), np.int32),
        np.zeros(count, np.int32), np.zeros(count, np.int32), np.zeros(count, np.int32),
        np.zeros((count, 64), np.int8), np.zeros((1, 2), np.uint64), np.zeros(2, np.int64),
    )  # fmt: skip


class Records(NamedTuple):
    """What is known of each match's race by [match, seat]: words drawn of both streams, damage, status, order of
    leaving, turns, (row, hex, facing, damage) at the start; and a log of turns, without room for any if none is kept.
    """

    dice_drawn: Words
    own_drawn: Words
    damage: Ints
    status: Ints
    left: Ints
    turns: Ints
    starts: Ints
    log: Ints


ROOM = 64
"""Turns of a match that a log has room for at first; it grows when it is full."""


def new_records(damage: Ints, dice_drawn: Words, own_drawn: Words, *, log: bool = False) -> Records:
    """Records before a race, of the boats' damage and the words drawn in earlier ones."""
    status, left, turns = (np.zeros(damage.shape, np.int32) for _ in range(3))
    starts = np.zeros((*damage.shape, 4), np.int32)
    room = np.empty((SLOTS + ROOM * damage.shape[0] if log else 0, LOG), np.int32)
    return Records(dice_drawn.copy(), own_drawn.copy(), damage.copy(), status, left, turns, starts, room)


@compiled_bare
def line_up(slots: Slots, slot: Whole, book: Book, plan: Plan, records: Records, i: Whole) -> None:
    """The i-th match's race in a slot, placed and ready (PB-13)."""
    seats, match, fleet = records.damage.shape[1], plan.first + i, slots.fleet[slot]
    rng, own = slots.rng[slot], slots.own[slot]
    clear_fleet(fleet)
    set_streams(rng, plan.root, match, DICE)
    set_streams(own, plan.root, match, POLICY)
    for seat in range(seats):
        policy = (seat + match) % seats if plan.rotate else seat
        slots.kinds[slot, seat], slots.books[slot, seat] = plan.kinds[policy], plan.books[policy]
        fleet[seat, DAMAGE] = records.damage[i, seat]
        rng[seat, DRAWN], own[seat, DRAWN] = records.dice_drawn[i, seat], records.own_drawn[i, seat]
    starter = (first_starter(plan.root, match, seats, slots.draw) + plan.race) % seats
    for k in range(1, seats + 1):
        seat = (starter - k + seats) % seats
        set_out(book, slots.books[slot, seat], fleet, seat)
        for k, column in enumerate((ROW, AT, FACING, DAMAGE)):
            records.starts[i, seat, k] = fleet[seat, column]
    slots.match[slot], slots.mover[slot] = i, starter


@compiled_inline
def is_on(slots: Slots, slot: Whole, cap: Whole) -> bool:
    """Whether a slot's race goes on."""
    seat = slots.mover[slot]
    return bool(seat >= 0 and slots.fleet[slot, seat, TURNS] < cap)


@compiled_inline
def by_table(slots: Slots, slot: Whole) -> bool:
    """Whether the boat to move goes by tables."""
    return bool(slots.kinds[slot, slots.mover[slot]] == TABLE)


@compiled_in_caller
def first_half(water: AnyWater, dice: Throws, book: Book, slots: Slots, slot: Whole) -> None:
    """Choice and throw of a boat that goes by tables; the end of its move is asked for."""
    seat, fleet = np.int64(slots.mover[slot]), slots.fleet[slot]
    number = np.int64(slots.books[slot, seat])
    entry, hand = begin_turn(water, dice, book, number, fleet, seat, slots.rng[slot], slots.shown[slot])
    slots.entry[slot], slots.hand[slot] = entry, hand
    prefetch(book.ends, choice_index(dice, book, water.levels, number, fleet, seat) + hand * 8)


@compiled_in_caller
def second_half(
    water: AnyWater, dice: Throws, book: Book, sense: AnySense, slots: Slots, slot: Whole, log: Ints
) -> None:
    """The rest of the turn, or the whole one of a boat that weighs; the next boat's choice is asked for."""
    seat, fleet, rng, shown = np.int64(slots.mover[slot]), slots.fleet[slot], slots.rng[slot], slots.shown[slot]
    kind, number = slots.kinds[slot, seat], np.int64(slots.books[slot, seat])
    if kind == TABLE:
        chosen, hand = np.int64(slots.entry[slot]), np.int64(slots.hand[slot])
        entry, way = end_turn(water, dice, book, number, fleet, seat, chosen, hand, rng, shown)
    elif kind == RACER:
        entry, way = racer_turn(water, dice, sense, fleet, seat, rng, shown)
    else:
        entry, way = lookahead_turn(water, dice, book, number, sense, fleet, seat, rng, slots.own[slot], shown)
    if log.shape[0]:
        write_turn(log[slots.counts[LOGGED]], fleet, slots.match[slot], seat, entry, way)
        slots.counts[LOGGED] += 1
    stop_last(water, fleet)
    after = next_mover(fleet, seat)
    slots.mover[slot] = after
    if after >= 0:
        at = choice_index(dice, book, water.levels, slots.books[slot, after], fleet, after)
        prefetch(book.choice, at + np.int64(fleet[after, HAND]) * 8)


@compiled_bare
def hand_over(slots: Slots, slot: Whole, records: Records) -> None:
    """Writes down a race that is over and empties its slot."""
    i = slots.match[slot]
    for seat in range(records.damage.shape[1]):
        records.damage[i, seat] = slots.fleet[slot, seat, DAMAGE]
        records.status[i, seat] = slots.fleet[slot, seat, SITUATION]
        records.left[i, seat], records.turns[i, seat] = slots.fleet[slot, seat, LEFT], slots.fleet[slot, seat, TURNS]
        records.dice_drawn[i, seat] = slots.rng[slot, seat, DRAWN]
        records.own_drawn[i, seat] = slots.own[slot, seat, DRAWN]
    slots.match[slot] = -1


@compiled_bare
def fill_slot(book: Book, plan: Plan, slots: Slots, slot: Whole, records: Records) -> None:
    """Puts the next match that is to be raced into an empty slot, if there is one."""
    while slots.match[slot] < 0 and slots.counts[NEXT] < records.damage.shape[0]:
        match = slots.counts[NEXT]
        slots.counts[NEXT] += 1
        if records.damage[match, 0] >= 0:
            line_up(slots, slot, book, plan, records, match)


@compiled_bare
def play_races(
    water: AnyWater, dice: Throws, book: Book, sense: AnySense, plan: Plan, slots: Slots, records: Records
) -> bool:
    """A race of the matches `first`, `first` + 1, …; whether it is to be called again, with more room in the log.

    `records` holds damage and words drawn so far, and gets all that came of it. A match whose earlier race was given up
    (damage below 0) is passed over. Many races take turns: what one needs from memory comes while the others move.
    """
    busy, log = True, records.log
    while busy and (log.shape[0] == 0 or slots.counts[LOGGED] + slots.match.size <= log.shape[0]):
        busy = False
        for slot in range(slots.match.size):
            fill_slot(book, plan, slots, slot, records)
            if slots.match[slot] >= 0 and is_on(slots, slot, plan.cap) and by_table(slots, slot):
                first_half(water, dice, book, slots, slot)
        for slot in range(slots.match.size):
            if slots.match[slot] >= 0:
                busy = True
                if is_on(slots, slot, plan.cap):
                    second_half(water, dice, book, sense, slots, slot, log)
                else:
                    hand_over(slots, slot, records)
    return busy
