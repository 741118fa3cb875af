"""`rulekit simulate`: rows, intervals, transcripts, bad input, interruption."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.files.source import read_file
from rulekit.simulate import rates
from rulekit.simulate.bulk import Contest
from rulekit.simulate.verdict import judge

RATES = ("win", "finish", "sink")
KEYS = {"seat", "policy", "races", "mean_place", "turns_mean", "points_mean"} | {
    f"{rate}{end}" for rate in RATES for end in ("", "_low", "_high")
}


def simulate(*args: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *args], prog_name="rulekit")


def found(*args: str) -> dict[str, Any]:
    outcome = simulate(*args, "-f", "json")
    assert outcome.exit_code == 0, outcome.stderr
    answer: dict[str, Any] = json.loads(outcome.stdout)
    return answer


def test_rows_are_one_a_seat_and_policy() -> None:
    answer = found("practice-a", "--policy", "greedy,random", "--races", "6", "--seed", "4")
    assert [(row["seat"], row["policy"], row["races"]) for row in answer["rows"]] == [
        (1, "greedy", 3), (1, "random", 3), (2, "greedy", 3), (2, "random", 3),
    ]  # fmt: skip
    assert answer["matches"] == 6
    assert answer["seed"] == 4
    assert answer["turn_cap"] == 500
    for row in answer["rows"]:
        assert row.keys() >= KEYS
        assert all(0 <= row[f"{rate}_low"] <= row[rate] <= row[f"{rate}_high"] <= 1 for rate in RATES)
        assert 1 <= row["mean_place"] <= 2
    assert sum(row["races"] * row["win"] for row in answer["rows"]) == pytest.approx(6)


def test_one_policy_for_all_gives_a_row_a_seat() -> None:
    answer = found("practice-a", "--policy", "solo", "--players", "3", "--races", "300", "--seed", "1")
    assert [(row["seat"], row["policy"], row["races"]) for row in answer["rows"]] == [
        (seat, "solo", 300) for seat in (1, 2, 3)
    ]


def test_same_seed_same_result_whatever_the_workers() -> None:
    args = ("practice-a", "--policy", "solo,racer", "--races", "60", "--seed", "9")
    one, two = found(*args), found(*args, "-j", "2")
    for answer in (one, two):
        del answer["timing"]
    assert one == two
    assert found(*args[:-1], "10")["rows"] != one["rows"]


def test_matches_over_courses_score_whole_matches() -> None:
    answer = found("practice-a", "practice-a", "practice-a", "--policy", "greedy,cautious,random", "--matches", "3",
                   "--seed", "2")  # fmt: skip
    assert [row["races"] for row in answer["policies"]] == [9, 9, 9]
    assert sum(row["match_win"] for row in answer["policies"]) == pytest.approx(1)


def test_table_tells_the_outcome_first() -> None:
    shown = simulate("practice-a", "--policy", "greedy,random", "--races", "4", "--seed", "4").stdout
    assert shown.startswith("4 races of 2 boats on Practice pond, race A; seed 4.\n")
    assert " wins most: " in shown
    assert max(map(len, shown.splitlines())) <= 120


def test_other_forms_have_every_column() -> None:
    text = simulate("practice-a", "--policy", "random", "--races", "2", "--players", "2", "-f", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 2
    assert set(rows[0]) >= KEYS


def test_transcript_of_the_first_match_replays(tmp_path: Path) -> None:
    file = tmp_path / "first.txt"
    args = ("practice-a", "practice-a", "--policy", "solo,greedy,racer", "--matches", "2", "--seed", "5")
    assert simulate(*args, "--transcript", str(file)).exit_code == 0
    verdict = judge(read_file(file))
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over
    refused = simulate(*args, "--transcript", str(file))
    assert refused.exit_code == 2
    assert "--overwrite" in refused.stderr


def test_a_transcript_names_courses_from_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    assert CliRunner().invoke(cli, ["courses", "--copy", "practice-a", "."]).exit_code == 0
    args = ("practice-a.toml", "--policy", "greedy,random", "--races", "1", "--seed", "5")
    assert simulate(*args, "--transcript", "games/one.txt").exit_code == 0
    assert "course: ../practice-a.toml\n" in Path("games/one.txt").read_text(encoding="utf-8")
    assert not judge(read_file(Path("games/one.txt"))).findings


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--policy", "greddy"], "did you mean 'greedy'"),
        (["--players", "1"], "1 player: a match takes 2 to 6 boats"),
        (["--players", "7"], "7 players: a match takes 2 to 6 boats"),
        (["--policy", "solo,racer,solo", "--players", "4"], "3 policies for 4 players"),
        (["--dice-max", "none"], "--dice-max N"),
        (["--races", "2", "--matches", "2"], "give one of them"),
        (["practice-a", "--races", "2"], "how many --matches"),
        (["--reading", "behind=strip-only", "--players", "6"], "too few for 6 boats"),
    ],
)
def test_bad_input_is_told_with_exit_2(args: list[str], message: str) -> None:
    outcome = simulate("practice-a", *args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert not outcome.stdout


def test_rule_faults_need_force() -> None:
    course = str(Path(__file__).parent / "cases" / "courses" / "mid-1.toml")
    args = ("--policy", "random", "--players", "2", "--races", "2", "--turn-cap", "20")
    refused = simulate(course, *args)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "[full-circle]" in refused.stderr
    forced = simulate(course, *args, "--force")
    assert forced.exit_code == 0
    assert "warning: buoy 3" in forced.stderr


def test_no_limit_on_dice_with_policies_that_need_none() -> None:
    assert (
        found("practice-a", "--dice-max", "none", "--policy", "random", "--races", "2")["readings"]["dice-max"]
        == "none"
    )


def test_turn_cap_is_told() -> None:
    outcome = simulate("practice-a", "--policy", "greedy", "--races", "2", "--turn-cap", "3", "--seed", "1")
    assert "2 were given up after 3 turns of a boat (--turn-cap)" in outcome.stdout


def test_ctrl_c_prints_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = rates._chunk, []

    def chunk(contest: Contest, first: int, count: int) -> rates.Tally:
        calls.append(first)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return real(contest, first, count)

    monkeypatch.setattr(rates, "_chunk", chunk)
    outcome = simulate("practice-a", "--policy", "random", "--players", "2", "--races", "50", "--seed", "1")
    assert outcome.exit_code == 130
    assert outcome.stdout.startswith("Broken off after 4 of 50: 4 races of 2 boats")
