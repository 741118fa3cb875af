"""Reading transcripts: every fault with line and column, then the value (see `transcript` for the form)."""

from dataclasses import dataclass, field

from rulekit.errors import did_you_mean
from rulekit.files.findings import Place
from rulekit.files.source import Source
from rulekit.files.transcript import Columns, PlaceLine, RaceLines, ResultLine, Transcript, TurnLine
from rulekit.files.transcript_lines import MOST_DAMAGE, LineReader, Readers, no_die
from rulekit.files.transcript_words import Line, Slip, Word, facing, hexagon, number
from rulekit.powerboats.race import MOST_SEATS
from rulekit.readings import PowerboatsReadings


def read_transcript(source: Source) -> Transcript:
    """The transcript of a text; raises FileFaults with every fault found in it.

    Whether the game follows the rules is the referee's business, not the reader's.
    """
    return _Reader(source).read()


class _Reader(LineReader[PowerboatsReadings]):
    """Reads a match."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, PowerboatsReadings, MOST_SEATS)
        self.courses: list[Word] = []
        self.start: int | None = None
        self.races: list[_Race] = []
        self.final: list[ResultLine] = []
        self.final_ranks = 0

    def read(self) -> Transcript:
        comment, body = self.top()
        head = next((k for k, line in enumerate(body) if line.peek() == "race"), len(body))
        for line in body[:head]:
            self.read_line(line)
        self.check_head()
        self.findings.stop()
        for line in body[head:]:
            self.read_line(line)
        self.findings.stop()
        return Transcript(
            tuple(word.text for word in self.courses), tuple(self.seats), self.start or 0, self.known_readings,
            tuple(race.lines() for race in self.races), tuple(self.final), tuple(comment), self.places,
        )  # fmt: skip

    def read_line(self, line: Line) -> None:
        """Read one line into place, or note what is wrong with it."""
        readers: Readers = {
            "course": self.course, "readings": self.told_readings, "seat": self.told_seat, "start": self.starter,
            "race": self.race, "place": self.placed, "result": self.result, "final": self.final_line,
        }  # fmt: skip
        if line.peek().isdigit():
            readers = {line.peek(): self.turn}
        self.judge(line, readers, "a line begins with a seat's number or")

    # The head

    def course(self, line: Line, _key: Word) -> None:
        self.only_in_head("course")
        line.colon()
        name = line.rest()
        self.courses.append(name)
        self.places[f"course {len(self.courses)}"] = name.place

    def told_readings(self, line: Line, key: Word) -> None:
        self.only_in_head("readings")
        self.answers(line, key)

    def told_seat(self, line: Line, key: Word) -> None:
        self.only_in_head("seat")
        self.seat(line, key)

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

    def turn(self, line: Line, seat: Word) -> None:
        race = self.under_way("a turn")
        if race.results:
            raise Slip("order", "a turn stands below the race's results")
        line.colon()
        self.known_seat(seat)
        places = {"line": line.beginning, "seat": seat.place}
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
        places["kept"] = places["rolled"] = line.next
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
                raise Slip("die", no_die(word.text, known), word.place, "PB-4")
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

    def under_way(self, what: str) -> "_Race":
        if not self.races:
            raise Slip("order", f"{what} stands above the line 'race 1'")
        if self.final:
            raise Slip("order", f"{what} stands below the match's standings")
        return self.races[-1]


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
