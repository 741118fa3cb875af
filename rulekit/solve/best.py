"""The best solo race of a course: from which start, in how many turns, at what risk; in time; by sink cost."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, isfinite

import numpy as np

from rulekit.errors import BadInput
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.distance import Heading
from rulekit.powerboats.odds import check_damage
from rulekit.powerboats.waters import Waters
from rulekit.solve.bounds import SINK_COST, Report, Solution, solve
from rulekit.solve.horizon import finish_within
from rulekit.solve.jit import use_threads
from rulekit.solve.passage import Passage, follow_best
from rulekit.solve.tables import Numbered, dice_rules

MOST_STATES = 200_000_000
MOST_THROWS = 32_767
"""Sizes beyond which a race is refused: memory (about 40 bytes a state), and the numbers of dice choices."""

CHEAPEST, DEAREST = 1.0, 10_000.0
MOST_TRADES = 16
"""Sink costs at the ends of the Pareto front, and the number of races solved for it at most."""


@dataclass(frozen=True)
class Start:
    """A start with its value and certified bounds on the optimum from there."""

    boat: Boat
    value: float
    lower: float
    upper: float


@dataclass(frozen=True)
class Best:
    """The best race: values of all starts, and what becomes of the race from the best of them."""

    numbered: Numbered
    solution: Solution
    starts: tuple[Start, ...]
    passage: Passage

    @property
    def start(self) -> Start:
        """The first of the best starts."""
        return least(self.starts)

    @property
    def on_purpose(self) -> bool:
        """Whether the best race sinks on purpose: that is cheaper here than to finish."""
        return self.passage.sink > 0.5 or self.start.value > self.solution.sunk


@dataclass(frozen=True)
class Trade:
    """A point between turns and risk: the best race under one sink cost, from the best start under it."""

    turns: float
    sink: float
    sink_cost: float
    start: Boat

    @property
    def on_purpose(self) -> bool:
        """Whether this race sinks on purpose, more often than not."""
        return self.sink > 0.5


def least(starts: Iterable[Start]) -> Start:
    """The first start with the least value."""
    return min(starts, key=lambda start: start.value)


def check_size(waters: Waters) -> None:
    """Raises BadInput for a race too large to be solved, before any table is made."""
    dice = dice_rules(waters)
    faces, most = len(dice.faces), dice.most
    states = len(waters.water) * 6 * waters.last * waters.readings.sink_at * comb(most + faces, faces)
    if states > MOST_STATES:
        size = f"{states / 1e6:.0f} million states, about {states * 40 / 1e9:.0f} GB"
        raise BadInput(
            f"this race is too large to be solved ({size}): fewer dice (--dice-max {most - 1}), faces or damage"
        )
    if comb(most + faces + 1, faces + 1) > MOST_THROWS:
        raise BadInput(f"{most} dice with {faces} different faces are too many to be solved: --dice-max {most - 1}")


def own_or_legal_starts(numbered: Numbered, own: Sequence[Boat], damage: int) -> list[Boat]:
    """The boats to start with, with their damage: those given, or one for each start that the rules allow (PB-13).

    Raises BadInput for damage that would have sunk them, or where no start is water or leads to the finish.
    """
    check_damage(damage, numbered.waters.readings)
    boats = [Boat(boat.at, boat.facing, boat.hand, boat.progress, damage) for boat in own or numbered.starts]
    if not boats:
        raise BadInput("there is no place to start from: no hex of the strip is water (PB-13)")
    if not numbered.waters.effects and not any(_has_way(numbered.waters, boat) for boat in boats):
        raise BadInput("there is no way to the finish from any of these starts (PB-12)")
    return boats


def _has_way(waters: Waters, boat: Boat) -> bool:
    return Heading(boat.at, boat.facing, boat.progress) in waters.steps_left


def values_of(solution: Solution, numbered: Numbered, boats: Iterable[Boat]) -> tuple[Start, ...]:
    """The boats' values with their bounds."""
    states = [(boat, numbered.state(boat)) for boat in boats]
    return tuple(Start(boat, solution.value(*state), *solution.bounds(*state)) for boat, state in states)


def best_race(
    numbered: Numbered, boats: Sequence[Boat], *, sink_cost: float = SINK_COST, within: float = 1e-6,
    threads: int | None = None, report: Report | None = None,
) -> Best:  # fmt: skip
    """The least expected turns plus `sink_cost` × the chance of sinking, with bounds at most `within` apart.

    Raises BadInput where no start leads to a race that surely ends.
    """
    solution = solve(numbered.race, sunk=sink_cost, within=within, threads=threads, report=report)
    starts = values_of(solution, numbered, boats)
    start = least(starts)
    if not isfinite(start.value):
        raise BadInput("no race ends for sure from any of these starts")
    return Best(numbered, solution, starts, follow_best(solution, numbered.state(start.boat)))


@dataclass(frozen=True)
class Deadline:
    """The greatest chance to finish in time: by number of turns for the best start then, and for all starts at last."""

    chances: tuple[float, ...]
    starts: tuple[Start, ...]

    @property
    def start(self) -> Start:
        """The first of the best starts."""
        return max(self.starts, key=lambda start: start.value)


def by_deadline(
    numbered: Numbered, boats: Sequence[Boat], turns: int, threads: int | None = None, report: Report | None = None
) -> Deadline:
    """The greatest chance to finish within 1, 2, …, `turns` turns; what follows a missed deadline does not count."""
    use_threads(threads)
    race, best = numbered.race, []
    levels, cells = _cells(numbered, boats)
    chances = np.zeros(len(boats))
    for found in finish_within(race, turns, report=report):
        chances = found[levels, cells]
        best.append(float(chances.max()))
    error = turns * (race.dice.most * (len(race.dice.faces) + 2) + 8) * 2.0**-52
    starts = tuple(
        Start(boat, float(p), float(p) * (1 - error), min(1.0, float(p) * (1 + error)))
        for boat, p in zip(boats, chances, strict=True)
    )
    return Deadline(tuple(best), starts)


def fewest_turns(numbered: Numbered, boats: Sequence[Boat], most: int = 200) -> int | None:
    """Turns to the finish with the best dice from the best of some states; None if that takes more than `most`."""
    levels, cells = _cells(numbered, boats)
    for turn, found in enumerate(finish_within(numbered.race, most), 1):
        if found[levels, cells].max() > 0:
            return turn
    return None


def _cells(numbered: Numbered, boats: Iterable[Boat]) -> tuple[list[int], list[int]]:
    states = [numbered.state(boat) for boat in boats]
    return [state[0] for state in states], [numbered.race.cell(*state[1:]) for state in states]


def pareto(
    numbered: Numbered, boats: Sequence[Boat], *, most: int = MOST_TRADES, threads: int | None = None,
    report: Report | None = None, tell: Callable[[float], None] = lambda _sink_cost: None,
) -> list[Trade]:  # fmt: skip
    """The front between expected turns and the chance of sinking: the convex hull of the best races by sink cost.

    Between two points the sink cost that makes them equal is solved next, the widest gap first, until no point lies
    between or `most` races have been solved. Each point is exact for the race found with its sink cost, from the best
    start under it. `tell` is called with each sink cost before its race is solved.
    """

    def trade(sink_cost: float) -> Trade:
        tell(sink_cost)
        best = best_race(numbered, boats, sink_cost=sink_cost, within=1e-5, threads=threads, report=report)
        return Trade(best.passage.turns, best.passage.sink, sink_cost, best.start.boat)

    found = [trade(CHEAPEST), trade(DEAREST)]
    gaps = [(found[0], found[1])]
    while gaps and len(found) < most:
        fast, safe = gap = max(gaps, key=lambda gap: gap[0].sink - gap[1].sink)
        gaps.remove(gap)
        if fast.sink - safe.sink > NEAR and safe.turns - fast.turns > NEAR:
            between = trade((safe.turns - fast.turns) / (fast.sink - safe.sink))
            found.append(between)
            gaps += [(fast, between), (between, safe)] if _bends(fast, between, safe) else []
    return hull(found)


NEAR = 1e-6
"""Points of the front that lie nearer are taken for one."""


def hull(trades: Sequence[Trade]) -> list[Trade]:
    """The lower left convex hull, by rising turns; of points (nearly) alike the one with the least sink cost."""
    front: list[Trade] = []
    for trade in sorted(trades, key=lambda trade: (round(trade.turns / NEAR), trade.sink, trade.sink_cost)):
        if front and trade.sink > front[-1].sink - NEAR:
            continue
        while len(front) > 1 and not _bends(front[-2], front[-1], trade):
            front.pop()
        front.append(trade)
    return front


def _bends(a: Trade, b: Trade, c: Trade) -> bool:
    """Whether b lies clearly below the line from a to c."""
    return (b.sink - a.sink) * (c.turns - a.turns) < (c.sink - a.sink) * (b.turns - a.turns) - NEAR
