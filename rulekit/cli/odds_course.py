"""The clear water of a boat on a course, for `odds --course`."""

from typing import Any

from rulekit.cli.output import Output
from rulekit.cli.position import boat_on, load_waters, steer_word
from rulekit.powerboats.move import STEERS, clear_water
from rulekit.readings import PowerboatsReadings


def clear_ahead(options: dict[str, Any], readings: PowerboatsReadings, output: Output) -> int:
    """The largest clear water of the three directions (PB-17), which a note spells out.

    Raises BadInput for a place off the water or a boat that cannot be, FileFaults and Unreadable for the course.
    """
    waters = load_waters(options["course"], options["stdin_filename"], readings, output)
    progress = 1 if options["progress"] is None else options["progress"]
    boat = boat_on(waters, options["at"], options["facing"], "none", progress, options["damage"])
    clear = {steer_word(boat.facing, way): clear_water(waters, boat.at, way) for way in map(boat.facing.steer, STEERS)}
    told = ", ".join(f"{word} {hexes}" for word, hexes in clear.items())
    output.note(f"clear water from {options['at']} facing {boat.facing.name}: {told}")
    if waters.effects:
        output.note("note: these odds look at land and buoys only, not at the expansion tiles")
    return max(clear.values())
