"""From solved races to pictures: what is drawn of them, as plain numbers. Imports matplotlib."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np

from rulekit.cli.output import plural
from rulekit.cli.solve_table import percent, place
from rulekit.plot.figure import render, suffix_of
from rulekit.plot.heat import Heat
from rulekit.plot.picture import course_picture
from rulekit.plot.sheet import draw_sheet, sheet_size
from rulekit.plot.solve import SIZE, draw_deadline, draw_finishing, draw_front
from rulekit.solve.best import Best, Deadline, Trade

TINY = 1e-4
"""Finishing turns with less are not drawn."""

SELDOM = 1e-5
"""What happens less often in a race leaves the water plain."""

PLAIN = "Plain water: fewer than 1 in 100,000 races."


def best_picture(path: Path, kind: str, best: Best, progress: int = 1) -> bytes:
    """The finishing turns of the best race, or a map of it; `progress` is that of the boats whose values are drawn."""
    return _finishing(path, best) if kind == "turns" else _map(path, kind, best, progress)


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


def _map(path: Path, kind: str, best: Best, progress: int) -> bytes:
    heat, what = _values(best, progress) if kind == "value" else _counts(kind, best)
    waters = best.numbered.waters
    picture = course_picture(waters.course, waters.readings, with_route=False)
    lake = replace(picture.lake, spots=())  # their letters would lie on the numbers
    remark = f"Best race from {place(best.start.boat)}; sinking counts as {best.solution.sunk:g} turns."
    plain = (PLAIN,) if heat and kind != "value" else ()
    remarks = (*picture.remarks, remark, *plain)
    picture = replace(picture, title=f"{picture.title}: {what}", lake=lake, remarks=remarks)
    return render(lambda figure: draw_sheet(figure, picture, heat), sheet_size(picture, heat), suffix_of(path))


def _values(best: Best, progress: int) -> tuple[Heat, str]:
    found = zip(best.numbered.hexes, rest_values(best, progress), strict=True)
    values = {at: value for at, value in found if isfinite(value)}
    label = f"expected turns + {best.solution.sunk:g} × chance of sinking, without dice, best facing"
    what = f"turns left after {plural(progress, 'gate')}"
    return Heat(values, label, text=lambda value: f"{value:.0f}"), what


def _counts(kind: str, best: Best) -> tuple[Heat | None, str]:
    """How often a thing happens on each hex, and the title; no map where it never happens."""
    passage = best.passage
    counts, label, what, never = {
        "crash": (passage.crashes, "moves with damage that end here", "where boats are damaged", "no boat is damaged"),
        "sink": (passage.sinkings, "boats that sink here", "where boats sink", "no boat sinks"),
        "visits": (passage.visits, "turns that begin here", "where boats stop", "no boat stops"),
    }[kind]
    named = zip(best.numbered.hexes, counts, strict=True)
    values = {at: 100 * float(count) for at, count in named if count > SELDOM}
    if not values:
        return None, never if counts.sum() < 1e-12 else f"almost {never}"
    return Heat(values, f"{label}, in 100 races (colours by the square root)", low=0.0, text=_short, root=True), what


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 9.5 else f"{value:.1f}" if value >= 0.05 else "<0.1"


def rest_values(best: Best, progress: int = 1) -> list[float]:
    """The value of a boat without dice on each hex that has passed so many gates, in its best facing."""
    states = best.solution.states()[best.start.boat.damage, min(progress, best.solution.race.progresses - 1), :, 0]
    return [float(value) for value in np.min(states, axis=-1)]


def deadline_picture(path: Path, name: str, found: Deadline) -> bytes:
    """The greatest chance to finish by number of turns."""
    points = [(turn, chance) for turn, chance in enumerate(found.chances, 1) if chance > TINY]
    within = plural(len(found.chances), "turn")
    note = f"each number of turns played for by itself; for {within} from {place(found.start.boat)}"
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
