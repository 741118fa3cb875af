"""Boat-turns and car-moves a second: compiled races, our rules engine, games of other programs, all in this run.

Other games are other work: a turn of backgammon (two dice, moves listed, one drawn) in OpenSpiel and a ply of connect
four in PettingZoo are the nearest that each has, both played at random by their own loop. The time is that of one core.
"""

import random
from collections.abc import Callable
from time import process_time

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.ps.terms import Terms
from rulekit.readings import PsReadings
from rulekit.simulate.bulk import Contest, play, play_by_rules
from rulekit.simulate.car_bulk import CarContest, play_cars
from rulekit.simulate.car_bulk import play_by_rules as play_cars_by_rules

from .measure import Ratio

COURSE, TRACK = "lagoon-a", "orchard"
RACES, CAR_RACES = 40_000, 100
SECONDS = 3.0


def rate(work: Callable[[], int]) -> float:
    """Turns a second of processor time, best of three."""
    return max(_rate(work) for _ in range(3))


def _rate(work: Callable[[], int]) -> float:
    began, turns = process_time(), 0
    while turns == 0 or process_time() - began < SECONDS / 3:
        turns += work()
    return turns / (process_time() - began)


def boats(policy: str, races: int, *, by_rules: bool = False) -> Callable[[], int]:
    """Races of four boats under one policy."""
    waters = Waters(settle(read_course(read_source(COURSE)).course))
    contest = Contest((waters,), (policy,) * 4, 1)
    way = play_by_rules if by_rules else play
    way(contest, 0, 1)
    return lambda: int(way(contest, 0, races).turns.sum())


def cars(policy: str, races: int, *, by_rules: bool = False) -> Callable[[], int]:
    """Races of four players with three cars each under one policy, with full fuel."""
    track = read_track(read_source(TRACK)).track
    contest = CarContest(Terms(track, PsReadings.parse(["fuel=full"]), track.laps), (policy,) * 4, 1)
    way = play_cars_by_rules if by_rules else play_cars
    if not by_rules:
        way(contest, 0, 1)
    return lambda: int(way(contest, 0, races).moves.sum())


def backgammon() -> Callable[[], int]:
    """Turns of backgammon in OpenSpiel, choices and dice at random."""
    import pyspiel

    game, rng = pyspiel.load_game("backgammon"), random.Random(1)

    def work() -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                turns += 1
        return turns

    return work


def connect_four() -> Callable[[], int]:
    """Plies of connect four in PettingZoo, at random."""
    from pettingzoo.classic import connect_four_v3

    env, rng = connect_four_v3.env(), random.Random(1)

    def work() -> int:
        env.reset(seed=1)
        turns = 0
        for _ in env.agent_iter():
            observation, _reward, over, cut, _info = env.last()
            action = None if over or cut else rng.choice(observation["action_mask"].nonzero()[0])
            env.step(action)
            turns += action is not None
        return turns

    return work


OTHERS = {
    "a turn of backgammon in OpenSpiel, at random": backgammon,
    "a ply of connect four in PettingZoo, at random": connect_four,
}


def main() -> list[Ratio]:
    """Times of one turn: four `solo` boats compiled, against each other way."""
    ours = rate(boats("solo", RACES))
    print(f"{ours / 1e6:.2f} million boat-turns a second, four solo boats on {COURSE}, compiled")
    rows = [("the rules engine, solo", rate(boats("solo", 2, by_rules=True))),
            ("the rules engine, random", rate(boats("random", 2, by_rules=True)))]  # fmt: skip
    for name, make in OTHERS.items():
        try:
            rows.append((name, rate(make())))
        except ImportError as missing:
            print(f"left out, {missing}: {name}")
    for name, speed in rows:
        print(f"{speed:,.0f} turns a second: {name}")
    return [Ratio("a boat's turn, compiled", name, 1 / ours, 1 / speed) for name, speed in rows] + car_ratios()


def car_ratios() -> list[Ratio]:
    """Times of one car's move: policies compiled, against the rules engine."""
    found = []
    for policy in ("solo", "random"):
        ours, theirs = rate(cars(policy, CAR_RACES)), rate(cars(policy, 1, by_rules=True))
        print(
            f"{ours:,.0f} car-moves a second, twelve cars of {policy} on {TRACK}, compiled; {theirs:,.0f} by the rules"
        )
        found.append(Ratio(f"a car's move, {policy}, compiled", "the rules engine", 1 / ours, 1 / theirs))
    return found
