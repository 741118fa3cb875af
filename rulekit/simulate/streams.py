"""Random numbers: one stream for each (seed, match, seat, purpose), so that what one seat draws moves no other's.

A stream is SplitMix64 (Steele, Lea, Flood 2014): its n-th word is `mix(key + n * GOLDEN)` for n = 1, 2, …, a few
integer operations that a compiled kernel can repeat. `key` folds the four numbers; only the seed is hashed.
"""

from collections.abc import Sequence
from enum import IntEnum
from hashlib import blake2b
from random import Random
from typing import TypeVar

T = TypeVar("T")

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
HALF = 1 << 32


class Purpose(IntEnum):
    """What a stream is drawn for."""

    START = 0
    DICE = 1
    POLICY = 2


class Stream(Random):
    """A `random.Random` over SplitMix64: all its usual methods, and dice by `below`."""

    def __init__(self, key: int) -> None:
        self.key = key
        super().__init__(0)

    def seed(self, *_: object) -> None:
        """Back to the beginning of the stream."""
        self.drawn = 0

    def word(self) -> int:
        """The next 64 bits."""
        self.drawn += 1
        return mix(self.key + self.drawn * GOLDEN)

    def below(self, count: int) -> int:
        """A number from 0 to count - 1, each equally likely.

        The upper half of a word counts, modulo `count`; halves in the incomplete last round are drawn again.
        """
        limit = HALF - HALF % count
        while (half := self.word() >> 32) >= limit:
            pass
        return half % count

    def random(self) -> float:
        """A float from 0 to 1, 53 bits fine."""
        return float((self.word() >> 11) / (1 << 53))

    def getrandbits(self, bits: int, /) -> int:
        """So many random bits: whole words, the first one lowest."""
        words = -(-bits // 64)
        return sum(self.word() << (64 * k) for k in range(words)) & ((1 << bits) - 1)

    def getstate(self) -> tuple[int, int]:
        """Key and number of words drawn."""
        return self.key, self.drawn

    def setstate(self, state: tuple[int, ...]) -> None:
        """Go on where `getstate` was asked."""
        self.key, self.drawn = state


def mix(word: int) -> int:
    """SplitMix64's mixing of 64 bits.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    word &= WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & WORD
    return word ^ (word >> 31)


def stream(seed: int, match: int, seat: int, purpose: Purpose) -> Stream:
    """The stream of a purpose of a seat in a match; all count from 0, `seed` may be of any size."""
    return Stream(key(root(seed), match, seat, purpose))


def root(seed: int) -> int:
    """64 bits from a seed."""
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")


def key(root: int, match: int, seat: int, purpose: Purpose) -> int:
    """A stream's key: the numbers folded in, one after the other."""
    for number in (match, seat, int(purpose)):
        root = mix(root + (number + 1) * GOLDEN)
    return root


def throw(dice: int, faces: Sequence[T], rng: Stream) -> tuple[T, ...]:
    """What so many dice show, in the order in which they are thrown: one `below(len(faces))` each."""
    return tuple(faces[rng.below(len(faces))] for _ in range(dice))
