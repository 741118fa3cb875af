"""The verdict on a transcript of a car race: what is wrong with it, and the race as far as it is legal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulekit.errors import BadInput, Fault, FileFaults, Unreadable, errors_in
from rulekit.files.car_transcript import CarTranscript
from rulekit.files.car_transcript_read import read_car_transcript
from rulekit.files.findings import Findings
from rulekit.files.source import Source
from rulekit.files.track import TrackFile, read_track
from rulekit.files.transcript_courses import course_source
from rulekit.ps.check import check
from rulekit.ps.scoring import final_order, score
from rulekit.ps.terms import Terms
from rulekit.readings import PsReadings
from rulekit.simulate.car_game import CarGame
from rulekit.simulate.car_referee import due, replay_cars
from rulekit.simulate.verdict import finding


@dataclass(frozen=True)
class CarVerdict:
    """What came of a transcript: findings (errors), what was legal at the first one, warnings of its track.

    `game` is None where the text or the track could not be read.
    """

    path: str
    findings: Sequence[Fault] = ()
    legal: Sequence[str] = ()
    warnings: Sequence[Fault] = ()
    game: CarGame | None = None

    @property
    def readings(self) -> PsReadings:
        """The readings of the race."""
        return self.game.transcript.readings if self.game else PsReadings()

    @property
    def next(self) -> str:
        """What comes next; empty when the race is over."""
        return due(self.game.transcript, self.game) if self.game else ""

    def record(self) -> dict[str, Any]:
        """What JSON tells of the file and the race; seats count from 1."""
        race = self.game.race if self.game and self.game.over else None
        return {
            "file": self.path,
            "valid": not self.findings,
            "findings": [finding(fault) for fault in self.findings],
            "legal": list(self.legal),
            "over": race is not None,
            "next": self.next,
            "points": list(score(race).points) if race else [],
            "order": [seat + 1 for seat in final_order(race)] if race else [],
        }


def judge_cars(source: Source) -> CarVerdict:
    """The verdict on a transcript: file faults, then those of its track, then the first illegal event."""
    verdict = CarVerdict(source.path)
    try:
        transcript = read_car_transcript(source)
        file = transcript_track(transcript, source)
    except FileFaults as faults:
        return replace(verdict, findings=faults.faults)
    verdict = replace(verdict, warnings=file.faults)
    try:
        terms = terms_of(transcript, file)
    except BadInput as fault:
        return replace(verdict, findings=[_unfit(transcript, source, fault)])
    found = replay_cars(transcript, terms, source.path)
    return replace(verdict, findings=found.findings, legal=found.legal, game=found.game)


def transcript_track(transcript: CarTranscript, source: Source) -> TrackFile:
    """The track that a transcript names.

    Raises FileFaults where it cannot be read (at the transcript's line), is faulty, or no circuit to race on.
    """
    try:
        file = read_track(course_source(transcript.track, source))
    except Unreadable as fault:
        place = transcript.places.get("track")
        raise Findings(source.path).failure("track", str(fault), place) from None
    flaws = errors_in(file.fault(found) for found in check(file.track))
    if flaws:
        raise FileFaults(flaws)
    return file


def terms_of(transcript: CarTranscript, file: TrackFile) -> Terms:
    """What the race is held on; raises BadInput where no such race can be held."""
    return Terms(file.track, transcript.readings, transcript.laps or file.track.laps)


def _unfit(transcript: CarTranscript, source: Source, fault: BadInput) -> Fault:
    """A race that the track cannot hold, told at the line that asks for it."""
    places = transcript.places
    line, column = places.get("readings") or places.get("track") or (None, None)
    return Fault("error", "track", str(fault), source.path, line, column)
