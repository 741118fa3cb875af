"""A course solved for play: the exact solo optimum as tables for the compiled races, made once for each course."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rulekit.errors import BadInput
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.race import Race as BoatRace
from rulekit.powerboats.race import Status
from rulekit.powerboats.waters import Waters
from rulekit.readings import LastBoat
from rulekit.simulate.bulk_kernel import (
    AT,
    AWAY,
    COLUMNS,
    DAMAGE,
    FACING,
    HAND,
    LEFT,
    ROW,
    SITUATION,
    TURNS,
    AnyWater,
    Book,
    Fleet,
    Longs,
    Throws,
    Water,
    pack_ends,
)
from rulekit.simulate.bulk_tiles import END_SIZE, TiledWater, pack_tile_ends
from rulekit.simulate.weigh import Sense
from rulekit.solve.best import check_size
from rulekit.solve.bounds import SINK_COST, Solution, solve
from rulekit.solve.kernel import Bytes, Ints, Shorts
from rulekit.solve.model import Race, Straights, Tiled
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.tables import Numbered
from rulekit.solve.tile_moves import Lake, new_run
from rulekit.solve.tile_tables import lake_of, open_steers, ways_for_races

STATUSES = list(Status)
"""The order of the compiled races' statuses."""

SPREAD = 0.3
"""Variance of the turns that a boat still takes, by expected turn: 0.2 on open lakes, 0.4 on narrow ones."""

WIN, SLOPE = 1.0, 0.01
"""`racer` races for the win alone; a turn by itself costs a hundredth of it, so that it never waits."""

FEW, SAMPLES = 3, 300
"""Choices that `lookahead` tries, and the races that it plays from each: with 64 chance decided too much to win more
than a quarter on an open lake."""


@dataclass(frozen=True)
class Solved:
    """A course's race, its optimum and the best policy."""

    numbered: Numbered
    solution: Solution
    policy: Policy

    @property
    def race(self) -> Race:
        """The race as arrays."""
        return self.numbered.race

    @cached_property
    def water(self) -> AnyWater:
        """The moves for the compiled races of one thread; see `own_water`."""
        return self.own_water()

    def own_water(self) -> AnyWater:
        """The moves for the compiled races, with memory of its own where there are tiles."""
        moves = self.race.moves
        if isinstance(moves, Straights):
            return self._bare_water
        assert isinstance(moves, Tiled)
        end = np.zeros(END_SIZE, np.int16)
        return TiledWater(*self._bare_water, *self._tile_ways, new_run(self._lake, 1), end)

    @cached_property
    def _bare_water(self) -> Water:
        moves, rows = self._straights, self.race.rows
        row = np.where(moves.progress < self.race.progresses, moves.progress * self.race.hexes + moves.land, rows)
        to = np.ascontiguousarray(row.reshape(rows, *moves.land.shape[1:]), np.int32)
        at, clear = np.ascontiguousarray(moves.land, np.int32), np.ascontiguousarray(moves.clear, np.int32)
        stops = self.numbered.waters.readings.last_boat is LastBoat.STOPS
        return Water(to, at, clear, rows, self.race.levels, stops)

    @property
    def _straights(self) -> Straights:
        moves = self.race.moves
        straights = moves.straights if isinstance(moves, Tiled) else moves
        assert isinstance(straights, Straights)
        return straights

    @cached_property
    def _lake(self) -> Lake:
        return lake_of(self.numbered.waters, self.numbered.hexes, self._straights, self.race.dice.hands)

    @cached_property
    def _tile_ways(self) -> tuple[Ints, Shorts, Bytes, Lake]:
        """The tables of `TiledWater`."""
        moves = self.race.moves
        assert isinstance(moves, Tiled)
        ways = ways_for_races(self._lake, moves, self.race.levels)
        return np.ascontiguousarray(moves.block.ravel()), ways, open_steers(moves), self._lake

    @cached_property
    def throws(self) -> Throws:
        """The dice for the compiled races."""
        rules, tables = self.race.dice, self.race.dice_tables
        entries = [rules.throws.choice(entry) for entry in range(int(rules.throws.start[-1]))]
        faces = self.numbered.waters.readings.faces
        start, options = rules.listed_choices
        kept, rolled = (np.array(part) for part in zip(*entries, strict=True))
        sides = np.array([rules.faces.index(face) for face in faces], np.int8)
        hands = rules.hands.pip_count, self._less(), rules.hands.chance
        layout = rules.throws.start, start, options
        return Throws(kept.astype(np.int16), rolled.astype(np.int8), tables.more, sides, *hands, *layout)

    def _less(self) -> Ints:
        """For each hand the entry that takes its lowest die off, or throws it again where no die may be removed."""
        hands, throws = self.race.dice.hands, self.race.dice.throws
        lowest = [hands.index(hands.tuple_of(hand)[:-1]) for hand in range(hands.count)]
        return np.array([throws.entry(kept, int(self.race.dice.change == 0)) for kept in lowest], np.int32)

    @cached_property
    def starts(self) -> tuple[Boat, ...]:
        """All legal starts, without damage."""
        return self.numbered.starts

    def start_costs(self, damage: int) -> list[float]:
        """The solo value of every start."""
        states = [self.numbered.state(boat) for boat in self.starts]
        return [self.solution.value(damage, *state[1:]) for state in states]

    @cached_property
    def book(self) -> Book:
        """The policy for the compiled races."""
        states = [self.numbered.state(boat) for boat in self.starts]
        order = [np.argsort(self.start_costs(damage), kind="stable") for damage in range(self.race.levels)]
        rows = [progress * self.race.hexes + place for _, progress, place, _, _ in states]
        return Book(
            self.policy.choice.ravel(), self._ends(), self.policy.choice.shape[1], np.array(order, np.int32)[None],
            np.array(rows, np.int32), np.array([state[2] for state in states], np.int32),
            np.array([state[3] for state in states], np.int32),
        )  # fmt: skip

    def _ends(self) -> Longs:
        """The directions' ends by cell."""
        ends = np.zeros(self.policy.steer.shape, np.int64)
        for damage in range(self.race.levels):
            if isinstance(self.water, TiledWater):
                pack_tile_ends(self.water, self.throws.pips, self.policy.steer[damage], damage, ends[damage])
            else:
                pack_ends(self.water, self.throws.pips, self.policy.steer[damage], ends[damage])
        return ends.ravel()

    @cached_property
    def sense(self) -> Sense:
        """What `racer` and `lookahead` know."""
        return Sense(self.solution.levels, self.solution.sunk, SPREAD, WIN, SLOPE, FEW, SAMPLES)

    def table_entry(self, boat: Boat) -> int:
        """The throw table's entry that the policy takes before the throw."""
        damage, *state = self.numbered.state(boat)
        return int(self.policy.choice[damage, self.race.cell(*state)])

    def table_way(self, boat: Boat, hand: Hand) -> int:
        """The policy's way with a hand thrown: 0 right, 1 straight, 2 left."""
        damage, progress, place, facing, _ = self.numbered.state(replace(boat, hand=hand))
        return self.policy.direction(damage, progress, place, facing, self.hand_number(hand)) + 1

    def less(self, hand: Hand) -> int:
        """The entry that takes the lowest die off a hand."""
        return int(self.throws.less[self.hand_number(hand)])

    def fleet(self, race: BoatRace) -> Fleet:
        """A race under way as the compiled code sees it."""
        fleet = np.zeros((race.seats, COLUMNS), np.int32)
        for seat, entry in enumerate(race.entries):
            left = -1 if entry.left_at is None else entry.left_at
            fleet[seat, [AT, SITUATION, TURNS, LEFT]] = AWAY, STATUSES.index(entry.status), entry.turns, left
            if entry.boat and entry.status is Status.RACING:
                damage, progress, place, facing, hand = self.numbered.state(entry.boat)
                row = progress * self.race.hexes + place
                fleet[seat, [ROW, AT, FACING, HAND, DAMAGE]] = row, place, facing, hand, damage
        return fleet

    def hand_number(self, hand: Hand) -> int:
        """The number of a hand."""
        return self.race.dice.hands.index(hand)

    def entry(self, choice: Choice) -> int:
        """The throw table's entry of a choice."""
        return self.race.dice.throws.entry(self.hand_number(choice.kept), choice.rolled)

    def choice(self, entry: int) -> Choice:
        """The choice of an entry."""
        kept, rolled = self.race.dice.throws.choice(entry)
        return Choice(self.hand(kept), rolled)

    def hand(self, number: int) -> Hand:
        """A hand as dice."""
        return self.race.dice.hands.tuple_of(number)


_KNOWN: list[Solved] = []
"""The courses solved last."""

MOST_KNOWN = 8


def solved(waters: Waters) -> Solved:
    """The course under its readings, solved with sinking at the solver's usual cost; known ones are not solved again.

    Raises BadInput for a course without a limit on the dice, or too large to be solved.
    """
    found = next((one for one in _KNOWN if one.numbered.waters is waters), None)
    found = found or next((one for one in _KNOWN if one.numbered.waters == waters), None)
    if found is None:
        found = _solve(waters)
        _KNOWN[:] = [*_KNOWN[1 - MOST_KNOWN :], found]
    return found


def _solve(waters: Waters) -> Solved:
    check(waters)
    numbered = Numbered(waters)
    solution = solve(numbered.race, sunk=SINK_COST)
    return Solved(numbered, solution, best_policy(solution))


def check(waters: Waters) -> None:
    """Raises BadInput where the course cannot be solved under its readings."""
    if waters.readings.dice_max is None:
        raise BadInput("the policies solo, racer and lookahead need a limit on a boat's dice: --dice-max N")
    check_size(waters)
