"""`rulekit play` on a track: dice picked, cars moved and pit stops planned at the keyboard, saving, resuming."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.cli.play_car_desk import HELP, car_and_die, picked_colours
from rulekit.cli.play_talk import NoAnswer
from rulekit.files.car_transcript import DiceLine
from rulekit.files.source import read_file, read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import Colour
from rulekit.ps.race import Die, Picked, Race, Thrown, apply, begin
from rulekit.ps.terms import Terms
from rulekit.readings import PsReadings
from rulekit.simulate.car_verdict import CarVerdict, judge_cars


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*args: str, keys: str = "", **env: Any) -> Result:
    return CliRunner().invoke(cli, ["play", *args], prog_name="rulekit", input=keys, env=env)


def verdict(file: str) -> CarVerdict:
    found = judge_cars(read_file(Path(file)))
    assert not found.findings
    return found


def turns(file: str) -> int:
    game = verdict(file).game
    assert game is not None
    return sum(isinstance(event, DiceLine) for event in game.transcript.events)


def test_policies_alone_play_a_race_that_replays() -> None:
    outcome = play("orchard", "--policy", "random,greedy,random", "--laps", "1", "--seed", "1")
    assert outcome.exit_code == 0
    assert "Orchard, 1 lap: 1 (random), 2 (greedy), 3 (random)\nline-up from the pole back: " in outcome.stdout
    assert "saved: race-1.txt\n" in outcome.stdout
    found = verdict("race-1.txt").record()
    assert found["over"]
    assert f"1        {found['order'][0]} (" in outcome.stdout
    assert max(map(len, outcome.stdout.splitlines())) <= 80


def test_a_player_picks_dice_and_moves_cars() -> None:
    outcome = play("orchard", "--seed", "3", keys="2 blue 1 red\nA red\n1\nquit\n")
    assert outcome.exit_code == 0
    shown = outcome.stdout
    assert "line-up from the pole back: D A B E C F; 1 (human) begins" in shown
    assert "1 (human): blue 1, blue 1, red 5" in shown
    assert "car    at     blue 1    red 5\n" in shown
    assert "\n  A: red 5  main " in shown
    assert "saved: race-1.txt (go on: rulekit play --resume race-1.txt)" in shown
    assert turns("race-1.txt") == 1
    assert verdict("race-1.txt").next == "seat 1 still moves B and C with blue 1, blue 1"
    assert max(map(len, shown.splitlines())) <= 80


def test_lines_of_a_long_track_fit_in_80_columns() -> None:
    keys = "list\n?\nyyy\n?\nlist\n"
    options = ["--policy", "human,greedy,greedy,greedy", "--seed", "5", "--reading", "fuel=full"]
    shown = play("ravenhill", *options, keys=keys).stdout
    assert "pick                  mean sum" in shown
    assert "triangle" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert max(map(len, HELP.splitlines())) <= 80


def test_words_instead_of_answers() -> None:
    shown = play("orchard", "--seed", "3", "--laps", "1", keys="advice\n?\nboard\nlist\nbbr\nadvice\nsave\n").stdout
    assert shown.count("solving the circuit") == 1
    assert "greedy would take yellow yellow yellow\n" in shown
    assert shown.count("solo would take ") == 2
    assert "cautious would take " in shown
    assert shown.count("saved: race-1.txt") == 2
    assert not list(Path().glob("race-2.txt"))


def test_an_end_may_be_named_and_another_car_taken() -> None:
    shown = play("orchard", "--seed", "3", keys="bbr\nC 5\nback\nA red\nmain middle 7\n").stdout
    assert "A, red 5" in shown
    assert "\n  A: red 5  main middle " in shown or "'main middle 7' is none of the ends" in shown


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("bb\n", "pick a die for each of A, B, C, not 2"),
        ("2 green\n", "'green' is no colour: blue, red or yellow"),
        ("yelow\n", "'yelow' is no colour (did you mean 'yellow'?): blue, red or yellow"),
        ("99999999999 b\n", "pick a die for each of A, B, C, not 99"),
        ("bbr\nA\n", "which die? blue 1, red 5"),
        ("bbr\nD 5\n", "car D is not to move now: A, B, C"),
        ("bbr\nred\n", "which car? A, B, C, and its die, such as A blue 1"),
        ("bbr\nA yellow\n", "which die? blue 1, red 5"),
        ("bbr\nA 5\n9\n", "'9' is none of the ends"),
        ("bbr\nA 5\nmain midle 7\n", "is none of the ends (did you mean 'main middle"),
        ("bbr\nA 5\n\n\n 1 \n", "  A: red 5  main "),
    ],
)
def test_answers_that_do_not_fit_are_asked_again(keys: str, answer: str) -> None:
    outcome = play("orchard", "--seed", "3", keys=keys)
    assert answer in outcome.stdout
    assert outcome.exit_code == 0


def test_a_plan_is_asked_for_on_pit_space_3() -> None:
    """A recorded race left before a plan, gone on with: the next turn asks."""
    recorded = Path(__file__).parent / "cases" / "car_transcripts" / "three-full-fuel.txt"
    text = recorded.read_text(encoding="utf-8")
    text = text[: text.index("\nplan ")].replace("policy random", "Cleo")
    Path("pit.txt").write_text(text, encoding="utf-8")
    car = verdict("pit.txt").next.split(" on pit 3")[0][-1]
    shown = play("--resume", "pit.txt", "--transcript", "b.txt", keys="all\nr\nlist\nboth\n").stdout
    assert f"car {car} is on pit 3 with damage " in shown
    assert "repair or refuel or both? all\n  'all' could be neither: repair, refuel, both\n" in shown
    assert "'r' could be repair or refuel: repair, refuel, both" in shown
    assert shown.count("repair or refuel and leave now, or both and go on to pit 6") == 2
    assert f"\nplan {car}: both\n" in shown
    assert f"plan {car}: both" in Path("b.txt").read_text(encoding="utf-8").splitlines()


def test_leaving_before_the_first_throw_writes_nothing() -> None:
    outcome = play("orchard", "--policy", "human", "--players", "2", keys="")
    assert outcome.exit_code == 0
    assert not list(Path().iterdir())


def test_resuming_goes_on_where_it_was_left() -> None:
    play("orchard", "--seed", "3", "--transcript", "a.txt", keys="bbr\nA r\n1\n")
    outcome = play("--resume", "a.txt", "--transcript", "b.txt", "--seed", "4", keys="B\n1\nq\n")
    assert outcome.exit_code == 0
    assert "\n  B: blue 1  box 4\n  C: blue 1  box 2\n" in outcome.stdout
    assert (turns("a.txt"), turns("b.txt")) == (1, 2)
    first, second = (Path(name).read_text(encoding="utf-8").splitlines() for name in ("a.txt", "b.txt"))
    assert first[0] == "# made by `rulekit play`, seed 3"
    assert second[:2] == [first[0], "# resumed by `rulekit play`, seed 4"]
    assert second[2 : 1 + len(first)] == first[1:]


def test_a_line_up_is_thrown_to_its_end_when_resumed() -> None:
    head = (
        "rulekit transcript 1\ntrack: orchard\nlaps: 1\nseat 1: policy random\nseat 2: policy random\ngrid A: 3 3 3\n"
    )
    Path("a.txt").write_text(head + "grid D: 1 1 1\n", encoding="utf-8")
    assert play("--resume", "a.txt", "--transcript", "b.txt", "--seed", "1").exit_code == 0
    assert verdict("b.txt").record()["over"]


def test_files_are_kept_unless_told() -> None:
    Path("race-1.txt").write_text("mine", encoding="utf-8")
    play("orchard", "--seed", "3", keys="bbr\n")
    assert Path("race-1.txt").read_text(encoding="utf-8") == "mine"
    assert turns("race-2.txt") == 1
    outcome = play("orchard", "--transcript", "race-1.txt", keys="bbr\n")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "race-1.txt exists already" in outcome.stderr


def test_a_track_of_ones_own_is_named_from_the_transcripts_folder() -> None:
    assert CliRunner().invoke(cli, ["courses", "--copy", "orchard", "."]).exit_code == 0
    Path("games").mkdir()
    options = ["--policy", "random,random", "--laps", "1", "--transcript", "games/one.txt"]
    assert play("orchard.toml", *options).exit_code == 0
    assert "track: ../orchard.toml\n" in Path("games/one.txt").read_text(encoding="utf-8")
    assert turns("games/one.txt") > 5


def test_json_on_stdout_the_conversation_on_stderr() -> None:
    outcome = play("orchard", "--policy", "greedy,random", "--laps", "1", "--seed", "1", "-f", "json")
    told = json.loads(outcome.stdout)
    assert (told["command"], told["seed"], told["over"]) == ("play", 1, True)
    assert [row["policy"] for row in told["rows"]] == ["greedy"] * 3 + ["random"] * 3
    assert "seed 1; ? for help" in outcome.stderr


def test_the_seed_settles_the_dice() -> None:
    for name in ("a", "b"):
        options = ["--policy", "greedy,random", "--laps", "1", "--seed", "9", "--transcript", f"{name}.txt"]
        play("orchard", *options, "--reading", "fuel=limited")
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes()
    assert "readings: fuel=limited\n" in Path("a.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["orchard", "--players", "1"], "1 player: a race takes 2 to 4 players with three cars each (PS-6)"),
        (["orchard", "--players", "5"], "5 players: a race takes 2 to 4 players"),
        (["orchard", "--policy", "humn,greedy"], "there is no policy 'humn' (did you mean 'human'?)"),
        (["orchard", "practice-a"], "a race of cars is held on one track: name it alone"),
        (["practice-a", "orchard"], "a race of cars is held on one track: name it alone"),
        (["orchard", "--dice-max", "3"], "--dice-max speaks of boats: this is a track"),
        (["orchard", "--reading", "fuel=full", "--laps", "2"], "fuel=full needs a tank for 2 laps"),
        (["orchard", "--reading", "reroll=one"], "there is no reading 'reroll'"),
        (["practice-a", "--laps", "2"], "--laps is for tracks: a course has no laps"),
        (["--resume", "a.txt", "--laps", "3"], "--resume goes without --laps: the transcript tells"),
    ],
)
def test_wrong_options(args: list[str], message: str) -> None:
    outcome = play(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert not outcome.stdout


def test_faulty_and_finished_races_are_not_resumed() -> None:
    play("orchard", "--policy", "random,random", "--laps", "1", "--seed", "1", "--transcript", "a.txt")
    assert "is over: rulekit replay tells its standings" in play("--resume", "a.txt").stderr
    text = Path("a.txt").read_text(encoding="utf-8")
    Path("b.txt").write_text(text.replace("policy random", "policy randm", 1), encoding="utf-8")
    assert "there is no policy 'randm' (did you mean 'random'?)" in play("--resume", "b.txt").stderr
    Path("c.txt").write_text(text.replace("damage 1", "damage 2", 1), encoding="utf-8")
    outcome = play("--resume", "c.txt")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("c.txt:")


# What a line means


def test_colours_of_a_line() -> None:
    blue, red, yellow = Colour
    assert picked_colours("2 blue 1 red") == [blue, blue, red]
    assert picked_colours("y") == [yellow]
    assert picked_colours("b,b  y") == [blue, blue, yellow]
    assert picked_colours("1b 2y") == [blue, yellow, yellow]
    for text in ("quit", "²", "b²"):
        with pytest.raises(NoAnswer):
            picked_colours(text)


@pytest.fixture
def thrown() -> Race:
    """Player 1 has thrown blue 2, red 5, red 10."""
    track = read_track(read_source("orchard")).track
    race = begin(Terms(track, PsReadings(), 1), (4, 5, 6, 1, 2, 3), 0)
    race = apply(race, Picked((Colour.BLUE, Colour.RED, Colour.RED)))
    return apply(race, Thrown((2, 5, 10)))


@pytest.mark.parametrize(
    ("text", "car", "die"),
    [
        ("A blue", 0, Die(Colour.BLUE, 2)),
        ("b b", 1, Die(Colour.BLUE, 2)),
        ("C 10", 2, Die(Colour.RED, 10)),
        ("c r5", 2, Die(Colour.RED, 5)),
        ("C, red 5", 2, Die(Colour.RED, 5)),
        ("a2", 0, Die(Colour.BLUE, 2)),
    ],
)
def test_a_car_and_a_die_of_a_line(thrown: Race, text: str, car: int, die: Die) -> None:
    assert car_and_die(thrown, text) == (car, die)


@pytest.mark.parametrize("text", ["A red", "A", "D 2", "blue", "2", "A 7", "A y", "board", "advice", "A blue 5", "?"])
def test_lines_that_name_no_car_and_die(thrown: Race, text: str) -> None:
    with pytest.raises(NoAnswer):
        car_and_die(thrown, text)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_saves_and_ends_with_130(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    args = [sys.executable, "-m", "rulekit", "play", "orchard", "--seed", "3"]
    with subprocess.Popen(
        args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=tmp_path
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("bbr\nA 5\n1\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("  A: red 5"):
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "saved: race-1.txt" in stdout
    assert stderr.strip() == "interrupted"
    assert turns(str(tmp_path / "race-1.txt")) == 1
