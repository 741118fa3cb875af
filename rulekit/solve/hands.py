"""Hands as numbers: multisets of dice over a few faces, the smallest first, so that recursions are look-ups.

Outside, a hand is the descending tuple of the faces shown; here it is its place in `Hands.tuples`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Reroll = Literal["any", "one", "none"]
NO_HAND = -1


@dataclass(frozen=True)
class Hands:
    """All hands of at most `most` dice over `faces` (the numbers shown), their chances as integer `weights`.

    >>> hands = Hands((1, 2, 3), (1, 1, 1), 6)
    >>> hands.count, hands.tuple_of(hands.index((3, 1))), hands.pip_count[hands.index((3, 1))]
    (84, (3, 1), np.int32(4))
    """

    faces: tuple[int, ...]
    weights: tuple[int, ...]
    most: int

    def __post_init__(self) -> None:
        if not self.faces or len(self.faces) != len(self.weights) or len(set(self.faces)) != len(self.faces):
            raise ValueError("a die needs different faces, each with a weight")
        if min(self.weights) < 1 or min(self.faces) < 0 or self.most < 0:
            raise ValueError("weights are whole numbers from 1, faces and the number of dice from 0")

    @cached_property
    def tuples(self) -> tuple[tuple[int, ...], ...]:
        """Face indices of each hand, ascending; by size, and in one size so that adding the first face is an offset."""
        sizes = range(self.most + 1)
        return tuple(hand for size in sizes for hand in _of_size(len(self.faces), size))

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {hand: number for number, hand in enumerate(self.tuples)}

    @property
    def count(self) -> int:
        """Number of hands."""
        return len(self.tuples)

    def upto(self, size: int) -> int:
        """Number of hands of at most `size` dice (0 below 0): the first number of the next size."""
        return comb(min(size, self.most) + len(self.faces), len(self.faces)) if size >= 0 else 0

    def index(self, dice: Sequence[int]) -> int:
        """The number of a hand given by the faces shown, in any order; ValueError if there is no such hand."""
        try:
            return self._numbers[tuple(sorted(self.faces.index(die) for die in dice))]
        except (KeyError, ValueError):
            raise ValueError(f"no hand {tuple(dice)} of at most {self.most} dice with faces {self.faces}") from None

    def tuple_of(self, number: int) -> tuple[int, ...]:
        """The faces shown by a hand, descending."""
        return tuple(sorted((self.faces[face] for face in self.tuples[number]), reverse=True))

    @cached_property
    def size(self) -> Ints:
        """Dice in each hand."""
        return np.array([len(hand) for hand in self.tuples], np.int32)

    @cached_property
    def pip_count(self) -> Ints:
        """The total T of each hand."""
        return np.array([sum(self.faces[face] for face in hand) for hand in self.tuples], np.int32)

    @cached_property
    def more(self) -> Ints:
        """more[hand, face]: the hand with one die of the face more, or NO_HAND."""
        return self._table(lambda hand, face: tuple(sorted((*hand, face))))

    @cached_property
    def less(self) -> Ints:
        """less[hand, face]: the hand with one die of the face less, or NO_HAND."""
        return self._table(_without)

    def _table(self, change: Callable[[tuple[int, ...], int], tuple[int, ...] | None]) -> Ints:
        faces = range(len(self.faces))
        rows = [[self._number(change(hand, face)) for face in faces] for hand in self.tuples]
        return np.array(rows, np.int32)

    def _number(self, hand: tuple[int, ...] | None) -> int:
        return NO_HAND if hand is None else self._numbers.get(hand, NO_HAND)

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """Probability of each face."""
        return np.array(self.weights, float) / sum(self.weights)


def _of_size(faces: int, size: int) -> Iterator[tuple[int, ...]]:
    return iter(sorted(combinations_with_replacement(range(faces), size), key=lambda hand: hand[::-1]))


def _without(hand: tuple[int, ...], face: int) -> tuple[int, ...] | None:
    if face not in hand:
        return None
    place = hand.index(face)
    return hand[:place] + hand[place + 1 :]


@dataclass(frozen=True)
class Throws:
    """The throw table's layout: an entry for every hand kept and number of dice rolled with it.

    Entries with the same number rolled stand together, in the order of the hands: entry = start[rolled] + kept.
    """

    hands: Hands

    @cached_property
    def start(self) -> Ints:
        """start[rolled]; the last item is the number of entries."""
        sizes = [self.hands.upto(self.hands.most - rolled) for rolled in range(self.hands.most + 1)]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def entry(self, kept: int, rolled: int) -> int:
        """The place of (kept, rolled)."""
        return int(self.start[rolled]) + kept

    def choice(self, entry: int) -> tuple[int, int]:
        """(kept, rolled) of an entry."""
        rolled = int(np.searchsorted(self.start, entry, side="right")) - 1
        return entry - int(self.start[rolled]), rolled


def choices(hands: Hands, number: int, *, change: int, reroll: Reroll, must_roll: bool) -> list[tuple[int, int]]:
    """The dice choices (kept, rolled) of a hand, each once (PB-15, PB-16): `change` is the most dice added or removed.

    A boat without dice may roll one even where no die may be added otherwise.

    >>> hands = Hands((1, 2, 3), (1, 1, 1), 2)
    >>> [(hands.tuple_of(k), n) for k, n in choices(hands, hands.index((1,)), change=1, reroll="any", must_roll=False)]
    [((), 0), ((), 1), ((), 2), ((1,), 0), ((1,), 1)]
    """
    size = int(hands.size[number])
    floor = 1 if must_roll and size == 0 else 0
    found: set[tuple[int, int]] = set()
    grow = change if size else max(change, 1)
    for dice in range(max(size - change, floor), min(size + grow, hands.most) + 1):
        found |= _with_dice(hands, number, dice, reroll)
    return sorted(found)


def _with_dice(hands: Hands, number: int, dice: int, reroll: Reroll) -> set[tuple[int, int]]:
    size = int(hands.size[number])
    kept = [k for k in sub_hands(hands, number) if hands.size[k] <= dice]
    if reroll == "any":
        return {(k, dice - int(hands.size[k])) for k in kept}
    fewest = min(dice, size) - (1 if reroll == "one" and dice == size else 0)
    return {(k, dice - int(hands.size[k])) for k in kept if hands.size[k] >= fewest}


def sub_hands(hands: Hands, number: int) -> list[int]:
    """All hands contained in a hand, itself and the empty one too, ascending."""
    found, edge = {number}, [number]
    while edge:
        edge = [int(k) for k in {*hands.less[edge].ravel().tolist()} - found - {NO_HAND}]
        found |= set(edge)
    return sorted(found)
