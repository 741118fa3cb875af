"""Pictures of boards: one hex every second character, even-numbered rows pushed by one (odd-r)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from rulekit.files.findings import Findings, Place
from rulekit.files.toml import Entry
from rulekit.hexgrid import DIGIT_FACING, Facing, column_letters

WATER, LAND, BLOCK = ".#*"
SPOTS = "ABCabc"

MOST_HEXES = 10_000
"""A board of more hexes is refused at once: the game's has about 700, and what is worked out grows faster than it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a picture shows at a hex: its symbol, a spot's side, and the place in the file."""

    symbol: str
    place: Place
    side: Facing | None = None


@dataclass(frozen=True)
class Picture:
    """A board by (column, row), both from 0; `widths` is how many hexes each row has."""

    cells: Mapping[tuple[int, int], Cell]
    widths: tuple[int, ...]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.widths)

    @property
    def columns(self) -> int:
        """Hexes in the longest row."""
        return max(self.widths)


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a picture behind its ruler: its number from 0, its line in the text, how much was cut off."""

    number: int
    line: int
    cut: int
    text: str


class PictureReader:
    """Reads one picture; `symbols` are the characters that may stand in it."""

    def __init__(self, entry: Entry, findings: Findings, symbols: str = WATER + LAND + SPOTS) -> None:
        self.entry, self.findings, self.symbols = entry, findings, symbols
        self.cells: dict[tuple[int, int], Cell] = {}
        self.sound, self.shifted = True, False

    def read(self, text: str) -> Picture | None:
        """The picture of a text; None where faults were noted."""
        lines = text.split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        ruler = lines[0] if lines and re.fullmatch(r" *[A-Za-z][A-Za-z ]*", lines[0]) else None
        first = 0 if ruler is None else 1
        rows = self.rows(lines[first:], first)
        if not rows:
            self.fault("picture", "the picture has no rows", 0, 0)
            return None
        if self.too_large(rows):
            return None
        widths = tuple(map(self.row, rows))
        if ruler is not None and self.sound:
            self.check_ruler(ruler, rows[0].cut, max(widths))
        return Picture(self.cells, widths) if self.sound else None

    def fault(self, code: str, message: str, line: int, column: int) -> None:
        self.sound = False
        self.findings.error(code, message, self.entry.at(line, column))

    def too_large(self, rows: list[_Row]) -> bool:
        """Whether a board has too many hexes, before they are read."""
        hexes = sum((len(row.text) + 1) // 2 for row in rows)
        if hexes > MOST_HEXES:
            self.fault("size", size_message(hexes), 0, 0)
        return hexes > MOST_HEXES

    def rows(self, lines: list[str], first: int) -> list[_Row]:
        """The lines without their labels, the spaces behind the colon that all odd rows share cut off with them."""
        labels = [re.match(r" *(\d+) *:", line) for line in lines]
        behind = [_indent(line[label.end() :]) for line, label in zip(lines[::2], labels[::2], strict=True) if label]
        rows = []
        for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
            if label and label[1] != str(number + 1):
                message = f"the row is labelled {label[1][:9]}, but it is row {number + 1}"
                self.fault("ruler", message, first + number, label.start(1))
            cut = label.end() + min(behind, default=0) if label else 0
            rows.append(_Row(number, first + number, min(cut, len(line)), line[cut:].rstrip()))
        return rows

    def check_ruler(self, ruler: str, cut: int, columns: int) -> None:
        """Each column's last letter stands over its hex of the odd rows."""
        want = [" "] * (cut + 2 * columns - 1)
        for column in range(columns):
            letters = column_letters(column)[-2:]
            for back, letter in enumerate(reversed(letters)):
                if cut + 2 * column - back >= 0:
                    want[cut + 2 * column - back] = letter
        pairs = enumerate(zip_longest(ruler.rstrip(), want, fillvalue=" "))
        wrong = next((at for at, (got, need) in pairs if got.upper() != need), None)
        if wrong is not None:
            need = f"'{want[wrong]}'" if wrong < len(want) else "nothing"
            near = "".join(want) if columns <= 30 else "".join(want[:60]) + "…"
            self.fault("ruler", f"wrong column ruler: {need} should stand here; it should read '{near}'", 0, wrong)

    def row(self, row: _Row) -> int:
        """Read a row into `cells`, up to its first fault; how many hexes it has."""
        indent = row.number % 2
        if not row.text:
            return self.row_fault(row, "empty-row", "an empty row", 0)
        if "\t" in row.text:
            return self.row_fault(row, "parity", "a tab: write spaces instead", row.text.index("\t"))
        was_shifted, self.shifted = self.shifted, self.is_shifted(row, indent)
        if self.shifted:
            # Where a row is missing, all rows after it are shifted: one fault is enough.
            return 0 if was_shifted else self.row_fault(row, "shifted-row", _shift_message(row.number), 0)
        if indent and row.text[0] != " ":
            return self.row_fault(row, "parity", "an even-numbered row begins one character in", 0)
        column = 0
        for at in range(indent, len(row.text), 2):
            if not self.hexagon(row, column, at, row.text[at], row.text[at + 1 : at + 2] or " "):
                break
            column += 1
        return column

    def is_shifted(self, row: _Row, indent: int) -> bool:
        """Whether a row would be well-formed, had it begun one character earlier or later."""
        begins = int(row.text[0] == " ")
        moved = row.text[begins:]
        return begins != indent and set(moved[::2]) <= set(self.symbols) and set(moved[1::2]) <= set(" 123456789")

    def row_fault(self, row: _Row, code: str, message: str, at: int) -> int:
        self.fault(code, f"row {row.number + 1}: {message}", row.line, row.cut + at)
        return 0

    def hexagon(self, row: _Row, column: int, at: int, symbol: str, behind: str) -> bool:
        """Read one hex and the character behind it; whether there was no fault."""
        fault = self.symbol_fault(row, at, symbol) or self.behind_fault(symbol, behind)
        if fault:
            code, message, shift = fault
            self.row_fault(row, code, message, at + shift)
            return False
        side = DIGIT_FACING[behind] if symbol in SPOTS else None
        self.cells[column, row.number] = Cell(symbol, self.entry.at(row.line, row.cut + at), side)
        return True

    def symbol_fault(self, row: _Row, at: int, symbol: str) -> tuple[str, str, int] | None:
        if symbol == " ":
            return "parity", "a space where a hex should stand: there is one hex every second character", 0
        if symbol not in self.symbols:
            return "symbol", f"{symbol!r} is no hex of this picture: use {' '.join(self.symbols)}", 0
        return None

    def behind_fault(self, symbol: str, behind: str) -> tuple[str, str, int] | None:
        if symbol in SPOTS and behind not in DIGIT_FACING:
            found = "" if behind in " " + self.symbols else f", not {behind!r}"
            return "spot-digit", f"the letter {symbol} needs the digit of its side: 7 9 4 6 1 or 3{found}", 1
        if symbol not in SPOTS and behind != " ":
            what = "a digit, but no letter before it" if behind.isdigit() else f"{behind!r} stands between two hexes"
            return ("spot-digit" if behind.isdigit() else "parity"), what, 1
        return None


def size_message(hexes: int) -> str:
    """What is said of a board that is too large."""
    return f"the board has about {hexes:,} hexes: a board has at most {MOST_HEXES:,}"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _shift_message(number: int) -> str:
    return "an even-numbered row begins one character in" if number % 2 else "an odd-numbered row begins at the margin"


def read_picture(text: str, entry: Entry, findings: Findings, symbols: str = WATER + LAND + SPOTS) -> Picture | None:
    """The picture of a text that stands at an entry; None where faults were noted."""
    return PictureReader(entry, findings, symbols).read(text)
