"""`rulekit limits`: what the curves of a circuit do, and whether limits and marks are what the geometry says."""

from pathlib import Path
from time import perf_counter
from typing import Any

import click

from rulekit.cli.options import output_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.errors import FileFaults, errors_in
from rulekit.readings import PsReadings

COLUMNS = ["section", "lane", "column", "front_of", "mark", "earned", "speeds_safe", "speeds_fly", "fly"]

EPILOG = """\b
Examples:
  rulekit limits orchard                verdict, curves, marks that disagree
  rulekit limits orchard --all          every space in front of and in a curve
  rulekit limits orchard --plot risk.svg --die yellow
  rulekit limits my-track.toml -f json
  rulekit limits orchard --reading triangle=aid
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=FILE)
@click.option("--all", "every", is_flag=True, help="Table: every space, not only those whose marks disagree.")
@click.option("--plot", metavar="FILE", help="Draw the circuit coloured by the risk of flying (.svg, .png, .pdf).")
@click.option(
    "--die",
    type=click.Choice(["blue", "red", "yellow"]),
    default="red",
    show_default=True,
    help="The die whose risk --plot shows.",
)
@click.option("--reading", multiple=True, metavar="NAME=ANSWER", help="Answer an open question of PS.  Repeatable.")
@stdin_filename_option
@output_options
def command(**options: Any) -> int:
    """Curve speed limits of a PS circuit: speeds that pass and fly, marks printed against marks earned.

    For every space in front of and in a curve: which speeds make all their steps, how likely each die leaves no way but
    flying (red's sixes summed exactly), and whether triangle, sigma and mu are what the geometry earns. For every
    curve: idle, deadly or closed, what a limit one lower or higher would do, the best lane and colour to come in by.
    Exit code 1 where marks and geometry disagree.
    """
    from rulekit.cli.limits_table import Limits
    from rulekit.files.source import read_source
    from rulekit.files.track import read_track

    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"])
    readings = PsReadings.parse(options["reading"])
    plot = options["plot"]
    try:
        file = read_track(read_source(options["file"], options["stdin_filename"]))
    except FileFaults as broken:
        return _broken(broken, readings, output)
    limits = Limits(file, readings)
    if plot is not None:
        _plot(Path(plot), limits, options["die"], output)
    faults = limits.faults
    output.emit(
        Result(
            "limits",
            limits.rows(),
            readings.answers(),
            more={"curves": limits.curves(), "findings": [_told(fault) for fault in faults]},
            timing={"seconds": perf_counter() - began},
            table=lambda: limits.table(options["every"]),
            columns=COLUMNS,
        )
    )
    return 1 if errors_in(faults) else 0


def _plot(path: Path, limits: Any, die: str, output: Output) -> None:
    from rulekit.cli.limits_picture import picture

    output.write(path, picture(limits, die, path.suffix.lower()))


def _broken(faults: FileFaults, readings: PsReadings, output: Output) -> int:
    """A file with faults of its own: they are the result."""
    output.emit(
        Result(
            "limits",
            [],
            readings.answers(),
            more={"curves": [], "findings": [_told(fault) for fault in faults.faults]},
            table=lambda: str(faults),
            columns=COLUMNS,
        )
    )
    return 1


def _told(fault: Any) -> dict[str, Any]:
    return {key: getattr(fault, key) for key in ("severity", "code", "rule", "line", "column", "message")}
