"""From a report to one self-contained HTML page, and its drawings to SVG files."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rulekit.report.ink import number, shape, words
from rulekit.report.parts import Block, Board, Cell, Layer, Level, Plot, Report, Table, Value

SIGNS: dict[Level, tuple[str, str]] = {
    "alert": ("▲", "Change"),
    "watch": ("●", "Look at it"),
    "fine": ("✓", "Fine"),
    "unknown": ("?", "Not known"),
}
"""The sign and the word of each level of a statement: colour alone never tells it."""

LETTERS = "abcdefghij"
"""A layer of a board each, as it is called in the page's classes."""

DARK_STEP = 4
"""From this step on words in a cell are light."""


@dataclass(frozen=True)
class Group:
    """Blocks that stand together: plots side by side, or one board or table."""

    plots: Sequence[Plot] = ()
    board: Board | None = None
    table: Table | None = None


def grouped(blocks: Sequence[Block]) -> Iterator[Group]:
    """The blocks of a section, plots that follow each other put together."""
    for kind, own in groupby(blocks, type):
        if kind is Plot:
            yield Group(plots=[block for block in own if isinstance(block, Plot)])
        else:
            yield from (Group(board=block) if isinstance(block, Board) else Group(table=block) for block in own
                        if not isinstance(block, Plot))  # fmt: skip


def sort_value(value: Value) -> str:
    """What a cell is sorted by; nothing sorts last."""
    return "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)


def coded(text: str) -> Markup:
    """A text whose words between backticks are shown as commands.

    >>> print(coded("try `rulekit <x>`"))
    try <code>rulekit &lt;x&gt;</code>
    """
    parts = [escape(part) if not k % 2 else Markup("<code>{}</code>").format(part) for k, part in
             enumerate(text.split("`"))]  # fmt: skip
    return Markup("").join(parts)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("rulekit.report"), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    made.filters["coded"] = coded
    made.globals |= {"number": number, "grouped": grouped, "sort_value": sort_value, "letters": LETTERS, "signs": SIGNS}
    made.globals |= {"labelled": labelled, "dark_step": DARK_STEP}
    return made


def html(report: Report) -> str:
    """The page; nothing in it depends on the time, the place of the files or the number of workers."""
    script = _raw("page.js")
    text = _templates().get_template("page.html.j2").render(
        report=report, script=Markup(script), script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        style=Markup("\n".join(_raw(name) for name in ("theme.css", "drawing.css", "page.css"))),
    )  # fmt: skip
    return text.replace(" %", "\u00a0%")


def _raw(name: str) -> str:
    """A style sheet or script, with its loops unrolled."""
    return _templates().get_template(name).render()


def plot_svg(plot: Plot) -> str:
    """A plot as a file of its own."""
    return _drawing(plot.title, plot.elements, (0.0, 0.0, plot.width, plot.height), 1.5)


def board_svg(board: Board, layer: int) -> str:
    """A board coloured by one of its layers, as a file of its own, the legend below it."""
    left, top, width, height = board.box
    title = f"{board.title}: {board.layers[layer].title}"
    key = _key(board.layers[layer], left + 14, top + height)
    parts = [board.below, *_cells(board, layer), board.above, *_values(board, layer), *key]
    return _drawing(title, "".join(parts), (left, top, width, height + 44), 1.5)


def _cells(board: Board, layer: int) -> Iterator[str]:
    for cell in board.cells:
        step = cell.steps[layer]
        yield shape(cell.outline, "cell" if step is None else f"cell s{step}")


def _values(board: Board, layer: int) -> Iterator[str]:
    yield '<g class="value">'
    for step, cells in labelled(board, layer):
        yield f'<g class="h{step}{" dark" if step >= DARK_STEP else ""}">'
        yield from (words((cell.x, cell.y + 2.7), cell.texts[layer], "") for cell in cells)
        yield "</g>"
    yield "</g>"


def labelled(board: Board, layer: int) -> Iterator[tuple[int, list[Cell]]]:
    """The cells that have words in a layer, step by step."""
    for step in sorted({cell.steps[layer] or 0 for cell in board.cells}):
        yield step, [cell for cell in board.cells if cell.texts[layer] and cell.steps[layer] == step]


def _key(layer: Layer, left: float, top: float) -> Iterator[str]:
    yield words((left, top + 12), f"{layer.title}. {layer.caption}", "tick")
    for place, told in enumerate(layer.legend):
        x = left + 76 * place
        yield f'<rect class="s{place}" x="{number(x)}" y="{number(top + 22)}" width="16" height="11"/>'
        yield words((x + 20, top + 32), told, "tick")


def _drawing(title: str, elements: str, box: tuple[float, float, float, float], scale: float) -> str:
    style = Markup("\n".join(_raw(name) for name in ("theme.css", "drawing.css")))
    return _templates().get_template("drawing.svg.j2").render(
        title=title, elements=Markup(elements), box=box, scale=scale, style=style
    )  # fmt: skip
