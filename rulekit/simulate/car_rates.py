"""What many races of cars come to: whole counts that add up in any order, see `rates`."""

import numpy as np

from rulekit.ps.picks import CARS
from rulekit.simulate.car_bulk import CarContest, CarOutcomes, play_cars, player_places, player_points, winners
from rulekit.simulate.rates import Chunks, Report, Run, Tally, count_up

CAR_FIELDS = (
    "races", "place", "place_squared", "win", "cars", "finish", "sink", "lost_squared", "turns", "turns_squared",
    "points", "points_squared",
)  # fmt: skip
"""What is counted for each seat and policy; `place` is twice the sum of the places of a player's cars, `sink` counts
cars that were removed."""


def car_tally(contest: CarContest, first: int, found: CarOutcomes) -> Tally:
    """The counts of the races first, first + 1, …; car-moves as its `turns`."""
    seats, counts = contest.seats, Tally.of(contest.seats, CAR_FIELDS)
    races = len(found.places)
    numbers = first + np.arange(races)
    policy = (np.arange(seats) + (numbers[:, None] if contest.rotate else 0 * numbers[:, None])) % seats
    place, points = player_places(found), player_points(contest, found)
    lost = found.lost.reshape(races, seats, CARS).sum(axis=2)
    placed = (found.places > 0).reshape(races, seats, CARS).sum(axis=2)
    by_race = {
        "races": np.ones_like(lost), "place": place, "place_squared": place**2, "win": winners(contest, found),
        "cars": np.full_like(lost, CARS), "finish": placed - lost, "sink": lost, "lost_squared": lost**2,
        "turns": found.turns, "turns_squared": found.turns.astype(np.int64) ** 2, "points": points,
        "points_squared": points**2,
    }  # fmt: skip
    for name, values in by_race.items():
        for seat in range(seats):
            np.add.at(counts.counts[name][seat], policy[:, seat], values[:, seat].astype(np.int64))
    counts.matches, counts.turns = races, int(found.moves.sum())
    counts.capped = int((found.places == 0).any(axis=1).sum())
    return counts


def car_chunk(contest: CarContest, first: int, count: int) -> Tally:
    """The tally of some races."""
    return car_tally(contest, first, play_cars(contest, first, count))


def run_cars(
    contest: CarContest, races: int, jobs: int = 1, size: int | None = None, report: Report | None = None
) -> Run[CarContest]:
    """So many races, on `jobs` workers; the same counts however they are parted, see `rates.run`."""
    found = Run(contest, races, Tally.of(contest.seats, CAR_FIELDS))
    return count_up(found, Chunks(races, size or (64 if contest.compiled else 1)), car_chunk, jobs, report)
