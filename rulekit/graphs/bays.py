"""Bays: water that one hex parts from the rest. One walk over the water finds them all, so that big lakes are quick."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from rulekit.hexgrid import Hex, by_name


class Bay(NamedTuple):
    """Water behind one hex, the `mouth`: whoever goes in comes out by the same way."""

    mouth: Hex
    hexes: tuple[Hex, ...]


def bays(water: Iterable[Hex], keep: Collection[Hex] = ()) -> list[Bay]:
    """The largest bays: water that one articulation hex parts from the main water, the largest first.

    The main water of an articulation hex is all that has hexes in `keep`, or without such the largest piece. A bay
    inside another one is not listed again.
    """
    wet = frozenset(water)
    walked: set[Hex] = set()
    found: list[Bay] = []
    for start in by_name(wet):
        if start not in walked:
            walk = _Walk.of(start, wet, frozenset(keep))
            walked.update(walk.order)
            found += _outermost(walk)
    return sorted(found, key=lambda bay: (-len(bay.hexes), bay))


def _outermost(walk: "_Walk") -> Iterator[Bay]:
    """The bays of a water, without those inside others: these are just the ones whose mouth lies in a larger bay."""
    covered: set[Hex] = set()
    for piece in sorted(walk.side_pieces(), key=lambda piece: (-piece.size, walk.order[piece.mouth])):
        mouth = walk.order[piece.mouth]
        if mouth not in covered:
            hexes = walk.hexes(piece)
            covered.update(hexes)
            yield Bay(mouth, hexes)


class _Piece(NamedTuple):
    """What hangs together with a mouth closed: spans of the walk, or with `inverted` all of it but these."""

    mouth: int
    size: int
    kept: int
    spans: tuple[tuple[int, int], ...]
    inverted: bool = False


@dataclass(frozen=True)
class _Walk:
    """A depth-first walk over one water: places in it stand for hexes, and what lies below a place is a span.

    `low` is the earliest place that is next to something at or below a place (Tarjan's low-link).
    """

    order: list[Hex]
    children: list[list[int]]
    low: list[int]
    size: list[int]
    keep: frozenset[Hex]

    @classmethod
    def of(cls, start: Hex, wet: frozenset[Hex], keep: frozenset[Hex]) -> "_Walk":
        order, parents = _depth_first(start, wet)
        place = {at: number for number, at in enumerate(order)}
        low, size = _low_links(order, parents, place)
        children: list[list[int]] = [[] for _ in order]
        for number, parent in enumerate(parents[1:], 1):
            children[parent].append(number)
        return cls(order, children, low, size, keep)

    @cached_property
    def kept(self) -> list[int]:
        """How many hexes to keep stand before each place."""
        return list(accumulate((at in self.keep for at in self.order), initial=0))

    def side_pieces(self) -> Iterator[_Piece]:
        """The pieces beside the main water of every place."""
        for place in range(len(self.order)):
            pieces = list(self.pieces(place))
            if len(pieces) > 1:
                main = [piece for piece in pieces if piece.kept] or [self.largest(pieces)]
                yield from (piece for piece in pieces if piece not in main)

    def pieces(self, place: int) -> Iterator[_Piece]:
        """The pieces of the water with one place closed."""
        below = [child for child in self.children[place] if self.low[child] >= place]
        for child in below:
            yield self.piece(place, ((child, child + self.size[child]),))
        if place:
            # The root has nothing above it.
            yield self.piece(place, ((place, place + 1), *((c, c + self.size[c]) for c in below)), inverted=True)

    def piece(self, mouth: int, spans: tuple[tuple[int, int], ...], inverted: bool = False) -> _Piece:
        size = sum(end - begin for begin, end in spans)
        kept = sum(self.kept[end] - self.kept[begin] for begin, end in spans)
        if inverted:
            size, kept = len(self.order) - size, self.kept[-1] - kept
        return _Piece(mouth, size, kept, spans, inverted)

    def largest(self, pieces: list[_Piece]) -> _Piece:
        """The largest piece; of equal ones the first by its names."""
        size = max(piece.size for piece in pieces)
        equal = [piece for piece in pieces if piece.size == size]
        return equal[0] if len(equal) == 1 else min(equal, key=self.hexes)

    def hexes(self, piece: _Piece) -> tuple[Hex, ...]:
        """The hexes of a piece."""
        told = (at for begin, end in piece.spans for at in self.order[begin:end])
        return tuple(by_name(set(self.order).difference(told) if piece.inverted else told))


def _depth_first(start: Hex, wet: frozenset[Hex]) -> tuple[list[Hex], list[int]]:
    """The hexes in the order of the walk, and each one's parent by its place (the first is its own)."""
    order, parents, seen = [start], [0], {start}
    trail = [(0, iter(start.neighbours()))]
    while trail:
        parent, ways = trail[-1]
        step = next((step for step in ways if step in wet and step not in seen), None)
        if step is None:
            trail.pop()
            continue
        seen.add(step)
        trail.append((len(order), iter(step.neighbours())))
        order.append(step)
        parents.append(parent)
    return order, parents


def _low_links(order: list[Hex], parents: list[int], place: Mapping[Hex, int]) -> tuple[list[int], list[int]]:
    """The low-link of each place, and how many hexes stand at and below it."""
    low, size = list(range(len(order))), [1] * len(order)
    for number in range(len(order) - 1, 0, -1):
        parent = parents[number]
        beside = [place[at] for at in order[number].neighbours() if at in place]
        low[number] = min([low[number], *(other for other in beside if other != parent)])
        low[parent] = min(low[parent], low[number])
        size[parent] += size[number]
    return low, size
