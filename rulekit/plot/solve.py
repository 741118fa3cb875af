"""Pictures of solved races: when they finish, and turns against the risk of sinking. Maps are drawn by `heat`."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rulekit.plot.figure import COLORS

SIZE = 7.0, 4.0


def draw_finishing(figure: Figure, title: str, chances: Sequence[tuple[int, float]], note: str) -> None:
    """Bars: the chance to finish in each turn; line: by that turn."""
    ax = figure.subplots()
    turns = [turn for turn, _ in chances]
    ax.bar(turns, [chance for _, chance in chances], 0.8, color=COLORS[5], edgecolor="black", linewidth=0.5,
           label="in this turn")  # fmt: skip
    so_far, total = [], 0.0
    for _, chance in chances:
        total += chance
        so_far.append(total)
    _line(ax, turns, so_far, "by this turn")
    _frame(ax, title, "turn", note)


def draw_deadline(figure: Figure, title: str, chances: Sequence[tuple[int, float]], note: str) -> None:
    """The greatest chance to finish within each number of turns."""
    ax = figure.subplots()
    _line(ax, [turn for turn, _ in chances], [chance for _, chance in chances], "greatest chance")
    _frame(ax, title, "finished within so many turns", note)


def _line(ax: Axes, x: Sequence[int], y: Sequence[float], label: str) -> None:
    ax.plot(x, y, color=COLORS[1], marker="o", markersize=4, markeredgecolor="black", markeredgewidth=0.5,
            linewidth=1.5, label=label, clip_on=False, zorder=3)  # fmt: skip


def _frame(ax: Axes, title: str, unit: str, note: str) -> None:
    ax.set_title(title, loc="left", fontweight="bold")
    ax.set_xlabel(f"{unit}\n{note}")
    ax.set_ylabel("chance")
    ax.set_ylim(0, 1.02)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", color="0.9")
    ax.legend(loc="upper left")


def draw_front(figure: Figure, title: str, points: Sequence[tuple[float, float, float]], note: str) -> None:
    """(turns, chance of sinking, sink cost) of each point of the front, joined: any mix of two races lies between."""
    ax = figure.subplots()
    turns_of, sink_of, _ = zip(*points, strict=True)
    ax.plot(turns_of, sink_of, color=COLORS[0], marker="o", markersize=6, markeredgecolor="black", markeredgewidth=0.8,
            markerfacecolor="none", linewidth=1.3, clip_on=False, zorder=3)  # fmt: skip
    for turns, sink, cost in apart(points):
        ax.annotate(f"{cost:,.0f}" if cost >= 1000 else f"{cost:.3g}", (turns, sink), xytext=(6, 4),
                    textcoords="offset points", fontsize="small", color="0.25")  # fmt: skip
    ax.set_title(title, loc="left", fontweight="bold")
    ax.set_xlabel(f"expected turns until finished or sunk\n{note}")
    ax.set_ylabel("chance of sinking")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_ylim(0, None)
    ax.margins(x=0.12)
    ax.grid(color="0.9")


def apart(points: Sequence[tuple[float, float, float]], gap: float = 0.05) -> list[tuple[float, float, float]]:
    """The points whose labels do not lie on each other: from the last one, each this share of the height above."""
    top, kept = max(sink for _, sink, _ in points), list[tuple[float, float, float]]()
    for point in reversed(points):
        if not kept or point[1] - kept[-1][1] > gap * top:
            kept.append(point)
    return kept
