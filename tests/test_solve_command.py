"""The command `solve`: forms, verdicts, pictures, policies, bad input, interruption."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from made_up import CASES
from test_tables import numbered
from test_tables import pond as small_pond

from rulekit.cli import cli
from rulekit.cli.output import Output
from rulekit.cli.progress import Progress
from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Boat
from rulekit.solve.best import Trade, hull
from rulekit.solve.bounds import solve
from rulekit.solve.first_run import compile_seconds

SMALL = """format = "rulekit/course-1"
name = "small"
start-tile = 1
map = '''
. . . . .
 . . # . .
. . . . .
 . . . . .
'''
[start]
buoy = "C2"
side = "W"
[[buoy]]
number = 1
at = "D3"
"""


@pytest.fixture
def pond() -> str:
    """A course of 57 water hexes and one buoy."""
    return str(CASES / "tiny-0.toml")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["solve", *args], prog_name="rulekit")


def told(*args: str) -> dict[str, Any]:
    """The JSON of a command line that ends well."""
    result = run(*args, "-f", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_of_turns(pond: str) -> None:
    found = told(pond, "--dice-max", "3", "--sink-cost", "40")
    assert (found["command"], found["objective"], found["sink_cost"], found["damage"]) == ("solve", "turns", 40.0, 0)
    assert found["lower"] <= found["value"] <= found["upper"] <= found["lower"] + 1e-6
    assert found["value"] == pytest.approx(found["turns"] + 40 * found["sink"], abs=1e-6)
    assert found["value"] == min(start["value"] for start in found["starts"])
    best = next(start for start in found["starts"] if start["value"] == found["value"])
    assert found["best_start"] == {key: best[key] for key in ("hex", "facing", "progress")}
    assert found["rows"] == found["starts"]
    assert found["states"] == 4 * 3 * 57 * 6 * 20
    assert found["sweeps"] > 0
    last = found["finishing"][-1]
    assert last["cumulative"] == pytest.approx(1 - found["sink"], abs=1e-9)
    assert sum(row["chance"] * row["turn"] for row in found["finishing"]) <= found["turns"] + 1e-6
    assert found["fewest_turns"] == found["finishing"][0]["turn"]
    assert sum(row["visits"] for row in found["hexes"]) == pytest.approx(found["turns"], abs=1e-6)
    assert sum(row["crashes"] for row in found["hexes"]) == pytest.approx(found["crashes"], abs=1e-9)
    assert sum(row["sinkings"] for row in found["hexes"]) == pytest.approx(found["sink"], abs=1e-9)


def test_strip_only_leaves_the_starts_of_the_strip(pond: str) -> None:
    everywhere, strip = (
        told(pond, "--dice-max", "2", "--reading", f"behind={rows}") for rows in ("rows-2", "strip-only")
    )
    assert len(strip["starts"]) == 12
    assert {start["progress"] for start in strip["starts"]} == {1}
    assert [start for start in everywhere["starts"] if start["progress"] == 1] == strip["starts"]
    assert len(everywhere["starts"]) > 12


def test_own_start(pond: str) -> None:
    one = told(pond, "--dice-max", "2", "--at", "E1", "--facing", "w", "--progress", "2", "--damage", "1")
    assert one["best_start"] == {"hex": "E1", "facing": "W", "progress": 2}
    assert (len(one["starts"]), one["damage"]) == (1, 1)
    six = told(pond, "--dice-max", "2", "--at", "E1")
    assert [start["facing"] for start in six["starts"]] == ["E", "NE", "NW", "W", "SW", "SE"]
    assert six["best_start"]["progress"] == 1


def test_deadline(pond: str) -> None:
    found = told(pond, "--dice-max", "2", "--objective", "deadline", "--within", "7")
    chances = [row["chance"] for row in found["chances"]]
    assert [row["turn"] for row in found["chances"]] == list(range(1, 8))
    assert chances == sorted(chances)
    assert chances[0] == 0
    assert 0 < found["value"] < 1
    assert found["value"] == chances[-1] == max(start["value"] for start in found["starts"])
    assert found["lower"] <= found["value"] <= found["upper"] <= found["lower"] + 1e-10
    turns = told(pond, "--dice-max", "2")
    by_then = max(row["cumulative"] for row in turns["finishing"] if row["turn"] <= 7)
    assert by_then <= found["value"]


def test_pareto(pond: str) -> None:
    found, best = told(pond, "--dice-max", "3", "--objective", "pareto"), told(pond, "--dice-max", "3")
    for key in ("value", "lower", "upper", "turns", "sink", "sink_cost", "best_start", "starts", "states", "sweeps"):
        assert found[key] == best[key]
    rows = found["rows"]
    assert len(rows) > 2
    assert all(list(row) == ["turns", "sink", "sink_cost", "start"] for row in rows)
    for before, after in pairwise(rows):
        assert before["turns"] < after["turns"]
        assert before["sink"] > after["sink"]
    for row in rows[1:-1]:
        alone = told(pond, "--dice-max", "3", "--sink-cost", str(row["sink_cost"]))
        value = alone["value"]
        own = [start["value"] for start in alone["starts"] if row["start"].items() <= start.items()]
        assert own == [pytest.approx(value, abs=1e-4)]
        assert row["turns"] + row["sink_cost"] * row["sink"] == pytest.approx(value, abs=1e-4)
        for other in rows:
            assert other["turns"] + row["sink_cost"] * other["sink"] >= value - 1e-4


def test_hull_leaves_out_what_a_mix_of_others_beats() -> None:
    points = (1, 1, 1), (4, 0, 9), (2, 0.7, 2), (2, 0.4, 3), (2, 0.4, 2.5), (5, 0, 10)
    found = hull([trade(*point) for point in points])
    assert found == [trade(1, 1, 1), trade(2, 0.4, 2.5), trade(4, 0, 9)]


def trade(turns: float, sink: float, sink_cost: float) -> Trade:
    return Trade(turns, sink, sink_cost, Boat(Hex(0, 0), Facing.E, (), 1))


def test_policies_beside_the_best(pond: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "best.npz")
    best = told(pond, "--dice-max", "3", "--save", saved)
    found = told(pond, "--dice-max", "3", "--policy", "greedy", "--policy", "dice-1", "--policy", saved)
    greedy, one, again = found["rows"]
    assert [row["policy"] for row in found["rows"]] == ["greedy", "dice-1", saved]
    assert again["turns"] == pytest.approx(best["turns"], abs=1e-6)
    assert again["loss"] == pytest.approx(0, abs=1e-6)
    assert min(greedy["loss"], one["loss"]) > 0.01
    assert greedy["value"] == pytest.approx(greedy["turns"] + 50 * greedy["sink"], abs=1e-9)
    table = run(pond, "--dice-max", "3", "--reading", "sink-at=1", "--policy", "greedy").stdout
    assert "Press-your-luck premium" in table
    assert run(pond, "--dice-max", "2", "--policy", saved).exit_code == 2


def test_sinking_on_purpose_is_warned_of(pond: str) -> None:
    result = run(pond, "--dice-max", "3", "--sink-cost", "1", "-f", "json")
    found = json.loads(result.stdout)
    assert found["sink"] > 0.5 or found["value"] > 1
    assert "warning: the best race sinks on purpose: sinking costs only 1 turn here" in result.stderr
    assert "on purpose" not in run(pond, "--dice-max", "3").stderr


def test_table_gives_the_verdict_first(pond: str) -> None:
    lines = run(pond, "--dice-max", "3", "--sink-cost", "60").stdout.splitlines()
    assert lines[0] == "small: one boat alone, at most 3 dice; readings and dials: dice-max=3."
    assert lines[1].startswith("The best race takes ")
    assert "(--sink-cost 60), certified" in lines[2]
    assert "% of races" in lines[3]
    assert lines[4].startswith("Half of the races have finished by turn ")
    assert lines[5].startswith("With the best dice it takes ")
    assert next(line for line in lines if line.startswith("start ")).split()[-2:] == ["value", "longer"]
    assert any(line.startswith("finishing turn") for line in lines)


def test_csv_has_a_row_a_start(pond: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run(pond, "--dice-max", "2", "-f", "csv").stdout)))
    assert list(rows[0]) == ["hex", "facing", "progress", "value"]
    assert len(rows) % 6 == 0


def test_runs_differ_in_timing_only(pond: str) -> None:
    one, two = (told(pond, "--dice-max", "3", "-j", jobs) for jobs in ("1", "2"))
    assert one.pop("timing").keys() == two.pop("timing").keys()
    assert one == two


@pytest.mark.parametrize("kind", ["turns", "value", "crash", "sink", "visits"])
def test_pictures_of_the_best_race(pond: str, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "p.svg"
    result = run(pond, "--dice-max", "2", "--plot", str(path), "--plot-kind", kind)
    assert result.exit_code == 0, result.stderr
    text = path.read_text(encoding="utf-8")
    assert ("heat-bar" in text) == (kind not in ("turns", "sink"))
    assert ("no boat sinks" in text) == (kind == "sink")
    refused = run(pond, "--dice-max", "2", "--plot", str(path), "--plot-kind", kind)
    assert (refused.exit_code, "exists already" in refused.stderr) == (2, True)


def test_values_are_drawn_of_boats_that_have_passed_so_many_gates(pond: str, tmp_path: Path) -> None:
    shown = []
    for gates in ("0", "2"):
        path = tmp_path / f"{gates}.svg"
        args = ["--plot", str(path), "--plot-kind", "value", "--plot-progress", gates]
        assert run(pond, "--dice-max", "2", *args).exit_code == 0
        shown.append(path.read_text(encoding="utf-8"))
        assert f"turns left after {gates} gates" in shown[-1]
    assert shown[0].split("heat-A1", 1)[1] != shown[1].split("heat-A1", 1)[1]


@pytest.mark.parametrize("objective", [("pareto",), ("deadline", "--within", "8")])
def test_pictures_of_the_other_objectives(pond: str, tmp_path: Path, objective: tuple[str, ...]) -> None:
    path = tmp_path / "p.png"
    assert run(pond, "--dice-max", "2", "--plot", str(path), "--objective", *objective).exit_code == 0
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--at", "C4"], "C4 carries a buoy"),
        (["--at", "B1"], "B1 is land"),
        (["--at", "Z9"], "not on the lake"),
        (["--at", "17"], "is no hex"),
        (["--at", "A1", "--facing", "NEE"], "'NEE' is no facing"),
        (["--at", "A1", "--progress", "3"], "0 to 2 gates"),
        (["--facing", "NE"], "add --at HEX"),
        (["--objective", "deadline"], "needs --within"),
        (["--objective", "deadline", "--within", "0"], "0 is not in the range"),
        (["--within", "5"], "--objective deadline"),
        (["--damage", "4"], "has sunk"),
        (["--damage", "-1"], "a boat in a race has 0 to 3 counters (PB-21)"),
        (["--dice-max", "none"], "--dice-max N"),
        (["--dice-max", "18", "--reading", "faces=1/2/3/4/5/6"], "--dice-max 17"),
        (["--sink-cost", "nan"], "--sink-cost"),
        (["--sink-cost", "-1"], "--sink-cost"),
        (["--sink-cost", "inf"], "--sink-cost"),
        (["--policy", "gredy"], "'greedy'"),
        (["--policy", "none.npz"], "No such file"),
        (["--objective", "pareto", "--policy", "greedy"], "--objective turns only"),
        (["--objective", "pareto", "--sink-cost", "0"], "--objective turns only"),
        (["--save", "best.txt"], "best.npz"),
        (["--save", ".npz"], "name a file such as best.npz"),
        (["--save", "-"], "name one such as best.npz"),
        (["--plot", "best.jpeg"], ".svg"),
        (["--plot-kind", "crash"], "add --plot"),
        (["--objective", "pareto", "--plot", "a.svg", "--plot-kind", "crash"], "no picture 'crash'"),
        (["--plot", "a.svg", "--plot-kind", "value", "--plot-progress", "3"], "0 to 2 gates"),
        (["--plot", "a.svg", "--plot-kind", "crash", "--plot-progress", "2"], "add --plot FILE --plot-kind value"),
    ],
)  # fmt: skip
def test_bad_input_is_told(pond: str, args: list[str], message: str) -> None:
    result = run(pond, *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not result.stdout


def test_full_circle_is_refused_without_force() -> None:
    course = str(CASES / "mid-1.toml")
    refused = run(course, "--dice-max", "1")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "error: buoy 3" in refused.stderr
    assert "[full-circle]" in refused.stderr
    forced = run(course, "--dice-max", "1", "--force")
    assert forced.exit_code == 0
    assert "warning: buoy 3" in forced.stderr
    assert "The best race takes" in forced.stdout


def test_no_route(tmp_path: Path) -> None:
    path = tmp_path / "shut.toml"
    path.write_text(SMALL.replace(". . . . .\n . . . . .", "# # # . .\n # # # # #"), encoding="utf-8")
    refused = run(str(path), "--dice-max", "2")
    assert (refused.exit_code, "[no-route]" in refused.stderr) == (2, True)
    forced = run(str(path), "--dice-max", "2", "--force")
    assert (forced.exit_code, forced.stdout) == (2, "")
    assert "no way to the finish" in forced.stderr


def test_a_lake_is_no_course() -> None:
    result = run("practice")
    assert result.exit_code == 2
    assert "a lake, where a course is needed" in result.stderr


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_told_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, quiet in ((Terminal(), False), (Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress(Output(quiet=quiet)) as progress:
            progress.begin("solving")
            progress.told = 0.0
            progress.report(2, 7, 93)
        shown = stream.getvalue()
        assert ("solving" in shown) == ("damage 2, sweep 7, 93 rows" in shown) == (stream.isatty() and not quiet)


def test_the_first_run_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress(Output()) as progress:
        progress.warm_up(30)
        progress.begin("solving")
        assert "solving (compiling, first run only: about 30 s)" in terminal.getvalue()
        progress.report(0, 1, 5)
        progress.begin("saving")
        assert terminal.getvalue().endswith("saving")


def test_compiled_kernels_are_recognised(tmp_path: Path) -> None:
    code = "from rulekit.solve.first_run import compile_seconds; print(compile_seconds())"
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    fresh = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert int(fresh.stdout) > 0
    solve(numbered(small_pond(), "dice-max=1").race)
    assert compile_seconds() == 0


@pytest.mark.slow
def test_interrupting_ends_it_within_a_second() -> None:
    """From the moment that sweeps run: before, the interpreter and numba are loading. A busy machine may take 3 s."""
    code = (
        "import sys, rulekit.cli.progress as s\n"
        "def report(self, *a):\n"
        "    print('.', file=sys.stderr, flush=True)\n"
        "s.Progress.report = report\n"
        "from rulekit.cli import main\n"
        "sys.argv = ['rulekit', 'solve', 'lagoon-a']\n"
        "main()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as job:
        assert job.stderr is not None
        while job.stderr.readline() != ".\n":
            assert job.poll() is None
        os.kill(job.pid, signal.SIGINT)
        began = time.monotonic()
        out, err = job.communicate(timeout=60)
        took = time.monotonic() - began
    assert job.returncode == 130
    assert err.endswith("interrupted\n")
    assert not out
    assert took < 3.0
