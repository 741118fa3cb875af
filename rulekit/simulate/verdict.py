"""The verdict on a transcript file: what is wrong with it, and the game as far as it is legal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulekit.errors import BadInput, Fault, FileFaults
from rulekit.files.course import CourseFile
from rulekit.files.source import Source
from rulekit.files.transcript import Transcript
from rulekit.files.transcript_courses import transcript_courses
from rulekit.files.transcript_read import read_transcript
from rulekit.powerboats.match import final_order
from rulekit.powerboats.race import begin
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.game import Game
from rulekit.simulate.referee import due, replay


@dataclass(frozen=True)
class Verdict:
    """What came of a transcript: findings (errors), what was legal at the first one, warnings of its courses.

    `game` is None where the text or a course could not be read.
    """

    path: str
    findings: Sequence[Fault] = ()
    legal: Sequence[str] = ()
    warnings: Sequence[Fault] = ()
    game: Game | None = None

    @property
    def readings(self) -> PowerboatsReadings:
        """The readings of the game."""
        return self.game.transcript.readings if self.game else PowerboatsReadings()

    @property
    def next(self) -> str:
        """Whose turn it is; empty when the match is over."""
        race = self.game.race if self.game else None
        return due(self.game.transcript, race) if self.game and race else ""

    def record(self) -> dict[str, Any]:
        """What JSON tells of the file and the match; seats count from 1."""
        game = self.game
        return {
            "file": self.path,
            "valid": not self.findings,
            "findings": [finding(fault) for fault in self.findings],
            "legal": list(self.legal),
            "over": bool(game and game.over),
            "next": self.next,
            "points": list(game.match.points) if game else [],
            "order": [seat + 1 for seat in final_order(game.match)] if game and game.match.results else [],
        }


def finding(fault: Fault) -> dict[str, Any]:
    """A finding as JSON tells it."""
    names = ("severity", "code", "rule", "line", "column", "message")
    return {name: getattr(fault, name) for name in names}


def judge(source: Source) -> Verdict:
    """The verdict on a transcript: file faults, then faults of its courses, then the first illegal move."""
    verdict = Verdict(source.path)
    try:
        transcript = read_transcript(source)
        files = transcript_courses(transcript, source)
    except FileFaults as faults:
        return replace(verdict, findings=faults.faults)
    verdict = replace(verdict, warnings=[fault for file in files for fault in file.faults])
    races = waters_of(files, transcript.readings)
    unfit = list(_unfit(transcript, races, source))
    if unfit:
        return replace(verdict, findings=unfit)
    found = replay(transcript, races, source.path)
    return replace(verdict, findings=found.findings, legal=found.legal, game=found.game)


def _unfit(transcript: Transcript, races: Sequence[Waters], source: Source) -> Iterator[Fault]:
    """The courses that cannot hold so many boats."""
    for count, waters in enumerate(races, 1):
        try:
            begin(waters, (0,) * len(transcript.seats))
        except BadInput as fault:
            line, column = transcript.places.get(f"course {count}") or (None, None)
            yield Fault("error", "boats", str(fault), source.path, line, column)


def waters_of(files: Sequence[CourseFile], readings: PowerboatsReadings) -> list[Waters]:
    """The courses of a match settled under its readings."""
    return [Waters(settle(file.course, readings), readings) for file in files]
