"""`rulekit moves`: the referee. What a thrown boat or car can do."""

from time import perf_counter
from typing import Any

import click

from rulekit.cli.options import output_options, readings_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.errors import BadInput

EPILOG = """\b
Examples:
  rulekit moves practice-a --at E4 --facing NE --dice 3,1,3
  rulekit moves practice-a --at E4 --facing NE --dice 2,2 --boats F3,G2
  rulekit moves practice-a --at E4 --facing NE --dice none -f json
  rulekit moves orchard --at "main left 3" --die red --value 5
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=FILE)
@click.option("--at", required=True, metavar="PLACE", help="Where it stands: a hex such as K14; a space of a track.")
@click.option("--facing", metavar="FACING", help="Its facing before the turn: E, NE, NW, W, SW or SE.")
@click.option("--dice", metavar="DICE", help="Its dice after the throw, such as 3,1,3, or none.")
@click.option("--progress", type=int, default=1, show_default=True, metavar="N", help="Gates that it has passed.")
@click.option("--damage", type=int, default=0, show_default=True, metavar="N", help="Damage counters on it.")
@click.option("--boats", metavar="HEXES", help="The other boats' hexes, such as K15,L14.")
@click.option("--die", type=click.Choice(["blue", "red", "yellow"]), help="A car: the colour of its die.")
@click.option("--value", type=click.IntRange(1, 999), metavar="N", help="A car: what the die shows.")
@click.option("--cars", multiple=True, metavar="SPACE", help="A car: another car's space.  Repeatable.")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """Every legal move after a throw, and what comes of it.

    On a course, --dice are the boat's dice as they lie after the roll; one row is one legal direction, and the table
    says why the others are closed (PB-17 to PB-22, X1-4 to X1-10). On a track, one row is one end of the move of a car
    whose die shows --value (PS-9 to PS-18, PS-21).
    """
    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check()
    rows, readings, table = _moves(options, output)
    output.emit(Result("moves", rows, readings.answers(), timing={"seconds": perf_counter() - began}, table=table))


def _moves(options: dict[str, Any], output: Output) -> Any:
    from rulekit.cli.moves_boat import boat_moves
    from rulekit.cli.moves_car import car_moves
    from rulekit.files.kinds import read_any
    from rulekit.files.source import read_source
    from rulekit.files.track import TrackFile

    found = read_any(read_source(options["file"], options["stdin_filename"]))
    own = ("die", "value", "cars") if not isinstance(found, TrackFile) else ("facing", "dice", "boats")
    wrong = [f"--{name}" for name in own if options[name]]
    if wrong:
        raise BadInput(f"{wrong[0]} is no option for a {'track' if isinstance(found, TrackFile) else 'course'}")
    return car_moves(found, options, output) if isinstance(found, TrackFile) else boat_moves(found, options, output)
