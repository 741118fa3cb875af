"""`rulekit replay`: findings and standings as text, JSON and rows; exit codes."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from test_referee import GAME
from test_transcript import help_example

from rulekit.cli import cli


def run(*args: str, **extra: Any) -> Result:
    return CliRunner().invoke(cli, ["replay", *args], prog_name="rulekit", **extra)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "match.txt"
    file.write_text(GAME, encoding="utf-8")
    return file


def test_a_game_under_way(game: Path) -> None:
    outcome = run(str(game))
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(f"{game}: every move is legal (8 turns in 1 race)\n")
    assert "race 1 (practice-a) is under way: it is seat 2 (Ben)'s turn" in outcome.stdout
    assert max(map(len, outcome.stdout.splitlines()[1:])) <= 80


def test_an_illegal_move_ends_with_1_and_tells_what_was_legal(game: Path) -> None:
    game.write_text(GAME.replace("+ 3  E E5", "+ 2  E E5"), encoding="utf-8")
    outcome = run(str(game))
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith(
        f"{game}:11:11: error: with 2 E from B5 the boat ends on D5, not E5 (PB-18) [end-hex]\nlegal here:\n  E to D5\n"
    )
    assert not outcome.stderr


def test_a_long_list_of_what_was_legal_is_cut(game: Path) -> None:
    game.write_text(GAME.replace("2: 1 + 2  E K9", "2: 1 + 1 1 1  E K9"), encoding="utf-8")
    shown = run(str(game)).stdout
    assert "at most 1 die is added or removed a turn (PB-15) [dice]" in shown
    assert "  keep 1, roll 1 (add)\n" in shown


def test_json(game: Path) -> None:
    told = json.loads(run(str(game), "-f", "json").stdout)
    assert (told["command"], told["valid"], told["over"], told["findings"]) == ("replay", True, False, [])
    assert told["next"] == "it is seat 2 (Ben)'s turn"
    assert told["readings"]["reroll"] == "any"
    assert [(row["seat"], row["name"], row["status"], row["turns"]) for row in told["rows"]] == [
        (1, "Ann", "racing", 4),
        (2, "Ben", "racing", 4),
    ]


def test_json_of_a_finding(game: Path) -> None:
    game.write_text(GAME.replace("+ 3  E E5", "+ 2  E E5"), encoding="utf-8")
    outcome = run(str(game), "-f", "json")
    told = json.loads(outcome.stdout)
    assert (outcome.exit_code, told["valid"], told["legal"]) == (1, False, ["E to D5"])
    assert told["findings"] == [
        {
            "severity": "error",
            "code": "end-hex",
            "rule": "PB-18",
            "line": 11,
            "column": 11,
            "message": "with 2 E from B5 the boat ends on D5, not E5",
        }
    ]


def test_rows_and_standings_of_a_match_that_is_over(tmp_path: Path) -> None:
    file = str(tmp_path / "whole.txt")
    options = ["practice-a", "practice-a", "--policy", "cautious,greedy,random", "--seed", "2", "--transcript", file]
    assert CliRunner().invoke(cli, ["play", *options]).exit_code == 0
    outcome = run(file, "-f", "csv")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    rows = list(csv.DictReader(outcome.stdout.splitlines()))
    assert [(row["race"], row["place"]) for row in rows] == [(race, place) for race in "12" for place in "123"]
    points = [sum(int(row["points"]) for row in rows if row["seat"] == seat) for seat in "123"]
    told = json.loads(run(file, "-f", "json").stdout)
    assert (told["over"], told["next"], told["points"]) == (True, "", points)
    text = run(file).stdout
    winner = told["order"][0]
    assert f"\n1        {winner} " in text.split("match\n")[1]


def test_findings_beside_rows_go_to_stderr(game: Path) -> None:
    game.write_text(GAME.replace("+ 3  E E5", "+ 2  E E5"), encoding="utf-8")
    outcome = run(str(game), "-f", "csv")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith(f"{game}:11:11: error:")
    assert outcome.stdout.startswith("race,course,seat,name,policy,place,points,extra,status,turns,damaged\n")


def test_file_faults_count_as_findings(game: Path) -> None:
    game.write_text(GAME.replace("seat 2: Ben", "seet 2: Ben"), encoding="utf-8")
    outcome = run(str(game))
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith(f"{game}:5:1: error: 'seet' (did you mean 'seat'?): ")


@pytest.mark.parametrize(("content", "code"), [(None, 2), (b"\0", 2), (b"\xff", 2), (b"", 1), (b"hello", 1)])
def test_exit_codes_of_files(tmp_path: Path, content: bytes | None, code: int) -> None:
    file = tmp_path / "match.txt"
    if content is not None:
        file.write_bytes(content)
    outcome = run(str(file))
    assert outcome.exit_code == code
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)


def test_standard_input() -> None:
    outcome = run("-", "--stdin-filename", "evening.txt", input=help_example())
    assert (outcome.exit_code, outcome.stdout.splitlines()[0]) == (
        0,
        "evening.txt: every move is legal (6 turns in 1 race)",
    )
    assert "readings: sink-at=3" in outcome.stdout
