"""Sweeps from plan to file: resumed, killed, failed, locked, asked; the command line with its exit codes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli, sweep_run
from rulekit.cli.output import Output
from rulekit.cli.sweep_run import Line
from rulekit.errors import BadInput
from rulekit.files.plan import read_plan
from rulekit.files.source import read_source
from rulekit.study import sweep_engine, sweep_store
from rulekit.study import sweep_run as study_run
from rulekit.study.sweep_cell import figures_of
from rulekit.study.sweep_engine import Todo, processes, run_tasks, work
from rulekit.study.sweep_run import Count, Sweep, cost
from rulekit.study.sweep_space import Space
from rulekit.study.sweep_store import COLUMNS, Outcome, Store, rows_of

QUICK = 'format = "rulekit/sweep-1"\nname = "Pond"\nlakes = ["practice"]\nletters = ["A"]\nfigures = ["route"]\n'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(QUICK)


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["sweep", *args], prog_name="rulekit")


def space(more: str = "") -> Space:
    Path("own.toml").write_text(QUICK + more)
    return Space(read_plan(read_source("own.toml")))


def swept(own: Space, path: str = "x.db", **more: Any) -> Count:
    with Store(Path(path), own) as store:
        return Sweep(own, store, **more).run(lambda _count: None, lambda _count: None)


def plain(path: str = "x.db") -> list[dict[str, Any]]:
    """The rows without the times that they took."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows_of(Path(path))]


# From plan to file


def test_a_sweep_stores_every_cell_once() -> None:
    own = space()
    count = swept(own)
    assert (count.asked, count.done, count.failed, count.complete) == (24, 24, 0, True)
    assert [row["position"] for row in plain()] == list(range(24))


@pytest.mark.slow
def test_workers_make_no_difference() -> None:
    own = space()
    swept(own)
    swept(own, "y.db", engine=processes(2))
    assert plain("y.db") == plain()


def test_what_is_done_is_not_done_again_and_a_larger_sample_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def noted(task: sweep_engine.Task) -> list[Outcome]:
        done.extend(one.key for one in task.todo)
        return work(task)

    monkeypatch.setattr(study_run, "work", noted)
    assert swept(space("sample = 5")).done == 5
    before = plain()
    assert swept(space("sample = 5")).before == 5
    assert len(done) == 5
    count = swept(space("sample = 12"))
    assert (count.before, count.now) == (5, 7)
    assert len(done) == len(set(done)) == 12
    assert plain()[:5] == before


def test_a_smaller_sample_is_told_of_its_own_cells() -> None:
    swept(space("sample = 12"))
    assert (swept(space("sample = 4")).asked, swept(space("sample = 4")).done) == (4, 4)
    Path("own.toml").write_text(QUICK + "sample = 4\n")
    assert "4 of 4 cells in x.db" in run("own.toml", "-q", "-o", "x.db").stdout


def test_illegal_courses_are_results_and_tell_the_rule() -> None:
    lake = """
format = "rulekit/lake-1"
name = "Puddle"
map = '''
. . . . . . .
 a6. . a6. . .
. . . . . . .
'''
"""
    Path("puddle.toml").write_text(lake)
    Path("p.toml").write_text(QUICK.replace('"practice"', '"puddle.toml"'))
    found = run("p.toml", "-f", "json", "-q")
    assert found.exit_code == 0, found.output
    assert json.loads(found.output)["illegal"] == {"strip-buoy (PB-6)": 1, "strip-outside (PB-6)": 1}
    assert [row["legal"] for row in rows_of(Path("p.db"))] == [0, 0]


# Cells that fail


@pytest.fixture
def _broken(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = figures_of

    def failing(cell: Any, *rest: Any) -> dict[str, Any]:
        if cell.buoys.startswith("C2"):
            raise ZeroDivisionError("by chance")
        if cell.buoys.startswith("K3"):
            raise BadInput("too large")
        return usual(cell, *rest)

    monkeypatch.setattr(sweep_engine, "figures_of", failing)


@pytest.mark.usefixtures("_broken")
def test_failed_cells_are_kept_and_tried_again_only_when_asked() -> None:
    first = run("plan.toml", "-q", "-f", "json")
    assert first.exit_code == 3
    told = json.loads(first.output)
    assert (told["asked"], told["done"], told["failed"]) == (24, 12, 12)
    assert sorted(told["errors"]) == ["ZeroDivisionError: by chance", "too large"]
    assert run("plan.toml", "-q").exit_code == 3
    assert "12 cells failed (--retry-failed tries again)" in run("plan.toml", "-q").output


def test_retry_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(sweep_engine, "figures_of", lambda *_: 1 / 0)
        assert run("plan.toml", "-q").exit_code == 3
    assert run("plan.toml", "-q").exit_code == 3
    mended = run("plan.toml", "-q", "--retry-failed")
    assert mended.exit_code == 0
    assert all(row["status"] == "done" and row["error"] is None for row in rows_of(Path("plan.db")))


def dying(task: sweep_engine.Task) -> list[Outcome]:
    """Kills its worker over one cell."""
    if any(one.position == 3 for one in task.todo):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(task)


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    own = space()
    monkeypatch.setattr(sweep_engine, "work", dying)
    todo = [Todo(own.key(cell), k, cell) for k, cell in enumerate(own.cells())]
    with Store(Path("x.db"), own) as store:
        whole = Sweep(own, store)
        tasks = (whole.task(todo[first : first + 4]) for first in range(0, 24, 4))
        found = [one for part in run_tasks(processes(2), tasks) for one in part]
    assert sorted(one.position for one in found) == list(range(24))
    assert len(found) == 24
    failed = [one for one in found if one.error]
    assert [one.position for one in failed] == [3]
    assert "its worker died, 3 times" in str(failed[0].error)


# Killed and interrupted


def start(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rulekit", "sweep", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_cells(path: str, count: int, process: subprocess.Popen[str]) -> int:
    """Until the file holds so many cells; how many it holds then."""
    end = time.monotonic() + 60
    found = 0
    while time.monotonic() < end and process.poll() is None:
        if Path(path).exists():
            try:
                base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
                found = base.execute("SELECT count(*) FROM cells").fetchone()[0]
                base.close()
            except sqlite3.Error:
                found = 0
        if found >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"only {found} cells stored: {process.communicate()}")


SLOW = QUICK.replace('"route"', '"route", "race"') + "dice-max = 3\ntolerance = 0.0001\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a POSIX way")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_kill_loses_nothing_and_nothing_is_done_twice(jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("slow.toml").write_text(SLOW.replace('"A"', '"A", "B", "C"'))
    process = start("slow.toml", "-j", jobs, "-q")
    wait_for_cells("slow.db", 6, process)
    process.kill()
    process.communicate()
    before = {row["key"]: row for row in rows_of(Path("slow.db"))}
    assert 6 <= len(before) < 72
    done: list[str] = []

    def noted(task: sweep_engine.Task) -> list[Outcome]:
        done.extend(one.key for one in task.todo)
        return work(task)

    monkeypatch.setattr(study_run, "work", noted)
    assert run("slow.toml", "-q").exit_code == 0
    after = {row["key"]: row for row in rows_of(Path("slow.db"))}
    assert len(after) == 72
    assert {key: after[key] for key in before} == before
    assert sorted(done) == sorted(set(after) - set(before))


CUT_OFF = """
import os, signal, sqlite3
base = sqlite3.connect("plan.db", isolation_level=None)
base.execute("PRAGMA cache_size = 1")
base.execute("BEGIN")
base.execute("UPDATE cells SET error = hex(randomblob(4000)), status = 'failed'")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a POSIX way")
def test_a_batch_that_was_cut_off_is_taken_back_by_whoever_opens_the_file_next() -> None:
    for args, code in ((["query", "plan.db", "-f", "json"], 0), (["plan.toml", "-q", "-f", "json"], 0)):
        run("plan.toml", "-q", "--overwrite")
        before = plain("plan.db")
        subprocess.run([sys.executable, "-c", CUT_OFF], check=False)
        assert Path("plan.db-journal").exists()
        found = run(*args)
        assert (found.exit_code, json.loads(found.stdout)["failed"]) == (code, 0)
        assert plain("plan.db") == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent in the POSIX way")
def test_an_interrupt_stores_what_is_done_and_ends_with_130() -> None:
    Path("slow.toml").write_text(SLOW.replace('"A"', '"A", "B", "C"'))
    process = start("slow.toml", "-j", "2")
    wait_for_cells("slow.db", 5, process)
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 72 stored in slow.db: the same command goes on" in err
    assert "Traceback" not in err
    assert len(rows_of(Path("slow.db"))) >= 5


# What is told


def test_the_estimate_comes_before_the_rest_and_for_other_numbers_of_workers() -> None:
    found = run("plan.toml")
    (line,) = [line for line in found.stderr.splitlines() if "to do" in line]
    assert line.startswith("24 cells, 20 to do; ")
    assert "on 1 worker (10 would take" in line
    assert "100 would take" in line
    assert "to do" not in run("plan.toml").stderr
    assert cost(Count(100, before=20, now=5, each=0.5), 5) == pytest.approx(7.5)


def test_the_summary_in_all_forms() -> None:
    table = run("plan.toml", "-q").stdout
    assert table.startswith("“Pond”: 24 of 24 cells in plan.db.")
    assert "route   steps of the shortest route" in table
    rows = json.loads(run("plan.toml", "-q", "-f", "json").stdout)["rows"]
    assert [row["figure"] for row in rows] == ["route", "chokes", "swept"]
    (route,) = [row for row in rows if row["figure"] == "route"]
    assert (route["cells"], route["least"], route["most"]) == (24, 28, 46)
    assert run("plan.toml", "-q", "-f", "csv").stdout.startswith("figure,cells,mean,least,low,median,high,most\n")


# Files that cannot be swept into


def held(path: str) -> sqlite3.Connection:
    """A file that another program has locked."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("BEGIN EXCLUSIVE")
    return base


def fault(found: Result) -> str:
    assert found.exit_code == 2, found.output
    assert "Traceback" not in found.output
    return found.stderr


def test_a_locked_file(monkeypatch: pytest.MonkeyPatch) -> None:
    run("plan.toml", "-q")
    monkeypatch.setattr(sweep_store, "PATIENCE", 0.1)
    before = plain("plan.db")
    other = held("plan.db")
    assert "plan.db is locked by another program" in fault(run("plan.toml", "-q"))
    assert "locked by another program" in fault(run("query", "plan.db"))
    other.close()
    assert plain("plan.db") == before


@pytest.mark.skipif(sys.platform == "win32", reason="the lock is a POSIX one")
def test_two_sweeps_do_not_share_a_file() -> None:
    with Store(Path("plan.db"), space()):
        assert "another sweep is writing plan.db" in fault(run("plan.toml", "-q"))
        assert "another sweep is writing plan.db" in fault(run("plan.toml", "-q", "--overwrite"))
        assert run("query", "plan.db").exit_code == 0


def test_a_full_disk_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Store._prepare

    def small(self: Store) -> None:
        usual(self)
        pages = self.base.execute("PRAGMA page_count").fetchone()[0]
        self.base.execute(f"PRAGMA max_page_count = {pages + 1}")

    Path("all.toml").write_text(QUICK.replace('"A"', '"A", "B", "C"'))
    with monkeypatch.context() as full:
        full.setattr(Store, "_prepare", small)
        told = fault(run("all.toml", "-q"))
    assert "cannot write all.db: the disk is full or fails (database or disk is full); what was stored" in told
    before = plain("all.db")
    assert 0 < len(before) < 72
    assert run("all.toml", "-q").exit_code == 0
    after = plain("all.db")
    assert len(after) == 72
    assert all(row in after for row in before)


def test_no_database(tmp_path: Path) -> None:
    Path("plan.db").write_text("this is no database at all, but long enough to be looked at\n" * 20)
    assert "plan.db is no file of a sweep, or it is damaged" in fault(run("plan.toml", "-q"))
    assert Path("plan.db").read_text().startswith("this is no database")
    assert "is no file of a sweep" in fault(run("query", "plan.db"))
    sqlite3.connect("other.db").execute("CREATE TABLE x (y)").connection.commit()
    assert "other.db is a database, but not one of a sweep" in fault(run("plan.toml", "-q", "-o", "other.db"))
    assert "not one of a sweep" in fault(run("query", "other.db"))
    assert "there is no file none.db" in fault(run("query", "none.db"))
    assert f"{tmp_path} is no file" in fault(run("query", str(tmp_path)))


def changed(path: str, name: str, value: str) -> None:
    base = sqlite3.connect(path)
    base.execute("UPDATE about SET value = ? WHERE name = ?", (value, name))
    base.commit()
    base.close()


def test_a_file_of_another_version_or_plan() -> None:
    run("plan.toml", "-q")
    before = plain("plan.db")
    changed("plan.db", "rules", "0.0.1+abc")
    assert "plan.db was swept by the rules of rulekit 0.0.1+abc" in fault(run("plan.toml", "-q"))
    assert plain("plan.db") == before
    changed("plan.db", "format", "rulekit/swept-2")
    assert "has the format 'rulekit/swept-2': this rulekit reads 'rulekit/swept-1'" in fault(run("plan.toml", "-q"))
    run("plan.toml", "-q", "--overwrite")
    Path("plan.toml").write_text(QUICK + "slack = 2\n")
    assert "holds the plan 'Pond' as it was then" in fault(run("plan.toml", "-q"))
    assert run("plan.toml", "-q", "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["plan.toml", "-o", "-"], "which cannot go to stdout"),
        (["plan.toml", "-o", "x.toml"], "results are no TOML"),
        (["plan.toml", "-o", "none/x.db"], "there is no folder none"),
        (["plan.toml", "-o", ""], "-o names no file"),
        (["plan.toml", "--want", ""], "--want is empty"),
        (["none.toml"], "there is no file none.toml"),
        (["plan.toml", "--want", "tunrs < 3"], "did you mean 'turns'?"),
        (["plan.toml", "--want", "turns < 3"], 'add "race" to its figures'),
        (["plan.toml", "--want", "route < 3", "--courses", "none"], "there is no such folder"),
        (["plan.toml", "--count", "3"], "--count is for finding courses: add --want"),
        (["plan.toml", "--courses", "."], "--courses is for finding courses: add --want"),
        (["plan.toml", "-j", "2", "--scheduler", "tcp://x:1"], "-j is for processes of this machine"),
        (["plan.toml", "-o", os.devnull, "--overwrite"], "results are stored in a file, and that is none"),
    ],
)
def test_options_that_make_no_sense(args: list[str], told: str) -> None:
    assert told in fault(run(*args))


def test_a_file_whose_head_is_damaged() -> None:
    run("plan.toml", "-q")
    changed("plan.db", "asked", "many")
    for args in (["plan.toml", "-q"], ["query", "plan.db"]):
        assert "plan.db is damaged: what it tells of itself is no number of cells" in fault(run(*args))
    base = sqlite3.connect("other.db")
    base.executescript("CREATE TABLE about (x); CREATE TABLE cells (y)")
    base.close()
    assert "other.db is a database, but not one of a sweep" in fault(run("query", "other.db"))


def test_names_that_sqlite_takes_for_something_else_are_names_of_files() -> None:
    for name in (":memory:", "file:x?mode=memory"):
        assert run("plan.toml", "-q", "-o", name).exit_code == 0
        assert len(plain(name)) == 24


def test_line_ups_are_checked_before_anything_is_swept() -> None:
    Path("plan.toml").write_text(QUICK + 'races = 2\npolicies = ["solo"]\n')
    assert "the line-up 'solo' has 1 boats" in fault(run("plan.toml"))
    Path("plan.toml").write_text(QUICK + 'races = 2\npolicies = ["solo,gredy"]\n')
    assert "error: plan.toml: 'policies': there is no policy 'gredy' (did you mean 'greedy'?)" in fault(
        run("plan.toml")
    )
    assert not Path("plan.db").exists()


def test_races_fill_their_figures() -> None:
    Path("plan.toml").write_text(QUICK + 'sample = 2\nraces = 6\npolicies = ["greedy,cautious"]\n')
    assert run("plan.toml", "-q").exit_code == 0
    for row in rows_of(Path("plan.db")):
        assert 0 <= row["first_win"] <= 1
        assert 0 <= row["seat_advantage"] <= 0.5
        assert row["race_turns"] > 5
        assert row["turns"] is None


# Questions


def test_questions_are_answered_in_all_forms() -> None:
    run("plan.toml", "-q")
    table = run("query", "plan.db", "SELECT buoys, route FROM cells ORDER BY route, buoys LIMIT 1").stdout
    assert table.splitlines()[-1].split() == ["D9", "C2", "K3", "J8", "28"]
    csv = run("query", "plan.db", "SELECT count(*) AS n, min(route), min(route) FROM cells", "-f", "csv").stdout
    assert csv == "n,min(route),min(route):2\n24,28,28\n"
    csv = run("query", "plan.db", 'SELECT 1 AS a, 2 AS a, 3 AS "a:2"', "-f", "csv").stdout
    assert csv == "a,a:2,a:2:2\n1,2,3\n"
    told = json.loads(run("query", "plan.db", "SELECT key, turns FROM cells LIMIT 1", "-f", "json").stdout)
    assert told["rows"][0]["turns"] is None


def test_without_a_question_it_tells_what_the_file_holds() -> None:
    run("plan.toml", "-q")
    told = json.loads(run("query", "plan.db", "-f", "json").stdout)
    assert [row["column"] for row in told["rows"]] == list(COLUMNS)
    assert all(row["tells"] for row in told["rows"])
    assert (told["plan"], told["asked"], told["done"], told["failed"]) == ("Pond", 24, 24, 0)
    assert run("query", "plan.db").stdout.startswith("“Pond”: 24 of 24 cells done; rules of rulekit ")


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM cells", "only questions can be asked"),
        ("ATTACH 'y.db' AS y", "only questions can be asked"),
        ("PRAGMA user_version = 3", "only questions can be asked"),
        ("SELECT tunrs FROM cells", "no such column: tunrs (did you mean 'turns'?)"),
        ("SELECT", "not SQL that can be answered"),
        ("VACUUM INTO 'y.db'", "only questions can be asked"),
        ("SELECT 1; SELECT 2", "not SQL that can be answered"),
        ("", "that is no question"),
    ],
)
def test_questions_that_are_none(sql: str, told: str) -> None:
    run("plan.toml", "-q")
    before = plain("plan.db")
    assert told in fault(run("query", "plan.db", sql or " "))
    assert plain("plan.db") == before
    assert not Path("y.db").exists()


def test_an_answer_does_not_replace_what_was_asked() -> None:
    run("plan.toml", "-q")
    before = plain("plan.db")
    for option in ("-o", "--parquet"):
        told = fault(run("query", "plan.db", "SELECT 1", option, "./plan.db", "--overwrite"))
        assert f"{option} ./plan.db would replace the results that are asked" in told
    assert plain("plan.db") == before
    assert "add --plot FILE" in fault(run("query", "plan.db", "--plot-kind", "letter"))


def test_pictures_of_a_space() -> None:
    Path("plan.toml").write_text(QUICK.replace('"route"', '"route", "race"') + "dice-max = 2\nsample = 6\n")
    assert run("plan.toml", "-q").exit_code == 0
    for kind in ("risk", "fairness", "letter", "route"):
        found = run("query", "plan.db", "--plot", f"{kind}.svg", "--plot-kind", kind)
        assert found.exit_code == 0, found.output
        assert "Pond: 6 courses" in Path(f"{kind}.svg").read_text() or Path(f"{kind}.svg").stat().st_size > 5000
    assert "no tile of the sweep" in fault(run("query", "plan.db", "--plot", "t.svg", "--plot-kind", "tiles"))
    assert "exists already" in fault(run("query", "plan.db", "--plot", "risk.svg"))
    assert "a picture's name ends in" in fault(run("query", "plan.db", "--plot", "risk.txt"))


def test_a_picture_needs_its_figures() -> None:
    run("plan.toml", "-q")
    assert "the sweep has no risks" in fault(run("query", "plan.db", "--plot", "x.svg"))
    assert "no cell of the sweep has turns: its plan" in fault(
        run("query", "plan.db", "--plot", "x.svg", "--plot-kind", "letter")
    )


def test_parquet() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run("plan.toml", "-q")
    assert run("query", "plan.db", "SELECT * FROM cells", "--parquet", "x.parquet").exit_code == 0
    table = parquet.read_table("x.parquet")
    assert table.column_names == list(COLUMNS)
    assert table["route"].to_pylist() == [row["route"] for row in rows_of(Path("plan.db"))]
    told = fault(run("query", "plan.db", "SELECT route FROM cells UNION SELECT 'x'", "--parquet", "y.parquet"))
    assert "values of different kinds" in told


def test_without_pyarrow_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    run("plan.toml", "-q")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = fault(run("query", "plan.db", "SELECT * FROM cells", "--parquet", "x.parquet"))
    assert "pip install 'board-rulekit[parquet]'" in told
    assert "--parquet writes the rows of a question" in fault(run("query", "plan.db", "--parquet", "x.parquet"))


# Courses that are wanted


def test_wanted_courses_are_written_and_legal() -> None:
    found = run("plan.toml", "-q", "--want", "route <= 29", "--count", "2", "-f", "json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    hits = sum(row["route"] <= 29 for row in rows_of(Path("plan.db")))
    assert told["rarity"]["hits"] == hits >= 2
    assert 0 < told["rarity"]["low"] < hits / 24 < told["rarity"]["high"] < 1
    assert [row["file"] for row in told["rows"]] == ["plan-found-1.toml", "plan-found-2.toml"]
    for row in told["rows"]:
        text = Path(row["file"]).read_text()
        assert text.startswith("# made by rulekit ")
        assert "seed 0;" in text
        checked = CliRunner().invoke(cli, ["validate-course", row["file"], "-f", "json"])
        assert json.loads(checked.stdout)["rows"][0]["route"]["steps"] == row["route"] <= 29
    assert "exists already" in fault(run("plan.toml", "-q", "--want", "route <= 29"))


def test_courses_are_written_anew_without_sweeping_again() -> None:
    wish = ["plan.toml", "-q", "--want", "route < 30"]
    assert run(*wish).exit_code == 0
    before = rows_of(Path("plan.db"))
    assert "plan-found-1.toml exists already" in fault(run(*wish))
    Path("plan.db").rename("kept.db")
    assert "plan-found-1.toml exists already" in fault(run(*wish))
    assert not Path("plan.db").exists()  # told before anything is swept
    Path("kept.db").rename("plan.db")
    assert run(*wish, "--overwrite").exit_code == 0
    assert rows_of(Path("plan.db")) == before
    for found in Path().glob("plan-found-*.toml"):
        found.unlink()
    Path("plan.toml").write_text(QUICK.replace('"A"', '"B"'))
    assert "more than its sample has changed" in fault(run(*wish[:-1], "route < 99", "--courses", "."))
    assert run(*wish[:-1], "route < 99", "--overwrite").exit_code == 0
    assert {row["letter"] for row in rows_of(Path("plan.db"))} == {"B"}


def test_a_wish_that_none_fulfils_tells_the_nearest() -> None:
    found = run("plan.toml", "-q", "--want", "route < 5", "--tries", "5")
    assert found.exit_code == 0
    assert "No such course was found; the nearest has route 28." in found.stdout
    assert "0 of 24 cells of the sample" in found.stdout


def test_the_run_of_the_command_uses_the_engine_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(sweep_run, "processes", lambda jobs: asked.append(jobs))
    assert run("plan.toml", "-q", "-j", "3").exit_code == 0
    assert asked == [3]


# What a terminal shows


def test_a_terminal_sees_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Line(Output()) as line:
        count = Count(1000, before=100, now=104, first=4, failed=1, each=0.5, began=time.perf_counter() - 50)
        line.estimate(count, 2)
        line.progress(count, 2)
        line.progress(count, 2)
    shown = capsys.readouterr().err
    assert "1,000 cells, 795 to do; 500 ms each: about 3 min on 2 workers (10 would take 40 s, 100" in shown
    assert shown.count("204 of 1,000 done, 1 failed, 7 min left") == 1
    assert shown.endswith("\r\x1b[K")
    with Line(Output(quiet=True)) as quiet:
        quiet.estimate(count, 2)
        quiet.progress(count, 2)
    assert capsys.readouterr().err == ""
