"""The metrics of tension, luck and choice (7-16, 18)."""

from rulekit.study import choice_figures as choices
from rulekit.study import tension_figures as tension
from rulekit.study.metric import COURSE, RACES, Metric

TENSION = (
    Metric(
        7, "closeness", "Closeness", "turns",
        "The turns that the second still had before it when the winner's round was over, in half of the races at most.",
        "small: races are open to the line", RACES, tension.closeness,
    ),
    Metric(
        7, "photo-finish", "Photo finishes", "share",
        "How often the second finishes in the same round as the winner.",
        "often, but not always", RACES, tension.photo_finish,
    ),
    Metric(
        8, "lead-changes", "Lead changes", "a round",
        "How often another boat takes the lead, told by the turns that each still has before it.",
        "well above 0: the first leader does not keep the lead", RACES, tension.lead_changes,
    ),
    Metric(
        9, "drama", "Drama", "share",
        "How far the later winner's chance lay below the favourite's, in the mean of all rounds.",
        "above 0: winners come from behind", RACES, tension.drama,
    ),
    Metric(
        9, "behind", "Winner behind", "share",
        "In how many of the rounds the later winner was not the favourite.",
        "neither near 0 (decided at once) nor near 1 (decided by the last throw)", RACES, tension.behind,
    ),
    Metric(
        10, "comeback", "Comeback", "",
        "The winner's lowest chance, as a multiple of an equal share: 1 means that it was never worse off.",
        "well below 1: whoever falls behind can still win", RACES, tension.comeback,
    ),
    Metric(
        11, "decided-at", "Decided at", "rounds",
        "The round from which on the winner stayed the favourite.",
        "late in the race", RACES, tension.decided_at,
    ),
    Metric(
        11, "left-when-decided", "Left when decided", "share",
        "How much of the race was still to come when the winner had become the favourite for good.",
        "small", RACES, tension.left_then,
    ),
    Metric(
        11, "dead-time", "Dead time", "share",
        "In how many of the rounds one boat had as good as won: a chance above 95 %.",
        "small before the winner is home", RACES, tension.dead_time,
    ),
    Metric(
        12, "uncertainty", "Uncertainty", "",
        "How open the race is at its quarters: 1 where all boats have the same chance, 0 where one has won.",
        "high at 25 and 50 %, lower at 75 %", RACES, tension.uncertainty,
    ),
    Metric(
        13, "volatility", "Volatility", "",
        "How much of the win changes hands in a race: 1 would be from one boat to another once.",
        "above 1: chances go up and down", RACES, tension.volatility_figures,
    ),
    Metric(
        13, "oracle-check", "Self-check of the chances", "",
        "Both sides are equal where the chances are right; boats in each other's way are minded for a few turns only.",
        "a difference near 0", RACES, tension.oracle_check,
    ),
    Metric(
        14, "luck-in-turns", "Luck and decision in turns", "turns",
        "What a boat's choices of dice, its dice, its directions and the boats in its way win it, against the solo "
        "optimum's mean.",
        "dice that matter less than what is decided, for boats that do not play the optimum", RACES,
        tension.luck_in_turns,
    ),
    Metric(
        14, "luck-in-wins", "Luck and decision in chances", "share",
        "The same in chances to win, with what the others' turns change.",
        "see luck and decision in turns", RACES, tension.luck_in_wins,
    ),
)  # fmt: skip
"""Metrics of chances to win, turn by turn."""

CHOICES = (
    Metric(
        15, "choice-turns", "Turns with a choice", "share",
        "How often dice choices differ in what they can lead to.",
        "near 1", RACES, choices.choice_turns,
    ),
    Metric(
        15, "choices-a-turn", "Choices a turn", "a turn",
        "Dice choices that differ, and those that no other beats in both expected turns and risk of a crash.",
        "more than 1 that none beats: speed against safety", RACES, choices.choice_count,
    ),
    Metric(
        15, "choice-spread", "Price of the second best", "turns",
        "What the second best dice choice costs.",
        "small enough that a mistake is no disaster, large enough to matter", RACES, choices.choice_spread,
    ),
    Metric(
        16, "forced-turns", "Forced turns", "share",
        "How often there is but one direction to take.",
        "small", RACES, choices.forced_turns,
    ),
    Metric(
        16, "forced-risk", "Forced risk", "share",
        "How often every dice choice can end in a crash.",
        "small", RACES, choices.forced_risk,
    ),
    Metric(
        18, "safety-premium", "Price of safety", "turns",
        "How many turns the safest race takes longer than the fastest that does not sink on purpose.",
        "above 0: pressing one's luck wins time", COURSE, choices.premium,
    ),
    Metric(
        18, "risk-front", "Turns against risk", "turns",
        "The best races between the fastest and the safest: the turns they take, and how often they sink.",
        "several points: there is something to weigh", COURSE, choices.front_figures,
    ),
)  # fmt: skip
"""Metrics of the choices that boats have."""
