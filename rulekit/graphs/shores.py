"""Figures of a piece of water alone: separate waters, passages one hex wide, longest straights."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import networkx as nx

from rulekit.hexgrid import Facing, Hex, by_name
from rulekit.powerboats.lake import Lake


class Straight(NamedTuple):
    """Water hexes in a row."""

    first: Hex
    facing: Facing
    length: int

    @property
    def last(self) -> Hex:
        """The hex at the other end."""
        return self.first.step(self.facing, self.length - 1)


def water_graph(water: Iterable[Hex]) -> "nx.Graph[Hex]":
    """The graph of water hexes, neighbours joined."""
    nodes = by_name(water)
    wet = frozenset(nodes)
    graph: nx.Graph[Hex] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((at, step) for at in nodes for step in at.neighbours() if step in wet)
    return graph


def land_share(lake: Lake) -> Fraction:
    """Land hexes among all hexes of the board; 0 for an empty board."""
    return Fraction(len(lake.land), len(lake.hexes)) if lake.hexes else Fraction(0)


def parts(water: Iterable[Hex]) -> list[tuple[Hex, ...]]:
    """The waters that hang together, the largest first."""
    found = (tuple(by_name(part)) for part in nx.connected_components(water_graph(water)))
    return sorted(found, key=lambda part: (-len(part), part))


def passages(water: frozenset[Hex]) -> list[tuple[Hex, ...]]:
    """Passages one hex wide: joined hexes whose water neighbours do not lie side by side, so that they part in two."""
    return parts(at for at in water if _runs(at, water) > 1)


def _runs(at: Hex, water: frozenset[Hex]) -> int:
    """Runs of water in the ring of neighbours."""
    ring = [step in water for step in at.neighbours()]
    return sum(ring[k] and not ring[k - 1] for k in range(6))


def longest_straights(water: frozenset[Hex]) -> list[Straight]:
    """All rows of water hexes of the greatest length, each told once (towards E, NE or NW)."""
    rows = [
        Straight(at, facing, _clear(at, facing, water))
        for facing in (Facing.E, Facing.NE, Facing.NW)
        for at in by_name(water)
        if at.step(facing, -1) not in water
    ]
    longest = max((row.length for row in rows), default=0)
    return [row for row in rows if row.length == longest]


def _clear(at: Hex, facing: Facing, water: frozenset[Hex]) -> int:
    length = 0
    while at.step(facing, length) in water:
        length += 1
    return length
