"""Pictures of a swept space: two figures against each other, spreads by kind, what single tiles do."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from rulekit.plot.figure import COLORS, MARKS
from rulekit.plot.palette import HEAT_MAP, INK, MUTED

MANY = 1500
"""Points beyond which they are counted in fields instead of drawn one by one."""

BOX = {"color": INK, "linewidth": 1.0}


@dataclass(frozen=True)
class Cloud:
    """Points of one kind."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True)
class Bar:
    """A value with an interval."""

    name: str
    value: float
    low: float
    high: float


def draw_clouds(ax: Axes, clouds: Sequence[Cloud], x: str, y: str, percent: bool = False) -> None:
    """Two figures against each other: points by kind, or counts by field with the middle of each kind."""
    points = sum(len(cloud.x) for cloud in clouds)
    if points > MANY:
        xs, ys = ([value for cloud in clouds for value in getattr(cloud, axis)] for axis in "xy")
        fields = ax.hexbin(xs, ys, gridsize=45, bins="log", mincnt=1, cmap=HEAT_MAP, linewidths=0.0)
        bar = ax.figure.colorbar(fields, ax=ax, label="courses in the field", shrink=0.8)
        bar.ax.yaxis.set_major_formatter("{x:g}")
    for index, cloud in enumerate(clouds):
        color, mark = COLORS[index % len(COLORS)], MARKS[index % len(MARKS)]
        if points > MANY:
            ax.plot([_median(cloud.x)], [_median(cloud.y)], marker=mark, color=color, markersize=9, linestyle="none",
                    markeredgecolor="white", markeredgewidth=1.4, label=f"{cloud.name}, medians")  # fmt: skip
        else:
            ax.plot(cloud.x, cloud.y, marker=mark, color=color, markersize=4, linestyle="none", alpha=0.75,
                    markeredgecolor="black", markeredgewidth=0.3, label=cloud.name)  # fmt: skip
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if percent:
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    if len(clouds) > 1 or points > MANY:
        # Above the axes: the points leave no corner free for sure.
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, fontsize="small")


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def draw_spreads(ax: Axes, clouds: Sequence[Cloud], label: str) -> None:
    """The spread of each kind's `x`: a box from a quarter to three quarters, whiskers from 5 to 95 %."""
    ax.boxplot(
        [list(cloud.x) for cloud in clouds], orientation="horizontal", whis=(5, 95), showfliers=False, widths=0.55,
        patch_artist=True, boxprops={"facecolor": "#cfe3f0", "edgecolor": INK}, medianprops={**BOX, "linewidth": 2},
        whiskerprops=BOX, capprops=BOX,
    )  # fmt: skip
    ax.set_yticks(range(1, len(clouds) + 1), [f"{cloud.name}  ({len(cloud.x):,})" for cloud in clouds])
    ax.invert_yaxis()
    ax.set_xlabel(label)
    ax.grid(axis="x", color="0.9")


def draw_histogram(ax: Axes, values: Sequence[Cloud], label: str) -> None:
    """How often the values of each kind's `x` are met, side by side in steps of outline and fill."""
    for index, cloud in enumerate(values):
        filled = index == 0
        ax.hist(
            list(cloud.x), bins=60, histtype="stepfilled" if filled else "step", color=COLORS[index], linewidth=1.6,
            alpha=0.55 if filled else 1.0, linestyle="-" if filled else "--", label=cloud.name,
        )  # fmt: skip
    ax.set_xlabel(label)
    ax.set_ylabel("courses")
    ax.legend(loc="upper right")


def draw_effects(ax: Axes, bars: Sequence[Bar], label: str) -> None:
    """A mark a line with its interval, and the line where nothing is changed."""
    places = range(len(bars))
    ax.axvline(0, color=MUTED, linewidth=0.8)
    ax.errorbar(
        [bar.value for bar in bars], places,
        xerr=[[bar.value - bar.low for bar in bars], [bar.high - bar.value for bar in bars]],
        fmt="o", color=COLORS[0], ecolor=INK, elinewidth=1.2, capsize=3, markersize=6,
    )  # fmt: skip
    ax.set_yticks(list(places), [bar.name for bar in bars])
    ax.invert_yaxis()
    ax.set_xlabel(label)
    ax.grid(axis="x", color="0.9")
