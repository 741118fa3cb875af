"""Many matches of one line-up: which random streams and seats, and how each is played, compiled or by the rules.

Both ways give the same matches: the compiled one is for line-ups of policies that follow the solver's tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.files.transcript import SeatLine, Transcript
from rulekit.powerboats.match import Match, next_race
from rulekit.powerboats.race import Race, Status
from rulekit.powerboats.waters import Waters
from rulekit.readings import Carry, PowerboatsReadings
from rulekit.simulate.game import Game
from rulekit.simulate.policies import POLICIES, Policy
from rulekit.simulate.table import TURN_CAP, drawn_starter, play_match

if TYPE_CHECKING:
    from rulekit.simulate.bulk_races import Records

COMPILED = ("solo", "racer", "lookahead")
"""The policies that the compiled races know, by the number of their kind there."""

STATUSES = list(Status)
FINISHED, SUNK = STATUSES.index(Status.FINISHED), STATUSES.index(Status.SUNK)

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Contest:
    """A line-up that meets in match after match: a race on each course, a policy a seat.

    With `rotate` the policies move on by one seat from match to match, so that each plays every seat equally often.
    """

    races: tuple[Waters, ...]
    policies: tuple[str, ...]
    seed: int
    rotate: bool = True
    cap: int = TURN_CAP
    names: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        """Number of boats."""
        return len(self.policies)

    @property
    def readings(self) -> PowerboatsReadings:
        """The readings of all races."""
        return self.races[0].readings

    def check(self) -> None:
        """Raises BadInput where a race cannot take so many boats, or a policy cannot play there."""
        self.check_room()
        if set(self.policies) & set(COMPILED):
            from rulekit.simulate.solved import check

            for waters in self.races:
                check(waters)

    def check_room(self) -> None:
        """Raises BadInput where a race cannot take so many boats."""
        for waters in self.races:
            next_race(Match((waters,), self.seats))

    @cached_property
    def compiled(self) -> bool:
        """Whether the compiled races can play it: all policies by tables, no stock that boats share."""
        return set(self.policies) <= set(COMPILED) and self.readings.dice_stock is None

    def seated(self, match: int) -> tuple[str, ...]:
        """The policy of each seat in a match."""
        by = match % self.seats if self.rotate else 0
        return tuple(self.policies[(seat + by) % self.seats] for seat in range(self.seats))

    def head(self, match: int) -> Transcript:
        """The head of a match's transcript."""
        names = self.names or tuple(waters.course.name for waters in self.races)
        seats = tuple(SeatLine(policy=name) for name in self.seated(match))
        comment = (f"made by `rulekit simulate`, seed {self.seed}, match {match + 1}",)
        starter = drawn_starter(self.seats, self.seed, match)
        return Transcript(names, seats, starter, self.readings, comment=comment)

    def game(self, match: int) -> Game:
        """One match through the rules, with its transcript."""
        policies: Sequence[Policy] = [POLICIES[name] for name in self.seated(match)]
        return play_match(self.head(match), self.races, policies, self.seed, match, self.cap)


class Outcomes(NamedTuple):
    """How races ended, by [race, match, seat]: status (by place in `Status`), order of leaving, turns, damaged.

    `played` tells by [race, match] which races were held: none follows one that was given up.
    """

    status: Ints
    left: Ints
    turns: Ints
    damaged: Ints
    played: Ints


def play(contest: Contest, first: int, count: int) -> Outcomes:
    """The matches first, first + 1, …, as fast as the line-up allows."""
    return play_compiled(contest, first, count) if contest.compiled else play_by_rules(contest, first, count)


def play_by_rules(contest: Contest, first: int, count: int) -> Outcomes:
    """The matches through the rules, one after the other."""
    found = _empty(contest, count)
    for k in range(count):
        game = contest.game(first + k)
        for number, result in enumerate(game.match.results):
            found.played[number, k] = 1
            found.status[number, k] = [STATUSES.index(status) for status in result.status]
            # Only the order among boats that ended alike matters.
            found.left[number, k] = [
                -place if status is Status.SUNK else place
                for place, status in zip(result.places, result.status, strict=True)
            ]
            found.turns[number, k], found.damaged[number, k] = result.turns, result.damaged
        if game.race is not None:
            _given_up(found, len(game.match.results), k, game.race)
    return found


def _given_up(found: Outcomes, number: int, k: int, race: Race) -> None:
    found.played[number, k] = 1
    for seat, entry in enumerate(race.entries):
        found.status[number, k, seat] = STATUSES.index(entry.status)
        found.left[number, k, seat] = -1 if entry.left_at is None else entry.left_at
        found.turns[number, k, seat], found.damaged[number, k, seat] = entry.turns, entry.was_damaged


def _empty(contest: Contest, count: int) -> Outcomes:
    shape = len(contest.races), count, contest.seats
    status, left, turns, damaged = (np.zeros(shape, np.int64) for _ in range(4))
    return Outcomes(status, left, turns, damaged, np.zeros(shape[:2], np.int64))


def play_compiled(contest: Contest, first: int, count: int) -> Outcomes:
    """The matches by the compiled races, race by race."""
    found = _empty(contest, count)
    for _ in _compiled_races(contest, first, found):
        pass
    return found


def log_compiled(contest: Contest, number: int, first: int, count: int) -> tuple["Records", Ints]:
    """Race `number` (from 0) of the matches by the compiled races: (its records with the turns as they came, held).

    Memory is that of the turns, 48 bytes each; see `turn_log` for the tidy form.
    """
    before = replace(contest, races=contest.races[: number + 1])
    *_, last = _compiled_races(before, first, _empty(before, count), number)
    return last


def _compiled_races(
    contest: Contest, first: int, found: Outcomes, logged: int | None = None
) -> Iterator[tuple["Records", Ints]]:
    """Each race's records and which matches held it; fills in the outcomes. Raises BadInput as `Contest.check_room`."""
    from rulekit.simulate.bulk_races import new_records

    contest.check_room()
    shape = found.status.shape[1:]
    damage, drawn = np.zeros(shape, np.int32), (np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))
    for number in range(len(contest.races)):
        held = damage[:, 0] >= 0
        records = play_race(contest, first, number, new_records(damage, *drawn, log=number == logged))
        found.played[number], found.status[number], found.left[number] = held, records.status, records.left
        found.turns[number] = records.turns
        found.damaged[number] = (records.damage > damage) | (records.status == SUNK)
        yield records, held.astype(np.int64)
        damage, drawn = _carried(contest, found, number), (records.dice_drawn, records.own_drawn)


def play_race(contest: Contest, first: int, number: int, records: "Records") -> "Records":
    """One race of each match, the records filled in."""
    from rulekit.simulate.bulk_races import LOGGED, Plan, new_slots, play_races
    from rulekit.simulate.bulk_weighed import sense_for
    from rulekit.simulate.solved import solved
    from rulekit.simulate.streams import root

    course = solved(contest.races[number])
    kinds = np.array([COMPILED.index(name) for name in contest.policies], np.int32)
    seed = np.uint64(root(contest.seed))
    plan = Plan(seed, first, number, contest.cap, contest.rotate, kinds, np.zeros_like(kinds))
    slots, sense = new_slots(contest.seats), sense_for(int(kinds.max()), course.sense)
    tables = course.own_water(), course.throws, course.book, sense
    while play_races(*tables, plan, slots, records):
        records = records._replace(log=np.concatenate([records.log, np.empty_like(records.log)]))
    return records._replace(log=records.log[: slots.counts[LOGGED]])


def _carried(contest: Contest, found: Outcomes, number: int) -> NDArray[np.int32]:
    """Each boat's counters in the next race (PB-24), below 0 in matches that were given up."""
    most = {Carry.DAMAGED_RACES: len(contest.races), Carry.AT_MOST_ONE: 1, Carry.NONE: 0}[contest.readings.carry]
    most = min(most, contest.readings.sink_at - 1)
    counters = np.minimum(found.damaged[: number + 1].sum(axis=0), most)
    racing = STATUSES.index(Status.RACING)
    over = found.played[number].astype(bool) & (found.status[number] != racing).all(axis=1)
    return np.where(over[:, None], counters, -1).astype(np.int32)
