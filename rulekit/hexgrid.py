"""Pointy-top hexes: axial coordinates, facings, and the names that people give to hexes.

Rows are *odd-r*: row 1 starts at the margin, every even-numbered row is pushed half a hex to the right (`A1` top left).
In memory a hex is axial, (q, r), with r growing downwards. For angles the plane is X = 2q + r, Y = r: squared lengths
are X² + 3Y² and all cross and dot products stay integers (PB-10).
"""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from rulekit.errors import did_you_mean


class Facing(IntEnum):
    """The six sides of a hex, counter-clockwise, so that +1 steers left."""

    E = 0
    NE = 1
    NW = 2
    W = 3
    SW = 4
    SE = 5

    def steer(self, left: int) -> "Facing":
        """The facing `left` sixths of a circle to the left (negative: to the right).

        >>> Facing.E.steer(-1).name
        'SE'
        """
        return FACINGS[(self + left) % 6]


class Side(IntEnum):
    """Left or right: of a turn at a mark, an arrow, a crossing, a spin."""

    RIGHT = -1
    LEFT = 1

    @property
    def word(self) -> str:
        """`left` or `right`."""
        return self.name.lower()

    @property
    def other(self) -> "Side":
        """The other one."""
        return Side(-self)


FACINGS: tuple[Facing, ...] = tuple(Facing)
"""All facings, indexed by their value."""

STEPS: tuple[tuple[int, int], ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""(dq, dr) of one step in each facing."""

DIGIT_FACING: dict[str, Facing] = {
    "7": Facing.NW, "9": Facing.NE, "4": Facing.W, "6": Facing.E, "1": Facing.SW, "3": Facing.SE,
}  # fmt: skip
"""The side that a digit of a board picture names, as on a number pad."""

FACING_DIGIT: dict[Facing, str] = {facing: digit for digit, facing in DIGIT_FACING.items()}


class Hex(NamedTuple):
    """A hex in axial coordinates."""

    q: int
    r: int

    def step(self, facing: int, steps: int = 1) -> "Hex":
        """The hex `steps` away in a facing.

        >>> Hex(0, 0).step(Facing.NE, 2)
        Hex(q=2, r=-2)
        """
        dq, dr = STEPS[facing]
        return Hex(self.q + dq * steps, self.r + dr * steps)

    def neighbours(self) -> Iterator["Hex"]:
        """The six neighbours, from E counter-clockwise."""
        return (Hex(self.q + dq, self.r + dr) for dq, dr in STEPS)


def distance(a: Hex, b: Hex) -> int:
    """Number of steps between two hexes on open water.

    >>> distance(Hex(0, 0), Hex(2, -1))
    2
    """
    dq, dr = a.q - b.q, a.r - b.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def facing_between(a: Hex, b: Hex) -> Facing | None:
    """The facing of the step from a hex to its neighbour; None where the two are no neighbours."""
    step = (b.q - a.q, b.r - a.r)
    return FACINGS[STEPS.index(step)] if step in STEPS else None


def from_offset(column: int, row: int) -> Hex:
    """The hex at a column and row of the odd-r board, both counted from 0.

    >>> from_offset(0, 1)
    Hex(q=0, r=1)
    """
    return Hex(column - (row - (row & 1)) // 2, row)


def to_offset(hexagon: Hex) -> tuple[int, int]:
    """(column, row) of a hex, both counted from 0.

    >>> to_offset(Hex(-1, 2))
    (0, 2)
    """
    return hexagon.q + (hexagon.r - (hexagon.r & 1)) // 2, hexagon.r


def column_letters(column: int) -> str:
    """Spreadsheet letters of a column counted from 0.

    >>> column_letters(0), column_letters(27)
    ('A', 'AB')

    Raises ValueError for a negative column.
    """
    if column < 0:
        raise ValueError(f"there is no column {column}")
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def hex_name(hexagon: Hex) -> str:
    """What people call a hex: column letters and row number; in words where it lies off the board's top or left.

    >>> hex_name(from_offset(10, 13)), hex_name(from_offset(-1, 2))
    ('K14', 'column 0 row 3')
    """
    column, row = to_offset(hexagon)
    if column < 0 or row < 0:
        return f"column {column + 1} row {row + 1}"
    return f"{column_letters(column)}{row + 1}"


def parse_hex(name: str) -> Hex:
    """The hex of a name such as `K14` (letters in either case).

    Raises ValueError where the text is no name of a hex.

    >>> hex_name(parse_hex("ab3"))
    'AB3'
    """
    match = re.fullmatch(r"([A-Za-z]{1,3})([1-9][0-9]{0,3})", name.strip())
    if not match:
        raise ValueError(f"'{name}' is no hex: a hex is column letters and a row number, such as K14")
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return from_offset(column - 1, int(match[2]) - 1)


def parse_facing(name: str) -> Facing:
    """The facing of a name such as `NE` (either case).

    Raises ValueError with the six names and the near miss.
    """
    try:
        return Facing[name.strip().upper()]
    except KeyError:
        names = [facing.name for facing in FACINGS]
        raise ValueError(f"'{name}' is no facing: one of {', '.join(names)}{did_you_mean(name, names)}") from None


def plane(hexagon: Hex) -> tuple[int, int]:
    """(X, Y) = (2q + r, r): the plane in which angles are judged."""
    return 2 * hexagon.q + hexagon.r, hexagon.r


def by_name(hexes: Iterable[Hex]) -> list[Hex]:
    """Hexes in reading order: row by row, from the left."""
    return sorted(hexes, key=lambda hexagon: (hexagon.r, hexagon.q))
