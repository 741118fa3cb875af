"""The list of metrics: complete, in plain words, in known units; all of them told of a course and of a match."""

import re
from collections.abc import Sequence

import pytest
from made_up import case
from made_up_races import practice

from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest
from rulekit.study import skill
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure
from rulekit.study.metrics import KINDS, METRICS, UNITS, Metric
from rulekit.study.seats import seat_advantage

EVERY = list(METRICS.values())
BOATS = [metric for metric in EVERY if metric.of != "track"]

NO_INTERVAL = {"seat-test", "water-used"}
"""A p-value is none that has one; a share that grows with the number of races tells of these races alone."""


def test_numbers_are_all_there() -> None:
    assert {metric.number for metric in EVERY} == set(range(1, 28))


@pytest.mark.parametrize("metric", EVERY, ids=lambda metric: metric.name)
def test_words(metric: Metric) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", metric.name)
    assert METRICS[metric.name] is metric
    assert re.fullmatch(r"[A-Z][^.!?]*(\.[^.!?\s]+[^.!?]*)*\.", metric.sentence), "one sentence"
    assert metric.good
    assert not metric.good.endswith(".")
    assert metric.title[0].isupper()
    assert metric.unit in UNITS
    assert metric.of in KINDS


def test_titles_are_told_apart() -> None:
    for told in ([m.title for m in EVERY if m.of == "track"], [m.title for m in BOATS]):
        assert len(set(told)) == len(told)


@pytest.fixture(scope="module")
def match() -> Evidence:
    waters = practice(dice_max=2, sink_at=2)
    other = Waters(settle(case("tiny-0.toml"), waters.readings), waters.readings)
    return Evidence(Contest((waters, other), ("solo",) * 2, 3), 40)


def check(metric: Metric, figures: Sequence[Figure]) -> None:
    assert figures or metric.name.endswith("-map")
    told = [(figure.label, figure.note) for figure in figures]
    assert len(set(told)) == len(told)
    for figure in figures:
        if figure.value is None:
            assert figure.n == 0
        elif figure.exact:
            assert figure.low == figure.value == figure.high
        elif metric.name not in NO_INTERVAL:
            assert figure.n is not None
            assert figure.low is not None
            assert figure.high is not None
            assert figure.low <= figure.value <= figure.high
            assert figure.n > 0


@pytest.mark.slow
@pytest.mark.parametrize("metric", BOATS, ids=lambda metric: metric.name)
def test_every_figure_has_its_number_of_cases_and_an_interval(
    metric: Metric, match: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skill, "MIDDLING", 4)
    monkeypatch.setattr(skill, "SLOW", 2)
    check(metric, metric.compute(match))


def test_figures_are_the_same_whatever_the_jobs(match: Evidence) -> None:
    again = Evidence(match.contest, match.races, jobs=2)
    for name in ("seat-advantage", "duration", "top-hexes", "balance"):
        assert METRICS[name].compute(again) == METRICS[name].compute(match)
    assert seat_advantage(again)
