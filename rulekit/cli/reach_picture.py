"""From the standings of `reach` to a heat map. Imports matplotlib."""

from dataclasses import replace
from pathlib import Path

from rulekit.cli.reach_table import Reached, title
from rulekit.hexgrid import parse_hex
from rulekit.plot.figure import render, suffix_of
from rulekit.plot.heat import Heat
from rulekit.plot.picture import BoatMark, Picture, course_picture
from rulekit.plot.sheet import draw_sheet, sheet_size


def picture(path: Path, reached: Reached, fewest: bool) -> bytes:
    """The chances in percent, or the fewest turns, on the board; raises BadInput for a suffix that is no picture's."""
    suffix = suffix_of(path)
    heat = _fewest(reached) if fewest else _chances(reached)
    shown = _board(reached, fewest)
    return render(lambda figure: draw_sheet(figure, shown, heat), sheet_size(shown, heat), suffix)


def _board(reached: Reached, fewest: bool) -> Picture:
    waters, boat = reached.numbered.waters, reached.boat
    board = course_picture(waters.course, waters.readings, with_route=False)
    first, second = title(reached).split("\n")
    what = "Fewest turns to each hex with the best dice." if fewest else second
    marks = (BoatMark(boat.at, boat.facing),)
    lake = replace(board.lake, spots=())  # their letters would lie on the numbers
    return Picture(board.title, lake, board.course, board.lines, boats=marks, remarks=(first.split(": ", 1)[1], what))


def _chances(reached: Reached) -> Heat:
    at = reached.numbered.hexes
    values = {at[one.place]: 100 * one.chance for one in reached.found.standings}
    turns = reached.found.turns
    label = f"chance after {turns} {'turn' if turns == 1 else 'turns'} (%)"
    return Heat(values, label, 0.0, None, _percent)


def _percent(value: float) -> str:
    if not 0.5 <= value < 99.5 and value not in (0, 100):
        return "<1" if value < 1 else ">99"
    return f"{value:.0f}"


def _fewest(reached: Reached) -> Heat:
    values = {parse_hex(name): float(turn) for name, turn in reached.fewest.items()}
    return Heat(values, "fewest turns", 0.0, None, lambda value: f"{value:.0f}")
