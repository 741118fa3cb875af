"""A boat's dice: hands, and what a player may do with one before the roll (PB-15, PB-16).

A *hand* is a boat's dice as a tuple of faces in descending order. A *choice* is which of them stay as they are and how
many dice are then rolled; whether a die that does not stay was removed or picked up to be rolled again shows in these
two alone, so choices that differ only in the way they are told are one.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, product
from math import factorial, prod
from operator import itemgetter
from typing import NamedTuple

from rulekit.dist import Dist, Faces, roll
from rulekit.readings import FirstTurn, PowerboatsReadings, Reroll

Hand = tuple[int, ...]


class Choice(NamedTuple):
    """The dice that stay as they are (descending) and the number of dice rolled."""

    kept: Hand
    rolled: int

    def change(self, hand: Hand) -> int:
        """Dice added to the hand (positive) or removed from it (negative)."""
        return len(self.kept) + self.rolled - len(hand)

    def told(self, hand: Hand) -> str:
        """The choice in a player's words.

        >>> Choice((3, 3), 2).told((3, 3, 1)), Choice((3,), 1).told((3, 3, 1)), Choice((), 0).told(())
        ('keep 3 3, roll 2 (add)', 'keep 3, roll 1 (remove)', 'stay without dice')
        """
        change = self.change(hand)
        if not self.rolled and not change:
            return "keep all" if hand else "stay without dice"
        dice = " ".join(map(str, self.kept))
        parts = [f"keep {dice}"] if dice else []
        parts += [f"roll {self.rolled}"] if self.rolled else []
        number = "" if abs(change) == 1 else f" {abs(change)}"
        how = f" ({'add' if change > 0 else 'remove'}{number})" if change else ""
        return (", ".join(parts) or "no dice left") + how

    def totals(self, faces: Faces) -> Dist:
        """The exact distribution of the total T after the roll.

        >>> Choice((3, 3), 1).totals((1, 2, 3))
        Dist(start=7, weights=(1, 1, 1), total=3)
        """
        return roll(self.rolled, faces).shifted(sum(self.kept))

    def hands(self, faces: Faces) -> Mapping[Hand, int]:
        """The hand after the roll: each possible one with its number of ways out of `len(faces) ** rolled`.

        >>> dict(Choice((2,), 2).hands((1, 3)))
        {(3, 3, 2): 1, (3, 2, 1): 2, (2, 1, 1): 1}
        """
        return _hands_after(self.kept, self.rolled, faces)


def all_totals(options: Collection[Choice], faces: Faces) -> list[Dist]:
    """The distribution of the total of each choice: `Choice.totals` for many at once.

    A choice's distribution is the row of its rolled dice, begun at the sum of its kept dice.
    """
    most = max(map(itemgetter(1), options), default=0)
    rows = [roll(dice, faces) for dice in range(1 + most)]
    # A named tuple's own constructor is a Python function and would take half of the time here.
    new, totals = tuple.__new__, list[Dist]()
    last, held = None, 0
    for kept, rolled in options:
        if kept is not last:
            last, held = kept, sum(kept)
        start, weights, ways = rows[rolled]
        totals.append(new(Dist, (start + held, weights, ways)))
    return totals


def as_hand(dice: Iterable[int]) -> Hand:
    """Dice in any order as a hand."""
    return tuple(sorted(dice, reverse=True))


def choices(hand: Hand, readings: PowerboatsReadings, stock_left: int | None = None) -> tuple[Choice, ...]:
    """Every distinct choice of a boat with this hand, the most dice kept first; never empty (PB-15, PB-16).

    Obeys `reroll`, `first-turn`, `change`, `dice-max` and `dice-stock`. `stock_left` is the number of dice that lie in
    the stock; without it the boat counts as the only one on the lake. A hand of `dice-max` dice or more may not grow,
    but need not shrink.

    >>> [tuple(choice) for choice in choices((3,), PowerboatsReadings())]
    [((3,), 0), ((3,), 1), ((), 0), ((), 1), ((), 2)]
    >>> [tuple(choice) for choice in choices((), PowerboatsReadings())]
    [((), 0), ((), 1)]
    """
    if stock_left is None and readings.dice_stock is not None:
        stock_left = readings.dice_stock - len(hand)
    changes = _changes(len(hand), readings, stock_left)
    return _choices(hand, changes.start, changes.stop - 1, readings.reroll)


def _changes(size: int, readings: PowerboatsReadings, stock_left: int | None) -> range:
    """By how many dice a hand of this size may change this turn.

    A boat without dice rolls one even where no die may be added otherwise (`change=0`): PB-16 is a rule of its own.
    """
    most = readings.change if size else max(1, readings.change)
    if readings.dice_max is not None:
        most = min(most, max(0, readings.dice_max - size))
    if stock_left is not None:
        most = min(most, max(0, stock_left))
    forced = not size and readings.first_turn is FirstTurn.MUST_ROLL
    return range(min(1, most) if forced else -min(readings.change, size), most + 1)


@lru_cache(maxsize=8192)
def _choices(hand: Hand, least: int, most: int, reroll: Reroll) -> tuple[Choice, ...]:
    return tuple(
        Choice(kept, rolled)
        for kept in kept_dice(hand)
        for rolled in range(max(0, len(hand) + least - len(kept)), len(hand) + most - len(kept) + 1)
        if reroll is Reroll.ANY or _at_most_one_again(len(kept) + rolled - len(hand), rolled)
    )


def _at_most_one_again(change: int, rolled: int) -> bool:
    """Is at most one die thrown again, and none when the number of dice changes?"""
    again = rolled - max(0, change)
    return again == 0 or (again == 1 and change == 0)


@lru_cache(maxsize=8192)
def kept_dice(hand: Hand) -> tuple[Hand, ...]:
    """Every distinct set of dice that can stay of a hand: most dice first, then the highest.

    >>> kept_dice((3, 3, 1))
    ((3, 3, 1), (3, 3), (3, 1), (3,), (1,), ())
    """
    of_a_face = [[(face,) * kept for kept in range(count + 1)] for face, count in Counter(hand).items()]
    return tuple(sorted((tuple(chain(*parts)) for parts in product(*of_a_face)), key=_most_first, reverse=True))


def _most_first(hand: Hand) -> tuple[int, Hand]:
    return len(hand), hand


@lru_cache(maxsize=8192)
def _hands_after(kept: Hand, rolled: int, faces: Faces) -> Mapping[Hand, int]:
    return {as_hand(kept + dice): ways for dice, ways in rolled_hands(rolled, faces).items()}


@lru_cache(maxsize=1024)
def rolled_hands(dice: int, faces: Faces) -> Mapping[Hand, int]:
    """Each hand that so many dice can show with its number of ways out of `len(faces) ** dice`, the highest first.

    >>> dict(rolled_hands(2, (1, 2)))
    {(2, 2): 1, (2, 1): 2, (1, 1): 1}
    """
    often = Counter(faces)
    return {hand: _ways(Counter(hand), often) for hand in hands_of_size(dice, faces)}


def _ways(counts: Mapping[int, int], often: Mapping[int, int]) -> int:
    orders = factorial(sum(counts.values())) // prod(factorial(count) for count in counts.values())
    repeats: int = prod(often[face] ** count for face, count in counts.items())
    return orders * repeats


def hands_of_size(dice: int, faces: Faces) -> Iterator[Hand]:
    """Every hand of so many dice, the highest first."""
    if dice == 0:
        yield ()
        return
    for face in sorted(set(faces), reverse=True):
        lower = tuple(other for other in faces if other <= face)
        for rest in hands_of_size(dice - 1, lower):
            yield (face, *rest)


def hands_of_speed(speed: int, faces: Faces, most: int) -> tuple[Hand, ...]:
    """Every hand with this total and at most so many dice: fewest dice first, then the highest.

    >>> hands_of_speed(5, (1, 2, 3), 3)
    ((3, 2), (3, 1, 1), (2, 2, 1))
    >>> hands_of_speed(0, (1, 2, 3), 3)
    ((),)
    """
    hands = _summing(speed, _distinct(faces), most)
    return tuple(sorted(hands, key=lambda hand: (-len(hand), hand), reverse=True))


def count_hands_of_speed(speed: int, faces: Faces, most: int) -> int:
    """How many hands `hands_of_speed` would list, without listing them."""
    return _count_summing(speed, _distinct(faces), most)


def _distinct(faces: Faces) -> Faces:
    return tuple(sorted(set(faces), reverse=True))


@lru_cache(maxsize=200_000)
def _count_summing(total: int, faces: Faces, most: int) -> int:
    if total == 0:
        return 1
    if total < 0 or not faces or not most:
        return 0
    return _count_summing(total - faces[0], faces, most - 1) + _count_summing(total, faces[1:], most)


def _summing(total: int, faces: Faces, most: int) -> Iterator[Hand]:
    """Hands of at most so many dice of the given (descending) faces that add up to the total."""
    if total == 0:
        yield ()
    elif _count_summing(total, faces, most):
        yield from ((faces[0], *rest) for rest in _summing(total - faces[0], faces, most - 1))
        yield from _summing(total, faces[1:], most)
