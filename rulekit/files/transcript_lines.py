"""What readers of all transcripts share: the first line, readings, seats, results, and how a line is judged."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from rulekit.errors import BadInput, did_you_mean
from rulekit.files.findings import Findings
from rulekit.files.source import Source
from rulekit.files.transcript import FIRST_LINE, Columns, ResultLine, SeatLine
from rulekit.files.transcript_words import COMMENT, Line, Slip, Word, number
from rulekit.readings import Readings

SEAT_LINE = re.compile(r"(?:(?P<name>.*?)\s*(?:,\s*|^))?policy\s+(?P<policy>\S+)$")
MOST_DAMAGE = 999

R = TypeVar("R", bound=Readings)

Readers = Mapping[str, Callable[[Line, Word], None]]
"""What reads a line, by its key."""


class LineReader(Generic[R]):
    """Reads line by line; a faulty line is noted and skipped, so that every line is judged.

    `kind` are the game's readings, `most` is how many seats it takes.
    """

    def __init__(self, source: Source, kind: type[R], most: int) -> None:
        self.findings = Findings(source.path)
        self.texts = source.text.split("\n")
        self.rows = [Line.of(k, text) for k, text in enumerate(self.texts, 1)]
        self.kind, self.most = kind, most
        self.seats: list[SeatLine] = []
        self.readings: R | None = None
        self.places: Columns = {}

    @property
    def known_readings(self) -> R:
        """The readings told so far."""
        return self.readings or self.kind()

    def top(self) -> tuple[list[str], list[Line]]:
        """The comment at the top, and the lines with words below the first one."""
        comment = self.head()
        return comment, [line for line in self.rows[len(comment) + 1 :] if line.words]

    def head(self) -> list[str]:
        """The comment at the top, up to the first line; raises FileFaults where this is no transcript."""
        comment: list[str] = []
        for line, text in zip(self.rows, self.texts, strict=True):
            if text.startswith("#"):
                comment.append(text[1:].removeprefix(" ").rstrip())
            else:
                self.first_line(line, text)
                break
        else:
            self.first_line(self.rows[-1], "")
        return comment

    def first_line(self, line: Line, text: str) -> None:
        """Raises FileFaults for another format or version."""
        words = COMMENT.sub("", text).split()
        if words == FIRST_LINE.split():
            return
        if words[:2] == FIRST_LINE.split()[:2]:
            raise self.findings.failure(
                "version", f"this rulekit reads '{FIRST_LINE}', not version '{' '.join(words[2:])}'", line.beginning
            )
        raise self.findings.failure("format", f"a transcript begins with the line '{FIRST_LINE}'", line.beginning)

    def judge(self, line: Line, readers: Readers, wanted: str) -> None:
        """Read one line by its key, or note what is wrong with it."""
        key = line.peek()
        try:
            if key not in readers:
                raise Slip("key", f"'{key}'{did_you_mean(key, list(readers))}: {wanted} one of {', '.join(readers)}")
            readers[key](line, line.take("the key"))
            line.done()
        except Slip as slip:
            self.note(line, slip)

    def note(self, line: Line, slip: Slip) -> None:
        """Note a line's fault."""
        self.findings.error(slip.code, slip.message, slip.place or line.beginning, slip.rule)

    # Lines of all games

    def answers(self, line: Line, key: Word) -> None:
        """The readings."""
        line.colon()
        text = line.rest()
        if self.readings is not None:
            raise Slip("twice", "the readings are told twice: put them on one line", key.place)
        self.readings = self.kind()
        try:
            self.readings = self.kind.parse([text.text])
        except BadInput as fault:
            raise Slip("reading", str(fault), text.place) from None

    def seat(self, line: Line, key: Word) -> None:
        """Who sits at a seat."""
        told = line.take("the seat's number")
        seat = number(told, "a seat", 1, self.most)
        line.colon()
        text = line.rest()
        policy = SEAT_LINE.fullmatch(text.text)
        who = (policy["name"] or "", policy["policy"]) if policy else (text.text, "human")
        self.seats.append(
            SeatLine(who[0], None if who[1] == "human" else who[1], {"line": key.place, "who": text.place})
        )
        if seat != len(self.seats):
            raise Slip("seat", f"seat {len(self.seats)} comes next, not seat {seat}", told.place)

    def known_seat(self, word: Word) -> int:
        """A seat's index; raises Slip."""
        seats, text = len(self.seats), word.text
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            raise Slip("seat", f"'{text}' is no seat's number", word.place)
        if not 1 <= int(text) <= seats:
            raise Slip("seat", f"there is no seat {text}: the seats are 1 to {seats}", word.place)
        return int(text) - 1

    def take_seat(self, line: Line) -> Word:
        """The seat at a line's beginning with its colon."""
        seat = line.take("the seat")
        line.colon()
        self.known_seat(seat)
        return seat

    def ranked(self, line: Line, key: Word, due: int) -> ResultLine:
        """A line of results or standings."""
        told = line.take("the place")
        rank = number(told, "the next place", due, due)
        line.colon()
        word = line.take("the seat")
        if word.text != "seat":
            raise Slip("result", f"'{word.text}' should be 'seat', as in 'result 1: seat 2, 4 points'", word.place)
        seat, points = line.take("the seat's number"), line.take("the points")
        unit = line.take("the word 'points'")
        if unit.text not in ("point", "points"):
            raise Slip("result", f"'{unit.text}' should be 'points'", unit.place)
        places = {"line": key.place, "rank": told.place, "seat": seat.place, "points": points.place}
        return ResultLine(rank, self.known_seat(seat), number(points, "a score", 0, 99_999), places)


def no_die(text: str, faces: Sequence[int]) -> str:
    """What is said of a die's value that no die shows, with the near miss."""
    shown = ", ".join(map(str, sorted(set(faces))))
    apart = len(text) > 1 and text.isascii() and text.isdigit() and all(int(digit) in faces for digit in text)
    near = f" (did you mean '{' '.join(text)}'?)" if apart else ""
    return f"no die shows {text}: the faces are {shown}{near}"
