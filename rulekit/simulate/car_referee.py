"""The referee of written car races: a transcript event by event through the engine, up to the first illegal one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from rulekit.errors import Fault
from rulekit.files.car_transcript import (
    BeginLine,
    CarLine,
    CarTranscript,
    DiceLine,
    GridLine,
    PlanLine,
    at,
    die_text,
    letter,
)
from rulekit.files.findings import Place
from rulekit.files.transcript import ResultLine
from rulekit.ps.car import plans, player_of
from rulekit.ps.dice import Colour
from rulekit.ps.picks import CARS
from rulekit.ps.race import Phase, Picked, Planned, Race, Thrown
from rulekit.ps.terms import Terms
from rulekit.simulate.car_game import CarGame, happen, new_car_game, results_of, throw, underway
from rulekit.simulate.car_rulings import pit_ruling, ruling
from rulekit.simulate.referee import Illegal

COLOURS = list(Colour)


@dataclass(frozen=True)
class CarReplay:
    """What the referee found: the race as far as it is legal, the findings, and what was legal at the first one."""

    game: CarGame
    findings: tuple[Fault, ...] = ()
    legal: tuple[str, ...] = ()


def replay_cars(transcript: CarTranscript, terms: Terms, path: str = "transcript") -> CarReplay:
    """A transcript checked: the race up to its end or to the first illegal line; wrong results are told as well.

    A transcript that stops anywhere is a race under way, not a fault. Raises BadInput for a wrong number of seats.
    """
    referee = _Referee(transcript, new_car_game(transcript, terms))
    try:
        referee.judge()
    except Illegal as illegal:
        found = (*(slip.fault(path) for slip in referee.slips), illegal.fault(path))
        return CarReplay(referee.game, found, illegal.legal)
    return CarReplay(referee.game, tuple(slip.fault(path) for slip in referee.slips))


class _Referee:
    """Goes through the lines; `game` is where it stands, `slips` are wrong results."""

    def __init__(self, transcript: CarTranscript, game: CarGame) -> None:
        self.transcript, self.game = transcript, game
        self.slips: list[Illegal] = []

    def judge(self) -> None:
        for stage in range(CARS + 1):
            self.stage(stage)
        for event in self.transcript.events:
            self.event(event)
        if self.transcript.results:
            self.results(self.transcript.results)

    # The line-up (PS-7)

    def stage(self, stage: int) -> None:
        """The throws for one car of each player, or for who begins."""
        lines = self.lines_of(stage)
        used = dict.fromkeys(lines, 0)
        while self.game.lineup.stage == stage and not self.game.lineup.settled:
            throwers = self.game.lineup.throwers
            missing = [
                player for player in throwers if player not in lines or used[player] >= len(lines[player].throws)
            ]
            if missing:
                self.throws_missing(stage, missing)
                break
            self.game = throw(self.game, {player: lines[player].throws[used[player]] for player in throwers})
            for player in throwers:
                used[player] += 1
        spare = [line for player, line in lines.items() if used[player] < len(line.throws)]
        if spare and (self.game.lineup.stage != stage or self.game.lineup.settled):
            raise Illegal("throws", _too_many(spare[0], self.game), "PS-7", at(spare[0].places, "throws"))

    def lines_of(self, stage: int) -> dict[int, GridLine | BeginLine]:
        """The lines of a stage by player."""
        found: dict[int, GridLine | BeginLine] = {}
        own: Sequence[GridLine | BeginLine] = self.transcript.begin
        if stage < CARS:
            own = [line for line in self.transcript.grid if line.car % CARS == stage]
        for line in own:
            player = _player(line)
            if player in found:
                word = "car" if isinstance(line, GridLine) else "seat"
                raise Illegal("twice", f"{_thrower(line)} has its throws already", "PS-7", at(line.places, word))
            found[player] = line
        return found

    def throws_missing(self, stage: int, players: Sequence[int]) -> None:
        """Players have not thrown: a fault unless the transcript ends there."""
        later = next(self.after(stage), None)
        if later is not None:
            who = [_called(self.transcript, player, stage) for player in players]
            message = f"{due(self.transcript, self.game)}; not thrown yet: {_listed(who)}"
            raise Illegal("line-up", message, "PS-7", later)

    def after(self, stage: int) -> Iterator[Place | None]:
        """Where lines stand that come after a stage of the line-up."""
        later = [line for line in self.transcript.grid if line.car % CARS > stage]
        begun = self.transcript.begin if stage < CARS else ()
        for line in (*later, *begun, *self.transcript.events, *self.transcript.results):
            yield at(line.places, "line")

    # The race

    def event(self, event: PlanLine | DiceLine | CarLine) -> None:
        if self.game.over:
            raise Illegal("over", "the race is over: all cars have left the track", "PS-23", at(event.places, "line"))
        if isinstance(event, PlanLine):
            self.plan(event)
        elif isinstance(event, DiceLine):
            self.dice(event)
        elif event.die is None:
            pit_ruling(self.transcript, underway(self.game), event, self.last_seat)
        else:
            self.game = happen(self.game, ruling(self.transcript, underway(self.game), event))

    @property
    def last_seat(self) -> int | None:
        """Whose dice were thrown last."""
        return next((line.seat for line in reversed(self.game.transcript.events) if isinstance(line, DiceLine)), None)

    def plan(self, line: PlanLine) -> None:
        race, where = underway(self.game), at(line.places, "car")
        if race.mover != player_of(line.car) or race.phase not in (Phase.PLAN, Phase.PICK):
            message = f"car {letter(line.car)} is not asked now: {due(self.transcript, self.game)}"
            raise Illegal("order", message, "PS-21", where)
        legal = [plan.value for plan in plans(race.terms)]
        if line.plan.value not in legal:
            raise Illegal("plan", f"without fuel rules a car can only {legal[0]} in the pit", "PS-21",
                          at(line.places, "plan"), legal)  # fmt: skip
        if race.planner == line.car:
            self.game = happen(self.game, Planned(line.car, line.plan))
        elif race.cars[line.car].plan is not line.plan:
            place = race.terms.track.name_of(race.cars[line.car].space)
            message = f"car {letter(line.car)} is on {place}: a car is asked on pit 3, once"
            raise Illegal("plan", message, "PS-21", where)

    def dice(self, line: DiceLine) -> None:
        race = underway(self.game)
        if race.mover != line.seat or race.phase is not Phase.PICK:
            raise Illegal("order", due(self.transcript, self.game), "PS-6", at(line.places, "seat"))
        if len(line.dice) != len(race.movable):
            self.wrong_count(race, line)
        dice = sorted(line.dice, key=lambda die: COLOURS.index(die.colour))
        self.game = happen(self.game, Picked(tuple(die.colour for die in dice)))
        if dice:
            self.game = happen(self.game, Thrown(tuple(die.value for die in dice)))

    def wrong_count(self, race: Race, line: DiceLine) -> NoReturn:
        movable = [letter(car) for car in race.movable]
        cars = f"{', '.join(movable)}: {_counted(len(movable), 'die')}" if movable else "none: no dice"
        message = f"{self.transcript.name(line.seat)} throws a die for each car that is to move ({cars})"
        told = f"{message}, not {len(line.dice)}"
        raise Illegal("dice", told, "PS-6", at(line.places, "dice"))

    def results(self, lines: Sequence[ResultLine]) -> None:
        if not self.game.over:
            message = f"the race has results but is not over: {due(self.transcript, self.game)}"
            raise Illegal("end", message, "PS-23", at(lines[0].places, "line"))
        right = results_of(underway(self.game))
        for line, true in zip(lines, right, strict=False):
            if (line.seat, line.points) != (true.seat, true.points):
                message = f"place {true.rank}: {self.transcript.name(true.seat)}, {_counted(true.points, 'point')}"
                wrong = f"{message}, not seat {line.seat + 1}, {_counted(line.points, 'point')}"
                self.slips.append(Illegal("result", wrong, "PS-24", at(line.places, "line")))
        if len(lines) != len(right):
            message = f"the race has {len(right)} places for players, not {len(lines)}"
            self.slips.append(Illegal("result", message, "PS-24", at(lines[-1].places, "line")))


def due(transcript: CarTranscript, game: CarGame) -> str:
    """What comes next; empty when the race is over."""
    if game.race is None:
        return _due_throws(transcript, game)
    race = game.race
    if race.mover is None:
        return ""
    name = transcript.name(race.mover)
    if race.phase is Phase.PLAN and race.planner is not None:
        return f"{name} tells what car {letter(race.planner)} on pit 3 is to do"
    if race.phase is Phase.MOVE:
        left = ", ".join(map(die_text, race.dice))
        return f"{name} still moves {_listed([letter(car) for car in race.waiting])} with {left}"
    return f"it is {name}'s turn"


def _due_throws(transcript: CarTranscript, game: CarGame) -> str:
    lineup = game.lineup
    again = " again" if any(lineup.stages[-1]) else ""
    if lineup.car is None:
        return f"{_listed([transcript.name(player) for player in lineup.throwers])} throw{again} for who begins"
    cars = _listed([letter(player * CARS + lineup.car) for player in lineup.throwers])
    return f"cars {cars} throw{again} for their places in the line-up"


def _player(line: GridLine | BeginLine) -> int:
    return player_of(line.car) if isinstance(line, GridLine) else line.seat


def _called(transcript: CarTranscript, player: int, stage: int) -> str:
    """A thrower: a car in the line-up, a seat where it is for who begins."""
    return letter(player * CARS + stage) if stage < CARS else transcript.name(player)


def _thrower(line: GridLine | BeginLine) -> str:
    return f"car {letter(line.car)}" if isinstance(line, GridLine) else f"seat {line.seat + 1}"


def _too_many(line: GridLine | BeginLine, game: CarGame) -> str:
    if game.lineup.players == 1:
        return "nobody throws alone: the cars of a single player stand in order"
    return f"{_thrower(line)} throws once too often: nobody else's sum is the same"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _counted(number: int, word: str) -> str:
    plural = {"die": "dice", "point": "points"}[word]
    return f"{number} {word if number == 1 else plural}"
