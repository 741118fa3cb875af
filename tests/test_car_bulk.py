"""Compiled races of cars against the rules engine, move by move; counts that do not depend on how a run is parted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tracks import circuits

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.car import OUT_AT
from rulekit.ps.dice import Colour
from rulekit.ps.lineup import new_line_up
from rulekit.ps.moves import Kind
from rulekit.ps.scoring import score
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, OUT, Track
from rulekit.readings import Fuel, PsReadings
from rulekit.simulate.car_block import delays_of
from rulekit.simulate.car_bulk import (
    CarContest,
    play_cars,
    player_places,
    player_points,
    winners,
)
from rulekit.simulate.car_choice import BLOCKER, CAUTIOUS, GREEDY, RANDOM, SOLO
from rulekit.simulate.car_log import CarLog, log_by_rules, log_compiled
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_rates import CAR_FIELDS, run_cars
from rulekit.simulate.car_solved import MOST_LAPS, car_tables
from rulekit.simulate.car_table import drawn_line_up, play_race
from rulekit.simulate.car_values import car_values

CASES = Path(__file__).parent / "cases" / "tracks"
TINY = read_track(read_source(str(CASES / "tiny.toml"))).track
RING = read_track(read_source(str(CASES / "ring-a.toml"))).track
ORCHARD, RAVENHILL = (read_track(read_source(name)).track for name in ("orchard", "ravenhill"))
LINE_UPS = [
    ("random",) * 4,
    ("greedy", "cautious", "random"),
    ("solo", "greedy"),
    ("blocker", "solo", "cautious", "random"),
]
OTHER = "triangle=aid,line-crossing=diagonal,exit-step=flies,strike=free,start-entry=inner-beside,pit-entry=exact"


def contest(
    track: Track, *policies: str, readings: str = "", seed: int = 1, laps: int = 0, cap: int = 500
) -> CarContest:
    terms = Terms(track, PsReadings.parse([readings] if readings else []), laps or track.laps)
    return CarContest(terms, policies, seed, cap=cap)


def assert_same(one: CarLog, two: CarLog) -> None:
    """Two logs tell of the same races; the first move that differs is shown."""
    mine, theirs = (np.array(log[:-1]).T for log in (one, two))
    shared = min(len(mine), len(theirs))
    differ = np.flatnonzero((mine[:shared] != theirs[:shared]).any(axis=1))
    assert not differ.size, (mine[differ[0]], theirs[differ[0]])
    assert len(mine) == len(theirs)
    for name in ("boxes", "places", "damage", "turns", "began", "moves"):
        assert (getattr(one.ended, name) == getattr(two.ended, name)).all(), name


def test_policies_have_the_same_numbers_here_and_there() -> None:
    names = ("random", "greedy", "cautious", "solo", "blocker")
    assert tuple(CAR_POLICIES) == names
    assert list(range(len(names))) == [RANDOM, GREEDY, CAUTIOUS, SOLO, BLOCKER]


QUICK = [(policies, fuel) for policies in LINE_UPS for fuel in Fuel if policies[0] != "blocker" or fuel is Fuel.FULL]
"""The rules engine works the delays of `blocker` out anew under each reading."""


@pytest.mark.parametrize(("policies", "fuel"), QUICK)
def test_compiled_races_are_those_by_the_rules(policies: tuple[str, ...], fuel: Fuel) -> None:
    one = contest(TINY, *policies, readings=f"fuel={fuel.value}", seed=3)
    assert_same(log_compiled(one, 5, 2), log_by_rules(one, 5, 2))


@pytest.mark.parametrize(("policies", "fuel"), list(zip(LINE_UPS[:3], Fuel, strict=True)))
def test_compiled_races_under_the_other_readings(policies: tuple[str, ...], fuel: Fuel) -> None:
    one = contest(TINY, *policies, readings=f"{OTHER},fuel={fuel.value}", seed=4)
    assert_same(log_compiled(one, 0, 1), log_by_rules(one, 0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(LINE_UPS)))
@pytest.mark.parametrize("place", range(3), ids=["ring-a", "orchard", "ravenhill"])
def test_compiled_races_on_whole_circuits(place: int, number: int) -> None:
    """Every line-up on every circuit, every circuit and every line-up under all readings of fuel; cut off after some
    turns, where line-ups that solve are slow by the rules."""
    track, policies, fuel = (RING, ORCHARD, RAVENHILL)[place], LINE_UPS[number], list(Fuel)[(place + number) % 3]
    one = contest(track, *policies, readings=f"fuel={fuel.value}", seed=6, cap=500 if policies[0] == "random" else 12)
    assert_same(log_compiled(one, 2, 1), log_by_rules(one, 2, 1))


@settings(max_examples=4, deadline=None)
@given(circuits(), st.sampled_from(["", "fuel=limited", OTHER]), st.integers(0, 99))
def test_compiled_races_on_made_up_tracks(track: Track, readings: str, seed: int) -> None:
    one = contest(track, "random", "random", "cautious", readings=readings, seed=seed, laps=1, cap=12)
    assert_same(log_compiled(one, seed, 1), log_by_rules(one, seed, 1))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_line_ups_are_those_of_the_table(players: int) -> None:
    """Hundreds of them, ties and ties of ties among them (PS-7)."""
    one = contest(TINY, *["random"] * players, seed=8, cap=1)
    found, longest = play_cars(one, 0, 300), 0
    for match in range(300):
        lineup = drawn_line_up(players, 8, match)
        longest = max([longest, *(len(throws) for stage in lineup.stages for throws in stage)])
        assert tuple(found.boxes[match]) == lineup.boxes
        assert found.began[match].tolist() == [int(seat == lineup.starter) for seat in range(players)]
    assert longest >= (3 if players > 1 else 0)
    assert new_line_up(players).players == players


def test_delays_are_those_of_the_blocker() -> None:
    terms = Terms(TINY, PsReadings(), 1)
    sense, known = car_tables(terms, {"blocker"}).sense, delays_of(car_values(terms))
    for lacking in (1, 2):
        for space in range(0, len(TINY.spaces), 3):
            for other in range(len(TINY.spaces)):
                if other != space:
                    right = known.by(space, lacking, other)
                    assert sense.delay[lacking - 1, space, other] == pytest.approx(right, abs=1e-9)
    assert sense.delay.max() > 0.5


def test_places_points_and_winners_are_those_of_the_engine() -> None:
    one = contest(TINY, "random", "greedy", "random", seed=2)
    found = play_cars(one, 0, 9)
    for match in range(9):
        right = score(play_race(one.terms, one.seated_policies(match), 2, match))
        assert tuple(found.places[match]) == right.places
        assert tuple(player_points(one, found)[match]) == right.points
        assert winners(one, found)[match].tolist() == [rank == 1 for rank in right.ranks]
        assert player_places(found)[match].tolist() == [2 * sum(right.places[3 * p : 3 * p + 3]) for p in range(3)]


def test_invariants_of_many_races() -> None:
    """Places are a permutation, the fuel never negative, damage below four but for lost cars."""
    log = log_compiled(contest(ORCHARD, *["random"] * 4, readings="fuel=full"), 0, 1000)
    assert (np.sort(log.ended.places, axis=1) == np.arange(1, 13)).all()
    assert (log.fuel >= 0).all()
    assert ((log.damage >= OUT_AT) == (log.after == OUT)).all()
    assert ((log.place > 0) == ((log.after == OUT) | (log.after == FINISH))).all()
    assert log.ended.moves.sum() == len(log.race)
    assert (np.bincount(log.race) == log.ended.moves[:, 0]).all()
    assert set(log.kind) == set(range(len(Kind)))
    assert set(log.colour) == set(range(len(Colour)))


def test_no_two_cars_stand_on_one_space() -> None:
    one = contest(ORCHARD, *["greedy"] * 4)
    log = log_compiled(one, 0, 20)
    for race in range(20):
        at: dict[int, int] = {}
        for car, after in zip(log.car[log.race == race], log.after[log.race == race], strict=True):
            at.pop(car, None)
            if after >= 0:
                assert after not in at.values()
                at[car] = after


def test_turn_cap_gives_races_up() -> None:
    one = contest(ORCHARD, "random", "random", cap=3)
    found = play_cars(one, 0, 10)
    assert (found.places == 0).any(axis=1).all()
    assert (found.turns == 3).any(axis=1).all()
    assert not winners(one, found).any()
    assert (player_places(found).sum(axis=1) == 2 * 21).all()
    counted = run_cars(one, 10).tally
    assert counted.capped == 10
    assert counted.counts["win"].sum() == 0


@pytest.mark.parametrize("policies", [("random",) * 2, ("greedy", "random", "random")])
def test_counts_do_not_depend_on_workers_and_chunks(policies: tuple[str, ...]) -> None:
    one = contest(TINY, *policies)
    whole = run_cars(one, 60, size=60).tally
    for jobs, size in ((1, 7), (2, 7), (2, 33)):
        other = run_cars(one, 60, jobs, size).tally
        assert (other.matches, other.capped, other.turns) == (whole.matches, whole.capped, whole.turns)
        assert all((other.counts[name] == whole.counts[name]).all() for name in CAR_FIELDS)


def test_policies_play_every_seat_equally_often() -> None:
    one = contest(TINY, "greedy", "random", "random")
    assert (run_cars(one, 30).tally.counts["races"] == 10).all()
    assert (run_cars(replace(one, rotate=False), 30).tally.counts["races"] == 30 * np.eye(3)).all()


def test_long_races_are_played_by_the_rules() -> None:
    assert contest(TINY, "random", "random", laps=MOST_LAPS).compiled
    long = contest(TINY, "random", "random", laps=MOST_LAPS + 1, cap=2)
    assert not long.compiled
    assert play_cars(long, 0, 1).turns.max() == 2
