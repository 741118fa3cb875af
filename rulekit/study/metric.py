"""What a metric is: a number of the list, a name, words for people, and the function that works it out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulekit.study.figure import Figure

UNITS = {
    "": "a number of its own",
    "share": "of 1",
    "turns": "a boat's turns",
    "rounds": "of all boats",
    "points": "of a match",
    "a race": "a number a race",
    "a round": "a number a round",
    "a turn": "a number a turn",
    "a lap": "a number a lap",
    "hexes": "a turn",
    "places": "of the order",
    "minutes": "at the table",
}
"""The units that metrics are told in."""

RACES, COURSE, MATCH, TRACK = "races", "course", "match", "track"
KINDS = (RACES, COURSE, MATCH, TRACK)
"""What a metric is told of: races played, a course alone (exact), matches of several races, a circuit of cars."""


@dataclass(frozen=True)
class Metric:
    """A metric: `compute` takes an `Evidence` (of a track: its own), and gives one figure or one a seat, hex, …"""

    number: int
    name: str
    title: str
    unit: str
    sentence: str
    """One plain sentence for people: what it tells."""

    good: str
    """What is good: "near 0: no seat is favoured"."""

    of: str
    compute: Callable[..., Sequence[Figure]]
