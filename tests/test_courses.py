"""The command `courses`, and completion of shipped names."""

import json
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.files.kinds import read_any
from rulekit.files.shipped import shipped, shipped_file
from rulekit.files.source import read_source


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args, prog_name="rulekit")


def test_the_list_as_rows() -> None:
    rows = json.loads(run("courses", "-f", "json").stdout)["rows"]
    assert {row["kind"] for row in rows} <= {"lake", "course", "track"}
    for row in rows:
        assert Path(row["file"]).is_absolute()
        assert Path(row["file"]).is_file()
        assert read_source(row["name"]).file == shipped_file(row["name"])
    assert {"lagoon", "skerries", "practice"} <= {row["name"] for row in rows if row["kind"] == "lake"}


def test_the_list_as_a_table() -> None:
    lines = run("courses").stdout.splitlines()
    assert lines[0].split() == ["name", "kind", "title"]
    assert len(lines) == 2 + len(shipped())


@pytest.mark.parametrize("name", ["lagoon", "practice"])
def test_a_copy_can_be_read_and_says_where_it_comes_from(name: str, tmp_path: Path) -> None:
    result = run("courses", "--copy", name, str(tmp_path))
    assert result.exit_code == 0
    copy = tmp_path / f"{name}.toml"
    assert copy.read_text().startswith(f"# copied by rulekit 0.1.0: rulekit courses --copy {name}\n")
    assert read_any(read_source(str(copy))).faults == ()


def test_a_copied_course_goes_on_using_its_shipped_lake(tmp_path: Path) -> None:
    assert run("courses", "--copy", "lagoon-a", str(tmp_path)).exit_code == 0
    assert [file.name for file in tmp_path.iterdir()] == ["lagoon-a.toml"]
    read_any(read_source(str(tmp_path / "lagoon-a.toml")))


def test_a_copy_never_replaces_a_file_unasked(tmp_path: Path) -> None:
    (tmp_path / "lagoon.toml").write_text("mine")
    assert run("courses", "--copy", "lagoon", str(tmp_path)).exit_code == 2
    assert (tmp_path / "lagoon.toml").read_text() == "mine"
    assert run("courses", "--copy", "lagoon", str(tmp_path), "--overwrite").exit_code == 0
    assert (tmp_path / "lagoon.toml").read_text() != "mine"


def test_an_unknown_name_tells_the_near_miss(tmp_path: Path) -> None:
    result = run("courses", "--copy", "lagun", str(tmp_path))
    assert result.exit_code == 2
    assert "did you mean 'lagoon'?" in result.stderr


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("courses", "--copy", "lagoon", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "file is no folder" in result.stderr
    assert "Traceback" not in result.output


def completed(args: list[str], word: str) -> list[tuple[str, str]]:
    items = ShellComplete(cli, {}, "rulekit", "_RULEKIT_COMPLETE").get_completions(args, word)
    return [(item.type, item.value) for item in items]


def test_shipped_names_are_completed() -> None:
    assert ("plain", "lagoon") in completed(["courses", "--copy"], "lag")
    assert completed(["build-course"], "lag") == [("plain", "lagoon"), ("file", "lag")]
    assert completed(["build-course"], "./x") == [("file", "./x")]


def test_files_and_names_of_any_kind_are_completed() -> None:
    from rulekit.cli.params import FILE

    items = FILE.shell_complete(click.Context(cli), click.Argument(["file"]), "lagoon-")
    names = ("a", "b", "b-tiles", "c", "fair", "")
    assert [item.value for item in items] == [f"lagoon-{name}" for name in names]
