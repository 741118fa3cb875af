"""The page of a swept space: its words and drawings from made-up cells, and the command."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.errors import BadInput
from rulekit.report.atlas import SweptSpace, space_report
from rulekit.report.fields import fields
from rulekit.report.page import html
from rulekit.report.parts import Origin, Plot, Table
from rulekit.study.sweep_figures import FIGURES
from rulekit.study.sweep_store import AXES
from rulekit.study.sweep_summary import (
    axis,
    extremes,
    groups,
    light_effects,
    quantile,
    reasons,
    spread,
    start_tile,
)

NOWHERE = Origin("rulekit report --atlas x.db", 0, {"rulekit": "0"}, {}, [])


def cell(position: int, **figures: Any) -> dict[str, Any]:
    """A cell of a made-up space: 10 turns and one more for each light side, 5 more for letter B."""
    light, letter = position % 3, "AB"[position // 3 % 2]
    row: dict[str, Any] = dict.fromkeys((*AXES, *FIGURES))
    row |= {
        "position": position, "status": "done", "error": None, "lake": "Made up", "letter": letter, "readings": "",
        "layout": f"1{'*' * (light > 0)} 2r{'*' * (light > 1)}", "buoys": f"@1{letter} @2{letter}", "light": light,
        "legal": 1, "route": 30 + position, "chokes": position % 2, "swept": 600.0, "hurt": 0.1 * light,
        "turns": 10.0 + light + 5 * (letter == "B"), "start_fairness": 0.5 + light, "strip_fairness": 0.25,
    }  # fmt: skip
    return row | figures


ROWS = [cell(position) for position in range(120)]


def space(rows: list[dict[str, Any]]) -> SweptSpace:
    return SweptSpace("Made up", rows, 120, 5000, NOWHERE)


def test_quantiles_and_spread_by_hand() -> None:
    found = spread(ROWS, "turns")
    assert found is not None
    assert (found.cells, found.least, found.most) == (120, 10.0, 17.0)
    assert found.mean == pytest.approx(11 + 2.5)
    assert quantile([1.0], 0.9) == 1.0
    assert spread(ROWS, "sink") is None


def test_groups_and_light_sides_by_hand() -> None:
    by_letter = groups(ROWS, "turns", axis("letter"))
    assert [(one.name, one.cells, one.mean) for one in by_letter] == [("A", 60, 11.0), ("B", 60, 16.0)]
    assert all(one.mean_low < one.mean < one.mean_high for one in by_letter)
    first, second = light_effects(ROWS, "turns")
    assert (first.tile, second.tile) == ("1", "2")
    assert first.difference == pytest.approx(1.5)
    assert second.difference == pytest.approx(1.5)
    assert first.low < first.difference < first.high
    assert start_tile(ROWS[0]) == "1"
    assert start_tile(ROWS[1]) == "1*"
    assert start_tile({"buoys": "D9 C2", "layout": None}) is None
    least, most = extremes(ROWS, "route", 2)
    assert [row["route"] for row in least] == [30, 31]
    assert [row["route"] for row in most] == [149, 148]


def test_reasons_are_counted() -> None:
    illegal = cell(1, legal=0, code="no-route", rule="PB-12")
    assert reasons([*ROWS, illegal, illegal]) == {"no-route (PB-12)": 2}


def test_the_page_tells_what_stands_out() -> None:
    made = space_report(space(ROWS))
    assert made.subtitle == "An atlas of 120 courses: 120 cells of 5,000 in the plan."
    said = {one.question: (one.level, one.answer) for one in made.statements}
    assert said["Are the letters races of the same length?"] == ("watch", "No: B is 5.00 longer than A.")
    assert said["How often do the starts lie fair?"][1].startswith("In 33.3 % of courses")
    assert said["Is there one hex that every boat must pass?"] == ("watch", "In 50.0 % of courses.")
    assert "tile 1's: courses are 1.50 turns longer" in said["What do light sides do?"][1]
    assert any("B is the long race and A the short one" in one for one in made.advice)
    names = {block.name for block in made.blocks()}
    assert {"spread-turns", "space-turns-hurt", "letter-turns", "sides-turns", "start-turns", "spreads"} <= names
    table = next(block for block in made.blocks() if isinstance(block, Table) and block.name == "shortest-courses")
    assert [row["turns"] for row in table.rows] == [10.0] * 8
    page = html(made)
    assert "Made up" in page
    assert page == html(space_report(space(ROWS)))


def test_a_space_without_races_is_told_by_its_routes() -> None:
    bare = [row | dict.fromkeys(("turns", "hurt", "start_fairness", "strip_fairness")) for row in ROWS]
    made = space_report(space(bare))
    assert {block.name for block in made.blocks()} >= {"spread-route", "letter-route", "sides-route"}
    assert not any("turns" in block.name for block in made.blocks())
    assert made.summary[0].startswith("The shortest route has 30.00 to 149.00 steps")
    assert html(made)


def test_missing_cells_are_told() -> None:
    made = space_report(space(ROWS[:100]))
    assert any("20 cells of the plan are missing here" in one for one in made.summary)


def test_nothing_to_draw() -> None:
    with pytest.raises(BadInput, match="no course that can be raced"):
        space_report(space([cell(0, legal=0, code="no-route", rule="PB-12")]))


def test_one_course_alone_is_drawn() -> None:
    assert html(space_report(space(ROWS[:1])))
    plot = fields("x", "X", "", [(1.0, 2.0)], ("a", str), ("b", str))
    assert isinstance(plot, Plot)
    assert plot.elements.count("<rect") == 2


def report(*args: str) -> Result:
    return CliRunner().invoke(cli, ["report", *args], prog_name="rulekit")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(
        'format = "rulekit/sweep-1"\nname = "Pond"\nlakes = ["practice"]\nfigures = ["route"]\nseed = 4\n'
    )
    assert CliRunner().invoke(cli, ["sweep", "plan.toml", "-q"]).exit_code == 0
    written = report("--atlas", "plan.db", "-o", "a.html")
    assert written.exit_code == 0, written.output
    assert Path("a-files/spreads.csv").read_text().startswith("figure,title,cells,mean")
    first = Path("a.html").read_bytes()
    assert report("--atlas", "plan.db", "-o", "a.html", "--overwrite").exit_code == 0
    assert Path("a.html").read_bytes() == first
    told = json.loads(report("--atlas", "plan.db", "-f", "json").stdout)
    assert (told["kind"], told["title"], told["seed"]) == ("space", "Pond", 4)
    for args, words in (
        (["--atlas", "plan.db", "lagoon-a"], "name no other files"),
        (["--atlas", "plan.db", "--races", "5"], "--races is of no use with --atlas"),
        (["--atlas", "none.db"], "there is no file none.db"),
        (["--atlas", "plan.toml"], "is no file of a sweep"),
        ([], "Missing argument 'FILE...'"),
    ):
        found = report(*args)
        assert found.exit_code == 2
        assert words in found.stderr
    with sqlite3.connect("plan.db") as base:
        base.execute("UPDATE cells SET route = 'x'")
    found = report("--atlas", "plan.db")
    assert found.exit_code == 2
    assert "'route' is no number in every cell" in found.stderr
