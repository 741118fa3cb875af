"""Transcripts of car races: a race on a circuit written down as it was driven. Outcomes are recorded, no seeds.

    rulekit transcript 1
    track: orchard
    readings: fuel=full
    seat 1: Ann
    seat 2: policy greedy

    grid A: 2 3 1
    grid D: 3 1 2 again 3 3 1
    …
    begin 1: 3 3 2
    begin 2: 1 1 2

    1: blue 2, red 10, yellow 8
    A: yellow 8  main middle 12
    C: red 10  hairpin right 5  flies from hairpin right 6  damage 1
    B: blue 2  main right 11
    …

The line `track:` instead of `course:` makes it a car race. Cars are called by letters, three a seat: A, B and C are
those of seat 1. The lines `grid` are the throws for the cars' places in the line-up (first A, D, … then B, E, …),
`begin` those for who begins (PS-7); where sums are equal, `again` is what was thrown next. A turn begins with what the
dice showed, red's throws as their sum or one by one (red 6+4), or `none`; below it is a line for each car as it was
moved: its die, where it ended, and what happened. Cars in the pit lane take no die: `B: pit 2`. What a car on pit
space 3 is to do stands above the turn: `plan B: refuel`.
"""

from dataclasses import dataclass, field

from rulekit.files.findings import Place
from rulekit.files.transcript import Columns, ResultLine, SeatLine
from rulekit.ps.car import Plan
from rulekit.ps.moves import Kind
from rulekit.ps.race import Die
from rulekit.readings import PsReadings

LETTERS = "ABCDEFGHIJKL"
"""What the cars are called, three a seat."""

FLOWN = {"flies": Kind.FLY, "strikes": Kind.STRIKE, "stays": Kind.STAY}
"""The words of a move that costs a point of damage."""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A car's throws of three blue dice for its place in the line-up (PS-7)."""

    car: int
    throws: tuple[tuple[int, ...], ...]
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BeginLine:
    """A seat's throws of three blue dice for who begins (PS-7)."""

    seat: int
    throws: tuple[tuple[int, ...], ...]
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """What a car on pit space 3 is to do (PS-21)."""

    car: int
    plan: Plan
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DiceLine:
    """What the dice of a seat showed, in the order in which they were told: a turn begins."""

    seat: int
    dice: tuple[Die, ...]
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CarLine:
    """A car's move: its die (None in the pit lane), the name of the space where it ended, and what came of it.

    `kind` is told where it cost a point, `origin` the space that the car flew from or struck at, where it is told;
    `damage` are its points after the move; `fuel` what is left in its tank and `place` its place in the race, where
    they are told.
    """

    car: int
    die: Die | None
    end: str
    kind: Kind | None = None
    origin: str | None = None
    damage: int = 0
    fuel: int | None = None
    place: int | None = None
    places: Columns = field(default_factory=dict, compare=False, repr=False)


CarEvent = PlanLine | DiceLine | CarLine


@dataclass(frozen=True, slots=True)
class CarTranscript:
    """A car race as written: track as the text names it, readings, seats, laps (None: the track's), what happened.

    `comment` are the lines above the first one; the `places` of all parts are where their words stand in the file.
    """

    track: str
    seats: tuple[SeatLine, ...]
    laps: int | None = None
    readings: PsReadings = field(default_factory=PsReadings)
    grid: tuple[GridLine, ...] = ()
    begin: tuple[BeginLine, ...] = ()
    events: tuple[CarEvent, ...] = ()
    results: tuple[ResultLine, ...] = ()
    comment: tuple[str, ...] = ()
    places: Columns = field(default_factory=dict, compare=False, repr=False)

    def name(self, seat: int) -> str:
        """What messages call a seat.

        >>> CarTranscript("pond", (SeatLine("Ann"), SeatLine())).name(0)
        'seat 1 (Ann)'
        """
        called = self.seats[seat].name
        return f"seat {seat + 1} ({called})" if called else f"seat {seat + 1}"


def letter(car: int) -> str:
    """What a car is called.

    >>> letter(0), letter(4)
    ('A', 'E')
    """
    return LETTERS[car]


def die_text(die: Die) -> str:
    """A die in words.

    >>> from rulekit.ps.dice import Colour
    >>> die_text(Die(Colour.RED, 10))
    'red 10'
    """
    return f"{die.colour.value} {die.value}"


def at(places: Columns, word: str) -> Place | None:
    """Where a word of a line stands, else the line."""
    return places.get(word) or places.get("line")
