"""`rulekit reach`: where a boat can be after some turns."""

from typing import Any

import click

from rulekit.cli.options import output_options, readings_options
from rulekit.cli.params import FILE, stdin_filename_option

EPILOG = """\b
Examples:
  rulekit reach lagoon-a --at K14 --facing NE      one turn from a start
  rulekit reach lagoon-a --turns 4                 four, from the best start
  rulekit reach lagoon-a --turns 3 --plot reach.svg … as a heat map
  rulekit reach lagoon-a --turns 3 --safe          without any risk of damage
  rulekit reach lagoon-a --turns 3 --policy cautious  where its boat is
  rulekit reach practice-a --at E4 --facing NE --dice 3,3,1 --turns 2 -f json
"""

MOST_TURNS = 99


@click.command(epilog=EPILOG)
@click.argument("course", type=FILE)
@click.option("--at", metavar="HEX", help="Where the boat stands, such as K14.  [default: the best legal start]")
@click.option("--facing", metavar="FACING", help="Its facing: E, NE, NW, W, SW or SE.")
@click.option("--dice", default="none", show_default=True, metavar="DICE", help="Its dice, such as 3,3,1, or none.")
@click.option("--progress", type=int, default=1, show_default=True, metavar="N", help="Gates that it has passed.")
@click.option("--damage", type=int, default=0, show_default=True, metavar="N", help="Damage counters on it.")
@click.option("--turns", type=click.IntRange(1, MOST_TURNS), default=1, show_default=True, metavar="N",
              help="After exactly so many turns.")  # fmt: skip
@click.option("--safe", is_flag=True, help="Only choices after which no throw can damage the boat.")
@click.option("--policy", metavar="POLICY", help="Follow a policy instead: its name, or a file that `solve` saved.")
@click.option("--all", "every", is_flag=True, help="Table: every hex, not only the first.")
@click.option("--plot", metavar="FILE", help="Draw the chances as a heat map (.svg, .png, .pdf).")
@click.option("--plot-fewest", metavar="FILE", help="Draw the fewest turns to each hex as a heat map.")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """For each hex the greatest chance that one boat alone stands there after exactly so many turns.

    Each hex has its own best choices, so the chances do not add up to 1. A boat that has finished or sunk stands
    nowhere. `fewest` is the number of turns that it takes with the best dice.
    """
    from rulekit.cli.reach_boat import run

    run(options)
