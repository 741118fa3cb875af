"""Every turn of many races with what metrics need: states before and after, the solo values, all boats' standing.

*Moments* are the points of time between turns: each race's start, and after each of its turns. They stand in one row,
race after race; the moment before turn i of match g is number i + g, the one after it i + g + 1. States are numbers as
in `chain_kernel`; V, the `left` turns, is the exact value of the solo optimum from there, sinking at its cost.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rulekit.simulate.solved import Solved, solved
from rulekit.simulate.turn_log import TurnLog, turns_of
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Bytes, Floats, Ints, Shorts
from rulekit.solve.model import Race
from rulekit.study.chain_kernel import HOME, LOST, Longs, end_states

if TYPE_CHECKING:
    from rulekit.study.evidence import Evidence

NOBODY = -1
"""The mover after a race's last turn, and the first finisher while there is none."""


class Turns(NamedTuple):
    """Turns, race after race. `match` counts the races from 0, `number` the boat's turns from 1.

    `before` and `after` are states; `free` is where the move would have ended without other boats in the way.
    """

    match: Longs
    seat: Longs
    number: Longs
    entry: Shorts
    thrown: Shorts
    way: Bytes
    before: Longs
    free: Longs
    after: Longs


@dataclass(frozen=True, eq=False)
class RaceRecord:
    """The races of many matches on one course; in none of them nobody moves.

    By [race, seat]: `wins` (1 over the number of winners for a winner, else 0), `ranks` and `policy` (the policy's
    number in the line-up). By [moment, seat]: `state` and `left`, the solo value.
    """

    turns: Turns
    first: Longs
    """The number of each race's first turn, and of all turns at the end."""

    wins: Floats
    ranks: Floats
    policy: Ints
    state: Longs
    left: Floats
    course: Solved | None = None

    @property
    def races(self) -> int:
        """Number of races."""
        return int(self.wins.shape[0])

    @property
    def seats(self) -> int:
        """Number of boats."""
        return int(self.wins.shape[1])

    @property
    def moment(self) -> Longs:
        """The moment before each turn; the next one is that after it."""
        return np.asarray(np.arange(self.turns.match.size) + self.turns.match)

    @property
    def ends(self) -> Longs:
        """Each race's last moment."""
        return self.first[1:] + np.arange(self.races)

    @property
    def starts(self) -> Longs:
        """Each race's first moment."""
        return self.first[:-1] + np.arange(self.races)

    @cached_property
    def mover(self) -> Longs:
        """Whose turn it is by moment; `NOBODY` at the end."""
        found = np.full(self.state.shape[0], NOBODY, np.int64)
        found[self.moment] = self.turns.seat
        return found

    @cached_property
    def winner(self) -> Longs:
        """The only boat that has finished first by moment, `NOBODY` as long as none has."""
        home = self.state == HOME
        only = np.where(home.sum(axis=1) == 1, home.argmax(axis=1), NOBODY)
        return first_home(only.astype(np.int64), self.first)

    @cached_property
    def rounds(self) -> "Rounds":
        """The moments after which a round is over."""
        return _rounds(self)

    @cached_property
    def progress(self) -> Floats:
        """Turns of the solo race made, by [moment, seat]: those that the best start has, less those left."""
        return np.asarray(self.left[self.starts].min(initial=np.inf) - self.left)


class Rounds(NamedTuple):
    """Rounds, race after race: in a round each boat that still races has a turn.

    `moment` is the one after a round's last turn; race g has the rounds `first`[g] … `first`[g + 1] − 1, `held`[g] in
    number.
    """

    moment: Longs
    first: Longs
    held: Longs


@dataclass(frozen=True, eq=False)
class Record:
    """The record of each course's races."""

    races: tuple[RaceRecord, ...]

    @property
    def seats(self) -> int:
        """Number of boats."""
        return self.races[0].seats


def record_of(evidence: "Evidence") -> Record:
    """Every turn of the races; raises BadInput where a course cannot be solved."""
    return Record(tuple(race_record(evidence, number) for number in range(len(evidence.contest.races))))


def race_record(evidence: "Evidence", number: int) -> RaceRecord:
    """The record of one course's races, those left out that were not held."""
    contest, course = evidence.contest, solved(evidence.contest.races[number])
    log = turns_of(contest, number, 0, evidence.races)
    held = evidence.held[number]
    turns = _turns(log, course.race, np.cumsum(held) - 1)
    first = np.searchsorted(turns.match, np.arange(int(held.sum()) + 1))
    begun = np.stack([part[held] for part in log.starts], axis=-1).astype(np.int64)
    at, facing, progress, damage = (begun[..., k] for k in range(4))
    starts = states_of(course.race, damage, progress, at, facing, np.zeros_like(at))
    state = _situations(turns, first, starts)
    wins, ranks, policy = evidence.wins[number][held], evidence.ranks[number][held], evidence.lined_up[held]
    return RaceRecord(turns, first, wins, ranks, policy, state, values_of(course, state), course)


def states_of(race: Race, damage: Longs, progress: Longs, at: Longs, facing: Longs, hand: Longs) -> Longs:
    """The states' numbers."""
    cell = (progress * race.hexes + at) * race.row_cells + hand * 8 + facing
    return np.asarray(damage * (race.rows * race.row_cells) + cell, np.int64)


def values_of(course: Solved, state: Longs) -> Floats:
    """The solo value of states, 0 where the boat has finished, the sink cost where it has sunk."""
    width = course.race.rows * course.race.row_cells
    racing = np.maximum(state, 0)
    values = course.solution.levels[racing // width, racing % width]
    return np.where(state == HOME, 0.0, np.where(state == LOST, course.solution.sunk, values))


def _turns(log: TurnLog, race: Race, number: Longs) -> Turns:
    """The log's turns; `number` tells where a match stands among those that held the race."""
    parts = (log.damage, log.progress, log.at, log.facing, log.hand)
    after = states_of(race, *(part.astype(np.int64) for part in parts))
    after = np.where(log.finished, HOME, np.where(log.sunk, LOST, after))
    match, seat = number[log.match], log.seat.astype(np.int64)
    before = _states_before(log, race, seat, after)
    free = end_states(race.board, race.dice_tables, before, log.thrown, log.way)
    taken = log.number.astype(np.int64)
    return Turns(match, seat, taken, log.entry, log.thrown, log.way, before, free, after)


def _states_before(log: TurnLog, race: Race, seat: Longs, after: Longs) -> Longs:
    """A boat's state before its turn is that after its turn before, or its start."""
    starts = (part.astype(np.int64) for part in log.starts)
    at, facing, progress, damage = starts
    begun = states_of(race, damage, progress, at, facing, np.zeros_like(at))
    boat = log.match.astype(np.int64) * begun.shape[1] + seat
    order = np.argsort(boat, kind="stable")
    found = np.empty(after.size, np.int64)
    found[order[1:]] = after[order[:-1]]
    first = log.number == 1
    found[first] = begun[log.match[first], seat[first]]
    return found


def _situations(turns: Turns, first: Longs, starts: Longs) -> Longs:
    """All boats' states by [moment, seat]."""
    state = np.empty((turns.match.size + starts.shape[0], starts.shape[1]), np.int64)
    fill_situations(first, turns.seat, turns.after, starts, state)
    return state


@compiled
def fill_situations(first: Longs, seat: Longs, after: Longs, starts: Longs, state: Longs) -> None:
    """Carries the boats' states on from turn to turn."""
    for race in range(starts.shape[0]):
        state[first[race] + race] = starts[race]
        for turn in range(first[race], first[race + 1]):
            state[turn + race + 1] = state[turn + race]
            state[turn + race + 1, seat[turn]] = after[turn]


@compiled
def first_home(only: Longs, first: Longs) -> Longs:
    """The boat that came in first, from the moments at which only one has; it stays so to the race's end."""
    found = np.full(only.size, -1, np.int64)
    for race in range(first.size - 1):
        for moment in range(first[race] + race, first[race + 1] + race + 1):
            found[moment] = only[moment]
            if moment > first[race] + race and found[moment - 1] >= 0:
                found[moment] = found[moment - 1]
    return found


def _rounds(record: RaceRecord) -> Rounds:
    turns = record.turns
    # Boats take turns in the same order round by round, so that a round's turns stand together.
    last = np.ones(turns.match.size, bool)
    last[:-1] = (turns.number[1:] != turns.number[:-1]) | (turns.match[1:] != turns.match[:-1])
    moment = record.moment[last] + 1
    count = np.bincount(turns.match[last], minlength=record.races)
    return Rounds(moment, np.concatenate([[0], np.cumsum(count)]), count)
