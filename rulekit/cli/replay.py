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
  readings: sink-at=3                 # what differs from the default, if any
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
  1: 3 + 3  SE F10  damage 2          # a crash; damage: counters on the boat

\b
`finished`, `sunk`, results and standings may stand there: they are checked.
The end hex of a boat that flies off the lake is written `out`.

\b
A car race has a track; cars A, B, C are those of seat 1, D, E, F of seat 2:
  rulekit transcript 1
  track: orchard
  laps: 4                             # what differs from the track's own
  seat 1: Ann
  seat 2: Ben

\b
  grid A: 2 3 2                       # three blue dice each for the line-up:
  grid D: 1 1 3                       # first A and D, then B and E, C and F
  grid B: 1 3 2 again 3 3 3           # equal sums throw again
  grid E: 3 1 2 again 2 2 2
  grid C: 1 3 3
  grid F: 2 2 2
  begin 1: 1 1 2                      # and for who begins
  begin 2: 2 2 2

\b
  2: red 6+5, yellow 9, yellow 9      # what the dice showed
  D: yellow 9  main middle 11         # each car, its die, where it ends
  E: yellow 9  main right 8
  F: red 11  main left 10
  1: yellow 7, yellow 8, yellow 9
  A: yellow 9  main right 13
  B: yellow 7  main middle 10
  C: yellow 8  main middle 9
  2: blue 2, blue 3, yellow 9
  E: yellow 9  main right 15
  D: blue 3  main left 11
  F: blue 2  main left 10  stays  damage 1

\b
As `stays` costs a point, so do `flies from SPACE` and `strikes at SPACE`. A
car may end on `stop`, in the pit, where it goes on without a die (B: pit 1;
above a turn, plan B: refuel says what for), on `finish` or `out`. `place N`,
`fuel N` and results are checked where they stand.
"""


@click.command(epilog=EPILOG)
@click.argument("transcript")
@stdin_filename_option
@output_options
def command(**options: Any) -> int:
    """Check a written game of boats or cars move by move, and tell the standings.

    The first illegal move is told with its line, the rule that forbids it, and what was legal. Exit code 1 where
    anything is wrong with the game, 2 where the file cannot be read.
    """
    from rulekit.cli.replay_cars import judged
    from rulekit.files.source import read_source

    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check()
    verdict, rows, text = judged(read_source(options["transcript"], options["stdin_filename"]))
    output.warn(verdict.warnings)
    if options["fmt"] in ("csv", "markdown"):
        output.warn(verdict.findings)
    output.emit(
        Result(
            "replay",
            rows,
            verdict.readings.answers(),
            more=verdict.record(),
            timing={"seconds": perf_counter() - began},
            table=text,
        )
    )
    return 1 if verdict.findings else 0
