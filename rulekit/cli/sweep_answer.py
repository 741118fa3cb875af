"""Answers from a file of results: rows of SQL, the columns with what they tell, pictures, Parquet."""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from rulekit.cli.output import Output, Result, tabulated
from rulekit.cli.sweep_table import cells, number
from rulekit.errors import BadInput, did_you_mean
from rulekit.study.sweep_figures import FIGURES
from rulekit.study.sweep_store import COLUMNS, Head, reading

AXES: dict[str, str] = {
    "key": "hash of all that the cell's figures depend on",
    "position": "number of the cell in the plan, from 0",
    "status": "done or failed",
    "error": "why it failed",
    "seconds": "that it took",
    "lake": "name of the lake",
    "layout": "its tiles, rows parted by /: r turned, * light side up",
    "letter": "letter of the spots",
    "buoys": "spots of buoys 0, 1, 2, …",
    "readings": "readings and dials that differ from the rules' defaults",
    "policies": "line-up of the races",
    "light": "number of light sides",
}
"""What the columns tell that are no figures."""

Rows = list[dict[str, Any]]


def answer(path: Path, sql: str | None, parquet: str | None, plot: str | None, kind: str, output: Output) -> None:
    """Prints what was asked for and writes the files; raises BadInput for SQL that is none or would change anything."""
    if plot:
        from rulekit.cli.sweep_picture import picture

        output.write(Path(plot), picture(Path(plot), path, kind))
        if not sql:
            return
    if not sql:
        output.emit(contents(path))
        return
    columns, rows = ask(path, sql)
    if parquet:
        output.write(Path(parquet), packed(columns, rows))
    more = {"file": str(path)}
    output.emit(Result("sweep query", rows, more=more, columns=columns, table=lambda: _tabled(columns, rows)))


def _tabled(columns: Sequence[str], rows: Rows) -> str:
    return tabulated(columns, [[number(row[name]) for name in columns] for row in rows])


def ask(path: Path, sql: str) -> tuple[list[str], Rows]:
    """(columns, rows) of a question; columns of one name are told apart by a number."""
    with reading(path) as (base, _head):
        base.execute("PRAGMA query_only = 1")
        base.set_authorizer(_allowed)
        base.set_progress_handler(lambda: 0, STEPS)
        try:
            cursor = base.execute(sql)
            found = cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as fault:
            if "interrupted" in str(fault):
                raise KeyboardInterrupt from None
            raise BadInput(_told(str(fault), sql)) from None
    if cursor.description is None:
        raise BadInput("that is no question: SQL must begin with SELECT (or WITH)")
    columns = _distinct([column[0] for column in cursor.description])
    return columns, [dict(zip(columns, map(_plain, row), strict=True)) for row in found]


STEPS = 1_000_000
"""Of SQLite's, between which Ctrl-C is heard."""

READS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


def _allowed(action: int, *_: str | None) -> int:
    """Reading only; nothing may be attached either."""
    return sqlite3.SQLITE_OK if action in READS else sqlite3.SQLITE_DENY


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _told(fault: str, sql: str) -> str:
    column = fault.removeprefix("no such column: ")
    if column != fault:
        return f"{fault}{did_you_mean(column, COLUMNS)}; `rulekit sweep query FILE` lists the columns"
    if "not authorized" in fault or "authorization denied" in fault or "readonly" in fault:
        return "only questions can be asked: SQL that begins with SELECT (or WITH)"
    return f"not SQL that can be answered: {fault}"


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, those that stand for the second time with the first number that makes them new.

    >>> _distinct(["a", "a", "a:2"])
    ['a', 'a:2', 'a:2:2']
    """
    found: list[str] = []
    for name in names:
        numbered = (f"{name}:{number}" for number in count(2))
        found.append(next(one for one in chain([name], numbered) if one not in found))
    return found


def contents(path: Path) -> Result:
    """What a file holds: the plan, how far it is, the columns with how many cells have each."""
    with reading(path) as (_base, head):
        pass
    _columns, standing = ask(path, "SELECT status, count(*) AS cells FROM cells GROUP BY status")
    counts = {row["status"]: row["cells"] for row in standing}
    _columns, filled = ask(path, "SELECT " + ", ".join(f"count({name}) AS {name}" for name in COLUMNS) + " FROM cells")
    meaning = {**AXES, **FIGURES}
    rows = [{"column": name, "cells": filled[0][name], "tells": meaning[name]} for name in COLUMNS]
    more = {
        "file": str(path), "plan": head.name, "rules": head.rules, "asked": head.asked, "done": counts.get("done", 0),
        "failed": counts.get("failed", 0),
    }  # fmt: skip
    return Result("sweep query", rows, more=more, table=lambda: _contents(head, counts, rows))


def _contents(head: Head, counts: Mapping[str, int], rows: Sequence[Mapping[str, Any]]) -> str:
    done, failed = counts.get("done", 0), counts.get("failed", 0)
    told = f"“{head.name}”: {done:,} of {cells(head.asked)} done"
    told += f", {failed:,} failed" if failed else ""
    lines = [[row["column"], f"{row['cells']:,}", row["tells"]] for row in rows]
    return f"{told}; rules of rulekit {head.rules}.\n\n{tabulated(['column', 'cells', 'tells'], lines)}"


def packed(columns: Sequence[str], rows: Rows) -> bytes:
    """The rows as a Parquet file; raises BadInput where pyarrow is not installed or a column mixes kinds."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise BadInput("--parquet needs pyarrow: pip install 'board-rulekit[parquet]'") from None
    try:
        table = pyarrow.table({name: [row[name] for row in rows] for name in columns})
    except pyarrow.ArrowException as fault:
        raise BadInput(f"--parquet: a column holds values of different kinds ({fault})") from None
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink)
    return bytes(sink.getvalue())
