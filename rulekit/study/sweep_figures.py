"""The figures of a cell by their names, with what they tell; no solver is loaded for that."""

FIGURES: dict[str, str] = {
    "legal": "1 where the course can be raced, else 0",
    "code": "why it cannot: the code that `validate-course` gives too",
    "rule": "the rule that says so",
    "route": "steps of the shortest route",
    "chokes": "hexes that every route passes",
    "swept": "degrees that the string sweeps round all buoys together",
    "value": "turns plus sink cost × chance of sinking, from the best start",
    "turns": "expected turns of the best race (sinking counted at its cost where its chance is not worked out)",
    "start": "the best start: hex and facing",
    "start_fairness": "turns between the best and the worst hex to start from, each with its best facing",
    "strip_fairness": "the same among the hexes of the strip alone",
    "hurt": "chance of damage in the best race",
    "crashes": "moves with damage a race",
    "sink": "chance of sinking in the best race",
    "unsure": "chance that was not followed: crashes and sink are off by about as much at most",
    "fewest_turns": "turns that the best dice need, without damage",
    "seat_advantage": "how far the share of wins of a seat is from an even one, at most",
    "first_win": "share of races that the first policy of the line-up wins",
    "race_sink": "share of boats that sank in races",
    "race_turns": "mean turns of a boat in races",
    "capped": "share of races that were given up",
}
"""The columns of a cell's figures, with what they tell; those that a plan does not ask for are empty."""
