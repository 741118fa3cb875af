"""`rulekit play`: a match in the terminal."""

from typing import Any

import click

from rulekit.cli.options import output_options, readings_options, seed_option
from rulekit.cli.output import Output
from rulekit.cli.params import FILE

EPILOG = """\b
Examples:
  rulekit play practice-a                             you against `greedy`
  rulekit play lagoon-a lagoon-b lagoon-c --players 4 a match of three races
  rulekit play lagoon-a --policy human,human,cautious --transcript evening.txt
  rulekit play --resume evening.txt                   goes on with it
  rulekit play orchard --policy human,solo            cars on a track
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="[FILE...]", nargs=-1, type=FILE)
@click.option(
    "--players", type=int, metavar="N", help="Boats, 2 to 6; on a track players, 2 to 4.  [default: one a policy]"
)
@click.option("--policy", metavar="NAMES",
              help="Who plays: human, random, greedy, cautious, …; one a seat, or one for all.  "
                   "[default: human,greedy]")  # fmt: skip
@click.option(
    "--laps", type=click.IntRange(1, 20), metavar="N", help="Track: laps of the race.  [default: the track's]"
)
@seed_option
@click.option(
    "--transcript", metavar="FILE", help="Write the game down in FILE.  [default: match-1.txt or race-1.txt, …]"
)
@click.option("--resume", metavar="FILE", help="Go on with the match of a transcript.")
@readings_options
@output_options
def command(**options: Any) -> None:
    """Play a match against policies, or among people at one keyboard: a race on each course, or a car race on a track.

    The board is printed as text; every decision lists the legal options with their exact odds. The match is written
    down when it ends and when you leave it (quit, Ctrl-C, end of the input): `rulekit replay` checks it, --resume goes
    on. With -f json, csv or markdown the conversation goes to stderr and the result to stdout.
    """
    from rulekit.cli.play_session import play

    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(transcript=options["transcript"])
    play(options, output)
