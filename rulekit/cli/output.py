"""Printing a command's result: one value, four forms."""

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

import click

from rulekit import __version__
from rulekit.cli.outfile import check_outputs, write_file
from rulekit.errors import BadInput, Fault, visible

Row = Mapping[str, Any]

OTHER_KINDS = {
    ".svg": ": pictures are for --plot or `rulekit draw`",
    ".png": ": pictures are for --plot or `rulekit draw`",
    ".pdf": ": pictures are for --plot or `rulekit draw`",
    ".npz": ": policies are for `rulekit solve --save`",
    ".toml": ": name it .txt, or .csv with -f csv, or .json with -f json",
}
"""Suffixes that no result has, with what to do instead."""


@dataclass(frozen=True)
class Result:
    """What a command found: JSON-ready `rows` and `more` top-level keys, and the text of its readable form.

    `table` makes the readable form when asked; without it the rows themselves are tabulated. `columns` are the keys of
    the flat forms (csv, markdown); without it the first row's.
    """

    command: str
    rows: Sequence[Row]
    readings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)
    table: Callable[[], str] | None = None
    columns: Sequence[str] | None = None

    def text(self, fmt: str) -> str:
        """The result as table, json, csv or markdown, ending in a newline."""
        text = {"table": self._table, "json": self._json, "csv": self._csv, "markdown": self._markdown}[fmt]()
        safe = text if fmt == "table" else visible(text)
        return safe if safe.endswith("\n") or not safe else safe + "\n"

    def _json(self) -> str:
        head = {"rulekit": __version__, "command": self.command, "seed": self.seed, "readings": dict(self.readings)}
        whole = {**head, **self.more, "rows": list(self.rows), "timing": self.timing}
        return json.dumps(finite(whole), ensure_ascii=False, indent=1, allow_nan=False)

    def _flat(self) -> tuple[list[str], list[list[str]]]:
        columns = list(self.columns or (self.rows[0] if self.rows else ()))
        return columns, [[flat(finite(row.get(column))) for column in columns] for row in self.rows]

    def _csv(self) -> str:
        columns, cells = self._flat()
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *cells])
        return text.getvalue()

    def _markdown(self) -> str:
        columns, cells = self._flat()
        return tabulated(columns, cells, "github")

    def _table(self) -> str:
        return self.table() if self.table else tabulated(*self._flat())


def tabulated(headers: Sequence[str], rows: Iterable[Sequence[Any]], style: str = "simple", **options: Any) -> str:
    """A plain text table; cells are printed as they are given, never re-read as numbers."""
    from tabulate import tabulate

    return tabulate(list(rows), headers=list(headers), tablefmt=style, disable_numparse=True, **options)


def finite(value: Any) -> Any:
    """A JSON-ready value with None for every number that JSON cannot hold.

    >>> finite({"turns": float("inf"), "rows": [1.5, float("nan")]})
    {'turns': None, 'rows': [1.5, None]}
    """
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in value.items()}
    return [finite(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def flat(value: Any) -> str:
    """A JSON-ready value in one cell: lists joined by spaces, mappings as key:value.

    >>> flat([3, 3, 1]), flat({"7": "1/3", "8": "2/3"}), flat(None), flat(True)
    ('3 3 1', '7:1/3 8:2/3', '', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{flat(entry)}" for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(flat(entry) for entry in value)
    return str(value)


@dataclass(frozen=True)
class Output:
    """Where a command's words go: made from the options that `output_options` gives."""

    fmt: str = "table"
    output: str = "-"
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False

    def check(self, **files: str | None) -> None:
        """Make sure before any work that all files can be written: -o and those of other options by their names.

        Raises FileExists and BadInput as `check_outputs` does; also for a picture (an option whose name begins with
        plot) that does not end like one, and for an -o that ends like a file of another kind than a result's.
        """
        kind = Path(self.output).suffix.lower()
        if kind in OTHER_KINDS:
            raise BadInput(f"-o writes the result as {self.fmt}, not a {kind} file{OTHER_KINDS[kind]}")
        for name, path in files.items():
            if path and name.startswith("plot"):
                from rulekit.plot.figure import suffix_of

                suffix_of(Path(path))
        options = {f"--{name.replace('_', '-')}": path for name, path in files.items()}
        check_outputs({**options, "-o": self.output}, self.overwrite)

    def emit(self, result: Result) -> None:
        """Print the result, or write it to the file of -o; with -v, its readings and timings on stderr too.

        Raises FileExists and BadInput as `write_file` does.
        """
        text = result.text(self.fmt)
        if self.output == "-":
            click.echo(text, nl=False)
        else:
            self.write(Path(self.output), text)
        if self.verbose and result.readings:
            self.note(", ".join(f"{name}={answer}" for name, answer in result.readings.items()))
        if self.verbose and result.timing:
            self.note(", ".join(timed(name, value) for name, value in result.timing.items()))

    def write(self, path: Path, content: str | bytes) -> None:
        """Write a file that the user named (see `write_file`) and say so."""
        write_file(path, content, self.overwrite)
        self.note(f"wrote {path}")

    def note(self, text: str) -> None:
        """A remark on stderr, unless -q."""
        if not self.quiet:
            click.echo(visible(text), err=True)

    def warn(self, faults: Iterable[Fault]) -> None:
        """Findings on stderr, unless -q."""
        for fault in faults:
            self.note(str(fault))


def timed(name: str, value: float) -> str:
    """A timing in words.

    >>> timed("seconds", 1.23456), timed("solving", 0.5), timed("boat_turns_per_second", 1234567.8)
    ('1.235 seconds', 'solving 0.500 s', '1,234,568 boat turns per second')
    """
    if name.endswith("per_second"):
        return f"{value:,.0f} {name.replace('_', ' ')}"
    return f"{value:.3f} seconds" if name == "seconds" else f"{name.replace('_', ' ')} {value:.3f} s"


def terminal_width(least: int = 60, most: int = 120) -> int:
    """Columns to fill: the terminal's, 80 where there is none."""
    return max(least, min(most, shutil.get_terminal_size((80, 24)).columns))


def plural(count: int, one: str, more: str = "") -> str:
    """A count with its noun.

    >>> plural(1, "step"), plural(2, "step"), plural(2, "die", "dice")
    ('1 step', '2 steps', '2 dice')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def percent(chance: Fraction | float, places: int = 1) -> str:
    """A chance in percent; only what is impossible or certain reads 0 % or 100 %.

    One decimal; more, at most `places`, for what is so rare, or so nearly certain, that it needs them.

    >>> percent(Fraction(1, 9)), percent(Fraction(0)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('11.1 %', '0 %', '<0.1 %', '>99.9 %')
    >>> percent(0.00012, 3), percent(1e-7, 3), percent(0.9996, 3), percent(0.5, 3), percent(1.0, 3)
    ('0.012 %', '<0.001 %', '99.96 %', '50.0 %', '100 %')
    """
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    rare = 100 * float(min(chance, 1 - chance))
    shown = min(places, max(1, (chance < 0.5) - floor(log10(rare))))
    parts = 10**shown
    rounded = round(100 * parts * chance)
    if not 0 < rounded < 100 * parts:
        return f"<{1 / parts:.{shown}f} %" if rounded == 0 else f">{100 - 1 / parts:.{shown}f} %"
    return f"{rounded / parts:.{shown}f} %"
