"""Chances to win after every turn, from exact distributions of the turns that each boat still takes.

Each boat is taken to race on as the solo optimum does, by itself, so that turns left are independent. For the next
`AHEAD` turns the boats in each other's way are minded too, exactly; what they do to each other later is left out, since
races played on from every moment would bring in more noise than they mend. `self_check` tells how well that holds, and
`rollouts` how far off the chances at given moments are.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rulekit.simulate.solved import Solved
from rulekit.solve.kernel import Floats, Ints, Shorts
from rulekit.solve.model import Straights
from rulekit.solve.policy import Policy
from rulekit.study.ahead_kernel import Branch, Straits, mend_wins
from rulekit.study.chain import Chain, chain
from rulekit.study.chain_kernel import Longs, end_states
from rulekit.study.oracle_kernel import turn_chances, win_chances
from rulekit.study.record import RaceRecord

if TYPE_CHECKING:
    from rulekit.study.evidence import Evidence

AHEAD = 4
"""Turns of all boats together in which the oracle minds who is in whose way."""

BEFORE, CHOSEN, THROWN, STEERED, AFTER = range(5)
"""Stages of a turn: before it; with the dice choice made; with the hand thrown, on the optimum's way; on the way taken,
without other boats; where the boat came to be."""


@dataclass(frozen=True, eq=False)
class RaceOracle:
    """Chances to win the races of a record.

    `win` by [moment, seat]; a race's last moment has what came of it. `apart` are the chances of boats that are never
    in each other's way, `own` the mover's of them by [turn, stage], 0 in all stages once the race has been won; `aimed`
    is where the optimum would go with the hand thrown.
    """

    record: RaceRecord
    chain: Chain
    win: Floats
    apart: Floats
    own: Floats
    aimed: Longs


@dataclass(frozen=True, eq=False)
class Oracle:
    """The oracle of each course's races."""

    races: tuple[RaceOracle, ...]


def oracle_of(evidence: "Evidence") -> Oracle:
    """The chances to win after every turn of the races."""
    return Oracle(tuple(race_oracle(record) for record in evidence.record.races))


def race_oracle(record: RaceRecord) -> RaceOracle:
    """The chances to win after every turn of one course's races."""
    assert record.course is not None
    policy, turns = record.course.policy, record.turns
    aimed = aimed_states(policy, turns.before, turns.thrown)
    found, chosen = _followed(policy, record, aimed)
    tables, node = (found.finish, found.sink), found.node_of(record.state)
    apart = win_chances(*tables, node, record.mover, record.winner)
    apart[record.ends] = record.wins
    win = mended(record, found, node, apart)
    made = np.stack([found.node_of(turns.before), chosen], axis=1)
    after = np.stack([found.node_of(states) for states in (aimed, turns.free, turns.after)], axis=1)
    own = turn_chances(*tables, node, record.moment, turns.seat, record.winner, made, after)
    return RaceOracle(record, found, win, apart, own, aimed)


def mended(record: RaceRecord, found: Chain, node: Ints, apart: Floats, turns: int = AHEAD) -> Floats:
    """The chances to win with the boats that are in the way of the next few turns; as they are over tiles."""
    course, win = record.course, apart.copy()
    straits = straits_of(course) if course else None
    if course is None or straits is None:
        return win
    shape, steer = (turns, record.seats), course.policy.steer.ravel()
    branch = Branch(
        np.zeros(shape, np.int64), np.zeros(shape, np.int32), np.zeros(turns, np.int64), np.zeros(turns),
        np.zeros(turns, np.int64),
    )  # fmt: skip
    moments = record.state, node, record.mover, record.winner
    mend_wins(
        found.links,
        straits,
        steer,
        found.ids,
        found.finish,
        found.sink,
        *moments,
        branch,
        np.empty((3, record.seats)),
        win,
    )
    return np.clip(win, 0.0, 1.0)


def straits_of(course: Solved) -> Straits | None:
    """What moves on a course without tiles need, None over tiles."""
    if not isinstance(course.race.moves, Straights):
        return None
    water = course.water
    return Straits(water.to, water.at, water.clear, course.throws.pips, course.race.levels)


def aimed_states(policy: Policy, before: Longs, thrown: Shorts) -> Longs:
    """Where a policy's direction with a hand thrown leads."""
    race, steer = policy.race, policy.steer.ravel()
    cells = before - before % race.row_cells + thrown.astype(np.int64) * 8 + before % 8
    return np.asarray(end_states(race.board, race.dice_tables, before, thrown, steer[cells]))


def _followed(policy: Policy, record: RaceRecord, aimed: Longs) -> tuple[Chain, Ints]:
    """The policy followed from all states of the races, and the node of each turn's dice choice."""
    turns, entries = record.turns, int(policy.race.dice.throws.start[-1])
    other = turns.entry != policy.choice.ravel()[turns.before]
    pairs, number = np.unique(turns.before[other] * entries + turns.entry[other], return_inverse=True)
    states = np.concatenate([record.state.ravel(), turns.free, aimed])
    found = chain(policy, states, pairs // entries, (pairs % entries).astype(np.int32))
    chosen = found.node_of(turns.before)
    chosen[other] = number
    return found, chosen


class SelfCheck(NamedTuple):
    """Two numbers a race with equal means if the oracle is right: the sum of all squared changes of the chances, and
    the squares of how the race ended; both begin at each boat's share of wins."""

    changes: Floats
    ends: Floats


def self_check(oracle: RaceOracle) -> SelfCheck:
    """Σ (ΔW)² over boats and turns, the draw of the start included, and Σ (w − p)² over boats, race by race.

    Chances are a martingale where they are right, so that E Σ (ΔW)² is the variance of w.
    """
    record, share = oracle.record, oracle.record.wins.mean(axis=0)
    step = np.zeros_like(oracle.win)
    step[1:] = oracle.win[1:] - oracle.win[:-1]
    step[record.starts] = oracle.win[record.starts] - share
    changes = np.add.reduceat((step**2).sum(axis=1), record.starts)
    return SelfCheck(changes, ((record.wins - share) ** 2).sum(axis=1))
