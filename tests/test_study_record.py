"""The record of all turns against the rules engine, boat by boat."""

from dataclasses import replace

import numpy as np
import pytest
from made_up_records import boat_of, state_of

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.move import landings
from rulekit.powerboats.race import boat_to_move
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest
from rulekit.simulate.turn_log import turns_by_rules
from rulekit.solve.best import values_of
from rulekit.study.chain_kernel import HOME, LOST
from rulekit.study.evidence import Evidence
from rulekit.study.record import RaceRecord

PRACTICE = Waters(settle(read_course(read_source("practice-a")).course))
POLICIES = ("solo", "racer", "solo", "solo")


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Matches of two races, under a cap that gives some of them up in the first."""
    return Evidence(Contest((PRACTICE, PRACTICE), POLICIES, 7, cap=21), 30)


def test_states_are_those_of_the_rules(evidence: Evidence) -> None:
    for match in range(3):
        record = evidence.record.races[0]
        for k, told in enumerate(turns_by_rules(evidence.contest, 0, match), int(record.first[match])):
            boat = boat_to_move(told.before)
            assert record.turns.seat[k] == told.before.mover
            assert boat_of(record, int(record.turns.before[k])) == boat
            assert record.turns.after[k] == state_of(record, told.landing)
            alone = landings(PRACTICE, replace(boat, hand=as_hand((*told.line.kept, *told.line.rolled))))
            free = next(landing for landing in alone if landing.steer == told.landing.steer)
            assert record.turns.free[k] == state_of(record, free)


def test_moments_carry_every_boat_from_turn_to_turn(evidence: Evidence) -> None:
    for record in evidence.record.races:
        moment, seat = record.moment, record.turns.seat
        assert record.state.shape == (record.turns.match.size + record.races, 4)
        assert (record.state[moment, seat] == record.turns.before).all()
        assert (record.state[moment + 1, seat] == record.turns.after).all()
        same = record.state[moment + 1] == record.state[moment]
        same[np.arange(seat.size), seat] = True
        assert same.all()
        assert (record.mover[moment] == seat).all()
        assert (record.mover[record.ends] == -1).all()


def test_races_that_were_not_held_are_left_out(evidence: Evidence) -> None:
    first, second = evidence.record.races
    held = evidence.held
    assert (first.races, second.races) == (30, int(held[1].sum()))
    assert 0 < second.races < 30
    assert (second.wins == evidence.wins[1][held[1]]).all()
    turns = evidence.outcomes.turns[1][held[1]]
    assert (np.diff(second.first) == turns.sum(axis=1)).all()
    assert (second.rounds.held == turns.max(axis=1)).all()


def test_values_are_the_solvers(evidence: Evidence) -> None:
    record = evidence.record.races[0]
    course = record.course
    assert course is not None
    rows = np.random.default_rng(1).integers(record.state.shape[0], size=40)
    for row in rows:
        for state, left in zip(record.state[row].tolist(), record.left[row].tolist(), strict=True):
            if state in (HOME, LOST):
                assert left == (0.0 if state == HOME else course.solution.sunk)
            else:
                boat = boat_of(record, state)
                assert left == values_of(course.solution, course.numbered, [boat])[0].value


def test_progress_counts_from_the_best_start(evidence: Evidence) -> None:
    record = evidence.record.races[0]
    best = min(start.value for start in evidence.solved[0].best.starts)
    assert record.left[record.starts].min() >= best - 1e-9
    assert record.progress.max() == pytest.approx(record.left[record.starts].min())


def test_the_winner_is_the_first_to_come_in(evidence: Evidence) -> None:
    record: RaceRecord = evidence.record.races[0]
    for race in range(record.races):
        moments = slice(int(record.starts[race]), int(record.ends[race]) + 1)
        home = [
            int(record.turns.seat[k])
            for k in range(int(record.first[race]), int(record.first[race + 1]))
            if record.turns.after[k] == HOME
        ]
        assert record.winner[moments][-1] == (home[0] if home else -1)
        if home:
            assert record.wins[race, home[0]] == 1
