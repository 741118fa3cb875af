"""`rulekit replay` of car races: findings and standings as text, JSON and rows; exit codes."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from test_car_referee import GAME, RECORDED, help_example

from rulekit.cli import cli


def run(*args: str, **extra: Any) -> Result:
    return CliRunner().invoke(cli, ["replay", *args], prog_name="rulekit", **extra)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "race.txt"
    file.write_text(GAME, encoding="utf-8")
    return file


def test_a_race_under_way(game: Path) -> None:
    outcome = run(str(game))
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(f"{game}: every move is legal (9 turns, 26 moves)\n")
    assert "Orchard is under way: seat 2 (Ben) still moves D with red 4" in outcome.stdout
    assert "\nF      2       main right 12     1/3    2\n" in outcome.stdout
    assert max(map(len, outcome.stdout.splitlines()[1:])) <= 80


def test_a_line_up_under_way(game: Path) -> None:
    game.write_text(GAME[: GAME.index("grid B")], encoding="utf-8")
    outcome = run(str(game))
    assert outcome.exit_code == 0
    assert "Orchard is under way: cars B and E throw for their places in the line-up\n" in outcome.stdout
    assert json.loads(run(str(game), "-f", "json").stdout)["rows"] == []


def test_an_illegal_move_ends_with_1_and_tells_what_was_legal(game: Path) -> None:
    game.write_text(GAME.replace("C: blue 1  hairpin middle 4", "C: blue 1  hairpin left 6"), encoding="utf-8")
    outcome = run(str(game))
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith(
        f"{game}:44:12: error: car C with blue 1 from hairpin middle 3 cannot end on hairpin left 5 (PS-11) [end]\n"
        "legal here:\n  C: blue 1  hairpin middle 4\n  C: blue 1  hairpin right 4\n\nas far as it is legal:\n"
    )
    assert not outcome.stderr


def test_json(game: Path) -> None:
    told = json.loads(run(str(game), "-f", "json").stdout)
    assert (told["command"], told["valid"], told["over"], told["findings"]) == ("replay", True, False, [])
    assert told["next"] == "seat 2 (Ben) still moves D with red 4"
    assert told["readings"]["fuel"] == "none"
    rows = [(row["seat"], row["name"], row["car"], row["at"], row["damage"], row["turns"]) for row in told["rows"]]
    assert rows[3:] == [
        (2, "Ben", "D", "main left 14", 0, 4),
        (2, "Ben", "E", "press middle 2", 1, 4),
        (2, "Ben", "F", "main right 12", 2, 4),
    ]


def test_rows_and_standings_of_a_race_that_is_over() -> None:
    file = next(str(file) for file in RECORDED if file.stem == "four-limited-fuel")
    outcome = run(file, "-f", "csv")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    rows = list(csv.DictReader(outcome.stdout.splitlines()))
    assert sorted(int(row["place"]) for row in rows) == list(range(1, 13))
    assert [row["car"] for row in rows] == list("ABCDEFGHIJKL")
    told = json.loads(run(file, "-f", "json").stdout)
    assert (told["over"], told["next"]) == (True, "")
    points = [sum(int(row["points"]) for row in rows if row["seat"] == seat) for seat in "1234"]
    assert told["points"] == points
    assert told["order"][0] == 1 + points.index(max(points))
    assert "Ravenhill, 1 lap\nplace    seat        points    turns\n" in run(file).stdout


def test_findings_beside_rows_go_to_stderr(game: Path) -> None:
    game.write_text(GAME.replace("E: yellow 9  main right 8", "E: yellow 9  main right 9"), encoding="utf-8")
    outcome = run(str(game), "-f", "csv")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith(f"{game}:18:14: error:")
    assert outcome.stdout.startswith("seat,name,policy,car,box,status,at,laps,damage,fuel,place,points,turns\n")


@pytest.mark.parametrize(("content", "code"), [("track: orchard", 1), ("rulekit transcript 1\ntrack: none\n", 1)])
def test_exit_codes_of_files(game: Path, content: str, code: int) -> None:
    game.write_text(content, encoding="utf-8")
    outcome = run(str(game))
    assert outcome.exit_code == code
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)


def test_standard_input() -> None:
    outcome = run("-", "--stdin-filename", "evening.txt", input=help_example())
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("evening.txt: every move is legal (3 turns, 9 moves)\n")


def test_a_simulated_race_is_written_down_and_replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With laps of its own, on a track that the transcript names from its own folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    assert CliRunner().invoke(cli, ["courses", "--copy", "orchard", "."]).exit_code == 0
    options = ["--policy", "random,random", "--races", "1", "--laps", "1", "--seed", "2"]
    run_of = CliRunner().invoke(cli, ["simulate", "orchard.toml", *options, "--transcript", "games/one.txt"])
    assert run_of.exit_code == 0
    text = (tmp_path / "games" / "one.txt").read_text(encoding="utf-8")
    assert "\ntrack: ../orchard.toml\nlaps: 1\nseat 1: policy random\n" in text
    told = json.loads(run("games/one.txt", "-f", "json").stdout)
    assert (told["valid"], told["over"]) == (True, True)
