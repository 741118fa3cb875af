"""Compiled moves of cars against the rules: every end, among other cars, under every reading."""

import random
from collections.abc import Set
from dataclasses import fields
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tracks import circuits

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import Colour, can_show
from rulekit.ps.moves import Kind, Outcome, outcomes
from rulekit.ps.track import PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.readings import ExitStep, LineCrossing, PitEntry, PsReadings, Strike, Triangle
from rulekit.solve.car_moves import FINISH, FOUND, find_ends, kind_of, line_of, new_search, origin_of, place_in
from rulekit.solve.car_tables import LINES, NONE, circuit, place_of, space_of

CASES = Path(__file__).parent / "cases" / "tracks"
FILES = ("orchard", "ravenhill", str(CASES / "tiny.toml"), str(CASES / "ring-a.toml"))
VALUES = [(colour, value) for colour in Colour for value in (*range(1, 12), 17, 35) if can_show(colour, value)]
EMPTY = Colour.YELLOW, 3
"""Red's or yellow's move on an empty tank (PS-19)."""

KINDS = list(Kind)
READINGS = [
    PsReadings(triangle=triangle, line_crossing=crossing, exit_step=leaving, strike=strike, pit_entry=entry)
    for triangle, crossing, leaving, strike, entry in product(Triangle, LineCrossing, ExitStep, Strike, PitEntry)
]


class Compiled:
    """The compiled moves of a track in the rules' own words."""

    def __init__(self, track: Track, readings: PsReadings) -> None:
        self.track, self.circuit = track, circuit(track, readings)
        self.search = new_search(self.circuit)

    def outcomes(
        self, space: int, colour: Colour, value: int, taken: Set[int], pit_open: bool, lacking: int = LINES
    ) -> tuple[Outcome, ...]:
        cars = np.zeros(self.circuit.places, np.int8)
        cars[[place_of(self.track, other) for other in taken]] = 1
        blue, place = colour is Colour.BLUE, place_of(self.track, space)
        count = find_ends(self.circuit, self.search, place, blue, value, cars, pit_open, lacking)
        return tuple(map(self.outcome, self.search.ends[FOUND, :count]))

    def outcome(self, end: int) -> Outcome:
        origin = int(origin_of(end))
        where = space_of(self.track, int(place_in(end)))
        return Outcome(KINDS[kind_of(end)], where, None if origin == NONE else origin, int(line_of(end)))


def track_of(name: str) -> Track:
    return read_track(read_source(name)).track


def others(track: Track, space: int, rng: random.Random) -> frozenset[int]:
    """Eleven cars somewhere, most of them close ahead; or none."""
    if rng.random() < 0.2:
        return frozenset()
    near = {
        track.in_lane(track.along(max(space, 0), rng.randrange(-3, 10)), rng.randrange(3))
        for _ in range(rng.randrange(1, 12))
    }
    far = set(rng.sample(range(len(track.spaces)), 11 - len(near)))
    return frozenset(near | far | ({STOP} if rng.random() < 0.2 else set())) - {space}


def starts(track: Track) -> list[int]:
    return [*range(len(track.spaces)), *((PIT_SHORT, PIT_LONG) if track.pit else ())]


def test_all_readings_of_moves_are_tried() -> None:
    """A reading that came to be would be missed here: start-entry and fuel say nothing of a move from a space."""
    names = {"triangle", "line_crossing", "exit_step", "strike", "pit_entry", "start_entry", "fuel"}
    assert {entry.name for entry in fields(PsReadings)} == names
    assert len(READINGS) == 32


@pytest.mark.parametrize("number", range(32))
@pytest.mark.parametrize("name", FILES)
def test_shipped_tracks_and_cases(name: str, number: int) -> None:
    """Every space over all readings, every value; other cars at random."""
    track, readings, rng = track_of(name), READINGS[number], random.Random(number)
    compiled, kinds = Compiled(track, readings), set()
    for space in starts(track)[number % 8 :: 8]:
        for colour, value in [*VALUES, EMPTY]:
            taken, pit_open = others(track, space, rng), rng.random() < 0.8
            right = outcomes(track, space, colour, value, taken, readings, pit_open=pit_open)
            assert compiled.outcomes(space, colour, value, taken, pit_open) == right, (space, colour, value, taken)
            kinds |= {outcome.kind for outcome in right}
    assert kinds >= {Kind.MOVE, Kind.STAY, Kind.STRIKE}


@settings(max_examples=40, deadline=None)
@given(circuits(), st.sampled_from(READINGS), st.integers(0, 10**6))
def test_made_up_tracks(track: Track, readings: PsReadings, seed: int) -> None:
    compiled, rng = Compiled(track, readings), random.Random(seed)
    for space in rng.sample(starts(track), 12):
        for colour, value in rng.sample([*VALUES, EMPTY], 5):
            taken, pit_open = others(track, space, rng), rng.random() < 0.8
            right = outcomes(track, space, colour, value, taken, readings, pit_open=pit_open)
            assert compiled.outcomes(space, colour, value, taken, pit_open) == right


def test_the_last_crossing_ends_the_move() -> None:
    """Where a way crosses the line for the last time the race is over; other ways stand as they are (PS-23)."""
    track = track_of("orchard")
    compiled = Compiled(track, PsReadings())
    space = max(range(len(track.spaces)), key=lambda space: track.from_line[space])
    assert all(outcome.line == 1 for outcome in compiled.outcomes(space, Colour.YELLOW, 9, frozenset(), True))
    count = find_ends(
        compiled.circuit, compiled.search, space, False, 9, np.zeros(compiled.circuit.places, np.int8), True, 1
    )
    assert [int(kind_of(end)) for end in compiled.search.ends[FOUND, :count]] == [FINISH]
