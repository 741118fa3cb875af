"""From solved races to pictures: what is drawn of them, as plain numbers. Imports matplotlib."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np

from rulekit.cli.solve_table import percent, place
from rulekit.plot.figure import render, suffix_of
from rulekit.plot.heat import Heat
from rulekit.plot.picture import course_picture
from rulekit.plot.sheet import draw_sheet, sheet_size
from rulekit.plot.solve import SIZE, draw_deadline, draw_finishing, draw_front
from rulekit.solve.best import Best, Deadline, Trade

TINY = 1e-4
"""Finishing turns with less are not drawn."""


def best_picture(path: Path, kind: str, best: Best) -> bytes:
    """The finishing turns of the best race, or a map of it."""
    return _finishing(path, best) if kind == "turns" else _map(path, kind, best)


def _finishing(path: Path, best: Best) -> bytes:
    finished = best.passage.finished
    chances = [(turn, float(chance)) for turn, chance in enumerate(finished, 1) if chance > TINY]
    shown = range(min(turn for turn, _ in chances), max(turn for turn, _ in chances) + 1) if chances else range(0)
    points = [(turn, float(finished[turn - 1])) for turn in shown]
    title = f"{_name(best)}: the turn in which the best race finishes"
    note = (
        f"from {place(best.start.boat)}, {best.passage.turns:.2f} turns in the mean, "
        f"sunk in {percent(best.passage.sink)} (sink cost {best.solution.sunk:g})"
    )
    return render(lambda figure: draw_finishing(figure, title, points, note), SIZE, suffix_of(path))


def _map(path: Path, kind: str, best: Best) -> bytes:
    heat, what = _heat(kind, best)
    waters = best.numbered.waters
    picture = course_picture(waters.course, waters.readings, with_route=False)
    lake = replace(picture.lake, spots=())  # their letters would lie on the numbers
    remark = f"Best race from {place(best.start.boat)}; sinking counts as {best.solution.sunk:g} turns."
    picture = replace(picture, title=f"{picture.title}: {what}", lake=lake, remarks=(*picture.remarks, remark))
    return render(lambda figure: draw_sheet(figure, picture, heat), sheet_size(picture, heat), suffix_of(path))


def _heat(kind: str, best: Best) -> tuple[Heat, str]:
    passage, hexes = best.passage, best.numbered.hexes
    if kind == "value":
        strip = set(best.numbered.waters.course.strip)  # its chequers would hide them; the table has these values
        found = zip(hexes, rest_values(best), strict=True)
        values = {at: value for at, value in found if isfinite(value) and at not in strip}
        label = f"expected turns + {best.solution.sunk:g} × chance of sinking, at rest after the start, best facing"
        return Heat(values, label, text=lambda value: f"{value:.0f}"), "turns to the finish"
    counts, label, what = {
        "crash": (passage.crashes, "moves with damage that end here, in 100 races", "where boats are damaged"),
        "sink": (passage.sinkings, "boats that sink here, in 100 races", "where boats sink"),
        "visits": (passage.visits, "turns that begin here, in 100 races", "where boats stop"),
    }[kind]
    values = {at: 100 * float(count) for at, count in zip(hexes, counts, strict=True)}
    return Heat(values, label, low=0.0, text=_short), what


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 9.5 else f"{value:.1f}" if value >= 0.05 else ""


def rest_values(best: Best) -> list[float]:
    """The value of a boat without dice and damage on each hex that has just started, in its best facing."""
    states = best.solution.states()[best.start.boat.damage, min(1, best.solution.race.progresses - 1), :, 0]
    return [float(value) for value in np.min(states, axis=-1)]


def deadline_picture(path: Path, name: str, found: Deadline) -> bytes:
    """The greatest chance to finish by number of turns."""
    points = [(turn, chance) for turn, chance in enumerate(found.chances, 1) if chance > TINY]
    note = f"each number of turns played for by itself; for {len(found.chances)} turns from {place(found.start.boat)}"
    title = f"{name}: the greatest chance to finish in time"
    return render(lambda figure: draw_deadline(figure, title, points, note), SIZE, suffix_of(path))


def front_picture(path: Path, name: str, trades: Sequence[Trade]) -> bytes:
    """The Pareto front."""
    points = [(trade.turns, trade.sink, trade.sink_cost) for trade in trades]
    note = "each point is the best race where sinking counts as so many turns as it says"
    finishing = [point for point in points if point[1] <= 0.5]
    if 0 < len(finishing) < len(points):
        points, note = finishing, f"{note}\n(races that sink on purpose are left out)"
    title = f"{name}: turns against the risk of sinking"
    return render(lambda figure: draw_front(figure, title, points, note), SIZE, suffix_of(path))


def _name(best: Best) -> str:
    return best.numbered.waters.course.name
