"""The odds of a boat on a course: positions of courses with answers from another program, and places told wrongly."""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner, Result
from made_up import CASES, case

from rulekit.cli import cli
from rulekit.hexgrid import parse_facing, parse_hex
from rulekit.powerboats.boat import STEERS
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.move import clear_water
from rulekit.powerboats.odds import odds, record
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings

EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
POSITIONS = [(name, position) for name, want in EXPECTED.items() for position in want["odds"]]
FIRST = [(name, want["odds"][0]) for name, want in EXPECTED.items()]
READINGS = PowerboatsReadings()


def told(entry: Any) -> str:
    """The id of a test."""
    return entry if isinstance(entry, str) else f"{entry['at']}-{entry['facing']}"


def run(*args: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["odds", *args], prog_name="rulekit", input=given)


@cache
def waters(name: str) -> Waters:
    return Waters(settle(case(name)))


def figures(row: dict[str, Any]) -> dict[str, Any]:
    """What both programs tell of a choice, with exact numbers."""
    exact = {key: Fraction(row[key]) for key in ("crash", "expected_damage")}
    tables = {key: {k: Fraction(v) for k, v in row[key].items() if Fraction(v)} for key in ("totals", "damage")}
    return {**exact, **tables}


def by_choice(rows: list[dict[str, Any]]) -> dict[tuple[tuple[int, ...], int], dict[str, Any]]:
    found = {(tuple(sorted(row["keep"])), row["roll"]): figures(row) for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize(("name", "position"), POSITIONS, ids=told)
def test_every_choice_of_every_position(name: str, position: dict[str, Any]) -> None:
    at, facing = parse_hex(position["at"]), parse_facing(position["facing"])
    free = max(clear_water(waters(name), at, facing.steer(left)) for left in STEERS)
    rows = [record(entry, 0) for entry in odds(as_hand(position["dice"]), READINGS, free)]
    assert by_choice(rows) == by_choice(position["rows"])


@pytest.mark.parametrize(("name", "position"), FIRST, ids=told)
def test_the_command_tells_the_same(name: str, position: dict[str, Any]) -> None:
    dice = ",".join(map(str, position["dice"])) or "none"
    place = ("--at", position["at"], "--facing", position["facing"])
    outcome = run("--course", str(CASES / name), *place, "--dice", dice, "-f", "json")
    assert outcome.exit_code == 0
    data = json.loads(outcome.stdout)
    assert by_choice(data["rows"]) == by_choice(position["rows"])
    assert (data["at"], data["facing"], data["progress"]) == (position["at"], position["facing"], 1)
    assert f"clear water from {position['at']} facing {position['facing']}: left " in outcome.stderr


def test_a_wrong_course_is_warned_of_and_used() -> None:
    outcome = run("--course", str(CASES / "mid-1.toml"), "--at", FIRST[1][1]["at"], "--facing", "E", "--dice", "2")
    assert outcome.exit_code == 0
    assert "warning: buoy 3 on B4 has the rightward arrow" in outcome.stderr


def test_a_course_from_standard_input_goes_by_the_name_given() -> None:
    text = (CASES / "mid-1.toml").read_text(encoding="utf-8")
    place = ("--at", FIRST[1][1]["at"], "--facing", "E", "--dice", "2")
    outcome = run("--course", "-", "--stdin-filename", "mine.toml", *place, given=text)
    assert outcome.exit_code == 0
    assert outcome.stderr.startswith("mine.toml:")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--at C3 --facing E", "add --course FILE"),
        ("--progress 2", "add --course FILE"),
        ("--course tiny-0 --at C3", "--course needs --at HEX and --facing FACING"),
        ("--course tiny-0 --at C3 --facing E --free 3", "leave one out"),
        ("--course tiny-0 --at 3C --facing E", "--at: '3C' is no hex"),
        ("--course tiny-0 --at ZZ99 --facing E", "--at: ZZ99 is not on the lake, which has columns A to "),
        (
            "--course tiny-0 --at A5 --facing N",
            "--facing: 'N' is no facing: one of E, NE, NW, W, SW, SE (did you mean 'NW'?)",
        ),
        ("--course tiny-0 --at A5 --facing E --progress 9", "--progress 9: a boat that races here has passed 0 to "),
        ("--course tiny-0 --at A5 --facing E --progress -1", "--progress -1: "),
        ("--course tiny-0 --at A5 --facing E --damage 4", "has sunk (PB-21)"),
    ],
)
def test_errors_say_what_to_change(args: str, message: str) -> None:
    words = args.replace("tiny-0", str(CASES / "tiny-0.toml")).split()
    outcome = run("--dice", "3", *words)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert message in outcome.stderr
