"""Pictures of dice odds: the totals of each choice, and its crash risk by clear water."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rulekit.plot.figure import COLORS, DASHES, MARKS

MOST_CURVES = len(COLORS)
"""More choices of one hand cannot be told apart."""


@dataclass(frozen=True)
class Curve:
    """One choice: chance of each total, mean total, and chance of a crash by clear hexes from 0 up."""

    label: str
    totals: Mapping[int, float]
    mean: float
    crash: Sequence[float]


@dataclass(frozen=True)
class HandOdds:
    """What is drawn of one hand; `free` is the clear water where it is known."""

    title: str
    curves: Sequence[Curve]
    free: int | None = None


def draw(figure: Figure, hands: Sequence[HandOdds]) -> None:
    """A row for each hand: totals on the left, crash risk on the right, both with the same scale of hexes."""
    heights = [1.2 + 0.42 * len(hand.curves) for hand in hands]
    axes = figure.subplots(len(hands), 2, squeeze=False, sharex=True,
                           gridspec_kw={"height_ratios": heights, "width_ratios": [3, 2]})  # fmt: skip
    for hand, (left, right) in zip(hands, axes, strict=True):
        draw_totals(left, hand)
        draw_risk(right, hand)
        for ax in (left, right):
            ax.tick_params(labelbottom=True)


def size(hands: Sequence[HandOdds]) -> tuple[float, float]:
    """Inches that the figure of these hands needs."""
    return 10.0, 0.3 + sum(1.2 + 0.42 * max(3, len(hand.curves)) for hand in hands)


def draw_totals(ax: Axes, hand: HandOdds) -> None:
    """Each choice's distribution as bars on a line of its own; the mark stands at the mean."""
    ax.set_title(hand.title, loc="left", fontweight="bold")
    if hand.free is not None:
        _shade(ax, hand.free + 0.5, _end(hand))
    for line, curve in enumerate(hand.curves):
        _ridge(ax, -line, curve, line)
    ax.set_yticks([-line for line in range(len(hand.curves))], [curve.label for curve in hand.curves])
    ax.set_ylim(-len(hand.curves) + 0.7, 1)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    _whole_numbers(ax, "total", hand)


def _ridge(ax: Axes, base: int, curve: Curve, index: int) -> None:
    ax.axhline(base, color="0.8", linewidth=0.6, zorder=0)
    ax.bar(list(curve.totals), [0.8 * chance for chance in curve.totals.values()], 0.86, base,
           color=COLORS[index % MOST_CURVES], alpha=0.85, edgecolor="black", linewidth=0.5)  # fmt: skip
    ax.plot([curve.mean], [base], **_mark(index), linestyle="none", clip_on=False, zorder=5)


def draw_risk(ax: Axes, hand: HandOdds) -> None:
    """The chance of a crash by the number of clear hexes, a line for each choice."""
    ax.set_title("crash chance by clear water", loc="left")
    if hand.free is not None and hand.free < _end(hand):
        ax.axvline(hand.free, color="0.4", linewidth=0.8, linestyle=(0, (4, 3)))
        ax.annotate(f"{hand.free} clear", (hand.free, 1), xytext=(2, 3), textcoords="offset points",
                    color="0.3", fontsize="small", annotation_clip=False)  # fmt: skip
    for index, curve in enumerate(hand.curves):
        ax.plot(range(len(curve.crash)), list(curve.crash), linestyle=DASHES[index % MOST_CURVES],
                linewidth=1.3, label=curve.label, **_mark(index))  # fmt: skip
    ax.set_ylim(-0.04, 1.04)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    ax.grid(axis="y", color="0.9")
    _whole_numbers(ax, "clear hexes", hand)


def _mark(index: int) -> dict[str, Any]:
    which = index % MOST_CURVES
    return {"color": COLORS[which], "marker": MARKS[which], "markersize": 4.5,
            "markeredgecolor": "black", "markeredgewidth": 0.6}  # fmt: skip


def _end(hand: HandOdds) -> float:
    return max(len(curve.crash) for curve in hand.curves) - 0.3


def _shade(ax: Axes, start: float, end: float) -> None:
    if start < end:
        ax.axvspan(start, end, color="0.9", zorder=-1)
        ax.annotate("crash", (start, 1), xycoords=("data", "axes fraction"), xytext=(4, -9),
                    textcoords="offset points", color="0.35", fontsize="small")  # fmt: skip


def _whole_numbers(ax: Axes, label: str, hand: HandOdds) -> None:
    ax.set_xlim(-0.7, _end(hand))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(label)
