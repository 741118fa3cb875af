"""Transcripts of car races as text; the reader gives the same value back."""

from collections.abc import Iterator

from rulekit.files.car_transcript import CarLine, CarTranscript, ThrowLine, TurnLines, letter
from rulekit.files.transcript import FIRST_LINE
from rulekit.files.transcript_write import result_text, seat_text
from rulekit.ps.moves import Kind

WORDS = {Kind.FLY: "flies", Kind.STRIKE: "strikes", Kind.STAY: "stays"}
JOINTS = {Kind.FLY: "from", Kind.STRIKE: "at"}


def car_transcript_text(transcript: CarTranscript) -> str:
    """The text of a car race's transcript."""
    return "\n".join(_lines(transcript)) + "\n"


def _lines(transcript: CarTranscript) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in transcript.comment)
    yield FIRST_LINE
    yield f"track: {transcript.track}"
    if transcript.laps is not None:
        yield f"laps: {transcript.laps}"
    if str(transcript.readings):
        yield f"readings: {transcript.readings}"
    yield from (f"seat {number}: {seat_text(seat)}" for number, seat in enumerate(transcript.seats, 1))
    for throws in (transcript.grid, transcript.begin):
        yield from _block(throw_text(line) for line in throws)
    for turn in transcript.turns:
        yield from _block(turn_lines(turn))
    yield from _block(result_text("result", line) for line in transcript.results)


def _block(lines: Iterator[str]) -> Iterator[str]:
    """Lines with a blank one above, where there are any."""
    found = list(lines)
    return iter(["", *found] if found else [])


def throw_text(line: ThrowLine) -> str:
    """The line of a throw for the line-up or for who begins.

    >>> throw_text(ThrowLine(0, 2, ((1, 2, 3), (3, 3, 3))))
    'grid 1: C 1 2 3 again 3 3 3'
    """
    key = "begin" if line.car is None else "grid"
    car = "" if line.car is None else f"{letter(line.car)} "
    throws = " again ".join(" ".join(map(str, throw)) for throw in line.throws)
    return f"{key} {line.seat + 1}: {car}{throws}"


def turn_lines(turn: TurnLines) -> Iterator[str]:
    """The lines of a turn: the throw, and a move each."""
    yield f"{turn.seat + 1}: {', '.join(map(str, turn.dice)) or 'none'}"
    yield from map(move_text, turn.moves)


def move_text(line: CarLine) -> str:
    """A move's line.

    >>> from rulekit.files.car_transcript import Shown
    >>> from rulekit.ps.dice import Colour
    >>> move_text(CarLine(0, Shown(Colour.RED, 4), "main left 3", Kind.FLY, "bend left 1", 2, fuel=7))
    'A: red 4  main left 3  flies from bend left 1  damage 2  fuel 7'
    """
    origin = f" {JOINTS[line.kind]} {line.origin}" if line.kind in JOINTS and line.origin else ""
    word = WORDS.get(line.kind, "") if line.kind else ""
    marks = [
        f"{word}{origin}",
        f"plan {line.plan}" if line.plan else "",
        f"damage {line.damage}" if line.damage else "",
        f"fuel {line.fuel}" if line.fuel is not None else "",
        f"place {line.place}" if line.place is not None else "",
    ]
    die = str(line.die) if line.die else ""
    return f"{letter(line.car)}: " + "  ".join(filter(None, [die, line.end, *marks]))
