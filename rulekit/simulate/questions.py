"""The questions that a policy answers: where to start, what to do with the dice, which way to go.

Each lists its legal options; a policy answers with the index of one of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rulekit.hexgrid import FACINGS, Facing, Hex
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.race import Race, free_places, legal_choices, legal_landings


class Start(NamedTuple):
    """A place to start from, and a facing there (PB-13)."""

    at: Hex
    facing: Facing
    progress: int


@dataclass(frozen=True)
class Placing:
    """Where to start? Asked of `race.placer`."""

    race: Race
    options: tuple[Start, ...]


@dataclass(frozen=True)
class Choosing:
    """What to do with the dice? Asked of `race.mover` before the throw."""

    race: Race
    options: tuple[Choice, ...]


@dataclass(frozen=True)
class Steering:
    """Which way to go? Asked of `race.mover` after the throw."""

    race: Race
    hand: Hand
    options: tuple[Landing, ...]


Question = Placing | Choosing | Steering
Policy = Callable[[Question, Random], int]


def placing(race: Race) -> Placing:
    """The question of where the next boat starts."""
    return Placing(
        race, tuple(Start(place.at, facing, place.progress) for place in free_places(race) for facing in FACINGS)
    )


def choosing(race: Race) -> Choosing:
    """The question of what the boat to move does with its dice."""
    return Choosing(race, legal_choices(race))


def steering(race: Race, hand: Hand) -> Steering:
    """The question of which way the boat to move goes with the dice as they lie."""
    return Steering(race, hand, legal_landings(race, hand))
