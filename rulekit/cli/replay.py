"""`rulekit replay`: checks a written game move by move."""

from time import perf_counter
from typing import Any

import click

from rulekit.cli.options import output_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import stdin_filename_option

EPILOG = """\b
Examples:
  rulekit replay match.txt              legal or not, and the standings
  rulekit replay match.txt -f json      every place, point and finding
  rulekit replay - < match.txt

\b
A transcript, as a person writes it at the table:
  rulekit transcript 1
  course: practice-a                  # a line for each race
  readings: sink-at=3                 # what differs from the default, if anything
  seat 1: Ann
  seat 2: Ben
  start: 2                            # who starts the first race

\b
  race 1
  place 1: C3 E                       # the start player places last
  place 2: B5 E
  2: + 3  E E5                        # seat 2 rolls one die, a 3: E to E5
  1: none  SE C3                      # only turns
  2: 3 + 1  SE G9                     # keeps the 3, adds a die: a 1
  1: + 3  SE D6
  2: 1  E H9                          # drops the 3
  1: 3 + 3  SE F10  damage 2          # a crash; damage: counters on the boat now

\b
`finished`, `sunk`, results and standings may stand there too: they are checked.
The end hex of a boat that flies off the lake is written `out`.
"""


@click.command(epilog=EPILOG)
@click.argument("transcript")
@stdin_filename_option
@output_options
def command(**options: Any) -> int:
    """Check a written game move by move, and tell the standings.

    The first illegal move is told with its line, the rule that forbids it, and what was legal. Exit code 1 where
    anything is wrong with the game, 2 where the file cannot be read.
    """
    from rulekit.cli.replay_table import report_text, rows
    from rulekit.files.source import read_source
    from rulekit.simulate.verdict import judge

    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check()
    verdict = judge(read_source(options["transcript"], options["stdin_filename"]))
    output.warn(verdict.warnings)
    if options["fmt"] in ("csv", "markdown"):
        output.warn(verdict.findings)
    output.emit(
        Result(
            "replay",
            rows(verdict),
            verdict.readings.answers(),
            more=verdict.record(),
            timing={"seconds": perf_counter() - began},
            table=lambda: report_text(verdict),
        )
    )
    return 1 if verdict.findings else 0
