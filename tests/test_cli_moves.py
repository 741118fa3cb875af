"""The command `moves` for a boat: the limit of dice, and its words."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["moves", "practice-a", "--at", "E4", "--facing", "NE", *args])


@pytest.mark.parametrize(("dice", "limit", "raised"), [("1,1", "3", "3"), ("1,1,1", "3", "4"), ("1,1,1,1", "3", "5")])
def test_many_dice_raise_the_limit_with_a_note(dice: str, limit: str, raised: str) -> None:
    result = run("--dice", dice, "--dice-max", limit, "-f", "json")
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["readings"]["dice-max"] == raised
    assert (f"dice given, so dice-max is {raised} here" in result.stderr) == (raised != limit)
    assert all(sum(row["dice"]) == len(row["dice"]) for row in found["rows"])


def test_no_limit_stays_none() -> None:
    result = run("--dice", "1,1,1", "--dice-max", "none", "-f", "json")
    assert json.loads(result.stdout)["readings"]["dice-max"] == "none"
    assert "dice given" not in result.stderr


def test_steps_are_counted_in_words() -> None:
    told = [line for total in range(1, 9) for line in run("--dice", ",".join(["1"] * total)).stdout.splitlines()]
    assert any("1 step left over" in line or "1 step would be left over" in line for line in told)
    assert not any(" 1 steps" in line for line in told)
