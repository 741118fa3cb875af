"""The race on a corridor against the exact solver."""

from functools import cache

import numpy as np
import pytest

from rulekit.errors import BadInput
from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.route import start_places
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.best import Best, best_race
from rulekit.solve.corridor import Corridor
from rulekit.solve.model import Straights
from rulekit.solve.sparse import follow_mostly, unhurt_mostly
from rulekit.solve.steps import settled_steps
from rulekit.solve.tables import Numbered

READINGS = [PowerboatsReadings.parse([text]) for text in ("dice-max=3", "dice-max=2,sink-at=1", "dice-max=2,change=0")]


@cache
def corridor(readings: PowerboatsReadings, slack: int) -> Corridor:
    course, steps = settled_steps(read_course(read_source("practice-a")).course, readings)
    waters = Waters(course, readings)
    boats = [
        Boat(place.at, facing, (), place.progress) for place in start_places(course, readings) for facing in FACINGS
    ]
    return Corridor(waters, steps, boats, slack)


@cache
def exact(readings: PowerboatsReadings) -> Best:
    numbered = Numbered(corridor(readings, 4).waters)
    return best_race(numbered, numbered.starts, within=1e-7)


def values(of: Corridor, tolerance: float = 1e-4) -> np.ndarray:
    solution = of.solution(tolerance=tolerance)
    return np.array([solution.value(*of.state(boat)) for boat in of.boats])


@pytest.mark.parametrize("readings", READINGS[:2], ids=str)
def test_a_wide_corridor_is_the_course(readings: PowerboatsReadings) -> None:
    wide = corridor(readings, 500)
    whole = np.array([start.value for start in exact(readings).starts])
    assert len(wide.kept) <= wide.steps.count
    assert np.abs(values(wide) - whole).max() < 0.01


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_moves_are_those_of_the_whole_course(readings: PowerboatsReadings) -> None:
    narrow = corridor(readings, 4)
    numbered = Numbered(narrow.waters)
    own, whole = narrow.race.moves, numbered.race.moves
    assert isinstance(own, Straights)
    assert isinstance(whole, Straights)
    hexes, outside = len(narrow.steps.hexes), len(narrow.kept)
    assert narrow.steps.hexes == numbered.hexes
    number = {int(node): k for k, node in enumerate(narrow.kept)}
    for k, node in enumerate(narrow.kept):
        progress, place = divmod(int(node), hexes)
        for facing in FACINGS:
            reach = whole.land.shape[2] - 1
            assert min(own.clear[k, facing], reach) == min(whole.clear[place, facing], reach)
            for steps in range(min(int(whole.clear[place, facing]), own.land.shape[2] - 1, reach) + 1):
                done = int(whole.progress[progress, place, facing, steps])
                to = done * hexes + int(whole.land[place, facing, steps])
                assert own.progress[0, k, facing, steps] == (done == numbered.waters.last)
                if done < numbered.waters.last:
                    assert own.land[k, facing, steps] == number.get(to, outside)


def test_a_narrow_corridor_is_never_better_and_a_wider_one_never_worse() -> None:
    whole = np.array([start.value for start in exact(READINGS[0]).starts])
    found = [values(corridor(READINGS[0], slack)) for slack in (2, 6, 20)]
    assert all((one > whole - 0.01).all() for one in found)
    assert (found[0] > found[1] - 0.01).all()
    assert (found[1] > found[2] - 0.01).all()
    assert (found[0] - found[2]).max() > 0.05


@pytest.mark.parametrize("readings", READINGS[:2], ids=str)
def test_the_ending_is_that_of_the_exact_race(readings: PowerboatsReadings) -> None:
    own, whole = corridor(readings, 20), exact(readings)
    solution = own.solution(tolerance=1e-4)
    state = own.state(whole.start.boat)
    ending = follow_mostly(solution, state)
    passage = whole.passage
    assert ending.finish + ending.sink == pytest.approx(1)
    assert ending.crashes == pytest.approx(float(passage.crashes.sum()), rel=0.02)
    assert ending.unhurt == pytest.approx(passage.unhurt, abs=0.01)
    assert ending.sink == pytest.approx(passage.sink, abs=0.01)
    assert unhurt_mostly(solution, state) == pytest.approx(passage.unhurt, abs=0.01)
    assert 0 <= ending.strayed < 0.01
    assert 0 <= ending.dropped < 0.03


def test_no_way_to_the_finish_keeps_nothing() -> None:
    usual = corridor(READINGS[0], 4)
    nowhere = Corridor(usual.waters, usual.steps, [], 4)
    assert len(nowhere.kept) == 0
    assert nowhere.race.hexes == 1


def test_tiles_are_refused() -> None:
    readings = READINGS[0]
    course, steps = settled_steps(read_course(read_source("practice-tiles")).course, readings)
    with pytest.raises(BadInput, match="no expansion tiles"):
        Corridor(Waters(course, readings), steps, [])


def test_a_boat_that_is_not_kept_stands_outside() -> None:
    narrow = corridor(READINGS[0], 0)
    away = next(
        Boat(at, FACINGS[0], (), 1) for at in narrow.steps.hexes if not narrow.keeps(Boat(at, FACINGS[0], (), 1))
    )
    assert narrow.state(away)[2] == len(narrow.kept)
    assert all(narrow.keeps(boat) for boat in narrow.boats)
    assert narrow.solution().value(*narrow.state(away)) > 50
