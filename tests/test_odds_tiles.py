"""Odds among expansion tiles: against every throw played out, and against clear water where no tile is near."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner
from made_up_tiles import boat, sea

from rulekit.cli import cli
from rulekit.powerboats.boat import STEERS, Boat, Landing
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.move import clear_water, landings
from rulekit.powerboats.odds import Odds, odds
from rulekit.powerboats.odds_tiles import among_tiles
from rulekit.powerboats.waters import Waters

WATERS = [
    sea("low-water F5 E 3", "current H5 E SW", land="J5"),
    sea("redoubt F5 E", "low-water J4 SE 1/2/3", land="I5"),
    sea("maelstrom F5 E left", "low-water G3 E 2", readings="sink-at=2"),
    sea("current F5 E NW", land="F4 E4", readings="x1-current=crash"),
]


def risky(waters: Waters, start: Boat, free: int = 9) -> list[Odds]:
    """The odds of all choices of a boat."""
    return list(among_tiles(odds(start.hand, waters.readings, free, start.damage), waters, start, free))


def played(waters: Waters, start: Boat, entry: Odds) -> list[Landing]:
    """Every throw, die by die, in the direction with the least harm, then the most gates."""
    ends = []
    for sides in product(waters.readings.faces, repeat=entry.choice.rolled):
        legal = landings(waters, replace(start, hand=as_hand((*entry.choice.kept, *sides))))
        alive = [landing for landing in legal if not landing.sunk or landing.finished] or list(legal)
        least = min(landing.boat.damage for landing in alive)
        ends.append(max((one for one in alive if one.boat.damage == least), key=lambda one: one.boat.progress))
    return ends


@pytest.mark.parametrize("waters", WATERS)
@pytest.mark.parametrize("start", [boat("D5 E 21"), boat("C5 E 32", damage=1), boat("H7 NW 3")])
def test_every_throw_played_out(waters: Waters, start: Boat) -> None:
    for entry in risky(waters, start):
        ends = played(waters, start, entry)
        taken = [landing.boat.damage - start.damage for landing in ends]
        assert entry.risk is not None
        assert entry.risk.crash == Fraction(sum(1 for counters in taken if counters), len(ends))
        assert entry.risk.expected_damage == Fraction(sum(taken), len(ends))
        assert entry.risk.sink == Fraction(sum(landing.sunk for landing in ends), len(ends))
        assert sum(entry.risk.damage.values()) == 1


def test_far_from_tiles_the_risk_is_that_of_clear_water() -> None:
    waters, start = sea("redoubt B1 E"), boat("M7 E 321", damage=1)
    free = max(clear_water(waters, start.at, start.facing.steer(left)) for left in STEERS)
    bare, told = odds(start.hand, waters.readings, free, 1), risky(waters, start, free)
    assert [entry.risk for entry in told] == [entry.risk for entry in bare]
    assert any(entry.risk and 0 < entry.risk.sink < entry.risk.crash for entry in told)


def test_the_command_tells_the_same() -> None:
    args = ["--course", "practice-tiles", "--at", "G7", "--facing", "E", "--dice", "3,2,1"]
    outcome = CliRunner().invoke(cli, ["odds", *args, "-f", "json"], prog_name="rulekit")
    assert outcome.exit_code == 0
    rows = {(tuple(row["keep"]), row["roll"]): row for row in json.loads(outcome.stdout)["rows"]}
    assert rows[(2, 1), 0]["crash"] == "0"
    assert rows[(3, 2, 1), 0]["crash"] == "1"
    assert "among the expansion tiles" in outcome.stderr
    table = CliRunner().invoke(cli, ["odds", *args], prog_name="rulekit").stdout
    assert "chance of damage, by tiles too" in table
