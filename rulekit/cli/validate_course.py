"""`rulekit validate-course`: the verdict on lakes, courses and tracks."""

from collections.abc import Set
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.options import output_options, powerboats_readings, ps_readings, readings_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.errors import BadInput, Unreadable
from rulekit.files.source import Source, read_source
from rulekit.readings import PowerboatsReadings, PsReadings, Readings

if TYPE_CHECKING:
    from rulekit.graphs.verdict import Verdict

COLUMNS = ["file", "kind", "name", "valid", "errors", "warnings", "findings"]

EPILOG = """\b
Examples:
  rulekit validate-course lagoon-a          a course that ships
  rulekit validate-course lagoon            a lake: land, passages, bays
  rulekit validate-course my/*.toml -f csv  a line for each file
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> int:
    """Check lakes, courses and tracks: file faults, then rule faults, each with its place and how to mend it.

    A course is checked for the strip, the arrows (no full circle, in exact integers) and a route; warnings tell of dead
    water, of legs that cannot keep apart, and of nearly straight legs. Exit code 1 where an error was found, 2 where a
    file cannot be read.
    """
    if options["files"].count("-") > 1:
        raise BadInput("- (standard input) can be read once only: name it once")
    from rulekit.cli.validate_table import verdicts_text
    from rulekit.graphs.verdict import judge_source, kind_told, unreadable

    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check()
    sources = [_opened(file, options["stdin_filename"]) for file in options["files"]]
    kinds = {kind_told(source) for source in sources if isinstance(source, Source)}
    boats, told = readings_for(kinds, options["reading"], options["dice_max"])
    verdicts = [
        judge_source(source, boats) if isinstance(source, Source) else unreadable(file, source)
        for file, source in zip(options["files"], sources, strict=True)
    ]
    output.emit(
        Result(
            "validate-course",
            [_row(verdict, output.fmt) for verdict in verdicts],
            told.answers(),
            timing={"seconds": perf_counter() - began},
            table=lambda: verdicts_text(verdicts, options["verbose"]),
            columns=COLUMNS,
        )
    )
    return max(verdict.exit_code for verdict in verdicts)


def _opened(name: str, stdin_filename: str | None) -> Source | Unreadable:
    try:
        return read_source(name, stdin_filename)
    except Unreadable as fault:
        return fault


def readings_for(
    kinds: Set[str | None], reading: tuple[str, ...], dice_max: str | None
) -> tuple[PowerboatsReadings, Readings]:
    """The readings for courses, and those to be told: of PS where all files are tracks.

    Among files of both games each text goes to the game that knows its name; the check of a track depends on none.
    Raises BadInput for an unknown name or answer.
    """
    if kinds == {"track"}:
        return PowerboatsReadings(), ps_readings(reading, dice_max)
    cars = tuple(text for text in reading if text.partition("=")[0].strip() in PsReadings().answers())
    if "track" in kinds:
        ps_readings(cars)
        reading = tuple(text for text in reading if text not in cars)
    boats = powerboats_readings(reading, dice_max)
    return boats, boats


def _row(verdict: "Verdict", fmt: str) -> dict[str, Any]:
    """The row of a file; in the flat forms its findings stand in one cell, as the table tells them."""
    row: dict[str, Any] = dict(verdict.row())
    return row if fmt == "json" else {**row, "findings": "; ".join(map(str, verdict.findings))}
