"""Whole races of cars by chance: a second bookkeeper agrees with every event, and every race comes to its end."""

from collections import Counter
from random import Random

import pytest
from car_book import Book, points_by_hand
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_tracks import circuits

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.moves import DAMAGING
from rulekit.ps.race import Event, Moved, Race, apply
from rulekit.ps.scoring import score
from rulekit.ps.terms import Terms
from rulekit.ps.track import Track
from rulekit.readings import PsReadings
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_questions import CarQuestion, Moving, Picking
from rulekit.simulate.car_table import drawn_line_up, play_race

FUELS = ("none", "limited", "full")
FILES = ("orchard", "ravenhill", "tests/cases/tracks/ring-a.toml")
OTHERS = ("triangle=aid", "line-crossing=diagonal", "exit-step=flies", "strike=free", "start-entry=inner-beside",
          "pit-entry=exact")  # fmt: skip


def by_chance(question: CarQuestion, rng: Random) -> int:
    return rng.randrange(len(question.options))


def with_care(question: CarQuestion, rng: Random) -> int:
    """Any option, but damage only where there is no other, and blue dice every other time."""
    options = list(range(len(question.options)))
    if isinstance(question, Picking) and rng.random() < 0.5:
        return 0
    if isinstance(question, Moving):
        free = [k for k in options if question.options[k].outcome.kind not in DAMAGING]
        options = free or options
    return rng.choice(options)


def track_of(name: str) -> Track:
    return read_track(read_source(name)).track


class Watch:
    """Follows a race with the second bookkeeper; counts what happens."""

    def __init__(self) -> None:
        self.book: Book | None = None
        self.counts: Counter[str] = Counter()

    def __call__(self, race: Race, event: Event) -> None:
        if self.book is None:
            self.book = Book(race)
        self.book.agree(race)
        self.book.note(event)
        self.counts[event.outcome.kind.value if isinstance(event, Moved) else type(event).__name__] += 1


def follow(terms: Terms, players: int, game: int, watch: Watch) -> Race:
    """A race from its line-up to its end, with its results."""
    watch.book = None
    policies = [(by_chance, with_care)[(game + seat) % 3 > 0] for seat in range(players)]
    race = play_race(terms, policies, 20261130, game, cap=5000, watch=watch)
    assert race.over
    assert watch.book is not None
    watch.book.agree(race)
    found = score(race)
    assert sorted(found.places) == list(range(1, 3 * players + 1))
    assert list(found.points) == points_by_hand(terms.track.points, found.places)
    assert sorted(found.ranks) == list(range(1, players + 1))
    return race


def follow_many(races: int, files: tuple[str, ...], watch: Watch) -> None:
    every = [Terms(track_of(name), PsReadings.parse([f"fuel={fuel}"]), 3) for name in files for fuel in FUELS]
    for game in range(races):
        follow(every[game % len(every)], (2, 3, 2, 4, 2)[game // 9 % 5], game, watch)


def test_random_races_agree_with_the_second_bookkeeper() -> None:
    watch = Watch()
    follow_many(36, FILES, watch)
    wanted = {"move", "pit", "fly", "strike", "stay", "finish", "wait", "Picked", "Thrown", "Planned"}
    assert set(watch.counts) == wanted
    assert min(watch.counts.values()) > 10, watch.counts


@pytest.mark.slow
def test_a_thousand_random_races_agree_with_the_second_bookkeeper() -> None:
    watch = Watch()
    follow_many(1000, FILES, watch)
    assert watch.counts["finish"] > 500


def test_four_players_race_on_the_full_circuit_with_full_fuel_to_the_end() -> None:
    terms = Terms(track_of("ravenhill"), PsReadings.parse(["fuel=full"]), 3)
    watch = Watch()
    race = play_race(terms, [CAR_POLICIES[name] for name in ("greedy", "cautious") * 2], 5, watch=watch)
    assert race.over
    assert watch.book is not None
    watch.book.agree(race)
    assert sorted(score(race).places) == list(range(1, 13))
    assert min(race.turns) > 40
    assert watch.counts["finish"] > 6


@pytest.mark.parametrize("answer", OTHERS)
def test_random_races_under_other_readings(answer: str) -> None:
    watch = Watch()
    for game, fuel in enumerate(("full", "limited", "none")):
        follow(Terms(track_of(FILES[2]), PsReadings.parse([f"fuel={fuel}", answer]), 3 + game), 2 + game, game, watch)


@settings(max_examples=10, deadline=None)
@given(circuits(), st.integers(1, 3), st.integers(0, 10**6))
def test_random_races_on_made_up_tracks(track: Track, players: int, game: int) -> None:
    follow(Terms(track, PsReadings(), 1), players, game, Watch())


def test_the_line_up_of_a_race_is_drawn_by_its_seed() -> None:
    found = {(lineup.boxes, lineup.starter) for lineup in (drawn_line_up(3, 5, game) for game in range(40))}
    assert len(found) > 30
    assert {starter for _, starter in found} == {0, 1, 2}
    assert drawn_line_up(3, 5, 7) == drawn_line_up(3, 5, 7)


def test_a_race_stops_at_the_cap() -> None:
    terms = Terms(track_of("orchard"), PsReadings(), 3)
    race = play_race(terms, [with_care] * 2, 1, cap=4)
    assert not race.over
    assert max(race.turns) == 4


def test_events_told_are_events_applied() -> None:
    """A race repeated from its events alone is the same race."""
    terms, events = Terms(track_of("orchard"), PsReadings.parse(["fuel=full"]), 3), []
    first: list[Race] = []

    def watch(race: Race, event: Event) -> None:
        first.append(race)
        events.append(event)

    end = play_race(terms, [with_care, by_chance], 3, watch=watch)
    again = first[0]
    for event in events:
        again = apply(again, event)
    assert again == end
