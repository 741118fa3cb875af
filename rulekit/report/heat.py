"""Values of a board's cells as steps of one colour: few, so that a legend can name them, dark and pale in grey too."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Generic, TypeVar

from rulekit.report.ink import Point
from rulekit.report.parts import Cell, Layer

Place = TypeVar("Place")

STEPS = 7
"""More shades of one colour can hardly be told apart."""


@dataclass(frozen=True)
class Heat(Generic[Place]):
    """Values of cells: what they are called, how one is told in words and in the cell (empty: too small to tell).

    With `root` the steps go by the square root of the value, so that small ones differ too. Cells without a value stay
    plain. `low` and `high` are the ends of the steps, by default the least and the greatest value.
    """

    name: str
    title: str
    caption: str
    values: Mapping[Place, float]
    told: Callable[[float], str]
    short: Callable[[float], str]
    form: Callable[[float], str]
    root: bool = False
    low: float | None = None
    high: float | None = None
    plain: str = ""
    """What is said of a cell without a value."""

    @property
    def ends(self) -> list[float]:
        """Where the steps begin and end: one more than there are steps."""
        low = min(self.values.values(), default=0.0) if self.low is None else self.low
        high = max(self.values.values(), default=1.0) if self.high is None else self.high
        high = high if high > low else low + 1.0
        shares = [k / STEPS for k in range(STEPS + 1)]
        if self.root:
            return [(sqrt(low) + (sqrt(high) - sqrt(low)) * share) ** 2 for share in shares]
        return [low + (high - low) * share for share in shares]

    def step(self, value: float) -> int:
        """The step of a value, from 0."""
        return sum(value > end for end in self.ends[1:-1])

    def layer(self) -> Layer:
        """The layer with the legend of its steps."""
        legend = [f"{self.form(low)}–{self.form(high)}" for low, high in pairwise(self.ends)]
        return Layer(self.name, self.title, self.caption, legend)


def layers_of(heats: Iterable[Heat[Place]]) -> list[Layer]:
    """The layers of several values."""
    return [heat.layer() for heat in heats]


def cells_of(
    named: Iterable[tuple[Place, str, str, Point, int]], heats: Sequence[Heat[Place]]
) -> list[Cell]:  # fmt: skip
    """Cells (place, name, outline, middle, row) with their steps and words in every layer."""
    steps = [{place: heat.step(value) for place, value in heat.values.items()} for heat in heats]
    return [
        Cell(
            name, outline, *middle, _told(name, place, heats),
            [known.get(place) for known in steps],
            [heat.short(heat.values[place]) if place in heat.values else "" for heat in heats],
            row,
        )
        for place, name, outline, middle, row in named
    ]  # fmt: skip


def _told(name: str, place: Place, heats: Sequence[Heat[Place]]) -> str:
    said = [heat.told(heat.values[place]) if place in heat.values else heat.plain for heat in heats]
    return f"{name}: {', '.join(words for words in said if words)}"
