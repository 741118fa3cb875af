"""Where cells are worked out: here, on processes, or on a Dask cluster, behind one seam: an executor of futures."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
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


Start = Callable[[], Executor]


def processes(jobs: int) -> Start:
    """Worker processes, one thread each."""
    return lambda: ProcessPoolExecutor(jobs, get_context("spawn"), _begin)


def _begin() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when that has been killed."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_tasks(start: Start, tasks: Iterator[Task], ahead: int) -> Iterator[list[Outcome]]:
    """The outcomes of tasks in the order in which they are done, at most `ahead` of them handed out.

    Raises OtherVersion as `work`, BadInput where the engine takes no work any more.
    """
    runner = _Runner(start, tasks, ahead)
    try:
        yield from runner.run()
    finally:
        runner.close()


class _Runner:
    """Hands tasks out. Where workers die, the tasks that were under way are tried again one at a time.

    So the one to blame is found: its cells are tried alone, and one that kills its worker each time has failed.
    """

    def __init__(self, start: Start, tasks: Iterator[Task], ahead: int) -> None:
        self.start, self.tasks, self.ahead = start, tasks, ahead
        self.executor = start()
        self.waiting: dict[Future[list[Outcome]], Task] = {}
        self.suspects: list[Task] = []
        self.alone = False

    def run(self) -> Iterator[list[Outcome]]:
        """The outcomes."""
        while self._hand_out():
            for future in wait(self.waiting, return_when=FIRST_COMPLETED).done:
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
            words = f"{type(fault).__name__}: {fault}"
            raise BadInput(f"the cluster takes no work any more ({words}); the same command goes on later") from None

    def _taken(self, future: Future[list[Outcome]]) -> Iterator[list[Outcome]]:
        task = self.waiting.pop(future)
        self.alone = False
        try:
            yield future.result()
        except OtherVersion:
            raise
        except BrokenProcessPool as fault:
            others = list(self.waiting.values())
            self.waiting.clear()
            self.close()
            self.executor = self.start()
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


@dataclass
class Cluster:
    """A Dask cluster, by the address of its scheduler or a scheduler file."""

    address: str
    client: Any = None

    def connect(self) -> "Cluster":
        """Raises BadInput where dask is not installed, or no scheduler answers in time."""
        try:
            from distributed import Client
        except ImportError:
            raise BadInput("--scheduler needs Dask: pip install 'board-rulekit[cluster]'") from None
        target = {"scheduler_file": self.address} if Path(self.address).is_file() else {"address": self.address}
        if "address" in target and "/" in self.address and "://" not in self.address:
            raise BadInput(f"--scheduler: there is no scheduler file {self.address}")
        try:
            connect: Any = Client  # Its signature has no types.
            self.client = connect(**target, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as fault:
            words = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            raise BadInput(
                f"no scheduler answers at {self.address} within {TIMEOUT:.0f} s ({words}): is `dask scheduler` running?"
            ) from None
        return self

    def start(self) -> Executor:
        """The cluster as an executor."""
        executor: Executor = self.client.get_executor(pure=False, retries=MOST_TRIES)
        return executor

    def workers(self) -> int:
        """Threads of all workers; raises BadInput where there are none."""
        found = sum(self.client.nthreads().values())
        if not found:
            raise BadInput(f"the scheduler at {self.address} has no workers: start some with `dask worker`")
        return int(found)

    def close(self) -> None:
        """Leaves the cluster running."""
        if self.client is not None:
            with suppress(Exception):
                self.client.close(timeout=2)
