"""What each expansion tile does to a boat that races alone as well as can be: visits, damage, turns won or lost."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rulekit.hexgrid import FACINGS, Hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Tile
from rulekit.powerboats.move import move
from rulekit.powerboats.waters import Waters
from rulekit.solve.best import Best, best_race, least, values_of
from rulekit.solve.bounds import SINK_COST, solve
from rulekit.solve.flow import flow_level, throw_mass
from rulekit.solve.kernel import Floats
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.tables import Numbered

LEFT, MOST_TURNS = 1e-12, 2000
"""A race is followed until less than this chance is left, or for so many turns."""

RARE = 1e-12
"""Moves made less often a race are left out."""


@dataclass(frozen=True)
class TileUse:
    """A tile in the best race, in expected numbers a race.

    `entered`: hexes of it that the boat comes onto (carried or landed there too); `damaged` and `sunk`: moves that did
    so and had this tile as their last; `flown`: finishes in a flight from it. `turns` is what the tile costs, in turns
    of the best race (sinking at its cost); below 0 it helps, and it is −∞ where no race ends for sure without it.
    """

    tile: Tile
    entered: float
    damaged: float
    sunk: float
    flown: float
    turns: float


Report = Callable[[str], None]


def ignored(_stage: str) -> None:
    """Tells nobody."""


class Move(NamedTuple):
    """A direction taken with a hand thrown, and how often a race."""

    boat: Boat
    steer: int
    often: float


def tile_uses(waters: Waters, sink_cost: float = SINK_COST) -> list[TileUse]:
    """What each tile of a course does in the best race from the best start; the course is solved once a tile more.

    Raises BadInput where the course cannot be solved.
    """
    numbered = Numbered(waters)
    return uses_in(best_race(numbered, numbered.starts, sink_cost=sink_cost))


def uses_in(best: Best, *, threads: int | None = None, report: Report = ignored) -> list[TileUse]:
    """As `tile_uses`, in a best race that is known, over the starts that it was found among; stages are reported."""
    tiles = best.numbered.waters.course.tiles
    counts = tile_counts(best.numbered, best_policy(best.solution), best.start.boat)
    found = []
    for number, (tile, row) in enumerate(zip(tiles, counts.tolist(), strict=True), 1):
        report(f"the race without tile {number} of {len(tiles)}")
        entered, damaged, sunk, flown = row
        cost = best.start.value - value_without(best, tile, threads)
        found.append(TileUse(tile, entered, damaged, sunk, flown, cost))
    return found


def value_without(best: Best, tile: Tile, threads: int | None = None) -> float:
    """The value of the best start where one tile is taken away; infinite where no race ends for sure then."""
    waters, boats = best.numbered.waters, [start.boat for start in best.starts]
    left = tuple(other for other in waters.course.tiles if other is not tile)
    numbered = Numbered(replace(waters, course=replace(waters.course, tiles=left)))
    solution = solve(numbered.race, sunk=best.solution.sunk, threads=threads)
    return least(values_of(solution, numbered, boats)).value


def tile_counts(numbered: Numbered, policy: Policy, start: Boat) -> Floats:
    """[tile, (entered, damaged, sunk, flown)] a race under a policy."""
    tiles = numbered.waters.course.tiles
    lying = {at: k for k, tile in enumerate(tiles) for at in tile.hexes}
    found = np.zeros((len(tiles), 4))
    for boat, steer, often in moves_made(numbered, policy, start):
        landing = move(numbered.waters, boat, FACINGS[steer])
        met = [lying[at] for at in landing.way[1:] if at in lying]
        for tile in met:
            found[tile, 0] += often
        if met:
            found[met[-1], 1] += often * (landing.boat.damage > boat.damage)
            found[met[-1], 2] += often * (landing.sunk and not landing.finished)
        if landing.finished and (base := finishing_flight(numbered.waters, boat, landing)) is not None:
            found[lying[base], 3] += often
    return found


def finishing_flight(waters: Waters, boat: Boat, landing: Landing) -> Hex | None:
    """The redoubt from which a flight crosses the finish, None where no flight does."""
    progress = boat.progress
    for here, there in pairwise(landing.way):
        for a, b in pairwise(_straight(here, there)):
            progress = waters.gates.after_step(progress, a, b)
        if progress == waters.last:
            # A boat leaves a redoubt in no other way than by a flight (X1-5, X1-6).
            return here if waters.is_redoubt(here) else None
    return None


def _straight(here: Hex, there: Hex) -> Sequence[Hex]:
    """The hexes from one to another in a straight line, both included."""
    q, r = there.q - here.q, there.r - here.r
    apart = max(abs(q), abs(r), abs(q + r))
    return [Hex(here.q + q // apart * k, here.r + r // apart * k) for k in range(apart + 1)] if apart else [here]


def moves_made(numbered: Numbered, policy: Policy, start: Boat) -> Iterator[Move]:
    """Every direction that a boat takes in a race under a policy, with its expected number."""
    race, seen = numbered.race, states_seen(policy, numbered.state(start))
    told = [race.dice.hands.tuple_of(hand) for hand in range(race.dice.hands.count)]
    work, often = np.zeros(8 * int(race.dice_tables.start[-1])), defaultdict[tuple[Boat, int], float](float)
    for level, row in zip(*np.nonzero(seen.reshape(race.levels, race.rows, -1).sum(axis=2)), strict=True):
        at = int(row) * race.row_cells
        throw_mass(seen[level, at : at + race.row_cells], policy.choice[level], at, race.dice_tables, work)
        thrown = work[: race.row_cells]
        for cell in np.flatnonzero(thrown > RARE):
            hand, facing = divmod(int(cell), 8)
            steer = (facing + int(policy.steer[level, at + cell]) + 5) % 6
            progress, place = divmod(int(row), race.hexes)
            boat = Boat(numbered.hexes[place], FACINGS[facing], told[hand], progress, int(level))
            often[boat, steer] += float(thrown[cell])
    return (Move(boat, steer, count) for (boat, steer), count in often.items())


def states_seen(policy: Policy, state: tuple[int, int, int, int, int]) -> Floats:
    """How often a boat begins a turn in each state, by [damage, cell]."""
    race = policy.race
    mass = np.zeros((race.levels, race.rows * race.row_cells))
    mass[state[0], race.cell(*state[1:])] = 1.0
    seen, work = np.zeros_like(mass), np.zeros(8 * int(race.dice_tables.start[-1]))
    by_place = [np.zeros(race.hexes) for _ in range(3)]
    for _ in range(MOST_TURNS):
        seen += mass
        after = np.zeros_like(mass)
        for level in range(state[0], race.levels):
            tables = race.board, race.shores, race.dice_tables, policy.choice, policy.steer
            flow_level(mass, after, level, *tables, work, np.zeros(3), *by_place)
        mass = after
        if mass.sum() < LEFT:
            break
    return seen
