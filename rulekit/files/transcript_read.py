"""Reading transcripts: every fault with line and column, then the value (see `transcript` for the form)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulekit.errors import BadInput, did_you_mean
from rulekit.files.findings import Findings, Place
from rulekit.files.source import Source
from rulekit.files.transcript import (
    FIRST_LINE,
    Columns,
    PlaceLine,
    RaceLines,
    ResultLine,
    SeatLine,
    Transcript,
    TurnLine,
)  # fmt: skip
from rulekit.files.transcript_words import COMMENT, Line, Slip, Word, facing, hexagon, number
from rulekit.powerboats.race import LEAST_SEATS, MOST_SEATS
from rulekit.readings import PowerboatsReadings

KEYS = ("course", "readings", "seat", "start", "race", "place", "result", "final")
SEAT_LINE = re.compile(r"(?:(?P<name>.*?)\s*(?:,\s*|^))?policy\s+(?P<policy>\S+)$")
MOST_DAMAGE = 999


def read_transcript(source: Source) -> Transcript:
    """The transcript of a text; raises FileFaults with every fault found in it.

    Whether the game follows the rules is the referee's business, not the reader's.
    """
    return _Reader(source).read()


class _Reader:
    """Reads line by line; a faulty line is noted and skipped, so that every line is judged."""

    def __init__(self, source: Source) -> None:
        self.findings = Findings(source.path)
        self.rows = [Line.of(k, text) for k, text in enumerate(source.text.split("\n"), 1)]
        self.texts = source.text.split("\n")
        self.courses: list[Word] = []
        self.seats: list[SeatLine] = []
        self.readings: PowerboatsReadings | None = None
        self.start: int | None = None
        self.places: Columns = {}
        self.races: list[_Race] = []
        self.final: list[ResultLine] = []
        self.final_ranks = 0

    def read(self) -> Transcript:
        comment = self.head()
        body = [line for line in self.rows[len(comment) + 1 :] if line.words]
        head = next((k for k, line in enumerate(body) if line.peek() == "race"), len(body))
        for line in body[:head]:
            self.judge(line)
        self.check_head()
        self.findings.stop()
        for line in body[head:]:
            self.judge(line)
        self.findings.stop()
        return Transcript(
            tuple(word.text for word in self.courses), tuple(self.seats), self.start or 0, self.known_readings,
            tuple(race.lines() for race in self.races), tuple(self.final), tuple(comment), self.places,
        )  # fmt: skip

    @property
    def known_readings(self) -> PowerboatsReadings:
        return self.readings or PowerboatsReadings()

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
        words = COMMENT.sub("", text).split()
        if words == FIRST_LINE.split():
            return
        if words[:2] == FIRST_LINE.split()[:2]:
            raise self.findings.failure(
                "version", f"this rulekit reads '{FIRST_LINE}', not version '{' '.join(words[2:])}'", line.beginning
            )
        raise self.findings.failure("format", f"a transcript begins with the line '{FIRST_LINE}'", line.beginning)

    def judge(self, line: Line) -> None:
        """Read one line into place, or note what is wrong with it."""
        key = line.peek()
        try:
            if key.isdigit():
                self.turn(line)
            elif key in KEYS:
                readers: dict[str, Callable[[Line, Word], None]] = {
                    "course": self.course, "readings": self.answers, "seat": self.seat, "start": self.starter,
                    "race": self.race, "place": self.placed, "result": self.result, "final": self.final_line,
                }  # fmt: skip
                readers[key](line, line.take("the key"))
            else:
                wanted = f"a line begins with a seat's number or one of {', '.join(KEYS)}"
                raise Slip("key", f"'{key}'{did_you_mean(key, KEYS)}: {wanted}")
            line.done()
        except Slip as slip:
            self.findings.error(slip.code, slip.message, slip.place or line.beginning, slip.rule)

    # The head

    def course(self, line: Line, _key: Word) -> None:
        self.only_in_head("course")
        line.colon()
        name = line.rest()
        self.courses.append(name)
        self.places[f"course {len(self.courses)}"] = name.place

    def answers(self, line: Line, key: Word) -> None:
        self.only_in_head("readings")
        line.colon()
        text = line.rest()
        if self.readings is not None:
            raise Slip("twice", "the readings are told twice: put them on one line", key.place)
        self.readings = PowerboatsReadings()
        try:
            self.readings = PowerboatsReadings.parse([text.text])
        except BadInput as fault:
            raise Slip("reading", str(fault), text.place) from None

    def seat(self, line: Line, key: Word) -> None:
        self.only_in_head("seat")
        told = line.take("the seat's number")
        seat = number(told, "a seat", 1, MOST_SEATS)
        line.colon()
        text = line.rest()
        policy = SEAT_LINE.fullmatch(text.text)
        who = (policy["name"] or "", policy["policy"]) if policy else (text.text, "human")
        self.seats.append(
            SeatLine(who[0], None if who[1] == "human" else who[1], {"line": key.place, "who": text.place})
        )
        if seat != len(self.seats):
            raise Slip("seat", f"seat {len(self.seats)} comes next, not seat {seat}", told.place)

    def starter(self, line: Line, key: Word) -> None:
        self.only_in_head("start")
        line.colon()
        told = line.take("the start player's seat")
        if self.start is not None:
            raise Slip("twice", "the start player is told twice", key.place)
        self.places["start"] = told.place
        self.start = 0
        self.start = self.known_seat(told)

    def only_in_head(self, key: str) -> None:
        if self.races:
            raise Slip("order", f"'{key}' stands above the first race")

    def check_head(self) -> None:
        """What the head must tell."""
        place = next((line.beginning for line in self.rows if line.peek() == "race"), self.rows[-1].end)
        if not self.courses:
            self.findings.error("course", "no course is named: write a line such as 'course: lagoon-a'", place)
        if not self.seats:
            self.findings.error("seat", "no seat is named: write a line such as 'seat 1: Ann'", place, "PB-4")
        if self.start is None:
            self.findings.error("start", "who starts is missing: write a line such as 'start: 1'", place, "PB-14")

    def known_seat(self, word: Word) -> int:
        seats = len(self.seats)
        text = word.text
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            raise Slip("seat", f"'{text}' is no seat's number", word.place)
        if not LEAST_SEATS <= int(text) <= seats:
            raise Slip("seat", f"there is no seat {text}: the seats are 1 to {seats}", word.place)
        return int(text) - 1

    # A race

    def race(self, line: Line, key: Word) -> None:
        told = line.take("the race's number")
        count = number(told, "a race", 1, MOST_DAMAGE)
        due = len(self.races) + 1
        self.races.append(_Race(key.place))
        if self.final:
            raise Slip("order", "the match's standings stand above a race", key.place)
        if count != due:
            raise Slip("race", f"race {due} comes next, not race {count}", told.place)
        if due > len(self.courses) > 0:
            raise Slip("race", f"there are {len(self.courses)} courses, so no race {due}", told.place)

    def placed(self, line: Line, key: Word) -> None:
        race = self.under_way("placing")
        seat = self.take_seat(line)
        at, way = line.take("the hex"), line.take("the facing")
        if race.turns or race.results:
            raise Slip("order", "boats are placed before the first turn", key.place, "PB-13")
        places = {"line": key.place, "seat": seat.place, "at": at.place, "facing": way.place}
        race.placed.append(PlaceLine(self.known_seat(seat), hexagon(at), facing(way), places))

    def turn(self, line: Line) -> None:
        race = self.under_way("a turn")
        if race.results:
            raise Slip("order", "a turn stands below the race's results")
        places = {"line": line.beginning}
        seat = self.take_seat(line)
        places["seat"] = seat.place
        kept, rolled = self.dice(line, places)
        way, end = line.take("the direction"), line.take("the end hex")
        places |= {"facing": way.place, "end": end.place}
        marks = self.marks(line, places)
        race.turns.append(
            TurnLine(self.known_seat(seat), kept, rolled, facing(way),
                     None if end.text == "out" else hexagon(end), marks.get("damage", 0),
                     "finished" in marks, "sunk" in marks, places)
        )  # fmt: skip

    def dice(self, line: Line, places: Columns) -> tuple[tuple[int, ...], tuple[int, ...]]:
        places["kept"] = places["rolled"] = line.words[0].place if line.words else line.end
        if line.peek() == "none":
            line.take("none")
            return (), ()
        kept = self.faces(line)
        if line.peek() != "+":
            if not kept:
                raise Slip("dice", "the dice are missing: those kept, + those rolled, or none", places["kept"])
            return kept, ()
        places["rolled"] = line.take("+").place
        rolled = self.faces(line)
        if not rolled:
            raise Slip("dice", "what the rolled dice showed is missing behind the +", places["rolled"])
        return kept, rolled

    def faces(self, line: Line) -> tuple[int, ...]:
        known = self.known_readings.faces
        dice: list[int] = []
        while line.peek()[:1].isdigit():
            word = line.take("a die")
            if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 6 and int(word.text) in known):
                raise Slip("die", _no_die(word.text, known), word.place, "PB-4")
            dice.append(int(word.text))
        return tuple(dice)

    def marks(self, line: Line, places: Columns) -> dict[str, int]:
        found: dict[str, int] = {}
        known = ("damage", "finished", "sunk")
        while line.words:
            word = line.take("a mark")
            if word.text not in known:
                raise Slip("mark", f"'{word.text}'{did_you_mean(word.text, known)}: a turn's line ends in damage N, "
                           "finished or sunk", word.place)  # fmt: skip
            if word.text in found:
                raise Slip("twice", f"'{word.text}' stands twice", word.place)
            places[word.text] = word.place
            counters = word.text == "damage"
            found[word.text] = number(line.take("the damage"), "damage", 0, MOST_DAMAGE) if counters else 1
        return found

    def result(self, line: Line, key: Word) -> None:
        race = self.under_way("a result")
        race.ranks += 1
        race.results.append(self.ranked(line, key, race.ranks))

    def final_line(self, line: Line, key: Word) -> None:
        if not self.races:
            raise Slip("order", "the match's standings stand below its races", key.place)
        self.final_ranks += 1
        self.final.append(self.ranked(line, key, self.final_ranks))

    def ranked(self, line: Line, key: Word, due: int) -> ResultLine:
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

    def under_way(self, what: str) -> "_Race":
        if not self.races:
            raise Slip("order", f"{what} stands above the line 'race 1'")
        if self.final:
            raise Slip("order", f"{what} stands below the match's standings")
        return self.races[-1]

    def take_seat(self, line: Line) -> Word:
        seat = line.take("the seat")
        line.colon()
        self.known_seat(seat)
        return seat


@dataclass
class _Race:
    """The lines of a race while they are read."""

    place: Place
    placed: list[PlaceLine] = field(default_factory=list)
    turns: list[TurnLine] = field(default_factory=list)
    results: list[ResultLine] = field(default_factory=list)
    ranks: int = 0

    def lines(self) -> RaceLines:
        """The race as a value."""
        return RaceLines(tuple(self.placed), tuple(self.turns), tuple(self.results), {"line": self.place})


def _no_die(text: str, faces: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(set(faces))))
    apart = len(text) > 1 and text.isascii() and text.isdigit() and all(int(digit) in faces for digit in text)
    near = f" (did you mean '{' '.join(text)}'?)" if apart else ""
    return f"no die shows {text}: the faces are {shown}{near}"
