"""Transcripts of either game: a line `track:` in the head makes one a car race, `course:` a match of boats."""

from rulekit.files.car_transcript import CarTranscript
from rulekit.files.car_transcript_read import read_car_transcript
from rulekit.files.source import Source
from rulekit.files.transcript import Transcript
from rulekit.files.transcript_read import read_transcript
from rulekit.files.transcript_words import Line

BOATS, CARS = "course", "track"


def read_any(source: Source) -> Transcript | CarTranscript:
    """The transcript of a text, of boats unless it tells of a track; raises FileFaults with every fault found in it."""
    return read_car_transcript(source) if tells_of_cars(source) else read_transcript(source)


def tells_of_cars(source: Source) -> bool:
    """Whether `track:` stands above any line `course:`."""
    keys = (Line.of(1, text).peek() for text in source.text.split("\n"))
    return next((key for key in keys if key in (BOATS, CARS)), BOATS) == CARS
