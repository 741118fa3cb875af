"""`rulekit moves`: the referee. What a thrown boat or car can do."""

from time import perf_counter
from typing import Any

import click

from rulekit.cli.options import output_options, readings_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option

EPILOG = """\b
Examples:
  rulekit moves practice-a --at E4 --facing NE --dice 3,1,3
  rulekit moves practice-a --at E4 --facing NE --dice 2,2 --boats F3,G2 --damage 1
  rulekit moves practice-a --at E4 --facing NE --dice none -f json
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=FILE)
@click.option("--at", required=True, metavar="HEX", help="Where the boat stands, such as K14.")
@click.option("--facing", metavar="FACING", help="Its facing before the turn: E, NE, NW, W, SW or SE.")
@click.option("--dice", metavar="DICE", help="Its dice after the throw, such as 3,1,3, or none.")
@click.option("--progress", type=int, default=1, show_default=True, metavar="N", help="Gates that it has passed.")
@click.option("--damage", type=int, default=0, show_default=True, metavar="N", help="Damage counters on it.")
@click.option("--boats", metavar="HEXES", help="The other boats' hexes, such as K15,L14.")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """Every legal move after a throw, and what comes of it (PB-17 to PB-22, X1-4 to X1-10).

    --dice are the boat's dice as they lie after the roll. One row is one legal direction; the others are forbidden,
    and the table says why.
    """
    from rulekit.cli.moves_boat import boat_moves

    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    rows, readings, table = boat_moves(options, output)
    output.emit(Result("moves", rows, readings.answers(), timing={"seconds": perf_counter() - began}, table=table))
