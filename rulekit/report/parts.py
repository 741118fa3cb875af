"""What a report is made of, before it is HTML, CSV or JSON: plain values in the order in which they are read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Value = str | int | float | None
Row = Mapping[str, Value]
Level = Literal["alert", "watch", "fine", "unknown"]
"""How urgent a statement is: something to change, something to look at, nothing to do, nothing known."""


@dataclass(frozen=True)
class Statement:
    """A question that a designer asks, the answer in a few words, and what it rests on."""

    level: Level
    question: str
    answer: str
    detail: str = ""


@dataclass(frozen=True)
class Column:
    """A column: its key in the rows (and its head in CSV), its head on the page, and how a row is shown in it.

    Rows are sorted by the value under the key; `numeric` columns are set flush right.
    """

    key: str
    head: str
    show: Callable[[Row], str] | None = None
    numeric: bool = True

    def text(self, row: Row) -> str:
        """What stands in the cell."""
        if self.show:
            return self.show(row)
        value = row.get(self.key)
        return "–" if value is None else str(value)


@dataclass(frozen=True)
class Table:
    """A table: the page shows the first `shown` rows, its CSV file `name`.csv has all of them and every key."""

    name: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    shown: int | None = None
    folded: bool = False
    """Whether the page shows it only to those who open it."""

    @property
    def on_page(self) -> Sequence[Row]:
        """The rows that the page shows."""
        return self.rows[: self.shown]

    @property
    def keys(self) -> list[str]:
        """All keys of the rows, in the order in which they come up."""
        return list(dict.fromkeys(key for row in self.rows for key in row)) or [column.key for column in self.columns]


@dataclass(frozen=True)
class Plot:
    """A drawing: SVG elements in a box `width` × `height`, in words for those who do not see it."""

    name: str
    title: str
    caption: str
    elements: str
    width: float
    height: float
    told: str


@dataclass(frozen=True)
class Layer:
    """One way to colour a board: `steps` of rising values with their legend, `unit` and what it tells."""

    name: str
    title: str
    caption: str
    legend: Sequence[str]


@dataclass(frozen=True)
class Cell:
    """A hex or space that answers: its outline and middle, its words, and in each layer its step and short text."""

    name: str
    outline: str
    x: float
    y: float
    told: str
    steps: Sequence[int | None]
    texts: Sequence[str]
    row: int = 0


@dataclass(frozen=True)
class Board:
    """A board or circuit with layers of values; `below` and `above` are the SVG elements under and over the cells."""

    name: str
    title: str
    caption: str
    layers: Sequence[Layer]
    cells: Sequence[Cell]
    below: str
    above: str
    box: tuple[float, float, float, float]
    """Left, top, width, height."""

    said: str
    """What the cells are called: hex, space."""

    rotate: bool = False


Block = Table | Plot | Board


@dataclass(frozen=True)
class Section:
    """A part of the page with its own heading."""

    name: str
    title: str
    lead: str
    blocks: Sequence[Block] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Method:
    """How a figure is to be read: its number in the list of metrics (None: none), its sentence, what is good."""

    title: str
    sentence: str
    good: str = ""
    number: int | None = None


@dataclass(frozen=True)
class Input:
    """A file that the report rests on, with the sha256 of its bytes."""

    name: str
    kind: str
    sha256: str


@dataclass(frozen=True)
class Origin:
    """How to make the report again: command line, seed, versions, readings, inputs, and a time only where asked."""

    command: str
    seed: int
    versions: Mapping[str, str]
    readings: Mapping[str, str]
    inputs: Sequence[Input]
    time: str | None = None


@dataclass(frozen=True)
class Report:
    """All of a report."""

    kind: str
    title: str
    subtitle: str
    summary: Sequence[str]
    statements: Sequence[Statement]
    advice: Sequence[str]
    sections: Sequence[Section]
    methods: Sequence[Method]
    origin: Origin
    timing: Mapping[str, float] = field(default_factory=dict)

    def blocks(self) -> Iterator[Block]:
        """All blocks, section by section."""
        return (block for section in self.sections for block in section.blocks)

    @property
    def tables(self) -> list[Table]:
        """All tables."""
        return [block for block in self.blocks() if isinstance(block, Table)]
