"""A car race under way together with its transcript: every throw and every event moves the engine and adds lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulekit.files.car_transcript import BeginLine, CarEvent, CarLine, CarTranscript, DiceLine, GridLine, PlanLine
from rulekit.files.transcript import ResultLine
from rulekit.ps.car import Status
from rulekit.ps.lineup import Dice, LineUp, new_line_up, thrown
from rulekit.ps.moves import DAMAGING
from rulekit.ps.picks import CARS
from rulekit.ps.race import Event, Moved, Picked, Planned, Race, Thrown, apply, begin
from rulekit.ps.scoring import final_order, score
from rulekit.ps.terms import Terms
from rulekit.simulate.car_questions import CarPolicy
from rulekit.simulate.car_table import CAR_TURN_CAP, car_players, cars_capped, drawn_line_up, next_event


@dataclass(frozen=True)
class CarGame:
    """A car race: its line-up, the race itself (None until it is settled who begins), and all that has happened."""

    terms: Terms
    lineup: LineUp
    race: Race | None
    transcript: CarTranscript

    @property
    def over(self) -> bool:
        """Whether all cars have left the track."""
        return self.race is not None and self.race.over


def new_car_game(head: CarTranscript, terms: Terms) -> CarGame:
    """The race of a transcript's head before the first throw; what it tells below its head is left out.

    Raises BadInput for a wrong number of seats.
    """
    return lined_up(CarGame(terms, new_line_up(len(head.seats)), None, head), new_line_up(len(head.seats)))


def lined_up(game: CarGame, lineup: LineUp) -> CarGame:
    """The game with that line-up, and with the race where all is settled."""
    race = begin(game.terms, lineup.boxes, lineup.starter) if lineup.settled else None
    grid, begun = grid_lines(lineup), begin_lines(lineup)
    return CarGame(game.terms, lineup, race, replace(game.transcript, grid=grid, begin=begun, events=(), results=()))


def throw(game: CarGame, dice: Mapping[int, Dice]) -> CarGame:
    """The game after the next throws for the line-up, by player; raises BadInput as `lineup.thrown`."""
    return lined_up(game, thrown(game.lineup, dice))


def grid_lines(lineup: LineUp) -> tuple[GridLine, ...]:
    """The throws for the cars' places, as far as they have been made."""
    return tuple(
        GridLine(player * CARS + car, throws)
        for car, stage in enumerate(lineup.stages[:CARS])
        for player, throws in enumerate(stage)
        if throws
    )


def begin_lines(lineup: LineUp) -> tuple[BeginLine, ...]:
    """The throws for who begins."""
    stages = lineup.stages[CARS:]
    return tuple(BeginLine(player, throws) for stage in stages for player, throws in enumerate(stage) if throws)


def underway(game: CarGame) -> Race:
    """The race; raises ValueError before the line-up is settled."""
    if game.race is None:
        raise ValueError("the line-up is not settled")
    return game.race


def happen(game: CarGame, event: Event) -> CarGame:
    """The game after an event of the race; raises BadInput for one that is not legal, as `race.apply`."""
    before = underway(game)
    after = apply(before, event)
    transcript = game.transcript
    transcript = replace(transcript, events=(*transcript.events, *_lines(before, event, after)))
    if after.over:
        transcript = replace(transcript, results=results_of(after))
    return replace(game, race=after, transcript=transcript)


def _lines(before: Race, event: Event, after: Race) -> Iterator[CarEvent]:
    """What an event writes down. Dice are written with what they show; so are the cars that went on in the pit lane
    before the throw."""
    match event:
        case Planned():
            yield PlanLine(event.car, event.plan)
        case Picked(colours=()):
            yield DiceLine(before.mover or 0, ())
            yield from _gone_on(after, before.own, before)
        case Thrown():
            yield DiceLine(before.mover or 0, after.dice)
            gone = [car for car in before.own if car not in before.held and car not in before.waiting]
            yield from _gone_on(after, [car for car in gone if before.cars[car].status is Status.PIT])
        case Moved():
            yield car_line(before, event, after)
            yield from _gone_on(after, before.held, before)


def _gone_on(race: Race, cars: Sequence[int], before: Race | None = None) -> Iterator[CarLine]:
    """Lines of cars in the pit lane, of those that have moved since `before`."""
    for car in cars:
        if before is None or before.cars[car].space != race.cars[car].space:
            yield pit_line(race, car)


def pit_line(race: Race, number: int) -> CarLine:
    """The line of a car that has gone on in the pit lane."""
    car = race.cars[number]
    return CarLine(number, None, race.terms.track.name_of(car.space), damage=car.damage, fuel=_fuel(race, number))


def car_line(before: Race, event: Moved, after: Race) -> CarLine:
    """The line that a move writes."""
    car, outcome, track = after.cars[event.car], event.outcome, before.terms.track
    origin = None if outcome.origin is None else track.name_of(outcome.origin)
    kind = outcome.kind if outcome.kind in DAMAGING else None
    end = car.space if car.place is not None else outcome.end
    return CarLine(
        event.car, event.die, track.name_of(end), kind, origin, car.damage, _fuel(after, event.car), car.place
    )


def _fuel(race: Race, car: int) -> int | None:
    """What is left in a tank, where fuel is counted and the car still races."""
    return race.cars[car].tank if race.terms.counts_fuel and race.cars[car].races else None


def results_of(race: Race) -> tuple[ResultLine, ...]:
    """The lines of the players' places and points."""
    points = score(race).points
    return tuple(ResultLine(rank, player, points[player]) for rank, player in enumerate(final_order(race), 1))


def play_car_game(
    head: CarTranscript, terms: Terms, policies: Sequence[CarPolicy], seed: int, game: int = 0, cap: int = CAR_TURN_CAP
) -> CarGame:
    """A whole race with its transcript, one policy a seat: that of `car_table.play_race` with the same numbers.

    A player who has taken `cap` turns ends the race there: it is then not over.
    """
    seated = car_players(policies, seed, game)
    played = lined_up(new_car_game(head, terms), drawn_line_up(len(policies), seed, game))
    while not played.over and not cars_capped(underway(played), cap):
        race = underway(played)
        played = happen(played, next_event(race, seated[race.mover or 0]))
    return played
