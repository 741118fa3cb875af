"""Wanted properties of courses, in words such as `turns 12..14, sink < 0.03`: read, and how far a cell is from them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, isfinite
from typing import Any

from rulekit.errors import BadInput, did_you_mean

UNITS: dict[str, float] = {
    "route": 5.0, "chokes": 1.0, "swept": 60.0, "value": 1.0, "turns": 1.0, "start_fairness": 0.5,
    "strip_fairness": 0.25, "hurt": 0.1, "crashes": 0.2, "sink": 0.005, "fewest_turns": 1.0, "seat_advantage": 0.02,
    "first_win": 0.05, "race_sink": 0.02, "race_turns": 1.0, "capped": 0.02, "light": 1.0,
}  # fmt: skip
"""The figures that can be wanted, each with what counts as one step away from it."""

NEEDS: dict[str, str] = {
    **dict.fromkeys(("value", "turns", "start_fairness", "strip_fairness", "hurt"), "race"),
    **dict.fromkeys(("crashes", "sink"), "risk"), "fewest_turns": "fewest",
}  # fmt: skip
"""The group of figures that a plan must ask for."""

CHANCES = ("hurt", "sink", "first_win", "race_sink", "capped", "seat_advantage")
"""The figures from 0 to 1, which may be told in per cent."""

BOUND = re.compile(r"([A-Za-z_-]+)\s*(<=|>=|<|>|=)\s*([0-9.eE+-]+)\s*(%?)")
RANGE = re.compile(r"([A-Za-z_-]+)\s*=?\s*([0-9.eE+-]+?)\s*(%?)\s*(?:\.\.|…)\s*([0-9.eE+-]+)\s*(%?)")


@dataclass(frozen=True)
class Wish:
    """A figure with the bounds between which it should lie; `open_low` and `open_high` leave the bound itself out."""

    figure: str
    low: float = -inf
    high: float = inf
    open_low: bool = False
    open_high: bool = False

    def met(self, value: float | None) -> bool:
        """Whether a value is wanted."""
        return self.off(value) == 0.0

    def excludes(self, other: "Wish") -> bool:
        """Whether no value meets both."""
        if self.figure != other.figure:
            return False
        low, high = max(self.low, other.low), min(self.high, other.high)
        return low > high or (low == high and not (self.met(low) and other.met(low)))

    def off(self, value: float | None) -> float:
        """How far off a value is, in units of the figure; infinite for none."""
        if value is None:
            return inf
        below = max(0.0, self.low - value) or float(self.open_low and value == self.low) * 1e-9
        above = max(0.0, value - self.high) or float(self.open_high and value == self.high) * 1e-9
        return (below + above) / UNITS[self.figure]

    def __str__(self) -> str:
        """The text form.

        >>> print(Wish("turns", 12.0, 14.0)), print(Wish("sink", high=0.03, open_high=True))
        turns 12..14
        sink < 0.03
        (None, None)
        """
        name = self.figure.replace("_", "-")
        if self.low == self.high:
            return f"{name} = {self.low:g}"
        if self.low == -inf:
            return f"{name} {'<' if self.open_high else '<='} {self.high:g}"
        if self.high == inf:
            return f"{name} {'>' if self.open_low else '>='} {self.low:g}"
        return f"{name} {self.low:g}..{self.high:g}"


def parse_wishes(text: str) -> tuple[Wish, ...]:
    """The wishes of a text, parted by commas.

    Raises BadInput for what is no wish, an unknown figure (with the near miss), a range that ends before it begins, a
    chance over 1, wishes that exclude each other.

    >>> [str(wish) for wish in parse_wishes("turns 12..14, sink < 0.03, start-fairness<0.5")]
    ['turns 12..14', 'sink < 0.03', 'start-fairness < 0.5']
    """
    found = tuple(_wish(part.strip()) for part in text.split(",") if part.strip())
    if not found:
        raise BadInput('--want is empty: say for example "turns 12..14, start-fairness < 0.5"')
    for first, second in combinations(found, 2):
        if first.excludes(second):
            raise BadInput(f"--want: '{first}' and '{second}' exclude each other: no course can have both")
    return found


def _wish(text: str) -> Wish:
    ranged, bound = RANGE.fullmatch(text), BOUND.fullmatch(text)
    if ranged:
        figure, percent = _figure(ranged[1]), ranged[3] or ranged[5]
        low, high = _value(figure, ranged[2], percent, text), _value(figure, ranged[4], percent, text)
        if low > high:
            raise BadInput(f"--want: '{text}' ends before it begins: {ranged[1]} {high:g}..{low:g}?")
        return Wish(figure, low, high)
    if not bound:
        raise BadInput(f"--want: '{text}' is no wish: write figure low..high, figure < number, or > <= >= =")
    figure, sign = _figure(bound[1]), bound[2]
    value = _value(figure, bound[3], bound[4], text)
    if sign == "=":
        return Wish(figure, value, value)
    if sign in ("<", "<="):
        return Wish(figure, high=value, open_high=sign == "<")
    return Wish(figure, low=value, open_low=sign == ">")


def _figure(name: str) -> str:
    own = name.lower().replace("-", "_")
    if own not in UNITS:
        known = [figure.replace("_", "-") for figure in UNITS]
        raise BadInput(f"--want: there is no figure '{name}'{did_you_mean(name, known)}; there are {', '.join(known)}")
    return own


def _value(figure: str, number: str, percent: str, whole: str) -> float:
    """A number of a wish; a chance without its % would be met by every course, or by none."""
    value = _number(number, whole) / (100 if percent else 1)
    name = figure.replace("_", "-")
    if percent and figure not in CHANCES:
        raise BadInput(f"--want: '{whole}': {name} is no chance, leave the % out")
    if figure in CHANCES and not 0 <= value <= 1:
        raise BadInput(f"--want: '{whole}': {name} is a chance, from 0 to 1 (0 % to 100 %)")
    return value


def _number(text: str, whole: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"--want: '{text}' in '{whole}' is no number") from None
    if not isfinite(value):
        raise BadInput(f"--want: '{text}' in '{whole}' is no number")
    return value


def check_worked_out(wishes: Sequence[Wish], figures: Sequence[str], races: int) -> None:
    """Raises BadInput where a plan does not work out what is wanted."""
    for wish in wishes:
        group, name = NEEDS.get(wish.figure), wish.figure.replace("_", "-")
        if group and group not in figures:
            raise BadInput(f'--want: the plan does not work out {name}: add "{group}" to its figures')
        if wish.figure in ("seat_advantage", "first_win", "race_sink", "race_turns", "capped") and not races:
            raise BadInput(f"--want: {name} is a figure of races: add races = N to the plan")


def distance(wishes: Sequence[Wish], figures: Mapping[str, Any]) -> float:
    """How far a cell is from all wishes together: 0 where each is met, infinite for a course that is not legal."""
    return inf if not figures.get("legal") else sum(wish.off(figures.get(wish.figure)) for wish in wishes)
