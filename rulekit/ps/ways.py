"""All ways of a car alone on the track, for all values and laps at once (PS-9…PS-16, PS-21, PS-23).

`moves.outcomes` searches anew for each value. Alone on the track a value only says how far the same ways are followed:
they differ with the curves that it speeds in, and, where steps may be left unused, with blue. So one walk from a space
tells what every value does there, red's long ones included, and where the last lap ends a move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rulekit.ps.dice import Colour
from rulekit.ps.moves import (
    Drive,
    Step,
    Stretch,
    crossing,
    flies_at,
    flown_to,
    is_mu,
    leads_to_stop,
    starts_on_triangle,
    steps,
)
from rulekit.ps.track import BOXES, FINISH, STOP, Track
from rulekit.readings import PitEntry, PsReadings, StartEntry, Strike

NEVER = 1 << 30


class Ending(NamedTuple):
    """One end of a move: space, STOP or FINISH; crossings of the line forward less backward; points of damage."""

    end: int
    line: int = 0
    damage: int = 0


class Node(NamedTuple):
    """A car in mid-move, as `moves.Stretch` without steps and line: what its next steps depend on."""

    space: int
    diagonal_due: bool = False
    beside: bool = False


class Onward(NamedTuple):
    """What lies ahead of a node: (next node, crossings, whether a μ lets nobody on); the outside spaces that a car
    which flies here is moved back from; and those of cars that fly from the μ one step ahead."""

    nodes: tuple[tuple[Node, int, bool], ...]
    flights: tuple[int, ...]
    mu_flights: tuple[tuple[int, int], ...]


@dataclass
class Walk:
    """The ways from one start, by the number of steps made.

    `ends[m]` are (space, line crossings, whether a μ lets nobody on) after m more steps, `pits` are (steps
    made, crossings) there. `flights[outside space, crossings]` are the fewest steps after which a car flies so;
    `crossed[k]` the fewest to the k-th crossing.
    """

    first: int = 0
    ends: list[set[tuple[int, int, bool]]] = field(default_factory=list)
    flights: dict[tuple[int, int], int] = field(default_factory=dict)
    pits: set[tuple[int, int]] = field(default_factory=set)
    crossed: dict[int, int] = field(default_factory=dict)


class Start(NamedTuple):
    """Where a move begins: a space, a pit place with an exit, or a box (PS-8) with its entry into the inner lane."""

    node: Node
    made: int = 0
    line: int = 0
    on_triangle: bool = False


def start_on(track: Track, space: int) -> Start:
    """A move from a space of a lane, or from pit space 3 or 6."""
    return Start(Node(space), on_triangle=starts_on_triangle(track, space))


def start_in_box(track: Track, box: int, readings: PsReadings) -> Start:
    """The first move from a start box, 1 to 12: its first step leads into the inner lane (PS-8).

    Raises ValueError where the track has no grid.
    """
    if track.box_1 is None or not 1 <= box <= BOXES:
        raise ValueError("no such start box")
    beside = track.along(track.box_1, box - 1)
    if readings.start_entry is StartEntry.INNER_BESIDE:
        return Start(Node(beside, beside=True), made=1)
    return Start(Node(track.ahead[beside]), made=1, line=track.over_line(beside, track.ahead[beside]))


def line_spaces(track: Track) -> tuple[int, ...]:
    """The first space behind the start/finish line in each lane."""
    return tuple(min(lane, key=lambda space: track.from_line[space]) for lane in track.lanes)


class Ways:
    """The endings of moves of a car alone on the track, under the readings.

    `most` is the number of crossings after which no car goes on.
    """

    def __init__(self, track: Track, readings: PsReadings, most: int) -> None:
        self.track, self.readings, self.most = track, readings, most
        self.by_line = tuple(sorted(lane, key=lambda space: track.from_line[space]) for lane in track.lanes)
        self.place = {space: k for lane in self.by_line for k, space in enumerate(lane)}
        self.limited = frozenset(k for k, section in enumerate(track.sections) if section.limit is not None)
        self.known: dict[tuple[object, ...], Onward] = {}
        self.walks: dict[tuple[object, ...], Walk] = {}

    def endings(self, start: Start, colour: Colour, value: int, crossings: int, longest: int) -> frozenset[Ending]:
        """Every ending that the player may choose, for a car that lacks so many crossings to its finish.

        `longest` is the greatest value that will be asked for: the walk of values that speed in every curve goes so
        far once for all.
        """
        walk = self._walk(start, colour, value, longest)
        if self.readings.strike is Strike.FREE:
            return frozenset({*self._free(walk, colour, value, crossings), *self._flown(walk, value, crossings)})
        return frozenset(self._free(walk, colour, value, crossings)) or frozenset(self._flown(walk, value, crossings))

    def most_crossings(self, start: Start, colour: Colour, value: int, longest: int) -> int:
        """The most crossings on any way of the value."""
        made = self._walk(start, colour, value, longest).crossed
        return max((line for line, least in made.items() if least <= value), default=0)

    def _free(self, walk: Walk, colour: Colour, value: int, crossings: int) -> Iterator[Ending]:
        if walk.crossed.get(crossings, NEVER) <= value:
            yield Ending(FINISH, crossings)
        fewest = max(1, walk.first) if colour is Colour.BLUE else value
        for made in range(fewest, value + 1):
            if walk.first <= made < walk.first + len(walk.ends):
                for end, line, held in walk.ends[made - walk.first]:
                    if line < crossings and (made == value or not held):  # with steps left it flies from a μ (PS-14)
                        yield Ending(end, line)
        exact = self.readings.pit_entry is PitEntry.EXACT
        for made, line in walk.pits:
            if line < crossings and (made == value - 1 if exact else made < value):
                yield Ending(STOP, line)

    def _flown(self, walk: Walk, value: int, crossings: int) -> Iterator[Ending]:
        for (outside, line), made in walk.flights.items():
            if made < value and line < crossings:
                end, back = self._back(outside, value)
                yield Ending(end, line - back, 1)

    def _back(self, space: int, by: int) -> tuple[int, int]:
        """The space so many behind, and the crossings of the line on the way (PS-16)."""
        lane = self.by_line[self.track.spaces[space].lane]
        rounds, place = divmod(self.place[space] - by, len(lane))
        return lane[place], -rounds

    def _walk(self, start: Start, colour: Colour, value: int, longest: int) -> Walk:
        speeds_in = frozenset(k for k, s in enumerate(self.track.sections) if s.limit is not None and value > s.limit)
        blue = colour is Colour.BLUE
        if speeds_in != self.limited:
            longest = value
        key = start, blue, speeds_in, longest
        if key not in self.walks:
            drive = Drive(self.track, self.readings, colour, value, frozenset(), start.on_triangle)
            self.walks[key] = self._walked(drive, start, longest, (blue, speeds_in, start.on_triangle))
        return self.walks[key]

    def _walked(self, drive: Drive, start: Start, longest: int, regime: tuple[object, ...]) -> Walk:
        walk, layer = Walk(start.made), {(start.node, start.line, False)}
        if start.line:
            walk.crossed[start.line] = start.made
        for made in range(start.made, longest + 1):
            walk.ends.append({(node.space, line, held) for node, line, held in layer})
            if not layer or made == longest:
                break
            layer = self._further(walk, drive, layer, made, regime)
        return walk

    def _further(
        self, walk: Walk, drive: Drive, layer: set[tuple[Node, int, bool]], made: int, regime: tuple[object, ...]
    ) -> set[tuple[Node, int, bool]]:
        """The layer one step on; notes flights, pit entries and crossings."""
        ahead: set[tuple[Node, int, bool]] = set()
        for node, line, stuck in layer:
            if stuck or line >= self.most:
                continue
            if leads_to_stop(drive, node.space, node.diagonal_due):
                walk.pits.add((made, line))
            onward = self._onward(drive, node, made == 0, regime)
            for outside in onward.flights:
                walk.flights.setdefault((outside, line), made)
            for outside, crossed in onward.mu_flights:
                least = walk.flights.get((outside, line + crossed), NEVER)
                walk.flights[outside, line + crossed] = min(least, made + 1)
            for there, crossed, held in onward.nodes:
                if crossed:
                    walk.crossed.setdefault(line + crossed, made + 1)
                ahead.add((there, line + crossed, held))
        return ahead

    def _onward(self, drive: Drive, node: Node, first: bool, regime: tuple[object, ...]) -> Onward:
        key = regime, node, first
        if key not in self.known:
            at = Stretch(node.space, 0 if first else 1, node.diagonal_due, node.beside)
            self.known[key] = self._looked(drive, at, list(steps(drive, at)))
        return self.known[key]

    def _looked(self, drive: Drive, at: Stretch, offered: list[Step]) -> Onward:
        nodes, flights, mu_flights = [], [], []
        for step in offered:
            if step.to is None or flies_at(drive, step):
                flights.append(flown_to(self.track, at.space, step.speeding))
                continue
            crossed = crossing(self.track, at.space, step.to)
            held = step.speeding is not None and is_mu(drive, step.to)
            nodes.append((Node(step.to, step.diagonal_due, step.beside), crossed, held))
            if held:
                mu_flights.append((flown_to(self.track, step.to, step.speeding), crossed))
        return Onward(tuple(nodes), tuple(flights), tuple(mu_flights))
