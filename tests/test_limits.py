"""`rulekit limits` and `moves` on tracks: rows, findings, exit codes, what a limit and an approach do."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.approach import approaches, limit_effects, without_marks
from rulekit.ps.dice import Colour
from rulekit.ps.limits import Unmarked, with_limit
from rulekit.ps.track import Mark, Track

CASES = Path(__file__).parent / "cases" / "tracks"
RING = str(CASES / "ring-a.toml")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args, prog_name="rulekit")


@pytest.fixture(scope="module")
def ring() -> Track:
    return read_track(read_source(RING)).track


@pytest.fixture(scope="module")
def told() -> dict:  # type: ignore[type-arg]
    result = run("limits", RING, "-f", "json")
    assert result.exit_code == 1
    data: dict = json.loads(result.stdout)  # type: ignore[type-arg]
    return data


def test_marks_that_disagree_are_named_with_their_line(told: dict) -> None:  # type: ignore[type-arg]
    """The file says in its head which marks were printed wrong on purpose."""
    wrong = {finding["message"].split(":")[0] for finding in told["findings"] if finding["code"].startswith("mark-")}
    assert {"main right 12", "hairpin middle 2", "corner right 5", "kink left 2"} <= wrong
    lines = Path(RING).read_text(encoding="utf-8").split("\n")
    for finding in told["findings"]:
        lane = finding["message"].split(" ")[1]
        assert lines[finding["line"] - 1].startswith(lane)


def test_rows_and_curves_have_the_fields_that_programs_read(told: dict) -> None:  # type: ignore[type-arg]
    for row in told["rows"]:
        assert sorted(row["speeds_safe"] + row["speeds_fly"]) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16, 17]
        assert {0 <= Fraction(chance) <= 1 for chance in row["fly"].values()} == {True}
    assert [set(curve) >= {"section", "limit", "idle", "deadly", "closed", "findings"} for curve in told["curves"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["orchard", "ravenhill"])
def test_shipped_circuits_carry_every_mark_as_earned(name: str) -> None:
    result = run("limits", name)
    assert result.exit_code == 0, result.output
    assert "every mark is as earned" in result.stdout


def test_a_file_with_faults_of_its_own_exits_1(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text(Path(RING).read_text(encoding="utf-8").replace("limit = 4", 'limit = "four"'), encoding="utf-8")
    result = run("limits", str(broken), "-f", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["findings"]


def test_a_course_is_no_track() -> None:
    assert run("limits", "lagoon-a").exit_code in (1, 2)
    assert run("limits", "no-such-track").exit_code == 2


def test_a_limit_tried_is_the_track_with_that_limit(ring: Track) -> None:
    lower, same, higher = limit_effects(Unmarked(ring), 1)
    assert (lower.limit, same.limit, higher.limit) == (3, 4, 5)
    unmarked = Unmarked(with_limit(without_marks(ring), 1, 5))
    front = [space for space, curves in enumerate(Unmarked(ring).front_of) if 1 in curves]
    assert higher.triangles == sum(Mark.TRIANGLE in unmarked.marks[space] for space in front)
    assert lower.fly[Colour.YELLOW] >= higher.fly[Colour.YELLOW]


def test_the_best_way_in_gains_the_most(ring: Track) -> None:
    found = approaches(ring, 1)
    assert len(found) == 9
    assert [way.gain for way in found] == sorted((way.gain for way in found), reverse=True)
    assert all(0 <= way.fly <= 1 for way in found)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--at", "main lft 3", "--die", "red", "--value", "5"], "did you mean 'main left 3'"),
        (["--at", "main left 3", "--die", "red", "--value", "6"], "no red die shows that"),
        (["--at", "main left 3"], "--die"),
        (["--at", "box 3", "--die", "blue", "--value", "1"], "not in start boxes"),
        (["--at", "stop", "--die", "blue", "--value", "1"], "without a die"),
        (["--at", "main left 3", "--die", "blue", "--value", "1", "--cars", "main left 3"], "two cars"),
        (["--at", "main left 3", "--die", "blue", "--value", "1", "--dice", "3"], "--dice is no option"),
        (["--at", "main left 3", "--die", "blue", "--value", "1", "--dice-max", "3"], "--dice-max"),
    ],
)
def test_bad_moves_of_a_car(args: list[str], word: str) -> None:
    result = run("moves", RING, *args)
    assert result.exit_code == 2
    assert word in result.stderr


def test_moves_of_a_car_as_rows() -> None:
    result = run("moves", RING, "--at", "hairpin left 4", "--die", "yellow", "--value", "7", "-f", "json")
    assert json.loads(result.stdout)["rows"] == [
        {"kind": "fly", "end": "main right 9", "from": "back left 1", "line": -1},
        {"kind": "fly", "end": "main right 9", "from": "back middle 1", "line": -1},
    ]


def table(*args: str) -> str:
    return run("moves", RING, *args).stdout


def test_moves_of_a_car_in_words() -> None:
    assert "main right 3" in table("--at", "pit 3", "--die", "blue", "--value", "1")
    assert "all steps made" in table("--at", "main left 3", "--die", "yellow", "--value", "7")


def test_only_blue_leaves_steps_unused() -> None:
    """PS-9."""
    assert "1 to 2 steps made" in table("--at", "main left 3", "--die", "blue", "--value", "2")
    assert "all steps made" in table("--at", "main left 3", "--die", "blue", "--value", "1")


def test_steps_are_lost_in_the_pit_unless_it_must_be_reached_exactly() -> None:
    """PS-21."""
    at_entry = ("--at", "link right 1", "--die", "blue", "--value")
    assert "halts on the stop space, steps left over are lost" in table(*at_entry, "2")
    exact = table(*at_entry, "1", "--reading", "pit-entry=exact")
    assert "halts on the stop space" in exact
    assert "are lost" not in exact
