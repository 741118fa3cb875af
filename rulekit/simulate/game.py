"""A match under way together with its transcript: every event moves the engine and adds a line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulekit.files.transcript import PlaceLine, RaceLines, ResultLine, Transcript, TurnLine
from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.match import Match, Result, final_order, new_match, next_race, record
from rulekit.powerboats.race import Race, apply, begin, put
from rulekit.powerboats.waters import Waters


@dataclass(frozen=True)
class Game:
    """A match under way: `race` is the one that is placed or raced now, None when the match is over.

    `transcript` holds everything that has happened, the results of races that are over included.
    """

    match: Match
    race: Race | None
    transcript: Transcript

    @property
    def over(self) -> bool:
        """Whether all races are done."""
        return self.race is None

    @property
    def number(self) -> int:
        """The number of the race under way, from 1."""
        return len(self.match.results) + 1


def new_game(head: Transcript, races: Sequence[Waters]) -> Game:
    """The match of a transcript's head before anything has happened; what it tells below its head is left out.

    Raises BadInput where one of the courses cannot hold that many boats, or readings differ.
    """
    for waters in races:
        begin(waters, (0,) * len(head.seats))
    match = new_match(races, len(head.seats), head.start_player)
    return Game(match, next_race(match), replace(head, races=(), final=()))


def underway(game: Game) -> Race:
    """The race under way; raises ValueError when the match is over."""
    if game.race is None:
        raise ValueError("the match is over")
    return game.race


def place(game: Game, at: Hex, facing: Facing) -> Game:
    """The game after the next boat is placed; raises BadInput as `race.put`."""
    race = underway(game)
    after = put(race, at, facing)
    line = PlaceLine(race.placer if race.placer is not None else 0, at, facing)
    lines = _lines(game)
    return _with_lines(replace(game, race=after), replace(lines, placed=(*lines.placed, line)))


def turn(game: Game, choice: Choice, rolled: tuple[int, ...], landing: Landing) -> Game:
    """The game after the boat to move has taken its turn: the next race begins when this one is over."""
    race = underway(game)
    after, lines = apply(race, landing), _lines(game)
    line = turn_line(race, choice.kept, rolled, landing)
    game = _with_lines(replace(game, race=after), replace(lines, turns=(*lines.turns, line)))
    return _next(game, after) if after.over else game


def turn_line(race: Race, kept: tuple[int, ...], rolled: tuple[int, ...], landing: Landing) -> TurnLine:
    """The line that a turn of the boat to move writes."""
    lake, boat = race.waters.course.lake, landing.boat
    end = boat.at if boat.at in lake.water or boat.at in lake.land else None
    return TurnLine(
        race.mover if race.mover is not None else 0, kept, rolled, landing.steer, end, boat.damage,
        landing.finished, landing.sunk,
    )  # fmt: skip


def _lines(game: Game) -> RaceLines:
    """The lines of the race under way, empty before the first one."""
    races = game.transcript.races
    return races[game.number - 1] if len(races) >= game.number else RaceLines()


def _with_lines(game: Game, lines: RaceLines) -> Game:
    races = (*game.transcript.races[: game.number - 1], lines)
    return replace(game, transcript=replace(game.transcript, races=races))


def _next(game: Game, over: Race) -> Game:
    """The game with a race's results written down, and the next race or the match's standings."""
    match = record(game.match, over)
    lines = _lines(game)
    game = _with_lines(game, replace(lines, results=results_of(match.results[-1])))
    if not match.over:
        return replace(game, match=match, race=next_race(match))
    return Game(match, None, replace(game.transcript, final=final_of(match)))


def results_of(result: Result) -> tuple[ResultLine, ...]:
    """The lines of a race's results: points with those of PB-27."""
    order = sorted(range(len(result.places)), key=result.places.__getitem__)
    return tuple(ResultLine(rank, seat, result.points[seat] + result.extra[seat]) for rank, seat in enumerate(order, 1))


def final_of(match: Match) -> tuple[ResultLine, ...]:
    """The lines of a match's standings."""
    return tuple(ResultLine(rank, seat, match.points[seat]) for rank, seat in enumerate(final_order(match), 1))
