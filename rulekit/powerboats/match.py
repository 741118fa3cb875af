"""A match: several races with repair, points and the winner (PB-14, PB-24…PB-27)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulekit.errors import BadInput
from rulekit.powerboats.race import Race, Status, begin, standings
from rulekit.powerboats.waters import Waters
from rulekit.readings import Carry, PowerboatsReadings, TwoPlayerScore

SUNK_BONUS = 5
"""Points of a finisher for every boat that sank without finishing (PB-27)."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a race brought, a seat each: place (from 1), points, the points of PB-27 on top, and how it ended."""

    places: tuple[int, ...]
    points: tuple[int, ...]
    extra: tuple[int, ...]
    status: tuple[Status, ...]
    turns: tuple[int, ...]
    damaged: tuple[bool, ...]


@dataclass(frozen=True)
class Match:
    """A match under way: the courses, whom the first race's dice made start player, and the results so far."""

    races: tuple[Waters, ...]
    seats: int
    start_player: int = 0
    results: tuple[Result, ...] = ()

    @property
    def readings(self) -> PowerboatsReadings:
        """The readings of all its races."""
        return self.races[0].readings

    @property
    def over(self) -> bool:
        """Whether all races are done."""
        return len(self.results) == len(self.races)

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points so far."""
        return tuple(
            sum(result.points[seat] + result.extra[seat] for result in self.results) for seat in range(self.seats)
        )


def new_match(races: Sequence[Waters], seats: int, start_player: int = 0) -> Match:
    """A match before its first race.

    Raises BadInput for no race, or races under different readings.
    """
    if not races:
        raise BadInput("a match needs at least one course")
    if any(waters.readings != races[0].readings for waters in races):
        raise BadInput("all races of a match are held under the same readings")
    return Match(tuple(races), seats, start_player % max(1, seats))


def next_race(match: Match) -> Race:
    """The next race before placing; its start player is the former one's left neighbour (PB-14, PB-24)."""
    number = len(match.results)
    return begin(match.races[number], damage_left(match), (match.start_player + number) % match.seats)


def damage_left(match: Match) -> tuple[int, ...]:
    """Counters that each boat starts the next race with (PB-24).

    Repair leaves no boat with so many that it would sink before it starts: under a low `sink-at` it keeps one fewer.
    """
    most = {Carry.DAMAGED_RACES: len(match.races), Carry.AT_MOST_ONE: 1, Carry.NONE: 0}[match.readings.carry]
    most = min(most, match.readings.sink_at - 1)
    return tuple(min(most, sum(result.damaged[seat] for result in match.results)) for seat in range(match.seats))


def record(match: Match, race: Race) -> Match:
    """The match with a race that is over; `race` is its next one."""
    return replace(match, results=(*match.results, score(race, len(match.results) + 1)))


def score(race: Race, number: int) -> Result:
    """Places and points of a race that is over, as the `number`-th of its match (PB-25, PB-27)."""
    order = standings(race)
    places = tuple(order.index(seat) + 1 for seat in range(race.seats))
    status = tuple(entry.status for entry in race.entries)
    return Result(
        places,
        tuple(
            0 if state is Status.SUNK else number * (race.seats - place)
            for place, state in zip(places, status, strict=True)
        ),
        _extra(race),
        status,
        tuple(entry.turns for entry in race.entries),
        tuple(entry.was_damaged for entry in race.entries),
    )


def _extra(race: Race) -> tuple[int, ...]:
    """Turns that each finisher was earlier than the last one, and five points a sunk boat (PB-27)."""
    reading = race.waters.readings.two_player_score
    scored = race.seats == 2 if reading is TwoPlayerScore.AUTO else reading is TwoPlayerScore.ON
    finishers = [entry.turns for entry in race.entries if entry.status is Status.FINISHED]
    if not scored or not finishers:
        return (0,) * race.seats
    sunk = sum(entry.status is Status.SUNK for entry in race.entries)
    return tuple(
        max(finishers) - entry.turns + SUNK_BONUS * sunk if entry.status is Status.FINISHED else 0
        for entry in race.entries
    )


def final_order(match: Match) -> tuple[int, ...]:
    """Seats from the winner to the last: most points, equal ones by the place in the last race (PB-26)."""
    last = match.results[-1].places
    return tuple(sorted(range(match.seats), key=lambda seat: (-match.points[seat], last[seat])))
