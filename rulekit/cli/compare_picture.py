"""From the rows of `compare` to a forest plot. Imports matplotlib."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulekit.cli.compare_table import number
from rulekit.plot.figure import render, suffix_of
from rulekit.plot.forest import Twig, draw, size

BELOW = "difference (Cohen's d) with intervals of 95 %; hollow: may be chance"


def picture(path: Path, more: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The races' differences, or each reading's greatest one; raises BadInput for a suffix that is no picture's."""
    twigs = list(_readings(more, rows) if "differences" in more else _measures(rows))
    title = f"{more['a']}: readings" if "differences" in more else f"{more['b']}\nagainst {more['a']}"
    return render(lambda figure: draw(figure, title, twigs, BELOW), size(twigs), suffix_of(path))


def _measures(rows: Sequence[Mapping[str, Any]]) -> Iterator[Twig]:
    for row in rows:
        if not row["exact"] and row["effect"] is not None:
            yield _twig(row["title"], row)


def _readings(more: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Iterator[Twig]:
    """One line a reading: the measure with its greatest effect, seen or not."""
    for row in rows:
        told = [one for one in more["differences"][row["reading"]] if not one["exact"] and one["effect"] is not None]
        best = max(told, key=lambda one: (one["seen"], abs(one["effect"])), default=None)
        if best is not None:
            yield _twig(row["reading"], best, f"{best['title']} ")


def _twig(label: str, row: Mapping[str, Any], before: str = "") -> Twig:
    spread = row["spread"]
    note = f"{before}{number(row['difference'], row['unit'], signed=True)}" if row["seen"] else ""
    return Twig(label, row["effect"], row["low"] / spread, row["high"] / spread, note, row["seen"])
