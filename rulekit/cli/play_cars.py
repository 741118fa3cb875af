"""A session of `play` on a track: setting up a new or resumed car race, driving it, writing it down."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from typing import Any

from rulekit.cli import play_car_screen as screen
from rulekit.cli.circuit import load_legal_track
from rulekit.cli.options import ps_readings
from rulekit.cli.output import Output, Result
from rulekit.cli.play_car_desk import CarDesk, CarHuman
from rulekit.cli.play_talk import Leave, Saver
from rulekit.cli.replay_cars import car_rows, cars_text, standings_text
from rulekit.cli.seats import CARS, seat_policies
from rulekit.errors import BadInput, FileFaults
from rulekit.files.car_transcript import CarTranscript, DiceLine
from rulekit.files.car_transcript_read import read_car_transcript
from rulekit.files.source import Source, read_source
from rulekit.files.track import TrackFile
from rulekit.files.transcript import SeatLine
from rulekit.ps.race import Phase
from rulekit.ps.terms import Terms
from rulekit.simulate.car_game import CarGame, happen, lined_up, new_car_game, underway
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_questions import CarPolicy
from rulekit.simulate.car_referee import replay_cars
from rulekit.simulate.car_table import CAR_TURN_CAP, CarPlayer, car_players, cars_capped, drawn_line_up, next_event
from rulekit.simulate.car_verdict import CarVerdict, terms_of, transcript_track
from rulekit.simulate.policies import policy_named

HUMAN = "human"
DEFAULT = (HUMAN, "greedy")


def play_cars(source: Source | None, options: dict[str, Any], output: Output) -> None:
    """A whole session on a track, or (`source` None) with --resume; raises BadInput and FileFaults."""
    seed = options["seed"] if options["seed"] is not None else randbelow(1 << 32)
    game, file = _resumed(options, seed, output) if source is None else _begun(source, options, seed, output)
    target = Path(options["transcript"]) if options["transcript"] else None
    saver = Saver([file.source], target, output.overwrite, stem="race", kind="track")
    saver.check()
    advisers = {name: CAR_POLICIES[name] for name in ("greedy", "cautious", "solo")}
    desk = CarDesk(game, saver, advisers, aside=output.fmt != "table")
    _run(desk, _seated(desk, seed), seed, options["resume"] is None)
    if desk.game.over:
        output.emit(_result(desk.game, saver, seed))


def _begun(source: Source, options: dict[str, Any], seed: int, output: Output) -> tuple[CarGame, TrackFile]:
    if len(options["files"]) > 1:
        raise BadInput("a race of cars is held on one track: name it alone")
    readings = ps_readings(options["reading"], options["dice_max"])
    names = seat_policies(options["policy"], options["players"], DEFAULT, (HUMAN, *CAR_POLICIES), CARS)
    file = load_legal_track(source, False, output)
    terms = Terms(file.track, readings, options["laps"] or file.track.laps)
    seats = tuple(SeatLine(policy=None if name == HUMAN else name) for name in names)
    head = CarTranscript(
        options["files"][0], seats, options["laps"], readings, comment=(f"made by `rulekit play`, seed {seed}",)
    )
    return lined_up(new_car_game(head, terms), drawn_line_up(len(seats), seed)), file


def _resumed(options: dict[str, Any], seed: int, output: Output) -> tuple[CarGame, TrackFile]:
    source = read_source(options["resume"])
    transcript = read_car_transcript(source)
    for seat in transcript.seats:
        policy_named(seat.policy or HUMAN, dict.fromkeys([*CAR_POLICIES, HUMAN], lambda _question, _rng: 0))
    file = transcript_track(transcript, source)
    output.warn(file.faults)
    found = replay_cars(transcript, terms_of(transcript, file), source.path)
    if found.findings:
        raise FileFaults(found.findings)
    if found.game.over:
        raise BadInput(f"the race in {source.path} is over: rulekit replay tells its standings")
    game = found.game
    if game.race is None:
        game = lined_up(game, drawn_line_up(len(transcript.seats), seed))
    comment = (*game.transcript.comment, f"resumed by `rulekit play`, seed {seed}")
    return replace(game, transcript=replace(game.transcript, comment=comment)), file


def _seated(desk: CarDesk, seed: int) -> Sequence[CarPlayer]:
    """The players; a resumed race draws from streams of its own, so that no throw comes twice."""
    human = CarHuman(desk)
    policies: list[CarPolicy] = [
        human if seat.policy is None else CAR_POLICIES[seat.policy] for seat in desk.game.transcript.seats
    ]
    return car_players(policies, seed, sum(underway(desk.game).turns))


def _run(desk: CarDesk, seated: Sequence[CarPlayer], seed: int, new: bool) -> None:
    """Drive until the race is over or left; whatever happened is written down."""
    desk.say(f"seed {seed}; ? for help, quit to save and leave\n\n{screen.heading(desk.game)}")
    desk.say(screen.line_up_text(desk.game.transcript, desk.game.lineup))
    played = desk.game.transcript.events
    try:
        _drive_on(desk, seated)
    except Leave:
        pass
    except KeyboardInterrupt:
        desk.say("")
        raise
    finally:
        if desk.game.transcript.events != played or not new:
            desk.save()


def _drive_on(desk: CarDesk, seated: Sequence[CarPlayer]) -> None:
    while not desk.game.over:
        race, known = underway(desk.game), len(desk.game.transcript.events)
        if cars_capped(race):
            desk.say(f"a player has taken {CAR_TURN_CAP} turns: the race is given up")
            return
        desk.game = happen(desk.game, next_event(race, seated[race.mover or 0]))
        new = desk.game.transcript.events[known:]
        if new and isinstance(new[0], DiceLine) and race.phase in (Phase.THROW, Phase.PICK):
            desk.say("")
        for line in screen.told(desk.game.transcript, new):
            desk.say(line)
    desk.say(f"\n{cars_text(underway(desk.game))}")


def _result(game: CarGame, saver: Saver, seed: int) -> Result:
    """The standings of the race."""
    verdict = CarVerdict(str(saver.file), game=game)
    answers = game.transcript.readings.answers()
    text = f"\n{standings_text(game, lambda one, seat: screen.called(one.transcript, seat))}"
    return Result("play", car_rows(game), answers, seed, verdict.record(), table=lambda: text)
