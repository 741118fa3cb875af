"""A run of `sweep`: the plan, the file, the engine, what is told meanwhile, the summary."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from rulekit.cli import sweep_table
from rulekit.cli.outfile import check_place
from rulekit.cli.output import Output, Result, plural
from rulekit.cli.sweep_table import cells, duration
from rulekit.errors import BadInput
from rulekit.files.plan import Plan, read_plan
from rulekit.files.source import read_source
from rulekit.study.sweep_cell import check_line_ups
from rulekit.study.sweep_engine import Cluster, Engine, processes
from rulekit.study.sweep_run import Count, Sweep, cost
from rulekit.study.sweep_space import Space
from rulekit.study.sweep_store import Store, fits, remove, rows_of
from rulekit.study.sweep_summary import reasons, spreads
from rulekit.study.sweep_want import Wish, check_worked_out, parse_wishes

MOST_ERRORS = 5
OTHER_SIZES = (10, 100)
"""Numbers of workers for which the time is told besides."""

SEARCH_OPTIONS: dict[str, Any] = {"count": 1, "tries": 2000, "courses": None}
"""Options that only `--want` needs, with their defaults."""


def sweep(options: dict[str, Any], output: Output) -> int:
    """Sweeps and prints; the exit code: 3 while cells are missing.

    Raises BadInput and FileFaults for bad input, KeyboardInterrupt once what was done is stored.
    """
    began = perf_counter()
    _check_options(options)
    plan = read_plan(read_source(options["plan"], options["stdin_filename"]))
    space = Space(plan)
    _check_line_ups(plan)
    wishes = () if options["want"] is None else parse_wishes(options["want"])
    check_worked_out(wishes, plan.figures, plan.races)
    next(islice(space.cells(), 1), None)
    if wishes:
        from rulekit.cli.sweep_found import search, targets_of

        targets = targets_of(options, output)
    path = file_of(options, output, space)
    with engine_of(options) as engine, open_store(path, space, output) as store:
        count = run(Sweep(space, store, engine, options["retry_failed"]), output)
    code = 0 if count.complete else 3
    if wishes:
        with engine_of(options) as engine:
            search(options, output, space, wishes, targets, path, engine)
        return code
    output.emit(result(space, path, count, perf_counter() - began))
    return code


def _check_line_ups(plan: Plan) -> None:
    """Raises BadInput, with the name of the plan's file, for a line-up that cannot race."""
    try:
        check_line_ups([text for text in plan.policies if text])
    except BadInput as fault:
        raise BadInput(f"{plan.source.path}: 'policies': {fault}") from None


def _check_options(options: dict[str, Any]) -> None:
    """Raises BadInput for options that would have no effect."""
    if options["scheduler"] is not None and options["jobs"] != 1:
        raise BadInput("-j is for processes of this machine: the workers of --scheduler are the cluster's own")
    idle = [name for name, usual in SEARCH_OPTIONS.items() if options[name] != usual]
    if idle and options["want"] is None:
        raise BadInput(f'--{idle[0]} is for finding courses: add --want, as in --want "turns 12..14"')


def file_of(options: dict[str, Any], output: Output, space: Space) -> Path:
    """The file of results, checked as far as it can be before it is opened.

    Where courses are wanted --overwrite is for their files: results of the same plan stay.
    """
    plan = options["plan"]
    if options["output"] == "":
        raise BadInput("-o names no file: the name is empty")
    if options["output"] == "-":
        raise BadInput("-o names the file of results, which cannot go to stdout: `rulekit sweep query` prints it")
    path = Path(options["output"] or ("sweep.db" if plan == "-" else Path(plan).with_suffix(".db").name))
    if path.suffix == ".toml":
        raise BadInput(f"-o {path}: results are no TOML; name the file .db")
    check_place(path, overwrite=True)
    if path.exists() and not path.is_file():
        raise BadInput(f"-o {path}: results are stored in a file, and that is none")
    if output.overwrite and path.exists() and (options["want"] is None or not fits(path, space)):
        remove(path)
    return path


@contextmanager
def open_store(path: Path, space: Space, output: Output) -> Iterator[Store]:
    """The file of results; an interrupt is told once all is stored."""
    with Store(path, space) as store:
        try:
            yield store
        except KeyboardInterrupt:
            done = len(store.keys("done"))
            output.note(f"{cells(done)} of {space.count:,} stored in {path}: the same command goes on")
            raise


@contextmanager
def engine_of(options: dict[str, Any]) -> Iterator[Engine | None]:
    """What works: a cluster, processes, or (None) this process."""
    if options["scheduler"] is None:
        yield None if options["jobs"] == 1 else processes(options["jobs"])
        return
    cluster = Cluster(options["scheduler"]).connect()
    try:
        yield cluster.engine()
    finally:
        cluster.close()


def run(work: Sweep, output: Output) -> Count:
    """Everything that is left of a sweep, with what is told meanwhile."""
    workers = work.engine.workers if work.engine else 1
    with Line(output) as line:
        line.show("the first cells …")
        return work.run(lambda count: line.estimate(count, workers), lambda count: line.progress(count, workers))


class Line:
    """One line on the terminal: how far, how long; silent elsewhere, but for the estimate. Wipes itself at the end."""

    def __init__(self, output: Output) -> None:
        self.output, self.live, self.last = output, not output.quiet and sys.stderr.isatty(), 0.0

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.show("")

    def estimate(self, count: Count, workers: int) -> None:
        """What the rest will take."""
        self.show("")
        if count.left:
            others = [f"{many} would take {duration(cost(count, many))}" for many in OTHER_SIZES if many != workers]
            self.output.note(
                f"{cells(count.asked)}, {count.left:,} to do; {1000 * count.each:.0f} ms each: about "
                f"{duration(cost(count, workers))} on {plural(workers, 'worker')} ({', '.join(others)})"
            )

    def progress(self, count: Count, workers: int) -> None:
        """How far it is."""
        now = perf_counter()
        if now - self.last > 0.2:
            self.last = now
            rate = count.measured / max(now - count.began, 1e-9)
            left = count.left / rate if rate else cost(count, workers)
            failed = f", {count.failed:,} failed" if count.failed else ""
            self.show(f"{count.done:,} of {count.asked:,} done{failed}, {duration(left)} left")

    def show(self, text: str) -> None:
        """Another line."""
        if self.live:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)


def result(space: Space, path: Path, count: Count, seconds: float) -> Result:
    """How the figures spread over all cells in the file."""
    rows = [row for row in rows_of(path) if row["position"] < count.asked]
    done = [row for row in rows if row["status"] == "done"]
    errors = list(dict.fromkeys(row["error"] for row in rows if row["error"]))[:MOST_ERRORS]
    more = {
        "plan": space.plan.name, "file": str(path), "cells": space.size, "asked": count.asked, "done": len(done),
        "failed": len(rows) - len(done), "errors": errors, "illegal": dict(reasons(done)),
    }  # fmt: skip
    told = [one._asdict() for one in spreads(done)]
    timing = {"seconds": seconds, "cell": count.each, "store": count.overhead}
    return Result("sweep", told, {}, space.plan.seed, more, timing, lambda: sweep_table.summary(more, told),
                  ["figure", "cells", "mean", "least", "low", "median", "high", "most"])  # fmt: skip


def wanted_names(wishes: tuple[Wish, ...]) -> list[str]:
    """The figures of wishes, each once."""
    return list(dict.fromkeys(wish.figure for wish in wishes))
