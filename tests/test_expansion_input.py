"""Faulty expansion tiles on the command line: each a clear finding with its place, never a traceback."""

import json
from pathlib import Path

import pytest
from board_text import case_text, edited
from click.testing import CliRunner

from rulekit.cli import cli

TEN = case_text("courses/ten.toml")
CURRENT = """kind = "current"
at = "C6"
flow = ["NE", "NE", "E"]"""


def findings(tmp_path: Path, text: str) -> tuple[int, list[tuple[str, str, int]]]:
    """Exit code and (severity, code, line) of what `validate-course` finds."""
    (tmp_path / "x.toml").write_text(text)
    result = CliRunner().invoke(cli, ["validate-course", str(tmp_path / "x.toml"), "-f", "json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    (row,) = json.loads(result.stdout)["rows"]
    return result.exit_code, [(found["severity"], found["code"], found["line"]) for found in row["findings"]]


@pytest.mark.parametrize(
    ("new", "code", "line"),
    [
        ('kind = "whirlpool"\nat = "C6"', "value", 34),
        ("kind = 3\nat = 'C6'", "type", 34),
        ("kind = 'redoubt'\nat = 3", "type", 35),
        ("kind = 'redoubt'\nat = '@9A'", "spot", 35),
        ("kind = 'redoubt'\nat = ''", "value", 35),
        ("kind = 'redoubt'\nat = 'C5'", "spot", 35),
        ("kind = 'redoubt'\nhex = 'C5'", "missing-key", 33),
        ("kind = 'redoubt'\nside = 'E'", "missing-key", 33),
        ("kind = 'redoubt'\nhex = 'C5'\nside = 'N'", "value", 36),
        ("kind = 'redoubt'\nhex = 'C55'\nside = 'E'", "off-board", 35),
        ("kind = 'redoubt'\nat = 'C6'\nrocks = [1, 2, 3]", "misplaced-key", 36),
        ("kind = 'redoubt'\nat = 'C6'\ncolour = 1", "unknown-key", 36),
        ("kind = 'current'\nat = 'C6'", "missing-key", 33),
        ("kind = 'current'\nat = 'C6'\nflow = 'up'", "value", 36),
        ("kind = 'current'\nat = 'C6'\nflow = []", "value", 36),
        ("kind = 'current'\nat = 'C6'\nflow = ['E', 'E', 'E', 'E']", "value", 36),
        ("kind = 'current'\nat = 'C6'\nflow = 1", "type", 36),
        ("kind = 'maelstrom'\nat = 'C6'\nspin = 'round'", "value", 36),
        ("kind = 'maelstrom'\nat = 'C6'\nspin = ['left']", "value", 36),
        ("kind = 'low-water'\nat = 'C6'\nrocks = [1, 2]", "value", 36),
        ("kind = 'low-water'\nat = 'C6'\nrocks = [1, 2, 4]", "value", 36),
        ("kind = 'low-water'\nat = 'C6'\nrocks = [0, 1, 2]", "value", 36),
        ("kind = 'low-water'\nat = 'C6'\nrocks = [1, 2, '3']", "value", 36),
        ("", "missing-key", 33),
    ],
)
def test_faults_of_the_file(tmp_path: Path, new: str, code: str, line: int) -> None:
    exit_code, found = findings(tmp_path, edited(TEN, CURRENT, new))
    assert exit_code == 1
    assert ("error", code, line) in found


def messages(tmp_path: Path, text: str) -> str:
    """What `validate-course` prints."""
    (tmp_path / "x.toml").write_text(text)
    return CliRunner().invoke(cli, ["validate-course", str(tmp_path / "x.toml")]).stdout


@pytest.mark.parametrize(("rock", "shown"), [("'3'", "'3'"), ("true", "true"), ("[3]", "a list [ … ]"), ("2.0", "2.0")])
def test_what_is_no_rock_is_told_as_it_was_written(tmp_path: Path, rock: str, shown: str) -> None:
    text = edited(TEN, CURRENT, f"kind = 'low-water'\nat = 'C6'\nrocks = [1, 2, {rock}]")
    assert f"'rocks' must be whole numbers from 1 to 3, not {shown} (X1-9)" in messages(tmp_path, text)


def test_a_missing_key_names_the_table_in_double_brackets(tmp_path: Path) -> None:
    told = messages(tmp_path, edited(TEN, CURRENT, "kind = 'current'\nat = 'C6'"))
    assert "the key 'flow' is missing in [[expansion]]" in told


@pytest.mark.parametrize("new", ["kind = 'whirlpool'\nat = 'C6'", "at = 'C6'", "kind = 3\nat = 'C6'"])
def test_tiles_are_not_counted_where_a_kind_is_unknown(tmp_path: Path, new: str) -> None:
    codes = [code for _, code, _ in findings(tmp_path, edited(TEN, CURRENT, new))[1]]
    assert "expansion-count" not in codes


@pytest.mark.parametrize(
    ("new", "severity", "code"),
    [
        ("kind = 'redoubt'\nhex = 'D8'\nside = 'E'", "error", "tile-overlap"),  # a second tile on D8 E8 F8
        ("kind = 'redoubt'\nhex = 'E8'\nside = 'NE'", "error", "tile-overlap"),  # one hex in common
        ("kind = 'redoubt'\nhex = 'E3'\nside = 'SE'", "error", "tile-strip"),
        ("kind = 'redoubt'\nhex = 'C9'\nside = 'NW'", "error", "tile-buoy"),
        ("kind = 'redoubt'\nhex = 'H3'\nside = 'NE'", "error", "tile-buoy"),  # the finish buoy
        ("kind = 'redoubt'\nhex = 'A5'\nside = 'W'", "error", "tile-outside"),
    ],
)
def test_faults_against_the_rules(tmp_path: Path, new: str, severity: str, code: str) -> None:
    exit_code, found = findings(tmp_path, edited(TEN, CURRENT, new))
    assert exit_code == 1
    assert (severity, code) in {(found_severity, found_code) for found_severity, found_code, _ in found}


def test_another_count_is_a_warning(tmp_path: Path) -> None:
    _, found = findings(tmp_path, TEN)
    assert ("warning", "expansion-count", 33) in found


def test_one_table_where_a_list_is_needed(tmp_path: Path) -> None:
    text = TEN.split("[[expansion]]")[0] + "[expansion]\nkind = 'redoubt'\nat = 'C6'\n"
    exit_code, found = findings(tmp_path, text)
    assert exit_code == 1
    assert [code for _, code, _ in found] == ["type"]


@pytest.mark.parametrize("command", [["moves", "--at", "D5", "--facing", "E", "--dice", "1"], ["draw", "--text"]])
def test_other_commands_refuse_a_faulty_file_with_2(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "x.toml").write_text(edited(TEN, CURRENT, 'kind = "curent"\nat = "C6"\nflow = "E"'))
    result = CliRunner().invoke(cli, [command[0], str(tmp_path / "x.toml"), *command[1:]])
    assert result.exit_code == 2
    assert "did you mean 'current'?" in result.stderr
