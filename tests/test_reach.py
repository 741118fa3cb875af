"""Reach: against every throw of the rules engine counted in Fractions, against odds, and the command."""

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from made_up import course_on, lake_from

from rulekit.cli import cli
from rulekit.hexgrid import FACINGS, Facing, Hex, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.move import clear_water, landings
from rulekit.powerboats.odds import odds
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import outcomes, throws
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.bounds import solve
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.reach import Reach, fewest_turns, reach, reach_under
from rulekit.solve.tables import Numbered

POND = """
. . . . .
 . . # . .
. . . . .
 . . . . .
"""

READINGS = [
    ("dice-max=3",),
    ("dice-max=2", "reroll=one", "sink-at=2"),
    ("dice-max=2", "first-turn=must-roll"),
    ("dice-max=2", "change=2", "sink-at=1", "faces=1/4"),
    ("dice-max=2", "faces=1/1/2", "sink-at=2"),
]

STARTS = [
    Boat(parse_hex("C3"), Facing.W),
    Boat(parse_hex("A1"), Facing.SE, (2,), 0, 1),
    Boat(parse_hex("E4"), Facing.NW, (1, 1), 2),
    Boat(parse_hex("B3"), Facing.E, (2, 1), 1),
]


def pond(*readings: str) -> Numbered:
    """Twenty hexes with a strip of one and a buoy to round."""
    settings = PowerboatsReadings.parse(readings)
    course = course_on(lake_from(POND), "C2", "W", [("D3", "auto")], strip=1)
    return Numbered(Waters(settle(course, settings), settings))


def afloat(landing: Landing) -> bool:
    """Whether the boat is still in the race."""
    return not landing.sunk and not landing.finished


class Brute:
    """The definition itself over the rules engine."""

    def __init__(self, waters: Waters, safe: bool = False) -> None:
        self.waters, self.safe = waters, safe
        self.outcomes = cache(lambda boat: list(outcomes(waters, boat)))
        self.chance = cache(self._chance)

    def _chance(self, boat: Boat, turns: int, target: Hex) -> Fraction:
        if turns == 0:
            return Fraction(boat.at == target)
        return max((self.worth(boat, turns, target, c) for c in self.choices(boat)), default=Fraction(0))

    def choices(self, boat: Boat) -> list[Choice]:
        """The choices, or those without any risk."""
        return [
            choice
            for choice, thrown in self.outcomes(boat)
            if not self.safe or all(any(self.unhurt(boat, to) for to in legal) for _, legal in thrown)
        ]

    def unhurt(self, boat: Boat, to: Landing) -> bool:
        """Whether a move costs no damage."""
        return to.boat.damage == boat.damage and not to.sunk

    def worth(self, boat: Boat, turns: int, target: Hex, choice: Choice) -> Fraction:
        """The chance if the turn begins with this choice."""
        thrown = dict(self.outcomes(boat))[choice]
        return sum((p * self.steered(boat, turns, target, legal) for p, legal in thrown), Fraction(0))

    def steered(self, boat: Boat, turns: int, target: Hex, legal: tuple[Landing, ...]) -> Fraction:
        """The best of the directions after a throw."""
        open_ways = [to.boat for to in legal if afloat(to) and (not self.safe or self.unhurt(boat, to))]
        return max((self.chance(to, turns - 1, target) for to in open_ways), default=Fraction(0))


def exact(numbered: Numbered, found: Reach) -> dict[Hex, Fraction]:
    """Chances by hex."""
    return {numbered.hexes[one.place]: one.exact for one in found.standings if one.exact is not None}


@pytest.mark.parametrize("readings", READINGS, ids=",".join)
@pytest.mark.parametrize("safe", [False, True])
def test_greatest_chances_are_those_of_every_throw_counted(readings: tuple[str, ...], safe: bool) -> None:
    numbered = pond(*readings)
    brute = Brute(numbered.waters, safe)
    for boat in STARTS:
        faces, sink_at = numbered.waters.readings.faces, numbered.waters.readings.sink_at
        if not set(boat.hand) <= set(faces) or boat.damage >= sink_at or boat.progress >= numbered.waters.last:
            continue
        small = numbered.race.dice.most == 2 and len(boat.hand) < 2
        for turns in (1, 2, 3) if small else (1, 2):
            found = reach(numbered.race, numbered.state(boat), turns, safe=safe)
            told = exact(numbered, found)
            assert len(told) == len(found.standings)
            for at in numbered.hexes:
                assert told.get(at, 0) == brute.chance(boat, turns, at)
            for one in found.standings:
                choice = Choice(numbered.race.dice.hands.tuple_of(one.kept), one.rolled)
                assert choice in brute.choices(boat)
                assert brute.worth(boat, turns, numbered.hexes[one.place], choice) == one.exact


def test_the_finish_takes_boats_away() -> None:
    """Two hexes ahead of the line: the boat that crosses it stands nowhere, so gates matter."""
    numbered = pond("dice-max=2")
    last = numbered.waters.last - 1
    told = [
        {at: Brute(numbered.waters).chance(Boat(parse_hex("B1"), Facing.SE, (), progress), 2, at) for at in
         numbered.hexes}
        for progress in (0, last)
    ]  # fmt: skip
    assert told[0] != told[1]
    for progress, chances in zip((0, last), told, strict=True):
        boat = Boat(parse_hex("B1"), Facing.SE, (), progress)
        found = exact(numbered, reach(numbered.race, numbered.state(boat), 2))
        assert {at: found.get(at, Fraction(0)) for at in numbered.hexes} == chances


def test_one_turn_against_odds() -> None:
    """A hex k < clear steps straight on is reached by a total of k alone."""
    numbered = pond("dice-max=3")
    waters, boat = numbered.waters, Boat(parse_hex("A4"), Facing.E, (2, 1))
    found = exact(numbered, reach(numbered.race, numbered.state(boat), 1))
    clear = clear_water(waters, boat.at, Facing.E)
    assert clear > 2
    for k in range(1, clear):
        best = max(entry.totals.fractions().get(k, Fraction(0)) for entry in odds(boat.hand, waters.readings))
        assert found.get(boat.at.step(Facing.E, k), 0) == best


@pytest.mark.parametrize("boat", STARTS, ids=str)
def test_safe_hexes_are_within_reach_and_no_likelier(boat: Boat) -> None:
    numbered = pond("dice-max=3")
    boat = boat if boat.progress < numbered.waters.last else Boat(boat.at, boat.facing, boat.hand)
    for turns in (1, 2, 3, 4):
        every, safe = (
            exact(numbered, reach(numbered.race, numbered.state(boat), turns, safe=flag)) for flag in (False, True)
        )
        assert all(0 < safe[at] <= every[at] <= 1 for at in safe)


def test_fewest_turns_are_the_first_with_a_chance() -> None:
    numbered = pond("dice-max=3")
    for safe in (False, True):
        state = numbered.state(STARTS[0])
        found = fewest_turns(numbered.race, state, safe=safe)
        reached = [{one.place for one in reach(numbered.race, state, n, safe=safe).standings} for n in range(1, 5)]
        for place, turns in enumerate(found):
            first = next((n for n, places in enumerate(reached, 1) if place in places), None)
            assert first == turns if turns in range(1, 5) else first is None


def test_facings_are_those_of_some_landing() -> None:
    numbered = pond("dice-max=3")
    boat = STARTS[3]
    found = reach(numbered.race, numbered.state(boat), 1)
    seen = {
        (to.boat.at, to.boat.facing)
        for _, thrown in outcomes(numbered.waters, boat) for _, legal in thrown for to in legal if afloat(to)
    }  # fmt: skip
    told = {(numbered.hexes[place], FACINGS[facing]) for place, facing in np.argwhere(found.facings)}
    assert told == seen


def test_following_a_policy_is_its_race_played_out() -> None:
    numbered = pond("dice-max=3")
    policy = best_policy(solve(numbered.race))
    now = {STARTS[0]: Fraction(1)}
    for turns in (1, 2, 3):
        now = played(numbered, policy, now)
        found = exact(numbered, reach_under(policy, numbered.state(STARTS[0]), turns))
        chances: defaultdict[Hex, Fraction] = defaultdict(Fraction)
        for boat, chance in now.items():
            chances[boat.at] += chance
        assert found == dict(chances)


def played(numbered: Numbered, policy: Policy, now: dict[Boat, Fraction]) -> dict[Boat, Fraction]:
    """One turn of a policy by the rules engine."""
    after: defaultdict[Boat, Fraction] = defaultdict(Fraction)
    hands = numbered.race.dice.hands
    for boat, chance in now.items():
        damage, progress, place, facing, hand = numbered.state(boat)
        kept, rolled = policy.dice_choice(damage, progress, place, facing, hand)
        for p, thrown in throws(numbered.waters, boat, Choice(hands.tuple_of(kept), rolled)):
            left = policy.direction(damage, progress, place, facing, hands.index(thrown.hand))
            to = landing_of(numbered.waters, thrown, boat.facing.steer(left))
            if afloat(to):
                after[to.boat] += chance * p
    return after


def landing_of(waters: Waters, thrown: Boat, steer: Facing) -> Landing:
    """The legal move in a direction."""
    return next(landing for landing in landings(waters, thrown) if landing.steer == steer)


def test_too_many_ways_for_whole_numbers_leave_decimals() -> None:
    few, many = pond("dice-max=3", "faces=1/2/3"), pond("dice-max=3", "faces=1/2/3/3/3/3/3/3/3/3/3/3")
    boat = Boat(parse_hex("A1"), Facing.SE, (3, 3, 3))
    assert all(one.exact is not None for one in reach(few.race, few.state(boat), 4).standings)
    found = reach(many.race, many.state(boat), 6).standings
    assert found
    assert all(one.exact is None and 0 < one.chance <= 1 for one in found)
    bare = Boat(parse_hex("A1"), Facing.SE)
    exactly = reach(many.race, many.state(bare), 2).standings
    assert all(one.exact == Brute(many.waters).chance(bare, 2, many.hexes[one.place]) for one in exactly)


def test_needs_a_turn() -> None:
    numbered = pond("dice-max=2")
    with pytest.raises(ValueError, match="at least 1"):
        reach(numbered.race, numbered.state(STARTS[0]), 0)


def run(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of `rulekit reach practice-a …`."""
    found = CliRunner().invoke(cli, ["reach", "practice-a", *args])
    return found.exit_code, found.stdout, found.stderr


def test_command_json() -> None:
    code, out, _ = run("--at", "E4", "--facing", "NE", "-f", "json")
    told = json.loads(out)
    assert code == 0
    assert told["start"] == {"hex": "E4", "facing": "NE", "dice": [], "progress": 1, "damage": 0}
    rows = {row["hex"]: row for row in told["rows"]}
    assert rows["E4"]["probability"] == "1"
    assert rows["E4"]["facings"] == ["E", "NE", "NW"]
    assert rows["G4"] == {"hex": "G4", "probability": "1/3", "keep": [], "roll": 1, "fewest": 1, "facings": ["E"]}
    assert all(told["fewest"][row] == 1 for row in rows)


def test_command_decimals_after_four_turns() -> None:
    for turns, exactly in (("4", True), ("5", False)):
        _, out, _ = run("--at", "E4", "--facing", "NE", "--turns", turns, "--dice-max", "2", "-f", "json")
        told = [row["probability"] for row in json.loads(out)["rows"]]
        assert any("/" in one for one in told) == exactly
        assert all(0 < Fraction(one) <= 1 for one in told)
        assert "facings" not in json.loads(out)["rows"][0]


def test_command_table_lists_the_likeliest_first() -> None:
    code, out, _ = run("--at", "E4", "--facing", "NE", "--turns", "3")
    assert code == 0
    assert "less likely hexes left out" in out
    chances = [float(line.split()[1]) for line in out.splitlines() if " % " in line]
    assert chances == sorted(chances, reverse=True)
    assert len(chances) == 24


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--at", "A1", "--facing", "NE"], "A1 is land"),
        (["--at", "E4", "--facing", "NNE"], "'NNE' is no facing"),
        (["--at", "E4"], "add --facing"),
        (["--facing", "E"], "add --at"),
        (["--turns", "0"], "not in the range"),
        (["--turns", "100"], "not in the range"),
        (["--at", "E4", "--facing", "NE", "--progress", "9"], "0 to 4 gates"),
        (["--at", "E4", "--facing", "NE", "--damage", "4"], "has sunk"),
        (["--at", "E4", "--facing", "NE", "--dice", "4"], "4"),
        (["--at", "E4", "--facing", "NE", "--plot", "x.gif"], ".svg, .png or .pdf"),
        (["--at", "E4", "--facing", "NE", "--policy", "greddy"], "did you mean 'greedy'"),
        (["--safe", "--policy", "greedy"], "leave one out"),
        (
            ["--at", "E4", "--facing", "NE", "--dice", "3,3,1", "--policy", "dice-2"],
            "this policy ever takes: at most 2",
        ),
        (["--at", "E4", "--facing", "NE", "--dice", "3,3,3,3,3,3", "--policy", "dice-1"], "at most 1"),
        (["--dice-max", "none"], "needs a limit"),
    ],
)
def test_command_faults(args: list[str], told: str) -> None:
    code, _, err = run(*args)
    assert code == 2
    assert told in err
    assert "Traceback" not in err


def test_command_raises_the_limit_for_a_large_hand() -> None:
    code, _, err = run("--at", "E4", "--facing", "NE", "--dice", "1,1", "--dice-max", "2")
    assert code == 0
    assert "dice-max is 3 here" in err


def test_a_policy_of_fewer_dice_is_followed_from_a_hand_that_it_holds() -> None:
    told = "--at", "E4", "--facing", "NE", "--dice", "3,1", "--policy", "dice-2", "--dice-max", "3", "-f", "json"
    code, out, _ = run(*told)
    assert code == 0
    assert sum(Fraction(row["probability"]) for row in json.loads(out)["rows"]) == 1
