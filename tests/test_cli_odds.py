"""The command `odds`: forms, table, notes, errors, picture."""

import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli

HEAVY = ("dask", "jinja2", "matplotlib", "networkx", "numba", "numpy", "scipy")


def run(*args: str, **env: str) -> Result:
    return CliRunner().invoke(cli, ["odds", *args], prog_name="rulekit", env=env)


def told(*args: str) -> dict[str, Any]:
    """The JSON of a command line that ends well."""
    result = run(*args, "-f", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def sums(row: dict[str, Any], faces: tuple[int, ...] = (1, 2, 3)) -> list[int]:
    return [sum(throw, sum(row["keep"])) for throw in product(faces, repeat=row["roll"])]


def test_json_without_clear_water() -> None:
    found = told("--speed", "3")
    assert (found["command"], found["seed"], found["readings"]["dice-max"]) == ("odds", None, "6")
    assert (found["speed"], found["hands"], found["free"]) == (3, [[3], [2, 1], [1, 1, 1]], None)
    assert [row["hand"] for row in found["rows"]] == 5 * [[3]] + 11 * [[2, 1]] + 11 * [[1, 1, 1]]
    for row in found["rows"]:
        throws = sums(row)
        share = Fraction(1, len(throws))
        assert row["change"] == len(row["keep"]) + row["roll"] - len(row["hand"])
        assert row["totals"] == {str(total): str(share * throws.count(total)) for total in sorted(set(throws))}
        assert row["mean"] == str(share * sum(throws))
        assert list(row["crash_by_free"]) == [str(free) for free in range(13)]
        for free, crash in row["crash_by_free"].items():
            assert crash == str(share * sum(total > int(free) for total in throws))


def test_json_with_clear_water() -> None:
    found = told("--dice", "1,3,3", "--free", "6", "--damage", "2", "--at-least", "7", "--at-most", "6")
    assert len(found["rows"]) == 17
    for row in found["rows"]:
        throws = sums(row)
        share = Fraction(1, len(throws))
        taken = [max(0, total - 6) for total in throws]
        assert (row["hand"], row["free"]) == ([3, 3, 1], 6)
        assert row["crash"] == str(share * sum(damage > 0 for damage in taken)) == row["at_least"]["7"]
        assert row["sink"] == str(share * sum(damage >= 2 for damage in taken))
        assert row["expected_damage"] == str(share * sum(taken))
        assert row["damage"] == {str(damage): str(share * taken.count(damage)) for damage in sorted(set(taken))}
        assert row["at_most"] == {"6": str(1 - Fraction(row["crash"]))}


def test_golden_example_1() -> None:
    rows = told("--dice", "3,2")["rows"]
    row = next(row for row in rows if row["keep"] == [3] and row["roll"] == 2)
    assert (row["change"], row["totals"]["7"]) == (1, "1/3")


def test_csv_and_markdown_have_every_row_and_exact_strings() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--dice", "3,3,1", "--free", "8", "-f", "csv").stdout)))
    assert len(rows) == 17
    assert rows[0] | {"totals": ""} == {
        "hand": "3 3 1", "keep": "3 3 1", "roll": "0", "change": "0", "mean": "7", "sd": "0.0", "free": "8",
        "crash": "0", "expected_damage": "0", "sink": "0", "damage": "0:1", "totals": "",
    }  # fmt: skip
    assert rows[3]["keep"], rows[3]["roll"] == ("3 3", "1")
    assert rows[3]["totals"] == "7:1/3 8:1/3 9:1/3"
    assert rows[3]["crash"] == "1/3"
    assert run("--dice", "3,3,1", "-f", "markdown").stdout.count("\n") == 19


def test_the_table_says_at_a_glance_whether_to_add_a_die() -> None:
    lines = run("--speed", "7", "--free", "6").stdout.splitlines()
    hand = next(line for line in lines if line.startswith("3 3 1 "))
    assert hand.split() == ["3", "3", "1", "17", "3.00–10.00", "0", "%", "11.1", "%", "63.0", "%", "100", "%"]
    last = next(line for line in lines if line.startswith("2 1 1 1 1 1 "))
    assert last.split()[-3:] == ["–", "100", "%"], "nobody adds to six dice"
    safest = [line.split("(")[0].split() for line in lines if line.startswith("  ") and ":" in line]
    assert lines[-1].startswith("  add:"), "the last that is seen"
    assert safest == [
        ["keep", "all:", "crash", "100", "%"],
        ["remove:", "crash", "0", "%"],
        ["same", "number:", "crash", "11.1", "%"],
        ["add:", "crash", "63.0", "%"],
    ]


def test_the_bare_table() -> None:
    text = run("--speed", "7").stdout
    assert text.startswith("Powerboats: 7 hands of speed 7, at most 6 dice (faces 1/2/3).")
    for part in ("crash\n", "3 clear", "9 clear", "Hand 3 3 1: 8 of 17 choices", "choices left out (--all"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("more", [(), ("--free", "6"), ("--all",), ("--at-least", "7", "--at-most", "3")])
@pytest.mark.parametrize("hand", ["none", "3,3,2,2,1,1", "3,3,3,2,2,2,1,1,1,1"])
def test_tables_stay_narrow_and_account_for_every_choice(hand: str, more: tuple[str, ...]) -> None:
    text = run("--dice", hand, *more).stdout
    most = 80 if len(hand) <= 11 and "--at-least" not in more else 96
    assert max(map(len, text.splitlines())) <= most
    rows = len(told("--dice", hand)["rows"])
    title = next(line for line in text.splitlines() if line.startswith("Hand ")).split(": ")[1].split()
    if title[0] == str(rows):
        assert f"All {rows} choices are listed." in text
    else:
        assert title[:3] == [title[0], "of", str(rows)]
        assert f"{rows - int(title[0])} choices left out" in text or f"{rows - int(title[0])} choice left out" in text


def test_hands_and_all() -> None:
    hands = run("--speed", "7", "--hands").stdout
    assert "Hand " not in hands
    assert "179 choices left out: drop --hands" in hands
    every = run("--speed", "7", "--all").stdout
    assert every.count("keep ") + every.count("\nroll ") >= 179
    assert "All 179 choices are listed." in every


def test_without_dice() -> None:
    text = run("--dice", "none").stdout
    assert "stay without dice" in text
    assert told("--dice", "none")["rows"] == told("--speed", "0")["rows"]
    assert [(row["keep"], row["roll"]) for row in told("--dice", "none")["rows"]] == [([], 0), ([], 1)]


@pytest.mark.parametrize(
    ("args", "keep", "roll"),
    [
        (("--change", "2"), [3, 1], 2),
        (("--faces", "1/2/3/4"), [3, 1], 1),
        (("--dice-max", "none"), [3, 1], 1),
        (("--reading", "dice-stock=3"), [3, 1], 1),
    ],
)
def test_dials_allow(args: tuple[str, ...], keep: list[int], roll: int) -> None:
    assert (keep, roll) in [(row["keep"], row["roll"]) for row in told("--dice", "3,1", *args)["rows"]]


@pytest.mark.parametrize(
    ("args", "hand", "keep", "roll"),
    [
        (("--reading", "reroll=one"), "3,1", [], 2),
        (("--reading", "first-turn=must-roll"), "none", [], 0),
        (("--reading", "dice-stock=2"), "3,1", [3, 1], 1),
        (("--change", "0"), "3,1", [3, 1], 1),
    ],
)
def test_readings_and_dials_forbid(args: tuple[str, ...], hand: str, keep: list[int], roll: int) -> None:
    usual, other = told("--dice", hand), told("--dice", hand, *args)
    assert (keep, roll) in [(row["keep"], row["roll"]) for row in usual["rows"]]
    assert (keep, roll) not in [(row["keep"], row["roll"]) for row in other["rows"]]
    assert usual["readings"] != other["readings"]


def test_witness_sink_at() -> None:
    chances = [
        next(row["sink"] for row in told("--dice", "3,3", "--free", "3", *more)["rows"] if row["keep"] == [3, 3])
        for more in ((), ("--reading", "sink-at=3"))
    ]
    assert chances == ["0", "1"]


def test_faces_change_the_throws() -> None:
    for row in told("--dice", "4,1", "--faces", "1/1/4")["rows"]:
        throws = sums(row, (1, 1, 4))
        assert row["totals"] == {
            str(total): str(Fraction(throws.count(total), len(throws))) for total in sorted(set(throws))
        }


def test_a_large_hand_raises_dice_max_with_a_note() -> None:
    result = run("--dice", "3,2,1,1,1,1", "-f", "json")
    assert result.stderr == "note: 6 dice given, so dice-max is 7 here\n"
    found = json.loads(result.stdout)
    assert found["readings"]["dice-max"] == "7"
    assert max(len(row["keep"]) + row["roll"] for row in found["rows"]) == 7
    assert run("--dice", "3,2,1,1,1,1", "-q").stderr == ""
    assert len(told("--dice", ",".join(18 * "1"))["rows"]) > 18


def test_damage_without_clear_water_is_noted() -> None:
    assert "--damage says something only together with --free" in run("--dice", "3", "--damage", "1").stderr


def test_verbose_tells_all_readings_and_the_time() -> None:
    text = run("--dice", "3", "-v").stderr
    assert "reroll=any" in text
    assert "seconds" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--dice 4,9", "no die shows 4 or 9: its faces are 1/2/3 (did you mean 3,3?)"),
        ("--speed -1", "a boat's speed is 0 or more, not -1"),
        ("--speed 99", "6 dice with the faces 1/2/3 add up to 18 at most, not 99"),
        ("--speed 3 --faces 2/4", "cannot add up to 3 (the nearest: 2 and 4)"),
        ("--speed seven", "'seven' is not a valid integer"),
        ("--speed 7 --faces 0", "faces from 1 to 20 with a / between, such as 1/2/3, not '0'"),
        ("--speed 7 --faces x", "faces from 1 to 20"),
        ("--speed 7 --change -1", "a whole number from 0 to 18, not '-1'"),
        ("--speed 7 --dice-max 0", "a whole number from 1 to 18, or none, not '0'"),
        ("--dice " + ",".join(40 * "1"), "40 dice are too many: a hand has at most 18"),
        ("--dice x", "--dice wants faces such as 3,3,1, or none, not 'x'"),
        ("--speed 7 --hands --all", "--hands leaves the choices out, --all lists them all: give one of them"),
        ("--speed 7 --hands --at-least 3", "which --hands leaves out: drop --hands"),
        ("--speed 7 --change 3 --reading change=2", "--reading change=2 and --change 3 contradict each other"),
        ("--speed 7 --dice-max 3 --reading dice-max=4", "--reading dice-max=4 and --dice-max 3 contradict each other"),
        ("--speed 7 --faces 1/2 --reading faces=1/2/3", "--reading faces=1/2/3 and --faces 1/2 contradict each other"),
        ("--dice 3,,1", "--dice wants faces such as 3,3,1, or none, not '3,,1'"),
        ("--dice 3,1,", "--dice wants faces such as 3,3,1, or none, not '3,1,'"),
        ("--dice 331", "no die shows 331: its faces are 1/2/3 (did you mean 3,3,1?)"),
        ("--dice 3;3", "--dice wants faces such as 3,3,1, or none"),
        ("--dice 99999999999999999999", "--dice wants faces such as 3,3,1, or none"),
        ("--dice 3 --free -1", "-1 is not in the range x>=0"),
        ("--dice 3 --free 6 --damage 4", "has sunk (sink-at=4, PB-21)"),
        ("--speed 7 --reading rerol=one", "there is no reading 'rerol' (did you mean 'reroll'?)"),
        ("--speed 7 --reading reroll=on", "(did you mean 'one'?)"),
        ("--speed 7 --reading reroll", "--reading wants NAME=ANSWER, not 'reroll'"),
        ("--speed 7 --dice 3", "either --speed 7 or --dice 3,3,1"),
        ("", "either --speed 7 or --dice 3,3,1"),
        ("--dice 3 --plot odds.sgv", "did you mean '.svg'?"),
        ("--dice 3 --plot odds", "ends in .svg, .png or .pdf, not 'odds'"),
        ("--dice 3 --plot no-such-folder/odds.svg", "cannot write no-such-folder/odds.svg"),
        ("--speed 7 --fre 6", "--free"),
    ],
)
def test_errors_say_what_to_change(args: str, message: str) -> None:
    result = run(*args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("option", "name"), [("--plot", "odds.svg"), ("-o", "odds.txt")])
def test_files_are_replaced_only_when_told(option: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("mine")
    result = run("--dice", "3", option, str(path))
    assert result.exit_code == 2
    assert "--overwrite" in result.stderr
    assert path.read_text() == "mine"
    assert run("--dice", "3", option, str(path), "--overwrite").exit_code == 0
    assert path.read_text() != "mine"
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_picture_shows_some_hands_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def size(hands: list[Any]) -> tuple[float, float]:
        drawn.append(len(hands))
        return 1.0, 1.0

    monkeypatch.setattr("rulekit.cli.odds_picture.render", lambda *_: b"")
    monkeypatch.setattr("rulekit.cli.odds_picture.size", size)
    result = run("--speed", "12", "--dice-max", "9", "--hands", "--plot", str(tmp_path / "a.svg"))
    assert drawn == [8]
    assert "note: the picture shows the first 8 of 15 hands" in result.stderr


@pytest.mark.parametrize(("suffix", "begin"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_plots(suffix: str, begin: bytes, tmp_path: Path) -> None:
    pictures = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for picture in pictures:
        result = run("--dice", "3,1", "--free", "4", "--plot", str(picture))
        assert result.exit_code == 0, result.stderr
        assert f"wrote {picture}" in result.stderr
        assert "Hand 3 1" in result.stdout
    assert pictures[0].read_bytes().startswith(begin)
    assert pictures[0].read_bytes() == pictures[1].read_bytes()


def process(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulekit", "odds", *args],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, env={**os.environ, **env},
    )  # fmt: skip


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"PYTHONIOENCODING": "utf-8", "TERM": "dumb"}])
def test_without_a_terminal_there_are_no_colours(env: dict[str, str]) -> None:
    result = process("--speed", "7", "--free", "6", **env)
    assert (result.returncode, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    assert result.stdout == run("--speed", "7", "--free", "6").stdout


def test_a_pipe_closed_early_ends_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "rulekit", "odds", "--speed", "12", "-f", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout
        assert child.stderr
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == 0


def test_no_heavy_package_is_loaded_without_a_plot() -> None:
    code = f"""
import sys
from rulekit.cli import cli
try:
    cli(["odds", "--speed", "7", "--free", "6"])
except SystemExit as end:
    assert end.code in (0, None), end.code
found = [name for name in {HEAVY!r} if name in sys.modules]
sys.exit(f"loaded: {{found}}" if found else 0)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def processor_time(*args: str) -> float:
    """Seconds of processor time of the quickest of five runs: other work on the machine counts for little."""
    import resource

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "rulekit", *args], stdout=subprocess.DEVNULL, timeout=60, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(5))


@pytest.mark.skipif(sys.platform == "win32", reason="measures processes as POSIX does")
def test_the_whole_command_is_little_slower_than_the_overview() -> None:
    assert processor_time("odds", "--speed", "7") - processor_time("--help") < 0.3


def test_the_examples_of_the_help_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run("--help").stdout
    examples = [line.strip().split("  ")[0] for line in shown.splitlines() if line.startswith("    rulekit ")]
    assert len(examples) >= 6
    for example in examples:
        result = CliRunner().invoke(cli, example.split()[1:])
        assert result.exit_code == 0, (example, result.stderr)
