"""Typed access to the tables of a document: every slip is noted with its place, none stops the reading."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from rulekit.errors import did_you_mean, one_of
from rulekit.files.findings import Findings, Place
from rulekit.files.toml import Document, Entry, Path

T = TypeVar("T")

TYPE_WORDS: Mapping[type, str] = {
    str: "a text in quotes", int: "a whole number", bool: "true or false", float: "a decimal number",
    list: "a list [ … ]", dict: "a table",
}  # fmt: skip

LONGEST_TEXT = 500
"""Characters of a name, a path or a place."""

FORMATS: Mapping[str, str] = {"lake": "rulekit/lake-1", "course": "rulekit/course-1", "track": "rulekit/track-1"}
"""The format key of each kind of file."""


class Table:
    """One table of a document. Keys that are not in `known` are noted at once."""

    def __init__(self, document: Document, findings: Findings, path: Path, known: Sequence[str]) -> None:
        self.document, self.findings, self.path = document, findings, path
        self.values: Mapping[str, Any] = _value_at(document.values, path)
        for key in self.values:
            if key not in known:
                self._unknown(key, known)

    def _unknown(self, key: str, known: Sequence[str]) -> None:
        place = self.entry(key).key
        where = f" in {self.bracketed}" if self.path else ""
        self.findings.error("unknown-key", f"unknown key '{key}'{where}{did_you_mean(key, known)}", place)

    @property
    def title(self) -> str:
        """The table's name in messages: its keys without the indices."""
        return ".".join(str(part) for part in self.path if isinstance(part, str))

    @property
    def bracketed(self) -> str:
        """The title as it stands in the file: in double brackets where there may be several such tables."""
        return f"[[{self.title}]]" if isinstance(self.path[-1], int) else f"[{self.title}]"

    @property
    def header(self) -> Place:
        """Where the table begins."""
        return self.document.entry(self.path).key

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def entry(self, key: str, *more: str | int) -> Entry:
        """The entry of a key, or of a value inside it; the table's own where the key is missing."""
        return self.document.entry((*self.path, key, *more))

    def place(self, key: str) -> Place:
        """Where the value of a key stands; the table's header where it is missing."""
        return self.entry(key).value

    def error(self, code: str, message: str, key: str, rule: str | None = None) -> None:
        """Note an error at the value of a key."""
        self.findings.error(code, message, self.place(key), rule)

    def require(self, *keys: str) -> bool:
        """Note the keys that are missing; whether none is."""
        missing = [key for key in keys if key not in self.values]
        where = f" in {self.bracketed}" if self.path else ""
        for key in missing:
            self.findings.error("missing-key", f"the key '{key}' is missing{where}", self.header)
        return not missing

    def typed(self, key: str, kind: type[T]) -> T | None:
        """The value of a key where it has the type; None where it is missing or noted."""
        value = self.values.get(key)
        if value is None or type(value) is kind:
            return value
        self.error("type", f"'{key}' must be {TYPE_WORDS[kind]}, not {shown(value)}", key)
        return None

    def text(self, key: str) -> str | None:
        """A text on one line that can be printed anywhere; None where it is missing or noted."""
        text = self.typed(key, str)
        if text is not None and not (text.strip() and text.isprintable() and len(text) <= LONGEST_TEXT):
            what = f"a text on one line, without control characters, not empty, of at most {LONGEST_TEXT} characters"
            self.error("value", f"'{key}' must be {what}", key)
            return None
        return text

    def integer(self, key: str, least: int, most: int) -> int | None:
        """A whole number in a range; None where it is missing or noted."""
        number = self.typed(key, int)
        if number is not None and not least <= number <= most:
            self.error("value", f"'{key}' must be from {least} to {most}, not {shown(number)}", key)
            return None
        return number

    def choice(self, key: str, options: Mapping[str, T]) -> T | None:
        """The meaning of a word; None where it is missing or noted."""
        word = self.typed(key, str)
        return None if word is None else self.option(word, options, self.place(key), key)

    def option(self, word: str, options: Mapping[str, T], place: Place, key: str) -> T | None:
        """The meaning of a word that stands at a place; None where it is noted."""
        if word in options:
            return options[word]
        near = _same_but_case(word, options) or did_you_mean(word, options)
        self.findings.error("value", f"'{key}' must be {one_of(options)}, not {shown(word)}{near}", place)
        return None

    def one_or_each(self, key: str, count: int, read: Callable[[Any, Place], T | None]) -> tuple[T, ...] | None:
        """A list of `count` values, or one value that stands for all; None where it is missing or noted."""
        if key not in self.values:
            return None
        if not isinstance(self.values[key], list):
            one = read(self.values[key], self.place(key))
            return None if one is None else (one,) * count
        return self.each(key, count, read)

    def each(self, key: str, count: int, read: Callable[[Any, Place], T | None]) -> tuple[T, ...] | None:
        """A list of `count` values; None where it is missing or noted."""
        values = self.typed(key, list)
        if values is None:
            return None
        if len(values) != count:
            self.error("value", f"'{key}' must have {count} entries, one a hex, not {len(values)}", key)
        found = [read(value, self.entry(key, index).value) for index, value in enumerate(values)]
        whole = tuple(one for one in found if one is not None)
        return whole if len(whole) == count == len(values) else None

    def table(self, key: str, known: Sequence[str]) -> "Table | None":
        """The table at a key; None where it is missing or noted."""
        if self.typed(key, dict) is None:
            return None
        return Table(self.document, self.findings, (*self.path, key), known)

    def tables(self, key: str, known: Sequence[str]) -> list["Table"]:
        """The [[tables]] at a key; what is no table is noted."""
        values = self.values.get(key, [])
        if isinstance(values, dict):
            self.error("type", f"write [[{key}]], in double brackets: there may be several", key)
            return []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.error("type", f"'{key}' must be tables [[{key}]]", key)
            return []
        return [Table(self.document, self.findings, (*self.path, key, index), known) for index in range(len(values))]


def _value_at(values: Any, path: Path) -> Any:
    for part in path:
        values = values[part]
    return values


def _same_but_case(word: str, options: Iterable[str]) -> str:
    same = [option for option in options if option.lower() == word.lower()]
    return f" (did you mean '{same[0]}'?)" if same else ""


def shown(value: Any) -> str:
    """A value in a message, cut where it is long."""
    if isinstance(value, (list, dict)):
        return TYPE_WORDS[type(value)]
    text = repr(value) if isinstance(value, str) else str(value).lower()
    return text if len(text) <= 40 else text[:38] + "…"


def kind_of(document: Document, findings: Findings) -> str:
    """The kind of a file by its format key: lake, course or track.

    Raises FileFaults where the key is missing or says something else, another version too (code `format`).
    """
    place = document.entry(("format",)).value
    value = document.values.get("format")
    for kind, name in FORMATS.items():
        if value == name:
            return kind
    raise findings.failure("format", _format_message(value), place)


def _format_message(value: Any) -> str:
    if value is None:
        return f"the first key must tell the format: format = {one_of(FORMATS.values()).replace(chr(39), chr(34))}"
    match = re.fullmatch(r"rulekit/(lake|course|track)-(.+)", value) if isinstance(value, str) else None
    if match:
        return f"this rulekit reads version 1 of the {match[1]} format, not version {shown(match[2])}"
    near = did_you_mean(value, FORMATS.values()) if isinstance(value, str) else ""
    return f"'format' must be {one_of(FORMATS.values())}, not {shown(value)}{near}"


def need_kind(document: Document, findings: Findings, wanted: str) -> None:
    """Raises FileFaults where a file is of another kind (code `format`)."""
    kind = kind_of(document, findings)
    if kind != wanted:
        place = document.entry(("format",)).value
        raise findings.failure("format", f"this is a {kind}, where a {wanted} is needed", place)
