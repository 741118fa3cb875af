"""Pictures of a track's sections: three lanes, one character a column (PS-1…PS-4)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulekit.errors import did_you_mean, one_of
from rulekit.files.findings import Findings, Place
from rulekit.files.toml import Entry
from rulekit.ps.track import LANES, Mark

SPACE, ON, LINE = "=-|"
MARKS: Mapping[str, frozenset[Mark]] = {
    SPACE: frozenset(),
    "^": frozenset({Mark.TRIANGLE}),
    "s": frozenset({Mark.TRIANGLE, Mark.SIGMA}),
    "u": frozenset({Mark.MU}),
    "U": frozenset({Mark.MU, Mark.TRIANGLE}),
    "S": frozenset({Mark.MU, Mark.TRIANGLE, Mark.SIGMA}),
}
"""What a character that begins a space says about its marks."""

SYMBOL = {marks: symbol for symbol, marks in MARKS.items()}
"""The character for a space's marks; a σ or μ without its triangle has none but μ alone."""

MEANT = {"σ": "s", "Σ": "s", "μ": "u", "µ": "u", "△": "^", "▲": "^", "_": "-", "~": "-", "–": "-", ".": "=", "!": "|"}
"""Characters that stand for another one, for the near miss."""


@dataclass(frozen=True, slots=True)
class LaneSpace:
    """A space of a lane's line: first and last column (from 1), marks, and the place of its character."""

    first: int
    last: int
    marks: frozenset[Mark]
    place: Place


@dataclass
class LaneText:
    """A lane's line as it is read: the place of its end, its spaces, and the columns behind which `|` stands."""

    end: Place
    spaces: list[LaneSpace] = field(default_factory=list)
    columns: int = 0
    lines: list[tuple[int, Place]] = field(default_factory=list)


@dataclass(frozen=True)
class Strip:
    """What a section's picture shows: the lanes from the left, and behind which column the line runs, if it does."""

    lanes: tuple[tuple[LaneSpace, ...], ...]
    columns: int
    line: tuple[int, Place] | None = None


def read_strip(text: str, entry: Entry, findings: Findings, curve: bool) -> Strip | None:
    """The section that a picture shows; None where faults were noted."""
    return _StripReader(entry, findings, curve).read(text)


class _StripReader:
    """Reads one section's picture; every faulty lane is told, a lane up to its first faulty character."""

    def __init__(self, entry: Entry, findings: Findings, curve: bool) -> None:
        self.entry, self.findings, self.curve = entry, findings, curve
        self.lanes: dict[str, LaneText] = {}
        self.sound = True

    def fault(self, code: str, message: str, place: Place, rule: str | None = None) -> None:
        self.sound = False
        self.findings.error(code, message, place, rule)

    def read(self, text: str) -> Strip | None:
        for row, row_text in enumerate(text.split("\n")):
            if row_text.strip():
                self.lane(row, row_text)
        missing = [lane for lane in LANES if lane not in self.lanes]
        if missing and self.sound:
            names = " and ".join(f"'{lane}'" for lane in missing)
            self.fault(
                "lane", f"the picture has no lane {names}: every section has all three", self.entry.value, "PS-1"
            )
        if not self.sound:
            return None
        lanes = [self.lanes[lane] for lane in LANES]
        self.check_lengths(lanes)
        line = self.line(lanes)
        whole = tuple(tuple(lane.spaces) for lane in lanes)
        return Strip(whole, lanes[0].columns, line) if self.sound else None

    def lane(self, row: int, line: str) -> None:
        """Read a line into `lanes`."""
        if "\t" in line:
            self.fault("gap", "a tab: write spaces instead", self.entry.at(row, line.index("\t")), "PS-1")
            return
        match = re.match(r" *(\S+)( *)", line)
        word = match[1] if match else ""
        start = match.start(1) if match else 0
        place = self.entry.at(row, start)
        if match is None or word not in LANES:
            near = did_you_mean(word, LANES)
            found = repr(word) if len(word) <= 20 else f"{word[:18]!r}…"
            self.fault("lane", f"a line begins with its lane, {one_of(LANES)}, not {found}{near}", place, "PS-1")
        elif word in self.lanes:
            self.fault("lane", f"the lane '{word}' is here already", place, "PS-1")
        else:
            self.lanes[word] = self.columns(
                row, line.rstrip(), match.end(), LaneText(self.entry.at(row, len(line.rstrip())))
            )

    def columns(self, row: int, line: str, begin: int, lane: LaneText) -> LaneText:
        """Read the characters behind a lane's name, up to the first fault."""
        for at in range(begin, len(line), 2):
            if not self.is_sound(row, line, at, lane):
                return lane
            self.take(line[at], self.entry.at(row, at), lane)
        if not lane.columns:
            self.fault("lane-length", "this lane has no columns", lane.end, "PS-1")
        return lane

    def is_sound(self, row: int, line: str, at: int, lane: LaneText) -> bool:
        """Whether a column's character and the one behind it are right."""
        wrong, gap = self.character_fault(line[at], lane), self.gap_fault(line[at + 1 : at + 2])
        for fault, place in ((wrong, at), (gap, at + 1)):
            if fault:
                code, message = fault
                self.fault(code, f"column {lane.columns + 1}: {message}", self.entry.at(row, place))
                return False
        return True

    def take(self, symbol: str, place: Place, lane: LaneText) -> None:
        """Add a sound character to a lane."""
        if symbol == LINE:
            lane.lines.append((lane.columns, place))
            return
        lane.columns += 1
        if symbol == ON:
            last = lane.spaces[-1]
            lane.spaces[-1] = LaneSpace(last.first, lane.columns, last.marks, last.place)
        else:
            lane.spaces.append(LaneSpace(lane.columns, lane.columns, MARKS[symbol], place))

    def character_fault(self, symbol: str, lane: LaneText) -> tuple[str, str] | None:
        if symbol == " ":
            return "gap", "a space where a character should stand: there is one every second character"
        if symbol == LINE and self.curve:
            return "line-curve", "the start/finish line runs over a straight, not over a curve"
        if symbol == ON and not lane.columns:
            return "no-start", "'-' goes on with a space, but none began: a section starts new spaces"
        if symbol not in (*MARKS, ON, LINE):
            near = f" (did you mean '{MEANT[symbol]}'?)" if symbol in MEANT else _other_case(symbol)
            return "symbol", f"{symbol!r} is no character of a lane: use {' '.join([*MARKS, ON, LINE])}{near}"
        return None

    def gap_fault(self, behind: str) -> tuple[str, str] | None:
        if behind in ("", " "):
            return None
        return "gap", f"{behind!r} stands right behind it: each column's character has a space before it"

    def check_lengths(self, lanes: list[LaneText]) -> None:
        """Note the lanes that are shorter or longer than most (or than the first, where all differ)."""
        counts = [lane.columns for lane in lanes]
        usual = max(counts, key=counts.count)
        for name, lane in zip(LANES, lanes, strict=True):
            if lane.columns != usual:
                message = f"lane '{name}' has {lane.columns} columns, where the section has {usual}"
                self.fault("lane-length", message, lane.end, "PS-1")

    def line(self, lanes: list[LaneText]) -> tuple[int, Place] | None:
        """The start/finish line, the same in all lanes."""
        if not any(lane.lines for lane in lanes):
            return None
        for message, place in self.line_faults(lanes):
            self.fault("line", message, place, "PS-4")
        return lanes[0].lines[0] if lanes[0].lines else None

    def line_faults(self, lanes: list[LaneText]) -> Iterator[tuple[str, Place]]:
        places = [lane.lines[0][0] for lane in lanes if lane.lines]
        usual = max(places, key=places.count)
        for name, lane in zip(LANES, lanes, strict=True):
            if not lane.lines:
                yield f"lane '{name}' lacks the line '|' that other lanes have", lane.end
            elif len(lane.lines) > 1:
                yield f"lane '{name}' has {len(lane.lines)} lines '|': there is one", lane.lines[1][1]
            elif lane.lines[0][0] != usual:
                here = lane.lines[0][0]
                yield f"the line stands behind column {here} of '{name}', elsewhere behind {usual}", lane.lines[0][1]


def _other_case(symbol: str) -> str:
    near = symbol.swapcase()
    return f" (did you mean '{near}'?)" if near in MARKS else ""
