"""Many races of cars between the same policies: which random streams and seats, and how each is played.

The compiled races and those by the rules are the same, turn for turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rulekit.files.car_transcript import CarTranscript
from rulekit.files.transcript import SeatLine
from rulekit.ps.car import OUT_AT
from rulekit.ps.picks import CARS
from rulekit.ps.race import Event, Moved, Race
from rulekit.ps.scoring import points_of
from rulekit.ps.terms import Terms
from rulekit.simulate.car_game import CarGame, play_car_game
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_questions import CarPolicy
from rulekit.simulate.car_table import CAR_TURN_CAP, drawn_line_up, play_race
from rulekit.solve.kernel import Ints

if TYPE_CHECKING:
    from rulekit.simulate.car_races import CarRecords


@dataclass(frozen=True)
class CarContest:
    """A line-up that meets in race after race on one track.

    With `rotate` the policies move on by one seat from race to race, so that each plays every seat equally often.
    """

    terms: Terms
    policies: tuple[str, ...]
    seed: int
    rotate: bool = True
    cap: int = CAR_TURN_CAP
    name: str = ""

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.policies)

    @property
    def compiled(self) -> bool:
        """Whether the compiled races play it: all policies are known there, and a race has not too many laps."""
        from rulekit.simulate.car_solved import MOST_LAPS

        return set(self.policies) <= set(CAR_POLICIES) and self.terms.laps <= MOST_LAPS

    def check(self) -> None:
        """Raises BadInput where a policy cannot play there."""
        from rulekit.simulate.car_solved import NEED_VALUES
        from rulekit.simulate.car_values import car_values

        if set(self.policies) & NEED_VALUES:
            car_values(self.terms)

    @cached_property
    def best_points(self) -> Ints:
        """The points of each place, from the first; 0 before them for cars without one (PS-24)."""
        cars = CARS * self.seats
        return np.array([0, *(points_of(self.terms.track.points, place) for place in range(1, cars + 1))], np.int64)

    def seated(self, match: int) -> tuple[str, ...]:
        """The policy of each seat in a race."""
        by = match % self.seats if self.rotate else 0
        return tuple(self.policies[(seat + by) % self.seats] for seat in range(self.seats))

    def seated_policies(self, match: int) -> Sequence[CarPolicy]:
        """The functions of these policies."""
        return [CAR_POLICIES[name] for name in self.seated(match)]

    def game(self, match: int) -> CarGame:
        """One race through the rules, with its transcript."""
        seats = tuple(SeatLine(policy=name) for name in self.seated(match))
        comment = (f"made by `rulekit simulate`, seed {self.seed}, race {match + 1}",)
        laps = self.terms.laps if self.terms.laps != self.terms.track.laps else None
        laps = None if self.terms.laps == self.terms.track.laps else self.terms.laps
        head = CarTranscript(
            self.name or self.terms.track.name, seats, laps, self.terms.readings, comment=comment
        )  # fmt: skip
        return play_car_game(head, self.terms, self.seated_policies(match), self.seed, match, self.cap)


class CarOutcomes(NamedTuple):
    """How races went: by [match, car] boxes, places (0: none, the race was given up) and damage at the end; by [match,
    player] turns and who began; car-moves by match."""

    boxes: Ints
    places: Ints
    damage: Ints
    turns: Ints
    began: Ints
    moves: Ints

    @property
    def lost(self) -> np.ndarray:
        """Cars that were removed (PS-20)."""
        return np.asarray(self.damage >= OUT_AT)


def play_cars(contest: CarContest, first: int, count: int) -> CarOutcomes:
    """The races first, first + 1, …, as fast as the line-up allows."""
    return play_compiled(contest, first, count) if contest.compiled else play_by_rules(contest, first, count)


def play_by_rules(contest: CarContest, first: int, count: int) -> CarOutcomes:
    """The races through the rules, one after the other."""
    rows = [_row(contest, first + k) for k in range(count)]
    return CarOutcomes(*(np.array(column, np.int32) for column in zip(*rows, strict=True)))


def _row(contest: CarContest, match: int) -> tuple[Sequence[int], ...]:
    """The columns of `CarOutcomes` of one race."""
    moves = []

    def watch(_race: Race, happens: Event) -> None:
        if isinstance(happens, Moved):
            moves.append(happens)

    race = play_race(contest.terms, contest.seated_policies(match), contest.seed, match, contest.cap, watch)
    begun = drawn_line_up(contest.seats, contest.seed, match).starter
    return (
        [car.box for car in race.cars], [car.place or 0 for car in race.cars], [car.damage for car in race.cars],
        race.turns, [int(seat == begun) for seat in range(contest.seats)], [len(moves)],
    )  # fmt: skip


def play_compiled(contest: CarContest, first: int, count: int) -> CarOutcomes:
    """The races by the compiled kernel."""
    return outcomes_of(records_of(contest, first, count))


def outcomes_of(records: "CarRecords") -> CarOutcomes:
    """What compiled records tell."""
    cars, players = records.cars, records.players
    boxes, places, damage = (cars[..., k] for k in range(3))
    return CarOutcomes(boxes, places, damage, players[..., 0], players[..., 1], records.moves[:, None])


def records_of(contest: CarContest, first: int, count: int, *, log: bool = False) -> "CarRecords":
    """The compiled races' records, with all car-moves if a log is wanted."""
    from rulekit.simulate.car_races import CarPlan, new_records, new_table, play_races
    from rulekit.simulate.car_solved import car_tables
    from rulekit.simulate.streams import root

    tables = car_tables(contest.terms, set(contest.policies))
    kinds = np.array([list(CAR_POLICIES).index(name) for name in contest.policies], np.int32)
    plan = CarPlan(np.uint64(root(contest.seed)), first, contest.cap, contest.rotate, kinds)
    table, records = new_table(contest.seats, tables.circuit, tables.sense), new_records(count, contest.seats, log=log)
    while not play_races(tables.circuit, tables.law, tables.sense, plan, table, records):
        records = records._replace(log=np.concatenate([records.log, np.zeros_like(records.log)]))
    return records


def player_places(outcomes: CarOutcomes) -> Ints:
    """Twice the sum of the places of each player's cars, by [match, player]; cars without one share the middle of those
    that are left."""
    places = outcomes.places
    left = places == 0
    cars = places.shape[1]
    total = cars * (cars + 1) // 2 - places.sum(axis=1, keepdims=True)
    share = 2 * total // np.maximum(1, left.sum(axis=1, keepdims=True))
    twice = np.where(left, share, 2 * places)
    return np.asarray(twice.reshape(len(places), -1, CARS).sum(axis=2), np.int64)


def player_points(contest: CarContest, outcomes: CarOutcomes) -> Ints:
    """The points of each player by [match, player] (PS-24)."""
    return np.asarray(contest.best_points[outcomes.places].reshape(-1, contest.seats, CARS).sum(axis=2), np.int64)


def winners(contest: CarContest, outcomes: CarOutcomes) -> np.ndarray:
    """Who won by [match, player]: most points, then the better best car (PS-24); nobody where a race was given up."""
    over = (outcomes.places > 0).all(axis=1, keepdims=True)
    best = outcomes.places.reshape(-1, contest.seats, CARS).min(axis=2)
    score = player_points(contest, outcomes) * 1000 - best
    return np.asarray(over & (score == score.max(axis=1, keepdims=True)))
