"""Two figures of many courses against each other: fields coloured by how many courses lie in them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import log

from rulekit.report.charts import WIDTH, Scale, bare, ticks
from rulekit.report.forms import whole
from rulekit.report.ink import line, number, rectangle, words
from rulekit.report.parts import Plot

STEPS = 7
"""Colours of the page's scale."""

ACROSS, UP = 44, 26
"""Fields of a drawing."""

HEIGHT, LEFT, TOP, BOTTOM = 292.0, 58.0, 24.0, 222.0

Form = Callable[[float], str]


def fields(
    name: str, title: str, caption: str, points: Sequence[tuple[float, float]], across: tuple[str, Form],
    up: tuple[str, Form],
) -> Plot:  # fmt: skip
    """How many points lie in each field; the colours rise with the logarithm of the count."""
    xs, ys = (ticks(min(values), max(values)) for values in zip(*points, strict=True))
    x_scale = Scale(xs[0], xs[-1], LEFT, WIDTH - 12)
    y_scale = Scale(ys[0], ys[-1], BOTTOM, TOP)
    wide, high = (WIDTH - 12 - LEFT) / ACROSS, (BOTTOM - TOP) / UP
    counts = Counter(
        (min(ACROSS - 1, int((x_scale.at(x) - LEFT) / wide)), min(UP - 1, int((BOTTOM - y_scale.at(y)) / high)))
        for x, y in points
    )
    most = max(counts.values())
    parts = [line((LEFT, y_scale.at(y)), (WIDTH - 12, y_scale.at(y)), "grid") for y in ys]
    parts += [words((LEFT - 6, y_scale.at(y) + 4), bare(up[1](y)), "tick end") for y in ys]
    parts += [words((x_scale.at(x), BOTTOM + 16), bare(across[1](x)), "tick middle") for x in xs]
    parts += [
        rectangle(LEFT + column * wide, BOTTOM - (row + 1) * high, wide, high, f"s{step(count, most)}")
        for (column, row), count in sorted(counts.items())
    ]
    parts += [words(((LEFT + WIDTH - 12) / 2, BOTTOM + 34), across[0], "tick middle"), words((6, 12), up[0], "tick")]
    parts += _legend(most)
    middle = sorted(points)[len(points) // 2]
    told = f"{whole(len(points))} courses, the middle one by {across[0]} at {number(middle[0])}, {number(middle[1])}"
    return Plot(name, title, caption, "".join(parts), WIDTH, HEIGHT, told)


def step(count: int, most: int) -> int:
    """The colour of a count.

    >>> [step(count, 100) for count in (1, 3, 30, 100)]
    [0, 1, 4, 6]
    """
    return 0 if most == 1 else min(STEPS - 1, round((STEPS - 1) * log(count) / log(most)))


def _legend(most: int) -> Iterator[str]:
    yield words((LEFT, BOTTOM + 58), "courses in a field:", "tick")
    for place, count in enumerate(_told(most)):
        x = LEFT + 112 + 46 * place
        yield rectangle(x, BOTTOM + 48, 12, 12, f"s{step(count, most)}")
        yield words((x + 15, BOTTOM + 58), whole(count), "tick")


def _told(most: int) -> list[int]:
    """The counts of the legend: each one where they are few, else one a colour.

    >>> _told(3), _told(100)
    ([1, 2, 3], [1, 2, 5, 10, 22, 46, 100])
    """
    return list(range(1, most + 1)) if most <= STEPS else [round(most ** (k / (STEPS - 1))) for k in range(STEPS)]
