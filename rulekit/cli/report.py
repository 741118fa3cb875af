"""`rulekit report`: a balance report of a course, a match, a lake or a track."""

from typing import Any

import click

from rulekit.cli.options import output_options, readings_options, seed_option
from rulekit.cli.output import Output
from rulekit.cli.params import FILE, stdin_filename_option

EPILOG = """\b
Examples:
  rulekit report lagoon-a -o report.html    a page, its tables and drawings
  rulekit report practice-a --races 500 --seed 7     in the terminal
  rulekit report lagoon-a lagoon-b lagoon-c -o match.html
  rulekit report practice --spots A -o atlas.html    a lake's courses
  rulekit report lagoon --sample 12 -o atlas.html    … some by lot
  rulekit report orchard -o orchard.html    a circuit
  rulekit report --atlas plan.db -o space.html       a swept space
  rulekit report lagoon-a -f json           every figure, for programs
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, type=FILE)
@click.option("--players", type=int, metavar="N",
              help="Number of boats, 2 to 6; on a track of players with three cars each, 2 to 4.  [default: 4, cars 2; "
                   "or one a policy]")  # fmt: skip
@click.option("--policy", metavar="NAMES",
              help="Who plays: random, greedy, cautious, solo, racer, lookahead (cars: blocker); one a seat with "
                   "commas between, or one for all.  [default: solo]")  # fmt: skip
@click.option("--races", type=click.IntRange(1), metavar="N",
              help="Number of races (matches, where several courses are given).  [default: 2000; fewer with "
                   "slow policies]")  # fmt: skip
@click.option("--spots", multiple=True, metavar="A|B|C", help="Lake: the letters whose courses are told.  Repeatable.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Lake: only so many of the courses, drawn by lot.")
@click.option("--atlas", metavar="SWEEP.db", help="Instead of FILE: the page of a space that `rulekit sweep` swept.")
@click.option("--timestamp", is_flag=True, help="Tell on the page when it was made; no two pages are the same then.")
@seed_option
@click.option("-j", "--jobs", type=click.IntRange(1), help="Number of workers.  [default: all cores]")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """Tell whether a course is fair, fast and exciting, how sure that is, and where to look.

    One FILE is a course, a lake (an atlas of all its legal courses) or a track; several are the courses of a match.
    -o NAME.html writes a page that needs nothing else, and NAME-files/ beside it with every table as CSV and every
    drawing as SVG. Without it the same figures are printed. The same seed gives the same bytes, whatever -j.
    """
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    if options["atlas"]:
        from rulekit.cli.report_atlas import report_atlas

        report_atlas(options, output)
        return
    if not options["files"]:
        raise click.UsageError("Missing argument 'FILE...'.")
    from rulekit.cli.report_run import report

    report(options, output)
