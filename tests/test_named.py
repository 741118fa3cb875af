"""Simple policies as arrays: decision by decision what the same policies decide at the table."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from made_up import case
from test_tables import every_boat, numbered, pond

from rulekit.errors import BadInput
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.race import Entry, Race, Status
from rulekit.simulate.policies import POLICIES as AT_TABLE
from rulekit.simulate.policies import choosing, steering
from rulekit.solve.best import best_race
from rulekit.solve.named import POLICIES, policy_named
from rulekit.solve.passage import Passage, follow_best, follow_policy
from rulekit.solve.policy import best_policy, evaluate
from rulekit.solve.tables import Numbered

READINGS = [("dice-max=3",), ("dice-max=2", "reroll=one", "sink-at=2"), ("dice-max=2", "faces=1/1/4", "change=2")]


def some_boats(found: Numbered, count: int) -> Iterator[tuple[Boat, Race]]:
    """Random states, each as a race of one."""
    for boat in Random(5).sample(every_boat(found), count):
        yield boat, Race(found.waters, 0, (Entry(Status.RACING, boat),), mover=0)


@pytest.mark.parametrize("readings", READINGS)
@pytest.mark.parametrize("name", ["greedy", "cautious"])
def test_decides_as_the_policy_at_the_table(name: str, readings: tuple[str, ...]) -> None:
    found = numbered(pond(), *readings)
    policy, hands = policy_named(name)(found, 50.0), found.race.dice.hands
    for boat, race in some_boats(found, 120):
        question = choosing(race)
        wanted = question.options[AT_TABLE[name](question, Random(0))]
        kept, rolled = policy.dice_choice(*found.state(boat))
        assert (hands.tuple_of(kept), rolled) == tuple(wanted), boat
        steer = steering(race, boat.hand)
        landing = steer.options[AT_TABLE[name](steer, Random(0))]
        assert boat.facing.steer(policy.direction(*found.state(boat))) == landing.steer, boat


def same_passage(one: Passage, other: Passage) -> None:
    assert np.allclose(one.finished, other.finished[: one.finished.size], atol=1e-12)
    assert (one.sink, one.unhurt) == pytest.approx((other.sink, other.unhurt), abs=1e-12)


def test_following_agrees_with_evaluating_by_sweeps() -> None:
    found = numbered(pond(), "dice-max=3")
    best = best_race(found, found.starts)
    state = found.state(best.start.boat)
    for name in POLICIES:
        policy = policy_named(name)(found, 50.0)
        passage, worth = follow_policy(policy, state), evaluate(policy)
        assert (passage.turns, passage.sink) == pytest.approx(worth.at(*state), abs=1e-5)
        assert passage.turns + 50 * passage.sink >= best.start.lower
    lazy, whole = follow_best(best.solution, state), follow_policy(best_policy(best.solution), state)
    same_passage(lazy, whole)
    assert lazy.turns + 50 * lazy.sink == pytest.approx(best.start.value, abs=1e-6)
    assert lazy.finished.sum() + lazy.sink == pytest.approx(1, abs=1e-11)
    assert 0 < lazy.unhurt <= 1


def test_restricted_races_lose_less_the_less_they_forbid() -> None:
    found = numbered(case("tiny-0.toml"), "dice-max=3")
    best = best_race(found, found.starts)
    state = found.state(best.start.boat)
    worth = {}
    for name in ("dice-1", "dice-2", "dice-3", "no-reroll"):
        passage = follow_policy(policy_named(name)(found, 50.0), state)
        worth[name] = passage.turns + 50 * passage.sink
    assert worth["dice-1"] > worth["dice-2"] + 0.01
    assert worth["dice-2"] >= worth["dice-3"] - 1e-6
    assert worth["dice-3"] == pytest.approx(best.start.value, abs=1e-6)
    assert worth["no-reroll"] > best.start.value + 0.01


def test_no_reroll_never_throws_a_die_again() -> None:
    found = numbered(pond(), "dice-max=3")
    policy, hands = policy_named("no-reroll")(found, 50.0), found.race.dice.hands
    for boat, _race in some_boats(found, 200):
        kept, rolled = policy.dice_choice(*found.state(boat))
        assert rolled <= max(0, int(hands.size[kept]) + rolled - len(boat.hand))


def test_a_policy_that_stands_still_never_ends() -> None:
    found = numbered(pond(), "dice-max=2")
    still = policy_named("greedy")(found, 50.0)
    still = replace(still, choice=np.zeros_like(still.choice))
    passage = follow_policy(still, found.state(found.starts[0]))
    assert not passage.ends
    assert (passage.turns, passage.left) == (float("inf"), 1.0)


@pytest.mark.parametrize(
    ("name", "near"), [("gredy", "'greedy'"), ("dice-0", "dice-"), ("x", "no-reroll"), ("dice-7", "at most 2")]
)
def test_unknown_policies_are_refused(name: str, near: str) -> None:
    found = numbered(pond(), "dice-max=2")
    with pytest.raises(BadInput, match=near):
        policy_named(name)(found, 50.0)
