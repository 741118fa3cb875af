"""The metrics of a course alone: exact, for one boat that races as well as can be."""

from rulekit.study.metric import COURSE, Metric
from rulekit.study.skill import restricted_alone
from rulekit.study.water import (
    course_length,
    crash_map,
    crash_profile,
    damage_map,
    danger_map,
    finishing_turn,
    sink_map,
    start_lengths,
    start_range,
    visit_map,
)

ALONE = (
    Metric(
        17, "crash-profile", "Danger of the best race", "a race",
        "How likely the best race brings damage and sinks the boat, with its crashes and its damage.",
        "damage now and then, sinking hardly ever", COURSE, crash_profile,
    ),
    Metric(
        17, "crash-map", "Crashes by hex", "a race",
        "How many moves with damage end on each hex in the best race.",
        "spread over the course, not in one place", COURSE, crash_map,
    ),
    Metric(
        17, "damage-map", "Damage by hex", "a race",
        "How much damage the moves bring that end on each hex in the best race.",
        "spread over the course, not in one place", COURSE, damage_map,
    ),
    Metric(
        17, "sink-map", "Sinking by hex", "share",
        "How likely the best race sinks on each hex.",
        "near 0 everywhere", COURSE, sink_map,
    ),
    Metric(
        17, "danger-map", "Danger by hex", "share",
        "How likely a turn that begins on a hex brings damage.",
        "no hex from which damage is sure", COURSE, danger_map,
    ),
    Metric(
        19, "course-length", "Length of the course", "turns",
        "How many turns the best race takes on the mean, and with the best dice.",
        "what the table has time for", COURSE, course_length,
    ),
    Metric(
        19, "start-lengths", "Length by start", "turns",
        "How long the race is from each start hex with its best facing, sinking counted as many turns.",
        "alike: any start will do", COURSE, start_lengths,
    ),
    Metric(
        19, "start-range", "Range of the starts", "turns",
        "How much longer the race is from the worst start hex than from the best.",
        "below one turn: who places last is not lost", COURSE, start_range,
    ),
    Metric(
        19, "finishing-turn", "Finishing turn", "share",
        "How likely the best race finishes in each turn.",
        "some spread: dice matter, yet do not rule", COURSE, finishing_turn,
    ),
    Metric(
        20, "visit-map", "Visits by hex", "a race",
        "How many turns the best race begins on each hex.",
        "more than one line through the course", COURSE, visit_map,
    ),
    Metric(
        22, "restricted-alone", "Worth of a feature alone", "turns",
        "How many turns a boat alone loses when it goes without a feature.",
        "above 0: near 0 the rule does nothing", COURSE, restricted_alone,
    ),
)  # fmt: skip
"""Exact metrics of a course."""
