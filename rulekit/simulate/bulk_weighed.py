"""Compiled turns of boats that weigh their options, compiled only for line-ups in which such boats are."""

from typing import Any, NamedTuple

from numba.extending import overload

from rulekit.simulate.bulk_kernel import AnyWater, Book, Fleet, Rng, Throws, Whole, next_word, throw
from rulekit.simulate.bulk_ways import PLAIN, move
from rulekit.simulate.weigh import Sense, best_way, lookahead_choice, lookahead_way, place_prices, racer_choice
from rulekit.solve.kernel import Bytes, Floats

TABLE, RACER, LOOKAHEAD = 0, 1, 2
"""How a seat decides."""


class NoSense(NamedTuple):
    """In place of `Sense` for line-ups in which nobody weighs."""

    nothing: int = 0


class RacerSense(NamedTuple):
    """`Sense`, for line-ups without `lookahead`."""

    values: Floats
    sunk: float
    spread: float
    win: float
    slope: float
    few: int
    samples: int


AnySense = Sense | RacerSense | NoSense


def sense_for(kind: int, sense: Sense) -> AnySense:
    """What a line-up needs in which this is the highest kind."""
    return NoSense() if kind == TABLE else RacerSense(*sense) if kind == RACER else sense


def racer_turn(
    water: AnyWater, dice: Throws, sense: AnySense, fleet: Fleet, seat: Whole, rng: Rng, shown: Bytes
) -> tuple[Whole, Whole]:
    """A turn of `racer`: (entry, way)."""
    raise NotImplementedError


def lookahead_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, sense: AnySense, fleet: Fleet, seat: Whole, rng: Rng,
    own: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    """A turn of `lookahead`: (entry, way)."""
    raise NotImplementedError


def _racer_turn(
    water: AnyWater, dice: Throws, sense: Any, fleet: Fleet, seat: Whole, rng: Rng, shown: Bytes
) -> tuple[Whole, Whole]:
    prices = place_prices(water, dice, fleet, seat, sense)
    entry = racer_choice(water, dice, fleet, seat, sense, prices)
    hand = throw(dice, entry, rng, seat, shown)
    way = best_way(water, dice, fleet, seat, sense, prices, hand)[0]
    move(water, dice, fleet, seat, hand, way)
    return entry, way


def _no_racer(
    water: AnyWater, dice: Throws, sense: Any, fleet: Fleet, seat: Whole, rng: Rng, shown: Bytes
) -> tuple[Whole, Whole]:
    return seat, seat


def _lookahead_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, sense: Any, fleet: Fleet, seat: Whole, rng: Rng,
    own: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    entry = lookahead_choice(water, dice, book, number, fleet, seat, sense, next_word(own, seat))
    hand = throw(dice, entry, rng, seat, shown)
    way = lookahead_way(water, dice, book, number, fleet, seat, sense, hand, next_word(own, seat))
    move(water, dice, fleet, seat, hand, way)
    return entry, way


def _no_lookahead(
    water: AnyWater, dice: Throws, book: Book, number: Whole, sense: Any, fleet: Fleet, seat: Whole, rng: Rng,
    own: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    return seat, seat


COUNTING: Any = {**PLAIN, "_nrt": True}


@overload(racer_turn, jit_options=COUNTING, strict=False)
def _choose_racer(_water: Any, _dice: Any, sense: Any, *_: Any) -> Any:
    return _no_racer if sense.instance_class is NoSense else _racer_turn


@overload(lookahead_turn, jit_options=COUNTING, strict=False)
def _choose_lookahead(_water: Any, _dice: Any, _book: Any, _number: Any, sense: Any, *_: Any) -> Any:
    return _lookahead_turn if sense.instance_class is Sense else _no_lookahead
