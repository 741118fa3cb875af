"""Places, points and the winner of a race of cars (PS-20, PS-22…PS-24)."""

from dataclasses import dataclass

from rulekit.errors import BadInput
from rulekit.ps.car import cars_of
from rulekit.ps.race import Race


@dataclass(frozen=True, slots=True)
class Score:
    """What a race brought: each car's place (from 1) and points, each player's points and rank (from 1)."""

    places: tuple[int, ...]
    car_points: tuple[int, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]


def score(race: Race) -> Score:
    """Places and points of a race that is over (PS-24).

    Raises BadInput for one that is not.
    """
    places = tuple(car.place for car in race.cars if car.place is not None)
    if len(places) < len(race.cars):
        raise BadInput("the race is not over: there are cars without a place")
    car_points = tuple(points_of(race.terms.track.points, place) for place in places)
    points = tuple(sum(car_points[car] for car in cars_of(player)) for player in range(race.players))
    best = [min(places[car] for car in cars_of(player)) for player in range(race.players)]
    order = sorted(range(race.players), key=lambda player: (-points[player], best[player]))
    return Score(places, car_points, points, tuple(order.index(player) + 1 for player in range(race.players)))


def points_of(points: tuple[int, ...], place: int) -> int:
    """The points of a place: the track's table by place; behind its end a place scores nothing (PS-24)."""
    return points[place - 1] if place <= len(points) else 0


def final_order(race: Race) -> tuple[int, ...]:
    """Players from the winner to the last: most points, equal ones by their best car (PS-24)."""
    ranks = score(race).ranks
    return tuple(sorted(range(race.players), key=lambda player: ranks[player]))
