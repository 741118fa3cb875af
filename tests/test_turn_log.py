"""Logs of turns: the compiled route against the rules engine, every turn replayed, counts against the outcomes."""

from dataclasses import replace

import numpy as np
import pytest
from made_up_tiles import OPEN

from rulekit.hexgrid import FACINGS, Hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.move import legal_facings, move
from rulekit.powerboats.race import Status
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate import bulk_races, turn_log
from rulekit.simulate.bulk import FINISHED, STATUSES, SUNK, Contest, play
from rulekit.simulate.turn_log import TurnLog, turns_of
from rulekit.solve.tables import Numbered


def waters(readings: str = "dice-max=3") -> Waters:
    return Waters(OPEN, PowerboatsReadings.parse([readings]))


CROWDED = Contest((waters(),) * 2, ("solo",) * 4, 4)


def same(one: TurnLog, other: TurnLog) -> None:
    for name in TurnLog._fields:
        mine, theirs = getattr(one, name), getattr(other, name)
        if name == "starts":
            assert all((a == b).all() for a, b in zip(mine, theirs, strict=True))
        else:
            assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
            assert (mine == theirs).all(), name


@pytest.mark.parametrize("number", [0, 1])
def test_both_routes_write_the_same_log(number: int) -> None:
    fast, slow = turns_of(CROWDED, number, 3, 6), turns_of(CROWDED, number, 3, 6, by_rules=True)
    assert fast.match.size > 100
    assert fast.fell_back.any()
    same(fast, slow)


def test_given_up_races_are_logged_and_those_after_them_are_not_held() -> None:
    one = replace(CROWDED, cap=7)
    for number in (0, 1):
        fast = turns_of(one, number, 0, 5)
        same(fast, turns_of(one, number, 0, 5, by_rules=True))
    assert (fast.starts.at[(fast.status == 0).all(axis=1)] == -1).all()
    assert (fast.status == 0).all(axis=1).any()


def test_the_log_is_that_of_the_races_that_are_counted() -> None:
    log, found = turns_of(CROWDED, 1, 2, 40), play(CROWDED, 2, 40)
    assert (log.status == found.status[1]).all()
    assert (log.left == found.left[1]).all()
    assert (log.turns == found.turns[1]).all()
    taken = np.zeros_like(log.turns)
    np.add.at(taken, (log.match - 2, log.seat), 1)
    assert (taken == log.turns).all()
    for status, ended in ((FINISHED, log.finished), (SUNK, log.sunk)):
        there = np.zeros(taken.shape, bool)
        there[log.match[ended] - 2, log.seat[ended]] = True
        assert (there == (found.status[1] == status)).all()


def test_parts_make_the_same_log(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = turns_of(CROWDED, 0, 5, 9)
    monkeypatch.setattr(turn_log, "MATCHES_AT_ONCE", 4)
    same(turns_of(CROWDED, 0, 5, 9), whole)


def test_a_full_log_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = turns_of(CROWDED, 0, 5, 30)
    monkeypatch.setattr(bulk_races, "ROOM", 1)
    same(turns_of(CROWDED, 0, 5, 30), whole)


def test_policies_move_on_by_a_seat() -> None:
    one = Contest((waters(),), ("solo", "racer", "solo"), 2)
    log = turns_of(one, 0, 1, 4)
    assert (log.policy == (log.seat + log.match) % 3).all()
    fixed = turns_of(replace(one, rotate=False), 0, 1, 4)
    assert (fixed.policy == fixed.seat).all()


@pytest.mark.parametrize(
    ("policies", "readings"),
    [
        (("solo",) * 4, "dice-max=3"),
        (("random", "greedy", "cautious"), "dice-max=4"),
        (("random",) * 3, "dice-max=3,sink-at=2"),
    ],
)
def test_every_turn_replays_through_the_rules(policies: tuple[str, ...], readings: str) -> None:
    one = Contest((waters(readings),), policies, 6, cap=40)
    log, numbered = turns_of(one, 0, 0, 3), Numbered(one.races[0])
    assert log.crashed.any()
    assert log.fell_back.any()
    for match in range(3):
        boats: dict[int, Boat] = {}
        for seat in range(one.seats):
            at, facing, progress, damage = (int(part[match, seat]) for part in log.starts)
            boats[seat] = Boat(numbered.hexes[at], FACINGS[facing], (), progress, damage)
        for k in np.flatnonzero(log.match == match).tolist():
            replay_turn(log, k, numbered, boats)
        afloat = {seat for seat in range(one.seats) if log.status[match, seat] == STATUSES.index(Status.RACING)}
        assert set(boats) == afloat


def replay_turn(log: TurnLog, k: int, numbered: Numbered, boats: dict[int, Boat]) -> None:
    """A row of the log told again by `powerboats.move`; `boats` are those on the lake, by seat."""
    seat, rules = int(log.seat[k]), numbered.race.dice
    boat, hand = boats.pop(seat), rules.hands.tuple_of(int(log.thrown[k]))
    kept, rolled = rules.throws.choice(int(log.entry[k]))
    assert (kept, rolled) in rules.choices(rules.hands.index(boat.hand))
    assert len(hand) == rules.hands.size[kept] + rolled
    thrown = replace(boat, hand=hand)
    facing = FACINGS[(boat.facing + int(log.way[k]) + 5) % 6]
    assert facing in legal_facings(numbered.waters, thrown)
    taken: set[Hex] = {other.at for other in boats.values()}
    landing = move(numbered.waters, thrown, facing, taken)
    after = landing.boat
    at = -1 if landing.finished or landing.sunk else numbered.number[after.at]
    told = at, after.facing, rules.hands.index(after.hand), after.progress, after.damage
    assert told == tuple(int(part[k]) for part in (log.at, log.facing, log.hand, log.progress, log.damage))
    assert log.crashed[k] == landing.crashed
    assert log.finished[k] == landing.finished
    assert log.sunk[k] == (landing.sunk and not landing.finished)
    alone = move(numbered.waters, thrown, facing)
    assert log.fell_back[k] == len(landing.way) - 1 - landing.way.index(after.at)
    assert bool(log.fell_back[k]) == (alone.boat.at != after.at)
    if at >= 0:
        boats[seat] = after
