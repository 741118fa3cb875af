"""The verdict in words: what it says of figures that are known beforehand."""

from dataclasses import replace
from typing import cast

import pytest

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.report import lake_words, words_course, words_races
from rulekit.report.apart import Apart
from rulekit.report.known import Known
from rulekit.report.measured import Measured, measure, method_of
from rulekit.report.parts import Row
from rulekit.report.sections import metric_sections
from rulekit.report.words import advice, statements
from rulekit.simulate.bulk import Contest
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure, exact
from rulekit.study.metric import COURSE, RACES, Metric
from rulekit.study.metrics import METRICS
from rulekit.study.tension_figures import TO_WIN


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Races of four boats on a small course; none is played before it is asked for."""
    waters = Waters(settle(read_course(read_source("practice-a")).course))
    return Evidence(Contest((waters,), ("solo",) * 4, 1), 200)


def known(evidence: Evidence, **figures: list[Figure]) -> Known:
    """What the words are made from, with figures of metrics by their names (_ for -)."""
    named = {name.replace("_", "-"): found for name, found in figures.items()}
    return Known({name: Measured(METRICS[name], found) for name, found in named.items()}, evidence, evidence.solved)


def seats(*differences: float, half: float = 0.02) -> list[Figure]:
    return [
        Figure(value, value - half, value + half, 2000, f"seat {seat}") for seat, value in enumerate(differences, 1)
    ]


def test_a_seat_at_a_disadvantage_is_named_with_its_size(evidence: Evidence) -> None:
    told = words_races.seats(known(evidence, seat_advantage=seats(0.0, 0.01, -0.06, 0.05)))
    assert told is not None
    assert told.level == "alert"
    assert told.answer == (
        "Yes: seat 3 wins 6.0 races in a hundred fewer than its share; seat 4 wins 5.0 races in a hundred more than "
        "its share."
    )
    assert "seat 3 19.0 % (17.0 % to 21.0 %)" in told.detail
    assert "2,000 races" in told.detail


@pytest.mark.parametrize(
    ("differences", "named"),
    [((-0.066, 0.081, -0.074, 0.059), "Seat 3 wins 7.4"), ((0.0, 0.07, 0.0, 0.09), "Seat 4 wins 9.0")],
)
def test_advice_is_about_the_seat_that_is_worst_off(
    evidence: Evidence, differences: tuple[float, ...], named: str
) -> None:
    assert next(advice(known(evidence, seat_advantage=seats(*differences)))).startswith(named)


def test_no_difference_seen_is_said_with_what_could_have_been_missed(evidence: Evidence) -> None:
    told = words_races.seats(known(evidence, seat_advantage=seats(0.01, -0.01, 0.0, 0.0)))
    assert told is not None
    assert (told.level, told.answer) == (
        "fine", "No difference seen; one of more than 2.0 wins in a hundred would have shown.",
    )  # fmt: skip
    few = words_races.seats(known(evidence, seat_advantage=seats(0.01, -0.01, half=0.2)))
    assert few is not None
    assert few.level == "unknown"


def test_a_small_sure_difference_is_to_be_looked_at(evidence: Evidence) -> None:
    told = words_races.seats(known(evidence, seat_advantage=seats(0.025, -0.025, 0.0, 0.0)))
    assert told is not None
    assert told.level == "watch"
    assert not [line for line in advice(known(evidence, seat_advantage=seats(0.025, -0.025))) if "seat" in line]


@pytest.mark.parametrize(
    ("share", "level", "word"), [(1.0, "fine", "never"), (0.8, "fine", "No"), (0.55, "watch", "no mistake"),
                                 (0.3, "alert", "Yes")],
)  # fmt: skip
def test_caution_is_judged_by_its_duels(evidence: Evidence, share: float, level: str, word: str) -> None:
    duel = Figure(share, share - 0.1, min(1.0, share + 0.1), 60, "solo over cautious")
    told = words_races.caution(known(evidence, skill_ladder=[duel], safety_premium=[exact(1.5)]))
    assert told is not None
    assert (told.level, word in told.answer) == (level, True)
    assert "60 races" in told.detail
    assert "1.50 turns" in told.detail


def test_races_decided_early_raise_an_alarm_and_advice(evidence: Evidence) -> None:
    early = known(evidence, left_when_decided=[Figure(0.7, 0.68, 0.72, 2000, TO_WIN)])
    late = known(evidence, left_when_decided=[Figure(0.2, 0.18, 0.22, 2000, TO_WIN)])
    levels = [told.level for one in (early, late) if (told := words_races.decided(one))]
    assert levels == ["alert", "fine"]
    assert any("70.0 %" in line for line in advice(early))
    assert not any("to go" in line for line in advice(late))


def test_a_rule_that_does_nothing_is_named(evidence: Evidence) -> None:
    figures = [Figure(0.3, 0.2, 0.4, 500, "no re-roll"), Figure(0.01, -0.05, 0.07, 500, "at most 4 dice")]
    lines = [line for line in advice(known(evidence, restricted_play=figures)) if "no difference seen" in line]
    assert len(lines) == 1
    assert "at most 4 dice" in lines[0]
    assert "no re-roll" not in lines[0]


def test_danger_names_the_hexes_of_the_exact_solution(evidence: Evidence) -> None:
    course = evidence.solved[0]
    crashes = dict(zip(course.numbered.hexes, course.best.passage.crashes, strict=True))
    worst = words_course.worst_hexes(course, 2)
    assert [count for _, count in worst] == sorted(map(float, crashes.values()), reverse=True)[:2]
    told = words_course.danger(known(evidence))
    assert told is not None
    assert told.answer.startswith(worst[0][0])
    assert any("`rulekit solve COURSE --plot" in line for line in advice(known(evidence)))
    assert told.detail.startswith("A turn crashes most often when begun on L7 (57.3 %), ")
    twice = words_course.danger(replace(known(evidence), solved=(course, course)))
    assert twice is not None
    assert twice.detail.count("A turn crashes") == 1
    assert twice.detail.count(" on Practice pond, race A") == 2
    calm = replace(course.best.passage, crashes=0 * course.best.passage.crashes)
    quiet = replace(course, best=replace(course.best, passage=calm))
    none = words_course.danger(replace(known(evidence), solved=(quiet,)))
    assert none is not None
    assert (none.level, none.answer) == ("fine", "None: at the best play nobody is ever damaged.")


def test_what_is_not_known_is_not_said(evidence: Evidence) -> None:
    asked = [told.question for told in statements(known(evidence))]
    assert asked == ["Is there a good start for every boat?", "Which hexes are dangerous?"]


def test_a_new_metric_stands_on_the_page_by_itself(evidence: Evidence) -> None:
    figures = [Figure(0.5, 0.4, 0.6, 10, label) for label in ("a", "b", "c")]
    one = Metric(77, "fun", "Fun", "share", "How much fun it is.", "much", RACES, lambda _: figures)
    other = Metric(78, "none", "None", "", "Nothing.", "nothing", COURSE, lambda _: [])
    measured = measure(evidence, {"fun": one, "none": other}, (RACES,))
    assert [found.metric.name for found in measured] == ["fun"]
    (section,) = metric_sections(measured)
    assert section.title == "Further figures"
    assert [block.name for block in section.blocks] == ["fun", "further-figures"]
    assert method_of(measured[0]).sentence == "How much fun it is."


def test_every_metric_has_a_place(evidence: Evidence) -> None:
    figures = [Figure(0.5, 0.4, 0.6, 10, str(k)) for k in range(20)]
    measured = [Measured(metric, figures) for metric in METRICS.values()]
    titles = [section.title for section in metric_sections(measured)]
    assert "Further figures" not in titles
    blocks = [block.name for section in metric_sections(measured) for block in section.blocks]
    assert set(METRICS) <= set(blocks)
    assert len(blocks) == len(set(blocks))


def course_row(name: str, turns: float, fourth: float = 0.2, sink: float = 0.0, crashes: float = 0.5) -> Row:
    return {
        "course": name, "letter": name[0], "turns": turns, "fourth": fourth, "sink": sink, "crashes": crashes,
        "start_range": fourth + 1, "start": "A1",
    }  # fmt: skip


def test_courses_that_stand_out_are_named() -> None:
    rows = [course_row("A1", 10), course_row("A2", 10.5), course_row("A3", 14), course_row("B1", 20)]
    assert [row["course"] for row in lake_words.unlike(rows)] == ["A3"]
    rows += [course_row("A4", 10, fourth=1.4), course_row("A5", 10, fourth=2.5, sink=0.1)]
    told = {one.question: one for one in lake_words.statements(rows)}
    starts = told["Are the starts fair?"]
    assert (starts.level, starts.answer.startswith("Not on A5, A4:")) == ("alert", True)
    assert told["Can every course be raced without sinking?"].answer == "Not on A5."
    lines = list(lake_words.advice(rows))
    assert "A5, A4" in lines[0]
    assert "A3" in lines[1]


def test_a_lake_without_faults_is_told_so() -> None:
    rows = [course_row("A1", 10), course_row("A2", 10.5)]
    told = list(lake_words.statements(rows))
    assert [one.level for one in told[:3]] == ["fine", "fine", "fine"]
    assert list(lake_words.advice(rows)) == []
    (words,) = lake_words.summary(rows, "", 2)
    assert words.startswith("A best race takes 10.0 to 10.5 turns, 10.2 on average; 2 orders")


def test_a_metric_whose_process_is_lost_is_worked_out_here(evidence: Evidence) -> None:
    class Lost:
        def outcome(self) -> None:
            return None

    metric = METRICS["crash-profile"]
    (found,) = measure(evidence, {metric.name: metric}, (COURSE,), apart={metric.name: cast(Apart, Lost())})
    assert found.figures == tuple(metric.compute(evidence))
