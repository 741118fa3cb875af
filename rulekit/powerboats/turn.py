"""One boat's turn: choice, throw, direction, move (PB-15…PB-20, PB-22), with the exact chance of every throw."""

from collections.abc import Iterator, Set
from dataclasses import replace
from fractions import Fraction

from rulekit.hexgrid import Hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, choices
from rulekit.powerboats.move import NOBODY, landings
from rulekit.powerboats.waters import Waters


def throws(waters: Waters, boat: Boat, choice: Choice) -> Iterator[tuple[Fraction, Boat]]:
    """Every hand that a choice can lead to, on the boat that has not moved yet, with its probability."""
    faces = waters.readings.faces
    ways = len(faces) ** choice.rolled
    for hand, count in choice.hands(faces).items():
        yield Fraction(count, ways), replace(boat, hand=hand)


def outcomes(
    waters: Waters, boat: Boat, taken: Set[Hex] = NOBODY
) -> Iterator[tuple[Choice, list[tuple[Fraction, tuple[Landing, ...]]]]]:
    """All that a turn can bring: for every choice, every throw's probability with the landings to choose from."""
    for choice in choices(boat.hand, waters.readings):
        yield (
            choice,
            [(chance, landings(waters, thrown, taken)) for chance, thrown in throws(waters, boat, choice)],
        )


def perft(waters: Waters, boat: Boat, depth: int) -> int:
    """Number of ways to play `depth` turns, one for each sequence of choice, throw and direction.

    A boat that has finished or sunk moves no more: its way ends there and counts as one.
    """
    if depth == 0:
        return 1
    return sum(
        1 if landing.sunk or landing.finished else perft(waters, landing.boat, depth - 1)
        for _, thrown in outcomes(waters, boat)
        for _, legal in thrown
        for landing in legal
    )
