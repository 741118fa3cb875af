"""Small charts: dots with intervals, bars with their running sum, points joined. Each returns a `Plot`."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from rulekit.report.ink import circle, line, number, path, rectangle, shape, words
from rulekit.report.parts import Plot

WIDTH = 440.0
"""So narrow that the words stay readable on a phone."""

ROW, TOP, FOOT = 24.0, 10.0, 40.0
LETTER = 6.4
"""Height of a row, room above and below, and the mean width of a letter."""


class Dot(NamedTuple):
    """A value with its interval (both ends None: exact) under a label."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


class Scale(NamedTuple):
    """From values to places between two ends of the drawing."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from at most `low` to at least `high`.

    >>> ticks(0.18, 0.31)
    [0.15, 0.2, 0.25, 0.3, 0.35]
    """
    span = (high - low) or abs(high) or 1.0
    step = _round_step(span / about)
    alike = int(high == low)
    first, last = floor(low / step + 1e-9) - alike, ceil(high / step - 1e-9) + alike
    return [round(k * step, 12) for k in range(first, last + 1)]


def bare(told: str) -> str:
    """A number in words without decimals that say nothing.

    >>> bare("20.0 %"), bare("0.500"), bare("10"), bare("1.25")
    ('20 %', '0.5', '10', '1.25')
    """
    return re.sub(r"(\.\d*?)0+(?=\D|$)", r"\1", told).replace(". ", " ").rstrip(".")


def _round_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999999)


def dots(
    name: str, title: str, caption: str, rows: Sequence[Dot], form: Callable[[float], str],
    reference: tuple[float, str] | None = None,
) -> Plot:  # fmt: skip
    """A row a value: a dot on its interval, and a dashed line at the value of reference."""
    ends = [end for row in rows for end in (row.low, row.value, row.high) if end is not None]
    ends += [reference[0]] if reference else []
    marks = ticks(min(ends), max(ends))
    left = min(WIDTH / 2, 16 + LETTER * max(len(row.label) for row in rows))
    values = [form(row.value) for row in rows]
    right = WIDTH - 22 - 1.15 * LETTER * max(map(len, values))
    scale = Scale(marks[0], marks[-1], left, right)
    bottom = TOP + ROW * len(rows)
    parts = list(_axis_below(scale, marks, form, bottom))
    if reference:
        x = scale.at(reference[0])
        parts.append(line((x, TOP - 4), (x, bottom), "reference"))
        parts.append(words((min(max(x, 60), WIDTH - 60), bottom + 32), reference[1], "tick middle"))
    elif marks[0] < 0 < marks[-1]:
        parts.append(line((scale.at(0), TOP - 4), (scale.at(0), bottom), "reference"))
    for place, (row, told) in enumerate(zip(rows, values, strict=True)):
        parts += _dot(row, told, TOP + ROW * (place + 0.5), scale, left)
    told = "; ".join(f"{row.label}: {value}{_between(row, form)}" for row, value in zip(rows, values, strict=True))
    return Plot(name, title, caption, "".join(parts), WIDTH, bottom + FOOT, told)


def _between(row: Dot, form: Callable[[float], str]) -> str:
    return "" if row.low is None or row.high is None else f" ({form(row.low)} to {form(row.high)})"


def _dot(row: Dot, told: str, y: float, scale: Scale, left: float) -> Iterator[str]:
    yield words((left - 8, y + 4), row.label, "label end")
    if row.low is not None and row.high is not None and row.high > row.low:
        yield line((scale.at(row.low), y), (scale.at(row.high), y), "whisker")
    yield circle((scale.at(row.value), y), 4.5, "dot")
    yield words((WIDTH - 6, y + 4), told, "figure end")


def _axis_below(scale: Scale, marks: Sequence[float], form: Callable[[float], str], bottom: float) -> Iterator[str]:
    for mark in marks:
        yield line((scale.at(mark), TOP - 4), (scale.at(mark), bottom), "grid")
        yield words((scale.at(mark), bottom + 16), bare(form(mark)), "tick middle")


def bars(name: str, title: str, caption: str, chances: Sequence[tuple[int, float]], unit: str) -> Plot:
    """The chance of each whole number as a bar, with the chance of it or fewer as a line."""
    height, left, right = 210.0, 44.0, WIDTH - 12
    top, bottom = 14.0, height - FOOT
    chances = _filled(chances)
    first, last = chances[0][0], chances[-1][0]
    across = Scale(first - 0.6, last + 0.6, left, right)
    up = Scale(0.0, 1.0, bottom, top)
    parts = [line((left, up.at(mark)), (right, up.at(mark)), "grid") for mark in (0, 0.25, 0.5, 0.75, 1)]
    parts += [words((left - 6, up.at(mark) + 4), f"{100 * mark:.0f} %", "tick end") for mark in (0, 0.25, 0.5, 0.75, 1)]
    wide = (across.at(1) - across.at(0)) * 0.72
    total, points = 0.0, []
    for value, chance in chances:
        total += chance
        x = across.at(value)
        parts.append(rectangle(x - wide / 2, up.at(chance), wide, up.at(0) - up.at(chance), "bar"))
        points.append((x, up.at(total)))
    parts.append(shape(path(points, closed=False), "curve"))
    every = max(1, ceil((last - first + 1) / 14))
    parts += [
        words((across.at(value), bottom + 16), str(value), "tick middle") for value in range(first, last + 1, every)
    ]
    parts.append(
        words(
            ((left + right) / 2, bottom + 33),
            f"{unit} · bars: in just so many · line: in so many or fewer",
            "tick middle",
        )
    )
    told = "; ".join(f"{value}: {100 * chance:.1f} %" for value, chance in chances)
    return Plot(name, title, caption, "".join(parts), WIDTH, height, told)


def _filled(chances: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Every whole number from the first to the last."""
    known = dict(chances)
    return [(value, known.get(value, 0.0)) for value in range(min(known), max(known) + 1)]


class Series(NamedTuple):
    """Points joined by a line, with a name and the words beside some of them."""

    name: str
    points: Sequence[tuple[float, float]]
    labels: Sequence[str] = ()


def curves(
    name: str, title: str, caption: str, series: Sequence[Series], across: tuple[str, Callable[[float], str]],
    up: tuple[str, Callable[[float], str]], spots: bool = True,
) -> Plot:  # fmt: skip
    """Lines through points, marked with `spots`; each series has a dash and a name of its own."""
    height, left, right, top, bottom = 256.0, 58.0, WIDTH - 20, 24.0, 190.0
    xs = ticks(*_ends([x for one in series for x, _ in one.points]))
    ys = ticks(*_ends([0.0, *(y for one in series for _, y in one.points)]))
    x_scale, y_scale = Scale(xs[0], xs[-1], left, right), Scale(ys[0], ys[-1], bottom, top)
    parts = [line((left, y_scale.at(y)), (right, y_scale.at(y)), "grid") for y in ys]
    parts += [words((left - 6, y_scale.at(y) + 4), up[1](y), "tick end") for y in ys]
    parts += [words((x_scale.at(x), bottom + 16), across[1](x), "tick middle") for x in xs]
    parts.append(words(((left + right) / 2, bottom + 34), across[0], "tick middle"))
    parts.append(words((6, 12), up[0], "tick"))
    for place, one in enumerate(series):
        way = [(x_scale.at(x), y_scale.at(y)) for x, y in one.points]
        parts.append(shape(path(way, closed=False), f"curve dash{place % 3}"))
        parts += [circle(spot, 3.2, "dot small") for spot in way if spots]
        for (x, y), label in zip(way, one.labels, strict=False):
            parts.append(words((x + 6, y - 5), label, "tick"))
        if len(series) > 1:
            begin = left + 120 * place
            parts.append(line((begin, 243), (begin + 28, 243), f"curve dash{place % 3}"))
            parts.append(words((begin + 34, 247), one.name, "tick"))
    told = "; ".join(f"{one.name}: " + ", ".join(f"{number(x)} {number(y)}" for x, y in one.points) for one in series)
    return Plot(name, title, caption, "".join(parts), WIDTH, height, told)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)
