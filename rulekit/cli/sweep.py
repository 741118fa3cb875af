"""`rulekit sweep`: many courses under many settings, and questions to what was found."""

from typing import Any

import click

from rulekit.cli.options import FORMATS, frame_options, jobs_option
from rulekit.cli.output import Output
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.cli.sweep_query import query

EPILOG = """\b
A plan is a text file, for example:
  format = "rulekit/sweep-1"
  name = "Lagoon, sampled"
  lakes = ["lagoon"]            # shipped names, or paths
  layouts = "shuffled"          # "own", or a list: [["1 2 3", "4 5r 6*"]]
  sides = "any"                 # of shuffled tiles: any, dark, light
  letters = ["A", "B"]          # buoys in every order on their spots
  readings = ["", "sink-at=3"]  # variants, as --reading takes them
  dice-max = 4
  sample = 500                  # by lot; without it every cell is swept
  seed = 1
  figures = ["route", "race"]   # also "risk" and "fewest"; all four unless told
  races = 200                   # of each line-up, unless 0 …
  policies = ["solo,solo"]      # … and the line-ups
and: sink-cost = 50, slack = 8 (steps off a shortest way that the best race
may go), tolerance = 0.01 (of values, in turns).

\b
Examples:
  rulekit sweep plan.toml -j 4              into plan.db; again: goes on
  rulekit sweep plan.toml -o lagoon.db --retry-failed
  rulekit sweep plan.toml --scheduler tcp://10.0.0.5:8786
  rulekit sweep plan.toml --want "turns 12..14, start-fairness < 1.5"
\b
  rulekit sweep query plan.db               what a file holds, and its columns
  rulekit sweep query plan.db "SELECT * FROM cells"
"""


class WithQuery(click.Command):
    """A command that hands over to another one where its first word is `query`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["query"]:
            return query.make_context(f"{info_name} query", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=WithQuery, epilog=EPILOG)
@click.argument("plan", metavar="PLAN", type=FILE)
@click.option("-o", "--output", metavar="FILE", help="The file of results.  [default: PLAN's name with .db, here]")
@click.option("-f", "--format", "fmt", type=click.Choice(FORMATS), default="table", show_default=True,
              help="Form of the summary, on stdout.")  # fmt: skip
@jobs_option
@click.option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster: its scheduler's address or file.")
@click.option("--retry-failed", is_flag=True, help="Work out cells again that have failed.")
@click.option("--want", metavar="WISHES", help='Then find courses with wanted figures: "turns 12..14, hurt < 20%".')
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="Number of courses to find.")  # fmt: skip
@click.option("--tries", type=click.IntRange(1), default=2000, show_default=True, metavar="N",
              help="Most cells to try besides the sample.")  # fmt: skip
@click.option("--courses", metavar="FOLDER", help="Where the courses found go.  [default: here]")
@stdin_filename_option
@frame_options
def command(**options: Any) -> None:
    """Work out every cell of PLAN: a lake, a layout, a letter, an order of the buoys, readings, a line-up.

    Results go into one SQLite file, which may be asked while the sweep runs. The same command goes on where it was
    broken off, by Ctrl-C or anything else; a larger sample in the plan is added to. Exit 3 while cells are missing
    because they failed. How long it will take is told before it starts.
    """
    from rulekit.cli.sweep_run import sweep

    output = Output(options["fmt"], overwrite=options["overwrite"], quiet=options["quiet"], verbose=options["verbose"])
    code = sweep(options, output)
    if code:
        click.get_current_context().exit(code)
