"""Policies, random streams and the table where whole matches are played."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random, getstate

import pytest
from made_up import course_on, lake_from

from rulekit.errors import BadInput
from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.files.transcript import SeatLine, Transcript
from rulekit.hexgrid import FACINGS, Facing, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, as_hand
from rulekit.powerboats.distance import Heading
from rulekit.powerboats.race import Entry, Race, Status, begin, legal_landings
from rulekit.powerboats.route import route, settle
from rulekit.powerboats.turn import outcomes
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.game import Game
from rulekit.simulate.policies import (
    POLICIES,
    Choosing,
    Policy,
    Prospects,
    Question,
    Steering,
    choosing,
    placing,
    policy_named,
    steering,
    steps_after,
)
from rulekit.simulate.streams import Purpose, Stream, key, mix, root, stream, throw
from rulekit.simulate.table import drawn_starter, play_match

PRACTICE = Waters(settle(read_course(read_source("practice-a")).course))
HEAD = Transcript(("practice-a",), (SeatLine(), SeatLine(), SeatLine()))


def race_with(boat: Boat, lake: Waters = PRACTICE, *others: Boat) -> Race:
    return Race(lake, 0, tuple(Entry(Status.RACING, one) for one in (boat, *others)), 0)


def boat(at: str, facing: Facing, dice: str = "", progress: int = 1, damage: int = 0) -> Boat:
    return Boat(parse_hex(at), facing, as_hand(map(int, dice)), progress, damage)


# Steps left


def test_steps_left_is_the_least_number_of_unit_turns() -> None:
    """Against the engine: from every heading one unit turn leads one step nearer, and none further."""
    table = PRACTICE.steps_left
    for heading, steps in list(table.items())[::17]:
        if heading.progress == PRACTICE.last:
            assert steps == 0
            continue
        race = race_with(Boat(heading.at, heading.facing, (), heading.progress))
        after = [steps_after(PRACTICE, landing) for landing in legal_landings(race, ())]
        for steer in (-1, 0, 1):
            facing = heading.facing.steer(steer)
            ahead = heading.at.step(facing)
            if ahead in PRACTICE.water:
                progress = PRACTICE.gates.after_step(heading.progress, heading.at, ahead)
                after.append(table.get(Heading(ahead, facing, progress), 10**6))
        assert min(after) == steps - 1


def test_steps_left_is_the_route_where_it_needs_no_sharp_turn() -> None:
    open_lake = lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 14) for row in range(13)))
    lake = Waters(settle(course_on(open_lake, "A13", "E", [("G6", "left")])))
    way = route(lake.course)
    assert way is not None
    best = min(lake.steps_left.get(Heading(at, facing, 1), 99) for at in lake.course.strip for facing in FACINGS)
    assert len(way) - 1 <= best <= len(way) + 2


def test_a_bay_that_cannot_be_left_has_no_steps() -> None:
    picture = ". . . . . . .\n . . . # # # .\n. . . # . # .\n . . . # # # .\n. . . . . . .\n . . . . . . ."
    lake = Waters(settle(course_on(lake_from(picture), "A6", "E", [("C2", "left")], strip=2)))
    assert not any(heading.at == parse_hex("E3") for heading in lake.steps_left)


# Policies


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_answers_every_question_with_an_option(name: str) -> None:
    def asked(question: Question, rng: Random) -> int:
        seen[type(question).__name__] += 1
        answer = POLICIES[name](question, rng)
        assert question.options[answer] is question.options[answer]
        assert 0 <= answer < len(question.options)
        return answer

    seen: Counter[str] = Counter()
    play_match(HEAD, [PRACTICE], [asked] * 3, seed=2)
    assert set(seen) == {"Placing", "Choosing", "Steering"}
    assert seen["Placing"] == 3


def test_policies_leave_the_global_random_state_alone() -> None:
    before = getstate()
    play_match(HEAD, [PRACTICE], list(POLICIES.values())[:3], seed=2)
    assert getstate() == before


@pytest.mark.parametrize("dice", ["", "1", "32", "331"])
@pytest.mark.parametrize(("at", "facing"), [("I5", Facing.NW), ("E7", Facing.SE), ("L4", Facing.NE)])
def test_prospects_by_listing_every_throw(at: str, facing: Facing, dice: str) -> None:
    """Means and risks against every sequence of dice, one by one, in fractions."""
    race = race_with(boat(at, facing, dice, damage=2), PRACTICE, boat("G5", Facing.E))

    def best(rolled: tuple[int, ...], kept: tuple[int, ...]) -> Landing:
        landings = legal_landings(race, as_hand((*kept, *rolled)))
        return min(landings, key=lambda one: (steps_after(PRACTICE, one), one.boat.damage, -sum(one.boat.hand)))

    def score(_race: Race, one: Landing) -> tuple[int, ...]:
        return steps_after(PRACTICE, one), one.boat.damage, -sum(one.boat.hand)

    prospects = Prospects(race, score)
    for choice in choosing(race).options[:12]:
        ends = [best(rolled, choice.kept) for rolled in product((1, 2, 3), repeat=choice.rolled)]
        assert prospects.mean_steps(choice) == Fraction(sum(steps_after(PRACTICE, end) for end in ends), len(ends))
        assert prospects.risk(choice) == Fraction(sum(end.boat.damage > 2 for end in ends), len(ends))
        assert prospects.sinking(choice) == Fraction(sum(end.sunk for end in ends), len(ends))


def test_greedy_takes_the_direction_with_the_fewest_steps_left() -> None:
    race = race_with(boat("G5", Facing.NE))
    question = steering(race, (2,))
    steps = [steps_after(PRACTICE, landing) for landing in question.options]
    assert len(set(steps)) > 1
    assert steps[POLICIES["greedy"](question, Random(0))] == min(steps)


def test_greedy_starts_nearest_to_the_finish() -> None:
    question = placing(begin(PRACTICE, [0, 0]))
    steps = [PRACTICE.steps_left[Heading(*start)] for start in question.options]
    assert steps[POLICIES["greedy"](question, Random(0))] == min(steps)


@pytest.mark.parametrize(
    "one", [boat("I5", Facing.NW, "21"), boat("E7", Facing.SE, "331"), boat("B5", Facing.W, "211", damage=1)]
)
def test_cautious_takes_no_risk_where_it_need_not(one: Boat) -> None:
    race = race_with(one)
    question = choosing(race)
    picked = question.options[POLICIES["cautious"](question, Random(0))]
    risks = {
        choice: sum(chance for chance, ends in thrown if all(end.boat.damage > one.damage for end in ends))
        for choice, thrown in outcomes(PRACTICE, one)
    }
    assert risks[picked] == min(risks.values())
    assert max(risks.values()) > min(risks.values())


def test_greedy_and_cautious_do_not_idle() -> None:
    """I10 facing NW is a bay where rolling is worse than waiting: waiting for ever would be worse still."""
    question = choosing(race_with(boat("I10", Facing.NW)))
    assert question.options == (Choice((), 0), Choice((), 1))
    for name in ("greedy", "cautious"):
        assert question.options[POLICIES[name](question, Random(0))].rolled == 1


def test_random_takes_every_option() -> None:
    question = choosing(race_with(boat("E7", Facing.SE, "32")))
    rng = Random(1)
    taken = Counter(POLICIES["random"](question, rng) for _ in range(2000))
    assert set(taken) == set(range(len(question.options)))
    assert max(taken.values()) < 2 * min(taken.values())


def test_a_policy_is_one_function() -> None:
    """A new policy: the slowest legal thing."""

    def sleepy(question: Question, _rng: Random) -> int:
        if isinstance(question, Choosing):
            sizes = [len(choice.kept) + choice.rolled for choice in question.options]
            return sizes.index(min(sizes))
        return 0 if isinstance(question, Steering) else len(question.options) - 1

    named: dict[str, Policy] = {**POLICIES, "sleepy": sleepy}
    game = play_match(HEAD, [PRACTICE], [policy_named("sleepy", named)] * 3, seed=1, cap=4)
    assert all(not line.rolled for line in game.transcript.races[0].turns)


def test_an_unknown_policy_names_the_near_miss() -> None:
    with pytest.raises(BadInput, match="there is no policy 'gredy' \\(did you mean 'greedy'\\?\\); there are random, "):
        policy_named("gredy")


def test_cautious_beats_random() -> None:
    """Seats rotated; 40 races: a policy that knew nothing would win half of them."""
    wins = 0
    for match in range(40):
        mine = match % 2
        seated = [POLICIES["random"], POLICIES["random"]]
        seated[mine] = POLICIES["cautious"]
        game = play_match(Transcript(("p",), (SeatLine(), SeatLine())), [PRACTICE], seated, 7, match)
        wins += game.over and game.match.results[0].places[mine] == 1
    assert wins >= 32


# Streams


def test_streams_are_splitmix64() -> None:
    """The first words of the reference implementation for the seed 1234567."""
    rng = Stream(1234567)
    assert [rng.word() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_each_stream_is_its_own() -> None:
    names = list(product((0, 1, 2**70), (0, 1, 2), range(6), Purpose))
    firsts = {stream(seed, match, seat, purpose).word() for seed, match, seat, purpose in names}
    assert len(firsts) == len(names)
    assert stream(5, 3, 1, Purpose.DICE).key == key(root(5), 3, 1, Purpose.DICE)


@pytest.mark.parametrize("count", [2, 3, 6, 7])
def test_below_is_uniform(count: int) -> None:
    rng = stream(1, 0, 0, Purpose.DICE)
    found = Counter(rng.below(count) for _ in range(6000))
    expected = 6000 / count
    assert sum((found[k] - expected) ** 2 / expected for k in range(count)) < 25


def test_a_stream_has_the_methods_of_random() -> None:
    rng, again = Stream(9), Stream(9)
    state = rng.getstate()
    first = [rng.random(), rng.randrange(10), rng.choice("abc"), rng.getrandbits(100)]
    assert [again.random(), again.randrange(10), again.choice("abc"), again.getrandbits(100)] == first
    rng.setstate(state)
    assert rng.random() == first[0]
    assert 0 <= first[0] < 1
    assert mix(0) == 0


def test_dice_are_thrown_one_by_one() -> None:
    together, single = stream(3, 0, 0, Purpose.DICE), stream(3, 0, 0, Purpose.DICE)
    faces = (1, 2, 3)
    assert throw(5, faces, together) == tuple(faces[single.below(3)] for _ in range(5))


# The table


def played(seed: int, match: int = 0, third: str = "random") -> Game:
    policies = [POLICIES["cautious"], POLICIES["greedy"], POLICIES[third]]
    return play_match(HEAD, [PRACTICE], policies, seed, match)


def test_a_match_is_settled_by_its_seed_and_number() -> None:
    assert played(1, 4) == played(1, 4)
    assert played(1, 4).transcript != played(2, 4).transcript
    assert played(1, 4).transcript != played(1, 5).transcript


def test_dice_of_a_seat_are_its_stream_in_the_order_of_the_transcript() -> None:
    turns = played(1, 4).transcript.races[0].turns
    for seat in range(3):
        thrown = [die for line in turns if line.seat == seat for die in line.rolled]
        rng = stream(1, 4, seat, Purpose.DICE)
        assert tuple(thrown) == throw(len(thrown), (1, 2, 3), rng)


def test_what_one_seat_draws_moves_no_other() -> None:
    """Another policy at seat 3: the dice that seat 1 throws stay the same."""

    def thrown(game: Game) -> list[int]:
        return [die for line in game.transcript.races[0].turns if line.seat == 0 for die in line.rolled]

    one, other = thrown(played(1, 4)), thrown(played(1, 4, "cautious"))
    shared = min(len(one), len(other))
    assert shared > 5
    assert one[:shared] == other[:shared]


def test_the_start_player_is_drawn_evenly() -> None:
    found = Counter(drawn_starter(4, 1, match) for match in range(2000))
    assert set(found) == {0, 1, 2, 3}
    assert max(found.values()) - min(found.values()) < 120


def test_faces_of_the_readings_are_thrown() -> None:
    readings = PowerboatsReadings.parse(["faces=2/2/5"])
    lake = Waters(PRACTICE.course, readings)
    game = play_match(Transcript(("p",), (SeatLine(), SeatLine()), 0, readings), [lake], [POLICIES["random"]] * 2, 3)
    assert {die for line in game.transcript.races[0].turns for die in line.rolled} == {2, 5}
