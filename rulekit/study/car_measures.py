"""What two races of cars are compared by, see `measures`: exact laps of a car alone, and numbers of every race."""

from collections.abc import Callable

import numpy as np

from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.picks import CARS
from rulekit.ps.track import OUT, STOP
from rulekit.solve.laps import Laps
from rulekit.study.car_evidence import CarEvidence
from rulekit.study.measures import Measure, Sample
from rulekit.study.stats import Floats

EXACT = {
    "turns": Measure("turns of a race", "turns"),
    "sink": Measure("chance of losing the car", "share"),
    "lap": Measure("turns of a flying lap", "turns"),
}
"""Exact figures of a car alone."""


def exact_laps(laps: Laps) -> dict[str, float]:
    """The exact figures by name: a race from the best start, and one lap from the best place behind the line."""
    race = laps.race()[1]
    return {"turns": race.turns, "sink": race.sink, "lap": laps.flying_lap()[1].turns}


def race_turns(evidence: CarEvidence) -> Floats:
    """Rounds of each race: the most turns of a player."""
    return np.asarray(evidence.record.turns.max(axis=1), float)


def share_of_dice(colour: Colour) -> Callable[[CarEvidence], Floats]:
    """The share of a colour among the dice of each race."""
    return lambda evidence: _part(evidence, evidence.record.of_colour(colour))


def _part(evidence: CarEvidence, those: np.ndarray) -> Floats:
    record = evidence.record
    return np.asarray(record.count(those) / np.maximum(record.count(np.ones(those.size, bool)), 1))


def number_of(kind: Kind) -> Callable[[CarEvidence], Floats]:
    """How many moves of each race end like that."""
    return lambda evidence: np.asarray(evidence.record.count(evidence.record.of_kind(kind)), float)


def cars_to(place: int) -> Callable[[CarEvidence], Floats]:
    """How many cars of each race come to a place, in parts of all cars."""
    return lambda evidence: np.asarray(
        evidence.record.count(evidence.record.moves.after == place) / evidence.record.cars
    )


def overtakes(evidence: CarEvidence) -> Floats:
    """Cars passed in each race, a lap."""
    record = evidence.record
    passed = np.bincount(record.moves.race, weights=evidence.order.passed, minlength=record.races)
    return np.asarray(passed / record.terms.laps)


def pole_place(evidence: CarEvidence) -> Floats:
    """The place that the car on the pole comes to; NaN where the race was given up."""
    record = evidence.record
    pole = record.places[np.arange(record.races), record.boxes.argmax(axis=1)].astype(float)
    return np.where(_ended(evidence), pole, np.nan)


def _ended(evidence: CarEvidence) -> np.ndarray:
    return np.asarray((evidence.record.places > 0).all(axis=1))


MEASURES: dict[str, tuple[Measure, Callable[[CarEvidence], Floats]]] = {
    "rounds": (Measure("rounds of a race", "rounds"), race_turns),
    "blue": (Measure("blue dice", "share"), share_of_dice(Colour.BLUE)),
    "red": (Measure("red dice", "share"), share_of_dice(Colour.RED)),
    "yellow": (Measure("yellow dice", "share"), share_of_dice(Colour.YELLOW)),
    "overtakes": (Measure("cars passed", "a lap"), overtakes),
    "flights": (Measure("flights", "a race"), number_of(Kind.FLY)),
    "strikes": (Measure("strikes", "a race"), number_of(Kind.STRIKE)),
    "blocked": (Measure("moves without a first step", "a race"), number_of(Kind.STAY)),
    "lost": (Measure("cars lost", "share"), cars_to(OUT)),
    "pit-stops": (Measure("pit stops of a car", "a race"), cars_to(STOP)),
    "pole-place": (Measure("place of the pole's car", "places"), pole_place),
}
"""Numbers of every race."""


def seat_places(evidence: CarEvidence) -> dict[str, tuple[Measure, Floats]]:
    """The mean place of each player's cars, the players in their order of turns, the one who begins first."""
    record = evidence.record
    by_player = record.places.reshape(record.races, record.players, CARS).mean(axis=2)
    order = (record.starter[:, None] + np.arange(record.players)) % record.players
    placed = np.where(_ended(evidence)[:, None], np.take_along_axis(by_player, order, axis=1), np.nan)
    return {
        f"place-seat-{seat + 1}": (Measure(f"mean place of player {seat + 1}", "places"), placed[:, seat])
        for seat in range(record.players)
    }


def car_sample_of(label: str, evidence: CarEvidence, laps: Laps) -> Sample:
    """A side of a comparison."""
    told = {name: (measure, compute(evidence)) for name, (measure, compute) in MEASURES.items()}
    told |= seat_places(evidence)
    races = {name: values for name, (_, values) in told.items()}
    return Sample(label, exact_laps(laps), races, EXACT | {name: measure for name, (measure, _) in told.items()})
