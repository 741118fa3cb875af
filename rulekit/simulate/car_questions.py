"""The questions that a policy for cars answers: which dice, which car with which die where to, what to do in the pit.

Each lists its legal options; a policy answers with the index of one of them. A question with one option is not asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from rulekit.ps.car import Plan
from rulekit.ps.race import Moved, Phase, Picked, Planned, Race, legal_moves, legal_picks, legal_plans


@dataclass(frozen=True)
class Picking:
    """Which dice? Asked of `race.mover` before the throw."""

    race: Race
    options: tuple[Picked, ...]


@dataclass(frozen=True)
class Moving:
    """Which car next, with which die, where to? Asked of `race.mover` until every car that is to move has its die."""

    race: Race
    options: tuple[Moved, ...]


@dataclass(frozen=True)
class Pitting:
    """What is the car on pit space 3 to do? Asked of `race.mover` at the beginning of its turn."""

    race: Race
    car: int
    options: tuple[Plan, ...]


CarQuestion = Picking | Moving | Pitting
CarPolicy = Callable[[CarQuestion, Random], int]


def question(race: Race) -> CarQuestion:
    """What the player to move has to answer now.

    Raises ValueError where nothing is to be decided: the dice are to be thrown, or the race is over.
    """
    if race.phase is Phase.PLAN and race.planner is not None:
        return Pitting(race, race.planner, legal_plans(race))
    if race.phase is Phase.PICK:
        return Picking(race, legal_picks(race))
    if race.phase is Phase.MOVE:
        return Moving(race, legal_moves(race))
    raise ValueError("nothing is to be decided now")


def event(asked: CarQuestion, answer: int) -> Planned | Picked | Moved:
    """What happens by an answer."""
    if isinstance(asked, Pitting):
        return Planned(asked.car, asked.options[answer])
    return asked.options[answer]
