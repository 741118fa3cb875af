"""Where cells are worked out: here, on processes, or on a Dask cluster, behind one seam: an executor of futures."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from logging import CRITICAL, getLogger, root
from multiprocessing import get_context, parent_process
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

from rulekit.errors import BadInput, RulekitError
from rulekit.study.sweep_cell import figures_of
from rulekit.study.sweep_space import Cell, Settings, rules_version
from rulekit.study.sweep_store import Outcome

TIMEOUT = 10.0
"""Seconds within which a scheduler must answer."""

ALIVE_SECONDS = 2.0
"""Seconds without a result after which it is looked whether the engine still lives."""

GONE = "the cluster's scheduler is gone: what was done is stored, the same command goes on when it is back"

MOST_TRIES = 3
"""Times that a cell is tried alone when workers die over it."""


class Todo(NamedTuple):
    """A cell to be worked out."""

    key: str
    position: int
    cell: Cell


@dataclass(frozen=True)
class Task:
    """Cells for one worker, with all that it needs: the lakes' texts travel along."""

    todo: tuple[Todo, ...]
    lakes: dict[str, str]
    settings: Settings
    version: str
    tries: int = 0


class OtherVersion(RulekitError):
    """A worker runs other code than the sweep's."""

    exit_code = 2


def work(task: Task) -> list[Outcome]:
    """The outcomes of a task's cells; what goes wrong with a cell becomes its error.

    Raises OtherVersion where the worker's rules are not those of the sweep.
    """
    if task.version != rules_version():
        raise OtherVersion(
            f"a worker runs rulekit {rules_version()}, this sweep is of {task.version}: install the same on all workers"
        )
    return [_worked_out(one, task) for one in task.todo]


def _worked_out(one: Todo, task: Task) -> Outcome:
    began, figures, error = perf_counter(), {}, None
    try:
        figures = figures_of(one.cell, task.settings, task.lakes[one.cell.lake], one.key)
    except Exception as fault:  # A cell must not take the others with it, whatever it is.
        error = str(fault) if isinstance(fault, RulekitError) else f"{type(fault).__name__}: {fault}"
    return Outcome(one.key, one.position, one.cell, perf_counter() - began, figures, error)


@dataclass(frozen=True)
class Engine:
    """Something that works: how its executor is started, its number of workers, whether it can still be reached."""

    start: Callable[[], Executor]
    workers: int
    alive: Callable[[], bool] = lambda: True


def processes(jobs: int) -> Engine:
    """Worker processes, one thread each."""
    return Engine(lambda: ProcessPoolExecutor(jobs, get_context("spawn"), _begin), jobs)


def _begin() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when that has been killed."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_tasks(engine: Engine, tasks: Iterator[Task]) -> Iterator[list[Outcome]]:
    """The outcomes of tasks in the order in which they are done, two handed out for each worker.

    Raises OtherVersion as `work`, BadInput where the engine takes no work any more.
    """
    runner = _Runner(engine, tasks)
    try:
        yield from runner.run()
    finally:
        runner.close()


class _Runner:
    """Hands tasks out. Where workers die, the tasks that were under way are tried again one at a time.

    So the one to blame is found: its cells are tried alone, and one that kills its worker each time has failed.
    """

    def __init__(self, engine: Engine, tasks: Iterator[Task]) -> None:
        self.engine, self.tasks, self.ahead = engine, tasks, 2 * engine.workers
        self.executor = engine.start()
        self.waiting: dict[Future[list[Outcome]], Task] = {}
        self.suspects: list[Task] = []
        self.alone = False

    def run(self) -> Iterator[list[Outcome]]:
        """The outcomes."""
        while self._hand_out():
            done = wait(self.waiting, ALIVE_SECONDS, FIRST_COMPLETED).done
            if not done and not self.engine.alive():
                raise BadInput(GONE)
            for future in done:
                if future in self.waiting:
                    yield from self._taken(future)

    def _hand_out(self) -> bool:
        """Whether tasks are under way, after as many as may be have been handed out."""
        while len(self.waiting) < (1 if self.suspects or self.alone else self.ahead):
            task = self.suspects.pop() if self.suspects else next(self.tasks, None)
            if task is None:
                break
            self.alone = task.tries > 0
            self.waiting[self._submitted(task)] = task
        return bool(self.waiting)

    def _submitted(self, task: Task) -> Future[list[Outcome]]:
        try:
            return self.executor.submit(work, task)
        except BrokenProcessPool as fault:
            broken: Future[list[Outcome]] = Future()
            broken.set_exception(fault)
            return broken
        except Exception as fault:
            raise BadInput(f"{GONE} ({type(fault).__name__}: {fault})") from None

    def _taken(self, future: Future[list[Outcome]]) -> Iterator[list[Outcome]]:
        task = self.waiting.pop(future)
        self.alone = False
        try:
            yield future.result()
        except (OtherVersion, CancelledError) as fault:
            raise fault if isinstance(fault, OtherVersion) else BadInput(GONE) from None
        except BrokenProcessPool as fault:
            others = list(self.waiting.values())
            self.waiting.clear()
            self.close()
            self.executor = self.engine.start()
            if others:
                self.suspects += [replace(one, tries=1) for one in (task, *others)]
            else:
                yield from self._blamed(task, fault)
        except Exception as fault:
            yield from self._blamed(task, fault)

    def _blamed(self, task: Task, fault: Exception) -> Iterator[list[Outcome]]:
        """Tries the cells of a task alone, or one cell again; the outcome of one that is given up."""
        if len(task.todo) > 1:
            self.suspects += [replace(task, todo=(one,), tries=1) for one in task.todo]
        elif task.tries < MOST_TRIES:
            self.suspects.append(replace(task, tries=task.tries + 1))
        else:
            why = f"its worker died, {MOST_TRIES} times ({type(fault).__name__})"
            yield [Outcome(one.key, one.position, one.cell, 0.0, {}, why) for one in task.todo]

    def close(self) -> None:
        """Gives up what is under way."""
        for future in self.waiting:
            future.cancel()
        with suppress(Exception):
            self.executor.shutdown(wait=False, cancel_futures=True)


def _hush() -> None:
    """What goes wrong with a cluster is told by us, once; Dask gives each of its loggers a level of its own."""
    for name in ("asyncio", "tornado", *root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            getLogger(name).setLevel(CRITICAL + 1)


def _tells_address(path: str) -> bool:
    """Whether a file is one that a scheduler has written."""
    try:
        told = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and isinstance(told.get("address"), str)


@dataclass
class Cluster:
    """A Dask cluster, by the address of its scheduler or a scheduler file."""

    address: str
    client: Any = None

    def connect(self) -> "Cluster":
        """Raises BadInput where dask is not installed, or no scheduler answers in time."""
        try:
            from distributed import Client

            _hush()
        except ImportError:
            raise BadInput("--scheduler needs Dask: pip install 'board-rulekit[cluster]'") from None
        target = {"scheduler_file": self.address} if Path(self.address).is_file() else {"address": self.address}
        if "address" in target and "/" in self.address and "://" not in self.address:
            raise BadInput(f"--scheduler: there is no scheduler file {self.address}")
        if "scheduler_file" in target and not _tells_address(self.address):
            raise BadInput(f"--scheduler: {self.address} is no scheduler file, as `dask scheduler` writes it")
        try:
            connect: Any = Client  # Its signature has no types.
            self.client = connect(**target, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as fault:
            words = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            raise BadInput(
                f"no scheduler answers at {self.address} within {TIMEOUT:.0f} s ({words}): is `dask scheduler` running?"
            ) from None
        return self

    def engine(self) -> Engine:
        """The cluster as an engine; raises BadInput where it has no workers."""
        workers = sum(self.client.nthreads().values())
        if not workers:
            raise BadInput(f"the scheduler at {self.address} has no workers: start some with `dask worker`")
        start = partial(self.client.get_executor, pure=False, retries=MOST_TRIES)
        return Engine(start, int(workers), lambda: self.client.status not in ("closing", "closed"))

    def close(self) -> None:
        """Leaves the cluster running."""
        if self.client is not None:
            with suppress(Exception):
                self.client.close(timeout=2)
