"""The words of a transcript's line, each with its place, and what is said of one that does not fit."""

import re
from dataclasses import dataclass, field

from rulekit.files.findings import Place
from rulekit.hexgrid import Facing, Hex, parse_facing, parse_hex

COMMENT = re.compile(r"(^|\s)#.*$")


class Slip(Exception):
    """A word that does not fit: what to say of it, and where (None: at the line's beginning)."""

    def __init__(self, code: str, message: str, place: Place | None = None, rule: str | None = None) -> None:
        self.code, self.message, self.place, self.rule = code, message, place, rule
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line and where it stands."""

    text: str
    place: Place


@dataclass
class Line:
    """A line's words, taken one after the other: blanks and commas part them, `+` and `:` stand alone."""

    number: int
    text: str
    words: list[Word] = field(default_factory=list)

    @classmethod
    def of(cls, number: int, text: str) -> "Line":
        """A line with its comment cut off."""
        body = COMMENT.sub("", text)
        found = re.finditer(r"[+:]|[^\s+:,]+", body)
        return cls(number, body, [Word(match[0], Place(number, match.start() + 1)) for match in found])

    @property
    def beginning(self) -> Place:
        """Where its first word stands."""
        return Place(self.number, 1 + len(self.text) - len(self.text.lstrip()))

    @property
    def end(self) -> Place:
        """Where the next word would stand."""
        return Place(self.number, 1 + len(self.text.rstrip()))

    @property
    def next(self) -> Place:
        """Where the next word stands, or would stand."""
        return self.words[0].place if self.words else self.end

    def peek(self) -> str:
        """The next word, empty at the end."""
        return self.words[0].text if self.words else ""

    def take(self, what: str) -> Word:
        """The next word; raises Slip at the end, saying what is missing."""
        if not self.words:
            raise Slip("missing", f"{what} is missing", self.end)
        return self.words.pop(0)

    def colon(self) -> None:
        """The colon behind a key."""
        if self.peek() != ":":
            place = self.words[0].place if self.words else self.end
            raise Slip("colon", "a colon is missing here", place)
        self.words.pop(0)

    def rest(self) -> Word:
        """Everything behind the colon as one text."""
        text = self.text.partition(":")[2]
        start = 1 + len(self.text) - len(text.lstrip())
        self.words = []
        if not text.strip():
            raise Slip("missing", "nothing stands behind the colon", self.end)
        odd = next((at for at, char in enumerate(text.strip()) if not char.isprintable()), None)
        if odd is not None:
            raise Slip("text", "a control character stands here", Place(self.number, start + odd))
        return Word(text.strip(), Place(self.number, start))

    def done(self) -> None:
        """Raises Slip for words too many."""
        if self.words:
            raise Slip("words", f"'{self.words[0].text}' is one word too many", self.words[0].place)


def number(word: Word, what: str, least: int, most: int) -> int:
    """A whole number; raises Slip."""
    text = word.text
    if not (text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most):
        wanted = f"a number from {least} to {most}" if least < most else str(least)
        raise Slip("number", f"{what} is {wanted}, not '{text}'", word.place)
    return int(text)


def hexagon(word: Word) -> Hex:
    """A hex by its name; raises Slip."""
    try:
        return parse_hex(word.text)
    except ValueError as fault:
        raise Slip("hex", str(fault), word.place) from None


def facing(word: Word) -> Facing:
    """A facing by its name; raises Slip."""
    try:
        return parse_facing(word.text)
    except ValueError as fault:
        raise Slip("facing", str(fault), word.place) from None
