"""The file of a sweep: one SQLite table of cells, written by one process alone, whole after any kill.

A rollback journal and a commit for every batch of results: what was committed stays, a batch that was cut off is rolled
back when the file is opened next. While a sweep runs it holds a lock on the file; others may read.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rulekit.errors import BadInput, Unreadable
from rulekit.study.sweep_figures import FIGURES
from rulekit.study.sweep_space import Cell, Space, rules_version

FORMAT = "rulekit/swept-1"
AXES = (*Cell._fields, "light")
COLUMNS = ("key", "position", "status", "error", "seconds", *AXES, *FIGURES)
WHOLE = ("position", "light", "legal", "route", "chokes", "fewest_turns")
TEXTS = ("key", "status", "error", *Cell._fields, "code", "rule", "start")
PATIENCE = 5.0
"""Seconds to wait for another program that has locked the file."""


class Outcome(NamedTuple):
    """What became of a cell: its figures, or its error."""

    key: str
    position: int
    cell: Cell
    seconds: float
    figures: Mapping[str, Any]
    error: str | None = None

    def row(self) -> list[Any]:
        """By `COLUMNS`."""
        status = "failed" if self.error else "done"
        axes = [*self.cell, self.cell.light]
        return [self.key, self.position, status, self.error, self.seconds, *axes, *(map(self.figures.get, FIGURES))]


@dataclass(frozen=True)
class Head:
    """What the file tells of itself."""

    rules: str
    identity: str
    plan: str
    name: str
    asked: int
    size: int = 0


def _kind(column: str) -> str:
    return "INTEGER" if column in WHOLE else "TEXT" if column in TEXTS else "REAL"


def told(path: Path, fault: sqlite3.Error) -> Exception:
    """A database's error in words for people."""
    words = str(fault)
    if "locked" in words or "busy" in words:
        return BadInput(f"{path} is locked by another program: wait until it has done, or name another file")
    if "full" in words or "disk I/O" in words:
        return BadInput(f"cannot write {path}: the disk is full or fails ({words}); what was stored before stays")
    if "not a database" in words or "malformed" in words:
        return Unreadable(f"{path} is no file of a sweep, or it is damaged ({words})")
    return BadInput(f"{path}: {words}")


class Store:
    """A file of results, open for writing."""

    def __init__(self, path: Path, space: Space) -> None:
        """Opens or makes the file for a space's plan.

        Raises Unreadable for another kind of file, BadInput for one of another plan or version, or locked.
        """
        self.path, self.space = path, space
        self.lock = _Lock(path)
        try:
            with translated(path):
                self.base = sqlite3.connect(path.absolute(), timeout=PATIENCE, isolation_level=None)
                self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        self.base.execute("PRAGMA journal_mode = DELETE")
        self.base.execute("PRAGMA synchronous = FULL")
        with self._writing():
            if _is_empty(self.base):
                self._make()
            check_head(self.path, read_head(self.path, self.base), self.space)
            self._tell("asked", str(self.space.count))
            self._tell("size", str(self.space.size))
            self._tell("plan", self.space.plan.source.text)

    def _make(self) -> None:
        columns = ", ".join(f"{name} {_kind(name)}" for name in COLUMNS)
        self.base.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
        self.base.execute(f"CREATE TABLE cells ({columns}, PRIMARY KEY (key))")
        head = {"format": FORMAT, "rules": rules_version(), "identity": self.space.identity}
        for name, value in {**head, "name": self.space.plan.name}.items():
            self._tell(name, value)

    def _tell(self, name: str, value: str) -> None:
        self.base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, taken back where it breaks off."""
        self.base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.base.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.base.execute("ROLLBACK")
            raise

    def keys(self, status: str) -> set[str]:
        """The cells of a status: done or failed."""
        with translated(self.path):
            return {key for (key,) in self.base.execute("SELECT key FROM cells WHERE status = ?", (status,))}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Stores results at once, all or none; a cell that is done already stays as it is."""
        rows = [outcome.row() for outcome in outcomes]
        marks = ", ".join("?" * len(COLUMNS))
        with translated(self.path), self._writing():
            self.base.executemany(
                f"INSERT INTO cells VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET "
                + ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])
                + " WHERE cells.status <> 'done'",
                rows,
            )

    def close(self) -> None:
        """Closes the file; the lock goes last."""
        if hasattr(self, "base"):
            with suppress(sqlite3.Error):
                self.base.close()
        self.lock.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Lock:
    """A lock that the system takes away when the process ends, however it does."""

    def __init__(self, path: Path) -> None:
        self.file: int | None = None
        try:
            import fcntl
        except ImportError:  # Windows: SQLite's own locks must do.
            return
        try:
            self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise BadInput(f"another sweep is writing {path}: wait for it, or name another file (-o)") from None
        except OSError as fault:
            self.close()
            raise BadInput(f"cannot write {path}: {fault.strerror}") from None

    def close(self) -> None:
        if self.file is not None:
            os.close(self.file)
            self.file = None


def remove(path: Path) -> None:
    """Removes a file of results, and the journal of one that was cut off; raises BadInput while a sweep writes it."""
    lock = _Lock(path)
    try:
        for old in (path, path.with_name(f"{path.name}-journal")):
            old.unlink(missing_ok=True)
    finally:
        lock.close()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns a database's errors into faults."""
    try:
        yield
    except sqlite3.Error as fault:
        raise told(path, fault) from None


def _is_empty(base: sqlite3.Connection) -> bool:
    return base.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def read_head(path: Path, base: sqlite3.Connection) -> Head:
    """What a file tells of itself; raises Unreadable where it is no sweep's, BadInput for another version's."""
    tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"about", "cells"} <= tables:
        raise Unreadable(f"{path} is a database, but not one of a sweep")
    columns = {row[1] for row in base.execute("PRAGMA table_info(about)")}
    if not {"name", "value"} <= columns:
        raise Unreadable(f"{path} is a database, but not one of a sweep")
    about = dict(base.execute("SELECT name, value FROM about"))
    if about.get("format") != FORMAT:
        raise BadInput(f"{path} has the format '{about.get('format')}': this rulekit reads '{FORMAT}'")
    rules, identity, plan, name = (about.get(key) or "" for key in ("rules", "identity", "plan", "name"))
    try:
        return Head(rules, identity, plan, name, *(int(about.get(key) or 0) for key in ("asked", "size")))
    except ValueError as fault:
        raise Unreadable(f"{path} is damaged: what it tells of itself is no number of cells ({fault})") from None


def check_head(path: Path, head: Head, space: Space) -> None:
    """Raises BadInput where a file was swept by other rules or for another plan."""
    if head.rules != rules_version():
        raise BadInput(
            f"{path} was swept by the rules of rulekit {head.rules}, this is {rules_version()}: results of both cannot "
            "stand in one file; name another one (-o)"
        )
    if head.identity != space.identity:
        raise BadInput(
            f"{path} holds the plan '{head.name}' as it was then, and more than its sample has changed: name another "
            "file (-o), or add --overwrite"
        )


@contextmanager
def reading(path: Path) -> Iterator[tuple[sqlite3.Connection, Head]]:
    """A file of results to read from: nothing can be written through it.

    Raises Unreadable for a missing file or another kind of file, BadInput for another version's.
    """
    if not path.is_file():
        raise Unreadable(f"there is no file {path}" if not path.exists() else f"{path} is no file")
    with translated(path):
        _mend(path)
        base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            yield base, read_head(path, base)
        finally:
            base.close()


def fits(path: Path, space: Space) -> bool:
    """Whether a file holds results of a space's plan, by the same rules."""
    try:
        with reading(path) as (_base, head):
            check_head(path, head, space)
    except (BadInput, Unreadable):
        return False
    return True


def _mend(path: Path) -> None:
    """Takes back a batch that was cut off while it was stored, which cannot be done while only reading."""
    if path.with_name(f"{path.name}-journal").exists():
        with suppress(sqlite3.Error):
            base = sqlite3.connect(path.absolute(), timeout=PATIENCE)
            try:
                base.execute("SELECT 1 FROM sqlite_master").fetchone()
            finally:
                base.close()


def rows_of(path: Path, where: str = "1", values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The cells that a condition picks, in the order of the plan.

    Raises BadInput where a number is none: somebody else wrote into the file.
    """
    with reading(path) as (base, _head):
        cursor = base.execute(f"SELECT * FROM cells WHERE {where} ORDER BY position", values)
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    numbers = [name for name in names if name not in TEXTS]
    wrong = next((name for row in rows for name in numbers if isinstance(row[name], (str, bytes))), None)
    if wrong:
        raise BadInput(f"{path}: '{wrong}' is no number in every cell: the file has been written by another program")
    return rows
