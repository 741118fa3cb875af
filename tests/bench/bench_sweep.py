"""A sweep of 1,000 small courses on one worker process and on two, and what the store and the engine cost besides.

Workers are warm: they have loaded their code and worked out a cell before the clock starts, as in any long sweep.
"""

import os
import sys
import tempfile
from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter

from rulekit.files.plan import read_plan
from rulekit.files.source import Source
from rulekit.study.sweep_engine import Engine, Todo, processes, work
from rulekit.study.sweep_run import Sweep
from rulekit.study.sweep_space import Space
from rulekit.study.sweep_store import Store, rows_of

from .measure import Ratio

CELLS = 1000
PLAN = """
format = "rulekit/sweep-1"
name = "Bench"
lakes = ["practice"]
readings = [{readings}]
dice-max = 3
sample = {cells}
figures = ["route", "race"]
"""
READINGS = [
    f"sink-at={sink},behind={behind}"
    for sink in (2, 3, 4, 5)
    for behind in ("rows-2", "strip-only", "rows-1", "rows-4")
]


def space() -> Space:
    readings = ", ".join(f'"{reading}"' for reading in READINGS)
    return Space(read_plan(Source("bench.toml", PLAN.format(readings=readings, cells=CELLS), Path())))


def warmed(own: Space, workers: int) -> Executor:
    """An executor whose workers have worked before."""
    executor = processes(workers).start()
    cell = next(own.cells())
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "warm.db", own) as store:
        task = Sweep(own, store).task([Todo(own.key(cell), 0, cell)])
        work(task)  # This process works out the first cells of a sweep.
        for _ in range(3):
            for future in [executor.submit(work, task) for _ in range(4 * workers)]:
                future.result()
    return executor


def swept(own: Space, workers: int) -> tuple[float, float]:
    """(seconds, those of the cells alone) of a sweep."""
    executor = warmed(own, workers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        began = perf_counter()
        with Store(path, own) as store:
            count = Sweep(own, store, Engine(lambda: executor, workers)).run(lambda _count: None, lambda _count: None)
        taken = perf_counter() - began
        assert count.complete
        return taken, sum(row["seconds"] for row in rows_of(path))


def main() -> list[Ratio]:
    own = space()
    one, alone = swept(own, 1)
    two, both = swept(own, 2)
    print(
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; store and engine: {1 - alone / one:.1%} of the "
        f"time of one worker, {1 - both / (2 * two):.1%} of that of two",
        file=sys.stderr,
    )
    return [
        Ratio(f"{CELLS:,} small courses, two workers", "one worker", two, one),
        Ratio("their cells alone", "with store and engine", alone, one),
    ]
