"""A boat on a course, for `odds --course`: its clear water, and what the expansion tiles do to it."""

from dataclasses import dataclass
from typing import Any

from rulekit.cli.output import Output
from rulekit.cli.position import boat_on, load_waters, steer_word
from rulekit.powerboats.boat import STEERS, Boat
from rulekit.powerboats.move import clear_water
from rulekit.powerboats.odds import Odds
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings


@dataclass(frozen=True)
class Place:
    """A boat without dice on a course; `free` is the largest clear water of its three directions (PB-17)."""

    waters: Waters
    boat: Boat
    free: int

    def risks(self, found: list[Odds]) -> list[Odds]:
        """The odds with the risk of the boat's real moves: looked up anew where there are tiles."""
        if not self.waters.effects:
            return found
        from rulekit.powerboats.odds_tiles import among_tiles

        return list(among_tiles(found, self.waters, self.boat, self.free))


def place_on(options: dict[str, Any], readings: PowerboatsReadings, output: Output) -> Place:
    """The place that the options describe; a note spells out its clear water.

    Raises BadInput for a place off the water or a boat that cannot be, FileFaults and Unreadable for the course.
    """
    waters = load_waters(options["course"], options["stdin_filename"], readings, output)
    progress = 1 if options["progress"] is None else options["progress"]
    boat = boat_on(waters, options["at"], options["facing"], "none", progress, options["damage"])
    clear = {steer_word(boat.facing, way): clear_water(waters, boat.at, way) for way in map(boat.facing.steer, STEERS)}
    told = ", ".join(f"{word} {hexes}" for word, hexes in clear.items())
    output.note(f"clear water from {options['at']} facing {boat.facing.name}: {told}")
    if waters.effects:
        output.note(
            "note: crash, damage and sinking are those of the real moves among the expansion tiles, each throw steered "
            "for the least damage, then for the most progress; crash is the chance of any damage"
        )
        if options["plot"]:
            output.note("note: the picture's crash curves look at land and buoys only, not at the expansion tiles")
    return Place(waters, boat, max(clear.values()))
