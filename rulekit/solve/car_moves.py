"""Compiled moves of a car among others: every end of a move for a value, as `ps.moves.outcomes` finds them.

An end is one whole number, made by `packed`; sorted, the ends stand in the order of `outcomes`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.car_tables import LINES, NONE, Circuit
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Bytes, Ints

Whole = int | np.int64
Longs = NDArray[np.int64]

FINISH, MOVE, PIT, FLY, STRIKE, STAY = range(6)
"""Kinds of ends in their order: FINISH is a car's last crossing, the others those of `ps.moves.Kind`."""

BELOW = 64
"""Added to the crossings of an end, which may be below zero."""


class Search(NamedTuple):
    """Memory of a search: the states of this step and the next, which of those are known, and the ends found."""

    now: Ints
    then: Ints
    seen: Ints  # the number of the step that last came to a state
    found: Longs  # ends; `size[FOUND]` of them
    hurt: Longs  # ends that cost a point, by the space from which the car is moved back
    size: Longs


FOUND, HURT, STEP = range(3)


def new_search(circuit: Circuit) -> Search:
    """Memory for moves on a circuit."""
    states = 4 * circuit.places * LINES
    now, then, seen = (np.zeros(states, np.int32) for _ in range(3))
    return Search(now, then, seen, np.zeros(states, np.int64), np.zeros(states, np.int64), np.zeros(3, np.int64))


@compiled_inline
def packed(kind: Whole, end: Whole, origin: Whole, line: Whole) -> Whole:
    """An end as one number; `origin` is NONE where nothing was flown from or struck at."""
    return np.int64(kind) << 48 | np.int64(end) << 32 | np.int64(origin + 1) << 16 | np.int64(line + BELOW)


@compiled_inline
def kind_of(end: Whole) -> Whole:
    """FINISH, MOVE, PIT, FLY, STRIKE or STAY."""
    return end >> 48


@compiled_inline
def place_in(end: Whole) -> Whole:
    """Where the car stands then."""
    return end >> 32 & 0xFFFF


@compiled_inline
def origin_of(end: Whole) -> Whole:
    """The place flown from or struck at, or NONE."""
    return (end >> 16 & 0xFFFF) - 1


@compiled_inline
def line_of(end: Whole) -> Whole:
    """Crossings of the line forward less those backward."""
    return (end & 0xFFFF) - BELOW


@compiled_bare
def note(ends: Longs, sizes: Longs, which: Whole, end: Whole) -> None:
    """Adds an end to those known, in order, each once."""
    size = sizes[which]
    at = size
    while at > 0 and ends[at - 1] > end:
        at -= 1
    if at > 0 and ends[at - 1] == end:
        return
    for k in range(size, at, -1):
        ends[k] = ends[k - 1]
    ends[at] = end
    sizes[which] = size + 1


@compiled_bare
def moved_back(c: Circuit, taken: Bytes, end: Whole, by: Whole) -> Whole:
    """The end of a car that is moved back in its lane, further while another stands there (PS-16)."""
    space, line, gone = place_in(end), line_of(end), 0
    while gone < by or taken[space]:
        line -= c.passed[space]
        space = np.int64(c.behind[space])
        gone += 1
    return packed(kind_of(end), space, origin_of(end), line)


@compiled_inline
def step_on(
    c: Circuit, s: Search, entry: Whole, space: Whole, line: Whole, last: bool, lacking: Whole, width: Whole
) -> Whole:
    """A step that no car blocks: made, or flown at (PS-13, PS-14, PS-16); the states of the next step."""
    if c.off[entry] != NONE:
        note(s.hurt, s.size, HURT, packed(FLY, c.off[entry], space, line))
        return width
    line += c.crossed[entry]
    if line >= lacking:
        note(s.found, s.size, FOUND, packed(FINISH, 0, NONE, line))
        return width
    if c.held[entry] != NONE and not last:
        note(s.hurt, s.size, HURT, packed(FLY, c.held[entry], c.to[entry], line))
        return width
    state = c.node[entry] * LINES + line
    if s.seen[state] != s.size[STEP]:
        s.seen[state] = s.size[STEP]
        s.then[width] = state
        width += 1
    return width


@compiled_bare
def one_layer(
    c: Circuit, s: Search, base: Whole, states: Ints, width: Whole, then: Ints, made: Whole, blue: bool, value: Whole,
    taken: Bytes, pit_open: bool, lacking: Whole,
) -> Whole:  # fmt: skip
    """All ends after so many steps, and the states after one more: how many (PS-9…PS-18, PS-21)."""
    s = Search(states, then, s.seen, s.found, s.hurt, s.size)
    s.size[STEP] += 1
    ahead: Whole = 0
    for k in range(width):
        line, node = states[k] % LINES, states[k] // LINES
        space = node >> 2
        if made == value or (blue and made > 0):
            note(s.found, s.size, FOUND, packed(MOVE, space, NONE, line))
        if made == value:
            continue
        if c.entry[node] and pit_open and not taken[c.stop] and (value - made == 1 or not c.exact):
            note(s.found, s.size, FOUND, packed(PIT, c.stop, NONE, line))
        row = base + (node if blue or made > 0 else 4 * c.places + space)
        free = False
        for entry in range(c.first[row], c.first[row + 1]):
            to = c.to[entry]
            if to == NONE or not taken[to]:
                free = True
                ahead = step_on(c, s, entry, space, line, made + 1 == value, lacking, ahead)
        if not free:
            kind = STRIKE if made > 0 else STAY
            note(s.hurt, s.size, HURT, packed(kind, space, space, line))
    return ahead


@compiled_bare
def find_ends(
    c: Circuit, s: Search, place: Whole, blue: bool, value: Whole, taken: Bytes, pit_open: bool, lacking: Whole
) -> Whole:
    """The ends among which the player may choose, in `s.found`: how many. `taken` tells of each place whether another
    car is there; `lacking` are the crossings to the car's finish."""
    level = c.level[min(value, c.level.size - 1)]
    base = (2 * level + c.triangle[place]) * c.rows
    s.size[FOUND], s.size[HURT] = 0, 0
    s.now[0] = 4 * place * LINES
    return search_on(c, s, base, 0, blue, value, taken, pit_open, lacking)


@compiled_bare
def search_on(
    c: Circuit, s: Search, base: Whole, made: Whole, blue: bool, value: Whole, taken: Bytes, pit_open: bool,
    lacking: Whole,
) -> Whole:  # fmt: skip
    """Layer by layer from the one state in `s.now`, then the binding of free ways (PS-15)."""
    width: Whole = 1
    even = True
    while width > 0 and made <= value:
        states, then = (s.now, s.then) if even else (s.then, s.now)
        width = one_layer(c, s, base, states, width, then, made, blue, value, taken, pit_open, lacking)
        even = not even
        made += 1
    if c.free or s.size[FOUND] == 0:
        take_damage(c, s, taken, value)
    return np.int64(s.size[FOUND])


@compiled_bare
def take_damage(c: Circuit, s: Search, taken: Bytes, value: Whole) -> None:
    """The ends that cost a point, with the place where the car is put (PS-16…PS-18)."""
    for k in range(s.size[HURT]):
        end = s.hurt[k]
        if kind_of(end) == STAY:
            note(s.found, s.size, FOUND, packed(STAY, place_in(end), NONE, 0))
        else:
            note(s.found, s.size, FOUND, moved_back(c, taken, end, value))
