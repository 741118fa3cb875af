"""Seats: known answers, the order of turns, and intervals that hold in fair games."""

from math import sqrt

import numpy as np
import pytest
from made_up_races import PRACTICE, ended, told, won_by

from rulekit.simulate.bulk import Contest
from rulekit.simulate.rates import wilson
from rulekit.study.evidence import Evidence
from rulekit.study.seats import balance, fair_band, seat_advantage, seat_concordance, seat_effect, seat_test
from rulekit.study.stats import sidak_quantile


def three_of_four() -> Evidence:
    """The first to move wins three races of four; seats 1 and 2 start in turn."""
    return told(won_by([0, 1, 1, 1], 2), starters=np.array([[0, 1, 0, 1]]))


def test_advantage_by_hand() -> None:
    first, second = seat_advantage(three_of_four())
    assert (first.value, second.value, first.n, first.label) == (0.25, -0.25, 4, "seat 1")
    low, high = wilson(3, 4, sidak_quantile(2))
    assert (first.low, first.high) == pytest.approx((low - 0.5, high - 0.5))


def test_test_and_effect_by_hand() -> None:
    test, effect = seat_test(three_of_four())[0], seat_effect(three_of_four())[0]
    assert test.value == pytest.approx(0.3173, abs=1e-4)  # chi-square 1 with 1 degree of freedom
    assert effect.value == pytest.approx(sqrt((0.25**2 + 0.25**2) * 2))


def test_balance_and_concordance_by_hand() -> None:
    assert balance(three_of_four())[0].value == 0.5
    assert seat_concordance(three_of_four())[0].value == pytest.approx(0.25)  # mean ranks 1.25 and 1.75


def test_ties_share_the_win() -> None:
    given_up = told(ended([("rr", [-1, -1], [500, 500]), ("fr", [0, -1], [9, 500])]))
    assert given_up.wins[0].tolist() == [[0.5, 0.5], [1.0, 0.0]]
    assert seat_advantage(given_up)[0].value == 0.25


def test_of_sunk_boats_the_last_to_sink_wins_among_themselves() -> None:
    assert told(ended([("fsss", [0, 1, 2, 3], [9, 3, 5, 4])])).ranks.tolist() == [[[1, 4, 3, 2]]]


def test_one_boat_has_no_seat() -> None:
    alone = told(won_by([0, 0], 1))
    for metric in (seat_advantage, seat_test, seat_effect, balance, seat_concordance):
        assert metric(alone)[0].value is None


def test_no_race_no_figure() -> None:
    none = told(won_by([0], 3))
    none.outcomes.played[:] = 0
    for metric in (seat_advantage, seat_test, balance, seat_concordance):
        assert metric(none)[0].value is None


@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_of_a_fair_game_hold_all_together(seats: int) -> None:
    rng = np.random.default_rng(seats)
    held = []
    for _ in range(400):
        figures = seat_advantage(told(won_by(list(rng.integers(seats, size=200)), seats)))
        held.append(all((figure.low or 0) <= 0 <= (figure.high or 0) for figure in figures))
    assert 0.92 <= np.mean(held) <= 0.985


def test_fair_band_holds_fair_games() -> None:
    rng = np.random.default_rng(1)
    low, high = fair_band(300, 3)
    shares = rng.multinomial(300, [1 / 3] * 3, size=4000) / 300
    inside = (1 - np.ptp(shares, axis=1) >= low) & (1 - np.ptp(shares, axis=1) <= high)
    assert 0.93 <= inside.mean() <= 0.98
    assert "a fair game of 4 races gives" in balance(three_of_four())[0].note


def test_seat_one_moves_first_in_every_race_of_a_match() -> None:
    evidence = Evidence(Contest((PRACTICE,) * 3, ("solo",) * 3, 7), 30)
    for number, log in enumerate(evidence.logs):
        first = np.searchsorted(log.match, np.arange(30))
        assert log.seat[first].tolist() == evidence.starters[number].tolist()
    order = evidence.in_turn_order(np.broadcast_to(np.arange(3), (3, 30, 3)))
    assert (order[..., 0] == evidence.starters).all()
    assert (np.sort(order, axis=-1) == np.arange(3)).all()


def test_line_up_is_the_one_that_plays() -> None:
    evidence = Evidence(Contest((PRACTICE,), ("solo", "greedy", "cautious"), 7), 4)
    for match in range(4):
        seated = evidence.contest.seated(match)
        assert [evidence.contest.policies[k] for k in evidence.lined_up[match]] == list(seated)
        assert evidence.plays("greedy")[match].tolist() == [name == "greedy" for name in seated]


def test_evidence_refuses_parts_it_does_not_have() -> None:
    with pytest.raises(ValueError, match="no part speed"):
        Evidence.given(three_of_four().contest, speed=3)


def test_outcomes_do_not_depend_on_jobs() -> None:
    contest = Contest((PRACTICE,) * 2, ("solo", "racer"), 3)
    one, two = Evidence(contest, 600).outcomes, Evidence(contest, 600, jobs=2).outcomes
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
