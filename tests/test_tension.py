"""Tension of races made up by hand: every answer is worked out on paper."""

from math import log

import numpy as np
import pytest
from made_up_records import BACK_AND_FORTH, PHOTO, TIE, oracle_of, record_of

from rulekit.simulate.bulk import Contest
from rulekit.study import tension
from rulekit.study.evidence import Evidence
from rulekit.study.luck import volatility
from rulekit.study.metrics_tension import CHOICES, TENSION
from rulekit.study.oracle import Oracle, self_check
from rulekit.study.record import Record
from rulekit.study.tension_figures import closeness, comeback, lead_changes, oracle_check, photo_finish, uncertainty

STORIES = BACK_AND_FORTH, PHOTO, TIE


def evidence() -> Evidence:
    """The three stories, to take figures of."""
    contest = Contest((), ("solo", "solo"), 1)
    return Evidence.given(contest, record=Record((record_of(*STORIES),)), oracle=Oracle((oracle_of(*STORIES),)))


def entropy(p: float) -> float:
    """Of two boats."""
    return -(p * log(p) + (1 - p) * log(1 - p)) / log(2)


def test_rounds_end_when_every_boat_that_races_has_had_its_turn() -> None:
    rounds = record_of(*STORIES).rounds
    assert rounds.held.tolist() == [4, 3, 1]
    # Moments of the second race begin at 8, those of the third at 15.
    assert rounds.moment.tolist() == [2, 4, 6, 7, 10, 12, 14, 17]
    assert rounds.first.tolist() == [0, 4, 7, 8]


def test_the_winner_by_moment_is_the_boat_that_came_in_first() -> None:
    record = record_of(*STORIES)
    assert record.winner.tolist() == [-1] * 5 + [0] * 3 + [-1] * 5 + [1] * 2 + [-1] * 3
    assert record.mover[:9].tolist() == [0, 1, 0, 1, 0, 1, 1, -1, 1]


def test_margins_are_what_the_second_has_left_after_the_winners_round() -> None:
    found = tension.margins(record_of(*STORIES))
    assert found[:2].tolist() == [0.25, 0.0]
    assert np.isnan(found[2])


def test_a_tie_at_the_top_keeps_the_leader_and_the_first_leader_is_no_change() -> None:
    # Boat 1 leads, then boat 0; the tie at the end keeps it. In the second race nobody ever leads.
    assert tension.lead_changes(record_of(*STORIES)).tolist() == [0.25, 0.0, 0.0]


@pytest.mark.parametrize(
    ("progress", "leaders", "changes"),
    [
        ([(1, 1, 0), (2, 1, 1), (2, 2, 1), (2, 3, 1)], [-1, 0, 0, 1], 1),
        ([(1, 0, 0), (1, 2, 2), (3, 2, 2), (3, 4, 2), (5, 4, 4)], [0, -1, 0, 1, 0], 2),
        ([(1, 0, 0), (1, 2, 2), (1, 2, 3)], [0, -1, 2], 1),
        ([(0, 0, -40), (0, 0, -40)], [-1, -1], 0),
    ],
)
def test_leaders(progress: list[tuple[int, int, int]], leaders: list[int], changes: int) -> None:
    table, first = np.array(progress, float), np.array([0, len(progress)])
    found = tension.leaders(table, first)
    assert found.tolist() == leaders
    assert tension.count_changes(found, first).tolist() == [changes]


def test_leads_do_not_reach_from_race_to_race() -> None:
    table, first = np.array([(1, 0), (0, 1), (0, 1), (1, 0)], float), np.array([0, 1, 2, 4])
    found = tension.leaders(table, first)
    assert tension.count_changes(found, first).tolist() == [0, 0, 1]


def test_drama_and_comeback() -> None:
    oracle = oracle_of(*STORIES)
    assert tension.drama(oracle)[:2] == pytest.approx([0.2 / 4, 0])
    assert tension.behind(oracle)[:2] == pytest.approx([1 / 4, 0])
    assert tension.comeback(oracle)[:2] == pytest.approx([2 * 0.4, 2 * 0.6])
    for number in (tension.drama, tension.behind, tension.comeback, tension.decided_at):
        assert np.isnan(number(oracle)[2])


def test_a_race_is_decided_when_the_winner_stays_ahead() -> None:
    oracle = oracle_of(*STORIES)
    assert tension.decided_at(oracle)[:2].tolist() == [2, 1]
    assert tension.left_then(oracle)[:2] == pytest.approx([1 - 2 / 4, 1 - 1 / 3])
    # The winners come in in the third round.
    assert tension.left_to_win(oracle)[:2] == pytest.approx([1 - 2 / 3, 1 - 1 / 3])
    assert tension.dead_time(oracle) == pytest.approx([2 / 4, 2 / 3, 0])
    assert tension.dead_before(oracle) == pytest.approx([0, 1 / 2, 0])


def test_uncertainty_at_quarters_of_a_race() -> None:
    oracle = oracle_of(*STORIES)
    assert tension.uncertainty_at(oracle, 0.25) == pytest.approx([entropy(0.4), entropy(0.4), 1])
    assert tension.uncertainty_at(oracle, 0.5) == pytest.approx([entropy(0.7), entropy(0.04), 1])
    assert tension.uncertainty_at(oracle, 0.75) == pytest.approx([0, 0, 1])
    assert tension.mean_uncertainty(oracle)[0] == pytest.approx((entropy(0.4) + entropy(0.7)) / 4)


def test_entropy_is_one_for_level_boats_of_any_number() -> None:
    assert tension.entropy(np.full((1, 5), 0.2)) == pytest.approx([1])
    assert tension.entropy(np.array([[0.0, 1.0, 0.0]])).tolist() == [0]
    assert tension.entropy(np.ones((1, 1))).tolist() == [0]


def test_volatility_adds_up_half_of_all_changes() -> None:
    up_and_down = 0.05 + 0.15 + 0.25 + 0.05 + 0.3
    assert volatility(oracle_of(*STORIES)) == pytest.approx([up_and_down, 0.2 + 0.2 + 0.1 + 0.26 + 0.04, 0.1 + 0.1])


def test_both_sides_of_the_self_check() -> None:
    found = self_check(oracle_of(BACK_AND_FORTH, PHOTO))
    steps = [0.05, 0.15, 0.25, 0.05, 0.3], [0.1, 0.2, 0.2, 0.1, 0.26, 0.04]
    # Each boat wins one of two races: the first step of the second race is from ½ to 0.4 and 0.6.
    assert found.changes == pytest.approx([2 * sum(step**2 for step in race) for race in steps])
    assert found.ends == pytest.approx([0.5, 0.5])


def test_figures_of_the_stories() -> None:
    found = evidence()
    assert (closeness(found)[0].value, closeness(found)[0].n) == (0.0, 2)
    assert (photo_finish(found)[0].value, photo_finish(found)[0].n) == (0.5, 2)
    assert lead_changes(found)[0].value == pytest.approx(0.25 / 3)
    assert comeback(found)[0].value == pytest.approx(1.0)
    assert [figure.label for figure in uncertainty(found)] == ["25 %", "50 %", "75 %", "mean"]
    changes, ends, difference, _ = oracle_check(found)
    assert difference.value == pytest.approx((changes.value or 0) - (ends.value or 0))
    assert (difference.low or 0) < (difference.value or 0)


def test_metrics_have_names_of_their_own_and_words_that_fit_a_page() -> None:
    rows = TENSION + CHOICES
    assert len({metric.name for metric in rows}) == len(rows)
    assert all(metric.sentence.endswith(".") and not metric.good.endswith(".") for metric in rows)
    assert {metric.number for metric in rows} == {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18}
