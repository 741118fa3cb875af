"""A course alone: harm by two other ways, lengths against the solver, and what is said of each hex."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from made_up import case
from made_up_races import practice
from made_up_tiles import HOME, sea
from test_study_tiles import chosen

from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import throws
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.bulk import Contest
from rulekit.solve.best import fewest_turns
from rulekit.solve.named import greedy
from rulekit.solve.passage import follow_policy
from rulekit.study import water
from rulekit.study.evidence import Evidence, SolvedCourse, solved_course
from rulekit.study.figure import Figure

TINY = Waters(settle(case("tiny-0.toml")), replace(PowerboatsReadings(), dice_max=2, sink_at=2))
FEW = practice(dice_max=2, sink_at=2)


def alone(waters: Waters, races: int = 1) -> Evidence:
    return Evidence(Contest((waters,) * races, ("solo",), 1), 1)


def by_label(figures: list[Figure]) -> dict[str, float]:
    return {figure.label: figure.value for figure in figures if figure.value is not None}


def played(course: SolvedCourse) -> dict[str, dict[str, float]]:
    """Damage, crashes, sinkings by hex of the best race, turn by turn over the rules."""
    now, found = (
        {course.best.start.boat: 1.0},
        {name: defaultdict[str, float](float) for name in ("damage", "crash", "sink")},
    )
    numbered, last = course.numbered, course.numbered.waters.readings.sink_at
    for _ in range(200):
        after = defaultdict[Boat, float](float)
        for boat, often in now.items():
            kept, rolled = course.policy.dice_choice(*numbered.state(boat))
            for chance, thrown in throws(
                numbered.waters, boat, Choice(numbered.race.dice.hands.tuple_of(kept), rolled)
            ):
                landing, share = chosen(numbered, course.policy, thrown), often * float(chance)
                gain = min(landing.boat.damage, last) - boat.damage
                found["damage"][hex_name(landing.boat.at)] += share * gain
                found["crash"][hex_name(landing.boat.at)] += share * (gain > 0)
                if landing.sunk and not landing.finished:
                    found["sink"][hex_name(landing.boat.at)] += share
                elif not landing.finished:
                    after[landing.boat] += share
        now = {boat: often for boat, often in after.items() if often > 1e-13}
    return {name: {at: often for at, often in hexes.items() if often > 1e-12} for name, hexes in found.items()}


def reckless(waters: Waters) -> SolvedCourse:
    """A course raced greedily: there is damage, and boats sink."""
    best = solved_course(waters).best
    policy = greedy(best.numbered, best.solution.sunk)
    passage = follow_policy(policy, best.numbered.state(best.start.boat))
    return SolvedCourse(replace(best, passage=passage), policy)


def test_danger_against_races_played_out_over_the_rules() -> None:
    evidence = Evidence.given(alone(TINY).contest, solved=(reckless(TINY),))
    course = played(evidence.solved[0])
    maps = {"damage": water.damage_map, "crash": water.crash_map, "sink": water.sink_map}
    for name, metric in maps.items():
        shown = {at: often for at, often in by_label(metric(evidence)).items() if often > 1e-12}
        assert shown == pytest.approx(course[name], abs=1e-8), name
        assert shown
    profile = by_label(water.crash_profile(evidence))
    assert profile["damage"] == pytest.approx(sum(course["damage"].values()))
    assert profile["crashes"] == pytest.approx(sum(course["crash"].values()))
    assert profile["chance of sinking"] == pytest.approx(sum(course["sink"].values()))
    assert 0 < profile["chance of sinking"] <= profile["chance of damage"] <= profile["crashes"] <= profile["damage"]


def test_harm_begins_where_turns_begin() -> None:
    course = solved_course(FEW)
    harm, passage = course.harm, course.best.passage
    assert harm.begun == pytest.approx(passage.visits, abs=1e-8)
    assert harm.crashes.sum() == pytest.approx(passage.crashes.sum())
    assert (harm.risk <= 1 + 1e-12).all()


def test_danger_of_a_hex_is_per_turn_begun() -> None:
    evidence = alone(FEW)
    course = evidence.solved[0]
    figures = water.danger_map(evidence)
    for figure in figures:
        k = course.hex_names.index(figure.label)
        assert figure.value == pytest.approx(course.harm.crashes[k] / course.harm.begun[k])
        assert course.harm.begun[k] >= water.RARE
    values = [figure.value or 0 for figure in figures]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0


def test_harm_among_tiles_is_that_of_the_passage() -> None:
    course = reckless(sea("low-water F7 E 1/2/3", "current F5 NE NW", readings="dice-max=2", course=HOME))
    assert course.harm.crashes.sum() > 0
    assert course.harm.crashes.sum() == pytest.approx(course.best.passage.crashes.sum(), abs=1e-9)


def test_length_by_start_takes_the_best_facing() -> None:
    evidence = alone(FEW)
    starts = evidence.solved[0].best.starts
    lengths = by_label(water.start_lengths(evidence))
    for name, value in lengths.items():
        assert value == min(start.value for start in starts if hex_name(start.boat.at) == name)
    assert water.start_range(evidence)[0].value == max(lengths.values()) - min(lengths.values()) > 0
    assert list(lengths.values()) == sorted(lengths.values())


def test_finishing_turns_are_all_that_finish() -> None:
    evidence = alone(FEW)
    passage = evidence.solved[0].best.passage
    turns = by_label(water.finishing_turn(evidence))
    assert sum(turns.values()) == pytest.approx(1 - passage.sink, abs=1e-4)
    mean = sum(int(name.split()[1]) * chance for name, chance in turns.items())
    sunk = (passage.sunk * np.arange(1, passage.sunk.size + 1)).sum()
    assert mean + sunk == pytest.approx(passage.turns, abs=1e-3)


@pytest.mark.parametrize("waters", [FEW, practice(dice_max=3)])
def test_shortest_race_is_the_first_turn_with_a_chance(waters: Waters) -> None:
    evidence = alone(waters)
    found = by_label(water.course_length(evidence))
    best = evidence.solved[0].best
    assert found["shortest possible"] == fewest_turns(best.numbered, [start.boat for start in best.starts])
    assert found["shortest possible"] <= found["expected"] == best.passage.turns


def test_courses_of_a_match_are_named() -> None:
    parts = ["expected", "shortest possible"]
    both = Evidence(Contest((FEW, TINY), ("solo",), 1), 1)
    names = [f"{waters.course.name}: {part}" for waters in (FEW, TINY) for part in parts]
    assert [figure.label for figure in water.course_length(both)] == names
    twice = [f"race {number}: {part}" for number in (1, 2) for part in parts]
    assert [figure.label for figure in water.course_length(alone(FEW, races=2))] == twice


def test_all_is_exact() -> None:
    for metric in (water.start_lengths, water.crash_profile, water.visit_map, water.finishing_turn):
        assert all(figure.exact and figure.low == figure.high for figure in metric(alone(FEW)))
