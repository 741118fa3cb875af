"""A chart to play from on one sheet: a map a leg with a code at each side of a hex, and the tables to look codes up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rulekit.hexgrid import Facing, Hex
from rulekit.plot.board import board_box, draw_picture, fit
from rulekit.plot.palette import INK, MUTED, WATER
from rulekit.plot.picture import Picture
from rulekit.plot.plane import angle_of, away, centre
from rulekit.plot.shapes import cut_to, polygon, width_of, words

HEX = 0.62
"""Inches a hex on the maps."""

CELL, ROW = 0.44, 0.17
"""Inches: width and height of a table's cell."""

MARGIN, HEAD, LINE = 0.5, 0.7, 0.24

TITLE, CAPTION, REMARK = 0.34, 0.2, 0.16
"""Inches: sizes of the sheet's title, of those of maps and tables, and of remarks."""

NARROWEST = 7.0
"""Inches: no sheet is narrower between its margins, so that remarks stay a few lines."""


@dataclass(frozen=True)
class Leg:
    """One map: what is done on it, and the code at each side of its hexes."""

    title: str
    picture: Picture
    codes: Mapping[tuple[Hex, Facing], str]


@dataclass(frozen=True)
class Grid:
    """A table: its title, what its columns and rows are called, and its cells; `faint` cells are hardly ever read."""

    title: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[str]]
    faint: Sequence[Sequence[bool]]


@dataclass(frozen=True)
class Sheet:
    """All of a chart."""

    title: str
    remarks: Sequence[str]
    legs: Sequence[Leg]
    grids: Sequence[Grid]


@dataclass(frozen=True)
class _Plan:
    """The remarks in lines; inches: size of a map, maps in a row, the sheet's width and height, where the maps and the
    tables begin."""

    remarks: Sequence[str]
    map_width: float
    map_height: float
    across: int
    width: float
    height: float
    maps: float
    grids: float


def _plan(sheet: Sheet) -> _Plan:
    left, right, bottom, top = board_box(sheet.legs[0].picture)
    wide, high = (right - left) * HEX, (top - bottom) * HEX + LINE
    tables = sum(_grid_width(grid) + MARGIN for grid in sheet.grids) - MARGIN
    across = max(1, min(len(sheet.legs), round(max(tables, 1.5 * wide) / wide)))
    inside = max(tables, across * (wide + MARGIN) - MARGIN, NARROWEST)
    remarks = [line for remark in sheet.remarks for line in _lines(remark, inside)]
    maps = HEAD + LINE * (len(remarks) + 1) + MARGIN
    grids = maps + -(-len(sheet.legs) // across) * (high + MARGIN)
    height = grids + max(_grid_height(grid) for grid in sheet.grids) + MARGIN
    return _Plan(remarks, wide, high, across, inside + 2 * MARGIN, height, maps, grids)


def _lines(remark: str, width: float) -> Iterator[str]:
    """A remark in lines that are no wider than a width, unless a single word is."""
    line = ""
    for word in remark.split():
        longer = f"{line} {word}".strip()
        if line and width_of(longer, REMARK) > width:
            yield line
            longer = word
        line = longer
    yield line


def _grid_width(grid: Grid) -> float:
    """Of the cells or of the title, whichever is wider."""
    return max(_cells_width(grid), width_of(grid.title, CAPTION, "bold"))


def _cells_width(grid: Grid) -> float:
    return CELL * (len(grid.columns) + 2)


def _grid_height(grid: Grid) -> float:
    return ROW * (len(grid.rows) + 1) + 1.5 * LINE


def sheet_size(sheet: Sheet) -> tuple[float, float]:
    """Width and height in inches."""
    plan = _plan(sheet)
    return plan.width, plan.height


def draw_chart(figure: Figure, sheet: Sheet) -> None:
    """The chart on an empty figure of `sheet_size`."""
    figure.set_layout_engine("none")
    plan = _plan(sheet)
    page = figure.add_axes((0, 0, 1, 1))
    fit(page, (0, plan.width, -plan.height, 0))
    title = cut_to(sheet.title, TITLE, "bold", plan.width - 2 * MARGIN)
    words(page, (MARGIN, -HEAD), title, TITLE, "title", ha="left", weight="bold")
    for k, remark in enumerate(plan.remarks):
        words(page, (MARGIN, -HEAD - LINE * (k + 1.6)), remark, REMARK, "remark", ha="left")
    for k, leg in enumerate(sheet.legs):
        _draw_leg(figure, page, plan, k, leg)
    left = MARGIN
    for grid in sheet.grids:
        _draw_grid(page, grid, left, -plan.grids)
        left += _grid_width(grid) + MARGIN


def _draw_leg(figure: Figure, page: Axes, plan: _Plan, number: int, leg: Leg) -> None:
    line, column = divmod(number, plan.across)
    left = MARGIN + column * (plan.map_width + MARGIN)
    top = plan.maps + line * (plan.map_height + MARGIN)
    words(page, (left, -top - LINE / 2), leg.title, CAPTION, ha="left", weight="bold")
    low = plan.height - top - plan.map_height
    ax = figure.add_axes(
        (left / plan.width, low / plan.height, plan.map_width / plan.width, (plan.map_height - LINE) / plan.height)
    )
    fit(ax, board_box(leg.picture))
    draw_picture(ax, leg.picture)
    for (at, facing), code in leg.codes.items():
        point = away(centre(at), angle_of(facing), 0.33)
        size = 0.17 if len(code) < 3 else 0.14  # else two of three characters touch at neighbouring sides
        words(ax, point, code, size, halo=0.04, zorder=12, rotation=_upright(facing), rotation_mode="anchor")


def _upright(facing: Facing) -> float:
    """Degrees: along the side of the hex, never upside down."""
    return {0: -90.0, 1: -30.0, 2: 30.0, 3: 90.0, 4: -30.0, 5: 30.0}[int(facing)]


def _draw_grid(page: Axes, grid: Grid, left: float, top: float) -> None:
    words(page, (left, top - LINE / 2), grid.title, CAPTION, ha="left", weight="bold")
    high = top - 1.5 * LINE
    for column, name in enumerate(grid.columns):
        words(page, (left + CELL * (column + 2.5), high - ROW / 2), name, 0.14, weight="bold")
    for row, name in enumerate(grid.rows):
        y = high - ROW * (row + 1.5)
        if row % 2 == 0:
            right = left + _cells_width(grid)
            band = [(left, y - ROW / 2), (right, y - ROW / 2), (right, y + ROW / 2), (left, y + ROW / 2)]
            polygon(page, band, facecolor=WATER, zorder=0)
        words(page, (left + CELL * 1.7, y), name, 0.13, ha="right", weight="bold")
        for column, cell in enumerate(grid.cells[row]):
            ink = MUTED if grid.faint[row][column] else INK
            weight = "normal" if grid.faint[row][column] else "bold"
            words(page, (left + CELL * (column + 2.5), y), cell, 0.11, color=ink, weight=weight)
