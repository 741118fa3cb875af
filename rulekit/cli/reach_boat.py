"""From the options of `reach` to its rows, table and pictures."""

from pathlib import Path
from time import perf_counter
from typing import Any

from rulekit.cli.options import need_dice_limit, parse_dice, powerboats_readings
from rulekit.cli.output import Output, Result
from rulekit.cli.position import boat_on, load_waters, room_for
from rulekit.cli.reach_table import Reached, table
from rulekit.cli.solo import Steps, begun, best_start, numbered_waters, policy_by_name
from rulekit.errors import BadInput
from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.waters import Waters
from rulekit.solve.reach import reach, reach_under
from rulekit.solve.tables import Numbered

COLUMNS = ("hex", "probability", "keep", "roll", "fewest")


def run(options: dict[str, Any]) -> None:
    """All of `reach`; raises BadInput and FileFaults."""
    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"], plot_fewest=options["plot_fewest"])
    readings = powerboats_readings(options["reading"], options["dice_max"])
    need_dice_limit(readings, "reach")
    if options["safe"] and options["policy"]:
        raise BadInput("--safe picks the choices and so does --policy: leave one out")
    hand = parse_dice(options["dice"])
    saved = (options["policy"] or "").endswith(".npz")
    # A saved policy was solved under a limit, and holds for hands up to that limit only.
    if not (saved and len(hand) == readings.dice_max):
        readings = room_for(hand, readings, output)
    waters = load_waters(options["course"], options["stdin_filename"], readings, output)
    reached = _reached(waters, options, output)
    for option in ("plot", "plot_fewest"):
        if options[option]:
            from rulekit.cli.reach_picture import picture

            path = Path(options[option])
            output.write(path, picture(path, reached, fewest=option == "plot_fewest"))
    output.emit(_result(reached, waters, options["every"], began))


def _reached(waters: Waters, options: dict[str, Any], output: Output) -> Reached:
    numbered = numbered_waters(waters)
    boat = _boat(numbered, options, output)
    turns, state = options["turns"], numbered.state(boat)
    if options["policy"]:
        found = reach_under(policy_by_name(numbered, options["policy"], output), state, turns)
    else:
        with Steps(output, "turns taken back") as steps:
            found = reach(numbered.race, state, turns, safe=options["safe"], report=steps.report)
    reached = Reached(numbered, boat, found, options["safe"], options["policy"])
    with begun(output, "the fewest turns to each hex", "spread._spread_level"):
        _ = reached.fewest  # kept from here on
    return reached


def _boat(numbered: Numbered, options: dict[str, Any], output: Output) -> Boat:
    """The boat that the options place, or one at the best legal start."""
    if options["at"] is not None:
        if options["facing"] is None:
            raise BadInput("--at says where the boat stands: add --facing FACING")
        placed = [options[name] for name in ("at", "facing", "dice", "progress", "damage")]
        return boat_on(numbered.waters, *placed)
    if options["facing"] is not None or options["dice"] != "none" or options["progress"] != 1:
        raise BadInput("--facing, --dice and --progress describe a boat on a hex: add --at HEX")
    boat = best_start(numbered, options["damage"], output)
    output.note(f"note: from the best legal start, {hex_name(boat.at)} facing {boat.facing.name}")
    return boat


def _result(reached: Reached, waters: Waters, every: bool, began: float) -> Result:
    boat = reached.boat
    start = {
        "hex": hex_name(boat.at), "facing": boat.facing.name, "dice": list(boat.hand), "progress": boat.progress,
        "damage": boat.damage,
    }  # fmt: skip
    more = {"start": start, "turns": reached.found.turns, "safe": reached.safe, "policy": reached.policy}
    columns = [*COLUMNS, "facings"] if reached.found.turns == 1 else list(COLUMNS)
    return Result(
        "reach", list(reached.rows()), waters.readings.answers(), more={**more, "fewest": reached.fewest},
        timing={"seconds": perf_counter() - began}, table=lambda: table(reached, every), columns=columns,
    )  # fmt: skip
