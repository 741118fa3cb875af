"""A sweep from beginning to end: what is left to do, the first cells to measure by, the rest on an engine."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from time import perf_counter

from rulekit.study.sweep_engine import Engine, Task, Todo, run_tasks, work
from rulekit.study.sweep_space import Space, rules_version
from rulekit.study.sweep_store import Outcome, Store

FIRST = 4
"""Cells that are worked out before the rest, to tell how long it will take; the very first only warms up."""

TASK_SECONDS, LEAST_SECONDS, MOST_TASK = 1.0, 0.1, 1000
"""A task should take so long, and at least so long: far more than what handing it out costs; at most so many cells."""

STORE_SECONDS = 1.0
"""Results are stored at least this often: a kill costs no more work than that, and what was under way."""


@dataclass
class Count:
    """How far a sweep is: cells asked for, done before, done now, failed in all and now, and the seconds of a cell."""

    asked: int
    before: int = 0
    now: int = 0
    failed: int = 0
    broken: int = 0
    each: float = 0.0
    began: float = field(default_factory=perf_counter)
    overhead: float = 0.0
    first: int = 0

    @property
    def measured(self) -> int:
        """Cells done since the first ones were measured."""
        return self.now - self.first

    @property
    def done(self) -> int:
        """Cells that stand in the file."""
        return self.before + self.now

    @property
    def left(self) -> int:
        """Cells still to do."""
        return max(0, self.asked - self.done - self.failed)

    @property
    def complete(self) -> bool:
        """Whether every cell is done."""
        return self.done >= self.asked

    def add(self, outcomes: list[Outcome]) -> None:
        """Counts results."""
        bad = sum(one.error is not None for one in outcomes)
        self.failed += bad
        self.broken += bad
        self.now += len(outcomes) - bad


Told = Callable[[Count], None]


@dataclass
class Sweep:
    """A sweep of a space into a store; without an engine everything is worked out here."""

    space: Space
    store: Store
    engine: Engine | None = None
    retry_failed: bool = False

    def run(self, estimate: Told, progress: Told) -> Count:
        """Everything that is left; `estimate` is told once the first cells are measured, `progress` ever again.

        Ctrl-C (KeyboardInterrupt) leaves what was done in the store.
        """
        done, failed = self.store.keys("done"), self.store.keys("failed")
        count = Count(self.space.count)
        # As far as can be told before the plan has been gone through: its sample may have grown smaller.
        count.before = min(len(done), count.asked)
        count.failed = 0 if self.retry_failed else min(len(failed), count.asked - count.before)
        todo = self._todo(done, set() if self.retry_failed else failed)
        self._first(todo, count)
        estimate(count)
        with Batch(self.store, count) as batch:
            for outcomes in self._outcomes(todo, count):
                batch.add(outcomes)
                progress(count)
        count.asked, count.before = self.met.asked, self.met.before
        count.failed = self.met.failed + count.broken
        return count

    def _todo(self, done: set[str], failed: set[str]) -> Iterator[Todo]:
        """The cells without a result; `met` counts all of the plan, and those that have one."""
        self.met = Count(0)
        for position, cell in enumerate(self.space.cells()):
            self.met.asked += 1
            key = self.space.key(cell)
            if key in done:
                self.met.before += 1
            elif key in failed:
                self.met.failed += 1
            else:
                yield Todo(key, position, cell)

    def task(self, todo: list[Todo]) -> Task:
        """Cells with all that a worker needs."""
        lakes = {name: self.space.lakes[name].source.text for name in {one.cell.lake for one in todo}}
        return Task(tuple(todo), lakes, self.space.settings, rules_version())

    def _first(self, todo: Iterator[Todo], count: Count) -> None:
        """Works out a few cells here, and measures."""
        seconds = []
        for one in islice(todo, FIRST):
            outcomes = work(self.task([one]))
            self.store.add(outcomes)
            count.add(outcomes)
            seconds.append(outcomes[0].seconds)
        timed = seconds[1:] or seconds
        count.each = sum(timed) / len(timed) if timed else 0.0
        count.began, count.first = perf_counter(), count.now

    def _outcomes(self, todo: Iterator[Todo], count: Count) -> Iterator[list[Outcome]]:
        size = task_size(count, self.engine.workers if self.engine else 1)
        tasks = (self.task(part) for part in _parts(todo, size))
        yield from run_tasks(self.engine, tasks) if self.engine else map(work, tasks)


def task_size(count: Count, workers: int) -> int:
    """Cells of a task: a second's work, less where workers would be idle at the end, but never under a tenth.

    >>> task_size(Count(1000, each=0.25), 2), task_size(Count(100, each=0.02), 4), task_size(Count(8, each=0.01), 4)
    (4, 7, 10)
    """
    each = max(count.each, 1e-4)
    fair = -(-max(count.left, 1) // (4 * workers))
    return min(MOST_TASK, max(ceil(LEAST_SECONDS / each), min(round(TASK_SECONDS / each), fair)))


def _parts(todo: Iterator[Todo], size: int) -> Iterator[list[Todo]]:
    while part := list(islice(todo, size)):
        yield part


class Batch:
    """Results on their way into the store, put there together every second or so, and however the work ends."""

    def __init__(self, store: Store, count: Count) -> None:
        self.store, self.count = store, count
        self.waiting: list[Outcome] = []
        self.stored = perf_counter()

    def add(self, outcomes: list[Outcome]) -> None:
        """Takes results."""
        self.waiting += outcomes
        self.count.add(outcomes)
        if perf_counter() - self.stored > STORE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Puts what waits into the store."""
        began = perf_counter()
        if self.waiting:
            self.store.add(self.waiting)
            self.waiting = []
        self.stored = perf_counter()
        self.count.overhead += self.stored - began

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()


def cost(count: Count, workers: int) -> float:
    """Seconds that the rest takes on so many workers, by the cells measured."""
    return count.each * count.left / workers
