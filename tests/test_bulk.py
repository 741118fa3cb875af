"""Compiled races against the rules engine and against the solver; counts that do not depend on how a run is parted."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from rulekit.errors import BadInput
from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.files.transcript import TurnLine
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.match import final_order
from rulekit.powerboats.race import Status
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.bulk import STATUSES, Contest, play, play_by_rules
from rulekit.simulate.rates import FIELDS, mean_bounds, places, points, run, tally, wilson
from rulekit.simulate.solved import solved
from rulekit.simulate.turn_log import turns_of
from rulekit.solve.passage import follow_policy

COURSE = settle(read_course(read_source("practice-a")).course)
PRACTICE = Waters(COURSE)
MIXED = ("solo", "racer", "lookahead", "solo")


Logged = list[tuple[int, tuple[int, ...], tuple[int, ...], int]]
"""Turns: seat, dice kept, dice as they lay after the throw, way."""


def contest(*policies: str, races: int = 1, seed: int = 1, cap: int = 500) -> Contest:
    return Contest((PRACTICE,) * races, policies, seed, cap=cap)


def compiled_turns(one: Contest, match: int) -> Logged:
    """The turns of a match's first race."""
    log, course = turns_of(one, 0, match, 1), solved(one.races[0])
    rows = zip(*(column.tolist() for column in (log.seat, log.entry, log.thrown, log.way)), strict=True)
    return [(seat, course.choice(entry).kept, course.hand(thrown), way) for seat, entry, thrown, way in rows]


def as_logged(lines: tuple[TurnLine, ...], facings: list[int]) -> Logged:
    """Turns of a transcript as the log tells them; `facings` are those that the boats started with."""
    found, now = [], list(facings)
    for line in lines:
        hand = as_hand((*line.kept, *line.rolled))
        found.append((line.seat, line.kept, hand, (line.facing - now[line.seat] + 1) % 6))
        now[line.seat] = line.facing
    return found


@pytest.mark.parametrize("match", [0, 1, 2])
def test_compiled_races_and_rules_write_the_same_transcript(match: int) -> None:
    one = contest(*MIXED, cap=60)
    race = one.game(match).transcript.races[0]
    facings = {line.seat: int(line.facing) for line in race.placed}
    turns = as_logged(race.turns, [facings[seat] for seat in range(4)])
    assert len(turns) > 20
    assert compiled_turns(one, match) == turns


@pytest.mark.parametrize(
    ("policies", "readings", "matches"),
    [
        (("solo",), "", 20),
        (("solo", "solo"), "", 10),
        (("racer", "solo", "solo", "solo"), "", 6),
        (("solo",) * 6, "last-boat=stops,reroll=one,carry=at-most-one,two-player-score=on", 6),
        (("solo", "racer", "solo"), "sink-at=2,faces=1/2/2/4,dice-max=3", 6),
    ],
)
def test_compiled_matches_end_as_by_the_rules(policies: tuple[str, ...], readings: str, matches: int) -> None:
    waters = Waters(COURSE, PowerboatsReadings.parse([readings] if readings else []))
    one = Contest((waters,) * 3, policies, 7, cap=80)
    fast, slow = play(one, 5, matches), play_by_rules(one, 5, matches)
    for name in ("status", "turns", "damaged", "played"):
        assert (getattr(fast, name) == getattr(slow, name)).all(), name
    assert (places(fast) == places(slow)).all()
    assert (points(one, fast, places(fast)) == points(one, slow, places(slow))).all()


def test_places_and_points_are_those_of_the_match_engine() -> None:
    for policies in (("random", "greedy"), ("greedy", "cautious", "random", "greedy")):
        one = Contest((PRACTICE,) * 3, policies, 3)
        for match in range(3):
            found, game = play_by_rules(one, match, 1), one.game(match)
            assert game.over
            where = places(found)
            won = points(one, found, where)
            for number, result in enumerate(game.match.results):
                assert (where[number, 0] == 2 * np.array(result.places)).all()
                assert (won[number, 0] == np.add(result.points, result.extra)).all()
            counts = tally(one, match, found).counts
            winner = final_order(game.match)[0]
            assert counts["match_win"].sum(axis=1).tolist() == [int(seat == winner) for seat in range(len(policies))]


def test_one_solo_boat_takes_the_turns_that_the_solver_says() -> None:
    """Mean within 4 standard errors, and the whole distribution by a chi-square test."""
    races = 40_000
    found, course = play(contest("solo"), 0, races), solved(PRACTICE)
    start = course.numbered.state(course.starts[int(np.argmin(course.start_costs(0)))])
    exact = follow_policy(course.policy, start)
    turns = found.turns[0, :, 0]
    deviation = turns.std() / np.sqrt(races)
    assert abs(turns.mean() - exact.turns) < 4 * deviation
    chances = (exact.finished + exact.sunk)[:60]
    counts = np.bincount(turns, minlength=chances.size + 1)[1 : chances.size + 1]
    expected = races * chances
    large = expected >= 8
    square = ((counts - expected)[large] ** 2 / expected[large]).sum()
    rest, rare = races - counts[large].sum(), races - expected[large].sum()
    square += (rest - rare) ** 2 / max(rare, 1.0)
    assert large.sum() > 8
    assert square < chi2.ppf(0.9999, large.sum())


def test_boats_that_would_hold_each_other_part() -> None:
    found = play(contest(*["solo"] * 4), 0, 3000)
    assert (found.status != STATUSES.index(Status.RACING)).all()


@pytest.mark.parametrize("policies", [("solo",) * 4, ("racer", "solo", "solo")])
def test_counts_do_not_depend_on_workers_and_chunks(policies: tuple[str, ...]) -> None:
    one = contest(*policies, races=2)
    whole = run(one, 100, size=100).tally
    for jobs, size in ((1, 7), (2, 7), (2, 33)):
        other = run(one, 100, jobs, size).tally
        assert (other.matches, other.capped, other.turns) == (whole.matches, whole.capped, whole.turns)
        assert all((other.counts[name] == whole.counts[name]).all() for name in FIELDS)


@pytest.mark.slow
def test_counts_of_games_by_the_rules_do_not_depend_on_processes() -> None:
    one = contest("greedy", "random", "cautious")
    whole, parted = run(one, 12, size=12).tally, run(one, 12, 2, 5).tally
    assert all((parted.counts[name] == whole.counts[name]).all() for name in FIELDS)


def test_policies_play_every_seat_equally_often() -> None:
    counts = run(contest("racer", "solo", "solo"), 30).tally.counts["races"]
    assert (counts == 10).all()
    fixed = replace(contest("racer", "solo", "solo"), rotate=False)
    assert (run(fixed, 30).tally.counts["races"] == 30 * np.eye(3)).all()


def test_other_seats_keep_their_dice_when_one_plays_otherwise() -> None:
    """Common random numbers: what a seat throws depends on its own draws only."""
    firsts = []
    for policies in (("solo",) * 3, ("solo", "racer", "racer")):
        lines = Contest((PRACTICE,), policies, 5, rotate=False).game(0).transcript.races[0].turns
        firsts.append([line.rolled for line in lines if line.seat == 0 and line.rolled][:1])
    assert firsts[0] == firsts[1]


def test_broken_off_runs_hold_what_was_done() -> None:
    def report(done: int, _asked: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    found = run(contest("solo", "solo"), 100, size=10, report=report)
    assert found.interrupted
    assert found.tally.matches == 20
    assert found.tally.counts["races"].sum() == 40


def test_turn_cap_gives_matches_up() -> None:
    found = run(contest("solo", "solo", races=3, cap=3), 10)
    assert found.tally.capped == 10
    assert found.tally.counts["races"].sum() == 20
    assert found.tally.counts["points"].sum() == 0
    assert found.tally.counts["place"].sum() == 20 * 3


@pytest.mark.parametrize("policies", [("solo",) * 5, ("greedy",) * 5])
def test_too_few_places_to_start_from_are_told_by_both_routes(policies: tuple[str, ...]) -> None:
    narrow = Waters(COURSE, PowerboatsReadings.parse(["behind=strip-only"]))
    full = Contest((narrow,), policies, 1)
    for see in (lambda: play(full, 0, 1), lambda: turns_of(full, 0, 0, 1), full.check):
        with pytest.raises(BadInput, match="4 hexes to start from, too few for 5 boats"):
            see()


def test_intervals() -> None:
    low, high = wilson(30, 100)
    assert (round(low, 4), round(high, 4)) == (0.2189, 0.3958)
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = mean_bounds(10, 30, 4)
    assert (round(low, 3), round(high, 3)) == (1.235, 3.765)


RACES = {"racer": 20_000, "lookahead": 1_000}


@pytest.mark.slow
@pytest.mark.parametrize("course", ["practice-a", "lagoon-a"])
@pytest.mark.parametrize("policy", ["racer", "lookahead"])
def test_beats_three_solo_boats(policy: str, course: str) -> None:
    waters = Waters(settle(read_course(read_source(course)).course))
    one = Contest((waters,), (policy, "solo", "solo", "solo"), 2)
    found = run(one, RACES[policy], 2).tally
    won, raced = (int(found.counts[name][:, 0].sum()) for name in ("win", "races"))
    assert wilson(won, raced)[0] > 0.25
