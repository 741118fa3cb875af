"""The metrics' sections: figures grouped by what they are about, as one table and a few charts each."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulekit.report.charts import Dot, dots
from rulekit.report.measured import Measured
from rulekit.report.parts import Block, Column, Plot, Row, Section, Table


class Topic(NamedTuple):
    """A section of metrics: its name and title, the question that it answers, and its metrics' numbers."""

    name: str
    title: str
    lead: str
    numbers: frozenset[int]


TOPICS = (
    Topic("seats", "Seats", "Does it matter in which order the boats move? Seat 1 moves first, places last.",
          frozenset({1, 2, 3})),
    Topic("skill", "Ways to play", "Does play matter, does caution win, and which rules do anything?",
          frozenset({4, 22, 23, 24})),
    Topic("water", "Course and water", "How long is the course, where is it dangerous, and how much of it is used?",
          frozenset({17, 18, 19, 20})),
    Topic("endings", "How races end", "How long does it take, who arrives, and who sits out?",
          frozenset({5, 6, 25, 26})),
    Topic("tension", "Tension", "How close is it, how often does the lead change, and when is it decided?",
          frozenset(range(7, 13))),
    Topic("luck", "Luck and decisions", "How much is thrown, how much is chosen, and is there a choice at all?",
          frozenset({13, 14, 15, 16})),
    Topic("snowball", "Snowball", "Does an early lead stay, within a race and from race to race?", frozenset({21})),
    Topic("cars", "Races of cars", "What the cars of many races did.", frozenset({27})),
)  # fmt: skip
"""The sections in the order of the page; metrics of other numbers come under further figures."""

FURTHER = Topic("further", "Further figures", "", frozenset())

MOST_IN_TOPIC = 14
"""A metric with more figures gets a table of its own, folded away."""

MOST_SHOWN = 60
"""Rows of such a table on the page; its CSV file has all."""

CHARTED = range(3, MOST_IN_TOPIC + 1)
"""Numbers of figures that a chart tells better than a row each."""

FIGURE_COLUMNS = (
    Column("title", "figure", numeric=False),
    Column("of", "of", lambda row: str(row["of"]) or "all", numeric=False),
    Column("value", "value", lambda row: str(row["shown"])),
    Column("low", "95 % interval", lambda row: str(row["interval"])),
    Column("n", "n", lambda row: "–" if row["n"] is None else f"{row['n']:,}"),
    Column("note", "remark", lambda row: str(row["note"]), numeric=False),
)


def metric_sections(measured: Sequence[Measured]) -> Iterator[Section]:
    """A section for each topic of which something is known."""
    known = [one for one in measured if one.figures]
    placed = frozenset[int]().union(*(topic.numbers for topic in TOPICS))
    others = FURTHER._replace(numbers=frozenset(one.metric.number for one in known) - placed)
    for topic in (*TOPICS, others):
        own = [one for one in known if one.metric.number in topic.numbers]
        if own:
            yield Section(topic.name, topic.title, topic.lead, list(_blocks(topic, own)))


def _blocks(topic: Topic, own: Sequence[Measured]) -> Iterator[Block]:
    yield from (chart(one) for one in own if _is_charted(one))
    few = [one for one in own if len(one.figures) <= MOST_IN_TOPIC]
    if few:
        yield figures_table(f"{topic.name}-figures", f"{topic.title}: all figures", few)
    for one in own:
        if one not in few:
            yield figures_table(one.metric.name, one.metric.title, [one])


def figures_table(name: str, title: str, measured: Sequence[Measured]) -> Table:
    """Figures of metrics as a table; one of very many is folded away."""
    rows: list[Row] = [row for one in measured for row in one.rows]
    if len(measured) > 1:
        return Table(name, title, "What each tells, and what is good, stands under Method.", _columns(rows), rows)
    metric, many = measured[0].metric, len(rows) > MOST_IN_TOPIC
    caption = f"{metric.sentence} Good: {metric.good}."
    return Table(name, title, caption, _columns(rows), rows, MOST_SHOWN if many else None, many)


def _columns(rows: Sequence[Row]) -> Sequence[Column]:
    """The columns of figures without those that would be empty."""
    dull = {key for key in ("n", "note") if not any(row[key] for row in rows)}
    return [column for column in FIGURE_COLUMNS if column.key not in dull]


def _is_charted(one: Measured) -> bool:
    return len(one.known) in CHARTED and any(not figure.exact for figure in one.known)


def chart(one: Measured) -> Plot:
    """A metric's figures as dots with their intervals."""
    rows = [Dot(figure.label or "all", figure.value, figure.low, figure.high) for figure in one.known
            if figure.value is not None]  # fmt: skip
    metric = one.metric
    return dots(metric.name, metric.title, f"{metric.sentence} Good: {metric.good}.", rows, one.told)
