"""Transcripts as text; `read_transcript` gives the same value back."""

from collections.abc import Iterator

from rulekit.files.transcript import (
    FIRST_LINE,
    PlaceLine,
    RaceLines,
    ResultLine,
    SeatLine,
    Transcript,
    TurnLine,
)  # fmt: skip
from rulekit.hexgrid import hex_name


def transcript_text(transcript: Transcript) -> str:
    """The text of a transcript, a line for every event."""
    return "\n".join(_lines(transcript)) + "\n"


def _lines(transcript: Transcript) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in transcript.comment)
    yield FIRST_LINE
    yield from (f"course: {name}" for name in transcript.courses)
    if str(transcript.readings):
        yield f"readings: {transcript.readings}"
    yield from (f"seat {number}: {seat_text(seat)}" for number, seat in enumerate(transcript.seats, 1))
    yield f"start: {transcript.start_player + 1}"
    for number, race in enumerate(transcript.races, 1):
        yield ""
        yield f"race {number}"
        yield from race_lines(race)
    if transcript.final:
        yield ""
        yield from (result_text("final", line) for line in transcript.final)


def seat_text(seat: SeatLine) -> str:
    """Who sits at a seat."""
    policy = f"policy {seat.policy or 'human'}"
    if not seat.name:
        return policy
    return f"{seat.name}, {policy}" if seat.policy else seat.name


def race_lines(race: RaceLines) -> Iterator[str]:
    """The lines of one race below its head."""
    yield from map(_placed, race.placed)
    yield from map(turn_text, race.turns)
    yield from (result_text("result", line) for line in race.results)


def _placed(line: PlaceLine) -> str:
    return f"place {line.seat + 1}: {hex_name(line.at)} {line.facing.name}"


def turn_text(line: TurnLine) -> str:
    """A turn's line.

    >>> from rulekit.hexgrid import Facing, parse_hex
    >>> turn_text(TurnLine(1, (3, 2), (1,), Facing.NE, parse_hex("K14"), 2, finished=True))
    '2: 3 2 + 1  NE K14  damage 2  finished'
    """
    rolled = f"+ {_dice(line.rolled)}" if line.rolled else ""
    dice = " ".join(part for part in (_dice(line.kept), rolled) if part) or "none"
    end = "out" if line.end is None else hex_name(line.end)
    marks = [
        f"damage {line.damage}" if line.damage else "",
        "finished" if line.finished else "",
        "sunk" if line.sunk else "",
    ]
    return "  ".join([f"{line.seat + 1}: {dice}", f"{line.facing.name} {end}", *filter(None, marks)])


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))


def result_text(word: str, line: ResultLine) -> str:
    """A line of results or standings, by its key."""
    return f"{word} {line.rank}: seat {line.seat + 1}, {line.points} {'point' if line.points == 1 else 'points'}"
