"""Single steps as arrays against the rules, on many courses: gates, crossings, routes, choke points."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from rulekit.files.lake import LakeFile, read_lake
from rulekit.files.source import read_source
from rulekit.graphs.lifted import Lifted
from rulekit.hexgrid import Hex, Side
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import gates
from rulekit.powerboats.placing import course_on, shuffled_layout
from rulekit.powerboats.route import Place, route, settle
from rulekit.readings import PowerboatsReadings
from rulekit.solve import steps as steps_module
from rulekit.solve.steps import FACING_OF, NOWHERE, neighbours, quick_gates, settled_steps, steps_of

USUAL = PowerboatsReadings()
LINE = PowerboatsReadings.parse(["rounding=line"])


@cache
def lake_file(name: str) -> LakeFile:
    return read_lake(read_source(name))


def drawn(name: str, count: int) -> Iterator[Course]:
    """Courses of shuffled layouts and buoys, legal or not."""
    file = lake_file(name)
    for seed in range(count):
        random = Random(seed)
        lake = file.box.lake(shuffled_layout(file.box, file.layout, random)) if file.box and file.layout else file.lake
        spots = list(lake.spots_of("ABC"[seed % 3]) or lake.spots_of("A"))
        random.shuffle(spots)
        yield course_on(lake, spots, name)


COURSES = [*drawn("practice", 12), *drawn("lagoon", 6), *drawn("skerries", 6)]


@pytest.mark.parametrize("course", COURSES, ids=range(len(COURSES)))
def test_settles_as_the_rules_do(course: Course) -> None:
    for readings in (USUAL, LINE):
        settled, steps = settled_steps(course, readings)
        assert settled == settle(course, readings)
        line_up = steps.nodes([Place(at, 1) for at in settled.strip if at in settled.water])
        chain = route(settled, readings)
        assert steps.length(line_up) == (None if chain is None else len(chain) - 1)


@pytest.mark.parametrize("course", COURSES, ids=range(len(COURSES)))
def test_gates_are_those_of_the_rules(course: Course) -> None:
    for sides in ((None, None), (Side.LEFT, Side.RIGHT)):
        crossed = replace(course, start=sides[0], finish=sides[1])
        quick, plain = quick_gates(crossed, USUAL), gates(crossed, USUAL)
        assert quick.known == plain.known
        assert quick.gates == plain.gates


def test_gates_of_a_board_too_wide_for_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps_module, "WIDEST", 3)
    monkeypatch.setattr(steps_module, "_passed", None)
    assert quick_gates(COURSES[0], USUAL).known == gates(COURSES[0], USUAL).known


@pytest.mark.parametrize("course", COURSES[:8], ids=range(8))
def test_every_step_has_the_progress_of_the_rules(course: Course) -> None:
    settled, steps = settled_steps(course)
    rules = gates(settled, USUAL)
    for (number, at), facing in ((one, facing) for one in enumerate(steps.hexes) for facing in range(6)):
        ahead = at.step(facing)
        assert (steps.near[number, facing] != NOWHERE) == (ahead in settled.water)
        if ahead in settled.water:
            assert steps.hexes[steps.near[number, facing]] == ahead
            told = [rules.after_step(progress, at, ahead) for progress in range(rules.last)]
            assert steps.after[:, number, facing].tolist() == told


@pytest.mark.parametrize("course", COURSES[:10], ids=range(10))
def test_chokes_and_distances_by_brute_force(course: Course) -> None:
    settled, steps = settled_steps(course)
    lifted = Lifted(settled, USUAL)
    starts = steps.nodes([Place(at, 1) for at in settled.strip if at in settled.water])
    assert steps.chokes(starts) == len(lifted.choke)
    came, left = steps.from_starts(starts), steps.to_finish()
    reached = {place for place in lifted.graph if place.progress < steps.last}
    assert {int(node) for node in (came >= 0).nonzero()[0]} == set(steps.nodes(sorted(reached)).tolist())
    length = steps.length(starts)
    assert length == min(int(left[start]) for start in starts)
    for node in range(0, steps.count, 97):
        assert steps.length(steps.nodes([Place(steps.hexes[node % len(steps.hexes)], node // len(steps.hexes))])) == (
            None if left[node] == NOWHERE else left[node]
        )


def test_no_way_and_no_hex() -> None:
    course, steps = settled_steps(COURSES[0])
    cut = steps_of(frozenset(course.strip), gates(course, USUAL))
    starts = cut.nodes([Place(at, 1) for at in course.strip])
    assert cut.length(starts) is None
    assert cut.chokes(starts) == 0
    assert neighbours([]).shape == (0, 6)
    assert neighbours([Hex(5, -3)]).tolist() == [[NOWHERE] * 6]
    assert set(FACING_OF.values()) == set(range(6))
    assert steps.last == course.gates
