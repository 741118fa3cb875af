"""`rulekit validate-course`: known figures, exit codes, JSON fields, the readable form, faulty and random files."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import CASES

from rulekit.cli import cli
from rulekit.graphs.verdict import judge
from rulekit.readings import PowerboatsReadings

EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
TRACK = CASES.parent / "tracks" / "ring-a.toml"
COURSE_KEYS = {"arrows", "start", "finish", "buoys", "route", "legs", "choke", "shared", "dead", "bays"}
ROW_KEYS = {"file", "kind", "name", "valid", "errors", "warnings", "findings"}


def run(*args: str | Path, **extra: Any) -> Result:
    return CliRunner().invoke(cli, ["validate-course", *map(str, args)], prog_name="rulekit", **extra)


def rows(*args: str | Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(*args, "-f", "json").stdout)["rows"]
    return found


def edited(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Path:
    """A course with known answers and with changes, in a folder of its own."""
    text = (CASES / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("name", EXPECTED)
def test_courses_with_known_answers(name: str) -> None:
    want = EXPECTED[name]
    legal = not any(want["full_circle"])
    outcome = run(CASES / name, "-f", "json")
    (row,) = json.loads(outcome.stdout)["rows"]
    assert (outcome.exit_code, row["valid"]) == (0 if legal else 1, legal)
    assert row.keys() >= COURSE_KEYS | ROW_KEYS
    buoys = row["buoys"]
    assert [buoy["number"] for buoy in buoys] == list(range(1, len(want["arrows"]) + 1))
    assert [buoy["full_circle"] for buoy in buoys] == want["full_circle"]
    assert [buoy["turn_degrees"] for buoy in buoys] == pytest.approx(want["turns"], abs=1e-3)
    assert [buoy["arrow"] for buoy in buoys] == list(row["arrows"].values()) == want["arrows"]
    swept = [angle + 360 * full for angle, full in zip(want["swept"], want["full_circle"], strict=True)]
    assert [buoy["swept_degrees"] for buoy in buoys] == pytest.approx(swept, abs=1e-3)
    if legal:
        assert (row["start"], row["finish"]) == (want["start"], want["finish"])
        assert (row["route"]["steps"], len(row["route"]["hexes"])) == (want["route"], want["route"] + 1)
    else:
        (error,) = [finding for finding in row["findings"] if finding["severity"] == "error"]
        assert (error["code"], error["rule"]) == ("full-circle", "PB-8")


def test_a_finding_names_its_line(tmp_path: Path) -> None:
    lines = (CASES / "mid-1.toml").read_text(encoding="utf-8").splitlines()
    (row,) = rows(CASES / "mid-1.toml")
    error = next(finding for finding in row["findings"] if finding["severity"] == "error")
    assert lines[error["line"] - 1] == 'turn = "right"'
    assert lines[error["line"] - 3] == "number = 3"
    assert error["column"] == 8


def test_legs_are_told_from_gate_to_gate() -> None:
    (row,) = rows(CASES / "mid-2.toml")
    assert [(leg["from"], leg["to"]) for leg in row["legs"]] == [
        ("start", "buoy 1"), ("buoy 1", "buoy 2"), ("buoy 1", "buoy 2"),
        ("buoy 2", "buoy 3"), ("buoy 2", "buoy 3"), ("buoy 3", "finish"),
    ]  # fmt: skip
    assert all(leg["steps"] == len(leg["hexes"]) - 1 and leg["crosses"] == [] for leg in row["legs"])


def test_the_verdict_comes_first_and_says_why() -> None:
    good = run(CASES / "mid-2.toml").stdout.splitlines()
    assert good[1] == "valid: no full circle, a route of 27 steps"
    bad = run(CASES / "mid-1.toml").stdout
    assert bad.splitlines()[1] == "not valid: a full circle round buoy 3"
    assert "10.7° + 360°: a full circle" in bad
    assert f"{CASES / 'mid-1.toml'}:34:8: error: buoy 3 on B4 has the rightward arrow" in bad


def test_all_findings_of_a_course_come_at_once(tmp_path: Path) -> None:
    file = edited(tmp_path, "mid-1.toml", ('side = "NW"', 'side = "SE"'), ('at = "T7"', 'at = "R13"'))
    outcome = run(file)
    assert outcome.exit_code == 1
    for code in ("strip-buoy", "strip-outside", "full-circle"):
        assert f"[{code}]" in outcome.stdout


def test_file_faults_are_the_verdict_of_a_faulty_file(tmp_path: Path) -> None:
    file = edited(tmp_path, "mid-2.toml", ('turn = "auto"', 'turn = "lefft"'))
    outcome = run(file)
    assert outcome.exit_code == 1
    assert "did you mean 'left'?" in outcome.stdout
    (row,) = rows(file)
    assert (row["kind"], row["name"], row["valid"]) == ("course", "small", False)
    assert row["findings"][0]["line"] > 1


def test_no_toml_is_an_error_in_a_readable_file(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("format = \n", encoding="utf-8")
    outcome = run(file, "-f", "json")
    assert outcome.exit_code == 1
    (row,) = json.loads(outcome.stdout)["rows"]
    assert (row["kind"], row["findings"][0]["code"]) == (None, "toml")


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_what_cannot_be_read_ends_with_2(tmp_path: Path, name: str) -> None:
    outcome = run(tmp_path / name)
    assert outcome.exit_code == 2
    assert "not readable" in outcome.stdout
    (row,) = rows(tmp_path / name)
    assert (row["valid"], row["findings"][0]["code"]) == (False, "unreadable")


def test_several_files_are_all_judged_and_the_worst_counts(tmp_path: Path) -> None:
    good, bad, none = CASES / "mid-2.toml", CASES / "mid-1.toml", tmp_path / "none.toml"
    assert run(good, good).exit_code == 0
    assert run(good, bad).exit_code == 1
    assert run(none, bad, good).exit_code == 2
    assert [row["valid"] for row in rows(none, bad, good)] == [False, False, True]
    flat = run(good, bad, "-f", "csv").stdout.splitlines()
    assert flat[0] == "file,kind,name,valid,errors,warnings,findings"
    assert len(flat) == 3
    assert "mid-1.toml:34:8: error: buoy 3 on B4 has the rightward arrow" in flat[2]
    assert "[full-circle]" in run(bad, "-f", "markdown").stdout


def test_standard_input_goes_by_the_name_given() -> None:
    text = (CASES / "mid-1.toml").read_text(encoding="utf-8")
    outcome = run("-", "--stdin-filename", "mine.toml", input=text)
    assert outcome.exit_code == 1
    assert "mine.toml:34:8: error: " in outcome.stdout


LAKE = """format = "rulekit/lake-1"
name = "Pool"
map = '''
. . . # . .
 . A6# . . .
. . . . . #
 . . # . # .
. . . # # .
'''
"""


def test_a_lake_is_told_by_its_figures(tmp_path: Path) -> None:
    file = tmp_path / "pool.toml"
    file.write_text(LAKE, encoding="utf-8")
    outcome = run(file)
    assert outcome.exit_code == 0
    assert "land 26.7%: 8 of 30 hexes, 22 of water" in outcome.stdout
    assert "longest straight: 5 hexes, A3–E3 (E)" in outcome.stdout
    assert "2 hexes of water cut off from the rest: F4, F5" in outcome.stdout
    assert "the A-spot on B2 cannot carry buoy 0: hex 1 of the strip, C2, is land" in outcome.stdout
    (row,) = rows(file)
    assert (row["kind"], row["land_share"], row["spots"]) == ("lake", "4/15", {"A": 1, "B": 0, "C": 0})
    assert row["passages"] == [["B1", "A2"], ["C3", "D3"]]
    assert [(bay["mouth"], len(bay["hexes"])) for bay in row["bays"]] == [("C3", 8), ("A2", 3)]
    assert [row["from"] for row in row["straights"]] == ["A3", "C5"]


def test_a_track_is_judged_too(tmp_path: Path) -> None:
    (row,) = rows(TRACK)
    assert (row["kind"], row["valid"]) == ("track", True)
    text = TRACK.read_text(encoding="utf-8")
    limit = next(line for line in text.splitlines() if line.startswith("limit"))
    file = tmp_path / "limitless.toml"
    file.write_text(text.replace(f"{limit}\n", "", 1), encoding="utf-8")
    outcome = run(file)
    assert outcome.exit_code == 1
    assert "not valid: 1 error told below" in outcome.stdout


def test_a_reading_that_is_asked_here_counts() -> None:
    assert json.loads(run(CASES / "tiny-0.toml", "--reading", "rounding=line", "-f", "json").stdout)["readings"][
        "rounding"
    ] == "line"  # fmt: skip


def test_a_track_takes_the_readings_of_ps() -> None:
    found = json.loads(run(TRACK, "--reading", "triangle=aid", "-f", "json").stdout)
    assert found["readings"]["triangle"] == "aid"
    mixed = run(TRACK, CASES / "tiny-0.toml", "--reading", "triangle=aid", "--reading", "rounding=line", "-f", "json")
    assert json.loads(mixed.stdout)["readings"]["rounding"] == "line"
    for files, words, message in (
        ([TRACK], ["--reading", "trangle=aid"], "did you mean 'triangle'"),
        ([TRACK], ["--reading", "reroll=one"], "no reading 'reroll'"),
        ([TRACK], ["--dice-max", "3"], "speaks of boats"),
        ([CASES / "tiny-0.toml"], ["--reading", "triangle=aid"], "no reading 'triangle'"),
        ([TRACK, CASES / "tiny-0.toml"], ["--reading", "fuel=ful"], "did you mean 'full'"),
    ):
        outcome = run(*files, *words)
        assert outcome.exit_code == 2
        assert message in outcome.stderr


SNIPPETS = ["", ".", "#", "a6", "\n", '"', "left", "Z9", "B8", "=", "0"]
EDITS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(SNIPPETS)), max_size=4)
TINY = (CASES / "tiny-0.toml").read_text(encoding="utf-8")


@settings(max_examples=120)
@given(EDITS)
def test_edited_files_have_a_verdict_and_never_crash(edits: list[tuple[float, str]]) -> None:
    text = TINY
    for where, new in edits:
        at = int(where * len(text))
        text = text[:at] + new + text[at + 1 :]
    outcome = run("-", "-f", "json", input=text)
    assert outcome.exit_code in (0, 1)
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)
    (row,) = json.loads(outcome.stdout)["rows"]
    assert row["valid"] == (outcome.exit_code == 0)


def test_a_verdict_is_the_same_twice() -> None:
    first, second = (judge(str(CASES / "mid-3.toml"), PowerboatsReadings()).row() for _ in range(2))
    assert first == second


def test_the_words_of_a_verdict_are_explained_once() -> None:
    text = run("lagoon-a", CASES / "mid-1.toml").stdout
    for word in ("string turns", "swept", "choke points", "dead water", "bays"):
        assert len(re.findall(rf"^{word}  +[a-z]", text, re.MULTILINE)) == 1
    assert "PB-8" in text
    assert "(PB-9)" in text
    assert "rulekit rules --rule PB-8" in text
    lake = run("lagoon").stdout
    assert "swept" not in lake
    assert re.search(r"^passages  +[a-z]", lake, re.MULTILINE)
    assert "rulekit rules" not in run(TRACK).stdout


def test_lists_stop_and_tell_how_to_see_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "wide.toml"
    rows = "\n".join(" " * (row % 2) + ". " * 20 for row in range(15))
    text = f"format = \"rulekit/lake-1\"\nname = \"{'Wide ' * 60}\"\nmap = '''\n{rows}\n'''\n"
    file.write_text(text, encoding="utf-8")
    short, full = run(file).stdout, run(file, "-v").stdout
    assert re.search(r"longest straight: 20 hexes, .* and [0-9]+ more \(-v\)", short.replace("\n   ", ""))
    assert "more (-v)" not in full
    assert full.count("(E)") == 15
    assert max(map(len, short.splitlines()[1:4])) <= 80
    assert len(short.splitlines()[0]) < len(str(file)) + 110


def test_what_a_file_tells_cannot_command_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    for odd in ("\\u001b[31m", "\\u0007", "a\\nb", "\\u202e", "\\u009b1m", "x" * 5000):
        head = f'format = "rulekit/lake-1"\nname = "{odd}"\n"{odd}" = 1\nmap = "."\n'
        file.write_text(head, encoding="utf-8")
        for args in ([], ["-f", "json"], ["-f", "csv"], ["-f", "markdown"]):
            shown = run(file, *args)
            assert shown.exit_code == 1
            assert shown.stdout.replace("\n", "").isprintable()
            assert args == ["-f", "json"] or max(map(len, shown.stdout.splitlines())) < 5000
        refused = CliRunner().invoke(cli, ["draw", str(file)])
        assert refused.stderr.replace("\n", "").isprintable()
        assert max(map(len, refused.stderr.splitlines())) < 1000


def test_names_that_are_empty_or_look_like_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "error: a file is wanted, but its name is empty" in run("").stdout
    monkeypatch.chdir(tmp_path)
    assert "the file of that name" not in run("-x.toml").stderr
    shutil.copy(CASES / "mid-2.toml", "-x.toml")
    assert run("-x.toml").stderr.endswith("(the file of that name: ./-x.toml)\n")
    assert run("./-x.toml").exit_code == 0


def test_standard_input_is_read_once() -> None:
    outcome = run("-", "-", input="")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "standard input" in outcome.stderr
