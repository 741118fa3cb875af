"""Transcripts of car races: a race on a circuit written down as it was driven. Outcomes are recorded, no seeds.

    rulekit transcript 1
    track: orchard
    readings: fuel=full
    seat 1: Ann
    seat 2: policy greedy

    grid 1: A 2 3 1
    grid 2: D 3 1 2 again 3 3 1
    …
    begin 1: 3 3 2
    begin 2: 1 1 2

    1: blue 2, red 10, yellow 8
    A: yellow 8  main middle 12
    C: red 10  hairpin right 5  flies from hairpin right 6  damage 1
    B: blue 2  main right 11
    2: …

The line `track:` instead of `course:` makes it a car race. Cars are called by letters, three a seat: A, B and C are
those of seat 1. The lines `grid` are a player's throws for a car in one of the three rounds of the start, `begin` those
for who begins (PS-7); where sums are equal, `again` is what was thrown next. A turn begins with what the dice showed,
red's throws as their sum or one by one (red 6+4), or `none`; below it is a line for each car as it was moved: its die,
where it ended, and what happened. Cars in the pit lane take no die: `B: pit 2`.
"""

from dataclasses import dataclass, field

from rulekit.files.findings import Place
from rulekit.files.transcript import Columns, ResultLine, SeatLine
from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.picks import CARS
from rulekit.readings import PsReadings

LEAST_SEATS, MOST_SEATS = 2, 4
LETTERS = "ABCDEFGHIJKL"
"""What the cars are called, three a seat."""

FINISH, OUT = "finish", "out"
"""Where a car ends that is over the line for the last time, or that has taken its last point of damage."""

FLOWN = {"flies": Kind.FLY, "strikes": Kind.STRIKE, "stays": Kind.STAY}
"""The words of a move that costs a point of damage."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A die that was thrown: its colour, and its value (of red the sum of its throws).

    >>> from rulekit.ps.dice import Colour
    >>> str(Shown(Colour.RED, 10))
    'red 10'
    """

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour.value} {self.value}"


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """A seat's throws of three blue dice: for a car's place in the line-up, or (`car` None) for who begins (PS-7)."""

    seat: int
    car: int | None
    throws: tuple[tuple[int, ...], ...]
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CarLine:
    """A car's move: its die (None in the pit lane), the name of the space where it ended, and what came of it.

    `origin` is the space that it flew from or struck at, where it is told; `damage` its points after the move; `fuel`
    what is left in the tank and `place` its place in the race, where they are told.
    """

    car: int
    die: Shown | None
    end: str
    kind: Kind | None = None
    origin: str | None = None
    damage: int = 0
    plan: str | None = None
    fuel: int | None = None
    place: int | None = None
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TurnLines:
    """A seat's turn: the dice in the order in which they were told, and its cars' moves."""

    seat: int
    dice: tuple[Shown, ...]
    moves: tuple[CarLine, ...] = ()
    places: Columns = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CarTranscript:
    """A car race as written: track as the text names it, readings, seats, laps (None: the track's), what happened.

    `comment` are the lines above the first one; the `places` of all parts are where their words stand in the file.
    """

    track: str
    seats: tuple[SeatLine, ...]
    laps: int | None = None
    readings: PsReadings = field(default_factory=PsReadings)
    grid: tuple[ThrowLine, ...] = ()
    begin: tuple[ThrowLine, ...] = ()
    turns: tuple[TurnLines, ...] = ()
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


def seat_of(car: int) -> int:
    """Whose car it is."""
    return car // CARS


def own_cars(seat: int) -> range:
    """A seat's cars."""
    return range(seat * CARS, (seat + 1) * CARS)


def at(places: Columns, word: str) -> Place | None:
    """Where a word of a line stands, else the line."""
    return places.get(word) or places.get("line")
