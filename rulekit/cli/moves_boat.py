"""The moves of a boat: rows and the table that says why a direction is closed."""

from collections.abc import Callable
from typing import Any

from rulekit.cli.options import parse_dice, powerboats_readings
from rulekit.cli.output import Output, plural, tabulated
from rulekit.cli.position import boat_on, parse_boats, room_for, settled_waters, steer_word
from rulekit.errors import BadInput
from rulekit.files.course import CourseFile
from rulekit.files.kinds import AnyFile
from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import STEERS, Boat, Landing
from rulekit.powerboats.move import landings, move
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings

Rows = list[dict[str, Any]]


def boat_moves(
    file: AnyFile, options: dict[str, Any], output: Output
) -> tuple[Rows, PowerboatsReadings, Callable[[], str]]:
    """Rows, readings and table of `moves` on a course; raises BadInput."""
    if not isinstance(file, CourseFile):
        raise BadInput("boats move on a course: this file is a lake (build-course makes a course on it)")
    readings = powerboats_readings(options["reading"], options["dice_max"])
    if options["facing"] is None or options["dice"] is None:
        raise BadInput("a boat's moves need --facing and --dice (the dice after the throw, or none)")
    readings = room_for(parse_dice(options["dice"]), readings, output)
    waters = settled_waters(file, readings, output)
    boat = boat_on(waters, options["at"], options["facing"], options["dice"], options["progress"], options["damage"])
    taken = parse_boats(options["boats"], waters.course, boat.at)
    legal = landings(waters, boat, taken)
    return [row(waters, landing) for landing in legal], readings, lambda: table(waters, boat, legal)


def row(waters: Waters, landing: Landing) -> dict[str, Any]:
    """A legal direction and what comes of it."""
    after = landing.boat
    return {
        "facing": landing.steer.name,
        "end": hex_name(after.at),
        "end_facing": after.facing.name,
        "progress": after.progress,
        "damage": after.damage,
        "dice": list(after.hand),
        "crashed": landing.crashed,
        "sunk": landing.sunk,
        "finished": landing.finished,
        "double": not landing.sunk and waters.is_redoubt(after.at),
        "way": [hex_name(at) for at in landing.way],
    }


def table(waters: Waters, boat: Boat, legal: tuple[Landing, ...]) -> str:
    """The three directions: where each leads, or why it is closed."""
    head = f"{hex_name(boat.at)} facing {boat.facing.name}, {_dice(boat)}: T = {sum(boat.hand)}"
    open_ways = {landing.steer: landing for landing in legal}
    lines = []
    for left in STEERS:
        facing = boat.facing.steer(left)
        landing = open_ways.get(facing)
        told = _told(waters, landing) if landing else _closed(waters, boat, move(waters, boat, facing), legal)
        lines.append((steer_word(boat.facing, facing), facing.name, *told))
    return f"{head}\n\n{tabulated(('steer', 'facing', 'ends on', 'what happens'), lines)}"


def _dice(boat: Boat) -> str:
    return f"dice {' '.join(map(str, boat.hand))}" if boat.hand else "no dice"


def _told(waters: Waters, landing: Landing) -> tuple[str, str]:
    after = landing.boat
    words = [
        "finished" if landing.finished else "",
        "sunk" if landing.sunk else "",
        f"crash, {plural(landing.left_over, 'step')} left over" if landing.crashed and not landing.sunk else "",
        f"damage {after.damage}",
        f"progress {after.progress}",
        _dice(after),
        "bound to fly next turn" if not landing.sunk and waters.is_redoubt(after.at) else "",
    ]
    return f"{hex_name(after.at)} {after.facing.name}", ", ".join(word for word in words if word)


def _closed(waters: Waters, boat: Boat, landing: Landing, legal: tuple[Landing, ...]) -> tuple[str, str]:
    """Why a direction is not legal (PB-17, X1-6)."""
    if waters.is_redoubt(boat.at):
        return "-", "not legal: a boat on a redoubt may not turn (X1-6)"
    best = legal[0].left_over
    other = "another direction allows the total" if not best else f"another leaves only {best} over"
    return "-", f"not legal: {plural(landing.left_over, 'step')} would be left over, {other} (PB-17)"
