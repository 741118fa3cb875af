"""Whether who is ahead stays ahead: races and matches told by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_races import PRACTICE, ended, practice, told
from made_up_records import BACK_AND_FORTH, PHOTO, Story, record_of
from scipy.stats import rankdata, spearmanr

from rulekit.readings import TwoPlayerScore
from rulekit.simulate.bulk import Contest
from rulekit.simulate.rates import Tally, tally, wilson
from rulekit.study.evidence import Evidence
from rulekit.study.record import Record
from rulekit.study.snowball import (
    leader_at_half,
    match_decided,
    match_leader,
    match_points,
    mid_ranks,
    order_kept,
    progress_at,
    rank_correlations,
)

STEADY = Story(
    seats=(0, 1, 2) * 4,
    left=(
        (4, 5, 6), (3, 5, 6), (3, 4, 6), (3, 4, 5), (2, 4, 5), (2, 3, 5), (2, 3, 4.5), (1, 3, 4.5), (1, 2, 4.5),
        (1, 2, 2.5), (0, 2, 2.5), (0, 1, 2.5), (0, 1, 0.5),
    ),
    win=(),
    ranks=(1, 3, 2),
)  # fmt: skip
"""Four rounds: boats 0, 1, 2 in this order until the last, when boat 2 passes boat 1."""


def raced(*stories: Story) -> Evidence:
    record = record_of(*stories)
    seats = record.seats
    outcomes = ended([("f" * seats, np.argsort(np.argsort(story.ranks)).tolist(), [4] * seats) for story in stories])
    return told(outcomes, record=Record((record,)))


def test_progress_after_a_share_of_the_rounds() -> None:
    record = record_of(STEADY)
    # The best start has 4 turns left; after rounds 1, 2 and 3 of four.
    assert progress_at(record, 0.25).tolist() == [[1, 0, -1]]
    assert progress_at(record, 0.5).tolist() == [[2, 1, -0.5]]
    assert progress_at(record, 0.75).tolist() == [[3, 2, 1.5]]
    # Of three rounds: after the first, for a third of them is not one.
    short = Story(
        seats=(0, 1) * 3, left=((3, 3), (2, 3), (2, 1), (1, 1), (1, 0.5), (0, 0.5), (0, 0)), win=(), ranks=(1, 2)
    )
    assert [progress_at(record_of(short), share).tolist() for share in (0.25, 0.5)] == [[[1, 2]]] * 2
    assert progress_at(record_of(short), 0.75).tolist() == [[2, 2.5]]


def test_order_kept_by_hand() -> None:
    # Order 1, 2, 3 against 1, 3, 2: Spearman 1 − 6 · 2 / (3 · 8).
    assert [figure.value for figure in order_kept(raced(STEADY))] == [0.5, 0.5, 0.5]
    assert [figure.label for figure in order_kept(raced(STEADY))] == ["after 25 %", "after 50 %", "after 75 %"]


def test_races_without_an_order_are_left_out() -> None:
    # Both boats are level in every round of the photo finish.
    assert order_kept(raced(PHOTO))[0].value is None
    assert order_kept(raced(PHOTO, BACK_AND_FORTH))[0].n == 1


def test_leader_at_half_by_hand() -> None:
    # Boat 0 leads after the second round of four and wins; in the other race both lead and share the win.
    figure = leader_at_half(raced(BACK_AND_FORTH, PHOTO))[0]
    assert (figure.value, figure.n) == (0.75 - 0.5, 2)
    assert (figure.low, figure.high) == pytest.approx(tuple(bound - 0.5 for bound in wilson(1.5, 2)))
    assert leader_at_half(raced(STEADY))[0].value == pytest.approx(2 / 3)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=5))
def test_mid_ranks_as_scipy_tells_them(rows: list[list[int]]) -> None:
    assert mid_ranks(np.array(rows, float)).tolist() == [rankdata(row).tolist() for row in rows]


@given(st.permutations(range(5)), st.permutations(range(5)))
def test_correlation_as_scipy_tells_it(a: list[int], b: list[int]) -> None:
    found = rank_correlations(np.array([a], float), np.array([b], float))
    assert found[0] == pytest.approx(float(spearmanr(a, b).statistic))


def placed(*order: int) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    return "f" * len(order), order, (9,) * len(order)


def test_match_points_and_leaders_by_hand() -> None:
    # Points 2 1 0, 4 2 0, 6 3 0. Match 1: seats 1 2 3, 1 2 3, 3 2 1 -> 6, 6, 6: the last race decides, seat 3 wins.
    # Match 2: seat 1 first in all.
    evidence = told(ended(
        [placed(0, 1, 2), placed(0, 1, 2)], [placed(0, 1, 2), placed(0, 1, 2)], [placed(2, 1, 0), placed(0, 1, 2)],
    ))  # fmt: skip
    won, wins = match_points(evidence)
    assert won.sum(axis=0).tolist() == [[6, 6, 6], [12, 6, 0]]
    assert wins.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert [figure.value for figure in match_leader(evidence)] == pytest.approx([0.5 - 1 / 3] * 2)
    # After two races seat 1 leads by 3; the last brings 6.
    assert match_decided(evidence)[0].value == 0.0


def test_match_decided_by_hand() -> None:
    """Four boats, three races: a lead of 9 points is not enough, since equal points go to the winner of the last."""
    early = [(placed(0, 1, 2, 3), placed(0, 1, 2, 3), placed(0, 1, 2, 3))]
    assert match_decided(told(ended(*zip(*early, strict=True))))[0].value == 0.0  # 9 points against 6
    sunk = ("fsss", (0, 3, 2, 1), (9, 4, 5, 6))
    # 3 + 6 points against none: the lead is 9, not more.
    assert match_decided(told(ended([sunk], [sunk], [sunk])))[0].value == 0.0
    # With four races the lead is 3 + 6 + 9 before the last, which brings 12.
    assert match_decided(told(ended([sunk], [sunk], [sunk], [sunk])))[0].value == 1.0


def test_two_players_lead_is_never_safe() -> None:
    duel = ended([placed(0, 1)], [placed(0, 1)])
    assert match_decided(told(duel))[0].value is None
    assert match_decided(told(duel, practice(two_player_score=TwoPlayerScore.OFF)))[0].value == 0.0


def test_a_race_alone_is_no_match() -> None:
    for metric in (match_leader, match_decided):
        assert metric(told(ended([placed(0, 1, 2)])))[0].value is None


def test_matches_given_up_do_not_count() -> None:
    outcomes = ended([placed(0, 1, 2), ("frr", (0, -1, -1), (9, 500, 500))], [placed(0, 1, 2), placed(0, 1, 2)])
    outcomes.played[1, 1] = 0
    assert match_leader(told(outcomes))[0].n == 1


def test_matches_are_won_as_the_tally_counts() -> None:
    evidence = Evidence(Contest((PRACTICE,) * 3, ("solo",) * 3, 5, rotate=False), 300)
    counted: Tally = tally(evidence.contest, 0, evidence.outcomes)
    _won, wins = match_points(evidence)
    assert wins.sum(axis=0) == pytest.approx(counted.counts["match_win"].sum(axis=1))
