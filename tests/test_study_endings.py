"""How races end: figures worked out by hand from races told by hand, and against the match's own score."""

from math import sqrt

import numpy as np
import pytest
from made_up_races import PRACTICE, ended, practice, told

from rulekit.readings import TwoPlayerScore
from rulekit.simulate.bulk import FINISHED, Contest
from rulekit.simulate.rates import wilson
from rulekit.study.endings import (
    cap_rate,
    completion,
    duration,
    duration_variation,
    idle_rounds,
    points_at_stake,
    points_by_sinking,
    sink_rate,
)
from rulekit.study.evidence import Evidence

ONE_SUNK = ("ffs", [0, 1, 2], [5, 7, 3])
ALL_IN = ("fff", [1, 0, 2], [6, 5, 6])


def test_shares_by_hand() -> None:
    evidence = told(ended([ONE_SUNK, ALL_IN]))
    assert completion(evidence)[0].value == pytest.approx(5 / 6)
    assert sink_rate(evidence)[0].value == pytest.approx(1 / 6)
    assert completion(evidence)[0].n == 6


def test_shares_by_policy() -> None:
    evidence = told(ended([ONE_SUNK, ALL_IN]), policies=("greedy", "solo", "solo"))
    # Policies move on: in the first match greedy sits at seat 1, in the second at seat 3.
    assert [figure.label for figure in sink_rate(evidence)] == ["all boats", "greedy", "solo"]
    assert [figure.value for figure in sink_rate(evidence)] == [pytest.approx(1 / 6), 0.0, 0.25]


def test_nothing_seen_has_an_interval() -> None:
    figure = sink_rate(told(ended([ALL_IN] * 20)))[0]
    assert (figure.value, figure.high) == (0.0, wilson(0, 60)[1])


def test_races_given_up() -> None:
    found = cap_rate(told(ended([ALL_IN, ("ffr", [0, 1, -1], [5, 6, 500])])))[0]
    assert (found.value, found.n, found.note) == (0.5, 2, "the cap is 500 turns of a boat")


def test_duration_by_hand() -> None:
    evidence = told(ended([("ff", [0, 1], [4, 4]), ("ff", [0, 1], [3, 6])]))
    assert [figure.label for figure in duration(evidence)] == ["mean", "sd", "5 %", "50 %", "95 %"]
    assert [figure.value for figure in duration(evidence)] == pytest.approx([5.0, sqrt(2), 4.0, 4.0, 6.0])
    assert duration_variation(evidence)[0].value == pytest.approx(sqrt(2) / 5)


def test_rounds_that_sunk_boats_wait() -> None:
    each, race = idle_rounds(told(ended([ONE_SUNK, ALL_IN])))
    assert (each.value, each.n, race.value, race.n) == (4.0, 1, 2.0, 2)


def test_nobody_sunk_nobody_waits() -> None:
    each, race = idle_rounds(told(ended([ALL_IN])))
    assert each.value is None
    assert race.value == 0.0
    assert race.high


def test_points_over_sunk_boats_by_hand() -> None:
    # The finishers of the first race get 2 and 1 points, each 1 of them for the sunk boat; in the second 3 are given.
    evidence = told(ended([ONE_SUNK, ALL_IN]))
    assert [part.tolist() for part in points_at_stake(evidence)] == [[3.0, 3.0], [2.0, 0.0]]
    assert points_by_sinking(evidence)[0].value == pytest.approx(1 / 3)


def test_points_of_two_players_over_sunk_boats() -> None:
    # 1 point for the place and 5 for the sunk boat, all by sinking; the other match brings 1 and 3 turns ahead.
    evidence = told(ended([("fs", [0, 1], [5, 2]), ("ff", [0, 1], [5, 8])]))
    assert [part.tolist() for part in points_at_stake(evidence)] == [[6.0, 4.0], [6.0, 0.0]]


def test_points_count_the_race_of_the_match() -> None:
    evidence = told(ended([ALL_IN], [ONE_SUNK]), practice(two_player_score=TwoPlayerScore.OFF))
    assert [part.tolist() for part in points_at_stake(evidence)] == [[3.0 + 6.0], [4.0]]


def test_no_points_no_share() -> None:
    assert points_by_sinking(told(ended([("sss", [0, 1, 2], [3, 4, 5])])))[0].value is None


def test_points_by_sinking_are_those_won_over_sunk_boats() -> None:
    """Another way: the points that finishers would have had had there been only the boats that did not sink."""
    contest = Contest((practice(sink_at=1),) * 2, ("greedy",) * 3, 5)
    evidence = Evidence(contest, 12)
    given, by_sinking = points_at_stake(evidence)
    finished = (evidence.outcomes.status == FINISHED).sum(axis=2)
    apart = (np.arange(1, 3)[:, None] * finished * (finished - 1) / 2).sum(axis=0)
    assert by_sinking.any()
    assert (given - by_sinking == apart).all()


def test_rounds_are_the_most_turns() -> None:
    evidence = Evidence(Contest((PRACTICE,), ("solo",) * 2, 3), 50)
    log = evidence.logs[0]
    most = [int(log.number[log.match == match].max()) for match in range(50)]
    assert duration(evidence)[0].value == pytest.approx(np.mean(most))
