"""The odds of dice choices among expansion tiles: every throw moved through the rules of the tiles (X1-4…X1-10)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.move import landings
from rulekit.powerboats.odds import Odds, Risk
from rulekit.powerboats.waters import Waters


def among_tiles(found: Iterable[Odds], waters: Waters, boat: Boat, free: int) -> Iterator[Odds]:
    """The odds with the risk of a boat's real moves, alone on the lake; `free` is its clear water.

    After each throw it goes where it does not sink, then where it takes the least damage, then where it passes the most
    gates. `crash` is the chance of any damage.
    """

    @cache
    def thrown(hand: Hand) -> Landing:
        return min(landings(waters, replace(boat, hand=hand)), key=_badness)

    for entry in found:
        ends = [(chance, thrown(hand)) for hand, chance in _throws(entry.choice, waters.readings.faces)]
        yield replace(entry, risk=_risk(ends, boat.damage, free))


def _badness(landing: Landing) -> tuple[bool, int, int]:
    return landing.sunk and not landing.finished, landing.boat.damage, -landing.boat.progress


def _throws(choice: Choice, faces: tuple[int, ...]) -> Iterator[tuple[Hand, Fraction]]:
    ways = len(faces) ** choice.rolled
    for hand, count in choice.hands(faces).items():
        yield hand, Fraction(count, ways)


def _risk(ends: list[tuple[Fraction, Landing]], before: int, free: int) -> Risk:
    damage: dict[int, Fraction] = {}
    for chance, landing in ends:
        taken = landing.boat.damage - before
        damage[taken] = damage.get(taken, Fraction(0)) + chance
    unhurt = damage.get(0, Fraction(0))
    expected = sum((counters * chance for counters, chance in damage.items()), Fraction(0))
    sink = sum((chance for chance, landing in ends if landing.sunk), Fraction(0))
    return Risk(free, 1 - unhurt, expected, dict(sorted(damage.items())), sink)
