"""The printed form of a report: the verdict, then every table as the page shows it."""

from collections.abc import Iterator
from textwrap import fill
from typing import Any

from rulekit.cli.output import tabulated, terminal_width
from rulekit.report.parts import Report, Section, Statement, Table

COLUMNS = ("section", "table", "metric", "of", "value", "low", "high", "n", "unit", "note")
"""Keys of the flat forms."""


def rows(report: Report) -> list[dict[str, Any]]:
    """One for each figure of a metric, whichever table it stands in."""
    return [
        {"section": section.name, "table": table.name, **{key: row[key] for key in COLUMNS[2:]}}
        for section in report.sections
        for table in section.blocks
        if isinstance(table, Table)
        for row in table.rows
        if "metric" in row
    ]


def table(report: Report) -> str:
    """Everything for people."""
    return "\n\n".join(["\n".join(_head(report)), *(text for section in report.sections for text in _section(section))])


def _head(report: Report) -> Iterator[str]:
    yield f"{report.title}"
    yield _paragraph(report.subtitle)
    for paragraph in report.summary:
        yield _paragraph(paragraph)
    for statement in report.statements:
        yield ""
        yield from _statement(statement)
    if report.advice:
        yield "\nWhat to change, or try:"
        yield from (_paragraph(f"- {line}") for line in report.advice)
    yield f"\nAgain: {report.origin.command}"


def _statement(one: Statement) -> Iterator[str]:
    yield _paragraph(f"{one.question} {one.answer}")
    if one.detail:
        yield _paragraph(f"  {one.detail}")


def _section(section: Section) -> Iterator[str]:
    tables = [block for block in section.blocks if isinstance(block, Table)]
    if section.notes or tables:
        yield "\n".join([section.title.upper(), *map(_paragraph, section.notes)])
    yield from map(_table, tables)


def _table(one: Table) -> str:
    cells = [[column.text(row) for column in one.columns] for row in one.on_page]
    more = f"\n({len(one.rows) - len(one.on_page)} more rows: -f json)" if len(one.on_page) < len(one.rows) else ""
    return f"{one.title}\n{tabulated([column.head for column in one.columns], cells)}{more}"


def _paragraph(text: str) -> str:
    return fill(text, terminal_width(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
