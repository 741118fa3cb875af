"""What `replay` shows: rows of places and points, and the same in words."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulekit.cli.output import tabulated
from rulekit.files.transcript import SeatLine
from rulekit.hexgrid import hex_name
from rulekit.powerboats.match import Result, final_order
from rulekit.powerboats.race import Entry, Race, Status
from rulekit.simulate.game import Game
from rulekit.simulate.verdict import Verdict

MOST_LEGAL = 12
Named = Callable[[Game, int], str]
"""What a table calls a seat."""


def rows(verdict: Verdict) -> list[dict[str, Any]]:
    """A row for each race that is over and seat, by place; then one for each boat of the race under way."""
    game = verdict.game
    if game is None:
        return []
    over = [row for number, result in enumerate(game.match.results, 1) for row in _race_rows(game, number, result)]
    return over + ([_boat_row(game, seat) for seat in range(game.race.seats)] if game.race else [])


def _race_rows(game: Game, number: int, result: Result) -> Iterator[dict[str, Any]]:
    for seat in sorted(range(game.match.seats), key=result.places.__getitem__):
        yield _row(
            game, number, seat, result.status[seat], result.places[seat], result.points[seat], result.extra[seat],
            result.turns[seat], result.damaged[seat],
        )  # fmt: skip


def _boat_row(game: Game, seat: int) -> dict[str, Any]:
    assert game.race is not None
    entry = game.race.entries[seat]
    return _row(game, game.number, seat, entry.status, None, None, None, entry.turns, entry.was_damaged)


def _row(
    game: Game, number: int, seat: int, status: Status, place: int | None, points: int | None, extra: int | None,
    turns: int, damaged: bool,
) -> dict[str, Any]:  # fmt: skip
    told = game.transcript.seats[seat]
    return {
        "race": number,
        "course": game.transcript.courses[number - 1],
        "seat": seat + 1,
        "name": told.name,
        "policy": told.policy or "human",
        "place": place,
        "points": points,
        "extra": extra,
        "status": status.value,
        "turns": turns,
        "damaged": damaged,
    }


def report_text(verdict: Verdict) -> str:
    """Findings with what was legal, the standings of every race that is over, the race under way, the match."""
    return "\n\n".join(part for part in _parts(verdict) if part)


def _parts(verdict: Verdict) -> Iterator[str]:
    game = verdict.game
    yield "\n".join([*map(str, verdict.findings), *legal_lines(verdict.legal)])
    if game is None:
        return
    if not verdict.findings:
        yield f"{verdict.path}: every move is legal ({_size(game)})"
    yield f"readings: {game.transcript.readings}" if str(game.transcript.readings) else ""
    for number, result in enumerate(game.match.results, 1):
        yield race_text(game, number, result)
    if game.race:
        yield "as far as it is legal:" if verdict.findings else ""
        yield f"race {game.number} ({game.transcript.courses[game.number - 1]}) is under way: {verdict.next}"
        yield boats_text(game, game.race)
    elif game.match.results:
        yield match_text(game)


def _size(game: Game) -> str:
    races = game.transcript.races
    return f"{counted(sum(len(race.turns) for race in races), 'turn')} in {counted(len(races), 'race')}"


def legal_lines(legal: Sequence[str]) -> Iterator[str]:
    """What was legal at the first finding."""
    if legal:
        more = len(legal) - MOST_LEGAL
        yield "legal here:"
        yield from (f"  {told}" for told in legal[:MOST_LEGAL])
        if more > 0:
            yield f"  … and {more} more"


def seat_word(game: Game, seat: int) -> str:
    """A seat by number, with its name, else its policy."""
    return seat_called(game.transcript.seats, seat)


def seat_called(seats: Sequence[SeatLine], seat: int) -> str:
    """A seat by number, with its name, else its policy."""
    called = seats[seat].name or seats[seat].policy
    return f"{seat + 1} {called}" if called else str(seat + 1)


def race_text(game: Game, number: int, result: Result, named: Named = seat_word) -> str:
    """The standings of a race."""
    scored = any(result.extra)
    heads = ["place", "seat", "points", *(["on top"] if scored else []), "turns", "how it ended"]
    lines = []
    for seat in sorted(range(game.match.seats), key=result.places.__getitem__):
        ended = result.status[seat].value + (", damaged" if result.damaged[seat] else "")
        extra = [str(result.extra[seat])] if scored else []
        told = named(game, seat)
        lines.append([str(result.places[seat]), told, str(result.points[seat]), *extra, str(result.turns[seat]), ended])
    return f"race {number}, {game.transcript.courses[number - 1]}\n{tabulated(heads, lines)}"


def match_text(game: Game, named: Named = seat_word) -> str:
    """The standings of the match."""
    order = final_order(game.match)
    lines = [[str(rank), named(game, seat), str(game.match.points[seat])] for rank, seat in enumerate(order, 1)]
    return f"match\n{tabulated(['place', 'seat', 'points'], lines)}"


def boats_text(game: Game, race: Race) -> str:
    """Where the boats of a race are."""
    heads = ["seat", "at", "facing", "dice", "progress", "damage", "turns"]
    lines = [[seat_word(game, seat), *_where(race, entry), str(entry.turns)] for seat, entry in enumerate(race.entries)]
    return tabulated(heads, lines)


def _where(race: Race, entry: Entry) -> list[str]:
    boat = entry.boat
    if boat is None:
        return ["not placed", "", "", "", str(entry.damage)]
    if entry.status is not Status.RACING:
        return [entry.status.value, "", "", f"{boat.progress}/{race.waters.last}", str(boat.damage)]
    dice = " ".join(map(str, boat.hand)) or "none"
    return [hex_name(boat.at), boat.facing.name, dice, f"{boat.progress}/{race.waters.last}", str(boat.damage)]


def counted(number: int, word: str) -> str:
    """A number of things.

    >>> counted(1, "race"), counted(3, "race")
    ('1 race', '3 races')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
