"""Advice on dice choices: against the definition over the rules engine, and the command."""

import json
from math import isfinite
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_reach import STARTS, pond

from rulekit.cli import cli
from rulekit.files.source import read_source
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.turn import outcomes
from rulekit.solve.advice import choice_values
from rulekit.solve.bounds import Solution, solve
from rulekit.solve.tables import Numbered


@pytest.mark.parametrize("readings", [("dice-max=3",), ("dice-max=2", "reroll=one", "sink-at=2")], ids=",".join)
def test_values_are_a_turn_and_the_best_that_follows(readings: tuple[str, ...]) -> None:
    numbered = pond(*readings)
    solution = solve(numbered.race, sunk=20.0, within=1e-9)
    tuples = numbered.race.dice.hands.tuple_of
    for boat in STARTS:
        if boat.progress >= numbered.waters.last or boat.damage >= numbered.waters.readings.sink_at:
            continue
        state = numbered.state(boat)
        found = {Choice(tuples(k), rolled): worth for (k, rolled), worth in choice_values(solution, state).items()}
        expected = {
            choice: 1 + sum(float(p) * min(after(numbered, solution, to) for to in legal) for p, legal in thrown)
            for choice, thrown in outcomes(numbered.waters, boat)
        }
        assert found.keys() == expected.keys()
        assert all(found[choice] == pytest.approx(expected[choice], abs=1e-7) for choice in found)
        assert min(found.values()) == pytest.approx(solution.value(*state), abs=1e-7)


def after(numbered: Numbered, solution: Solution, to: Landing) -> float:
    """The cost from a landing on."""
    if to.finished:
        return 0.0
    return solution.sunk if to.sunk else solution.value(*numbered.state(to.boat))


PLACE = ["--course", "practice-a", "--at", "E4", "--facing", "NE"]


def run(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `rulekit odds …`."""
    found = CliRunner().invoke(cli, ["odds", *args])
    return found.exit_code, found.stdout, found.stderr


def test_command_sorts_by_turns() -> None:
    code, out, _ = run("--dice", "3,1", *PLACE, "--advice", "-f", "json", "--dice-max", "3")
    told = json.loads(out)
    turns = [row["turns"] for row in told["rows"]]
    assert code == 0
    assert told["sink_cost"] == 50
    assert turns == sorted(turns)
    assert all(row["loss"] == pytest.approx(row["turns"] - turns[0]) for row in told["rows"])
    assert all(isfinite(row["turns"]) for row in told["rows"])
    _, plain, _ = run("--dice", "3,1", *PLACE, "-f", "json", "--dice-max", "3")
    without = [{key: row[key] for key in row if key not in ("turns", "loss")} for row in told["rows"]]
    assert sorted(map(str, json.loads(plain)["rows"])) == sorted(map(str, without))


def test_command_reads_a_saved_race(tmp_path: Path) -> None:
    file = str(tmp_path / "best.npz")
    saved = CliRunner().invoke(cli, ["solve", "practice-a", "--dice-max", "3", "--save", file])
    assert saved.exit_code == 0
    args = "--dice", "3,1", *PLACE, "-f", "csv", "--dice-max", "3"
    assert run(*args, "--advice", file)[1] == run(*args, "--advice")[1]
    code, _, err = run("--dice", "3,1", *PLACE, "--dice-max", "4", "--advice", file)
    assert code == 2
    assert "dice-max" in err


def test_a_saved_race_is_good_for_the_largest_hand_that_it_knows(tmp_path: Path) -> None:
    file = str(tmp_path / "best.npz")
    assert CliRunner().invoke(cli, ["solve", "practice-a", "--dice-max", "2", "--save", file]).exit_code == 0
    code, out, err = run("--dice", "3,1", *PLACE, "-f", "json", "--dice-max", "2", "--advice", file)
    assert (code, "dice-max is" in err) == (0, False)
    assert max(row["roll"] + len(row["keep"]) for row in json.loads(out)["rows"]) == 2
    place = "--at", "E4", "--facing", "NE", "--dice", "3,1", "--dice-max", "2"
    reached = CliRunner().invoke(cli, ["reach", "practice-a", *place, "--policy", file])
    assert (reached.exit_code, "dice-max is" in reached.stderr) == (0, False)
    code, _, err = run("--dice", "3,1,1", *PLACE, "--dice-max", "2", "--advice", file)
    assert (code, "saved under other readings: dice-max=2 (here 4)" in err) == (2, True)


def test_command_table() -> None:
    code, out, _ = run("--dice", "3,1", *PLACE, "--advice", "--dice-max", "3")
    assert code == 0
    assert "a sunk boat counts as 50" in out
    assert "worse choices left out" in out or "left out" not in out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--dice", "3,1", "--advice"], "--advice depends on the course"),
        (["--dice", "3,1", *PLACE, "--advice", "missing.npz"], "missing.npz"),
        (["--dice", "3,1", *PLACE, "--advice", "--progress", "7"], "0 to 4 gates"),
        (["--dice", "3,1", *PLACE, "--advice", "--dice-max", "none"], "needs a limit"),
    ],
)
def test_command_faults(args: list[str], told: str) -> None:
    code, _, err = run(*args)
    assert code == 2
    assert told in err


def test_advice_on_a_course_from_standard_input() -> None:
    text = read_source("practice-a").text
    args = ["odds", "--dice", "3,1", "--at", "E4", "--facing", "NE", "--advice", "-f", "csv", "--dice-max", "3"]
    piped = CliRunner().invoke(cli, [*args, "--course", "-"], input=text)
    assert piped.exit_code == 0, piped.stderr
    assert piped.stdout == CliRunner().invoke(cli, [*args, "--course", "practice-a"]).stdout
