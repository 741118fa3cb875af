"""The metrics of circuits (27)."""

from rulekit.study import cars
from rulekit.study.metric import TRACK, Metric

CARS = (
    Metric(
        27, "dice-shares", "Colours picked", "share",
        "How often each colour of dice was picked.",
        "no colour near 0: all three have their use", TRACK, cars.dice_shares,
    ),
    Metric(
        27, "turns-a-lap", "Turns a lap", "turns",
        "The turns that a car which finished took for each lap, stops in the pit included.",
        "as many as the lap is meant to last", TRACK, cars.turns_a_lap,
    ),
    Metric(
        27, "overtakes", "Overtakes a lap", "a lap",
        "How many times a car passed another on the track, for each lap of the race.",
        "well above 0: the order changes", TRACK, cars.overtakes_a_lap,
    ),
    Metric(
        27, "flights", "Flights", "a race",
        "How many cars flew in a race, by curve and by the lane from which they flew.",
        "spread over the curves: none is deadly, none is idle", TRACK, cars.flights,
    ),
    Metric(
        27, "strikes", "Strikes", "a race",
        "How many cars ran into others at a dead end in a race.",
        "small beside the flights: curves decide, not the crowd", TRACK, cars.strikes,
    ),
    Metric(
        27, "blocked", "Blocked first steps", "a race",
        "How many cars had no first step in a race: on the track, at the cost of a point, or in the start box.",
        "small: cars can move", TRACK, cars.blocked,
    ),
    Metric(
        27, "damage", "Damage of a car", "a race",
        "The points of damage that a car took in a race.",
        "above 0, but mostly below the fourth that removes the car", TRACK, cars.damage_taken,
    ),
    Metric(
        27, "cars-lost", "Cars lost", "share",
        "How many of the cars were removed by damage.",
        "small: most cars see the finish", TRACK, cars.cars_lost,
    ),
    Metric(
        27, "pit-stops", "Pit stops of a car", "a race",
        "How many times a car stopped in the pit in a race.",
        "above 0 where the pit is meant to matter", TRACK, cars.pit_stops,
    ),
    Metric(
        27, "grid-places", "Places by line-up", "places",
        "The mean place at the end of the cars that started from each place of the line-up.",
        "rising slowly: the line-up counts, the race more", TRACK, cars.places_by_box,
    ),
    Metric(
        27, "grid-wins", "Wins by line-up", "share",
        "How often the car on each place of the line-up took the first place.",
        "near an equal share for all", TRACK, cars.wins_by_box,
    ),
    Metric(
        27, "pole", "Value of the pole", "places",
        "How many places better than the mean the car on the pole ended.",
        "above 0, but small", TRACK, cars.pole_value,
    ),
    Metric(
        27, "front", "Value of driving in front", "share",
        "How often the car in front at the quarters of a race took the first place.",
        "above an equal share, well below 1 early in the race", TRACK, cars.front_wins,
    ),
    Metric(
        27, "team-order", "Order within a team", "places",
        "The mean place of a player's best, middle and last car.",
        "apart: a player's cars race for different places", TRACK, cars.team_places,
    ),
    Metric(
        27, "begin", "Value of beginning", "places",
        "The mean place of the cars of the player who took the first turn, the second, and so on.",
        "alike: the order of turns favours nobody", TRACK, cars.turn_order,
    ),
    Metric(
        27, "race-turns", "Length in turns", "turns",
        "Turns of all players together in a race: the mean, and what 5, 50 and 95 % of races do not exceed.",
        "close together: a race lasts as long as it is meant to", TRACK, cars.race_turns,
    ),
    Metric(
        27, "race-minutes", "Length at the table", "minutes",
        "Minutes at the table, a turn of a player taking 30 seconds.",
        "what an evening has room for", TRACK, cars.race_minutes,
    ),
    Metric(
        27, "given-up", "Races given up", "share",
        "How many races went on beyond the limit of turns.",
        "0", TRACK, cars.given_up,
    ),
    Metric(
        27, "fuel", "Readings of fuel", "",
        "The same races without fuel, with one stop due, and with all fuel counted, side by side.",
        "longer races with more stops, hardly more cars lost", TRACK, cars.fuel_readings,
    ),
)  # fmt: skip
