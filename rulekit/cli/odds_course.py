"""The clear water of a boat on a course, for `odds --course`."""

from rulekit.cli.output import Output
from rulekit.cli.position import load_waters, parse_place, parse_way, steer_word
from rulekit.powerboats.move import STEERS, clear_water
from rulekit.readings import PowerboatsReadings


def clear_ahead(name: str, at: str, facing: str, readings: PowerboatsReadings, output: Output) -> int:
    """The largest clear water of the three directions (PB-17), which a note spells out.

    Raises BadInput for a place off the water, FileFaults and Unreadable for the course.
    """
    waters = load_waters(name, None, readings, output)
    place, before = parse_place(at, waters.course, "--at"), parse_way(facing)
    clear = {steer_word(before, way): clear_water(waters, place, way) for way in map(before.steer, STEERS)}
    output.note(f"clear water from {at} facing {before.name}: {', '.join(f'{k} {v}' for k, v in clear.items())}")
    if waters.effects:
        output.note("note: these odds look at land and buoys only, not at the expansion tiles")
    return max(clear.values())
