"""All choices of one hand: the exact distribution of the total of each, against icepool, dyce and plain enumeration.

Every way starts with nothing tabulated, gets the same list of choices and hands back one distribution object of its own
kind for each; that all agree is checked before anything is timed. "Plain" is the first thing a user of the library
writes: roll the dice, add the kept ones. "Best" rolls 0, 1, 2 … dice only once each, as rulekit does, and then adds
the kept dice. The lines "listing them too" charge rulekit, and nobody else, with finding the distinct choices.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from rulekit.dist import Dist, roll
from rulekit.powerboats import dice
from rulekit.powerboats.dice import Choice, Hand, all_totals, choices
from rulekit.readings import PowerboatsReadings

from .measure import Ratio, Work, medians

HANDS: dict[str, tuple[Hand, int]] = {
    "6 dice": ((3, 3, 2, 2, 1, 1), 30),
    "10 dice": ((3, 3, 3, 3, 2, 2, 2, 1, 1, 1), 15),
}
"""Hands with the number of runs."""

MOST_ENUMERATED = 6
"""Larger hands are enumerated once: it takes seconds."""


def main() -> list[Ratio]:
    """The ratios of both hands."""
    return [ratio for name, (hand, runs) in HANDS.items() for ratio in compare(name, hand, runs)]


def compare(name: str, hand: Hand, runs: int) -> list[Ratio]:
    """The ratios of one hand."""
    readings = PowerboatsReadings.parse([f"dice-max={len(hand) + 1}"])
    options = choices(hand, readings)
    ways = others(options, readings.faces)
    check(all_totals(options, readings.faces), ways)
    ours: dict[str, Work] = {
        "": lambda: totals(options, readings),
        ", listing them too": lambda: listed(hand, readings),
    }
    enumeration = {"enumeration": lambda: enumerate_totals(options, readings.faces)}
    times = medians({**ours, **ways}, runs) | medians(enumeration, runs if len(hand) <= MOST_ENUMERATED else 1)
    work = f"{name}, totals of {len(options)} choices"
    return [
        Ratio(work + more, other, times[more], times[other])
        for more in ours
        for other in ([*ways, *enumeration] if not more else ["icepool, plain", "dyce, best"])
    ]


def totals(options: Collection[Choice], readings: PowerboatsReadings) -> object:
    """Our way, with no row of sums remembered."""
    roll.cache_clear()
    return all_totals(options, readings.faces)


def listed(hand: Hand, readings: PowerboatsReadings) -> object:
    """Our way with finding the choices."""
    dice._choices.cache_clear()
    dice.kept_dice.cache_clear()
    return totals(choices(hand, readings), readings)


def others(options: Iterable[Choice], faces: tuple[int, ...]) -> dict[str, Work]:
    """The other libraries' ways."""
    from dyce import H
    from icepool import Die

    die, histogram = Die(faces), H(faces)
    rolls = sorted({choice.rolled for choice in options})

    def pooled(number: int) -> H[int]:
        return number @ histogram if number else H({0: 1})

    def icepool_best() -> object:
        rows = {number: number @ die for number in rolls}
        return [rows[rolled] + sum(kept) for kept, rolled in options]

    def dyce_best() -> object:
        rows = {number: pooled(number) for number in rolls}
        return [rows[rolled] + sum(kept) for kept, rolled in options]

    return {
        "icepool, plain": lambda: [(rolled @ die) + sum(kept) for kept, rolled in options],
        "icepool, best": icepool_best,
        "dyce, plain": lambda: [pooled(rolled) + sum(kept) for kept, rolled in options],
        "dyce, best": dyce_best,
    }


def enumerate_totals(options: Iterable[Choice], faces: tuple[int, ...]) -> list[Counter[int]]:
    """Every throw of every choice, one by one."""
    return [Counter(sum(throw, sum(kept)) for throw in product(faces, repeat=rolled)) for kept, rolled in options]


def check(ours: Iterable[Dist], ways: Mapping[str, Any]) -> None:
    """Raises AssertionError unless every way gives our distributions."""
    expected = [dict(totals.fractions()) for totals in ours]
    for name, way in ways.items():
        assert [as_fractions(found) for found in way()] == expected, name


def as_fractions(found: Mapping[int, int]) -> dict[int, Fraction]:
    """A library's distribution as outcome → probability."""
    weights = dict(found.items())
    total = sum(weights.values())
    return {outcome: Fraction(weight, total) for outcome, weight in sorted(weights.items())}
