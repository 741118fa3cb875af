"""What metrics are worked out from: races played and the exact solution, each made when it is first asked for.

Seats are numbered as they sit; who moves first is drawn for each match and moves on from race to race (PB-14). Where
metrics tell of a seat they mean the place in the order of turns: seat 1 moves first and places its boat last.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from rulekit.errors import BadInput
from rulekit.hexgrid import hex_name
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest, Ints, Outcomes, play
from rulekit.simulate.rates import Chunks, chunk_size, places, workers
from rulekit.simulate.solved import solved
from rulekit.simulate.table import drawn_starter
from rulekit.solve.best import Best, least, values_of
from rulekit.solve.kernel import Floats
from rulekit.solve.passage import follow_policy
from rulekit.solve.policy import Policy
from rulekit.solve.tables import Numbered, dice_rules
from rulekit.study.harm import Harm, harm_of
from rulekit.study.restricted import Restricted, restricted_races

if TYPE_CHECKING:
    from rulekit.simulate.turn_log import TurnLog
    from rulekit.study.oracle import Oracle
    from rulekit.study.record import Record


PLAYERS = range(2, 7)
CROWD_RACES = 400
"""Numbers of boats that are compared, and races of each."""


@dataclass(frozen=True)
class SolvedCourse:
    """A course's exact solo optimum: its best race from the best start, and the policy."""

    best: Best
    policy: Policy

    @property
    def numbered(self) -> Numbered:
        """The course as numbers."""
        return self.best.numbered

    @cached_property
    def restrictions(self) -> list[Restricted]:
        """The best policy, then the best ones without a feature of the game each."""
        return restricted_races(self.numbered, self.best.solution)

    @cached_property
    def hex_names(self) -> list[str]:
        """The names of the water hexes by number."""
        return [hex_name(at) for at in self.numbered.hexes]

    @cached_property
    def harm(self) -> Harm:
        """Where the best race takes damage."""
        return harm_of(self.policy, self.numbered.state(self.best.start.boat))


@dataclass(frozen=True, eq=False)
class Evidence:
    """So many matches (`races`) of a contest, and the exact solution of its courses."""

    contest: Contest
    races: int
    jobs: int = 1

    @classmethod
    def given(cls, contest: Contest, **parts: Any) -> "Evidence":
        """Evidence with parts made elsewhere (`outcomes`, `record`, `solved`, `oracle`, `starters`) under their names.

        Raises ValueError for the name of no part.
        """
        for name in parts:
            if not isinstance(cls.__dict__.get(name), cached_property):
                raise ValueError(f"evidence has no part {name}")
        races = parts["outcomes"].played.shape[1] if "outcomes" in parts else int(parts.get("races", 0))
        found = cls(contest, races)
        found.__dict__.update(parts)
        return found

    @property
    def seats(self) -> int:
        """Number of boats."""
        return self.contest.seats

    @cached_property
    def outcomes(self) -> Outcomes:
        """How all races ended."""
        return joined(_played(self.contest, self.races, self.jobs))

    @cached_property
    def logs(self) -> "tuple[TurnLog, ...]":
        """The turns of each course's races; raises BadInput for a course without a limit on the dice."""
        from rulekit.simulate.turn_log import turns_of

        return tuple(turns_of(self.contest, number, 0, self.races) for number in range(len(self.contest.races)))

    @cached_property
    def record(self) -> "Record":
        """Every turn of the races."""
        from rulekit.study.record import record_of

        return record_of(self)

    @cached_property
    def oracle(self) -> "Oracle":
        """Every boat's chance to win after every turn."""
        from rulekit.study.oracle import oracle_of

        return oracle_of(self)

    @cached_property
    def solved(self) -> tuple[SolvedCourse, ...]:
        """The exact solo optimum of each course; raises BadInput where one cannot be solved."""
        return tuple(solved_course(waters) for waters in self.contest.races)

    @cached_property
    def crowds(self) -> "tuple[Evidence, ...]":
        """The contest with 2, 3, … boats, as many as can race: itself, and fewer races for the other numbers."""
        return tuple(self if players == self.seats else other for players, other in _crowds(self))

    def pips(self, number: int) -> Ints:
        """The total of each hand by its number, on a course by its number."""
        return np.asarray(dice_rules(self.contest.races[number]).hands.pip_count, np.int64)

    @cached_property
    def starters(self) -> Ints:
        """The seat that moves first, by [race, match]."""
        first = [drawn_starter(self.seats, self.contest.seed, match) for match in range(self.races)]
        return (np.array(first, np.int64) + np.arange(len(self.contest.races))[:, None]) % self.seats

    @cached_property
    def lined_up(self) -> Ints:
        """Each seat's policy, by its number in the line-up: [match, seat]."""
        by = np.arange(self.races)[:, None] if self.contest.rotate else np.zeros((self.races, 1), np.int64)
        return np.asarray((np.arange(self.seats) + by) % self.seats, np.int64)

    @cached_property
    def prefixes(self) -> list[str]:
        """What to put before a course's labels: nothing for one alone, else its name, or its race's number where
        courses are named alike."""
        names = [waters.course.name for waters in self.contest.races]
        if len(set(names)) < len(names):
            names = [f"race {number}" for number in range(1, len(names) + 1)]
        return [f"{name}: " for name in names] if len(names) > 1 else [""]

    @property
    def policy_names(self) -> list[str]:
        """The policies of the line-up, each once."""
        return list(dict.fromkeys(self.contest.policies))

    def plays(self, name: str) -> np.ndarray:
        """Which seats a policy plays, by [match, seat]."""
        return np.array([policy == name for policy in self.contest.policies])[self.lined_up]

    @cached_property
    def ranks(self) -> Floats:
        """Final ranks by [race, match, seat], shared ones by their mean; a later exit of sunk boats ranks better."""
        return np.asarray(places(self.outcomes) / 2)

    @cached_property
    def wins(self) -> Floats:
        """1 / (number of winners) for a winner, else 0, by [race, match, seat]; 0 in races that were not held."""
        won = self.ranks == self.ranks.min(axis=-1, keepdims=True)
        return np.asarray(won / won.sum(axis=-1, keepdims=True) * self.outcomes.played[..., None])

    @cached_property
    def held(self) -> np.ndarray:
        """Which races were held, by [race, match]."""
        return self.outcomes.played.astype(bool)

    def in_turn_order(self, values: np.ndarray) -> np.ndarray:
        """Values by [race, match, seat] with the seats in their order of turns."""
        order = (self.starters[..., None] + np.arange(self.seats)) % self.seats
        return np.take_along_axis(values, order, axis=-1)

    def of_races(self, values: np.ndarray) -> np.ndarray:
        """Values by [race, match, …] as [held race, …], match by match."""
        return np.asarray(np.swapaxes(values, 0, 1)[self.held.T])


def _crowds(evidence: Evidence) -> Iterator[tuple[int, Evidence]]:
    policies = evidence.contest.policies
    for players in PLAYERS:
        line_up = tuple(policies[k % len(policies)] for k in range(players))
        contest = replace(evidence.contest, policies=line_up)
        with suppress(BadInput):
            contest.check()
            yield players, Evidence(contest, min(evidence.races, CROWD_RACES), evidence.jobs)


def solved_course(waters: Waters) -> SolvedCourse:
    """A course's exact solo optimum; raises BadInput where it cannot be solved or no start leads to a sure end."""
    found = solved(waters)
    starts = values_of(found.solution, found.numbered, found.starts)
    start = least(starts)
    if not isfinite(start.value):
        raise BadInput("no race ends for sure from any of these starts")
    passage = follow_policy(found.policy, found.numbered.state(start.boat))
    return SolvedCourse(Best(found.numbered, found.solution, starts, passage), found.policy)


def joined(parts: Iterable[Outcomes]) -> Outcomes:
    """The outcomes of several runs of matches as one."""
    return Outcomes(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))


def _played(contest: Contest, matches: int, jobs: int) -> Sequence[Outcomes]:
    chunks = list(Chunks(matches, chunk_size(contest)))
    with workers(contest, jobs) as pool:
        if pool is None:
            return [play(contest, *chunk) for chunk in chunks]
        return list(pool.map(play, [contest] * len(chunks), *zip(*chunks, strict=True)))
