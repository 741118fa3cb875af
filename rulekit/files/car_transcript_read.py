"""Reading transcripts of car races: every fault with line and column, then the value (see `car_transcript`)."""

from rulekit.errors import did_you_mean, one_of
from rulekit.files.car_transcript import (
    LETTERS,
    BeginLine,
    CarEvent,
    CarTranscript,
    DiceLine,
    GridLine,
    PlanLine,
)
from rulekit.files.car_transcript_move import read_dice, read_move
from rulekit.files.source import Source
from rulekit.files.transcript import ResultLine
from rulekit.files.transcript_lines import LineReader, Readers, no_die
from rulekit.files.transcript_words import Line, Slip, Word, number
from rulekit.ps.car import Plan
from rulekit.ps.dice import FACES, Colour
from rulekit.ps.lineup import DICE, MOST_PLAYERS
from rulekit.ps.picks import CARS
from rulekit.readings import PsReadings

MOST_LAPS = 99


def read_car_transcript(source: Source) -> CarTranscript:
    """The car race of a text; raises FileFaults with every fault found in it.

    Whether it follows the rules is the referee's business, not the reader's.
    """
    return _Reader(source).read()


class _Reader(LineReader[PsReadings]):
    """Reads a car race."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, PsReadings, MOST_PLAYERS)
        self.track: Word | None = None
        self.laps: int | None = None
        self.grid: list[GridLine] = []
        self.begin: list[BeginLine] = []
        self.events: list[CarEvent] = []
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
            tuple(self.grid), tuple(self.begin), tuple(self.events), tuple(self.results),
            tuple(comment), self.places,
        )  # fmt: skip

    def read_line(self, line: Line) -> None:
        """Read one line into place, or note what is wrong with it."""
        readers: Readers = {
            "track": self.told_track, "laps": self.told_laps, "readings": self.told_readings, "seat": self.told_seat,
            "grid": self.for_grid, "begin": self.for_begin, "plan": self.plan, "result": self.result,
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
        if self.grid or self.begin or self.events:
            raise Slip("order", f"'{key}' stands above the throws for the line-up")

    def check_head(self, below: int | None) -> None:
        """What the head must tell."""
        place = self.rows[below - 1].beginning if below else self.rows[-1].end
        if self.track is None:
            self.findings.error("track", "no track is named: write a line such as 'track: orchard'", place)
        if not self.seats:
            self.findings.error("seat", "no seat is named: write a line such as 'seat 1: Ann'", place, "PS-6")

    # The line-up

    def for_grid(self, line: Line, key: Word) -> None:
        told = line.take("the car's letter")
        line.colon()
        if self.begin:
            raise Slip("order", "the throws for the line-up stand above those for who begins", key.place, "PS-7")
        places = {"line": key.place, "car": told.place, "throws": line.next}
        self.grid.append(GridLine(self.car(told), self.throws(line, key), places))

    def for_begin(self, line: Line, key: Word) -> None:
        told = line.take("the seat")
        line.colon()
        places = {"line": key.place, "seat": told.place, "throws": line.next}
        self.begin.append(BeginLine(self.known_seat(told), self.throws(line, key), places))

    def throws(self, line: Line, key: Word) -> tuple[tuple[int, ...], ...]:
        if self.events or self.results:
            raise Slip("order", "the throws of the line-up stand above the first turn", key.place, "PS-7")
        throws = [self.blue_throw(line)]
        while line.peek() == "again":
            line.take("again")
            throws.append(self.blue_throw(line))
        return tuple(throws)

    def blue_throw(self, line: Line) -> tuple[int, ...]:
        return tuple(self.blue_die(line) for _ in range(DICE))

    def blue_die(self, line: Line) -> int:
        word = line.take(f"a die ({DICE} blue ones are thrown)")
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
        self.above_results("a turn")
        line.colon()
        places = {"line": line.beginning, "seat": seat.place, "dice": line.next}
        self.events.append(DiceLine(self.known_seat(seat), read_dice(line), places))

    def move(self, line: Line, key: Word) -> None:
        self.above_results("a car's move")
        if not any(isinstance(event, DiceLine) for event in self.events):
            raise Slip("order", "a car's move stands below what the dice showed")
        car = self.car(key)
        line.colon()
        self.events.append(read_move(line, car))

    def plan(self, line: Line, key: Word) -> None:
        self.above_results("a plan")
        told = line.take("the car's letter")
        line.colon()
        car, word = self.car(told), line.take("what is done in the pit")
        known = [plan.value for plan in Plan]
        if word.text not in known:
            wanted = f"in the pit a car is to {one_of(known)}"
            raise Slip("plan", f"{wanted}, not '{word.text}'{did_you_mean(word.text, known)}", word.place, "PS-21")
        places = {"line": key.place, "car": told.place, "plan": word.place}
        self.events.append(PlanLine(car, Plan(word.text), places))

    def above_results(self, what: str) -> None:
        if self.results:
            raise Slip("order", f"{what} stands below the results")

    def result(self, line: Line, key: Word) -> None:
        if not self.events:
            raise Slip("order", "results stand below the race", key.place)
        self.ranks += 1
        self.results.append(self.ranked(line, key, self.ranks))


def _below_head(key: str) -> bool:
    """Whether a line with that key belongs to the race, not to the head."""
    return key.isdigit() or key in ("grid", "begin", "plan", "result") or (len(key) == 1 and key.upper() in LETTERS)
