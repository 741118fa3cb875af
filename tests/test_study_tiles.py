"""What tiles do: expected numbers against races played out state by state over the rules, and costs against solving."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from made_up_tiles import boat, sea
from test_tile_tables import numbered, tiled_lake

from rulekit.hexgrid import FACINGS, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import TileKind
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.move import landings, move
from rulekit.powerboats.turn import throws
from rulekit.solve.best import best_race
from rulekit.solve.passage import follow_policy
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.tables import Numbered
from rulekit.study.tiles import finishing_flight, states_seen, tile_counts, tile_uses


def played(found: Numbered, policy: Policy, start: Boat) -> np.ndarray:
    """The same numbers by a race played out turn by turn, boats of equal state taken together."""
    now, counts = {start: 1.0}, np.zeros((len(found.waters.course.tiles), 4))
    for _ in range(400):
        after = defaultdict[Boat, float](float)
        for afloat, often in now.items():
            kept, rolled = policy.dice_choice(*found.state(afloat))
            choice = Choice(found.race.dice.hands.tuple_of(kept), rolled)
            for chance, thrown in throws(found.waters, afloat, choice):
                landing = chosen(found, policy, thrown)
                tally(found, afloat, landing, often * float(chance), counts)
                if not landing.finished and not landing.sunk:
                    after[landing.boat] += often * float(chance)
        now = {one: often for one, often in after.items() if often > 1e-13}
    return counts


def chosen(found: Numbered, policy: Policy, thrown: Boat) -> Landing:
    """The landing in the policy's direction."""
    steer = thrown.facing.steer(policy.direction(*found.state(thrown)))
    return next(landing for landing in landings(found.waters, thrown) if landing.steer == steer)


def tally(found: Numbered, before: Boat, landing: Landing, often: float, counts: np.ndarray) -> None:
    """Counts a move's entries, its damage and sinking with the last tile, and flights that end the race.

    A boat leaves a redoubt only by a flight. Each counts that a move over the finish makes: here none comes after it.
    """
    last = None
    for at in landing.way[1:]:
        for k, tile in enumerate(found.waters.course.tiles):
            if at in tile.hexes:
                counts[k, 0] += often
                last = k
    if last is not None and landing.boat.damage > before.damage:
        counts[last, 1] += often
    if last is not None and landing.sunk and not landing.finished:
        counts[last, 2] += often
    for k, tile in enumerate(found.waters.course.tiles):
        flown = tile.kind is TileKind.REDOUBT and any(at in tile.hexes for at in landing.way[:-1])
        counts[k, 3] += often * (landing.finished and flown)


@pytest.mark.parametrize(("seed", "readings"), [(12, ("dice-max=2",)), (22, ("dice-max=2", "sink-at=2"))])
def test_counts_are_those_of_a_race_played_out(seed: int, readings: tuple[str, ...]) -> None:
    found = tiled_lake(seed, *readings)
    best = best_race(found, found.starts, sink_cost=5.0)
    policy = best_policy(best.solution)
    told = tile_counts(found, policy, best.start.boat)
    np.testing.assert_allclose(told, played(found, policy, best.start.boat), atol=1e-9)
    assert told[:, 0].sum() > 0.1


def test_flights_home_are_those_of_a_race_played_out() -> None:
    """A redoubt before the finish: from one hex onto it or past it, from another off it for sure."""
    found = Numbered(sea("redoubt B12 E", "current E12 E SW", readings="dice-max=2,x1-border=stop"))
    policy = best_policy(best_race(found, found.starts, sink_cost=5.0).solution)
    for told, least, most in (("D9 SE -", 0.1, 0.9), ("C12 SE -", 1.0, 1.0)):
        start = boat(told, progress=found.waters.last - 1)
        counts = tile_counts(found, policy, start)
        np.testing.assert_allclose(counts, played(found, policy, start), atol=1e-9)
        assert least <= counts[0, 3] <= most


def test_turns_begun_add_up_to_the_race() -> None:
    found = tiled_lake(12, "dice-max=2")
    best = best_race(found, found.starts)
    policy, state = best_policy(best.solution), found.state(best.start.boat)
    assert states_seen(policy, state).sum() == pytest.approx(follow_policy(policy, state).turns, abs=1e-8)


def test_a_tile_costs_what_the_race_without_it_gains() -> None:
    found = tiled_lake(12, "dice-max=2")
    uses = tile_uses(found.waters)
    whole = best_race(found, found.starts).start.value
    for use in uses:
        left = tuple(tile for tile in found.waters.course.tiles if tile is not use.tile)
        rest = numbered(replace(found.waters.course, tiles=left), "dice-max=2")
        assert use.turns == pytest.approx(whole - best_race(rest, rest.starts).start.value, abs=1e-5)
    assert any(abs(use.turns) > 0.01 for use in uses)
    assert all(use.flown == 0 or use.tile.kind.value == "redoubt" for use in uses)


def test_flights_over_the_finish_are_found() -> None:
    waters = sea("redoubt B12 E", readings="x1-border=stop")
    by_flight = set()
    for at in map(parse_hex, ("B10", "C10", "C11", "D10", "D11", "E10")):
        for facing in FACINGS:
            one = Boat(at, facing, (2,), waters.last - 1)
            landing = move(waters, one, facing)
            if landing.finished:
                by_flight.add(finishing_flight(waters, one, landing))
    assert by_flight & set(waters.course.tiles[0].hexes)
    near = Boat(parse_hex("E12"), FACINGS[5], (1,), waters.last - 1)
    for facing in FACINGS[4:]:
        landing = move(waters, near, facing)
        assert finishing_flight(waters, near, landing) is None
