"""Views of a swept space as data for pictures: clouds, spreads, effects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulekit.errors import BadInput
from rulekit.plot.space import Bar, Cloud
from rulekit.study.sweep_summary import light_effects

Row = Mapping[str, Any]
Rows = Sequence[Row]

RISKS: dict[str, str] = {
    "sink": "chance of sinking", "crashes": "moves with damage a race", "hurt": "chance of damage in the race",
}  # fmt: skip
"""Measures of risk with their labels, the one that is drawn first where a sweep has it told apart by its greatest."""

VISIBLE = 0.001
"""A chance of sinking that is nowhere larger than this makes no picture."""


def risk_of(rows: Rows) -> str:
    """The measure of risk that tells the courses of a sweep apart: sinking, else moves with damage, else damage."""
    if max((row["sink"] or 0.0 for row in rows), default=0.0) > VISIBLE:
        return "sink"
    for name in ("crashes", "hurt"):
        if any(row[name] is not None for row in rows):
            return name
    raise BadInput('the sweep has no risks: add "race" (or "risk") to the figures of its plan')


def clouds(rows: Rows, x: str, y: str, kind: Callable[[Row], str | None]) -> list[Cloud]:
    """Two figures of the cells that have both, by kind; raises BadInput where none has."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    for row in rows:
        name = kind(row)
        if name is not None and row[x] is not None and row[y] is not None:
            for values, figure in zip(found.setdefault(name, ([], [])), (x, y), strict=True):
                values.append(float(row[figure]))
    if not found:
        what = x if x == y else f"{x} and {y} together"
        raise BadInput(f"no cell of the sweep has {what}: its plan does not ask for that")
    return [Cloud(name, *found[name]) for name in sorted(found)]


def letter(row: Row) -> str | None:
    """The kind of a cell by its letter."""
    return f"race {row['letter']}"


def light_sides(row: Row) -> str | None:
    """The kind of a cell by its number of light sides; None without tiles."""
    return None if row["layout"] is None else f"{row['light']} light"


def spreads_by(rows: Rows, figure: str, kind: Callable[[Row], str | None]) -> list[Cloud]:
    """A figure by kind."""
    return clouds(rows, figure, figure, kind)


def fairness(rows: Rows) -> list[Cloud]:
    """Turns between the best and the worst start, on the strip alone and behind it too."""
    names = {"strip_fairness": "among the hexes of the strip", "start_fairness": "among all hexes to start from"}
    return [cloud for figure, name in names.items() for cloud in spreads_by(rows, figure, _all_called(name))]


def _all_called(name: str) -> Callable[[Row], str | None]:
    return lambda _row: name


def tile_bars(rows: Rows, figure: str) -> list[Bar]:
    """What each tile's light side does to a figure; raises BadInput where both sides of none were swept."""
    bars = [Bar(f"tile {one.tile}", one.difference, one.low, one.high) for one in light_effects(rows, figure)]
    if not bars:
        raise BadInput("no tile of the sweep lies with either side up: shuffle the tiles, with any side")
    return bars
