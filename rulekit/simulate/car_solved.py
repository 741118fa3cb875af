"""A race's terms as arrays for the compiled races: the circuit, the law, and what policies know, made once."""

from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rulekit.ps.dice import Colour
from rulekit.ps.terms import EMPTY_SPEED, Terms
from rulekit.ps.track import BOXES, PIT_LONG, PIT_SHORT, STOP
from rulekit.readings import Fuel
from rulekit.simulate.bulk_kernel import Words
from rulekit.simulate.car_block import MOST, WEIGHT
from rulekit.simulate.car_choice import Sense
from rulekit.simulate.car_kernel import BLUE, Law
from rulekit.simulate.car_policies import FAR
from rulekit.simulate.car_weigh import CHANCES, LISTED, TIE
from rulekit.solve.car_moves import (
    FINISH,
    FLY,
    FOUND,
    STAY,
    Longs,
    Search,
    Whole,
    find_ends,
    kind_of,
    line_of,
    mark_zone,
    new_search,
    place_in,
)
from rulekit.solve.car_tables import LINES, Circuit, circuit, place_of
from rulekit.solve.jit import compiled_bare
from rulekit.solve.kernel import Bytes, Floats, Ints
from rulekit.solve.laps import Laps

FUELS = list(Fuel)
COLOURS = list(Colour)
MOST_LAPS = LINES - 1
"""A car lacks one crossing more than the laps that it still has to drive."""

NEED_VALUES = frozenset({"solo", "blocker"})


@dataclass(frozen=True)
class CarTables:
    """What the compiled races are handed."""

    circuit: Circuit
    law: Law
    sense: Sense


class Listed(NamedTuple):
    """The dice that are weighed: values, chances and slots, see `car_choice.Sense`."""

    values: Ints
    chance: Floats
    counts: tuple[int, int, int]
    slot: Ints
    blue: Bytes  # by slot: whether steps may be left unused
    speed: Ints


def car_tables(terms: Terms, policies: Set[str]) -> CarTables:
    """The tables that these policies need; those for the same terms and policies are not made again.

    Raises BadInput where a policy needs the solved laps and the circuit cannot be solved.
    """
    wanted = "blocker" in policies, bool(policies & NEED_VALUES)
    for known, need, found in _KNOWN:
        if need == wanted and (known is terms or known == terms):
            return found
    found = _made(terms, *wanted)
    _KNOWN[:] = [*_KNOWN[1 - MOST_KNOWN :], (terms, wanted, found)]
    return found


_KNOWN: list[tuple[Terms, tuple[bool, bool], CarTables]] = []
MOST_KNOWN = 8


def _made(terms: Terms, blocks: bool, solves: bool) -> CarTables:
    track, grid = terms.track, circuit(terms.track, terms.readings)
    speeds = max(track.use, default=0) + 1 if terms.counts_fuel else 1
    use = np.array([terms.use(speed) for speed in range(speeds)], np.int32)
    law = Law(terms.crossings, terms.tank, FUELS.index(terms.readings.fuel), use)
    return CarTables(grid, law, _sense(terms, grid, blocks, solves))


def _sense(terms: Terms, c: Circuit, blocks: bool, solves: bool) -> Sense:
    listed, search = _listed(), new_search(c)
    first, ends = _free_ends(terms, c, search, listed)
    values, sunk = _values(terms, c) if solves else (np.zeros((1, 1, 1, 1)), 0.0)
    sense = Sense(
        values, sunk, _columns(terms, c), sum(section.columns for section in terms.track.sections),
        listed.values, listed.chance, listed.counts, listed.slot, first, ends, _zones(c, search, listed),
        np.zeros((2, c.stop, c.stop)), WEIGHT, MOST, FAR, TIE,
    )  # fmt: skip
    if blocks:
        fill_delays(c, search, sense, listed.blue, listed.speed, np.zeros(c.places, np.int8))
    return sense


def _listed() -> Listed:
    dice = [die for colour in COLOURS for die in LISTED[colour]]
    counts = len(LISTED[Colour.BLUE]), len(LISTED[Colour.RED]), len(LISTED[Colour.YELLOW])
    shape = len(COLOURS), max(counts)
    values, chance = np.zeros(shape, np.int32), np.zeros(shape)
    for number, colour in enumerate(COLOURS):
        values[number, : counts[number]] = [die.value for die in LISTED[colour]]
        chance[number, : counts[number]] = CHANCES[colour]
    slot = np.full((len(COLOURS), max(die.value for die in dice) + 1), -1, np.int32)
    for number, die in enumerate(dice):
        slot[COLOURS.index(die.colour), die.value] = number
    blue = np.array([*(die.colour is Colour.BLUE for die in dice), False], np.int8)
    return Listed(values, chance, counts, slot, blue, np.array([*(die.value for die in dice), EMPTY_SPEED], np.int32))


def _free_ends(terms: Terms, c: Circuit, search: Search, listed: Listed) -> tuple[Ints, Longs]:
    """The ends of a car alone on the track: where they begin by (lacking − 1, slot, place), and all of them."""
    nobody, first, ends = np.zeros(c.places, np.int8), [0], []
    for lacking in range(1, terms.crossings + 1):
        for blue, speed in zip(listed.blue, listed.speed, strict=True):
            for place in range(c.places):
                count = find_ends(c, search, place, bool(blue), int(speed), nobody, True, lacking)
                ends.append(search.ends[FOUND, :count].copy())
                first.append(first[-1] + int(count))
    return np.array(first, np.int32), np.concatenate(ends)


def _zones(c: Circuit, search: Search, listed: Listed) -> Words:
    """A bit for each place that is on some way, by [slot, place, word]."""
    words = c.places // 64 + 1
    found = np.zeros((len(listed.speed), c.places, words * 64), np.int8)
    nobody, zone = np.zeros(c.places, np.int8), np.zeros(c.places, np.int8)
    for number, (blue, speed) in enumerate(zip(listed.blue, listed.speed, strict=True)):
        for place in range(c.places):
            mark_zone(c, search, place, bool(blue), int(speed), nobody, zone)
            found[number, place, : c.places] = zone
    return np.ascontiguousarray(np.packbits(found, axis=-1, bitorder="little").view(np.uint64))


def _columns(terms: Terms, c: Circuit) -> Ints:
    """Columns behind the line by place, boxes included, see `car_values.columns_at`; 0 for the finish."""
    track = terms.track
    entry = track.from_line[track.pit.entry] if track.pit else 0
    boxes = [track.from_line[track.along(track.box_1 or 0, box)] for box in range(BOXES)]
    return np.array([*track.from_line, *[entry] * (c.places - c.stop), 0, *boxes], np.int32)


def _values(terms: Terms, c: Circuit) -> tuple[Floats, float]:
    """The solved laps by [lacking − 1, tank, damage, place], at the finish what it costs; the cost of a lost car."""
    from rulekit.simulate.car_values import car_values

    laps: Laps = car_values(terms).laps
    where, pit = np.zeros(c.places + 1 + BOXES, np.int64), (STOP, PIT_SHORT, PIT_LONG)
    where[: c.stop] = np.arange(c.stop)
    where[[place_of(terms.track, space) for space in pit]] = laps.places.stop + np.arange(len(pit))
    where[c.places + 1 :] = laps.places.boxes
    values = np.ascontiguousarray(laps.values[..., where])
    values[..., c.places] = laps.tables.finish[:, None]
    return values, laps.sink_cost


# What a car in the way costs another, see `car_block`.


@compiled_bare
def best_worth(
    c: Circuit, s: Search, k: Sense, place: Whole, blue: bool, value: Whole, taken: Bytes, lacking: Whole
) -> float:
    """The least value of an undamaged car's ends with a full tank."""
    count = find_ends(c, s, place, blue, value, taken, True, lacking)
    tank, least = k.values.shape[1] - 1, np.inf
    for number in range(count):
        end = s.ends[FOUND, number]
        left = 1 if kind_of(end) == FINISH else min(lacking - line_of(end), k.values.shape[0])
        damage = 1 if FLY <= kind_of(end) <= STAY else 0
        least = min(least, k.values[left - 1, tank, damage, place_in(end)])
    return float(least)


@compiled_bare
def best_mean(
    c: Circuit, s: Search, k: Sense, place: Whole, blue: Bytes, speed: Ints, taken: Bytes, lacking: Whole
) -> float:
    """The least expected value of a colour's best ends."""
    least, slot = np.inf, 0
    for colour in range(len(k.counts)):
        mean = 0.0
        for rank in range(k.counts[colour]):
            value = np.int64(speed[slot])
            mean += k.chance[colour, rank] * best_worth(c, s, k, place, colour == BLUE, value, taken, lacking)
            slot += 1
        least = min(least, mean)
    return least


@compiled_bare
def fill_delays(c: Circuit, s: Search, k: Sense, blue: Bytes, speed: Ints, taken: Bytes) -> None:
    """The turns that a car loses by another one in its way, into `k.delay`; nobody is on `taken`."""
    for lacking in range(1, 3):
        for place in range(c.stop):
            alone = best_mean(c, s, k, place, blue, speed, taken, lacking)
            for other in range(c.stop):
                met = np.uint64(0)
                for slot in range(k.zone.shape[0] - 1):
                    met |= k.zone[slot, place, other >> 6] >> np.uint64(other & 63) & np.uint64(1)
                if met and other != place:
                    taken[other] = 1
                    k.delay[lacking - 1, place, other] = best_mean(c, s, k, place, blue, speed, taken, lacking) - alone
                    taken[other] = 0
