"""A session of `play`: setting up a new or resumed match, playing it, writing it down."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from typing import Any

from rulekit.cli import play_screen as screen
from rulekit.cli.options import powerboats_readings
from rulekit.cli.output import Output, Result
from rulekit.cli.play_cars import play_cars
from rulekit.cli.play_desk import Desk, Human
from rulekit.cli.play_talk import Leave, Saver
from rulekit.cli.replay_table import match_text, race_text, rows
from rulekit.cli.seats import seat_policies
from rulekit.errors import BadInput, FileFaults
from rulekit.files.course import CourseFile, read_course
from rulekit.files.kinds import kind_in
from rulekit.files.source import read_source
from rulekit.files.transcript import SeatLine, Transcript
from rulekit.files.transcript_courses import transcript_courses
from rulekit.files.transcript_read import read_transcript
from rulekit.files.transcripts import tells_of_cars
from rulekit.powerboats.race import boat_to_move
from rulekit.simulate.game import Game, new_game, underway
from rulekit.simulate.policies import POLICIES, policy_named
from rulekit.simulate.referee import replay
from rulekit.simulate.table import TURN_CAP, Player, capped, drawn_starter, players, step
from rulekit.simulate.verdict import Verdict, waters_of

HUMAN = "human"
DEFAULT = (HUMAN, "greedy")


def play(options: dict[str, Any], output: Output) -> None:
    """A whole session of either game; raises BadInput and FileFaults for options and files that do not fit."""
    if options["resume"]:
        _only_resumed(options)
        if tells_of_cars(read_source(options["resume"])):
            play_cars(None, options, output)
            return
    track = next((source for name in options["files"] if kind_in(source := read_source(name)) == "track"), None)
    if track:
        play_cars(track, options, output)
        return
    if options["laps"] is not None:
        raise BadInput("--laps is for tracks: a course has no laps")
    play_boats(options, output)


def _only_resumed(options: dict[str, Any]) -> None:
    """Raises BadInput for options that a transcript tells."""
    for name in ("files", "players", "policy", "laps", "reading", "dice_max"):
        if options[name]:
            what = "courses" if name == "files" else f"--{name.replace('_', '-')}"
            raise BadInput(f"--resume goes without {what}: the transcript tells")


def play_boats(options: dict[str, Any], output: Output) -> None:
    """A match of boats; raises BadInput and FileFaults."""
    seed = options["seed"] if options["seed"] is not None else randbelow(1 << 32)
    game, files = _resumed(options, seed) if options["resume"] else _begun(options, seed)
    output.warn([fault for file in files for fault in file.faults])
    target = Path(options["transcript"]) if options["transcript"] else None
    saver = Saver([file.source for file in files], target, output.overwrite)
    saver.check()
    # What the solver's policies would take, the solver itself tells.
    advisers = {name: POLICIES[name] for name in ("greedy", "cautious")}
    desk = Desk(game, saver, advisers, aside=output.fmt != "table")
    _run(desk, _seated(desk, seed), seed)
    if desk.game.over:
        output.emit(_result(desk.game, saver, seed))


def _begun(options: dict[str, Any], seed: int) -> tuple[Game, list[CourseFile]]:
    if not options["files"]:
        raise BadInput("name a course for each race, such as practice-a, or a match to --resume")
    readings = powerboats_readings(options["reading"], options["dice_max"])
    names = seat_policies(options["policy"], options["players"], DEFAULT, (HUMAN, *POLICIES))
    files = [read_course(read_source(name)) for name in options["files"]]
    seats = tuple(SeatLine(policy=None if name == HUMAN else name) for name in names)
    head = Transcript(
        tuple(options["files"]), seats, drawn_starter(len(seats), seed), readings,
        comment=(f"made by `rulekit play`, seed {seed}",),
    )  # fmt: skip
    return new_game(head, waters_of(files, readings)), files


def _resumed(options: dict[str, Any], seed: int) -> tuple[Game, list[CourseFile]]:
    source = read_source(options["resume"])
    transcript = read_transcript(source)
    for seat in transcript.seats:
        policy_named(seat.policy or HUMAN, {**POLICIES, HUMAN: POLICIES["random"]})
    files = transcript_courses(transcript, source)
    found = replay(transcript, waters_of(files, transcript.readings), source.path)
    if found.findings:
        raise FileFaults(found.findings)
    if found.game.over:
        raise BadInput(f"the match in {source.path} is over: rulekit replay tells its standings")
    head = found.game.transcript
    resumed = replace(head, comment=(*head.comment, f"resumed by `rulekit play`, seed {seed}"))
    return replace(found.game, transcript=resumed), files


def _seated(desk: Desk, seed: int) -> Sequence[Player]:
    """The players; a resumed match draws from streams of its own, so that no throw comes twice."""
    human = Human(desk)
    seats = desk.game.transcript.seats
    turns = sum(len(race.turns) for race in desk.game.transcript.races)
    return players([human if seat.policy is None else POLICIES[seat.policy] for seat in seats], seed, turns)


def _run(desk: Desk, seated: Sequence[Player], seed: int) -> None:
    """Play until the match is over or left; whatever happened is written down."""
    desk.say(f"seed {seed}; ? for help, quit to save and leave")
    try:
        _play_on(desk, seated)
    except Leave:
        pass
    except KeyboardInterrupt:
        desk.say("")
        raise
    finally:
        if any(race.placed for race in desk.game.transcript.races):
            desk.save()


def _play_on(desk: Desk, seated: Sequence[Player]) -> None:
    number = 0
    while not desk.game.over:
        game = desk.game
        if game.number != number:
            number = game.number
            desk.say(f"\n{screen.heading(game)}")
        if capped(game):
            desk.say(f"a boat has taken {TURN_CAP} turns: the match is given up")
            return
        desk.game = step(game, seated)
        _tell(desk, game)


def _tell(desk: Desk, before: Game) -> None:
    """What the last step brought."""
    race, transcript = underway(before), desk.game.transcript
    lines = transcript.races[before.number - 1]
    if race.placer is not None:
        desk.say(screen.start_told(transcript, lines.placed[-1]))
        return
    desk.say(screen.turn_told(transcript, lines.turns[-1], boat_to_move(race)))
    if desk.game.number != before.number:
        desk.say(f"\n{race_text(desk.game, before.number, desk.game.match.results[-1], _named)}")


def _result(game: Game, saver: Saver, seed: int) -> Result:
    """The standings of the match."""
    verdict = Verdict(str(saver.file), game=game)
    answers = game.transcript.readings.answers()
    return Result("play", rows(verdict), answers, seed, verdict.record(), table=lambda: f"\n{match_text(game, _named)}")


def _named(game: Game, seat: int) -> str:
    """A seat as the board labels it."""
    return screen.called(game.transcript, seat)
