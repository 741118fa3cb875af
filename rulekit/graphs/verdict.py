"""The verdict on a file: its faults, what the rules say, and the facts that the graph checks found."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulekit.errors import Fault, FileFaults, Unreadable, errors_in, shortened, visible
from rulekit.files.course import CourseFile
from rulekit.files.kinds import read_any
from rulekit.files.lake import LakeFile
from rulekit.files.schema import LONGEST_TEXT
from rulekit.files.source import Source, read_source
from rulekit.files.track import TrackFile
from rulekit.graphs.bays import Bay, bays
from rulekit.graphs.circuit_facts import CircuitFacts
from rulekit.graphs.legs import Leg, legs
from rulekit.graphs.lifted import Lifted
from rulekit.graphs.shores import land_share, longest_straights, parts, passages
from rulekit.hexgrid import Hex, hex_name
from rulekit.powerboats.check import Finding, check, strip_faults
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.rounding import Corner, corners
from rulekit.powerboats.route import settle
from rulekit.ps.check import check as check_track
from rulekit.readings import PowerboatsReadings

Row = dict[str, Any]
LETTERS = "ABC"
SPOTS_A_LETTER = 4


def names(hexes: Sequence[Hex]) -> list[str]:
    """The names of hexes."""
    return [hex_name(at) for at in hexes]


@dataclass(frozen=True)
class CourseFacts:
    """What is true of a course that could be read, legal or not."""

    course: Course
    marks: Sequence[str]
    lifted: Lifted

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The string at each buoy."""
        return corners(self.course)

    @cached_property
    def legs(self) -> list[Leg]:
        """Two legs a buoy that keep apart, or the shortest."""
        return legs(self.lifted)

    @property
    def route(self) -> list[Hex] | None:
        """The hexes of a shortest route."""
        return None if self.lifted.route is None else [place.at for place in self.lifted.route]

    def gate(self, number: int) -> str:
        """What people call a gate: start, buoy 1, …, finish."""
        return "start" if number == 0 else "finish" if number == self.course.gates - 1 else f"buoy {number}"

    def row(self) -> Row:
        """JSON-ready facts."""
        assert self.course.start is not None
        assert self.course.finish is not None
        route = self.route
        return {
            "arrows": {str(number): buoy["arrow"] for number, buoy in enumerate(self._buoys(), 1)},
            "start": self.course.start.word,
            "finish": self.course.finish.word,
            "buoys": list(self._buoys()),
            "route": None if route is None else {"steps": len(route) - 1, "hexes": names(route)},
            "legs": [self._leg(leg) for leg in self.legs],
            "choke": names(self.lifted.choke),
            "shared": names(self.lifted.shared),
            "dead": names(self.lifted.dead),
            "bays": [_bay(bay) for bay in self.lifted.bays],
        }

    def _buoys(self) -> Iterator[Row]:
        for number, (buoy, corner) in enumerate(zip(self.course.buoys, self.corners, strict=True), 1):
            assert buoy.arrow is not None
            yield {
                "number": number,
                "at": hex_name(buoy.at),
                "turn_degrees": corner.turn_degrees,
                "arrow": buoy.arrow.word,
                "swept_degrees": corner.swept_degrees(buoy.arrow),
                "full_circle": corner.full_circle(buoy.arrow),
            }

    def _leg(self, leg: Leg) -> Row:
        return {
            "buoy": leg.buoy,
            "from": self.gate(leg.start),
            "to": self.gate(leg.end),
            "steps": len(leg.hexes) - 1,
            "hexes": names(leg.hexes),
            "crosses": names(leg.crosses),
        }

    def findings(self) -> Iterator[Finding]:
        """Warnings of the graph checks; without a route they would say nothing new."""
        if self.lifted.route is None:
            return
        dead = self.lifted.dead
        if dead:
            words = f"dead water, {len(dead)} {_hexes(len(dead))} off every way from strip to finish: {_some(dead)}"
            yield Finding("warning", "dead-water", "PB-12", "lake", words)
        for leg in self.legs[::2]:
            if leg.crosses:
                words = (
                    f"no pair of legs found that keeps apart at buoy {leg.buoy}: to it and on from it boats share "
                    f"{_some(leg.crosses)}"
                )
                yield Finding("warning", "legs-cross", "PB-8", f"buoy {leg.buoy}", words)


@dataclass(frozen=True)
class LakeFacts:
    """What is true of a lake."""

    lake: Lake

    @cached_property
    def passages(self) -> list[tuple[Hex, ...]]:
        """Passages one hex wide."""
        return passages(self.lake.water)

    @cached_property
    def bays(self) -> list[Bay]:
        """Bays behind one hex."""
        return [bay for part in parts(self.lake.water) for bay in bays(part)]

    def row(self) -> Row:
        """JSON-ready facts; the land share is exact."""
        return {
            "hexes": len(self.lake.hexes),
            "land": len(self.lake.land),
            "land_share": str(land_share(self.lake)),
            "spots": {letter: len(self.lake.spots_of(letter)) for letter in LETTERS},
            "passages": [names(passage) for passage in self.passages],
            "bays": [_bay(bay) for bay in self.bays],
            "straights": [
                {"from": hex_name(row.first), "to": hex_name(row.last), "facing": row.facing.name, "hexes": row.length}
                for row in longest_straights(self.lake.water)
            ],
        }

    def findings(self, built: bool) -> Iterator[Finding]:
        """Warnings: water that is cut off, spots that cannot carry buoy 0, other numbers of letters than in the box."""
        cut_off = [at for part in parts(self.lake.water)[1:] for at in part]
        if cut_off:
            words = f"{len(cut_off)} {_hexes(len(cut_off))} of water cut off from the rest: {_some(cut_off)}"
            yield Finding("warning", "cut-off", "PB-3", "map", words)
        for spot in self.lake.spots:
            messages = [message for _, message in strip_faults(_bare_course(self.lake, spot))]
            if messages:
                at = f"the {spot.letter}-spot on {hex_name(spot.at)}"
                where = f"tile {spot.tile}" if spot.tile else "map"
                words = f"{at} cannot carry buoy 0: {'; '.join(messages)}"
                yield Finding("warning", "spot-strip", "PB-6", where, words)
        for letter in LETTERS if built else "":
            count = len(self.lake.spots_of(letter))
            if count != SPOTS_A_LETTER:
                words = f"the layout shows {count} {letter}-spots, where the game has {SPOTS_A_LETTER}"
                yield Finding("warning", "spot-count", "PB-2", "layout", words)


def _bare_course(lake: Lake, spot: Spot) -> Course:
    """Buoy 0 on a spot and nothing else."""
    return Course(lake.name, lake, spot.at, spot.side, ())


def _bay(bay: Bay) -> Row:
    return {"mouth": hex_name(bay.mouth), "hexes": names(bay.hexes)}


def _hexes(count: int) -> str:
    return "hex" if count == 1 else "hexes"


def _some(hexes: Sequence[Hex], most: int = 8) -> str:
    more = f" and {len(hexes) - most} more" if len(hexes) > most else ""
    return ", ".join(names(hexes[:most])) + more


@dataclass(frozen=True)
class Verdict:
    """What is to be said about one file; `facts` are None where it could not be read to the end."""

    file: str
    kind: str | None
    name: str | None
    findings: tuple[Fault, ...]
    facts: CourseFacts | LakeFacts | CircuitFacts | None = None
    readable: bool = True

    @property
    def valid(self) -> bool:
        """Whether there is no error."""
        return not errors_in(self.findings)

    @property
    def exit_code(self) -> int:
        """What the command ends with: 2 for a file that cannot be read at all, 1 for an error found in it."""
        return 2 if not self.readable else int(not self.valid)

    def row(self) -> Row:
        """The JSON-ready row."""
        counts = Counter(finding.severity for finding in self.findings)
        return {
            "file": self.file,
            "kind": self.kind,
            "name": self.name,
            "valid": self.valid,
            "errors": counts["error"],
            "warnings": counts["warning"],
            "findings": [_finding_row(finding) for finding in self.findings],
            **(self.facts.row() if self.facts else {}),
        }


def _finding_row(fault: Fault) -> Row:
    return {
        "severity": fault.severity,
        "code": fault.code,
        "rule": fault.rule,
        "line": fault.line,
        "column": fault.column,
        "message": fault.message,
        "path": fault.path,
    }


def judge(name: str, readings: PowerboatsReadings, stdin_filename: str | None = None) -> Verdict:
    """The verdict on a FILE argument; a file that cannot be read has one finding, `unreadable`."""
    try:
        return judge_source(read_source(name, stdin_filename), readings)
    except Unreadable as fault:
        return unreadable(name, fault)


def judge_source(source: Source, readings: PowerboatsReadings) -> Verdict:
    """The verdict on a file that could be read."""
    try:
        return _judge_content(source, readings)
    except FileFaults as faults:
        kind, title = _head(source)
        return Verdict(source.path, kind, title, tuple(faults.faults))


def unreadable(name: str, fault: Unreadable) -> Verdict:
    """The verdict on a file that cannot be read at all."""
    return Verdict(name, None, None, (Fault("error", "unreadable", str(fault), name),), readable=False)


def kind_told(source: Source) -> str | None:
    """The kind that a file says it is, faulty or not; None where it says none."""
    return _head(source)[0]


def _judge_content(source: Source, readings: PowerboatsReadings) -> Verdict:
    found = read_any(source)
    if isinstance(found, CourseFile):
        return _judge_course(found, readings)
    return _judge_lake(found) if isinstance(found, LakeFile) else _judge_track(found)


def _head(source: Source) -> tuple[str | None, str | None]:
    """Kind and name of a faulty file as far as it tells them."""
    try:
        values = tomllib.loads(source.text)
    except (ValueError, RecursionError):
        return None, None
    words = [values.get(key) if isinstance(values.get(key), str) else None for key in ("format", "name")]
    kind = (words[0] or "").removeprefix("rulekit/").rpartition("-")[0]
    name = words[1] and shortened(visible(words[1], keep=""), LONGEST_TEXT)
    return kind if kind in ("lake", "course", "track") else None, name


def _judge_course(file: CourseFile, readings: PowerboatsReadings) -> Verdict:
    course = settle(file.course, readings)
    facts = CourseFacts(course, file.marks, Lifted(course, readings))
    found = [*check(course, file.spots, readings), *facts.findings()]
    placed = [_placed(finding, file) for finding in found]
    faults = sorted((*file.faults, *placed), key=lambda fault: fault.severity)
    return Verdict(file.source.path, "course", course.name, tuple(faults), facts)


def _judge_lake(file: LakeFile) -> Verdict:
    facts = LakeFacts(file.lake)
    placed = [_placed(finding, file) for finding in facts.findings(file.box is not None)]
    return Verdict(file.source.path, "lake", file.lake.name, (*file.faults, *placed), facts)


def _judge_track(file: TrackFile) -> Verdict:
    placed = [file.fault(finding) for finding in check_track(file.track)]
    faults = sorted((*file.faults, *placed), key=lambda fault: fault.severity)
    return Verdict(file.source.path, "track", file.track.name, tuple(faults), CircuitFacts(file.track))


def _placed(finding: Finding, file: CourseFile | LakeFile) -> Fault:
    line, column = file.place(finding.where)
    return Fault(finding.severity, finding.code, finding.message, file.source.path, line, column, finding.rule)
