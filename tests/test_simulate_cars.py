"""`rulekit simulate` on a track: rows, intervals, transcripts, bad input."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.files.source import read_file
from rulekit.simulate.car_verdict import judge_cars

CASES = Path(__file__).parent / "cases" / "tracks"
TINY = str(CASES / "tiny.toml")
RATES = ("win", "finish", "sink")
MEANS = ("mean_place", "lost", "turns_mean", "points_mean")
KEYS = {"seat", "policy", "races"} | {f"{key}{end}" for key in (*RATES, *MEANS) for end in ("", "_low", "_high")}


def simulate(*args: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *args], prog_name="rulekit")


def found(*args: str) -> dict[str, Any]:
    outcome = simulate(*args, "-f", "json")
    assert outcome.exit_code == 0, outcome.stderr
    answer: dict[str, Any] = json.loads(outcome.stdout)
    return answer


def test_rows_are_one_a_seat_and_policy() -> None:
    answer = found("orchard", "--policy", "greedy,random", "--races", "30", "--seed", "4", "--reading", "fuel=full")
    assert [(row["seat"], row["policy"], row["races"]) for row in answer["rows"]] == [
        (1, "greedy", 15), (1, "random", 15), (2, "greedy", 15), (2, "random", 15),
    ]  # fmt: skip
    assert (answer["matches"], answer["seed"], answer["readings"]["fuel"]) == (30, 4, "full")
    for row in answer["rows"]:
        assert row.keys() == KEYS
        assert all(0 <= row[f"{rate}_low"] <= row[rate] <= row[f"{rate}_high"] <= 1 for rate in RATES)
        assert all(row[f"{mean}_low"] <= row[mean] <= row[f"{mean}_high"] for mean in MEANS)
        assert row["finish"] + row["sink"] == pytest.approx(1)
        assert row["lost"] == pytest.approx(3 * row["sink"])
    assert sum(row["races"] * row["win"] for row in answer["rows"]) == pytest.approx(30)
    assert sum(row["races"] * row["mean_place"] for row in answer["rows"]) == pytest.approx(30 * 2 * 3.5)
    assert sum(row["races"] * row["points_mean"] for row in answer["rows"]) == pytest.approx(
        30 * (15 + 12 + 10 + 8 + 7 + 6)
    )
    assert answer["policies"][0]["win"] > 0.9


def test_same_seed_same_result_whatever_the_workers() -> None:
    args = ("orchard", "--policy", "random", "--players", "4", "--races", "200", "--seed", "9")
    one, two = found(*args), found(*args, "-j", "2")
    for answer in (one, two):
        del answer["timing"]
    assert one == two
    assert found(*args[:-1], "10")["rows"] != one["rows"]


def test_laps_make_races_longer() -> None:
    args = ("orchard", "--policy", "random", "--players", "2", "--races", "50", "--seed", "1")
    short, long = (found(*args, "--laps", laps) for laps in ("1", "3"))
    assert (short["laps"], long["laps"]) == (1, 3)
    assert short["rows"][0]["turns_mean"] < long["rows"][0]["turns_mean"]


def test_table_tells_the_outcome_first() -> None:
    args = (TINY, "--force", "-q", "--policy", "greedy,random", "--races", "20", "--seed", "4", "--turn-cap", "9")
    shown = simulate(*args).stdout
    assert shown.startswith("20 races of 2 players with three cars each on ")
    assert " wins most: " in shown
    assert "were given up after 9 turns of a player" in shown
    assert max(map(len, shown.splitlines())) <= 120


def test_transcript_of_the_first_race_replays(tmp_path: Path) -> None:
    file = tmp_path / "first.txt"
    args = ("orchard", "--policy", "random,greedy", "--races", "1", "--laps", "1", "--transcript", str(file))
    first = found(*args, "--seed", "5")
    verdict = judge_cars(read_file(file))
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over
    assert [row["points_mean"] for row in first["rows"]] == [
        line.points for line in sorted(verdict.game.transcript.results, key=lambda line: line.seat)
    ]
    refused = simulate(*args)
    assert refused.exit_code == 2
    assert "--overwrite" in refused.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["orchard", "--policy", "bloker"], "did you mean 'blocker'"),
        (["orchard", "--policy", "racer"], "no policy 'racer'"),
        (["orchard", "--players", "1"], "1 player: a race takes 2 to 4 players"),
        (["orchard", "--players", "5"], "5 players: a race takes 2 to 4 players"),
        (["orchard", "--policy", "solo,random,solo", "--players", "4"], "3 policies for 4 players"),
        (["orchard", "--dice-max", "3"], "speaks of boats"),
        (["orchard", "--matches", "2"], "how many --races"),
        (["orchard", "ravenhill"], "one track at a time"),
        (["orchard", "practice-a"], "boats and cars race apart"),
        (["orchard", "--reading", "fuel=ful"], "did you mean 'full'"),
        (["orchard", "--reading", "reroll=one"], "no reading 'reroll'"),
        (["orchard", "--reading", "fuel=full", "--laps", "7"], "tank for 7 laps"),
        (["practice-a", "--laps", "3"], "--laps is for tracks"),
        (["practice-a", "--policy", "blocker"], "no policy 'blocker'"),
        (["practice-a", "--reading", "fuel=full"], "no reading 'fuel'"),
    ],
)
def test_bad_input_is_told_with_exit_2(args: list[str], message: str) -> None:
    outcome = simulate(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert not outcome.stdout


def test_rule_faults_need_force(tmp_path: Path) -> None:
    text = Path(TINY).read_text(encoding="utf-8")
    start = text.index("[grid]")
    file = tmp_path / "gridless.toml"
    file.write_text(text[:start] + text[text.index("[fuel]", start) :], encoding="utf-8")
    outcome = simulate(str(file), "--policy", "random", "--force")
    assert outcome.exit_code == 2
    assert "no [grid]" in outcome.stderr
