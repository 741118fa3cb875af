"""Courses with wanted properties: the nearest of a sample, then better neighbours, a tile or two buoys at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import inf
from random import Random
from typing import Any, NamedTuple

from rulekit.powerboats.box import Layout, Slot, layout_rows, parse_layout
from rulekit.simulate.rates import wilson
from rulekit.study.sweep_space import Cell, Space, spot_names
from rulekit.study.sweep_want import Wish, distance

BATCH = 12
"""Neighbours that are tried together: the best of them is taken where it is better."""

PATIENCE = 4
"""Batches without a better neighbour after which a climb is given up."""

Figures = Mapping[str, Any]
Evaluate = Callable[[Sequence[Cell]], Sequence[Figures | None]]
"""The figures of some cells in order, None for those that cannot be worked out."""


class Rarity(NamedTuple):
    """How many cells of a sample have what is wanted, with Wilson's interval of 95 % of their share in the space."""

    hits: int
    cells: int
    low: float
    high: float


class Found(NamedTuple):
    """A course with all that is wanted: how it was found, its cell and its figures."""

    origin: str
    steps: int
    cell: Cell
    figures: Figures


@dataclass
class Search:
    """A search in a space; `tries` is the number of cells that may be worked out besides the sample."""

    space: Space
    wishes: Sequence[Wish]
    evaluate: Evaluate
    tries: int = 2000
    tried: int = 0
    nearest: tuple[float, Cell, Figures] | None = None
    seen: set[Cell] = field(default_factory=set)

    def run(self, rows: Sequence[Mapping[str, Any]], count: int) -> Iterator[Found]:
        """At most so many courses: those of the sample first, then climbs from the nearest of it."""
        ranked = sorted(((distance(self.wishes, row), row["position"], row) for row in rows), key=lambda one: one[:2])
        left = count
        for off, _position, row in ranked:
            if left == 0 or (off > 0 and self.tried >= self.tries):
                return
            cell = Cell(*(row[name] for name in Cell._fields))
            self._note(off, cell, row)
            if cell in self.seen:
                continue
            self.seen.add(cell)
            found = Found("sample", 0, cell, row) if off == 0 else self._climb(cell, off, row) if off < inf else None
            if found:
                left -= 1
                yield found

    def _note(self, off: float, cell: Cell, figures: Figures) -> None:
        if self.nearest is None or off < self.nearest[0]:
            self.nearest = off, cell, figures

    def _climb(self, cell: Cell, off: float, figures: Figures) -> Found | None:
        """Steps to better neighbours until all is as wanted; None where no step helps any more."""
        random, steps, idle = Random(f"sweep search {self.space.plan.seed} {cell}"), 0, 0
        while off > 0 and idle < PATIENCE and self.tried < self.tries:
            batch = list(islice((one for one in neighbours(self.space, cell, random) if one not in self.seen), BATCH))
            if not batch:
                return None
            self.seen.update(batch)
            self.tried += len(batch)
            told = list(enumerate(self.evaluate(batch)))
            ranked = sorted((distance(self.wishes, found), place) for place, found in told if found)
            idle += 1
            if ranked and ranked[0][0] < off:
                off, place = ranked[0]
                cell, figures = batch[place], told[place][1] or {}
                steps, idle = steps + 1, 0
                self._note(off, cell, figures)
        return Found("search", steps, cell, figures) if off == 0 else None


def rarity(rows: Sequence[Mapping[str, Any]], wishes: Sequence[Wish]) -> Rarity:
    """How rare the wanted courses are among all, by a sample."""
    hits = sum(distance(wishes, row) == 0 for row in rows)
    return Rarity(hits, len(rows), *wilson(hits, len(rows)))


def neighbours(space: Space, cell: Cell, random: Random) -> Iterator[Cell]:
    """The cells that differ by two buoys changed over, by two tiles changed over, a tile turned or turned over, by lot.

    Where tiles move, buoys stay with their tiles.
    """
    own = [*_reordered(cell), *(_relaid(space, cell) if space.plan.shuffled and cell.layout else ())]
    random.shuffle(own)
    yield from own


def _reordered(cell: Cell) -> Iterator[Cell]:
    buoys = cell.buoys.split()
    for i, j in combinations(range(len(buoys)), 2):
        yield cell._replace(buoys=" ".join(_swapped(buoys, i, j)))


def _swapped(words: Sequence[Any], i: int, j: int) -> list[Any]:
    found = list(words)
    found[i], found[j] = found[j], found[i]
    return found


def _relaid(space: Space, cell: Cell) -> Iterator[Cell]:
    layout = parse_layout((cell.layout or "").split("/"))
    slots, width = [slot for row in layout for slot in row], len(layout[0])
    for changed in _changed(space, cell, slots):
        relaid = tuple(tuple(changed[start : start + width]) for start in range(0, len(changed), width))
        yield from _kept_buoys(space, cell, relaid)


def _changed(space: Space, cell: Cell, slots: list[Slot]) -> Iterator[list[Slot]]:
    box, sides = space.lakes[cell.lake].box, space.plan.sides
    for i, j in combinations(range(len(slots)), 2):
        yield _swapped(slots, i, j)
    for i, slot in enumerate(slots):
        yield [*slots[:i], slot._replace(turned=not slot.turned), *slots[i + 1 :]]
        if sides == "any" and box and box.tiles[slot.tile].light is not None:
            yield [*slots[:i], slot._replace(light=not slot.light), *slots[i + 1 :]]


def _kept_buoys(space: Space, cell: Cell, layout: Layout) -> Iterator[Cell]:
    """The cell laid otherwise, where its buoys' spots are still there and no others."""
    spots = spot_names(space.lakes[cell.lake], layout, cell.letter)
    if sorted(spots) == sorted(cell.buoys.split()):
        yield cell._replace(layout="/".join(layout_rows(layout)))
