"""Figures of circuits (27), each a plain function of the moves of races: dice, damage, places, length."""

from collections.abc import Callable, Iterator

import numpy as np

from rulekit.ps.dice import Colour
from rulekit.ps.moves import DAMAGING, Kind
from rulekit.ps.picks import CARS
from rulekit.ps.track import FINISH, LANES, OUT, STOP, Mark, Track
from rulekit.readings import ExitStep
from rulekit.study.car_evidence import CarEvidence
from rulekit.study.car_record import COLOURS, KINDS, CarRecord
from rulekit.study.figure import Figure, nothing
from rulekit.study.stats import Floats, clustered, generator, mean_figure, proportion, quantile_figure

SECONDS = 30
"""Table time of a player's turn."""

QUARTERS = (0.25, 0.5, 0.75)


def a_race(evidence: CarEvidence, counts: np.ndarray, label: str = "", note: str = "") -> Figure:
    """A number a race."""
    return mean_figure(counts, generator(evidence.seed, f"cars {label}"), label, note)


# Dice and pace


def dice_shares(evidence: CarEvidence) -> list[Figure]:
    """The share of each colour among the dice that were picked."""
    record = evidence.record
    picked = record.count(np.ones(record.moves.race.size, bool))
    return [clustered(record.count(record.of_colour(one)), picked, one.value) for one in COLOURS]


def turns_a_lap(evidence: CarEvidence) -> list[Figure]:
    """Turns of a car a lap, in the pit too, of those that finished: the mean of each race."""
    record, laps = evidence.record, evidence.record.terms.laps
    turns, finished = _per_race(record, record.moves.turn.astype(float), record.moves.after == FINISH)
    return [a_race(evidence, turns[finished > 0] / finished[finished > 0] / laps)]


def _per_race(record: CarRecord, values: Floats, those: np.ndarray) -> tuple[Floats, np.ndarray]:
    """(sum of the values, number) of the moves of a mask, by race."""
    races = record.moves.race[those]
    return np.bincount(races, weights=values[those], minlength=record.races).astype(float), record.count(those)


def overtakes_a_lap(evidence: CarEvidence) -> list[Figure]:
    """Cars passed on the track, a race, by its laps."""
    record = evidence.record
    passed = np.bincount(record.moves.race, weights=evidence.order.passed, minlength=record.races)
    return [a_race(evidence, passed / record.terms.laps)]


# Damage


def flights(evidence: CarEvidence) -> list[Figure]:
    """Flights a race: in all, then by curve and by the lane of the space that the car flew from."""
    record = evidence.record
    flown = record.of_kind(Kind.FLY)
    every = a_race(evidence, record.count(flown), "all")
    return [every, *(a_race(evidence, counts, label) for label, counts in _flights_by(record, flown))]


def _flights_by(record: CarRecord, flown: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    track, rows = record.terms.track, np.flatnonzero(flown)
    moves = record.moves
    exits = record.terms.readings.exit_step is ExitStep.FLIES
    curve = [flown_in(track, int(moves.origin[row]), int(moves.value[row]), exits) for row in rows]
    lane = [track.spaces[moves.origin[row]].lane for row in rows]
    cells = np.array([3 * one + side for one, side in zip(curve, lane, strict=True)], np.int64)
    for number, section in enumerate(track.sections):
        for side in range(3) if section.is_curve else ():
            yield (
                f"{section.id} {LANES[side]}",
                np.bincount(moves.race[rows[cells == 3 * number + side]], minlength=record.races),
            )


def flown_in(track: Track, origin: int, speed: int, exits: bool = False) -> int:
    """The curve in which a car flies from a space: the space's own where it speeds there already and the track ends
    inside it (PS-14, PS-16), else the one ahead (PS-13). `exits`: the reading exit-step=flies."""
    at = track.spaces[origin]
    here = track.sections[at.section]
    speeds = here.limit is not None and speed > here.limit
    if speeds and (not track.crosses_double_line[origin] or exits or Mark.MU in at.marks):
        return at.section
    return track.spaces[track.ahead[origin]].section


def strikes(evidence: CarEvidence) -> list[Figure]:
    """Strikes a race."""
    return [a_race(evidence, evidence.record.count(evidence.record.of_kind(Kind.STRIKE)))]


def blocked(evidence: CarEvidence) -> list[Figure]:
    """Moves without a first step, a race: on the track, which costs a point, and in the start box, which does not."""
    record = evidence.record
    kinds = ((Kind.STAY, "on the track"), (Kind.WAIT, "in the box"))
    return [a_race(evidence, record.count(record.of_kind(kind)), label) for kind, label in kinds]


def damage_taken(evidence: CarEvidence) -> list[Figure]:
    """Points of damage that a car takes in a race."""
    record = evidence.record
    return [a_race(evidence, np.bincount(record.moves.race, weights=points_of(record), minlength=record.races)
                   / record.cars)]  # fmt: skip


def points_of(record: CarRecord) -> Floats:
    """The points that each move cost: one for its end, one for an empty tank (PS-16…PS-19)."""
    numbers = [number for number, kind in enumerate(KINDS) if kind in DAMAGING]
    return np.asarray(np.isin(record.moves.kind, numbers) + starved(record).astype(float))


def starved(record: CarRecord) -> np.ndarray:
    """The moves with red or yellow on an empty tank (PS-19): nothing was in it after the car's move before, nor has it
    been filled since."""
    moves = record.moves
    if not record.terms.counts_fuel:
        return np.zeros(moves.race.size, bool)
    key = moves.race.astype(np.int64) * record.cars + moves.car
    order = np.argsort(key, kind="stable")
    first = np.r_[True, key[order][1:] != key[order][:-1]]
    before = np.empty(key.size, np.int64)
    before[order] = np.where(first, record.terms.tank, np.r_[0, moves.fuel[order][:-1]])
    empty = (before == 0) & (moves.fuel == 0)
    return np.asarray(empty & ~record.of_colour(Colour.BLUE) & ~record.of_kind(Kind.WAIT))


def pit_stops(evidence: CarEvidence) -> list[Figure]:
    """Stops in the pit that a car makes in a race."""
    record = evidence.record
    return [a_race(evidence, record.count(record.moves.after == STOP) / record.cars)]


def cars_lost(evidence: CarEvidence) -> list[Figure]:
    """The share of cars that damage removed."""
    record = evidence.record
    return [clustered(record.count(record.moves.after == OUT), np.full(record.races, record.cars))]


# Places


def places_by_box(evidence: CarEvidence) -> list[Figure]:
    """The mean place of the cars by their place in the line-up, from the pole back."""
    places = by_line_up(evidence.finished)
    return [mean_figure(places[:, k], generator(evidence.seed, f"box {k}"), _box(k)) for k in range(places.shape[1])]


def wins_by_box(evidence: CarEvidence) -> list[Figure]:
    """How often the car on each place of the line-up takes the first place."""
    record = evidence.finished
    won = by_line_up(record) == 1
    note = f"an equal share is {1 / record.cars:.3f}"
    return [proportion(int(won[:, k].sum()), len(won), _box(k), note) for k in range(record.cars)]


def by_line_up(record: CarRecord) -> np.ndarray:
    """Places by [race, place in the line-up]: the pole, which is the highest box, first."""
    order = np.argsort(-record.boxes, axis=1)
    return np.take_along_axis(record.places, order, axis=1)


def _box(place: int) -> str:
    return "pole" if place == 0 else str(place + 1)


def pole_value(evidence: CarEvidence) -> list[Figure]:
    """Places that the pole is worth: the mean place of all cars less that of the car which starts from the pole."""
    record = evidence.finished
    return [a_race(evidence, (record.cars + 1) / 2 - by_line_up(record)[:, 0], "pole")]


def front_wins(evidence: CarEvidence) -> list[Figure]:
    """How often the car in front at the quarters of a race (by moves up to the first finish) takes the first place."""
    record, order = evidence.record, evidence.order
    held = np.flatnonzero((record.places > 0).all(axis=1))
    found = []
    for share in QUARTERS:
        at = np.maximum(0, np.ceil(share * order.until_finish[held]).astype(int) - 1)
        front = order.leader[held, at]
        won = int((record.places[held, front] == 1).sum())
        found.append(proportion(won, held.size, _percent(share), f"an equal share is {1 / record.cars:.3f}"))
    return found


def team_places(evidence: CarEvidence) -> list[Figure]:
    """The mean place of a player's best, middle and last car."""
    record = evidence.finished
    teams = np.sort(record.places.reshape(record.races, record.players, CARS), axis=2).mean(axis=1)
    labels = ("best car", "middle car", "last car")
    return [a_race(evidence, teams[:, k], label) for k, label in enumerate(labels)]


def turn_order(evidence: CarEvidence) -> list[Figure]:
    """The mean place of a player's cars by the order of turns: who begins is 1."""
    record = evidence.finished
    own = record.places.reshape(record.races, record.players, CARS).mean(axis=2)
    seats = (record.starter[:, None] + np.arange(record.players)) % record.players
    placed = np.take_along_axis(own, seats, axis=1)
    return [a_race(evidence, placed[:, k], f"turn {k + 1}") for k in range(record.players)]


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


# Length


def race_turns(evidence: CarEvidence) -> list[Figure]:
    """Turns of all players in a race: the mean, and what 5, 50 and 95 % of races do not exceed."""
    return _spread(evidence, evidence.finished.turns.sum(axis=1))


def race_minutes(evidence: CarEvidence) -> list[Figure]:
    """Minutes at the table, a turn of a player taking 30 seconds."""
    return _spread(evidence, evidence.finished.turns.sum(axis=1) * SECONDS / 60)


def _spread(evidence: CarEvidence, values: np.ndarray) -> list[Figure]:
    if not values.size:
        return [nothing("mean")]
    shares = (quantile_figure(values, share, _percent(share)) for share in (0.05, 0.5, 0.95))
    return [a_race(evidence, values, "mean"), *shares]


def given_up(evidence: CarEvidence) -> list[Figure]:
    """The share of races given up for their length."""
    record = evidence.record
    return [proportion(record.races - evidence.finished.races, record.races)]


# Fuel

COMPARED: dict[str, Callable[[CarEvidence], list[Figure]]] = {
    "turns a lap": turns_a_lap,
    "pit stops a car": pit_stops,
    "cars lost": cars_lost,
    "damage a car": damage_taken,
    "minutes": lambda evidence: race_minutes(evidence)[:1],
}
"""What the readings of fuel are compared by."""


def fuel_readings(evidence: CarEvidence) -> list[Figure]:
    """The same races under each reading of fuel (PS-22), as far as the track allows."""
    found = []
    for name, other in evidence.by_fuel.items():
        for what, figures in COMPARED.items():
            if other is None:
                found.append(nothing(f"{name}: {what}", "the track has no pit or no tables for it"))
                continue
            (figure,) = figures(other)
            found.append(Figure(figure.value, figure.low, figure.high, figure.n, f"{name}: {what}", figure.note))
    return found
