"""Legs that keep apart: going on from a buoy, need a boat cross its own path from the former one? (PB-8)

For each step over a buoy's rounding line: the shortest leg that ends with it, and the next leg in the lake less that
leg's hexes; and the other way round, the shortest next leg first. The shortest pair found is told. Where none is
found there may be one all the same, with two legs that are both longer than they need to be.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rulekit.graphs.lifted import Lifted
from rulekit.hexgrid import Hex, by_name
from rulekit.powerboats.rounding import Step

Chain = tuple[Hex, ...]
Ways = dict[Hex, tuple[Hex, ...]]


class Leg(NamedTuple):
    """One leg of a pair round a buoy: from one gate to the next (gate 0 the start, then the buoys, then the finish).

    The leg after the buoy begins on the hex where the leg before it ends. `crosses` are the hexes that both use.
    """

    buoy: int
    start: int
    end: int
    hexes: Chain
    crosses: Chain


class Layer:
    """The water at one progress: the steps that keep it, and the steps that pass the next gate."""

    def __init__(self, lifted: Lifted, progress: int) -> None:
        self.lifted, self.progress = lifted, progress

    @cached_property
    def ways(self) -> Ways:
        """From each hex the hexes one step away that pass no gate, neither forward nor back."""
        after, progress = self.lifted.gates.after_step, self.progress
        return {
            at: tuple(step for step in near if after(progress, at, step) == progress)
            for at, near in self.lifted.near.items()
        }

    @cached_property
    def back(self) -> Ways:
        """The same steps from their ends."""
        ends: dict[Hex, list[Hex]] = {at: [] for at in self.ways}
        for at, steps in self.ways.items():
            for step in steps:
                ends[step].append(at)
        return {at: tuple(steps) for at, steps in ends.items()}

    @cached_property
    def exits(self) -> list[Step]:
        """The steps over the next gate."""
        wet = self.lifted.near
        return sorted((a, b) for a, b in self.lifted.gates.known[self.progress] if a in wet and b in wet)

    @cached_property
    def exits_of(self) -> Ways:
        """Where the steps over the next gate lead from each hex that has one."""
        return {a: tuple(b for _, b in steps) for a, steps in groupby(self.exits, key=itemgetter(0))}

    @cached_property
    def entries(self) -> list[Hex]:
        """Where boats come to this progress: the strip, or the far ends of the steps over the gate before."""
        if self.progress == 1:
            return [place.at for place in self.lifted.starts]
        return list(dict.fromkeys(b for _, b in Layer(self.lifted, self.progress - 1).exits))

    @cached_property
    def onward(self) -> "Tree":
        """Shortest ways from everywhere to the next gate, searched from there."""
        return Tree(self.back, self.exits_of)

    def leave(self, start: Hex, barred: frozenset[Hex]) -> Chain | None:
        """The shortest chain from a hex over the next gate that keeps off the barred hexes."""
        tree = Tree(self.ways, [start], barred)
        ends = ((a, b) for a in tree.came for b in self.exits_of.get(a, ()) if b not in barred)
        last = next(ends, None)
        return None if last is None else (*tree.chain(last[0]), last[1])


class Tree:
    """A breadth-first search: how each hex was first reached, in the order of distance."""

    def __init__(self, ways: Ways, starts: Iterable[Hex], barred: frozenset[Hex] = frozenset()) -> None:
        self.came: dict[Hex, Hex | None] = {start: None for start in starts if start not in barred}
        self.steps = dict.fromkeys(self.came, 0)
        queue = deque(self.came)
        while queue:
            at = queue.popleft()
            for step in ways[at]:
                if step not in self.came and step not in barred:
                    self.came[step] = at
                    self.steps[step] = self.steps[at] + 1
                    queue.append(step)

    def chain(self, end: Hex) -> Chain:
        """From a start to the end."""
        found = [end]
        while (before := self.came[found[-1]]) is not None:
            found.append(before)
        return tuple(reversed(found))


class Pair(NamedTuple):
    """Two legs that meet at the end of a step over a rounding line."""

    to: Chain
    on: Chain

    @property
    def steps(self) -> int:
        """Steps of both."""
        return len(self.to) + len(self.on) - 2

    @property
    def shared(self) -> Chain:
        """Hexes of both, apart from the one where they meet."""
        return tuple(by_name(set(self.to[:-1]) & set(self.on)))


def legs(lifted: Lifted) -> list[Leg]:
    """Two legs for each buoy that boats can round: a pair that keeps apart where one is found, else the shortest."""
    found = []
    for buoy in range(1, lifted.gates.last - 1):
        pair = shortest_pair(Layer(lifted, buoy), Layer(lifted, buoy + 1))
        if pair:
            found += [
                Leg(buoy, buoy - 1, buoy, pair.to, pair.shared),
                Leg(buoy, buoy, buoy + 1, pair.on, pair.shared),
            ]
    return found


def shortest_pair(before: Layer, after: Layer) -> Pair | None:
    """The shortest pair that keeps apart; without one the shortest at all, None where the buoy cannot be rounded."""
    reach = Tree(before.ways, before.entries)
    onward = after.onward
    steps = [(a, b) for a, b in before.exits if a in reach.came and b in onward.came]
    steps.sort(key=lambda step: reach.steps[step[0]] + onward.steps[step[1]])
    best: Pair | None = None
    for a, b in steps:
        least = reach.steps[a] + 1 + onward.steps[b] + 1
        if best and best.steps <= least:
            break
        for pair in pairs_over(before, after, reach.chain(a), b):
            if not best or pair.steps < best.steps:
                best = pair
    if best or not steps:
        return best
    a, b = steps[0]
    return Pair((*reach.chain(a), b), _shortest_on(after, b))


def _shortest_on(after: Layer, start: Hex) -> Chain:
    chain = after.onward.chain(start)[::-1]
    return (*chain, after.exits_of[chain[-1]][0])


def pairs_over(before: Layer, after: Layer, to: Chain, step: Hex) -> Iterator[Pair]:
    """The pairs over one step of the line, from the last hex of `to`: one leg as short as can be, the other apart."""
    on = None if step in to else after.leave(step, frozenset(to))
    if on is not None:
        yield Pair((*to, step), on)
    shortest = _shortest_on(after, step)
    apart = Tree(before.ways, before.entries, frozenset(shortest))
    if to[-1] in apart.came:
        yield Pair((*apart.chain(to[-1]), step), shortest)
