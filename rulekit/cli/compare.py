"""`rulekit compare`: the same figures of two sides, with their differences and how sure these are."""

from typing import Any

import click

from rulekit.cli.options import jobs_option, output_options, readings_options, seed_option
from rulekit.cli.output import Output
from rulekit.cli.params import FILE

EPILOG = """\b
Examples:
  rulekit compare lagoon-a lagoon-b        which race is longer, which fairer
  rulekit compare lagoon-a --reading reroll=one
  rulekit compare lagoon-a --dice-max 4    what a dial does
  rulekit compare practice-a --readings all --plot readings.svg
  rulekit compare orchard --reading fuel=full --races 200
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--readings", "all_readings", type=click.Choice(["all"]), metavar="all",
              help="Try every other answer to every open question, and rank them by how much they matter.")  # fmt: skip
@click.option("--races", type=click.IntRange(2), default=2000, show_default=True, metavar="N",
              help="Number of races (or matches) of each side.")  # fmt: skip
@click.option("--players", type=int, metavar="N",
              help="Number of boats, 2 to 6, or of players with three cars each, 2 to 4.  [default: 4, with cars 2; or "
                   "one a policy]")  # fmt: skip
@click.option("--policy", metavar="NAMES", help="Who plays, as in `simulate`.  [default: solo]")
@click.option("--rotate/--no-rotate", default=True, show_default=True,
              help="Move the policies on by one seat after each match.")  # fmt: skip
@click.option("--turn-cap", type=click.IntRange(1, 100_000), default=500, show_default=True, metavar="N",
              help="Give a match up when a boat has taken so many turns in a race.")  # fmt: skip
@click.option("--force", is_flag=True, help="Take a course with rule faults all the same.")
@click.option("--plot", metavar="FILE", help="Draw the differences (svg, png, pdf).")
@seed_option
@jobs_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """Compare two courses or tracks; or one, or a match over three courses or more, under two readings or dials.

    Two are compared under the same readings; one is compared with itself under those of --reading and --dice-max. The
    best solo race is compared exactly. Races are compared in pairs, race by race on the same random
    numbers, so that small differences show: each is told with its interval of 95 %, a p-value that allows for how many
    are read at once (Holm's), and its size in parts of the spread that races have anyway (Cohen's d).
    """
    from rulekit.cli.compare_run import compare

    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"])
    compare(options, output)
