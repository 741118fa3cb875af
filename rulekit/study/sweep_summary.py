"""What a swept space comes to: spread of each figure, and what letter, light sides and single tiles do to it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from rulekit.simulate.rates import QUANTILE

Rows = Sequence[Mapping[str, Any]]

SPREAD = (
    "route", "turns", "hurt", "crashes", "sink", "start_fairness", "strip_fairness", "fewest_turns", "chokes", "swept",
    "seat_advantage", "first_win", "race_sink", "race_turns", "capped",
)  # fmt: skip
"""The figures whose spread is told, where a sweep has them."""


class Spread(NamedTuple):
    """A figure over the cells that have it: how many, mean, least, quantiles of 5, 50 and 95 %, most."""

    figure: str
    cells: int
    mean: float
    least: float
    low: float
    median: float
    high: float
    most: float


class Group(NamedTuple):
    """A figure over the cells of one kind: the mean with an interval of 95 %, and the quantiles of 5, 50 and 95 %."""

    name: str
    cells: int
    mean: float
    mean_low: float
    mean_high: float
    low: float
    median: float
    high: float


class Effect(NamedTuple):
    """What a tile's light side does: the mean of a figure with it up less the mean with the dark one, its interval."""

    tile: str
    cells: int
    difference: float
    low: float
    high: float


def values_of(rows: Rows, figure: str) -> list[float]:
    """A figure's values, in ascending order, of the cells that have it."""
    return sorted(float(row[figure]) for row in rows if row[figure] is not None)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of ordered values lies, between two of them in proportion.

    >>> quantile([1.0, 2.0, 4.0], 0.5), quantile([1.0, 2.0, 4.0], 0.75)
    (2.0, 3.0)
    """
    at = share * (len(ordered) - 1)
    before = int(at)
    after = min(before + 1, len(ordered) - 1)
    return ordered[before] + (at - before) * (ordered[after] - ordered[before])


def spread(rows: Rows, figure: str) -> Spread | None:
    """A figure's spread; None where no cell has it."""
    found = values_of(rows, figure)
    if not found:
        return None
    low, median, high = (quantile(found, share) for share in (0.05, 0.5, 0.95))
    return Spread(figure, len(found), fmean(found), found[0], low, median, high, found[-1])


def spreads(rows: Rows) -> list[Spread]:
    """The spread of every figure that some cell has."""
    return [found for figure in SPREAD if (found := spread(rows, figure))]


def reasons(rows: Rows) -> Counter[str]:
    """Why courses are not legal: code and rule, with their number."""
    return Counter(f"{row['code']} ({row['rule']})" for row in rows if row["legal"] == 0)


def groups(rows: Rows, figure: str, kind: Callable[[Mapping[str, Any]], str | None]) -> list[Group]:
    """A figure by kind of cell, the kinds in order; cells of the kind None are left out."""
    found: dict[str, list[float]] = {}
    for row in rows:
        name = kind(row)
        if name is not None and row[figure] is not None:
            found.setdefault(name, []).append(float(row[figure]))
    return [_group(name, sorted(found[name])) for name in sorted(found)]


def _group(name: str, ordered: list[float]) -> Group:
    mean, half = fmean(ordered), half_width(ordered)
    marks = (quantile(ordered, share) for share in (0.05, 0.5, 0.95))
    return Group(name, len(ordered), mean, mean - half, mean + half, *marks)


def half_width(values: Sequence[float]) -> float:
    """Half of the normal interval of a mean, 95 %; 0 for a single value."""
    return QUANTILE * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def axis(name: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Cells by one of their axes: letter, lake, readings, policies, light (number of light sides)."""
    return lambda row: None if row[name] is None else str(row[name])


def start_tile(row: Mapping[str, Any]) -> str | None:
    """The tile that carries buoy 0, with * where its light side is up; None on lakes without tiles."""
    name = str(row["buoys"]).split(" ")[0]
    if not name.startswith("@"):
        return None
    tile = name[1:-1]
    return tile + "*" * any(slot.startswith(tile) and slot.endswith("*") for slot in slots(row) if _id(slot) == tile)


def slots(row: Mapping[str, Any]) -> list[str]:
    """The slots of a cell's layout."""
    return str(row["layout"] or "").replace("/", " ").split()


def _id(slot: str) -> str:
    return slot.removesuffix("*").removesuffix("r")


def light_effects(rows: Rows, figure: str) -> list[Effect]:
    """For each tile of the layouts, what its light side does to a figure, against its dark one."""
    sides: dict[str, tuple[list[float], list[float]]] = {}
    for row in rows:
        if row[figure] is not None:
            for slot in slots(row):
                sides.setdefault(_id(slot), ([], []))[slot.endswith("*")].append(float(row[figure]))
    return list(_effects(sides))


def _effects(sides: Mapping[str, tuple[list[float], list[float]]]) -> Iterator[Effect]:
    for tile, (dark, light) in sorted(sides.items()):
        if dark and light:
            difference = fmean(light) - fmean(dark)
            half = sqrt(half_width(dark) ** 2 + half_width(light) ** 2)
            yield Effect(tile, len(dark) + len(light), difference, difference - half, difference + half)


def extremes(rows: Rows, figure: str, count: int = 5) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The cells with the least and with the greatest of a figure."""
    having = sorted((row for row in rows if row[figure] is not None), key=lambda row: (row[figure], row["position"]))
    return having[:count], having[: -count - 1 : -1]
