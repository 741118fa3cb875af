"""`rulekit compare`: known differences by hand, chance told from effect, readings ranked, bad input."""

import json
from math import nan, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.cli.compare_table import sides_table, summary
from rulekit.readings import PowerboatsReadings
from rulekit.study.compare import Difference, differences, exact_difference, raced_difference, weights
from rulekit.study.measures import Measure, Sample

TURNS = Measure("turns", "turns")
POND = """format = "rulekit/course-1"
name = "Tiny"
map = '''
. . . . . .
 . . . . . .
. . . . . .
 . . . . . .
. . . . . .
'''
start-tile = 2
[start]
buoy = "A4"
side = "E"
[[buoy]]
number = 1
at = "D2"
turn = "auto"
"""


def compare(*args: str) -> Result:
    return CliRunner().invoke(cli, ["compare", *args], prog_name="rulekit")


def found(*args: str) -> dict[str, Any]:
    outcome = compare(*args, "-f", "json", "-q")
    assert outcome.exit_code == 0, outcome.stderr
    answer: dict[str, Any] = json.loads(outcome.stdout)
    return answer


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pond") / "tiny.toml"
    path.write_text(POND)
    return str(path)


def sample(label: str, **races: list[float]) -> Sample:
    return Sample(label, {}, {name: np.array(values) for name, values in races.items()}, dict.fromkeys(races, TURNS))


def test_a_difference_by_hand() -> None:
    """Races 1, 2, 3, 6 against 2, 2, 5, 7: apart 1, 0, 2, 1, mean 1, sd sqrt(2/3), so t = 1 / (sqrt(2/3) / 2)."""
    one = raced_difference("x", TURNS, np.array([1.0, 2, 3, 6]), np.array([2.0, 2, 5, 7]), 1)
    assert (one.a, one.b, one.difference, one.n) == (3, 4, 1, 4)
    t = 1 / (sqrt(2 / 3) / 2)
    # Student's t with 3 degrees of freedom has this distribution function.
    below = 0.5 + (np.arctan(t / sqrt(3)) + (t / sqrt(3)) / (1 + t * t / 3)) / np.pi
    assert one.p_value == pytest.approx(2 * (1 - below))
    spread = sqrt(((4 + 1 + 0 + 9) / 3 + (4 + 4 + 1 + 9) / 3) / 2)
    assert one.effect == pytest.approx(1 / spread)
    assert one.low is not None
    assert one.high is not None
    assert 0 <= one.low < 1 < one.high <= 2


def test_races_without_the_number_on_either_side_are_left_out() -> None:
    one = raced_difference("x", TURNS, np.array([1.0, nan, 3]), np.array([2.0, 9, nan]), 1)
    assert (one.n, one.a, one.b, one.difference) == (1, 1, 2, 1)
    none = raced_difference("x", TURNS, np.array([nan]), np.array([2.0]), 1)
    assert (none.n, none.difference, none.verdict) == (0, None, "nothing to compare")


def test_no_race_that_differs_is_no_certainty() -> None:
    one = raced_difference("x", TURNS, np.arange(40.0), np.arange(40.0), 1)
    assert (one.alike, one.difference, one.p_value) == (True, 0, 1)
    assert one.low is not None
    assert one.low < 0 < -one.low == one.high


def test_a_difference_in_every_race_is_beyond_chance() -> None:
    one = raced_difference("x", TURNS, np.zeros(20), np.ones(20), 1)
    assert (one.p_value, one.effect) == (0, None)
    (told,) = differences(sample("a", x=[0.0] * 20), sample("b", x=[1.0] * 20), 1)
    assert told.seen
    assert told.verdict == "more, always"


def test_exact_figures_need_no_chance() -> None:
    assert exact_difference("turns", TURNS, 10.0, 10.5).verdict == "more"
    assert exact_difference("turns", TURNS, 10.0, 10.0 + 1e-8).verdict == "the same"
    assert exact_difference("turns", TURNS, 10.0, nan).difference is None


def test_holm_keeps_chance_out_of_many_measures() -> None:
    """Twenty measures of nothing but chance: in 100 comparisons about 5 % see anything at all, not 64 %."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(100):
        a, b = (sample(side, **{f"x{k}": list(rng.normal(size=50)) for k in range(20)}) for side in "ab")
        wrong += any(one.seen for one in differences(a, b, 1))
    assert wrong <= 12


def test_intervals_hold_the_truth_in_most_comparisons() -> None:
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(200):
        base = rng.normal(size=60)
        one = raced_difference("x", TURNS, base, base + rng.normal(0.5, 1.0, size=60), 1)
        held += bool(one.low is not None and one.high is not None and one.low <= 0.5 <= one.high)
    assert held >= 180


def test_weights_are_ranked_by_their_greatest_effect() -> None:
    rng = np.random.default_rng(7)
    base = rng.normal(size=300)
    others = {
        "none": sample("none", x=list(base)),
        "small": sample("small", x=list(base + 0.2)),
        "great": sample("great", x=list(base + 1)),
    }
    ranked = weights(sample("base", x=list(base)), others, 1)
    assert [weight.reading for weight in ranked] == ["great", "small", "none"]
    assert [weight.alike for weight in ranked] == [False, False, True]
    assert ranked[2].greatest is None


def test_a_course_against_itself_shows_nothing(pond: str) -> None:
    answer = found(pond, pond, "--races", "60", "--players", "2", "--seed", "1")
    assert {row["verdict"] for row in answer["rows"]} <= {"the same", "the same in every race", "nothing to compare"}
    assert "No difference seen." in compare(pond, pond, "--races", "60", "--players", "2", "--seed", "1").stdout


def test_rows_tell_both_sides_and_the_difference(pond: str) -> None:
    args = (pond, "--reading", "first-turn=must-roll", "--races", "300", "--players", "3", "--seed", "4")
    answer = found(*args)
    assert answer["readings"]["first-turn"] == "may-stay"
    assert answer["readings_b"]["first-turn"] == "must-roll"
    assert answer["races"] == 300
    for row in answer["rows"]:
        assert row["exact"] == (row["n"] is None)
        if row["difference"] is not None:
            assert row["difference"] == pytest.approx(row["b"] - row["a"])
            assert row["low"] <= row["difference"] <= row["high"]
    wins = [row for row in answer["rows"] if row["measure"].startswith("win-seat")]
    assert sum(row["a"] for row in wins) == pytest.approx(1)
    again = found(*args, "-j", "2")
    del answer["timing"], again["timing"]
    assert again == answer


def test_exact_rows_are_the_solvers(pond: str) -> None:
    answer = found(pond, "--dice-max", "2", "--races", "20", "--players", "2", "--seed", "1")
    rows = {row["measure"]: row for row in answer["rows"]}
    for side, more in (("a", []), ("b", ["--dice-max", "2"])):
        solved = CliRunner().invoke(cli, ["solve", pond, "-f", "json", "-q", *more], prog_name="rulekit")
        best = json.loads(solved.stdout)
        assert rows["turns"][side] == pytest.approx(best["turns"], abs=1e-6)
        assert rows["sink"][side] == pytest.approx(best["sink"], abs=1e-6)
        assert rows["shortest"][side] == best["fewest_turns"]


def test_all_readings_are_tried(pond: str, tmp_path: Path) -> None:
    picture = tmp_path / "all.svg"
    args = (pond, "--readings", "all", "--races", "40", "--players", "2", "--seed", "2", "--plot", str(picture))
    answer = found(*args)
    tried = {row["reading"] for row in answer["rows"]} | set(answer["refused"])
    assert tried == set(PowerboatsReadings().other_answers())
    bare = next(row for row in answer["rows"] if row["reading"] == "x1-border=stop")
    assert bare["alike"]
    effects = [abs(row["effect"]) for row in answer["rows"] if row["effect"] is not None]
    assert effects == sorted(effects, reverse=True)
    assert Tree.parse(picture).getroot().tag.endswith("svg")


def test_a_reading_that_cannot_be_played_is_left_out(pond: str) -> None:
    """Six boats do not fit on a strip of two hexes."""
    outcome = compare(pond, "--readings", "all", "--races", "4", "--players", "6", "--seed", "2")
    assert outcome.exit_code == 0, outcome.stderr
    assert "behind=strip-only is left out:" in outcome.stderr


def test_a_match_shows_what_carries_over(pond: str) -> None:
    answer = found(pond, pond, pond, "--reading", "carry=none", "--races", "200", "--players", "2", "--seed", "3")
    rows = {row["measure"]: row for row in answer["rows"]}
    assert rows["points-lead"]["n"] == 200
    assert len([row for row in answer["rows"] if row["exact"]]) == 15


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "give two courses"),
        (["--readings", "al"], "'al'"),
        (["--reading", "rerol=one"], "did you mean 'reroll'"),
        (["--reading", "reroll=any"], "make one side"),
        (["--dice-max", "3", "--policy", "sole"], "did you mean 'solo'"),
        (["--dice-max", "none"], "--dice-max N"),
        (["--dice-max", "3", "--plot", "x.gif"], ".svg"),
    ],
)
def test_bad_input(pond: str, args: list[str], message: str) -> None:
    outcome = compare(pond, *args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_two_courses_take_no_ranking(pond: str) -> None:
    outcome = compare(pond, pond, "--readings", "all")
    assert outcome.exit_code == 2
    assert "two courses are two sides" in outcome.stderr


def test_verdicts_in_words() -> None:
    assert Difference("x", TURNS, 1.0, 2.0, 1.0, n=9, adjusted=0.2, spread=1.0).verdict == "no difference seen"
    assert Difference("x", TURNS, 1.0, 2.0, 1.0, n=9, adjusted=0.01, spread=10.0).verdict == "more, tiny"
    assert Difference("x", TURNS, 2.0, 1.0, -1.0, n=9, adjusted=0.01, spread=1.0).verdict == "less, large"


def test_a_difference_too_small_to_show_is_no_headline() -> None:
    sink = Measure("chance of sinking", "share")
    hair, plain = (Difference("x", sink, 0.0, more, more) for more in (4e-5, 0.01))
    same = Sample("A", {}, {}, {})
    assert summary([hair]) == "No difference seen."
    assert summary([plain]) == "B against A, alone: chance of sinking +1.0 %."
    lines = [line.split("%")[-1].strip() for line in sides_table(same, same, [hair, plain], 1, "").splitlines()]
    assert "more, too little to show" in lines
    assert "more" in lines


def test_verbose_tells_all_readings_and_the_time(pond: str) -> None:
    told = compare(pond, pond, "--races", "2", "--players", "2", "--seed", "1", "-v").stderr
    assert "reroll=any" in told
    assert " seconds" in told


def test_cars_are_compared_under_two_readings() -> None:
    """Under full fuel cars stop in the pit; without it none does. Shares of the dice add up to all of them."""
    answer = found("orchard", "--reading", "fuel=full", "--races", "3", "--policy", "solo", "--players", "2",
                   "--seed", "1")  # fmt: skip
    rows = {row["measure"]: row for row in answer["rows"]}
    assert rows["pit-stops"]["a"] == 0 < rows["pit-stops"]["b"]
    assert sum(rows[colour]["a"] for colour in ("blue", "red", "yellow")) == pytest.approx(1)
    assert rows["place-seat-1"]["a"] + rows["place-seat-2"]["a"] == pytest.approx(7)
    assert answer["readings_b"]["fuel"] == "full"
    solved = CliRunner().invoke(
        cli, ["solve", "orchard", "-f", "json", "-q", "--reading", "fuel=full"], prog_name="rulekit"
    )
    assert rows["turns"]["b"] == pytest.approx(json.loads(solved.stdout)["turns"], abs=1e-6)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["orchard"], "make one side"),
        (["orchard", "practice-a"], "cannot be compared with each other"),
        (["lagoon", "practice-a"], "'lagoon' is a lake"),
        (["orchard", "ravenhill", "orchard"], "held on one track"),
        (["orchard", "--dice-max", "4"], "speaks of boats"),
        (["orchard", "--reading", "fuel=ful"], "fuel"),
        (["orchard", "ravenhill", "--policy", "racer"], "no policy 'racer'"),
    ],
)
def test_bad_input_with_cars(args: list[str], message: str) -> None:
    outcome = compare(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
