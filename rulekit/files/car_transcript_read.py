"""Reading transcripts of car races: every fault with line and column, then the value (see `car_transcript`)."""

from dataclasses import dataclass, field

from rulekit.files.car_transcript import LETTERS, MOST_SEATS, CarLine, CarTranscript, Shown, ThrowLine, TurnLines
from rulekit.files.car_transcript_move import read_dice, read_move
from rulekit.files.source import Source
from rulekit.files.transcript import Columns, ResultLine
from rulekit.files.transcript_lines import LineReader, Readers, no_die
from rulekit.files.transcript_words import Line, Slip, Word, number
from rulekit.ps.dice import FACES, Colour
from rulekit.ps.picks import CARS
from rulekit.readings import PsReadings

THROWS = 3
"""Blue dice of a throw for the line-up (PS-7)."""
MOST_LAPS = 99


def read_car_transcript(source: Source) -> CarTranscript:
    """The car race of a text; raises FileFaults with every fault found in it.

    Whether it follows the rules is the referee's business, not the reader's.
    """
    return _Reader(source).read()


class _Reader(LineReader[PsReadings]):
    """Reads a car race."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, PsReadings, MOST_SEATS)
        self.track: Word | None = None
        self.laps: int | None = None
        self.grid: list[ThrowLine] = []
        self.begin: list[ThrowLine] = []
        self.turns: list[_Turn] = []
        self.results: list[ResultLine] = []
        self.ranks = 0

    def read(self) -> CarTranscript:
        comment, body = self.top()
        head = next((k for k, line in enumerate(body) if _below_head(line.peek())), len(body))
        for line in body[:head]:
            self.read_line(line)
        self.check_head(body[head].beginning.line if head < len(body) else None)
        self.findings.stop()
        for line in body[head:]:
            self.read_line(line)
        self.findings.stop()
        return CarTranscript(
            self.track.text if self.track else "", tuple(self.seats), self.laps, self.known_readings,
            tuple(self.grid), tuple(self.begin), tuple(turn.lines() for turn in self.turns), tuple(self.results),
            tuple(comment), self.places,
        )  # fmt: skip

    def read_line(self, line: Line) -> None:
        """Read one line into place, or note what is wrong with it."""
        readers: Readers = {
            "track": self.told_track, "laps": self.told_laps, "readings": self.told_readings, "seat": self.told_seat,
            "grid": self.throw, "begin": self.throw, "result": self.result,
        }  # fmt: skip
        key = line.peek()
        if key.isdigit():
            readers = {key: self.turn}
        elif len(key) == 1 and key.upper() in LETTERS:
            readers = {key: self.move}
        self.judge(line, readers, "a line begins with a seat's number, a car's letter or")

    # The head

    def told_track(self, line: Line, key: Word) -> None:
        self.only_in_head("track")
        line.colon()
        name = line.rest()
        if self.track is not None:
            raise Slip("twice", "a car race is driven on one track: this is a second one", key.place)
        self.track = name
        self.places["track"] = name.place

    def told_laps(self, line: Line, key: Word) -> None:
        self.only_in_head("laps")
        line.colon()
        told = line.take("the number of laps")
        if self.laps is not None:
            raise Slip("twice", "the laps are told twice", key.place)
        self.laps = 1
        self.laps = number(told, "laps", 1, MOST_LAPS)
        self.places["laps"] = told.place

    def told_readings(self, line: Line, key: Word) -> None:
        self.only_in_head("readings")
        self.places.setdefault("readings", key.place)
        self.answers(line, key)

    def told_seat(self, line: Line, key: Word) -> None:
        self.only_in_head("seat")
        self.places.setdefault("seats", key.place)
        self.seat(line, key)

    def only_in_head(self, key: str) -> None:
        if self.grid or self.begin or self.turns:
            raise Slip("order", f"'{key}' stands above the throws for the line-up")

    def check_head(self, below: int | None) -> None:
        """What the head must tell."""
        place = self.rows[below - 1].beginning if below else self.rows[-1].end
        if self.track is None:
            self.findings.error("track", "no track is named: write a line such as 'track: orchard'", place)
        if not self.seats:
            self.findings.error("seat", "no seat is named: write a line such as 'seat 1: Ann'", place, "PS-6")

    # The line-up

    def throw(self, line: Line, key: Word) -> None:
        told = line.take("the seat")
        line.colon()
        seat = self.known_seat(told)
        if self.turns or self.results:
            raise Slip("order", "the throws of the line-up stand above the first turn", key.place, "PS-7")
        if key.text == "grid" and self.begin:
            raise Slip("order", "the throws for the line-up stand above those for who begins", key.place, "PS-7")
        places = {"line": key.place, "seat": told.place}
        car = self.car_thrown_for(line, places) if key.text == "grid" else None
        places["throws"] = line.words[0].place if line.words else line.end
        throws = [self.blue_throw(line)]
        while line.peek() == "again":
            line.take("again")
            throws.append(self.blue_throw(line))
        (self.begin if car is None else self.grid).append(ThrowLine(seat, car, tuple(throws), places))

    def car_thrown_for(self, line: Line, places: Columns) -> int:
        word = line.take("the car's letter")
        places["car"] = word.place
        return self.car(word)

    def blue_throw(self, line: Line) -> tuple[int, ...]:
        return tuple(self.blue_die(line) for _ in range(THROWS))

    def blue_die(self, line: Line) -> int:
        word = line.take(f"a die ({THROWS} blue ones are thrown)")
        faces = FACES[Colour.BLUE]
        if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 6 and int(word.text) in faces):
            raise Slip("die", no_die(word.text, faces), word.place, "PS-5")
        return int(word.text)

    def car(self, word: Word) -> int:
        """A car by its letter; raises Slip."""
        called, cars = word.text.upper(), len(self.seats) * CARS
        if len(called) != 1 or called not in LETTERS[:cars]:
            message = f"there is no car {word.text}: the cars are A to {LETTERS[cars - 1]}, three a seat"
            raise Slip("car", message, word.place, "PS-6")
        return LETTERS.index(called)

    # The race

    def turn(self, line: Line, seat: Word) -> None:
        if self.results:
            raise Slip("order", "a turn stands below the results")
        line.colon()
        places = {"line": line.beginning, "seat": seat.place}
        places["dice"] = line.words[0].place if line.words else line.end
        self.turns.append(_Turn(self.known_seat(seat), read_dice(line), places))

    def move(self, line: Line, key: Word) -> None:
        if not self.turns:
            raise Slip("order", "a car's move stands above the first throw")
        if self.results:
            raise Slip("order", "a car's move stands below the results")
        car = self.car(key)
        line.colon()
        self.turns[-1].moves.append(read_move(line, car))

    def result(self, line: Line, key: Word) -> None:
        if not self.turns:
            raise Slip("order", "results stand below the race", key.place)
        self.ranks += 1
        self.results.append(self.ranked(line, key, self.ranks))


def _below_head(key: str) -> bool:
    """Whether a line with that key belongs to the race, not to the head."""
    return key.isdigit() or key in ("grid", "begin", "result") or (len(key) == 1 and key.upper() in LETTERS)


@dataclass
class _Turn:
    """The lines of a turn while they are read."""

    seat: int
    dice: tuple[Shown, ...]
    places: Columns
    moves: list[CarLine] = field(default_factory=list)

    def lines(self) -> TurnLines:
        """The turn as a value."""
        return TurnLines(self.seat, self.dice, tuple(self.moves), self.places)
