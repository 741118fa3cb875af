"""Transcripts: a match written down, line by line, as it was played. Outcomes are recorded, no seeds.

    rulekit transcript 1
    course: lagoon-a
    seat 1: Ann
    seat 2: policy greedy
    start: 2

    race 1
    place 1: K14 NE
    place 2: L14 E
    2: + 3  NE N12
    1: none  E K14
    2: 3 + 2 1  E T12  damage 1

A turn's line is: seat, dice kept, + dice rolled in the order in which they fell, direction, end hex, damage counters
where there are any, `finished`, `sunk`. Blank lines and comments (#) may stand anywhere.
"""

from dataclasses import dataclass, field

from rulekit.files.findings import Place
from rulekit.hexgrid import Facing, Hex
from rulekit.readings import PowerboatsReadings

FIRST_LINE = "rulekit transcript 1"

Columns = dict[str, Place]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sits at a seat: a name, empty where none is told, and a policy, None where a person plays."""

    name: str = ""
    policy: str | None = None
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A seat (from 0) places its boat (PB-13)."""

    seat: int
    at: Hex
    facing: Facing
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A seat's turn: dice kept (in any order) and what the rolled ones showed, direction, and what came of it.

    `end` is None for a boat that left the lake by air; `damage` are the counters on the boat after the move.
    """

    seat: int
    kept: tuple[int, ...]
    rolled: tuple[int, ...]
    facing: Facing
    end: Hex | None
    damage: int = 0
    finished: bool = False
    sunk: bool = False
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A place (from 1) in a race or, at the end, in the match, with the points of that race or of the match."""

    rank: int
    seat: int
    points: int
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RaceLines:
    """One race: placing, turns, and results where they were written down."""

    placed: tuple[PlaceLine, ...] = ()
    turns: tuple[TurnLine, ...] = ()
    results: tuple[ResultLine, ...] = ()
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match as written: courses as the text names them, readings, seats, start player (from 0), races, standings.

    `comment` are the lines above the first one. The `places` of all parts are where their words stand in the file, by
    word: "line" for the whole line, "seat", "kept", "rolled", "facing", "end", "damage", ….
    """

    courses: tuple[str, ...]
    seats: tuple[SeatLine, ...]
    start_player: int = 0
    readings: PowerboatsReadings = field(default_factory=PowerboatsReadings)
    races: tuple[RaceLines, ...] = ()
    final: tuple[ResultLine, ...] = ()
    comment: tuple[str, ...] = ()
    places: Columns = field(default_factory=dict, compare=False, repr=False)

    def name(self, seat: int) -> str:
        """What messages call a seat.

        >>> Transcript(("pond",), (SeatLine("Ann"), SeatLine())).name(0)
        'seat 1 (Ann)'
        """
        called = self.seats[seat].name
        return f"seat {seat + 1} ({called})" if called else f"seat {seat + 1}"
