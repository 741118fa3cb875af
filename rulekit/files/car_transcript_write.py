"""Transcripts of car races as text; the reader gives the same value back."""

from collections.abc import Iterator, Sequence

from rulekit.files.car_transcript import CarEvent, CarLine, CarTranscript, DiceLine, PlanLine, die_text, letter
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
    yield from _block(f"grid {letter(line.car)}: {throws_text(line.throws)}" for line in transcript.grid)
    yield from _block(f"begin {line.seat + 1}: {throws_text(line.throws)}" for line in transcript.begin)
    yield from event_lines(transcript.events)
    yield from _block(result_text("result", line) for line in transcript.results)


def _block(lines: Iterator[str]) -> Iterator[str]:
    """Lines with a blank one above, where there are any."""
    found = list(lines)
    return iter(["", *found] if found else [])


def throws_text(throws: Sequence[Sequence[int]]) -> str:
    """Throws of the line-up.

    >>> throws_text([(1, 2, 3), (3, 3, 3)])
    '1 2 3 again 3 3 3'
    """
    return " again ".join(" ".join(map(str, throw)) for throw in throws)


def event_lines(events: Sequence[CarEvent]) -> Iterator[str]:
    """The lines of what happened, a blank one above every turn."""
    before: CarEvent | None = None
    for event in events:
        if not isinstance(event, CarLine) and not isinstance(before, PlanLine):
            yield ""
        yield event_text(event)
        before = event


def event_text(event: CarEvent) -> str:
    """The line of an event."""
    if isinstance(event, PlanLine):
        return f"plan {letter(event.car)}: {event.plan.value}"
    if isinstance(event, DiceLine):
        return f"{event.seat + 1}: {', '.join(map(die_text, event.dice)) or 'none'}"
    return move_text(event)


def move_text(line: CarLine) -> str:
    """A move's line.

    >>> from rulekit.ps.dice import Colour
    >>> from rulekit.ps.race import Die
    >>> move_text(CarLine(0, Die(Colour.RED, 4), "main left 3", Kind.FLY, "bend left 1", 2, fuel=7))
    'A: red 4  main left 3  flies from bend left 1  damage 2  fuel 7'
    """
    origin = f" {JOINTS[line.kind]} {line.origin}" if line.kind in JOINTS and line.origin else ""
    word = WORDS.get(line.kind, "") if line.kind else ""
    marks = [
        f"{word}{origin}",
        f"damage {line.damage}" if line.damage else "",
        f"fuel {line.fuel}" if line.fuel is not None else "",
        f"place {line.place}" if line.place is not None else "",
    ]
    die = die_text(line.die) if line.die else ""
    return f"{letter(line.car)}: " + "  ".join(filter(None, [die, line.end, *marks]))
