"""Exact distributions of sums of dice, as rows of integers.

A row counts the ways to reach each sum: `weights[i]` of `total` ways lead to `start + i`. Dice that stay as they are
only shift a row, so all choices of a hand share the few rows of `roll`.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

Faces = tuple[int, ...]
"""The faces of a die, all equally likely; a face named twice is twice as likely."""


class Dist(NamedTuple):
    """Distribution of a whole number: `weights[i]` of `total` equally likely ways give `start + i`.

    >>> two = roll(2, (1, 2, 3)).shifted(4)
    >>> two
    Dist(start=6, weights=(1, 2, 3, 2, 1), total=9)
    >>> two.mean, two.above(7), two.at_most(6)
    (Fraction(8, 1), Fraction(2, 3), Fraction(1, 9))
    """

    start: int
    weights: tuple[int, ...]
    total: int

    @property
    def last(self) -> int:
        """The largest value of the row."""
        return self.start + len(self.weights) - 1

    def shifted(self, by: int) -> "Dist":
        """The distribution of the value plus a constant."""
        return Dist(self.start + by, self.weights, self.total)

    def ways(self) -> Iterator[tuple[int, int]]:
        """Every possible value with its number of ways, from the least value up."""
        return ((value, weight) for value, weight in enumerate(self.weights, self.start) if weight)

    def fractions(self) -> Mapping[int, Fraction]:
        """Every possible value with its probability, from the least value up."""
        return {value: Fraction(weight, self.total) for value, weight in self.ways()}

    def probability(self, value: int) -> Fraction:
        """Chance of exactly this value."""
        inside = self.start <= value <= self.last
        return Fraction(self.weights[value - self.start], self.total) if inside else Fraction(0)

    def above(self, value: int) -> Fraction:
        """Chance of more than `value`."""
        return _above(self.weights, self.total, max(0, value + 1 - self.start))

    def at_least(self, value: int) -> Fraction:
        """Chance of `value` or more."""
        return self.above(value - 1)

    def at_most(self, value: int) -> Fraction:
        """Chance of `value` or less."""
        return 1 - self.above(value)

    def excess(self, value: int) -> Fraction:
        """Expected amount by which the value lies above `value`, counted as 0 where it does not."""
        return _excess(self.weights, self.total, value - self.start)

    @property
    def mean(self) -> Fraction:
        """Expected value."""
        return self.start + _mean(self.weights, self.total)

    @property
    def variance(self) -> Fraction:
        """Expected squared distance from the mean."""
        return _variance(self.weights, self.total)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return sqrt(self.variance)


# Figures of a row that do not depend on where it starts: shifted rows share them, so each is computed once.


@lru_cache(maxsize=65536)
def _above(weights: tuple[int, ...], total: int, first: int) -> Fraction:
    return Fraction(sum(weights[first:]), total)


@lru_cache(maxsize=65536)
def _excess(weights: tuple[int, ...], total: int, over: int) -> Fraction:
    return Fraction(sum((i - over) * weight for i, weight in enumerate(weights) if i > over), total)


@lru_cache(maxsize=4096)
def _mean(weights: tuple[int, ...], total: int) -> Fraction:
    return Fraction(sum(i * weight for i, weight in enumerate(weights)), total)


@lru_cache(maxsize=4096)
def _variance(weights: tuple[int, ...], total: int) -> Fraction:
    squares = Fraction(sum(i * i * weight for i, weight in enumerate(weights)), total)
    return squares - _mean(weights, total) ** 2


@lru_cache(maxsize=1024)
def roll(dice: int, faces: Faces) -> Dist:
    """Sum of so many dice thrown together: the ways out of `len(faces) ** dice`.

    Raises ValueError for a negative number of dice or a die without faces.

    >>> roll(2, (1, 3))
    Dist(start=2, weights=(1, 0, 2, 0, 1), total=4)
    """
    if dice < 0 or not faces:
        raise ValueError(f"cannot roll {dice} dice with faces {faces}")
    if not dice:
        return Dist(0, (1,), 1)
    fewer, least, most = roll(dice - 1, faces), min(faces), max(faces)
    by_face = [(0,) * (face - least) + fewer.weights + (0,) * (most - face) for face in faces]
    return Dist(fewer.start + least, tuple(map(sum, zip(*by_face, strict=True))), fewer.total * len(faces))
