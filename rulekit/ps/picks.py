"""The dice that a player picks for its cars, one colour each, and what they show together (PS-5, PS-6)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product, takewhile
from math import comb, prod, sqrt
from typing import NamedTuple

from rulekit.ps.dice import AGAIN, FACES, Colour, above, values

CARS = 3
"""Cars of a player, and dice of each colour."""

CUT = 35
"""Red's values above this, five sixes and a five, are not listed one by one: their chance is told instead."""

HIGHEST_BOUNDED = max(FACES[Colour.YELLOW])
"""Only red can show more."""


class Pick(NamedTuple):
    """Colours of dice, slowest first.

    >>> pick = Pick((Colour.BLUE, Colour.RED))
    >>> pick.mean, pick.some_at_least(10), pick.all_at_most(5)
    (Fraction(19, 2), Fraction(1, 3), Fraction(2, 3))
    """

    colours: tuple[Colour, ...]

    @property
    def mean(self) -> Fraction:
        """Expected sum."""
        return sum(map(mean, self.colours), Fraction(0))

    @property
    def sd(self) -> float:
        """Standard deviation of the sum."""
        return sqrt(sum(map(variance, self.colours), Fraction(0)))

    def some_at_least(self, value: int) -> Fraction:
        """Chance that some die shows so much: the best one for a car in need of speed."""
        return 1 - Fraction(prod(1 - above(colour, value - 1) for colour in self.colours))

    def all_at_least(self, value: int) -> Fraction:
        """Chance that every die shows so much."""
        return Fraction(prod(above(colour, value - 1) for colour in self.colours))

    def some_at_most(self, value: int) -> Fraction:
        """Chance that some die shows no more: the best one for a car before a curve."""
        return 1 - self.all_at_least(value + 1)

    def all_at_most(self, value: int) -> Fraction:
        """Chance that no die shows more."""
        return 1 - self.some_at_least(value + 1)

    def exceeding(self, value: int) -> tuple[Fraction, ...]:
        """Chances that exactly 0, 1, … dice show more than a value."""
        chances = [Fraction(1)]
        for colour in self.colours:
            more = above(colour, value)
            chances = [low * more + high * (1 - more)
                       for low, high in zip([Fraction(0), *chances], [*chances, Fraction(0)], strict=True)]  # fmt: skip
        return tuple(chances)

    def ranked_means(self) -> tuple[Fraction, ...]:
        """Expected value of the lowest die, the next, … the highest one, red's sixes summed exactly."""
        return tuple(self._ranked_mean(rank) for rank in range(len(self.colours), 0, -1))

    def _ranked_mean(self, rank: int) -> Fraction:
        """Expected value of the rank-th highest die: the sum over v of the chance that so many dice exceed v."""
        bounded = sum((sum(self.exceeding(value)[rank:], Fraction(0)) for value in range(HIGHEST_BOUNDED)), Fraction(0))
        reds = self.colours.count(Colour.RED)
        return bounded + sum((_long_run(reds, exactly) for exactly in range(rank, reds + 1)), Fraction(0))

    def shown(self, cut: int = CUT) -> dict[tuple[int, ...], Fraction]:
        """Chance of every set of values, lowest first, in which no red die shows more than the cut."""
        found: dict[tuple[int, ...], Fraction] = {}
        for dice in product(*(list(_values_to(colour, cut)) for colour in self.colours)):
            faces = tuple(sorted(value for value, _ in dice))
            found[faces] = found.get(faces, Fraction(0)) + prod(chance for _, chance in dice)
        return dict(sorted(found.items()))

    def beyond(self, cut: int = CUT) -> Fraction:
        """Chance that some red die shows more than the cut."""
        return 1 - (1 - above(Colour.RED, cut)) ** self.colours.count(Colour.RED)

    def __str__(self) -> str:
        return " ".join(colour.value for colour in self.colours)


def picks(cars: int = CARS) -> list[Pick]:
    """Every choice of one colour for each car that is to move: ten for three cars.

    >>> [len(picks(cars)) for cars in (1, 2, 3)]
    [3, 6, 10]
    """
    return [Pick(colours) for colours in combinations_with_replacement(Colour, cars)]


def _values_to(colour: Colour, cut: int) -> Iterator[tuple[int, Fraction]]:
    return takewhile(lambda shown: colour is not Colour.RED or shown[0] <= cut, values(colour))


def _long_run(reds: int, exactly: int) -> Fraction:
    """Sum over all values that only red exceeds of the chance that exactly so many of the red dice do."""
    rest = reds - exactly
    return sum(
        (comb(reds, exactly) * comb(rest, k) * (-1) ** k * _power_sum(exactly + k) for k in range(rest + 1)),
        Fraction(0),
    )


def _power_sum(power: int) -> Fraction:
    """Sum of P(red > v) ** power over v from the highest bounded value on: each six divides the chance by three."""
    period = range(HIGHEST_BOUNDED, HIGHEST_BOUNDED + AGAIN)
    return sum((above(Colour.RED, value) ** power for value in period), Fraction(0)) / (1 - Fraction(1, 3**power))


def mean(colour: Colour) -> Fraction:
    """Expected value of a die; of red, 4½ and one more throw after each six.

    >>> [str(mean(colour)) for colour in Colour]
    ['2', '15/2', '8']
    """
    faces = Fraction(sum(FACES[colour]), 3)
    return faces / (1 - Fraction(1, 3)) if colour is Colour.RED else faces


def variance(colour: Colour) -> Fraction:
    """Variance of a die. Red is 6 times a geometric number of sixes (variance ¾), and 4 or 5 (variance ¼).

    >>> [str(variance(colour)) for colour in Colour]
    ['2/3', '109/4', '2/3']
    """
    return AGAIN**2 * Fraction(3, 4) + Fraction(1, 4) if colour is Colour.RED else Fraction(2, 3)


def beats(better: Colour, worse: Colour) -> Fraction:
    """Chance that one die shows more than another.

    >>> beats(Colour.RED, Colour.YELLOW), beats(Colour.YELLOW, Colour.RED)
    (Fraction(1, 3), Fraction(2, 3))
    """
    if worse is not Colour.RED:
        return sum((chance * above(better, value) for value, chance in values(worse)), Fraction(0))
    if better is Colour.RED:  # two reds: level where both show the same number of sixes and the same last throw
        return (1 - Fraction(1, 9) * 2 / (1 - Fraction(1, 9))) / 2
    return 1 - sum((chance * above(worse, value - 1) for value, chance in values(better)), Fraction(0))


def record(pick: Pick, at_least: Sequence[int] = (), at_most: Sequence[int] = (), cut: int = CUT) -> dict[str, object]:
    """A pick as JSON: exact chances as strings."""
    lowest, *_, highest = (str(value) for value in (*pick.ranked_means(), pick.ranked_means()[-1]))
    asked = {
        "at_least": {str(n): _both(pick.some_at_least(n), pick.all_at_least(n)) for n in at_least},
        "at_most": {str(n): _both(pick.some_at_most(n), pick.all_at_most(n)) for n in at_most},
    }
    return {
        "pick": [colour.value for colour in pick.colours], "mean": str(pick.mean), "sd": pick.sd,
        "lowest": lowest, "highest": highest, "ranked": [str(value) for value in pick.ranked_means()],
        **{key: chances for key, chances in asked.items() if chances},
        "values": {" ".join(map(str, shown)): str(chance) for shown, chance in pick.shown(cut).items()},
        "cut": cut, "beyond": str(pick.beyond(cut)),
    }  # fmt: skip


def _both(some: Fraction, every: Fraction) -> dict[str, str]:
    return {"some": str(some), "all": str(every)}
