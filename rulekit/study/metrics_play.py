"""The metrics of seats, endings, skill, speed and boats in each other's way, and those of matches."""

from rulekit.study.endings import (
    cap_rate,
    completion,
    duration,
    duration_variation,
    idle_rounds,
    points_by_sinking,
    sink_rate,
)
from rulekit.study.metric import MATCH, RACES, Metric
from rulekit.study.seats import balance, seat_advantage, seat_concordance, seat_effect, seat_test
from rulekit.study.skill import restricted_play, skill_ladder, superiority
from rulekit.study.snowball import leader_at_half, match_decided, match_leader, order_kept
from rulekit.study.speed import speed, speed_crashes, speed_wins
from rulekit.study.traffic import blocked_ends, fall_backs, top_hexes, turns_given_away, visits_gini, water_used

PLAY = (
    Metric(
        1, "seat-advantage", "Seat advantage", "share",
        "Each seat's share of wins above an equal share, the seats counted in the order of turns.",
        "near 0: no seat is favoured", RACES, seat_advantage,
    ),
    Metric(
        1, "seat-test", "Test of equal seats", "",
        "How likely chance alone would make the seats as unequal as this, or more.",
        "above 0.05: chance may have done it", RACES, seat_test,
    ),
    Metric(
        1, "seat-effect", "Effect of the seat", "",
        "How unequal the seats are in one number, Cohen's w.",
        "below 0.1: hardly any effect", RACES, seat_effect,
    ),
    Metric(
        2, "balance", "Balance", "share",
        "One less the greatest difference between two seats' shares of wins.",
        "within the band of a fair game", RACES, balance,
    ),
    Metric(
        3, "seat-concordance", "Seat concordance", "",
        "How far the seat decides the order at the end: 0 not at all, 1 alone.",
        "near 0: the order is open", RACES, seat_concordance,
    ),
    Metric(
        4, "superiority", "Superiority", "share",
        "How often a boat of one policy ends ahead of a boat of another, ties counted by half.",
        "far from a half: playing well pays", RACES, superiority,
    ),
    Metric(
        5, "completion", "Completion", "share",
        "The share of boats that finish.",
        "near 1, or the race is a matter of survival", RACES, completion,
    ),
    Metric(
        5, "sink-rate", "Boats sunk", "share",
        "The share of boats that sink.",
        "small, yet not nothing: danger should be felt", RACES, sink_rate,
    ),
    Metric(
        5, "cap-rate", "Races given up", "share",
        "The share of races in which a boat took as many turns as were allowed.",
        "0: every race comes to an end", RACES, cap_rate,
    ),
    Metric(
        6, "duration", "Duration", "rounds",
        "How many rounds a race takes.",
        "what the table has time for", RACES, duration,
    ),
    Metric(
        6, "duration-variation", "Variation of the duration", "",
        "The standard deviation of the rounds as a share of their mean.",
        "small: the evening can be planned", RACES, duration_variation,
    ),
    Metric(
        20, "water-used", "Water used", "share",
        "The share of the water on which a boat ever ended a turn.",
        "large: no part of the board is for show", RACES, water_used,
    ),
    Metric(
        20, "visits-gini", "Concentration of visits", "",
        "How unevenly turns end over the water: 0 everywhere alike, near 1 all in one place.",
        "not near 1: there is more than one line", RACES, visits_gini,
    ),
    Metric(
        20, "top-hexes", "Busiest hexes", "share",
        "The hexes on which most turns end, with their shares of all of them.",
        "small shares: no narrow place that all must use", RACES, top_hexes,
    ),
    Metric(
        20, "blocked-ends", "Moves that fall back", "share",
        "The share of moves whose last hex was taken, so that the boat stopped behind another.",
        "some: boats should meet", RACES, blocked_ends,
    ),
    Metric(
        21, "order-kept", "Order kept to the end", "",
        "How well the order after part of a race tells the one at the end: 0 not at all, 1 wholly.",
        "well below 1 at half: places still change", RACES, order_kept,
    ),
    Metric(
        21, "leader-at-half", "Leader at half", "share",
        "How much more often than by chance the leader at half of the race wins.",
        "above 0, yet well below all of it", RACES, leader_at_half,
    ),
    Metric(
        21, "match-leader", "Leader of the match", "share",
        "How much more often than by chance the leader after a race wins the match.",
        "well below all of it: the last race matters", MATCH, match_leader,
    ),
    Metric(
        21, "match-decided", "Decided before the last race", "share",
        "The share of matches that nobody could lose any more before the last race.",
        "near 0: the last race is worth racing", MATCH, match_decided,
    ),
    Metric(
        22, "restricted-play", "Worth of a feature", "share",
        "The share of wins of boats that use the whole game, less that of as many that go without a feature.",
        "above 0: near 0 the rule does nothing", RACES, restricted_play,
    ),
    Metric(
        23, "skill-ladder", "Skill ladder", "share",
        "How often each policy ends ahead of a simpler one on this course.",
        "above a half: skill pays at every step", RACES, skill_ladder,
    ),
    Metric(
        24, "speed", "Speed", "hexes",
        "The mean total of the dice in a turn, by policy.",
        "what feels like racing", RACES, speed,
    ),
    Metric(
        24, "speed-wins", "Wins by speed", "share",
        "The share of races won by slow and by fast boats.",
        "rising: speed wins, yet not always", RACES, speed_wins,
    ),
    Metric(
        24, "speed-crashes", "Crashes by speed", "share",
        "The share of turns with a crash, of slow and of fast boats.",
        "rising: speed has its price", RACES, speed_crashes,
    ),
    Metric(
        25, "fall-backs", "Boats in the way", "a race",
        "How many moves of a race end behind another boat, by number of players.",
        "some, and not so many that races turn into queues", RACES, fall_backs,
    ),
    Metric(
        25, "turns-given-away", "Turns given away behind boats", "turns",
        "How many turns all boats of a race together lose by falling back, by number of players.",
        "small beside the race: others matter, luck does not rule", RACES, turns_given_away,
    ),
    Metric(
        26, "idle-rounds", "Rounds sat out", "rounds",
        "How many rounds players whose boats have sunk sit out until the race is over.",
        "few: nobody only watches", RACES, idle_rounds,
    ),
    Metric(
        26, "points-by-sinking", "Points won over sunk boats", "share",
        "The share of all points that boats get because others have sunk behind them.",
        "small: racing decides", RACES, points_by_sinking,
    ),
)  # fmt: skip
"""Metrics of played races."""
