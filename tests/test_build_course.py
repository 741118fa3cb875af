"""The command `build-course`."""

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from board_text import CASES, case_text, edited
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import hex_name
from rulekit.powerboats.check import check
from rulekit.powerboats.route import route

PICTURE = edited(case_text("courses/ten.toml").split("'''")[1], "a4.", ". .")
TEN = f"format = 'rulekit/lake-1'\nname = 'Ten \"x\"'\nmap = '''{PICTURE}'''\n"
"""A lake with three A-spots: six orders."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a lake in it, another one above it."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "ten.toml").write_text(TEN)
    (tmp_path / "above.toml").write_text(TEN)
    monkeypatch.chdir(folder)
    return folder


def run(*args: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["build-course", *args], prog_name="rulekit", input=given)


def answer(*args: str) -> dict[str, Any]:
    result = run(*args, "-f", "json")
    assert result.exit_code == 0, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_a_course_is_printed_and_can_be_read(home: Path) -> None:
    result = run("ten.toml", "--spots", "A", "--seed", "3")
    (home / "new.toml").write_text(result.stdout)
    course = read_course(read_source("new.toml")).course
    assert [found for found in check(course, "A") if found.severity == "error"] == []
    assert course.settled
    assert course.name == 'Ten "x", race A'


def test_the_comment_names_the_command_that_makes_it_again(home: Path) -> None:
    first = run("ten.toml", "--spots", "A", "--name", "my race").stdout
    comment = first.splitlines()[0]
    command = comment.split("rulekit build-course ")[1]
    assert command.startswith("ten.toml --spots A --name 'my race' --seed ")
    seed = command.split()[-1]
    assert run("ten.toml", "--spots", "A", "--name", "my race", "--seed", seed).stdout == first


def test_the_row_tells_what_the_file_says(home: Path) -> None:
    data = answer("ten.toml", "--spots", "A", "--seed", "9", "-o", "new.toml")
    (row,) = data["rows"]
    file = read_course(read_source("new.toml"))
    assert data["seed"] == 9
    assert data["course"] == Path("new.toml").read_text()
    assert row["hexes"] == [hex_name(at) for at in list(file.course.buoy_hexes())[:3]]
    assert list(file.marks) == row["buoys"]
    assert row["route"] == len(route(file.course) or ()) - 1
    assert list(row["arrows"].values()) == [buoy.arrow.word for buoy in file.course.buoys if buoy.arrow]


def test_an_old_file_is_replaced_only_when_asked(home: Path) -> None:
    Path("new.toml").write_text("mine")
    assert run("ten.toml", "--spots", "A", "-o", "new.toml").exit_code == 2
    assert Path("new.toml").read_text() == "mine"
    assert run("ten.toml", "--spots", "A", "-o", "new.toml", "--overwrite").exit_code == 0


def test_a_shipped_lake_is_named(home: Path) -> None:
    assert run("lagoon", "--spots", "B", "--seed", "1", "-o", "new.toml").exit_code == 0
    file = read_course(read_source("new.toml"))
    assert 'lake = "lagoon"' in Path("new.toml").read_text()
    assert (file.spots, file.course.lake.name) == ("B", "Lagoon")
    assert [found for found in check(file.course, "B") if found.severity == "error"] == []


@pytest.mark.parametrize(
    ("lake", "target", "named"),
    [
        ("ten.toml", "new.toml", "ten.toml"),
        ("sub/ten.toml", "new.toml", "sub/ten.toml"),
        ("sub/ten.toml", "sub/new.toml", "ten.toml"),
        ("ten.toml", "../home/new.toml", "ten.toml"),
        ("sub/ten", "sub/new.toml", "./ten"),
    ],
)
def test_a_lake_in_or_below_the_folder_is_told_by_its_path(home: Path, lake: str, target: str, named: str) -> None:
    (home / "sub").mkdir()
    (home / lake).write_text(TEN)
    assert run(lake, "--spots", "A", "--seed", "1", "-o", target).exit_code == 0
    assert f'lake = "{named}"' in Path(target).read_text()
    read_course(read_source(target))


def test_another_lake_is_copied_beside_the_course(home: Path) -> None:
    result = run("../above.toml", "--spots", "A", "--seed", "1", "-o", "new.toml")
    assert result.exit_code == 0
    assert Path("above.toml").read_text().endswith(TEN)
    assert "above.toml, a copy of" in result.stderr
    assert 'lake = "above.toml"' in Path("new.toml").read_text()
    read_course(read_source("new.toml"))
    assert run("../above.toml", "--spots", "A", "--seed", "2", "-o", "other.toml").exit_code == 0


def test_a_copied_lake_never_replaces_another(home: Path) -> None:
    Path("above.toml").write_text("mine")
    result = run("../above.toml", "--spots", "A", "--seed", "1", "-o", "new.toml", "--overwrite")
    assert result.exit_code == 2
    assert "another lake" in result.stderr
    assert Path("above.toml").read_text() == "mine"
    assert not Path("new.toml").exists()


def test_a_course_may_not_take_its_lakes_name(home: Path) -> None:
    assert run("../above.toml", "--spots", "A", "--seed", "1", "-o", "above.toml").exit_code == 2
    assert run("ten.toml", "--spots", "A", "--seed", "1", "-o", "ten.toml", "--overwrite").exit_code == 2
    assert Path("ten.toml").read_text() == TEN


def test_a_course_on_stdout_cannot_name_a_lake_elsewhere(home: Path) -> None:
    result = run("../above.toml", "--spots", "A", "--seed", "1")
    assert result.exit_code == 2
    assert "-o FILE" in result.stderr


def test_a_lake_from_standard_input(home: Path) -> None:
    assert run("-", "--spots", "A", "--seed", "1", "-o", "new.toml", given=TEN).exit_code == 0
    assert sorted(file.name for file in home.iterdir()) == ["lake.toml", "new.toml", "ten.toml"]
    read_course(read_source("new.toml"))


def test_all_lists_every_legal_course(home: Path) -> None:
    data = answer("ten.toml", "--spots", "A", "--all")
    assert data["seed"] is None
    assert (data["orders"], data["legal"]) == (6, len(data["rows"]))
    assert data["legal"] + sum(data["reasons"].values()) == 6
    assert len({tuple(row["hexes"]) for row in data["rows"]}) == data["legal"]
    drawn = answer("ten.toml", "--spots", "A", "--seed", "4")["rows"][0]
    assert {**drawn, "number": 0} in [{**row, "number": 0} for row in data["rows"]]


def test_all_tells_a_terminal_how_far_it_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr("rulekit.cli.progress.Progress.begin", lambda _, stage: begun.append(stage))
    orders = answer("ten.toml", "--spots", "A", "--all")["orders"]
    assert begun == [f"{number} orders tried" for number in range(1, orders + 1)]


def test_all_as_a_table(home: Path) -> None:
    text = run("ten.toml", "--spots", "A", "--all").stdout
    assert " of 6 orders are legal (" in text.splitlines()[0]
    assert run("ten.toml", "--spots", "A", "--all", "-o", "rows.csv", "-f", "csv").exit_code == 0
    assert Path("rows.csv").read_text().startswith("number,buoys,hexes,side,")


def test_none_legal_ends_with_1_and_the_reasons(home: Path) -> None:
    Path("bad.toml").write_text("format = 'rulekit/lake-1'\nname = 'Bad'\nmap = 'a4. . . . . a6. .'\n")
    for more in ((), ("--all",)):
        result = run("bad.toml", "--spots", "A", *more)
        assert result.exit_code == 1
        assert "none of 2 courses is legal: the strip leaves the lake (PB-6): 2" in result.stderr


def test_layouts(home: Path) -> None:
    laid = answer("lagoon", "--spots", "A", "--seed", "2", "--layout", "6* 2 4/1r 5 3r*")
    assert laid["rows"][0]["layout"] == ["6* 2 4", "1r 5 3r*"]


@pytest.mark.slow
def test_shuffled_tiles(home: Path) -> None:
    shuffled = [answer("lagoon", "--spots", "A", "--seed", seed, "--shuffle-tiles") for seed in ("1", "1", "2")]
    first, again, other = (data["rows"][0]["layout"] for data in shuffled)
    assert first == again != other


def test_expansion_adds_tiles_to_the_same_course(home: Path) -> None:
    bare = answer("lagoon", "--spots", "A", "--seed", "7")
    tiled = answer("lagoon", "--spots", "A", "--seed", "7", "--expansion", "-o", "new.toml")
    row = tiled["rows"][0]
    assert {key: row[key] for key in bare["rows"][0]} == bare["rows"][0]
    file = read_course(read_source("new.toml"))
    assert file.faults == ()
    assert check(file.course, "A") == []
    assert [tile["hexes"] for tile in row["tiles"]] == [list(map(hex_name, tile.hexes)) for tile in file.course.tiles]
    assert [tile["kind"] for tile in row["tiles"]] == [tile.kind.value for tile in file.course.tiles]
    assert len(row["tiles"]) == 7
    assert (row["left_out"], row["empty"]) == ([], [])
    assert "--expansion --seed 7" in Path("new.toml").read_text().splitlines()[0]


@pytest.mark.parametrize("name", ["lagoon-b-tiles", "skerries-a-tiles"])
def test_shipped_courses_with_tiles_come_from_the_command_that_they_name(name: str) -> None:
    text = read_source(name).text
    (command,) = (line for line in text.splitlines() if line.startswith("# rulekit build-course "))
    assert _without_comment_lines(run(*shlex.split(command)[3:]).stdout) == _without_comment_lines(text)


def _without_comment_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("name", ["lagoon-b-tiles", "skerries-a-tiles", "practice-tiles"])
def test_shipped_courses_with_tiles_have_all_of_them_and_no_findings(name: str) -> None:
    file = read_course(read_source(name))
    kinds = Counter(tile.kind.value for tile in file.course.tiles)
    assert kinds == {"redoubt": 2, "current": 2, "maelstrom": 2, "low-water": 1}
    assert (file.faults, check(file.course, file.spots)) == ((), [])


def test_tiles_left_out_are_told_in_the_file_and_on_stderr(home: Path) -> None:
    args = ("practice", "--spots", "A", "--seed", "7", "--expansion")
    result = run(*args, "-o", "new.toml")
    row = answer(*args)["rows"][0]
    assert len(row["tiles"]) + len(row["left_out"]) == 7
    assert row["left_out"]
    for left_out in row["left_out"]:
        sentence = f"the {left_out['kind']} tile of the spot {left_out['spot']} is left out: {left_out['reason']}"
        assert f"note: {sentence}\n" in result.stderr
        assert f"# {sentence}\n" in Path("new.toml").read_text()
    assert "is left out" not in run(*args, "-q").stderr
    assert "shifted" in result.stdout
    file = read_course(read_source("new.toml"))
    assert [fault.code for fault in file.faults] == ["expansion-count"]
    assert check(file.course, "A") == []


def test_x1_clash_error_refuses_the_course(home: Path) -> None:
    args = ("practice", "--spots", "A", "--seed", "7", "--expansion", "--reading", "x1-clash=error")
    result = run(*args, "-o", "new.toml")
    assert result.exit_code == 1
    assert "has no room at the spot on" in result.stderr
    assert not Path("new.toml").exists()


def test_readings_are_in_the_command_that_makes_the_course_again(home: Path) -> None:
    text = run("lagoon", "--spots", "A", "--seed", "7", "--expansion", "--reading", "x1-clash=error").stdout
    assert text.startswith("# made by rulekit ")
    assert text.splitlines()[0].endswith("--expansion --reading x1-clash=error --seed 7")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("lagoon", "--spots", "A", "--expansion", "--all"), "give one of them"),
        (("lagoon", "--spots", "A", "--expansion", "--reading", "x1-clash=eror"), "did you mean 'error'?"),
        (("lagoon", "--spots", "D"), "'D'"),
        (("lagoon",), "--spots"),
        (("lagun", "--spots", "A"), "did you mean 'lagoon'?"),
        (("ten.toml", "--spots", "B"), "1 B-spots"),
        (("ten.toml", "--spots", "C"), "no C-spots"),
        (("ten.toml", "--spots", "A", "--shuffle-tiles"), "no tiles"),
        (("ten.toml", "--spots", "A", "--layout", "1 2"), "no tiles"),
        (("lagoon", "--spots", "A", "--layout", "1 2 3/4 5 6", "--shuffle-tiles"), "give one of them"),
        (("lagoon", "--spots", "A", "--all", "-o", "all.toml"), "or .csv with -f csv"),
        (("lagoon", "--spots", "D"), "'A', 'B' or 'C', not 'D'"),
        (("lagoon", "--spots", "A", "--layout", "1 2 $"), "no tile of a layout"),
        (("lagoon", "--spots", "A", "--layout", "1 2 9/4 5 6"), "no tile '9'"),
        (("lagoon", "--spots", "A", "--layout", "1 2/4 5"), "--layout: "),
        (("lagoon", "--spots", "A", "--name", "a\nb"), "--name"),
        (("lagoon-a", "--spots", "A"), "a course, where a lake is needed"),
        ((".", "--spots", "A"), "is a folder"),
        (("ten.toml", "--spots", "A", "-o", "no/such/folder.toml"), "cannot write"),
    ],
)
def test_bad_input_is_told_and_ends_with_2(home: Path, args: tuple[str, ...], words: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_the_case_lake_is_too_small(home: Path) -> None:
    assert run(str(CASES / "lakes" / "small.toml"), "--spots", "A").exit_code == 2
