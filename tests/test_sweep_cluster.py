"""Sweeps on a Dask cluster: a scheduler and two workers on this machine, one of them killed meanwhile."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.errors import BadInput
from rulekit.files.plan import read_plan
from rulekit.files.source import Source
from rulekit.study import sweep_engine
from rulekit.study.sweep_engine import Cluster, Engine, OtherVersion, Task, Todo, run_tasks, work
from rulekit.study.sweep_space import Space
from rulekit.study.sweep_store import rows_of

pytest.importorskip("distributed")

PLAN = """\
format = "rulekit/sweep-1"
name = "Pond"
lakes = ["practice"]
figures = ["route", "race"]
dice-max = 3
tolerance = 0.0001
"""

Dask = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """Starts parts of a cluster on the loopback, and ends them."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*args: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"dask-{len(started)}.log").open("wb") as log:
            words = [sys.executable, "-m", "dask", *args]
            started.append(subprocess.Popen(words, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT))
        return started[-1]

    yield start
    for process in reversed(started):
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def until(done: Callable[[], Any], seconds: float = 300) -> Any:
    """What a function tells at last; waits while that is nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := done():
            return found
        time.sleep(0.1)
    raise AssertionError("it takes too long")


def scheduler(dask: Dask, folder: Path) -> Path:
    """A scheduler without a dashboard; its file."""
    file = folder / "scheduler.json"
    dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
    return file


def worker(dask: Dask, file: Path) -> subprocess.Popen[bytes]:
    """One worker process with one thread, without a nanny that would start it anew."""
    return dask(
        "worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
        "--host",
        "127.0.0.1",
    )


def swept(*args: str) -> Result:
    return CliRunner().invoke(cli, ["sweep", "plan.toml", "-q", *args], prog_name="rulekit")


def plain(path: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows_of(Path(path))]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(sys.platform == "win32", reason="workers are killed in the POSIX way")
def test_a_killed_worker_changes_nothing(dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    assert swept("-o", "one.db").exit_code == 0
    file = scheduler(dask, tmp_path)
    both = [worker(dask, file) for _ in range(2)]
    cluster = Cluster(str(file)).connect()
    try:
        until(lambda: sum(cluster.client.nthreads().values()) == 2)
    finally:
        cluster.close()
    run = subprocess.Popen(
        [sys.executable, "-m", "rulekit", "sweep", "plan.toml", "-o", "two.db", "--scheduler", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: run.poll() is not None or (Path("two.db").exists() and len(_rows("two.db")) >= 8))
    assert run.poll() is None, run.communicate()
    both[0].send_signal(signal.SIGKILL)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, (out, err)
    assert "on 2 workers" in err
    assert plain("two.db") == plain("one.db")
    assert len(plain("two.db")) == 72


def _rows(path: str) -> list[Any]:
    try:
        return rows_of(Path(path))
    except BadInput:
        return []


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sweep_engine, "TIMEOUT", 1.0)
    Path("plan.toml").write_text(PLAN)
    Path("list.json").write_text("[]")
    began = time.monotonic()
    found = swept("--scheduler", "tcp://127.0.0.1:9")
    assert found.exit_code == 2
    assert "no scheduler answers at tcp://127.0.0.1:9 within 1 s" in found.stderr
    assert "is `dask scheduler` running?" in found.stderr
    assert time.monotonic() - began < 30
    for address, told in (
        ("none/scheduler.json", "there is no scheduler file"),
        ("nonsense://x", "no scheduler"),
        ("plan.toml", "plan.toml is no scheduler file"),
        ("list.json", "is no scheduler file"),
    ):
        found = swept("--scheduler", address)
        assert found.exit_code == 2
        assert told in found.stderr
        assert "Traceback" not in found.output


def test_a_scheduler_that_goes_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Executor):
        def submit(self, *_: Any, **__: Any) -> Any:
            return Future()

    monkeypatch.setattr(sweep_engine, "ALIVE_SECONDS", 0.05)
    own = Space(read_plan(Source("plan.toml", PLAN, Path())))
    task = Task((), {}, own.settings, "")
    still = iter([True, True, False])
    engine = Engine(Silent, 1, lambda: next(still))
    with pytest.raises(BadInput, match="the cluster's scheduler is gone: what was done is stored"):
        list(run_tasks(engine, iter([task])))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_without_workers(dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    found = swept("--scheduler", str(scheduler(dask, tmp_path)))
    assert found.exit_code == 2
    assert "has no workers: start some with `dask worker`" in found.stderr


def test_without_dask_the_message_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = swept("--scheduler", "tcp://127.0.0.1:8786")
    assert found.exit_code == 2
    assert "--scheduler needs Dask: pip install 'board-rulekit[cluster]'" in found.stderr


def test_a_worker_of_another_version_is_told() -> None:
    own = Space(read_plan(Source("plan.toml", PLAN, Path())))
    cell = next(own.cells())
    task = Task((Todo(own.key(cell), 0, cell),), {cell.lake: own.lakes[cell.lake].source.text}, own.settings, "9.9+x")
    with pytest.raises(OtherVersion, match=r"a worker runs rulekit 0\.\S+, this sweep is of 9\.9\+x"):
        work(task)
    with pytest.raises(OtherVersion):
        list(run_tasks(sweep_engine.processes(1), iter([task])))


def test_dask_is_imported_by_the_engine_alone() -> None:
    package = Path(sweep_engine.__file__).parents[1]
    importers = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(
            word in path.read_text(encoding="utf-8")
            for word in ("from distributed", "import distributed", "import dask")
        )
    ]
    assert importers == ["study/sweep_engine.py"]
