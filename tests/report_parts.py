"""Reports for tests: one made by hand, in which every kind of block stands with a name that means harm."""

from rulekit.report.charts import Dot, Series, bars, curves, dots
from rulekit.report.ink import path
from rulekit.report.parts import (
    Board,
    Cell,
    Column,
    Input,
    Layer,
    Method,
    Origin,
    Report,
    Row,
    Section,
    Statement,
    Table,
)

HARM = "<script>alert(1)</script>"
"""A name that would run in a page that trusts it."""


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def board() -> Board:
    """Nine squares in three rows, with two layers; the one in the middle has no value in the first."""
    layers = [Layer("risk", "Risk", "Chance.", ["0–1"] * 7), Layer("value", f"Value {HARM}", "Turns.", ["1–2"] * 7)]
    cells = []
    for row in range(3):
        for column in range(3):
            x, y, k = 20.0 * column, 20.0 * row, 3 * row + column
            square = path([(x, y), (x + 18, y), (x + 18, y + 18), (x, y + 18)])
            steps = [None if k == 4 else k % 7, 6 - k % 7]
            cells.append(Cell(f"H{k}", square, x + 9, y + 9, f"H{k}: risk {k} %", steps, ["", str(k)], row))
    return Board("board", HARM, f"Caption {HARM}", layers, cells, "", "", (-5.0, -5.0, 70.0, 70.0), "hex")


def table(name: str = "numbers", folded: bool = False) -> Table:
    """Three rows whose numbers sort otherwise than their words; one has none."""
    rows: list[Row] = [
        {"name": "b", "value": 10.0, "low": 1 / 3},
        {"name": HARM, "value": None, "low": None},
        {"name": "a", "value": 9.0, "low": 2.0},
    ]
    columns = (
        Column("name", "name", numeric=False),
        Column("value", "value", lambda row: "–" if row["value"] is None else f"{row['value']:.1f}"),
    )
    return Table(name, f"Numbers {HARM}", f"Caption {HARM}", columns, rows, folded=folded)


def report() -> Report:
    """A report of a course with a name that means harm."""
    lines = [Series(HARM, [(0.0, 1.0), (1.0, 2.0)], [HARM]), Series("b", [(0.0, 0.5), (2.0, 1.0)])]
    plots = [
        dots("dots", f"Dots {HARM}", "Caption", [Dot(HARM, 0.5, 0.2, 0.9), Dot("b", 0.1)], percent, (0.25, "even")),
        bars("bars", "Bars", "Caption", [(3, 0.25), (5, 0.75)], HARM),
        curves("curves", "Curves", "Caption", lines, ("across", str), (HARM, str)),
    ]
    sections = [
        Section("where", f"Where {HARM}", HARM, [board(), table()]),
        Section("more", "More", "", [*plots, table("folded", folded=True)], [f"Note {HARM}"]),
    ]
    statements = [
        Statement("alert", f"Question {HARM}?", f"Answer {HARM}.", f"Detail `{HARM}`."),
        Statement("watch", "Second?", "Perhaps."),
        Statement("fine", "Third?", "Yes."),
        Statement("unknown", "Fourth?", "Nobody knows."),
    ]
    origin = Origin(f"rulekit report '{HARM}' --seed 1", 1, {"rulekit": "0.1.0", "Python": "3.11"},
                    {"reroll": "any"}, [Input(HARM, "course", "0" * 64)])  # fmt: skip
    return Report("course", HARM, f"Subtitle {HARM}", [f"Summary {HARM}"], statements, [f"Advice `{HARM}`"], sections,
                  [Method("A", f"Sentence {HARM}", "good", 1)], origin)  # fmt: skip
