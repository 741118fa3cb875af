"""The files of a report: the page, and beside it every table as CSV and every drawing as SVG."""

import csv
import io
from collections.abc import Mapping

from rulekit.report.page import board_svg, html, plot_svg
from rulekit.report.parts import Board, Plot, Report, Table, Value


def files(report: Report) -> Mapping[str, str]:
    """The texts of the files beside the page, by their names."""
    found: dict[str, str] = {}
    for block in report.blocks():
        if isinstance(block, Table):
            found[f"{block.name}.csv"] = csv_text(block)
        elif isinstance(block, Plot):
            found[f"{block.name}.svg"] = plot_svg(block)
        elif isinstance(block, Board):
            found |= {f"{block.name}-{layer.name}.svg": board_svg(block, k) for k, layer in enumerate(block.layers)}
    return found


def page(report: Report) -> str:
    """The text of the page."""
    return html(report)


def csv_text(table: Table) -> str:
    """All rows of a table with all their keys; numbers with nine significant digits."""
    text = io.StringIO()
    rows = [[cell_text(row.get(key)) for key in table.keys] for row in table.rows]
    csv.writer(text, lineterminator="\n").writerows([table.keys, *rows])
    return text.getvalue()


def cell_text(value: Value) -> str:
    """A value in a CSV cell.

    >>> cell_text(1 / 3), cell_text(2), cell_text(None)
    ('0.333333333', '2', '')
    """
    return "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)
