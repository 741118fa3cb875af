"""From a file of results to its picture. Imports matplotlib."""

from collections.abc import Callable
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.plot.figure import render, suffix_of
from rulekit.plot.space import draw_clouds, draw_effects, draw_histogram, draw_spreads
from rulekit.study import sweep_views as views
from rulekit.study.sweep_store import reading, rows_of

SIZE = 7.2, 4.6


def picture(path: Path, file: Path, kind: str) -> bytes:
    """The picture of a space; raises BadInput where the sweep lacks its figures."""
    with reading(file) as (_base, head):
        title = head.name
    rows = rows_of(file, "status = 'done' AND legal = 1")
    draw = VIEWS[kind](rows)

    def whole(figure: Figure) -> None:
        ax = figure.subplots()
        draw(ax)
        figure.suptitle(f"{title}: {len(rows):,} courses", x=0.01, ha="left", fontweight="bold")

    return render(whole, SIZE, suffix_of(path))


View = Callable[[views.Rows], Callable[[Axes], None]]


def _risk(rows: views.Rows) -> Callable[[Axes], None]:
    name = views.risk_of(rows)
    clouds = views.clouds(rows, "turns", name, views.letter)
    return lambda ax: draw_clouds(ax, clouds, "turns of the best race", views.RISKS[name], name != "crashes")


def _fairness(rows: views.Rows) -> Callable[[Axes], None]:
    clouds = views.fairness(rows)
    return lambda ax: draw_histogram(ax, clouds, "turns between the best and the worst start")


def _letter(rows: views.Rows) -> Callable[[Axes], None]:
    clouds = views.spreads_by(rows, "turns", views.letter)
    return lambda ax: draw_spreads(ax, clouds, "turns of the best race (box: half of the courses; line: 5 to 95 %)")


def _tiles(rows: views.Rows) -> Callable[[Axes], None]:
    bars = views.tile_bars(rows, "turns")
    return lambda ax: draw_effects(ax, bars, "turns longer with the light side up (mean, 95 %)")


def _route(rows: views.Rows) -> Callable[[Axes], None]:
    clouds = views.clouds(rows, "route", "turns", views.letter)
    return lambda ax: draw_clouds(ax, clouds, "steps of the shortest route", "turns of the best race")


VIEWS: dict[str, View] = {"risk": _risk, "fairness": _fairness, "letter": _letter, "tiles": _tiles, "route": _route}
"""The kinds of picture."""
