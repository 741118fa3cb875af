"""Compiled moves of a car among others: every end of a move for a value, as `ps.moves.outcomes` finds them.

An end is one whole number, made by `packed`; sorted, the ends stand in the order of `outcomes`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.car_tables import (
    BEHIND,
    CROSSED,
    HELD,
    INNER,
    LINES,
    NODE,
    NONE,
    OFF,
    PASSED,
    TO,
    TRIANGLE,
    Circuit,
)
from rulekit.solve.jit import compiled_bare, compiled_inline
from rulekit.solve.kernel import Bytes, Ints

Whole = int | np.int64
Longs = NDArray[np.int64]

MOVE, PIT, FLY, STRIKE, STAY, FINISH, WAIT = range(7)
"""Kinds of ends in the order of `ps.moves.Kind`."""

BELOW = 64
"""Added to the crossings of an end, which may be below zero."""


class Search(NamedTuple):
    """Memory of a search. `states` of this step and the next one take turns in the first rows, the third tells the
    number of the step that last came to a state. `ends` are those found, `size[FOUND]` of them, and those that cost a
    point, `size[HURT]` of them, by the space from which the car is moved back."""

    states: Ints
    ends: Longs
    size: Longs


FOUND, HURT, STEP = range(3)
SEEN = 2


def new_search(circuit: Circuit) -> Search:
    """Memory for moves on a circuit."""
    states = 4 * circuit.places * LINES
    return Search(np.zeros((3, states), np.int32), np.zeros((2, states), np.int64), np.zeros(3, np.int64))


@compiled_inline
def packed(kind: Whole, end: Whole, origin: Whole, line: Whole) -> Whole:
    """An end as one number; `origin` is NONE where nothing was flown from or struck at."""
    return np.int64(kind) << 48 | np.int64(end) << 32 | np.int64(origin + 1) << 16 | np.int64(line + BELOW)


@compiled_inline
def kind_of(end: Whole) -> Whole:
    """Its place in `ps.moves.Kind`."""
    return end >> 48


@compiled_inline
def place_in(end: Whole) -> Whole:
    """Where the car stands then; behind the places of the track and its pit lane come the finish and the boxes."""
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
def note(s: Search, which: Whole, end: Whole) -> None:
    """Adds an end to those known, in order, each once."""
    ends, size = s.ends[which], s.size[which]
    at = size
    while at > 0 and ends[at - 1] > end:
        at -= 1
    if at > 0 and ends[at - 1] == end:
        return
    for k in range(size, at, -1):
        ends[k] = ends[k - 1]
    ends[at] = end
    s.size[which] = size + 1


@compiled_bare
def moved_back(c: Circuit, taken: Bytes, end: Whole, by: Whole) -> Whole:
    """The end of a car that is moved back in its lane, further while another stands there (PS-16)."""
    space, line, gone = place_in(end), line_of(end), 0
    while gone < by or taken[space]:
        line -= c.spaces[space, PASSED]
        space = np.int64(c.spaces[space, BEHIND])
        gone += 1
    return packed(kind_of(end), space, origin_of(end), line)


@compiled_inline
def step_on(
    c: Circuit, s: Search, step: Whole, space: Whole, line: Whole, last: bool, lacking: Whole, row: Whole, width: Whole
) -> Whole:
    """A step that no car blocks: made, or flown at (PS-13, PS-14, PS-16); the number of states of the next step."""
    if c.steps[step, OFF] != NONE:
        note(s, HURT, packed(FLY, c.steps[step, OFF], space, line))
        return width
    line += c.steps[step, CROSSED]
    if line >= lacking:
        note(s, FOUND, packed(FINISH, c.places, NONE, line))
        return width
    if c.steps[step, HELD] != NONE and not last:
        note(s, HURT, packed(FLY, c.steps[step, HELD], c.steps[step, TO], line))
        return width
    state = c.steps[step, NODE] * LINES + line
    if s.states[SEEN, state] != s.size[STEP]:
        s.states[SEEN, state] = s.size[STEP]
        s.states[row, width] = state
        width += 1
    return width


@compiled_inline
def leads_into_pit(c: Circuit, node: Whole, left: Whole, taken: Bytes) -> bool:
    """Whether the stop space can be this move's end, with so many steps left (PS-21)."""
    if node >> 2 != c.entry or taken[c.stop] or (c.exact and left != 1):
        return False
    return c.entry_due or node & 2 == 0


@compiled_bare
def one_layer(
    c: Circuit, s: Search, base: Whole, row: Whole, width: Whole, made: Whole, blue: bool, value: Whole, taken: Bytes,
    pit_open: bool, lacking: Whole,
) -> Whole:  # fmt: skip
    """All ends after so many steps, from the states in a row, and the states after one more: how many
    (PS-9…PS-18, PS-21)."""
    s.size[STEP] += 1
    ahead: Whole = 0
    for k in range(width):
        line, node = s.states[row, k] % LINES, s.states[row, k] // LINES
        space = node >> 2
        if made == value or (blue and made > 0):
            note(s, FOUND, packed(MOVE, space, NONE, line))
        if made == value:
            continue
        if pit_open and leads_into_pit(c, node, value - made, taken):
            note(s, FOUND, packed(PIT, c.stop, NONE, line))
        offered = base + (node if blue or made > 0 else 4 * c.places + space)
        free = False
        for step in range(c.first[offered], c.first[offered + 1]):
            to = c.steps[step, TO]
            if to == NONE or not taken[to]:
                free = True
                ahead = step_on(c, s, step, space, line, made + 1 == value, lacking, 1 - row, ahead)
        if not free:
            note(s, HURT, packed(STRIKE if made > 0 else STAY, space, space, line))
    return ahead


@compiled_bare
def find_ends(
    c: Circuit, s: Search, place: Whole, blue: bool, value: Whole, taken: Bytes, pit_open: bool, lacking: Whole
) -> Whole:
    """The ends among which the player may choose, in `s.ends[FOUND]`: how many. `taken` tells of each place whether
    another car is there; `lacking` are the crossings to the car's finish."""
    s.states[0, 0] = 4 * place * LINES
    return search_on(c, s, row_base(c, value, c.spaces[place, TRIANGLE]), 0, blue, value, taken, pit_open, lacking)


@compiled_inline
def row_base(c: Circuit, value: Whole, on_triangle: Whole) -> Whole:
    """Where the rows of a speed begin."""
    return np.int64((2 * c.level[min(value, c.level.size - 1)] + on_triangle) * c.rows)


@compiled_bare
def find_from_box(
    c: Circuit, s: Search, box: Whole, blue: bool, value: Whole, taken: Bytes, lacking: Whole, last: bool
) -> Whole:
    """As `find_ends` of a car in a start box, 0 for the rearmost: how many (see `ps.terms.Terms.from_box`)."""
    node = c.boxes[box, 0]
    count: Whole = 0
    if not taken[node >> 2]:
        s.states[0, 0] = node * LINES + c.boxes[box, 1]
        count = search_on(c, s, row_base(c, value, 0), 1, blue, value, taken, True, lacking)
        if not last:
            count = off_the_inner_lane(c, s, count)
    if count == 0:
        s.ends[FOUND, 0] = packed(WAIT, c.places + 1 + box, NONE, 0)
        count = 1
    s.size[FOUND] = count
    return count


@compiled_bare
def off_the_inner_lane(c: Circuit, s: Search, count: Whole) -> Whole:
    """Leaves those ends that do not lie on the inner lane: how many (PS-8)."""
    left: Whole = 0
    for k in range(count):
        end = s.ends[FOUND, k]
        if kind_of(end) == FINISH or not c.spaces[place_in(end), INNER]:
            s.ends[FOUND, left] = end
            left += 1
    return left


@compiled_bare
def search_on(
    c: Circuit, s: Search, base: Whole, made: Whole, blue: bool, value: Whole, taken: Bytes, pit_open: bool,
    lacking: Whole,
) -> Whole:  # fmt: skip
    """Layer by layer from the one state in the first row, then the binding of free ways (PS-15)."""
    s.size[FOUND], s.size[HURT] = 0, 0
    width: Whole = 1
    row: Whole = 0
    while width > 0 and made <= value:
        width = one_layer(c, s, base, row, width, made, blue, value, taken, pit_open, lacking)
        row = 1 - row
        made += 1
    if c.free or s.size[FOUND] == 0:
        take_damage(c, s, taken, value)
    return np.int64(s.size[FOUND])


@compiled_bare
def find_ends_on_the_way(
    c: Circuit, s: Search, base: Whole, row: Whole, width: Whole, value: Whole, taken: Bytes, lacking: Whole
) -> Whole:
    """The ends of red or yellow with a value, in `s.ends[FOUND]`: how many, from the states after all steps but one,
    which stay as they are. What was found before, but for the pit and the finish, is forgotten."""
    left: Whole = 0
    for number in range(s.size[FOUND]):
        end = s.ends[FOUND, number]
        if kind_of(end) in (PIT, FINISH):
            s.ends[FOUND, left] = end
            left += 1
    s.size[FOUND] = left
    width = one_layer(c, s, base, row, width, value - 1, False, value, taken, True, lacking)
    one_layer(c, s, base, 1 - row, width, value, False, value, taken, True, lacking)
    if c.free or s.size[FOUND] == 0:
        take_damage(c, s, taken, value)
    return np.int64(s.size[FOUND])


@compiled_bare
def take_damage(c: Circuit, s: Search, taken: Bytes, value: Whole) -> None:
    """The ends that cost a point, with the place where the car is put (PS-16…PS-18)."""
    for k in range(s.size[HURT]):
        end = s.ends[HURT, k]
        if kind_of(end) == STAY:
            note(s, FOUND, packed(STAY, place_in(end), NONE, 0))
        else:
            note(s, FOUND, moved_back(c, taken, end, value))


@compiled_bare
def mark_zone(c: Circuit, s: Search, place: Whole, blue: bool, value: Whole, nobody: Bytes, zone: Bytes) -> None:
    """Marks every place to which some step of the move leads, and the stop space: cars elsewhere are not in its way.

    `nobody` is a `taken` without cars.
    """
    zone[:] = 0
    zone[c.stop] = 1
    base, made, row = row_base(c, value, c.spaces[place, TRIANGLE]), 0, 0
    width: Whole = 1
    s.states[0, 0] = 4 * place * LINES
    s.size[FOUND], s.size[HURT] = 0, 0
    while width > 0 and made < value:
        for k in range(width):
            node = s.states[row, k] // LINES
            offered = base + (node if blue or made > 0 else 4 * c.places + (node >> 2))
            for step in range(c.first[offered], c.first[offered + 1]):
                if c.steps[step, TO] != NONE:
                    zone[c.steps[step, TO]] = 1
        width = one_layer(c, s, base, row, width, made, blue, value, nobody, True, LINES)
        row, made = 1 - row, made + 1
