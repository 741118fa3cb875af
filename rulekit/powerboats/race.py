"""One race of several boats: placing, turn order, the end and the standings (PB-13, PB-14, PB-19…PB-23)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rulekit.errors import BadInput
from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, choices
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import Place, start_places
from rulekit.powerboats.waters import Waters
from rulekit.readings import LastBoat

LEAST_SEATS, MOST_SEATS = 1, 6
"""Boats in the box (PB-4); a race of one is a solo race."""


class Status(Enum):
    """Where a boat stands in its race."""

    WAITING = "waiting"
    RACING = "racing"
    FINISHED = "finished"
    STOPPED = "stopped"
    SUNK = "sunk"


@dataclass(frozen=True, slots=True)
class Entry:
    """A seat's part in a race: its boat (None before it is placed), the turns it has taken, and how it ended.

    `left_at` counts the boats that had left the race before this one; None while it races.
    """

    status: Status
    boat: Boat | None = None
    damage_before: int = 0
    turns: int = 0
    left_at: int | None = None

    @property
    def damage(self) -> int:
        """Counters now."""
        return self.boat.damage if self.boat else self.damage_before

    @property
    def was_damaged(self) -> bool:
        """Whether it took damage or sank in this race (PB-24)."""
        return self.damage > self.damage_before or self.status is Status.SUNK


@dataclass(frozen=True)
class Race:
    """A race under way: an immutable value; every function returns the next one.

    `mover` is the seat whose turn it is, None before all boats are placed and after the end.
    """

    waters: Waters
    start_player: int
    entries: tuple[Entry, ...]
    mover: int | None = None

    @property
    def seats(self) -> int:
        """Number of boats."""
        return len(self.entries)

    @property
    def placer(self) -> int | None:
        """The seat that is to place its boat next (PB-13); None when all stand."""
        waiting = (seat for seat in placing_order(self) if self.entries[seat].status is Status.WAITING)
        return next(waiting, None)

    @property
    def over(self) -> bool:
        """Whether no boat races or waits any more (PB-23)."""
        return self.mover is None and self.placer is None

    def taken(self, seat: int) -> frozenset[Hex]:
        """Hexes of the other boats that are on the lake."""
        return frozenset(
            entry.boat.at
            for other, entry in enumerate(self.entries)
            if other != seat and entry.status is Status.RACING and entry.boat
        )


def begin(waters: Waters, damage: Sequence[int], start_player: int = 0) -> Race:
    """A race before placing; `damage` holds each seat's counters (PB-24).

    Raises BadInput for a wrong number of boats or too few places to start from.
    """
    seats = len(damage)
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise BadInput(f"{seats} boats: a race takes {LEAST_SEATS} to {MOST_SEATS} (PB-4)")
    places = len(start_places(waters.course, waters.readings))
    if places < seats:
        raise BadInput(f"'{waters.course.name}' has {places} hexes to start from, too few for {seats} boats (PB-13)")
    return Race(waters, start_player % seats, tuple(Entry(Status.WAITING, damage_before=count) for count in damage))


def placing_order(race: Race) -> list[int]:
    """The start player's right-hand neighbour first, then counter-clockwise, the start player last (PB-13)."""
    return [(race.start_player - k) % race.seats for k in range(1, race.seats + 1)]


def free_places(race: Race) -> tuple[Place, ...]:
    """Where the placer's boat may be put (PB-13)."""
    taken = {entry.boat.at for entry in race.entries if entry.boat}
    return tuple(place for place in start_places(race.waters.course, race.waters.readings) if place.at not in taken)


def put(race: Race, at: Hex, facing: Facing) -> Race:
    """The race with the placer's boat on a free place (PB-13).

    Raises BadInput where it may not stand there, or where all boats stand already.
    """
    seat, progress = race.placer, {place.at: place.progress for place in free_places(race)}
    if seat is None or at not in progress:
        raise BadInput("the boat may not be placed there (PB-13)")
    damage = race.entries[seat].damage_before
    boat = Boat(at, facing, (), progress[at], damage)
    race = _with(race, seat, replace(race.entries[seat], status=Status.RACING, boat=boat))
    return race if race.placer is not None else replace(race, mover=race.start_player)


def boat_to_move(race: Race) -> Boat:
    """The boat whose turn it is.

    Raises BadInput where no boat is to move.
    """
    boat = None if race.mover is None else race.entries[race.mover].boat
    if boat is None:
        raise BadInput("no boat is to move")
    return boat


def legal_choices(race: Race) -> tuple[Choice, ...]:
    """What the boat to move may do with its dice, the stock's limit included (PB-15, PB-16)."""
    boat, stock = boat_to_move(race), race.waters.readings.dice_stock
    if stock is None:
        return choices(boat.hand, race.waters.readings)
    used = sum(len(entry.boat.hand) for entry in race.entries if entry.boat and entry.status is Status.RACING)
    return choices(boat.hand, race.waters.readings, stock - used)


def legal_landings(race: Race, hand: tuple[int, ...]) -> tuple[Landing, ...]:
    """What the boat to move can do with the hand that it now shows (PB-17…PB-20)."""
    seat, boat = race.mover, boat_to_move(race)
    return landings(race.waters, replace(boat, hand=hand), race.taken(seat if seat is not None else -1))


def apply(race: Race, landing: Landing) -> Race:
    """The race after the boat to move has landed: it may leave the lake, then the next boat is to move."""
    seat = race.mover
    if seat is None:
        raise BadInput("no boat is to move")
    status = Status.FINISHED if landing.finished else Status.SUNK if landing.sunk else Status.RACING
    entry = replace(race.entries[seat], boat=landing.boat, turns=race.entries[seat].turns + 1)
    race = _with(race, seat, entry if status is Status.RACING else _left(race, entry, status))
    race = _stop_last(race)
    return replace(race, mover=_next(race, seat))


def _left(race: Race, entry: Entry, status: Status) -> Entry:
    gone = sum(other.left_at is not None for other in race.entries)
    return replace(entry, status=status, left_at=gone)


def _stop_last(race: Race) -> Race:
    """Under last-boat=stops the only boat afloat of several stops at once (PB-23)."""
    afloat = [seat for seat, entry in enumerate(race.entries) if entry.status is Status.RACING]
    if race.waters.readings.last_boat is LastBoat.RACES_ON or len(afloat) != 1 or race.seats == 1:
        return race
    return _with(race, afloat[0], _left(race, race.entries[afloat[0]], Status.STOPPED))


def _next(race: Race, seat: int) -> int | None:
    """The next boat that races, clockwise (PB-14)."""
    after = ((seat + k) % race.seats for k in range(1, race.seats + 1))
    return next((other for other in after if race.entries[other].status is Status.RACING), None)


def _with(race: Race, seat: int, entry: Entry) -> Race:
    return replace(race, entries=(*race.entries[:seat], entry, *race.entries[seat + 1 :]))


def standings(race: Race) -> tuple[int, ...]:
    """Seats from the first place to the last: finishers as they came in, one that was stopped or still races, then
    sunk boats, the later to sink the better (PB-26)."""

    def rank(seat: int) -> tuple[int, int]:
        entry = race.entries[seat]
        if entry.status is Status.FINISHED:
            return 0, entry.left_at or 0
        if entry.status is Status.SUNK:
            return 2, -(entry.left_at or 0)
        return 1, 0

    return tuple(sorted(range(race.seats), key=rank))
