"""Boats in each other's way, water used, speed: from logs told by hand, and against the rules' own account."""

from collections.abc import Sequence

import numpy as np
import pytest
from made_up_races import PRACTICE, practice, told, won_by

from rulekit.simulate.bulk import Contest
from rulekit.simulate.rates import wilson
from rulekit.simulate.turn_log import TurnLog, turns_by_rules
from rulekit.study import speed, traffic
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure

WATERS = practice(dice_max=3)


@pytest.fixture(scope="module")
def crowd() -> Evidence:
    """Boats that meet often."""
    return Evidence(Contest((WATERS,), ("solo",) * 4, 3), 60)


def log_of(evidence: Evidence, rows: Sequence[tuple[int, ...]]) -> TurnLog:
    """A log of (match, seat, hex, hand thrown, crashed, hexes fallen back); the rest is nothing."""
    columns = dict(zip(("match", "seat", "at", "thrown", "crashed", "fell_back"), np.array(rows).T, strict=True))
    zero = np.zeros(len(rows), np.int64)
    parts = {name: columns.get(name, zero) for name in TurnLog._fields}
    return TurnLog(**parts)


def by_hand() -> Evidence:
    """Two races of two boats: the dice numbers 1, 2, 3 are single dice with so many pips."""
    evidence = told(won_by([0, 1], 2), WATERS)
    rows = [
        (0, 0, 4, 3, 0, 0), (0, 1, 4, 1, 0, 1), (0, 0, 5, 2, 1, 0), (0, 1, -1, 1, 0, 0),
        (1, 0, 4, 1, 0, 0), (1, 1, 5, 3, 0, 0),
    ]  # fmt: skip
    evidence.__dict__["logs"] = (log_of(evidence, rows),)
    return evidence


def values(figures: list[Figure]) -> list[float | None]:
    return [figure.value for figure in figures]


def test_pips_are_those_of_the_hands() -> None:
    assert by_hand().pips(0)[:5].tolist() == [0, 1, 2, 3, 2]  # none, 1, 2, 3, then two dice


def test_speed_by_hand() -> None:
    # Means 2.5, 1, 1, 3 a boat.
    assert values(speed.speed(by_hand())) == [pytest.approx(7.5 / 4)]
    assert speed.speed(by_hand())[0].n == 4


def test_wins_and_crashes_by_speed_by_hand() -> None:
    # One boat a quarter, the slow ones in order: seats 2 and 1 lost, seat 1 of the first race won, seat 2 of the other.
    assert values(speed.speed_wins(by_hand())) == [0.0, 0.0, 1.0, 1.0]
    assert speed.speed_wins(by_hand())[0].note == "mean speed 1.00"
    assert values(speed.speed_crashes(by_hand())) == [0.0, 0.0, 0.5, 0.0]


def test_water_by_hand() -> None:
    evidence = by_hand()
    names, water = evidence.solved[0].hex_names, len(evidence.solved[0].hex_names)
    used = traffic.water_used(evidence)[0]
    assert (used.value, used.n) == (2 / water, 2)
    assert [(figure.label, figure.value) for figure in traffic.top_hexes(evidence)] == [
        (names[4], 0.6),
        (names[5], 0.4),
    ]
    # Gini: 3 and 2 of 5 visits among so many hexes.
    spread = (2 * (water - 1) - water - 1) * 2 + (2 * water - water - 1) * 3
    assert traffic.visits_gini(evidence)[0].value == pytest.approx(spread / (water * 5))


def test_blocked_ends_by_hand() -> None:
    figure = traffic.blocked_ends(by_hand())[0]
    assert figure.value == pytest.approx(1 / 6)
    assert figure.n == 6
    assert figure.low is not None
    assert 0 < figure.low < wilson(1, 6)[0] + 0.05


def test_fall_backs_two_ways(crowd: Evidence) -> None:
    """From states in the record, and as the rules themselves tell them turn by turn."""
    counts, _lost = traffic.fallen_back(crowd)
    for match in range(15):
        turns = turns_by_rules(crowd.contest, 0, match)
        assert counts[match] == sum(turn.landing.boat.at != turn.landing.way[-1] for turn in turns)
    log = crowd.logs[0]
    assert counts.tolist() == np.bincount(log.match, weights=log.fell_back > 0, minlength=60).tolist()
    assert counts.sum() > 0


def test_what_boats_lose_by_falling_back(crowd: Evidence) -> None:
    counts, lost = traffic.fallen_back(crowd)
    assert (lost[counts == 0] == 0).all()
    assert lost.sum() > 0


def test_more_boats_meet_more_often(crowd: Evidence) -> None:
    figures = traffic.fall_backs(crowd)
    assert [figure.label for figure in figures] == [f"{players} boats" for players in range(2, 7)]
    assert [figure.n for figure in figures] == [60] * 5
    two, six = figures[0], figures[-1]
    assert two.high is not None
    assert six.low is not None
    assert two.high < six.low
    assert values(traffic.turns_given_away(crowd))[2] == pytest.approx(traffic.fallen_back(crowd)[1].mean())


def test_policies_have_their_own_speed() -> None:
    figures = speed.speed(Evidence(Contest((PRACTICE,), ("solo", "cautious"), 3), 6))
    assert [figure.label for figure in figures] == ["solo", "cautious"]
    assert figures[0] != figures[1]
    assert all(figure.n == 6 for figure in figures)
