"""The three colours of dice (PS-5)."""

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction


class Colour(Enum):
    """A die's colour, slowest first."""

    BLUE = "blue"
    RED = "red"
    YELLOW = "yellow"


FACES = {Colour.BLUE: (1, 2, 3), Colour.RED: (4, 5, 6), Colour.YELLOW: (7, 8, 9)}
AGAIN = 6
"""A red die that shows this is thrown again, and the throws are added."""

SPEEDS = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16, 17)
"""All speeds up to 19 that dice can show."""


def can_show(colour: Colour, value: int) -> bool:
    """Whether a die of that colour can show the value.

    >>> can_show(Colour.RED, 17), can_show(Colour.RED, 12)
    (True, False)
    """
    if colour is Colour.RED:
        return value >= 4 and value % 6 in (4, 5)
    return value in FACES[colour]


def values(colour: Colour) -> Iterator[tuple[int, Fraction]]:
    """Every value with its chance, from the least up; endless for red.

    >>> [str(chance) for _, chance in values(Colour.BLUE)]
    ['1/3', '1/3', '1/3']
    """
    if colour is not Colour.RED:
        yield from ((face, Fraction(1, 3)) for face in FACES[colour])
        return
    sixes, chance = 0, Fraction(1, 3)
    while True:
        yield from ((6 * sixes + face, chance) for face in (4, 5))
        sixes, chance = sixes + 1, chance / 3


def above(colour: Colour, value: int) -> Fraction:
    """Chance that a die shows more than a value: red's sixes summed exactly.

    >>> above(Colour.RED, 5), above(Colour.RED, 10), above(Colour.YELLOW, 7)
    (Fraction(1, 3), Fraction(2, 9), Fraction(2, 3))
    """
    if colour is not Colour.RED:
        return Fraction(sum(face > value for face in FACES[colour]), 3)
    shown = Fraction(0)
    for face, chance in values(colour):
        if face > value:
            return 1 - shown
        shown += chance
    raise AssertionError("red has no largest value")
