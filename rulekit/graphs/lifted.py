"""The water lifted by progress: dead water, choke points, and what all shortest routes share (PB-10…PB-12)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from rulekit.graphs.bays import Bay, bays
from rulekit.hexgrid import Hex, by_name
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import DEFAULT, Gates, gates
from rulekit.powerboats.route import Nearby, Place, nearby, shortest_chain, stepper
from rulekit.readings import PowerboatsReadings


@dataclass(frozen=True)
class Lifted:
    """All places (hex, progress) that a boat can reach from the strip, and the steps between them.

    The course must be settled. Nothing leads on from the finish.
    """

    course: Course
    readings: PowerboatsReadings = DEFAULT

    @cached_property
    def gates(self) -> Gates:
        """The gates of the course."""
        return gates(self.course, self.readings)

    @cached_property
    def near(self) -> Nearby:
        """The water neighbours of each hex."""
        return nearby(self.course.water)

    @cached_property
    def starts(self) -> tuple[Place, ...]:
        """The strip with progress 1."""
        return tuple(Place(at, 1) for at in self.course.strip if at in self.near)

    @cached_property
    def graph(self) -> "nx.DiGraph[Place]":
        """The directed graph of places."""
        graph: nx.DiGraph[Place] = nx.DiGraph()
        graph.add_nodes_from(self.starts)
        waiting, steps = list(self.starts), stepper(self.gates, self.near)
        while waiting:
            place = waiting.pop()
            ways = steps(place) if place.progress < self.gates.last else []
            fresh = [step for step in ways if step not in graph]
            graph.add_edges_from((place, step) for step in ways)
            waiting += fresh
        return graph

    @cached_property
    def route(self) -> tuple[Place, ...] | None:
        """A shortest route, with the progress at each hex."""
        return shortest_chain(self.gates, self.near, self.starts)

    @cached_property
    def live(self) -> frozenset[Hex]:
        """Hexes that some way from the strip to the finish can pass through."""
        back = self.graph.reverse(copy=False)
        ends = [place for place in self.graph if place.progress == self.gates.last]
        return frozenset(place.at for place in _reached(back, ends))

    @property
    def dead(self) -> tuple[Hex, ...]:
        """Water that is not both reachable from the strip and on a way to the finish."""
        return tuple(by_name(self.course.water - self.live))

    @cached_property
    def bays(self) -> tuple[Bay, ...]:
        """Bays of the live water without a gate inside: no boat has to go there."""
        passed = {step for gate in self.gates.known for step in gate}
        gated = {at for a, b in passed if a in self.live and b in self.live for at in (a, b)}
        return tuple(bays(self.live, gated | set(self.course.strip)))

    def detours(self, hexes: Iterable[Hex]) -> dict[Hex, int | None]:
        """For each hex the steps of the shortest route that keeps off it, None where there is none."""
        numbered = _Numbered(self)
        return {at: numbered.steps_without(at) for at in dict.fromkeys(hexes)}

    @cached_property
    def _on_route(self) -> dict[Hex, int | None]:
        # A hex off one shortest route leaves that route: only the hexes on it can matter.
        return self.detours(place.at for place in self.route or ())

    @property
    def choke(self) -> tuple[Hex, ...]:
        """Hexes whose removal leaves no route, in the order of a route."""
        return tuple(at for at, steps in self._on_route.items() if steps is None)

    @property
    def shared(self) -> tuple[Hex, ...]:
        """Hexes that all shortest routes share, in their order: choke points, and those that cost a detour."""
        shortest = len(self.route or ()) - 1
        return tuple(at for at, steps in self._on_route.items() if steps != shortest)


def _reached(graph: "nx.DiGraph[Place]", starts: Iterable[Place]) -> set[Place]:
    found = set(starts)
    waiting = list(found)
    while waiting:
        fresh = set(graph[waiting.pop()]) - found
        found |= fresh
        waiting += fresh
    return found


class _Numbered:
    """The lifted graph with numbers for places: many searches, each without one hex."""

    def __init__(self, lifted: Lifted) -> None:
        places = list(lifted.graph)
        number = {place: k for k, place in enumerate(places)}
        self.hexes = [place.at for place in places]
        self.steps = [[number[step] for step in lifted.graph[place]] for place in places]
        self.ends = {number[place] for place in places if place.progress == lifted.gates.last}
        self.starts = [number[place] for place in lifted.starts]

    def steps_without(self, barred: Hex) -> int | None:
        """Steps of the shortest route that keeps off a hex."""
        seen = bytearray(at == barred for at in self.hexes)
        layer = [start for start in self.starts if not seen[start]]
        length = 0
        while layer:
            if not self.ends.isdisjoint(layer):
                return length
            layer, length = self._following(layer, seen), length + 1
        return None

    def _following(self, layer: list[int], seen: bytearray) -> list[int]:
        following = []
        for place in layer:
            for step in self.steps[place]:
                if not seen[step]:
                    seen[step] = 1
                    following.append(step)
        return following
