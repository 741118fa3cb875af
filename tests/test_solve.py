"""The solver's kernels against listing in fractions, exact elimination, proofs of the bounds, and symmetries."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from solve_lakes import random_race, straights
from solve_plain import DONE, SUNK, Choice, End, Listed, Plain, State, exact_values, random_states

from rulekit.solve.bounds import solve
from rulekit.solve.hands import Hands
from rulekit.solve.horizon import finish_within
from rulekit.solve.jit import use_threads
from rulekit.solve.model import NO_MOVE, DiceRules, Outcomes, Race, Straights
from rulekit.solve.passage import follow_policy
from rulekit.solve.policy import Policy, best_policy, evaluate
from rulekit.solve.reach import reach

RULES: list[dict[str, Any]] = [
    {"most": 2},
    {"most": 3, "change": 2, "must_roll": True},
    {"most": 2, "reroll": "one"},
    {"most": 3, "reroll": "none"},
    {"most": 2, "faces": (1, 2, 4, 7), "weights": (3, 1, 2, 1)},
    {"most": 2, "faces": (0, 2), "weights": (1, 2), "reroll": "one", "change": 2},
]
FAR = Fraction(10**9)
Value = Callable[[End], Fraction]


def expected(plain: Plain, state: State, choice: Choice, value: Value) -> Fraction:
    """Σ over the throws of the best legal direction's value."""
    total = Fraction(0)
    for thrown, chance in plain.throws(*choice).items():
        total += chance * min(map(value, plain.ends(state, thrown)))
    return total


def bellman(plain: Plain, state: State, value: Value) -> Fraction:
    return min(expected(plain, state, choice, value) for choice in plain.choices(state[4]))


def ended(values: Callable[[State], Fraction], sunk: Fraction, done: Fraction) -> Value:
    return lambda end: {SUNK: sunk, DONE: done}[end] if isinstance(end, str) else values(end)


@pytest.mark.parametrize("dice", RULES)
def test_choices_are_those_listed_one_by_one(dice: dict[str, Any]) -> None:
    rules = DiceRules(**dice)
    plain = Plain(random_race(0, 2, 2, 1, **dice))
    for hand in range(rules.hands.count):
        found = rules.choices(hand)
        assert len(set(found)) == len(found)
        told = {(rules.hands.tuple_of(kept), rolled) for kept, rolled in found}
        assert told == plain.choices(rules.hands.tuple_of(hand))


def test_hands_are_all_multisets_by_size() -> None:
    hands = Hands((1, 2, 3), (1, 1, 1), 5)
    assert hands.count == 56
    assert sorted(hands.tuples) == sorted(
        {tuple(sorted(dice)) for n in range(6) for dice in product(range(3), repeat=n)}
    )
    assert list(hands.size) == sorted(hands.size)
    for hand, face in product(range(hands.upto(4)), range(3)):
        assert hands.less[hands.more[hand, face], face] == hand


@pytest.mark.parametrize("dice", RULES)
def test_bounds_satisfy_bellman_inequalities_in_fractions(dice: dict[str, Any]) -> None:
    race = random_race(3, 5, 5, 3, levels=3, **dice)
    plain, found = Plain(race), solve(race)
    assert found.width < 1e-6
    for side, low in ((found.low, True), (found.high, False)):
        factor = Fraction(side)
        value = ended(lambda s, k=factor: k * Fraction(found.value(*plain.number(s))), Fraction(50), Fraction(0))  # type: ignore[misc]
        for state in random_states(plain, 60, 1):
            gap = 1 + bellman(plain, state, value) - value(state)
            assert gap >= 0 if low else gap <= 0


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_optimum_by_exact_elimination(seed: int) -> None:
    race = random_race(seed, 2, 3, 1, land=0.1, levels=1, most=1)
    plain, found = Plain(race), solve(race, within=1e-9)
    finite = [s for s in plain.states() if np.isfinite(found.value(*plain.number(s)))]
    float_value = ended(lambda s: Fraction(found.value(*plain.number(s))), Fraction(50), Fraction(0))
    exact = exact_values(
        plain, {s: greedy(plain, s, float_value) for s in finite}, {SUNK: Fraction(50), DONE: Fraction(0)}
    )
    value = ended(lambda s: exact.get(s, FAR), Fraction(50), Fraction(0))
    assert finite
    for state in finite:
        assert exact[state] == 1 + bellman(plain, state, value)
        low, high = found.bounds(*plain.number(state))
        assert Fraction(low) <= exact[state] <= Fraction(high)


def greedy(plain: Plain, state: State, value: Value) -> dict[End, Fraction]:
    """The next-state distribution of a best choice."""
    choice = min(sorted(plain.choices(state[4])), key=lambda c: expected(plain, state, c, value))
    nexts: dict[End, Fraction] = {}
    for thrown, chance in plain.throws(*choice).items():
        best = min(plain.ends(state, thrown), key=value)
        nexts[best] = nexts.get(best, Fraction(0)) + chance
    return nexts


@pytest.mark.parametrize("dice", RULES[:5])
def test_finishing_in_time_in_fractions(dice: dict[str, Any]) -> None:
    race = random_race(7, 4, 4, 2, levels=2, **dice)
    plain = Plain(race)

    @cache
    def missed(state: State, turns: int) -> Fraction:
        after = ended(lambda s: missed(s, turns - 1), Fraction(1), Fraction(0))
        return bellman(plain, state, after) if turns else Fraction(1)

    starts = random_states(plain, 12, 2)
    for turns, levels in enumerate(finish_within(race, 3), 1):
        for state in starts:
            damage, *where = plain.number(state)
            assert levels[damage, race.cell(*where)] == pytest.approx(float(1 - missed(state, turns)), abs=1e-13)


@pytest.mark.parametrize(
    ("dice", "turns"), [({"most": 2}, 2), ({"most": 3}, 2), ({"most": 1}, 3), (RULES[2], 2), (RULES[4], 2)]
)
def test_reach_in_fractions(dice: dict[str, Any], turns: int) -> None:
    race = random_race(11, 4, 4, 2, levels=2, **dice)
    plain = Plain(race)
    for state in random_states(plain, 3, 5):
        found = {row.place: row for row in reach(race, plain.number(state), turns).standings}
        for target in range(race.hexes):
            chance = standing(plain, state, turns, target)
            assert chance == (found[target].exact if target in found else 0)
            if target in found:
                choice = race.dice.hands.tuple_of(found[target].kept), found[target].rolled
                after = ended(lambda s, t=target: -standing(plain, s, turns - 1, t), Fraction(0), Fraction(0))  # type: ignore[misc]
                assert choice in plain.choices(state[4])
                assert expected(plain, state, choice, after) == -chance


@cache
def standing(plain: Plain, state: State, turns: int, target: int) -> Fraction:
    if turns == 0:
        return Fraction(int(state[2] == target))
    after = ended(lambda s: -standing(plain, s, turns - 1, target), Fraction(0), Fraction(0))
    return -bellman(plain, state, after)


def sealed_race(levels: int, most: int) -> Race:
    """A ring of six hexes round land, without a way to the finish, and a strip that leads there."""
    ring = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    strip = [(10 + k, 0) for k in range(4)]
    return Race(10, 1, levels, DiceRules(most=most), straights(ring + strip, [{((12, 0), (13, 0))}]))


def test_races_that_cannot_end_are_found_by_graph() -> None:
    still = solve(sealed_race(2, 0))
    assert np.isinf(still.states()).all()
    found = solve(sealed_race(2, 2))
    assert np.isfinite(found.states()).all()
    hands = found.race.dice.hands
    assert found.value(0, 0, 8, 0, hands.index((1,))) == pytest.approx(1.0)
    alone = Race(1, 1, 2, DiceRules(faces=(0,), weights=(1,), most=2), straights([(0, 0)], [set()]))
    assert np.isinf(solve(alone).states()).all()


@pytest.mark.parametrize("seed", range(6))
def test_endless_states_agree_with_a_plain_graph_search(seed: int) -> None:
    race = scattered_race(seed)
    plain, found = Listed(race), solve(race)
    ends, states = ending(plain), list(plain.states())
    assert 0 < len(ends) < len(states)
    for state in states:
        assert np.isfinite(found.value(*plain.number(state))) == (state in ends)
    value = ended(
        lambda s: Fraction(found.bounds(*plain.number(s))[1]) if s in ends else FAR, Fraction(50), Fraction(0)
    )
    for state in ends:
        assert 1 + bellman(plain, state, value) <= value(state)


def scattered_race(seed: int) -> Race:
    """Random outcomes by hand: mostly back to where the boat stands, seldom damage, very seldom an end."""
    rng, dice = np.random.default_rng(seed), DiceRules(faces=(1, 2), weights=(1, 2), most=1)
    shape = 2 * 5, dice.hands.count, 6, 3
    here = np.broadcast_to(np.arange(10).reshape(10, 1, 1, 1), shape)
    row = np.where(rng.random(shape) < 0.9, here, rng.integers(0, 10, shape))
    progress = np.where(rng.random(shape) < 0.01, 2, row // 5)
    place = np.where((np.arange(3) == 1) | (rng.random(shape) < 0.1), row % 5, NO_MOVE)
    facing, hand = (rng.integers(0, most, shape, np.int32) for most in (6, dice.hands.count))
    facing = np.where(rng.random(shape) < 0.8, np.arange(6, dtype=np.int32).reshape(6, 1), facing)
    moves = Outcomes(place, facing, progress, (rng.random(shape) < 0.01).astype(np.int32), hand)
    return Race(5, 2, 2, dice, moves)


def ending(plain: Plain) -> set[State]:
    """States from which some choices end the race with probability 1: shrink to those that can, to the end."""
    inside = set(plain.states())
    while True:
        found: set[State] = set()
        grown = True
        while grown:
            new = {s for s in inside - found if any(leads(plain, s, c, inside, found) for c in plain.choices(s[4]))}
            found |= new
            grown = bool(new)
        if found == inside:
            return found
        inside = found


def leads(plain: Plain, state: State, choice: Choice, inside: set[State], found: set[State]) -> bool:
    """The choice keeps inside, whatever is thrown, and may lead to a found state or an end."""
    nearer = False
    for thrown in plain.throws(*choice):
        ends = [end for end in plain.ends(state, thrown) if isinstance(end, str) or end in inside]
        if not ends:
            return False
        nearer |= any(isinstance(end, str) or end in found for end in ends)
    return nearer


def test_best_policy_is_worth_its_value_and_its_turns_are_those_followed() -> None:
    race = random_race(2, 6, 6, 3, most=3)
    found = solve(race)
    policy = best_policy(found)
    worth = evaluate(policy)
    total = worth.turns + 50.0 * worth.sink
    inside = np.s_[:, : race.rows * race.row_cells]
    finite = np.isfinite(found.levels[inside])
    assert np.allclose(total[inside][finite], found.levels[inside][finite], atol=2e-5)
    turns, sink = worth.at(0, 0, 3, 2)
    passage = follow_policy(policy, (0, 0, 3, 2, 0))
    assert passage.finished.sum() + passage.sink == pytest.approx(1.0, abs=1e-9)
    assert (passage.turns, passage.sink) == pytest.approx((turns, sink), abs=1e-5)
    assert passage.visits.sum() == pytest.approx(turns, abs=1e-5)
    assert passage.sinkings.sum() == pytest.approx(sink, abs=1e-6)


def test_a_policy_is_followed_turn_by_turn_as_it_finishes_in_time() -> None:
    race = random_race(9, 5, 5, 2, most=3)
    policy = best_policy(solve(race))
    finished = np.cumsum(follow_policy(policy, (0, 0, 4, 1, 0)).finished[:6])
    cell = race.cell(0, 4, 1)
    assert [levels[0, cell] for levels in finish_within(race, 6, policy)] == pytest.approx(list(finished), abs=1e-12)
    best = [levels[0, cell] for levels in finish_within(race, 6)]
    assert all(most >= some - 1e-12 for most, some in zip(best, finished, strict=True))


def test_a_policy_that_never_ends_has_infinite_turns() -> None:
    race = random_race(9, 4, 4, 2, most=2)
    shape = race.levels, race.rows * race.row_cells
    worth = evaluate(Policy(race, np.zeros(shape, np.int16), np.ones(shape, np.int8)))
    assert np.isinf(worth.turns[:, : race.rows * race.row_cells]).all()


def test_outcomes_by_hand_give_the_values_of_straight_moves() -> None:
    race = random_race(6, 5, 5, 3, levels=3, most=3)
    listed = replace(race, moves=by_hand(race))
    one, other = solve(race), solve(listed)
    assert np.allclose(one.states(), other.states(), rtol=0, atol=1e-6)
    worths = [evaluate(best_policy(found)) for found in (one, other)]
    assert np.allclose(worths[0].turns[0, :480], worths[1].turns[0, :480], atol=1e-4)
    start = 0, 0, 7, 2, 0
    one_way, other_way = (reach(own, start, 3).standings for own in (race, listed))
    assert [(r.place, r.exact) for r in one_way] == [(r.place, r.exact) for r in other_way]


def by_hand(race: Race) -> Outcomes:
    """The table of outcomes of straight moves."""
    plain, hands = Plain(race), race.dice.hands
    shape = race.rows, hands.count, 6, 3
    place, facing, progress, gain, left = (np.zeros(shape, np.int32) for _ in range(5))
    place[:] = NO_MOVE
    moves = race.moves
    assert isinstance(moves, Straights)
    for at in product(range(race.rows), range(hands.count), range(6), range(3)):
        row, hand, before, steer = at
        total, here = int(hands.pip_count[hand]), row % race.hexes
        ahead = (before + steer - 1) % 6
        if ahead in plain.directions(here, before, total):
            steps = min(total, int(moves.clear[here, ahead]))
            place[at], facing[at] = moves.land[here, ahead, steps], ahead
            progress[at] = moves.progress[row // race.hexes, here, ahead, steps]
            gain[at], left[at] = total - steps, hand if total == steps else 0
    return Outcomes(place, facing, progress, gain, left)


def test_mirrored_lake_has_equal_values() -> None:
    race = random_race(8, 5, 5, 3, most=3)
    moves = race.moves
    assert isinstance(moves, Straights)
    flip = [(-facing) % 6 for facing in range(6)]
    mirrored = Straights(moves.clear[:, flip], moves.land[:, flip], moves.progress[:, :, flip])
    one, other = solve(race), solve(replace(race, moves=mirrored))
    assert np.allclose(one.states(), other.states()[..., flip], rtol=0, atol=1e-6)


def test_more_dice_never_cost() -> None:
    few, many = (solve(random_race(8, 6, 6, 3, most=most)) for most in (2, 4))
    count = few.race.dice.hands.count
    assert (many.states()[:, :, :, :count] <= few.states() + 1e-6).all()
    assert (many.states()[:, :, :, :count] < few.states() - 0.01).any()


def test_threads_change_nothing() -> None:
    race = random_race(4, 8, 8, 3)
    use_threads(1)
    one = solve(race)
    use_threads(2)
    two = solve(race)
    assert np.array_equal(one.levels, two.levels)
    assert (one.low, one.high, one.sweeps) == (two.low, two.high, two.sweeps)


def test_pareto_weights_trade_turns_for_safety() -> None:
    race = random_race(12, 6, 6, 2, most=4)
    worths = [evaluate(best_policy(solve(race, sunk=sunk))).at(0, 0, 0, 0) for sunk in (2.0, 20.0, 200.0)]
    assert worths[0][0] <= worths[1][0] + 1e-6 <= worths[2][0] + 2e-6
    assert worths[0][1] >= worths[1][1] - 1e-6 >= worths[2][1] - 2e-6


@pytest.mark.parametrize("bad", [{"sunk": -1.0}, {"within": 0.0}])
def test_bad_costs_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        solve(random_race(1, 3, 3, 1, most=1), **bad)  # type: ignore[arg-type]


def test_solution_width_is_the_widest_state() -> None:
    found = solve(random_race(1, 4, 4, 2, most=2))
    states: Iterable[float] = found.states().ravel()
    widest = max(value * (found.high - found.low) for value in states if np.isfinite(value))
    assert found.width == pytest.approx(widest)
