"""TOML with the place of every key and value.

`tomllib` gives the values and judges the syntax; a scanner that may then trust the text finds where each one stands.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rulekit.files.findings import Findings, Place
from rulekit.files.source import Source

Path = tuple[str | int, ...]
"""The way to a value: keys and indices from the top."""

TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline table key")
"""How tomllib's messages begin where something is told for a second time."""

QUOTES = "'''"
"""What pictures stand between."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a key and its value stand; `rows` is where the text of a multi-line string begins."""

    key: Place
    value: Place
    rows: Place | None = None

    def at(self, row: int, column: int) -> Place:
        """The place of a character of a string value: its row and column, both from 0.

        In a string on one line, whose line breaks are written as escapes, that is the string itself.
        """
        if self.rows is None:
            return Place(self.value.line, self.value.column + (column + 1 if row == 0 else 0))
        return Place(self.rows.line + row, column + (self.rows.column if row == 0 else 1))


@dataclass(frozen=True)
class Document:
    """A TOML file: its values and, by path, the entry of each. The top itself is at `()`."""

    source: Source
    values: Mapping[str, Any]
    entries: Mapping[Path, Entry]

    def entry(self, path: Path) -> Entry:
        """The entry of a path, or of the nearest table that holds it."""
        while path not in self.entries:
            path = path[:-1]
        return self.entries[path]


def parse(source: Source, findings: Findings) -> Document:
    """The document of a TOML text.

    Raises FileFaults with the place where the syntax breaks (code `toml`).
    """
    try:
        values = tomllib.loads(source.text)
        return Document(source, values, _Scanner(source.text).scan())
    except RecursionError:
        raise findings.failure("toml", "not TOML: nested too deeply", Place(1, 1)) from None
    except ValueError as fault:
        message, place = _syntax_fault(str(fault), source.text)
        raise findings.failure("toml", f"not TOML: {message}", place) from None


def _syntax_fault(message: str, text: str) -> tuple[str, Place]:
    """tomllib tells the place in its message: cut it out."""
    match = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    place = Place(int(match[1]), int(match[2])) if match else _Lines(text).place(len(text))
    twice = _said_twice(text, place) if message.startswith(TWICE) else None
    if twice:
        return twice
    if match:
        return message[: match.start()], place
    if message.startswith(f'Expected "{QUOTES}"'):
        return f"the text that opens here with {QUOTES} never ends", _Lines(text).place(text.rfind(QUOTES))
    huge = re.search(r"\d{4000,}", text)
    if huge:
        return "a number with too many digits", _Lines(text).place(huge.start())
    return message.removesuffix(" (at end of document)"), place


def _said_twice(text: str, place: Place) -> tuple[str, Place] | None:
    """The key or table that stands at about this place for a second time, and where it stood first."""
    scanner = _Scanner(text)
    with suppress(ValueError, IndexError, StopIteration, KeyError):
        # What stands behind the place may be no TOML at all.
        scanner.scan()
    known = [(path, first, second) for path, first, second in scanner.twice if second <= place]
    if not known:
        return None
    path, first, second = known[-1]
    name = ".".join(part for part in path if isinstance(part, str))
    remedy = f"keep one of them{_or_a_list(text, name, first, second)}"
    return f"'{name}' stands here for the second time: the first is in line {first.line}, {remedy}", second


def _or_a_list(text: str, name: str, first: Place, second: Place) -> str:
    """Who writes one header of a table in two brackets means a list: the other header lacks a pair."""
    headers = {place.line: text.split("\n")[place.line - 1].lstrip() for place in (first, second)}
    single = [line for line, header in headers.items() if re.match(r"\[(?!\[)", header)]
    if len(single) == 1 and any(header.startswith("[[") for header in headers.values()):
        return f", or write [[{name}]] in line {single[0]} for a list of them"
    return ""


class _Lines:
    """From offsets in a text to lines and columns."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]

    def place(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return Place(line, offset - self.starts[line - 1] + 1)


_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    re.compile(r'"""(?:\\.|(?!""").)*"{3,5}', re.DOTALL),
    re.compile(r"'''(?:(?!''').)*'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\])*"'),
    re.compile(r"'[^']*'"),
)


class _Scanner:
    """One walk over a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = _Lines(text)
        self.counts: dict[Path, int] = {}
        top = Place(1, 1)
        self.entries: dict[Path, Entry] = {(): Entry(top, top)}
        self.twice: list[tuple[Path, Place, Place]] = []

    def scan(self) -> dict[Path, Entry]:
        table: Path = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.entries

    def here(self) -> Place:
        return self.lines.place(self.at)

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Go past what matches here, and return it."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError(f"unexpected text (at line {self.here().line}, column {self.here().column})")
        self.at = match.end()
        return match[0]

    def header(self) -> Path:
        """[table] or [[table]]: its path."""
        place = self.here()
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        keys = [key for key, _ in self.dotted()]
        self.at += 2 if many else 1
        path: Path = ()
        for key in keys[:-1]:
            path = self.inside((*path, key), place)
        path = (*path, keys[-1])
        if path in self.entries and (many != (path in self.counts) or not many):
            self.twice.append((path, self.entries[path].key, place))
        if many:
            self.counts[path] = self.counts.get(path, 0) + 1
        path = self.inside(path, place)
        self.entries[path] = Entry(place, place)
        return path

    def inside(self, path: Path, place: Place) -> Path:
        """A path, with the index of the last table where it is a list of tables."""
        self.entries.setdefault(path, Entry(place, place))
        return (*path, self.counts[path] - 1) if path in self.counts else path

    def dotted(self) -> list[tuple[str, Place]]:
        """A key: its parts with their places."""
        parts = []
        while True:
            self.skip(_SPACE)
            place = self.here()
            parts.append((self.key_part(), place))
            self.skip(_SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return parts
            self.at += 1

    def key_part(self) -> str:
        if self.text[self.at] not in "\"'":
            return self.skip(_BARE)
        quoted = self.string()
        return next(iter(tomllib.loads(f"{quoted} = 0")))

    def string(self) -> str:
        """Go past a string of any kind, and return it as it is written."""
        return self.skip(next(pattern for pattern in _STRINGS if pattern.match(self.text, self.at)))

    def pair(self, table: Path) -> None:
        """key = value."""
        path = table
        parts = self.dotted()
        for key, place in parts:
            path = (*path, key)
            if path in self.entries:
                self.twice.append((path, self.entries[path].key, place))
            self.entries.setdefault(path, Entry(place, place))
        self.at += 1
        self.skip(_SPACE)
        self.value(path, parts[-1][1])

    def value(self, path: Path, key: Place) -> None:
        start, place = self.at, self.here()
        opening = self.text[start]
        rows = None
        if opening in "\"'":
            rows = self.rows_of(start, self.string())
        elif opening == "[":
            self.array(path)
        elif opening == "{":
            self.inline_table(path)
        else:
            self.skip(_SCALAR)
        self.entries[path] = Entry(key, place, rows)

    def rows_of(self, start: int, string: str) -> Place | None:
        """Where the text of a multi-line string begins: behind the quotes and a line break there."""
        if len(string) < 6 or string[:3] not in ('"""', "'''"):
            return None
        return self.lines.place(start + (4 if string[3] == "\n" else 3))

    def array(self, path: Path) -> None:
        self.at += 1
        self.skip(_BLANK)
        index = 0
        while self.text[self.at] != "]":
            self.value((*path, index), self.here())
            index += 1
            self.separator()
        self.at += 1

    def inline_table(self, path: Path) -> None:
        self.at += 1
        self.skip(_BLANK)
        while self.text[self.at] != "}":
            self.pair(path)
            self.separator()
        self.at += 1

    def separator(self) -> None:
        self.skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_BLANK)
