"""A forest plot: differences with their intervals, one below the other on one scale."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.plot.figure import COLORS

GREY = "#8a8a8a"


class Twig(NamedTuple):
    """One line: words, the difference with its interval in parts of a race's spread, words at the right end, and
    whether it is beyond chance."""

    label: str
    value: float
    low: float
    high: float
    note: str
    seen: bool


def size(twigs: Sequence[Twig]) -> tuple[float, float]:
    """Inches that the figure needs."""
    return 8.5, 1.5 + 0.3 * max(1, len(twigs))


def draw(figure: Figure, title: str, twigs: Sequence[Twig], below: str) -> None:
    """The plot on an empty figure of `size`."""
    ax = figure.subplots()
    ax.set_title(title, loc="left", fontweight="bold")
    draw_twigs(ax, twigs)
    ax.set_xlabel(below)


def draw_twigs(ax: Axes, twigs: Sequence[Twig]) -> None:
    """A mark and its interval for each line; hollow and grey is what may be chance."""
    ax.axvline(0, color="black", linewidth=0.8)
    for line, twig in enumerate(twigs):
        colour = COLORS[0] if twig.seen else GREY
        ax.plot([twig.low, twig.high], [-line, -line], color=colour, linewidth=1.6, solid_capstyle="butt")
        ax.plot([twig.value], [-line], marker="o", markersize=6, markeredgecolor=colour,
                markerfacecolor=colour if twig.seen else "white")  # fmt: skip
        ax.annotate(twig.note, (1, -line), xycoords=("axes fraction", "data"), xytext=(6, 0),
                    textcoords="offset points", va="center", fontsize="small", annotation_clip=False)  # fmt: skip
    ax.set_yticks([-line for line in range(len(twigs))], [twig.label for twig in twigs])
    ax.set_ylim(-len(twigs) + 0.4, 0.6)
    reach = max((max(abs(twig.low), abs(twig.high)) for twig in twigs), default=0.0)
    ax.set_xlim(-1.08 * max(reach, 0.1), 1.08 * max(reach, 0.1))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color="0.92")
