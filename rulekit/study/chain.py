"""When a boat leaves the lake: exact distributions by state under a policy, worked out only where boats come.

Each throw that the policy makes is a node; the chances to finish and to sink in the next turn, the one after, … follow
from those of the nodes it leads to. A boat is taken to have the lake to itself.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulekit.solve.kernel import Floats, Ints
from rulekit.solve.policy import Policy
from rulekit.study.chain_kernel import Links, Longs, Singles, first_turn, follow, next_turn

LEFT, MOST_TURNS = 1e-8, 400
"""Distributions are followed until from no node a race goes on with a greater chance, or for so many turns."""


@dataclass(frozen=True, eq=False)
class Chain:
    """A policy followed from many states: `finish` and `sink` are chances by [node, turn], turn 0 being the next one.

    The first nodes are those of the dice choices asked for, in their order; `node_of` finds any state's own.
    """

    policy: Policy
    links: Links
    ids: Ints
    finish: Singles
    sink: Singles
    left: float
    """The greatest chance that a race goes on after the last turn."""

    @property
    def turns(self) -> int:
        """Turns followed."""
        return int(self.finish.shape[1])

    def node_of(self, states: Longs) -> Ints:
        """The nodes in which the policy chooses in these states; boats that have left stay as they are."""
        known = self.ids[np.maximum(states, 0)]
        return np.where(states >= 0, known, states).astype(np.int32)

    @cached_property
    def sum_to_one(self) -> Floats:
        """By node the chance that the race ends within the turns followed."""
        return np.asarray((self.finish + self.sink).sum(axis=1, dtype=float))


def chain(policy: Policy, states: Longs, choice_states: Longs, entries: Ints) -> Chain:
    """The policy followed from states, and from states in which a dice choice (an entry of the throw table) is made.

    States that a boat has left the lake in (below 0) are passed over in `states`; `choice_states` has none.
    """
    race, choice = policy.race, policy.choice.ravel()
    own = np.unique(states[states >= 0])
    ids = np.full(choice.size, -1, np.int32)
    roots = np.concatenate([choice_states, own])
    made = np.concatenate([np.asarray(entries, np.int32), choice[own].astype(np.int32)])
    ids[own] = np.arange(choice_states.size, roots.size, dtype=np.int32)
    links = follow(race.board, race.dice_tables, choice, policy.steer.ravel(), roots, made, ids)
    finish, sink, left = _distributions(links)
    return Chain(policy, links, ids, finish, sink, left)


def _distributions(links: Links) -> tuple[Singles, Singles, float]:
    """(finish, sink) by [node, turn], and the greatest chance that is left."""
    now, after = (np.empty((links.state.size, 2)) for _ in range(2))
    left, told = np.ones(links.state.size), list[Singles]()
    first_turn(links, now)
    while True:
        told.append(now.astype(np.float32))
        left -= now.sum(axis=1)
        most = float(left.max(initial=0.0))
        if most < LEFT or len(told) == MOST_TURNS:
            finish, sink = (np.stack([turn[:, k] for turn in told], axis=1) for k in range(2))
            return finish, sink, max(most, 0.0)
        next_turn(links, now, after)
        now, after = after, now
