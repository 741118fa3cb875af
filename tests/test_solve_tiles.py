"""`solve --tiles`: the table and JSON of what tiles do, and where it is refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from made_up import CASES

from rulekit.cli import cli
from rulekit.cli.output import Output
from rulekit.cli.position import load_waters
from rulekit.cli.solve_run import tile_row
from rulekit.powerboats.course import Tile, TileKind
from rulekit.readings import PowerboatsReadings
from rulekit.solve.bounds import SINK_COST
from rulekit.study.tiles import TileUse, tile_uses

NUMBERS = ("entered", "damaged", "sunk", "flown", "turns")

TILES = """
[[expansion]]
kind = "current"
hex = "C2"
side = "E"
flow = "W"
[[expansion]]
kind = "low-water"
hex = "E5"
side = "E"
rocks = [1, 2, 1]
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["solve", *args, "--dice-max", "3"], prog_name="rulekit")


@pytest.fixture
def course(tmp_path: Path) -> str:
    """A small course with two tiles."""
    path = tmp_path / "tiled.toml"
    path.write_text((CASES / "tiny-0.toml").read_text(encoding="utf-8") + TILES, encoding="utf-8")
    return str(path)


def test_json_tells_what_tiles_do(course: str) -> None:
    result = run(course, "--tiles", "-f", "json")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)["tiles"]
    waters = load_waters(course, None, PowerboatsReadings.parse(["dice-max=3"]), Output())
    uses = tile_uses(waters, SINK_COST)
    assert [tile["kind"] for tile in told] == ["current", "low-water"]
    assert told[0]["hexes"] == ["C2", "D2", "E2"]
    for tile, use in zip(told, uses, strict=True):
        expected = tile_row(use)
        assert (tile["kind"], tile["hexes"]) == (expected["kind"], expected["hexes"])
        assert [tile[name] for name in NUMBERS] == pytest.approx([expected[name] for name in NUMBERS], abs=1e-5)
    assert any(tile["entered"] > 0.01 for tile in told)


def test_the_table_has_a_line_a_tile_dearest_first(course: str) -> None:
    result = run(course, "--tiles")
    assert result.exit_code == 0, result.stderr
    told = result.stdout[result.stdout.index("Each tile") :].splitlines()[2:]
    assert told[0].split() == ["tile", "hexes", "entered", "damage", "sunk", "flown", "home", "cost"]
    assert {line.split()[1] for line in told[2:]} == {"C2-E2", "E5-G5"}
    costs = [float(line.split()[-1]) for line in told[2:]]
    assert costs == sorted(costs, reverse=True)


def test_a_tile_that_no_race_ends_without_costs_nothing_that_json_knows() -> None:
    use = TileUse(Tile(TileKind.REDOUBT, ()), 1.0, 0.0, 0.0, 0.5, float("-inf"))
    assert tile_row(use)["turns"] is None


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["practice-a", "--tiles"], "has no expansion tiles"),
        (["practice-tiles", "--tiles", "--objective", "pareto"], "--objective turns only"),
    ],
)
def test_it_is_refused_where_there_is_nothing_to_tell(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout
