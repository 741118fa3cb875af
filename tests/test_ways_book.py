"""The search for moves and the judgement of marks against a second one, on whole circuits."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tracks import circuits
from ways_book import Judged, Ring, ends

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import FACES, SPEEDS, Colour
from rulekit.ps.limits import Unmarked, colour_of, makes_its_steps
from rulekit.ps.moves import outcomes
from rulekit.ps.track import PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.readings import PsReadings

SHIPPED = ["orchard", "ravenhill"]
ANSWERS = {
    "triangle": ("required", "aid"),
    "line-crossing": ("ahead", "diagonal"),
    "exit-step": ("ahead", "flies"),
    "strike": ("forced-only", "free"),
    "pit-entry": ("steps-lost", "exact"),
}
DEFAULT = {name: answers[0] for name, answers in ANSWERS.items()}
SHOWN = FACES | {Colour.RED: (4, 5, 10, 11)}


def circuit(name: str) -> Track:
    return read_track(read_source(name)).track


def crowd(track: Track, start: int, rng: Random) -> set[int]:
    """Cars around a car: many ahead of it, some behind, sometimes one on the stop space."""
    at = start if start >= 0 or track.pit is None else track.pit.exit_short
    near = [track.along(at, steps) for steps in range(-12, 10)]
    cars = {space for space in near if rng.random() < 0.2}
    for space in near[12:]:
        cars |= {to for to in (track.diagonal(space, -1), track.diagonal(space, 1)) if to is not None}
    cars = {space for space in cars if rng.random() < 0.6}
    return ({STOP} if rng.random() < 0.1 else cars) | cars - {start}


def assert_same(track: Track, rng: Random, count: int) -> set[str]:
    """Some moves among other cars, under any readings; the kinds of their ends."""
    ring, kinds = Ring(track), set[str]()
    places = [*range(len(track.spaces)), *((PIT_SHORT, PIT_LONG) if track.pit else ())]
    for _ in range(count):
        answers = {name: rng.choice(known) for name, known in ANSWERS.items()}
        readings = PsReadings.parse([f"{name}={answer}" for name, answer in answers.items()])
        colour = rng.choice(list(Colour))
        start, value = rng.choice(places), rng.choice(SHOWN[colour])
        cars = crowd(track, start, rng) - {start}
        found = {
            (end.kind.value, end.end, end.origin, end.line)
            for end in outcomes(track, start, colour, value, cars, readings)
        }
        case = track.name_of(start), colour.value, value, sorted(map(track.name_of, cars)), str(readings)
        assert found == ends(ring, start, colour is Colour.BLUE, value, cars, answers), case
        kinds |= {end[0] for end in found}
    return kinds


@pytest.mark.parametrize("name", SHIPPED)
def test_moves_among_cars(name: str) -> None:
    assert assert_same(circuit(name), Random(5), 1500) == {"move", "pit", "fly", "strike", "stay"}


@settings(max_examples=20, deadline=None)
@given(circuits(), st.integers(0, 999))
def test_moves_on_made_up_tracks(track: Track, seed: int) -> None:
    assert_same(track, Random(seed), 50)


@pytest.mark.parametrize("name", SHIPPED)
def test_speeds_that_pass_from_every_space(name: str) -> None:
    track = circuit(name)
    ring = Ring(track)
    for space in range(len(track.spaces)):
        for speed in SPEEDS:
            passes = any(end[0] == "move" for end in ends(ring, space, speed <= 3, speed, frozenset(), DEFAULT))
            assert makes_its_steps(track, space, speed) == passes, (track.name_of(space), colour_of(speed), speed)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_marks_of_every_space(name: str) -> None:
    track = circuit(name)
    judged, unmarked = Judged(track), Unmarked(track)
    assert list(unmarked.front_of) == judged.front_of
    assert unmarked.closed == judged.closed
    for space, marks in enumerate(unmarked.marks):
        assert marks == judged.marks[space], track.name_of(space)
        assert marks == track.spaces[space].marks, track.name_of(space)


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(circuits())
def test_marks_on_made_up_tracks(track: Track) -> None:
    judged, unmarked = Judged(track), Unmarked(track)
    assert list(unmarked.front_of) == judged.front_of
    assert unmarked.closed == judged.closed
    assert [set(marks) for marks in unmarked.marks] == judged.marks
