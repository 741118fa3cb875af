"""`rulekit simulate`: races and matches in bulk."""

from typing import Any

import click

from rulekit.cli.options import jobs_option, output_options, readings_options, seed_option
from rulekit.cli.output import Output
from rulekit.cli.params import FILE
from rulekit.errors import BadInput
from rulekit.files.kinds import kind_in
from rulekit.files.source import read_source

EPILOG = """\b
Examples:
  rulekit simulate lagoon-a                four `solo` boats, 10,000 races
  rulekit simulate lagoon-a --policy racer,solo,solo,solo
  rulekit simulate practice-a --policy greedy,cautious --races 200 -j 2
  rulekit simulate lagoon-a lagoon-b lagoon-c --players 6 --matches 5000
  rulekit simulate lagoon-a --races 1 --transcript first.txt
  rulekit simulate orchard                 a track: 4 players, 12 cars
  rulekit simulate orchard --policy blocker,solo --reading fuel=full
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--players", type=int, metavar="N",
              help="Boats, 2 to 6; on a track players, 2 to 4.  [default: 4, or one a policy]")  # fmt: skip
@click.option("--policy", metavar="NAMES",
              help="Who plays: random, greedy, cautious, solo, racer, lookahead, on a track blocker; one a seat with "
                   "commas between, or one for all.  [default: solo]")  # fmt: skip
@click.option("--races", type=click.IntRange(1), metavar="N",
              help="Number of races on one course or track.  [default: 10000, of cars 1000; "
                   "fewer with slow policies]")  # fmt: skip
@click.option("--matches", type=click.IntRange(1), metavar="N", help="Number of matches over several courses.")
@click.option("--laps", type=click.IntRange(1, 20), metavar="N",
              help="Track: laps of a race.  [default: the track's]")  # fmt: skip
@click.option("--rotate/--no-rotate", default=True, show_default=True,
              help="Move the policies on by one seat after each match.")  # fmt: skip
@click.option("--turn-cap", type=click.IntRange(1, 100_000), default=500, show_default=True, metavar="N",
              help="Give a match up when a boat or player has taken so many turns in a race.")  # fmt: skip
@click.option("--transcript", metavar="FILE", help="Write the first match down in FILE.")
@click.option("--force", is_flag=True, help="Race on a course or track with rule faults all the same.")
@seed_option
@jobs_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """Play many races between policies: on one course or track, or matches with a race on each of several courses.

    Rows tell for each seat and policy the mean place, how often it won, finished and sank, its turns and its points,
    with intervals of 95 %; on a track how often the player won, and its cars' places, finishes and losses. The same
    seed gives the same matches, whatever the number of workers. Line-ups of solo, racer and lookahead, and all of cars,
    are compiled and fast; the first run compiles them.
    """
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    sources = [read_source(name) for name in options["files"]]
    kinds = {kind_in(source) for source in sources}
    if len(kinds) > 1 and "track" in kinds:
        raise BadInput("boats and cars race apart: name courses, or one track")
    if "track" in kinds:
        from rulekit.cli.simulate_cars import simulate_cars

        simulate_cars(sources, options, output)
        return
    from rulekit.cli.simulate_run import simulate

    simulate(sources, options, output)
