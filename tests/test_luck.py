"""Luck and decision: parts that add up, dice that change nothing in the mean, and each part by the rules."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from made_up_records import boat_of, state_of

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import throws
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest
from rulekit.study.chain_kernel import HOME
from rulekit.study.evidence import Evidence
from rulekit.study.luck import (
    CHOICE,
    DICE,
    DIRECTION,
    WAY,
    held_turns,
    luck_share,
    of_turns,
    of_wins,
    turn_parts,
    win_parts,
)
from rulekit.study.oracle import AFTER, CHOSEN, STEERED, THROWN
from rulekit.study.oracle_kernel import win_chances
from rulekit.study.record import RaceRecord, values_of
from rulekit.study.tension_figures import luck_in_turns, luck_in_wins

PRACTICE = Waters(settle(read_course(read_source("practice-a")).course))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Boats of both kinds: some follow the optimum, some do not."""
    return Evidence(Contest((PRACTICE,), ("solo", "racer", "solo"), 4), 400)


def ends_by_rules(record: RaceRecord, boat: Boat, entry: int) -> list[tuple[Fraction, int]]:
    """Where the optimum goes after each hand that a dice choice throws: (chance, state)."""
    course = record.course
    assert course is not None
    found = []
    for chance, thrown in throws(PRACTICE, boat, course.choice(entry)):
        steer = FACINGS[(boat.facing + course.table_way(boat, thrown.hand) + 5) % 6]
        landing = next(one for one in landings(PRACTICE, thrown) if one.steer == steer)
        found.append((chance, state_of(record, landing)))
    return found


def some_turns(record: RaceRecord, count: int) -> list[int]:
    return [int(k) for k in np.random.default_rng(2).integers(record.turns.match.size, size=count)]


def test_parts_of_turns_left_by_the_rules(evidence: Evidence) -> None:
    record = evidence.record.races[0]
    assert record.course is not None
    parts = turn_parts(record)
    for k in some_turns(record, 60):
        turns = record.turns
        ends = ends_by_rules(record, boat_of(record, int(turns.before[k])), int(turns.entry[k]))
        values = values_of(record.course, np.array([state for _, state in ends]))
        chosen = sum(float(chance) * value for (chance, _), value in zip(ends, values, strict=True))
        held = held_turns(record)[k]
        before, free, after = values_of(record.course, np.array([turns.before[k], turns.free[k], turns.after[k]]))
        assert parts[k, CHOICE] == pytest.approx(0 if held else before - 1 - chosen, abs=1e-9)
        assert parts[k, WAY] == pytest.approx(free - after + (before - 1 - chosen if held else 0), abs=1e-9)
        assert parts[k].sum() == pytest.approx(before - 1 - after, abs=1e-9)


def test_nobody_decides_better_than_the_optimum(evidence: Evidence) -> None:
    parts = turn_parts(evidence.record.races[0])
    # Values are solved to within 1e-6 a race.
    assert parts[:, CHOICE].max() < 1e-5
    assert parts[:, DIRECTION].max() < 1e-9
    assert parts[:, CHOICE].min() < -0.1


def test_chances_by_the_rules(evidence: Evidence) -> None:
    """The mean over the throws, one by one: the boat moved there, the chances asked for anew."""
    oracle, record = evidence.oracle.races[0], evidence.record.races[0]
    for k in some_turns(record, 60):
        moment, seat = int(record.moment[k]), int(record.turns.seat[k])
        if record.winner[moment] >= 0:
            continue
        ends = ends_by_rules(record, boat_of(record, int(record.turns.before[k])), int(record.turns.entry[k]))
        mean = sum(float(chance) * chance_after(evidence, moment, seat, state) for chance, state in ends)
        assert oracle.own[k, CHOSEN] == pytest.approx(mean, abs=1e-6)
        for stage, state in (
            (THROWN, oracle.aimed[k]),
            (STEERED, record.turns.free[k]),
            (AFTER, record.turns.after[k]),
        ):
            assert oracle.own[k, stage] == pytest.approx(chance_after(evidence, moment, seat, int(state)), abs=1e-6)


def chance_after(evidence: Evidence, moment: int, seat: int, state: int) -> float:
    """The mover's chance where its turn ends in a state."""
    oracle, record = evidence.oracle.races[0], evidence.record.races[0]
    states = record.state[moment].copy()
    states[seat] = state
    node = oracle.chain.node_of(states[None])
    order = [(seat + step) % record.seats for step in range(1, record.seats + 1)]
    mover = next(other for other in order if node[0, other] >= 0)
    winner = seat if state == HOME else -1
    tables = oracle.chain.finish, oracle.chain.sink
    return float(win_chances(*tables, node, np.array([mover]), np.array([winner]))[0, seat])


def test_parts_add_up_to_every_change(evidence: Evidence) -> None:
    oracle, record = evidence.oracle.races[0], evidence.record.races[0]
    luck = of_wins(oracle)
    assert luck.parts.sum(axis=1) + luck.others == pytest.approx(luck.change, abs=1e-12)
    # What the others' turns bring is what changes at all moments that are not the boat's own.
    step = np.diff(oracle.apart, axis=0)
    within = np.ones(step.shape[0], bool)
    within[record.ends[:-1]] = False
    theirs = step.copy()
    theirs[record.moment, record.turns.seat] = 0
    race = np.repeat(np.arange(record.races), np.diff(record.first) + 1)[1:]
    right = [np.bincount(race[within], theirs[within, seat], record.races) for seat in range(record.seats)]
    assert luck.others == pytest.approx(np.stack(right, axis=1).ravel(), abs=1e-5)


def test_dice_change_nothing_in_the_mean(evidence: Evidence) -> None:
    oracle, record = evidence.oracle.races[0], evidence.record.races[0]
    for dice in (oracle.own[:, THROWN] - oracle.own[:, CHOSEN], turn_parts(record)[:, DICE]):
        error = dice.std() / np.sqrt(dice.size)
        assert abs(dice.mean()) < 4 * error
        assert dice.std() > 0.02


def test_the_optimum_decides_nothing_but_when_it_is_held(evidence: Evidence) -> None:
    oracle, record = evidence.oracle.races[0], evidence.record.races[0]
    solo = record.policy[record.turns.match, record.turns.seat] != 1
    direction = oracle.own[:, STEERED] - oracle.own[:, THROWN]
    assert not direction[solo].any()
    assert direction[~solo].any()
    for parts in (win_parts(oracle), turn_parts(record)):
        assert np.abs(parts[solo, CHOICE]).max() < 1e-5
        assert np.abs(parts[~solo, CHOICE]).max() > 0.01


def test_held_boats_do_not_choose(evidence: Evidence) -> None:
    """By the rules: where the optimum's dice would leave the boat on its hex, it takes the lowest off."""
    record, course = evidence.record.races[0], evidence.record.races[0].course
    assert course is not None
    held, turns = held_turns(record), record.turns
    assert held.sum() > 20
    for k in np.flatnonzero(held).tolist():
        boat, boats = boat_of(record, int(turns.before[k])), record.state[record.moment[k]]
        others = {boat_of(record, int(boats[s])).at for s in range(3) if s != turns.seat[k] and boats[s] >= 0}
        entry = int(course.policy.choice.ravel()[turns.before[k]])
        choice = course.choice(entry)
        assert choice.rolled == 0
        steer = FACINGS[(boat.facing + course.table_way(boat, choice.kept) + 5) % 6]
        legal = landings(PRACTICE, replace(boat, hand=choice.kept), frozenset(others))
        assert next(one for one in legal if one.steer == steer).boat.at == boat.at
        assert course.choice(int(turns.entry[k])).kept == boat.hand[:-1]


def test_the_share_of_luck() -> None:
    squares = np.zeros((2, 4))
    squares[:, DICE], squares[0, CHOICE], squares[1, DIRECTION], squares[1, WAY] = 3, 1, 1, 100
    assert luck_share(squares) == pytest.approx(6 / 8)
    assert np.isnan(luck_share(np.zeros((1, 4))))


def test_a_boat_alone_has_luck_in_turns_only() -> None:
    alone = Evidence(Contest((PRACTICE,), ("solo",), 4), 200)
    luck = of_turns(alone.record.races[0])
    assert np.abs(luck.parts[:, [CHOICE, DIRECTION, WAY]]).max() < 1e-5
    # What the dice brought is the difference between the turns expected and those taken (and the cost of sinking).
    record = alone.record.races[0]
    taken = np.diff(record.first) + record.left[record.ends, 0]
    assert luck.parts[:, DICE] == pytest.approx(record.left[record.starts, 0] - taken, abs=1e-5)
    assert luck_in_wins(alone)[0].value is None
    assert luck_in_turns(alone)[-1].value == pytest.approx(1.0)


def test_figures_tell_of_each_policy(evidence: Evidence) -> None:
    labels = [figure.label for figure in luck_in_wins(evidence)]
    assert labels == [
        f"{name}: {part}"
        for name in ("solo", "racer")
        for part in ("choice of dice", "dice", "direction", "boats in the way", "the others' turns", "share of luck")
    ]
