"""Choices: counted for the same states by the rules, with every distribution of ends written out in fractions."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from made_up_records import Story, boat_of, record_of, state_of

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.dice import Choice, choices
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import throws
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.bulk import Contest
from rulekit.simulate.solved import solved
from rulekit.study.choice_figures import choice_count, choice_spread, choice_turns, forced_risk, forced_turns
from rulekit.study.choices import front, options_of, shares
from rulekit.study.evidence import Evidence
from rulekit.study.record import RaceRecord, values_of

COURSE = settle(read_course(read_source("practice-a")).course)
PRACTICE = Waters(COURSE)
FEW_DICE = Waters(COURSE, PowerboatsReadings(dice_max=2, sink_at=2))


@pytest.fixture(scope="module", params=[PRACTICE, FEW_DICE], ids=["usual", "two dice"])
def evidence(request: pytest.FixtureRequest) -> Evidence:
    return Evidence(Contest((request.param,), ("solo", "racer"), 4), 30)


Told = tuple[dict[int, Fraction], float, Fraction, Fraction]
"""A choice: the chances of its ends, its value, the chance of a crash, and of one that no direction avoids."""


def told_of(record: RaceRecord, state: int, choice: Choice) -> Told:
    course, boat = record.course, boat_of(record, state)
    assert course is not None
    waters = course.numbered.waters
    ends: dict[int, Fraction] = defaultdict(Fraction)
    crash = forced = Fraction(0)
    for chance, thrown in throws(waters, boat, choice):
        legal = landings(waters, thrown)
        steer = FACINGS[(boat.facing + course.table_way(boat, thrown.hand) + 5) % 6]
        landing = next(one for one in legal if one.steer == steer)
        ends[state_of(record, landing)] += chance
        crash += chance * landing.crashed
        forced += chance * all(one.crashed for one in legal)
    values = values_of(course, np.array(list(ends)))
    return dict(ends), sum(float(p) * v for p, v in zip(ends.values(), values, strict=True)), crash, forced


def by_rules(record: RaceRecord, state: int) -> tuple[int, int, float, float]:
    """(distinct, free, spread, risk)."""
    assert record.course is not None
    told: list[Told] = []
    for choice in choices(boat_of(record, state).hand, record.course.numbered.waters.readings):
        one = told_of(record, state, choice)
        if all(one[0] != other[0] for other in told):
            told.append(one)
    free = [
        one
        for one in told
        if not any(
            other[1] <= one[1] + 1e-9 and other[2] <= one[2] and (other[1] < one[1] - 1e-9 or other[2] < one[2])
            for other in told
        )
    ]
    values = [*sorted(one[1] for one in told), float("inf")]
    return len(told), len(free), values[1] - values[0], float(min(one[3] for one in told))


def test_options_by_the_rules(evidence: Evidence) -> None:
    record = evidence.record.races[0]
    options = options_of(record)
    for k in np.random.default_rng(1).integers(record.turns.match.size, size=50).tolist():
        distinct, free, spread, risk = by_rules(record, int(record.turns.before[k]))
        assert (options.distinct[k], options.free[k]) == (distinct, free)
        assert options.spread[k] == pytest.approx(spread, abs=1e-8)
        assert options.risk[k] == pytest.approx(risk, abs=1e-12)


def test_legal_directions_by_the_rules(evidence: Evidence) -> None:
    record = evidence.record.races[0]
    assert record.course is not None
    ways, hands = options_of(record).ways, record.course.race.dice.hands
    for k in np.random.default_rng(2).integers(record.turns.match.size, size=100).tolist():
        boat = boat_of(record, int(record.turns.before[k]))
        thrown = replace(boat, hand=hands.tuple_of(int(record.turns.thrown[k])))
        assert ways[k] == len(landings(record.course.numbered.waters, thrown))


def test_figures_are_means_over_all_turns(evidence: Evidence) -> None:
    options = options_of(evidence.record.races[0])
    turns, (different, free), spread = choice_turns(evidence)[0], choice_count(evidence), choice_spread(evidence)[0]
    assert turns.value == pytest.approx((options.distinct > 1).mean())
    assert different.value == pytest.approx(options.distinct.mean())
    assert free.value == pytest.approx(options.free.mean())
    assert spread.value == pytest.approx(options.spread[options.distinct > 1].mean())
    assert forced_turns(evidence)[0].value == pytest.approx((options.ways == 1).mean())
    assert forced_risk(evidence)[0].value == pytest.approx((options.risk > 0).mean())
    for figure in (turns, different, free, spread):
        bounds = figure.low or 0.0, figure.high or 0.0
        assert bounds[0] < bounds[1]
        assert bounds[0] <= (figure.value or 0.0) <= bounds[1]


def test_hits_and_turns_by_race() -> None:
    story = Story((0, 1), ((1, 1), (0, 1), (0, 0)), [], (1, 2))
    record = record_of(story, story)
    assert shares(record, np.array([True, False, True, True])).tolist() == [[1, 2], [2, 2]]


def test_the_front_goes_from_fast_to_safe() -> None:
    trades = front(solved(PRACTICE).numbered, 3)
    assert trades
    assert not any(trade.on_purpose for trade in trades)
    turns, sinks = [trade.turns for trade in trades], [trade.sink for trade in trades]
    assert turns == sorted(turns)
    assert sinks == sorted(sinks, reverse=True)
    usual = solved(PRACTICE).solution
    least = min(solved(PRACTICE).start_costs(0))
    # No point of the front is better than the optimum at its sink cost allows.
    assert all(trade.turns + usual.sunk * trade.sink >= least - 1e-5 for trade in trades)
