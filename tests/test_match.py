"""Matches: golden examples 8 and 9, a test a rule from PB-24 to PB-27, whole matches against their transcripts."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import course_on, lake_from

from rulekit.errors import BadInput
from rulekit.files.course import read_course
from rulekit.files.source import Source, read_source
from rulekit.files.transcript import SeatLine, Transcript
from rulekit.files.transcript_read import read_transcript
from rulekit.files.transcript_write import transcript_text
from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.match import Match, Result, damage_left, final_order, new_match, next_race, record, score
from rulekit.powerboats.race import Entry, Race, Status
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.game import Game
from rulekit.simulate.policies import POLICIES
from rulekit.simulate.referee import replay
from rulekit.simulate.table import capped, play_match

POND = course_on(
    lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 8) for row in range(7))),
    "A4", "E", [("G2", "left")], strip=2,
)  # fmt: skip
"""A small open lake."""


def waters(*readings: str) -> Waters:
    return Waters(settle(POND), PowerboatsReadings.parse(readings))


def ended(lake: Waters, *seats: tuple[str, int, int], before: tuple[int, ...] = ()) -> Race:
    """A race that is over: for each seat how it ended, its turns and the damage that it took, in the order in which
    they left."""
    entries = [
        Entry(Status(status), Boat(Hex(0, 0), Facing.E, (), 1, (before[k] if before else 0) + damage),
              before[k] if before else 0, turns, k)
        for k, (status, turns, damage) in enumerate(seats)
    ]  # fmt: skip
    return Race(lake, 0, tuple(entries), None)


def in_order(lake: Waters, seats: int) -> Race:
    """A race in which the seats finish one after the other."""
    return ended(lake, *[("finished", 10 + k, 0) for k in range(seats)])


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_pb_25_points_of_each_race(seats: int) -> None:
    lake = waters("two-player-score=off")
    for number in (1, 2, 3):
        points = score(in_order(lake, seats), number).points
        assert points == tuple(number * (seats - place) for place in range(1, seats + 1))


def test_golden_8_five_players() -> None:
    points = [score(in_order(waters(), 5), number).points for number in (1, 2, 3)]
    assert points == [(4, 3, 2, 1, 0), (8, 6, 4, 2, 0), (12, 9, 6, 3, 0)]


def test_pb_25_sunk_boats_get_nothing_whatever_their_place() -> None:
    race = ended(waters(), ("sunk", 5, 4), ("finished", 12, 0), ("sunk", 7, 4), ("finished", 13, 1))
    result = score(race, 3)
    assert result.places == (4, 1, 3, 2)
    assert result.points == (0, 9, 0, 6)


def test_pb_25_a_boat_that_sank_after_finishing_keeps_its_points() -> None:
    assert score(ended(waters(), ("finished", 5, 4), ("finished", 12, 0), ("sunk", 7, 4)), 2).points == (4, 2, 0)


def played(match: Match, *races: tuple[tuple[str, int, int], ...]) -> Match:
    """The match after races that ended so."""
    for seats in races:
        match = record(match, ended(match.races[0], *seats, before=damage_left(match)))
    return match


CLEAN, HIT, SANK = ("finished", 9, 0), ("finished", 9, 1), ("sunk", 9, 4)


def test_golden_9_and_pb_24_damage_after_repair() -> None:
    match = new_match([waters()] * 3, 4)
    assert damage_left(match) == (0, 0, 0, 0)
    twice = ("finished", 9, 2)
    match = played(match, (twice, HIT, CLEAN, SANK))
    assert damage_left(match) == (1, 1, 0, 1)
    match = played(match, (CLEAN, HIT, HIT, SANK))
    assert damage_left(match) == (1, 2, 1, 2)
    assert [entry.damage for entry in next_race(match).entries] == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("carry", "left"), [("damaged-races", (2, 1, 0)), ("at-most-one", (1, 1, 0)), ("none", (0, 0, 0))]
)
def test_pb_24_witness_carry(carry: str, left: tuple[int, ...]) -> None:
    match = played(new_match([waters(f"carry={carry}")] * 3, 3), (HIT, HIT, CLEAN), (HIT, CLEAN, CLEAN))
    assert damage_left(match) == left


def test_pb_24_no_boat_starts_sunk() -> None:
    match = played(new_match([waters("sink-at=2")] * 3, 2), (HIT, CLEAN), (HIT, CLEAN))
    assert damage_left(match) == (1, 0)


def test_pb_24_damage_carried_over_is_not_damage_taken() -> None:
    match = played(new_match([waters()] * 3, 2), (HIT, CLEAN), (CLEAN, CLEAN))
    assert match.results[1].damaged == (False, False)


def test_pb_14_the_start_player_moves_on_to_the_left() -> None:
    match = new_match([waters()] * 4, 3, start_player=1)
    starters = []
    while not match.over:
        starters.append(next_race(match).start_player)
        match = record(match, in_order(waters(), 3))
    assert starters == [1, 2, 0, 1]


def test_pb_26_equal_points_go_to_the_better_place_in_the_last_race() -> None:
    def result(points: tuple[int, ...], places: tuple[int, ...]) -> Result:
        nothing = (0,) * 3
        return Result(places, points, nothing, (Status.FINISHED,) * 3, nothing, (False,) * 3)

    match = new_match([waters()] * 2, 3)
    match = replace(match, results=(result((4, 3, 0), (1, 2, 3)), result((2, 3, 5), (3, 2, 1))))
    assert match.points == (6, 6, 5)
    assert final_order(match) == (1, 0, 2)


@pytest.mark.parametrize(
    ("reading", "seats", "scored"),
    [("auto", 2, True), ("auto", 3, False), ("on", 2, True), ("on", 3, True), ("off", 2, False), ("off", 3, False)],
)
def test_pb_27_witness_two_player_score(reading: str, seats: int, scored: bool) -> None:
    race = in_order(waters(f"two-player-score={reading}"), seats)
    extra = score(race, 1).extra
    assert extra == (tuple(range(seats - 1, -1, -1)) if scored else (0,) * seats)


def test_pb_27_turns_ahead_and_sunk_boats() -> None:
    lake = waters("two-player-score=on")
    race = ended(lake, ("finished", 8, 0), ("finished", 11, 4), ("sunk", 3, 4), ("sunk", 5, 4))
    assert score(race, 1).extra == (3 + 10, 10, 0, 0)
    assert score(ended(lake, SANK, SANK), 1).extra == (0, 0)


def test_pb_27_counts_in_the_match_not_in_the_places() -> None:
    match = record(new_match([waters()], 2), ended(waters(), ("finished", 4, 0), ("finished", 9, 0)))
    assert match.results[0].points == (1, 0)
    assert match.points == (6, 0)


def test_a_match_needs_courses_under_one_set_of_readings() -> None:
    with pytest.raises(BadInput, match="at least one course"):
        new_match([], 2)
    with pytest.raises(BadInput, match="same readings"):
        new_match([waters(), waters("carry=none")], 2)


# Whole matches, played by policies


def head_of(courses: int, seats: int, starter: int, readings: PowerboatsReadings) -> Transcript:
    return Transcript(("pond",) * courses, tuple(SeatLine() for _ in range(seats)), starter, readings)


def check_results(game: Game) -> None:
    """PB-24 to PB-27 worked out anew from the written turns alone."""
    seats, damaged = game.match.seats, [0] * game.match.seats
    total = [0] * seats
    for number, (lines, result) in enumerate(zip(game.transcript.races, game.match.results, strict=True), 1):
        last = {line.seat: line for line in lines.turns}
        counts = [sum(line.seat == seat for line in lines.turns) for seat in range(seats)]
        finishers = [line.seat for line in lines.turns if line.finished]
        sunk = [line.seat for line in lines.turns if line.sunk and not line.finished]
        rest = [seat for seat in range(seats) if seat not in finishers and seat not in sunk]
        order = [*finishers, *rest, *reversed(sunk)]
        points = [0 if seat in sunk else number * (seats - 1 - order.index(seat)) for seat in range(seats)]
        if seats == 2:
            slowest = max((counts[seat] for seat in finishers), default=0)
            for seat in finishers:
                points[seat] += slowest - counts[seat] + 5 * len(sunk)
        assert [line.seat for line in lines.results] == order
        assert [line.points for line in lines.results] == [points[seat] for seat in order]
        total = [old + new for old, new in zip(total, points, strict=True)]
        started = [min(count, game.match.readings.sink_at - 1) for count in damaged]
        hit = [seat in last and (last[seat].damage > started[seat] or seat in sunk) for seat in range(seats)]
        assert result.damaged == tuple(hit)
        damaged = [count + took for count, took in zip(damaged, hit, strict=True)]
        for seat in range(seats):
            counters = [started[seat], *(line.damage for line in lines.turns if line.seat == seat)]
            assert counters == sorted(counters)
    assert game.match.points == tuple(total)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_random_matches_score_by_the_rules_and_replay(seed: int) -> None:
    rng = Random(seed)
    seats = rng.randint(2, 6)
    told = [rng.choice(("last-boat=races-on", "last-boat=stops", "sink-at=3", "behind=rows-4"))]
    readings = PowerboatsReadings.parse(told)
    head = head_of(rng.randint(1, 3), seats, rng.randrange(seats), readings)
    races = [Waters(settle(POND), readings)] * len(head.courses)
    policies = [POLICIES[rng.choice(("random", "random", "greedy", "cautious"))] for _ in range(seats)]
    game = play_match(head, races, policies, seed, cap=80)
    if game.over:
        check_results(game)
    again = replay(game.transcript, races)
    assert not again.findings
    assert again.game == game
    text = transcript_text(game.transcript)
    read = read_transcript(Source("match.txt", text, Path()))
    assert read == game.transcript
    assert transcript_text(read) == text


def test_a_match_of_six_boats_in_three_races() -> None:
    names = ("lagoon-a", "lagoon-b", "lagoon-c")
    races = [Waters(settle(read_course(read_source(name)).course)) for name in names]
    seats = tuple(SeatLine(policy=name) for name in ("cautious", "random", "random") * 2)
    head = Transcript(names, seats, 4)
    game = play_match(head, races, [POLICIES[seat.policy or ""] for seat in seats], seed=1)
    assert game.over
    check_results(game)
    assert [race.placed[-1].seat for race in game.transcript.races] == [4, 5, 0]
    assert replay(game.transcript, races).game == game


def test_a_capped_match_is_not_over_and_replays() -> None:
    head, races = head_of(2, 2, 0, PowerboatsReadings()), [waters()] * 2
    game = play_match(head, races, [lambda _question, _rng: 0] * 2, 1, cap=3)
    assert capped(game, 3)
    assert not game.over
    assert len(game.transcript.races[0].turns) == 6
    assert replay(game.transcript, races).game == game
