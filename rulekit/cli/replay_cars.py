"""What `replay` shows of a car race: rows of cars, and the same in words."""

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.cli.output import plural, tabulated
from rulekit.cli.replay_table import legal_lines, report_text, seat_called
from rulekit.cli.replay_table import rows as boat_rows
from rulekit.files.car_transcript import CarLine, CarTranscript, DiceLine, letter
from rulekit.files.source import Source
from rulekit.files.transcripts import tells_of_cars
from rulekit.ps.car import Car, Status, player_of
from rulekit.ps.race import Race
from rulekit.ps.scoring import Score, final_order, score
from rulekit.simulate.car_game import CarGame
from rulekit.simulate.car_verdict import CarVerdict, judge_cars
from rulekit.simulate.verdict import Verdict, judge

Judged = tuple[Verdict | CarVerdict, list[dict[str, Any]], Callable[[], str]]


def judged(source: Source) -> Judged:
    """The verdict on a transcript of either game, its rows, and its text."""
    if tells_of_cars(source):
        cars = judge_cars(source)
        return cars, car_rows(cars.game), lambda: race_report(cars)
    boats = judge(source)
    return boats, boat_rows(boats), lambda: report_text(boats)


def car_rows(game: CarGame | None) -> list[dict[str, Any]]:
    """A row for each car; none before all cars are lined up."""
    if game is None or game.race is None:
        return []
    race, seats = game.race, game.transcript.seats
    found = score(race) if race.over else None
    return [_row(race, number, seats[player_of(number)], found) for number in range(len(race.cars))]


def _row(race: Race, number: int, seat: Any, found: Score | None) -> dict[str, Any]:
    car = race.cars[number]
    return {
        "seat": player_of(number) + 1,
        "name": seat.name,
        "policy": seat.policy or "human",
        "car": letter(number),
        "box": car.box,
        "status": car.status.value,
        "at": race.terms.track.name_of(car.space),
        "laps": car.laps,
        "damage": car.damage,
        "fuel": car.tank if race.terms.counts_fuel else None,
        "place": car.place,
        "points": found.car_points[number] if found else None,
        "turns": race.turns[player_of(number)],
    }


def race_report(verdict: CarVerdict) -> str:
    """Findings with what was legal, then the standings or the race under way."""
    return "\n\n".join(part for part in _parts(verdict) if part)


def _parts(verdict: CarVerdict) -> Iterator[str]:
    game = verdict.game
    yield "\n".join([*map(str, verdict.findings), *legal_lines(verdict.legal)])
    if game is None:
        return
    if not verdict.findings:
        yield f"{verdict.path}: every move is legal ({_size(game.transcript)})"
    yield f"readings: {game.transcript.readings}" if str(game.transcript.readings) else ""
    if game.race and game.race.over:
        yield standings_text(game)
    else:
        yield "as far as it is legal:" if verdict.findings else ""
        yield f"{game.terms.track.name} is under way: {verdict.next}"
    if game.race:
        yield cars_text(game.race)


def _size(transcript: CarTranscript) -> str:
    turns = sum(isinstance(event, DiceLine) for event in transcript.events)
    moves = sum(isinstance(event, CarLine) and event.die is not None for event in transcript.events)
    return f"{plural(turns, 'turn')}, {plural(moves, 'move')}"


def standings_text(game: CarGame, named: Callable[[CarGame, int], str] | None = None) -> str:
    """The players' places and points of a race that is over."""
    race = game.race
    assert race is not None
    found = score(race)
    lines = []
    for rank, player in enumerate(final_order(race), 1):
        called = named(game, player) if named else seat_called(game.transcript.seats, player)
        lines.append([str(rank), called, str(found.points[player]), str(race.turns[player])])
    laps = plural(race.terms.laps, "lap")
    return f"{race.terms.track.name}, {laps}\n{tabulated(['place', 'seat', 'points', 'turns'], lines)}"


def cars_text(race: Race) -> str:
    """Where the cars are, by place and then by how far they have come."""
    heads = ["car", "seat", "at", "lap", "damage"]
    fuel = race.terms.counts_fuel
    order = sorted(range(len(race.cars)), key=lambda number: _standing(race, number))
    lines = [_line(race, number, fuel) for number in order]
    return tabulated([*heads, *(["fuel"] if fuel else []), "place"], lines)


def _standing(race: Race, number: int) -> tuple[int, int, int, int]:
    car = race.cars[number]
    if car.place is not None:
        return (0, car.place, 0, 0)
    return (1, -car.crossings, -columns_on(race, car), -car.box)


def columns_on(race: Race, car: Car) -> int:
    """Columns behind the line, going on; in the pit lane those of its entry."""
    track = race.terms.track
    if car.status is Status.BOX:
        return -1
    space = car.space if car.space >= 0 or track.pit is None else track.pit.entry
    return track.from_line[space]


def _line(race: Race, number: int, fuel: bool) -> list[str]:
    car = race.cars[number]
    lap = "" if car.place is not None else f"{max(1, car.crossings)}/{race.terms.laps}"
    own = [letter(number), str(player_of(number) + 1), race.terms.track.name_of(car.space), lap, str(car.damage)]
    tank = [str(car.tank) if car.races else ""] if fuel else []
    return [*own, *tank, str(car.place or "")]
