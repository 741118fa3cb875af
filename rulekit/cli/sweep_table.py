"""The readable form of a sweep: what was swept, how the figures spread, what was found."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.cli.output import tabulated
from rulekit.study.sweep_figures import FIGURES

Row = Mapping[str, Any]


def number(value: Any) -> str:
    """A value of a cell for people.

    >>> number(12.34567), number(0.0001234), number(7), number(None), number("A")
    ('12.346', '0.000123', '7', '', 'A')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) >= 0.1 or value == 0 else f"{value:.3g}"
    return str(value)


def cells(count: int) -> str:
    """A number of cells.

    >>> cells(1), cells(20000)
    ('1 cell', '20,000 cells')
    """
    return f"{count:,} {'cell' if count == 1 else 'cells'}"


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(3.2), duration(200), duration(9000)
    ('3 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def summary(more: Row, rows: Sequence[Row]) -> str:
    """What a sweep came to."""
    parts = [_head(more)]
    if rows:
        head = ["figure", "cells", "mean", "least", "5 %", "median", "95 %", "most"]
        keys = ["figure", "cells", "mean", "least", "low", "median", "high", "most"]
        parts.append(tabulated(head, [[number(row[key]) for key in keys] for row in rows]))
        width = max(len(row["figure"]) for row in rows)
        parts.append("\n".join(f"{row['figure']:{width}}  {FIGURES[row['figure']]}" for row in rows))
    return "\n\n".join(parts)


def _head(more: Row) -> str:
    told = f"“{more['plan']}”: {more['done']:,} of {cells(more['asked'])} in {more['file']}."
    if more["illegal"]:
        why = ", ".join(f"{reason}: {count:,}" for reason, count in more["illegal"].items())
        told += f"\nCourses that cannot be raced: {why}."
    if more["failed"]:
        told += f"\n{cells(more['failed'])} failed (--retry-failed tries again), the first with:"
        told += "".join(f"\n  {error}" for error in more["errors"])
    return told


def found(more: Row, rows: Sequence[Row], wanted: Sequence[str]) -> str:
    """What a search came to."""
    rare = more["rarity"]
    low, high = (f"{100 * rare[key]:.3g}" for key in ("low", "high"))
    told = (
        f"Wanted: {more['want']}.\n{rare['hits']:,} of {cells(rare['cells'])} of the sample have it all: "
        f"between {low} and {high} % of the space (95 %)."
    )
    told += f"\n{cells(more['tried'])} tried besides."
    if not rows:
        nearest = more["nearest"]
        near = ", ".join(f"{name} {number(nearest['figures'][name])}" for name in wanted) if nearest else ""
        return told + "\nNo such course was found" + (f"; the nearest has {near}." if near else ".")
    names = [name for name in wanted if name in rows[0]]
    head = ["file", "from", "steps", "layout", "buoys", *(name.replace("_", " ") for name in names)]
    lines = [[row["file"], row["origin"], str(row["steps"]), row["layout"] or "", row["buoys"],
              *(number(row[name]) for name in names)] for row in rows]  # fmt: skip
    return f"{told}\n\n{tabulated(head, lines)}"
