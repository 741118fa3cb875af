"""The compiled part of solving laps: one turn of a car in every state, over an explicit table of endings."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.ps.dice import Colour
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Bytes, Floats

Ints = NDArray[np.int64]

COLOURS = tuple(Colour)
FINISHED = -1
"""The place of a car that has finished, in `Tables.end`."""

TIE = 1e-9
"""Values so close are equal: the slower colour and the shorter pit stop are taken."""

PIT_TURNS = 3.0
"""From the stop space to pit space 3, and from there to pit space 6 (PS-21)."""


class Tables(NamedTuple):
    """A circuit as arrays. A slot is one value of one colour; the last one is the move of red or yellow on an empty
    tank (PS-19).

    `group[place, slot, lacking − 1]` names a range of endings: from `first[group]` to `first[group + 1]`, each with the
    place where the car `end`s (FINISHED: the race), its `line` crossings and points of damage (`hurt`). `slots[colour]`
    is the first slot of a colour and `slots[colour + 1]` the one behind its last; `chance` is a slot's, `tail[colour]`
    what is left over, `use` its fuel. `finish[tank]` is the cost of finishing so. `order` lists the places to sweep.
    `pit` has the places stop, pit 3 and pit 6; `fuelled` is 1 where an empty tank slows and hurts cars.
    """

    group: Ints
    first: Ints
    end: Ints
    line: Ints
    hurt: Ints
    slots: Ints
    chance: Floats
    tail: Floats
    use: Ints
    finish: Floats
    sunk: float
    order: Ints
    pit: Ints
    fuelled: int


@compiled
def colour_value(
    values: Floats, found: Floats, t: Tables, place: int, colour: int, lacking: int, tank: int, damage: int,
    sunk: float, finish: Floats,
) -> float:  # fmt: skip
    """What follows a colour in `found`, with `sunk` and `finish` its ends, where the endings are chosen by `values`.

    No more crossings are ever lacking than at the start. Written out in one piece: each call of a part would count
    references to all arrays anew.
    """
    group, first, end, line, hurt = t.group, t.first, t.end, t.line, t.hurt
    use, chance, own_finish, top = t.use, t.chance, t.finish, values.shape[0] - 1
    begin, behind, starved = t.slots[colour], t.slots[colour + 1], 0
    if colour and tank == 0 and t.fuelled:
        # A point of damage as the car sets off: a fourth one removes it before the finish (PS-19, PS-20).
        begin, behind, starved = chance.size - 1, chance.size, 1
    total = 0.0
    for slot in range(begin, behind):
        after = max(0, tank - use[slot])
        least, follows = np.inf, 0.0
        number = group[place, slot, lacking]
        for entry in range(first[number], first[number + 1]):
            hit = damage + hurt[entry] + starved
            if hit >= values.shape[2]:
                value, other = t.sunk, sunk
            elif end[entry] == FINISHED:
                value, other = own_finish[after], finish[after]
            else:
                left = min(lacking - line[entry], top)
                value, other = values[left, after, hit, end[entry]], found[left, after, hit, end[entry]]
            if value < least:
                least, follows = value, other
        total += chance[slot] * follows
    return total


@compiled
def pit_value(found: Floats, t: Tables, stop: int, lacking: int, tank: int, damage: int, step: float) -> float:
    """What a pit stop costs from the stop space on: 0 repair, 1 refuel, 2 both (PS-21); `step` is a turn's cost."""
    full = found.shape[1] - 1
    if stop == 0:
        return float(step * PIT_TURNS + found[lacking, tank, 0, t.pit[1]])
    if stop == 1:
        return float(step * PIT_TURNS + found[lacking, full, damage, t.pit[1]])
    return float(step * 2 * PIT_TURNS + found[lacking, full, 0, t.pit[2]])


@compiled
def choice_value(values: Floats, t: Tables, place: int, choice: int, lacking: int, tank: int, damage: int) -> float:
    """The cost of a colour, or at the stop space of a kind of pit stop."""
    if place == t.pit[0]:
        return pit_value(values, t, choice, lacking, tank, damage, 1.0)
    return 1.0 + colour_value(values, values, t, place, choice, lacking, tank, damage, t.sunk, t.finish)


@compiled
def best_choice(
    values: Floats, t: Tables, place: int, lacking: int, tank: int, damage: int, tie: float
) -> tuple[int, float]:
    """The choice with the least value, the first of those that differ by less than `tie`."""
    best, least = 0, np.inf
    for choice in range(3):
        value = choice_value(values, t, place, choice, lacking, tank, damage)
        if value < least - tie:
            best, least = choice, value
    return best, least


@compiled
def sweep(values: Floats, t: Tables, lacking: int) -> float:
    """Every state that lacks so many crossings + 1 once, in place; the greatest change."""
    worst = 0.0
    for tank in range(values.shape[1]):
        for damage in range(values.shape[2] - 1, -1, -1):
            for place in t.order:
                _, fresh = best_choice(values, t, place, lacking, tank, damage, 0.0)
                worst = max(worst, abs(fresh - values[lacking, tank, damage, place]))
                values[lacking, tank, damage, place] = fresh
    return worst


@compiled
def residual(values: Floats, t: Tables) -> tuple[float, float]:
    """The greatest (operator − values, values − operator), both ≥ 0; nothing is changed."""
    rise, fall = 0.0, 0.0
    for lacking in range(values.shape[0]):
        for tank in range(values.shape[1]):
            for damage in range(values.shape[2]):
                for place in t.order:
                    _, change = best_choice(values, t, place, lacking, tank, damage, 0.0)
                    change -= values[lacking, tank, damage, place]
                    rise, fall = max(rise, change), max(fall, -change)
    return rise, fall


@compiled
def pick(values: Floats, t: Tables, policy: Bytes) -> None:
    """The best choice of every state."""
    for lacking in range(values.shape[0]):
        for tank in range(values.shape[1]):
            for damage in range(values.shape[2]):
                for place in t.order:
                    best, _ = best_choice(values, t, place, lacking, tank, damage, TIE)
                    policy[lacking, tank, damage, place] = best


@compiled
def follow(
    values: Floats, t: Tables, policy: Bytes, found: Floats, step: float, sunk: float, finish: Floats, lacking: int
) -> float:
    """One figure of a policy for every state that lacks so many crossings + 1, once in place; the greatest change.

    `step` counts for a turn, `sunk` for a car lost, `finish` by tank for one that finishes.
    """
    worst = 0.0
    for tank in range(values.shape[1]):
        for damage in range(values.shape[2] - 1, -1, -1):
            for place in t.order:
                choice = policy[lacking, tank, damage, place]
                if place == t.pit[0]:
                    fresh = pit_value(found, t, choice, lacking, tank, damage, step)
                else:
                    fresh = step + colour_value(values, found, t, place, choice, lacking, tank, damage, sunk, finish)
                worst = max(worst, abs(fresh - found[lacking, tank, damage, place]))
                found[lacking, tank, damage, place] = fresh
    return worst
