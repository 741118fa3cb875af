"""Chances to win: against plain enumeration in fractions, the solver's passage, races played on, and shares of wins."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_records import Story, boat_of, record_of, state_of

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import throws
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest
from rulekit.simulate.solved import solved
from rulekit.solve.passage import follow_policy
from rulekit.study.chain import chain
from rulekit.study.chain_kernel import HOME, LOST
from rulekit.study.evidence import Evidence
from rulekit.study.oracle import AFTER, BEFORE, RaceOracle, mended, race_oracle, self_check
from rulekit.study.oracle_kernel import win_chances
from rulekit.study.record import RaceRecord
from rulekit.study.rollouts import rollouts, squared_errors

PRACTICE = Waters(settle(read_course(read_source("practice-a")).course))
NO_STATES, NO_ENTRIES = np.zeros(0, np.int64), np.zeros(0, np.int32)

Boat = list[tuple[int, int]]
"""Weights to (finish, sink) in the first turn, the second, …"""


def evidence(seats: int, races: int, seed: int = 3) -> Evidence:
    return Evidence(Contest((PRACTICE,), ("solo",) * seats, seed), races)


def by_enumeration(boats: list[Boat], mover: int) -> list[Fraction]:
    """The chances to win: every boat ends in some turn in some way, all ends are gone through."""
    found, seats = [Fraction(0)] * len(boats), len(boats)
    totals = [sum(map(sum, boat)) for boat in boats]
    ends = [[(turn, sunk, w) for turn, pair in enumerate(boat) for sunk, w in enumerate(pair) if w] for boat in boats]
    for outcome in product(*ends):
        chance = Fraction(1)
        for (_, _, weight), total in zip(outcome, totals, strict=True):
            chance *= Fraction(weight, total)
        when = [(turn, (seat - mover) % seats) for seat, (turn, _, _) in enumerate(outcome)]
        home = [seat for seat, (_, sunk, _) in enumerate(outcome) if not sunk]
        winner = min(home, key=lambda seat: when[seat]) if home else max(range(seats), key=lambda seat: when[seat])
        found[winner] += chance
    return found


def tables(boats: list[Boat]) -> tuple[np.ndarray, np.ndarray]:
    """(finish, sink) by [node, turn]: a node a boat."""
    most = max(map(len, boats))
    found = np.zeros((2, len(boats), most), np.float32)
    for number, boat in enumerate(boats):
        found[:, number, : len(boat)] = np.array(boat).T / np.array(boat).sum()
    return found[0], found[1]


def chances(boats: list[Boat], node: list[int], mover: int) -> np.ndarray:
    found = win_chances(*tables(boats), np.array([node], np.int32), np.array([mover]), np.array([-1]))
    return np.asarray(found[0])


def weighed() -> st.SearchStrategy[Boat]:
    pairs = st.tuples(st.integers(0, 4), st.integers(0, 4))
    return st.lists(pairs, min_size=1, max_size=4).filter(lambda boat: sum(map(sum, boat)) > 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(weighed(), min_size=2, max_size=4), st.data())
def test_independent_boats_against_enumeration(boats: list[Boat], data: st.DataObject) -> None:
    mover = data.draw(st.integers(0, len(boats) - 1))
    right = [float(share) for share in by_enumeration(boats, mover)]
    assert chances(boats, list(range(len(boats))), mover) == pytest.approx(right, abs=2e-6)


def test_two_boats_on_paper() -> None:
    # Boat 0 needs one turn or two, boat 1 surely two: the boat that moves first wins where both need two.
    boats: list[Boat] = [[(1, 0), (1, 0)], [(0, 0), (1, 0)]]
    assert chances(boats, [0, 1], 0) == pytest.approx([1, 0])
    assert chances(boats, [0, 1], 1) == pytest.approx([0.5, 0.5])


def test_boats_that_have_left_do_not_count() -> None:
    boats: list[Boat] = [[(1, 1), (1, 0)], [(0, 2), (1, 1)]]
    alone = chances(boats, [LOST, 0, 1, LOST], 2)
    assert alone[[1, 2]] == pytest.approx([float(share) for share in by_enumeration(boats, 1)], abs=1e-6)
    assert alone[[0, 3]].tolist() == [0, 0]
    # The last boat afloat has won, whether it finishes or sinks (PB-26).
    assert chances(boats, [LOST, 1], 1) == pytest.approx([0, 1])
    found = win_chances(*tables(boats), np.array([[HOME, 0]], np.int32), np.array([1]), np.array([0]))
    assert found.tolist() == [[1, 0]]


def test_distributions_are_those_of_the_solvers_passage() -> None:
    course = solved(PRACTICE)
    states = [course.numbered.state(boat) for boat in course.starts[::7]]
    width = course.race.rows * course.race.row_cells
    numbers = np.array([state[0] * width + course.race.cell(*state[1:]) for state in states])
    found = chain(course.policy, numbers, NO_STATES, NO_ENTRIES)
    for number, state in zip(found.node_of(numbers).tolist(), states, strict=True):
        right = follow_policy(course.policy, state)
        turns = min(found.turns, right.finished.size)
        assert found.finish[number, :turns] == pytest.approx(right.finished[:turns], abs=1e-6)
        assert found.sink[number, :turns] == pytest.approx(right.sunk[:turns], abs=1e-6)
    assert found.left < 1e-7
    assert found.sum_to_one == pytest.approx(np.ones(found.finish.shape[0]), abs=1e-5)


def test_a_dice_choice_that_the_policy_does_not_make_has_a_node_of_its_own() -> None:
    """A turn is the mean of what follows: nodes one by one against their ends."""
    course = solved(PRACTICE)
    state = np.array([course.race.cell(*course.numbered.state(course.starts[0])[1:])])
    entry = course.race.dice.throws.entry(0, 1)
    found = chain(course.policy, state, state, np.array([entry], np.int32))
    links = found.links
    ends = links.to[links.start[0] : links.start[1]]
    weights = links.chance[links.start[0] : links.start[1]]
    assert weights == pytest.approx([1 / 3] * 3)
    assert ends.min() > 0
    assert found.finish[0, 1:] == pytest.approx(weights @ found.finish[ends, :-1].astype(float), abs=1e-7)
    assert links.entry[0] == entry


@pytest.fixture(scope="module")
def pairs() -> RaceOracle:
    """Two boats, many races."""
    return evidence(2, 4000).oracle.races[0]


def test_chances_add_up_to_one_and_end_with_the_result(pairs: RaceOracle) -> None:
    assert pairs.win.sum(axis=1) == pytest.approx(np.ones(pairs.win.shape[0]), abs=1e-5)
    assert (pairs.win[pairs.record.ends] == pairs.record.wins).all()


def test_chances_before_and_after_a_turn_are_those_of_the_moments(pairs: RaceOracle) -> None:
    record, seat, moment = pairs.record, pairs.record.turns.seat, pairs.record.moment
    racing = record.winner[moment] < 0
    assert pairs.own[racing, BEFORE] == pytest.approx(pairs.apart[moment, seat][racing], abs=1e-6)
    assert pairs.own[racing, AFTER] == pytest.approx(pairs.apart[moment + 1, seat][racing], abs=1e-6)
    assert not pairs.own[~racing].any()


def test_at_the_start_the_mean_chance_of_each_turn_order_is_its_share_of_wins(pairs: RaceOracle) -> None:
    record = pairs.record
    first = record.mover[record.starts]
    rows = np.arange(record.races)
    chance, won = pairs.win[record.starts, :][rows, first], record.wins[rows, first]
    error = 4 * np.sqrt(won.var() / won.size)
    assert chance.mean() == pytest.approx(won.mean(), abs=float(error))
    assert error < 0.04


def apart(record: RaceRecord) -> np.ndarray:
    """The distance of the two boats in hexes by moment."""
    assert record.course is not None
    race = record.course.race
    hexes = np.array([(at.q, at.r) for at in record.course.numbered.hexes])
    place = np.maximum(record.state, 0) // race.row_cells % race.hexes
    step = hexes[place[:, 0]] - hexes[place[:, 1]]
    return np.asarray(np.abs(np.stack([*step.T, step.sum(axis=1)])).max(axis=0))


def test_boats_that_do_not_meet_against_races_played_on(pairs: RaceOracle) -> None:
    """Near the line and far from each other boats are what the oracle takes them for."""
    record, samples = pairs.record, 4000
    near = (record.mover >= 0) & (record.winner < 0) & (record.left.max(axis=1) < 3) & (apart(record) >= 4)
    moments = np.flatnonzero(near & (pairs.win.min(axis=1) > 0.1))
    moments = moments[np.unique(record.state[moments], axis=0, return_index=True)[1]][:12]
    played, told = rollouts(record, moments, samples, 11)[:, 0], pairs.win[moments, 0]
    assert moments.size == 12
    assert (np.abs(played - told) < 4 * np.sqrt(told * (1 - told) / samples)).all()


def test_looking_ahead_brings_chances_nearer_to_races_played_on(pairs: RaceOracle) -> None:
    record = pairs.record
    moments = np.flatnonzero((record.winner < 0) & (record.mover >= 0) & (apart(record) < 3))[::150]
    played = rollouts(record, moments, 400, 12)
    far, near = (float(((played - win[moments]) ** 2).mean()) for win in (pairs.apart, pairs.win))
    assert moments.size > 50
    assert near < 0.85 * far


def test_squared_errors_leave_out_what_rollouts_themselves_are_off_by(pairs: RaceOracle) -> None:
    rng = np.random.default_rng(3)
    few, many = (float(squared_errors(pairs, 300, samples, rng).mean()) for samples in (20, 400))
    # With 20 races alone the variance of 20 races would be ten times what the oracle is off by.
    assert few == pytest.approx(many, abs=0.006)
    wrong = replace(pairs, win=np.clip(pairs.win + np.array([0.3, -0.3]), 0, 1))
    assert float(squared_errors(wrong, 300, 400, rng).mean()) > many + 0.02


def one_turn_on(oracle: RaceOracle, moment: int) -> float:
    """The chance of seat 0 after the next turn, in the mean of its throws by the rules with both boats on the lake."""
    record, course = oracle.record, oracle.record.course
    assert course is not None
    mover, boats = int(record.mover[moment]), [boat_of(record, int(state)) for state in record.state[moment]]
    damage, *state = course.numbered.state(boats[mover])
    choice = course.choice(int(course.policy.choice[damage, course.race.cell(*state)]))
    found = 0.0
    for chance, thrown in throws(PRACTICE, boats[mover], choice):
        steer = FACINGS[(thrown.facing + course.table_way(boats[mover], thrown.hand) + 5) % 6]
        legal = landings(PRACTICE, thrown, frozenset({boats[1 - mover].at}))
        landing = next(one for one in legal if one.steer == steer)
        after = record.state[moment].copy()
        after[mover] = state_of(record, landing)
        home = landing.finished
        node = oracle.chain.node_of(after[None])
        if not home and after[mover] >= 0 and node.min() == -1:
            return float("nan")  # A state that no boat of these races was in.
        tables_ = oracle.chain.finish, oracle.chain.sink
        win = win_chances(*tables_, node, np.array([1 - mover]), np.array([mover if home else -1]))
        found += float(chance) * float(win[0, 0])
    return found


def test_one_turn_ahead_against_the_rules(pairs: RaceOracle) -> None:
    record = pairs.record
    node = pairs.chain.node_of(record.state)
    once = mended(record, pairs.chain, node, pairs.apart, 1)
    changed = np.flatnonzero(np.abs(once - pairs.apart).max(axis=1) > 1e-3)[:4000:100]
    right = np.array([one_turn_on(pairs, int(moment)) for moment in changed])
    known = ~np.isnan(right)
    assert known.sum() > 25
    assert once[changed, 0][known] == pytest.approx(right[known], abs=1e-6)


def drawn_races(races: int) -> tuple[np.ndarray, np.ndarray, list[Story]]:
    """Boats that stand on steps 3, 2, 1 and go one down with chance ½, each by itself."""
    rng, stories = np.random.default_rng(5), []
    finish, sink = np.zeros((2, 4, 60), np.float32)
    for step in range(1, 4):
        for turn in range(60):
            now = 0.5 * (turn == 0) if step == 1 else 0.5 * finish[step - 1, turn - 1] * (turn > 0)
            finish[step, turn] = now + (0.5 * finish[step, turn - 1] if turn else 0)
    for _ in range(races):
        steps, seats, mover = [[3, 3]], [], int(rng.integers(2))
        while any(steps[-1]):
            seats.append(mover)
            row = list(steps[-1])
            row[mover] -= int(rng.random() < 0.5)
            steps.append(row)
            mover = 1 - mover if row[1 - mover] else mover
        home = [next(k for k, row in enumerate(steps) if row[seat] == 0) for seat in range(2)]
        stories.append(Story(seats, steps, [], (1, 2) if home[0] < home[1] else (2, 1)))
    return finish, sink, stories


def test_the_self_check_holds_for_boats_that_are_independent() -> None:
    finish, sink, stories = drawn_races(3000)
    record = record_of(*stories)
    node = np.where(record.left > 0, record.left, HOME).astype(np.int32)
    win = win_chances(finish, sink, node, record.mover, record.winner)
    win[record.ends] = record.wins
    found = self_check(RaceOracle(record, None, win, win, np.zeros((0, 5)), NO_STATES))  # type: ignore[arg-type]
    difference = found.changes - found.ends
    error = 4 * difference.std() / np.sqrt(difference.size)
    assert abs(difference.mean()) < error < 0.04
    # It fails where chances are made too bold: the test can tell.
    bold = np.where(win > 0.5, np.sqrt(win), win**2)
    bold /= bold.sum(axis=1, keepdims=True)
    found = self_check(RaceOracle(record, None, bold, bold, np.zeros((0, 5)), NO_STATES))  # type: ignore[arg-type]
    assert abs((found.changes - found.ends).mean()) > error


def test_a_boat_alone_wins_all_the_time() -> None:
    oracle = race_oracle(evidence(1, 20).record.races[0])
    assert oracle.win == pytest.approx(np.ones(oracle.win.shape), abs=1e-6)
