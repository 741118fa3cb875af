"""Figures of circuits: known answers on moves written down by hand, and the rules engine counted once more."""

from collections.abc import Sequence
from typing import Any

import pytest

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import Colour
from rulekit.ps.moves import DAMAGING, Kind
from rulekit.ps.race import Event, Moved, Race, points_taken
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, OUT, STOP, Track
from rulekit.readings import PsReadings
from rulekit.simulate.car_bulk import CarContest
from rulekit.simulate.car_log import NOWHERE, log_by_rules
from rulekit.simulate.car_table import play_race
from rulekit.study import cars
from rulekit.study.car_evidence import CarEvidence
from rulekit.study.car_order import order_of
from rulekit.study.car_record import COLOURS, KINDS, Row, record_of, record_of_log, record_of_rows
from rulekit.study.figure import Figure
from rulekit.study.metric import TRACK, UNITS, Metric
from rulekit.study.metrics import METRICS
from rulekit.study.metrics_cars import CARS

BLUE, RED, YELLOW = Colour


@pytest.fixture(scope="module")
def track() -> Track:
    return read_track(read_source("orchard")).track


def terms_of(track: Track, *readings: str, laps: int = 2) -> Terms:
    return Terms(track, PsReadings.parse(readings), laps)


def row(
    track: Track, race: int, turn: int, car: int, die: Colour, value: int, before: str, after: str,
    kind: Kind = Kind.MOVE, **told: Any,
) -> Row:  # fmt: skip
    """A move, spaces by name."""
    origin = track.by_name[told.pop("origin")] if "origin" in told else NOWHERE
    known = {"line": 0, "damage": 0, "fuel": 0, "place": 0} | told
    places = {f"box {k}": FINISH - k for k in range(1, 13)} | {"finish": FINISH, "out": OUT, "stop": STOP}
    start, end = (places[name] if name in places else track.by_name[name] for name in (before, after))
    return Row(race, turn, car, COLOURS.index(die), value, KINDS.index(kind), start, end, origin, **known)


BOXES = [[6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6]]
"""Two races of two players: in the first car 0 has the pole, in the second car 5."""
PLACES = [[1, 2, 6, 3, 4, 5], [6, 5, 4, 3, 2, 1]]
TURNS = [[10, 12], [8, 8]]


def rows_by_hand(track: Track) -> list[Row]:
    """Two races cut down to a few moves each."""

    def move(*args: Any, **told: Any) -> Row:
        return row(track, *args, **told)

    return [
        move(0, 1, 0, YELLOW, 7, "box 6", "main middle 11"),
        move(0, 1, 1, RED, 5, "box 5", "main middle 8"),
        move(0, 1, 3, BLUE, 1, "box 3", "box 3", Kind.WAIT),
        move(0, 2, 1, YELLOW, 9, "main middle 8", "hairpin right 3", line=1),  # passes car 0
        move(0, 2, 0, YELLOW, 7, "main middle 11", "main right 12", Kind.FLY, origin="hairpin right 2", damage=1),
        move(0, 2, 2, BLUE, 2, "box 4", "main left 8"),
        move(0, 3, 0, RED, 4, "main right 12", "main right 12", Kind.STAY, damage=2),
        move(0, 3, 1, BLUE, 2, "hairpin right 3", "stop", Kind.PIT, line=0),
        move(0, 10, 0, YELLOW, 9, "main right 12", "finish", Kind.FINISH, line=3, damage=2, place=1),
        move(0, 10, 2, RED, 10, "main left 8", "out", Kind.STRIKE, origin="main left 12", damage=4, place=6),
        move(1, 1, 5, BLUE, 3, "box 6", "main left 9"),
        move(1, 8, 5, BLUE, 3, "main left 9", "finish", Kind.FINISH, line=3, place=1),
    ]


@pytest.fixture(scope="module")
def evidence(track: Track) -> CarEvidence:
    record = record_of_rows(terms_of(track), rows_by_hand(track), BOXES, PLACES, TURNS, [0, 1])
    return CarEvidence.given(record)


def values(figures: Sequence[Figure]) -> dict[str, float | None]:
    return {figure.label: figure.value for figure in figures}


def only(figures: Sequence[Figure]) -> float | None:
    (figure,) = figures
    assert figure.value is None or (figure.low is not None and figure.high is not None)
    return figure.value


def test_dice_shares(evidence: CarEvidence) -> None:
    assert values(cars.dice_shares(evidence)) == {"blue": 5 / 12, "red": 3 / 12, "yellow": 4 / 12}


def test_turns_a_lap(evidence: CarEvidence) -> None:
    """One car finishes in turn 10, one in turn 8, of two laps each."""
    assert only(cars.turns_a_lap(evidence)) == (5 + 4) / 2


def test_overtakes(evidence: CarEvidence) -> None:
    """Car 1 passes car 0, which on its last move passes car 1 in the pit: that is none. Car 2 was always behind."""
    assert list(evidence.order.passed) == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert only(cars.overtakes_a_lap(evidence)) == 1 / 2 / 2


def test_order_of_level_cars(track: Track) -> None:
    """A car that draws level has passed nobody yet; going on it has, and being moved back is no overtaking."""
    rows = [
        row(track, 0, 1, 0, YELLOW, 7, "box 3", "main middle 10"),
        row(track, 0, 1, 1, YELLOW, 7, "box 2", "main middle 8"),
        row(track, 0, 2, 1, BLUE, 2, "main middle 8", "main right 10"),
        row(track, 0, 3, 1, BLUE, 1, "main right 10", "main right 11"),
        row(track, 0, 2, 0, BLUE, 1, "main middle 10", "main middle 11"),
        row(track, 0, 4, 1, RED, 4, "main right 11", "main right 7", Kind.STRIKE, origin="main right 11", damage=1),
        row(track, 0, 5, 1, YELLOW, 8, "main right 7", "main right 15", line=1, damage=1),
        row(track, 0, 5, 2, RED, 11, "box 1", "main left 12"),  # past car 0, but out of its box
    ]
    record = record_of_rows(terms_of(track), rows, [[3, 2, 1]], [[1, 2, 3]], [[5]], [0])
    found = order_of(record)
    assert list(found.passed) == [0, 0, 0, 1, 0, 0, 1, 0]
    assert list(found.leader[0]) == [0, 0, 0, 1, 1, 0, 1, 1]
    assert list(found.until_finish) == [8]


def test_flights_by_curve_and_lane(evidence: CarEvidence) -> None:
    found = values(cars.flights(evidence))
    assert found["all"] == found["hairpin right"] == 0.5
    assert sum(value or 0 for label, value in found.items()) == 1.0
    assert list(found)[:4] == ["all", "hairpin left", "hairpin middle", "hairpin right"]
    assert len(found) == 1 + 4 * 3


@pytest.mark.parametrize(
    ("origin", "speed", "exits", "curve"),
    [
        ("main middle 15", 7, False, "hairpin"),  # it may not speed into it
        ("main middle 15", 7, True, "hairpin"),
        ("hairpin middle 4", 7, False, "hairpin"),  # its pattern leads off the track, or it started there
        ("hairpin middle 7", 7, True, "hairpin"),
        ("hairpin right 6", 7, False, "hairpin"),
        ("barn left 5", 7, False, "slope"),  # over the end line it may go, not into the next curve
        ("barn left 5", 7, True, "barn"),
        ("press left 5", 8, False, "kink"),
    ],
)
def test_the_curve_of_a_flight(track: Track, origin: str, speed: int, exits: bool, curve: str) -> None:
    found = cars.flown_in(track, track.by_name[origin], speed, exits)
    assert track.sections[found].id == curve


def test_strikes_and_blocked_steps(evidence: CarEvidence) -> None:
    assert only(cars.strikes(evidence)) == 0.5
    assert values(cars.blocked(evidence)) == {"on the track": 0.5, "in the box": 0.5}


def test_damage_pit_stops_and_cars_lost(evidence: CarEvidence) -> None:
    """Three points, one stop and one lost car in twelve cars."""
    assert only(cars.damage_taken(evidence)) == pytest.approx(3 / 12)
    assert only(cars.pit_stops(evidence)) == pytest.approx(1 / 12)
    assert only(cars.cars_lost(evidence)) == pytest.approx(1 / 12)


def test_an_empty_tank_costs_a_point(track: Track) -> None:
    terms = terms_of(track, "fuel=full", laps=3)
    rows = [
        row(track, 0, 1, 0, RED, 5, "main left 1", "main left 6", fuel=0),  # its last fuel
        row(track, 0, 2, 0, RED, 5, "main left 6", "main left 9", fuel=0, damage=1),  # starved
        row(track, 0, 3, 0, BLUE, 1, "main left 9", "main left 10", fuel=0, damage=1),
        row(track, 0, 4, 0, YELLOW, 7, "main left 10", "main left 3", Kind.STRIKE, origin="main left 10", damage=3),
        row(track, 0, 9, 0, RED, 4, "main left 3", "main left 7", fuel=27, damage=1),  # filled in between
    ]
    record = record_of_rows(terms, rows, [[1, 2, 3]], [[0, 0, 0]], [[9]], [0])
    assert list(cars.points_of(record)) == [0, 1, 0, 2, 0]


def test_places_by_box(evidence: CarEvidence) -> None:
    """The pole is car 0 in the first race, car 5 in the second: first in both."""
    found = values(cars.places_by_box(evidence))
    assert found == {"pole": 1.0, "2": 2.0, "3": 4.5, "4": 3.5, "5": 4.5, "6": 5.5}
    wins = values(cars.wins_by_box(evidence))
    assert wins == {"pole": 1.0, "2": 0.0, "3": 0.0, "4": 0.0, "5": 0.0, "6": 0.0}
    assert only(cars.pole_value(evidence)) == 2.5


def test_the_car_in_front(evidence: CarEvidence) -> None:
    """Of nine moves up to the finish the third, fifth and seventh: car 0 leads, then car 1 twice; of two the first and
    the second: car 5."""
    assert list(evidence.order.until_finish) == [9, 2]
    assert list(evidence.order.leader[0, :9]) == [0, 0, 0, 1, 1, 1, 1, 1, 0]
    assert values(cars.front_wins(evidence)) == {"25 %": 1.0, "50 %": 0.5, "75 %": 0.5}


def test_teams_and_turn_order(evidence: CarEvidence) -> None:
    """Places 1 2 6 and 3 4 5 in the first race, 4 5 6 and 1 2 3 in the second, which player 2 began."""
    assert values(cars.team_places(evidence)) == {"best car": 9 / 4, "middle car": 13 / 4, "last car": 5.0}
    assert values(cars.turn_order(evidence)) == {"turn 1": (3 + 2) / 2, "turn 2": (4 + 5) / 2}


def test_length(evidence: CarEvidence) -> None:
    assert values(cars.race_turns(evidence))["mean"] == 19
    assert values(cars.race_minutes(evidence))["mean"] == 9.5
    assert values(cars.race_minutes(evidence))["50 %"] == 8
    assert only(cars.given_up(evidence)) == 0


def test_a_race_given_up_has_no_places(track: Track) -> None:
    places = [PLACES[0], [0] * 6]
    record = record_of_rows(terms_of(track), rows_by_hand(track), BOXES, places, TURNS, [0, 1])
    found = CarEvidence.given(record)
    assert only(cars.given_up(found)) == 0.5
    assert (found.finished.races, found.finished.moves.race.size) == (1, 10)
    assert only(cars.pole_value(found)) == 2.5
    assert values(cars.race_turns(found))["mean"] == 22
    none = CarEvidence.given(record_of_rows(terms_of(track), [], BOXES, [[0] * 6] * 2, TURNS, [0, 1]))
    assert only(cars.race_turns(none)) is None
    assert all(figure.value is None for figure in cars.places_by_box(none))
    assert only(cars.turns_a_lap(none)) is None


def test_fuel_readings(track: Track, evidence: CarEvidence) -> None:
    compared = CarEvidence.given(evidence.record, by_fuel={"none": evidence, "full": None})
    found = values(cars.fuel_readings(compared))
    assert found["none: turns a lap"] == 4.5
    assert found["none: minutes"] == 9.5
    assert found["full: minutes"] is None
    assert len(found) == 2 * len(cars.COMPARED)
    with pytest.raises(ValueError, match="no part orders"):
        CarEvidence.given(evidence.record, orders=1)


def test_races_are_played_under_each_reading_of_fuel(track: Track) -> None:
    found = CarEvidence(CarContest(terms_of(track, laps=3), ("random", "greedy"), 1), 1)
    assert found.by_fuel["none"] is found
    full = found.by_fuel["full"]
    assert full is not None
    assert full.record.terms.counts_fuel
    assert full.record.moves.fuel.max() > 0
    assert list(full.record.boxes[0]) == list(found.record.boxes[0])
    short = CarEvidence(CarContest(terms_of(track, laps=1), ("random",), 1), 1)
    assert short.by_fuel["full"] is None


@pytest.mark.parametrize("metric", CARS, ids=lambda metric: metric.name)
def test_every_metric_of_circuits_is_listed_and_gives_figures(evidence: CarEvidence, metric: Metric) -> None:
    assert METRICS[metric.name] is metric
    assert (metric.number, metric.of, metric.unit in UNITS) == (27, TRACK, True)
    told = CarEvidence.given(evidence.record, by_fuel={"none": evidence})
    figures = metric.compute(told)
    assert figures
    assert len({figure.label for figure in figures}) == len(figures)
    for figure in figures:
        assert figure.value is not None
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= figure.value <= figure.high
        assert figure.n


# Second route: races through the rules engine, counted event by event.


class Counts:
    """What the events of races come to, counted as they happen."""

    def __init__(self) -> None:
        self.colours = dict.fromkeys(Colour, 0)
        self.kinds = dict.fromkeys(Kind, 0)
        self.points = self.races = 0

    def watch(self, race: Race, event: Event) -> None:
        if isinstance(event, Moved):
            self.colours[event.die.colour] += 1
            self.kinds[event.outcome.kind] += 1
            self.points += points_taken(race, event.car, event.die, event.outcome)


@pytest.mark.parametrize("fuel", ["none", "full"])
def test_played_races_are_counted_alike(track: Track, fuel: str) -> None:
    terms, seed, races = terms_of(track, f"fuel={fuel}", laps=3 if fuel == "full" else 1), 5, 4
    contest = CarContest(terms, ("random", "random"), seed)
    counts, ended = Counts(), []
    for race in range(races):
        ended.append(play_race(terms, contest.seated_policies(race), seed, race, watch=counts.watch))
    record = record_of_log(terms, log_by_rules(contest, 0, races))
    assert record.moves.race.size == sum(counts.colours.values())
    for colour in Colour:
        assert record.of_colour(colour).sum() == counts.colours[colour]
    for kind in Kind:
        assert record.of_kind(kind).sum() == counts.kinds[kind]
    assert cars.points_of(record).sum() == counts.points > 0
    assert record.places.tolist() == [[car.place for car in race.cars] for race in ended]
    assert sum(counts.kinds[kind] for kind in DAMAGING) <= counts.points
    found = CarEvidence.given(record)
    assert values(cars.damage_taken(found))[""] == pytest.approx(counts.points / 6 / races)


def test_leaders_of_played_races_are_those_with_most_columns(track: Track) -> None:
    """By the race's own cars after every move, wherever one car alone is in front."""
    from rulekit.simulate.car_values import columns_driven

    terms, leaders = terms_of(track, laps=1), []

    def watch(race: Race, event: Event) -> None:
        driven = [columns_driven(race, car) if car.space != OUT else -1000 for car in race.cars]
        front = [car for car, columns in enumerate(driven) if columns == max(driven)]
        leaders.append((isinstance(event, Moved), front))

    contest = CarContest(terms, ("random", "random"), 3)
    play_race(terms, contest.seated_policies(0), 3, watch=watch)
    record = record_of(contest, 1)
    before = [front for moves, front in leaders if moves][1:]
    found = order_of(record).leader[0]
    assert len(before) > 40
    assert all(int(found[k]) in front for k, front in enumerate(before))
