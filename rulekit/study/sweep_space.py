"""The cells of a plan: one course under one set of readings each, drawn by lot or all in order, one by one."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from itertools import permutations, product
from math import factorial, perm
from pathlib import Path
from random import Random
from typing import NamedTuple

from rulekit import __version__
from rulekit.errors import BadInput
from rulekit.files.lake import LakeFile
from rulekit.files.plan import MOST_CELLS, Plan
from rulekit.hexgrid import hex_name
from rulekit.powerboats.box import Box, Layout, Slot, layout_rows
from rulekit.powerboats.placing import FEWEST_SPOTS, MOST_SPOTS

MEANING = 1
"""Raised whenever a figure changes its meaning: cells swept before are then of another version."""

RULES = ("hexgrid.py", "readings.py", "powerboats", "solve/steps.py", "solve/corridor.py", "solve/sparse.py")
"""The modules on which the figures depend."""


@cache
def rules_version() -> str:
    """A short hash of the code of the rules, and rulekit's version: what results must share to stand in one file."""
    package, told = Path(__file__).resolve().parents[1], sha256(str(MEANING).encode())
    for name in RULES:
        path = package / name
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            told.update(file.read_bytes())
    return f"{__version__}+{told.hexdigest()[:12]}"


class Cell(NamedTuple):
    """One point of a space. `buoys` names the spots of buoys 0, 1, 2, …; `layout` is None for a lake without tiles."""

    lake: str
    layout: str | None
    letter: str
    buoys: str
    readings: str
    policies: str

    @property
    def light(self) -> int:
        """Tiles with their light side up."""
        return (self.layout or "").count("*")


@dataclass(frozen=True)
class Settings:
    """What is worked out of each cell, and how."""

    figures: tuple[str, ...]
    sink_cost: float
    slack: int
    tolerance: float
    races: int
    seed: int

    @classmethod
    def of(cls, plan: Plan) -> "Settings":
        """Those of a plan."""
        seed = plan.seed if plan.races else 0
        return cls(plan.figures, plan.sink_cost, plan.slack, plan.tolerance, plan.races, seed)


def cell_key(cell: Cell, settings: Settings, lake_text: str) -> str:
    """The name under which a cell is kept: a hash of all that its figures depend on."""
    told = [sha256(lake_text.encode()).hexdigest(), *cell[1:], *vars(settings).values(), rules_version()]
    return sha256(json.dumps(told).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Space:
    """The cells of a plan."""

    plan: Plan

    @cached_property
    def lakes(self) -> dict[str, LakeFile]:
        """The plan's lakes by name; a second one of a name has a number."""
        found: dict[str, LakeFile] = {}
        for number, file in enumerate(self.plan.lakes, 1):
            name = file.lake.name
            found[f"{name} ({number})" if name in found else name] = file
        return found

    @cached_property
    def readings(self) -> list[str]:
        """The variants as texts."""
        return [str(reading) for reading in self.plan.readings]

    @cached_property
    def size(self) -> int:
        """Number of cells; for shuffled tiles as if each layout showed as many spots as the lake's own."""
        variants = len(self.readings) * len(self.plan.policies)
        return variants * sum(self._courses(name) for name in self.lakes)

    def _courses(self, name: str) -> int:
        file = self.lakes[name]
        layouts: Sequence[Layout | None] = self.plan.layouts or (file.layout,)
        orders = sum(_orders(file, layout, letter) for layout in layouts for letter in self.plan.letters)
        return orders * self._shuffles(file)

    def _shuffles(self, file: LakeFile) -> int:
        if not self.plan.shuffled or file.box is None or file.layout is None:
            return 1
        tiles = [slot.tile for row in file.layout for slot in row]
        light = sum(file.box.tiles[tile].light is not None for tile in tiles)
        if self.plan.sides == "light" and light < len(tiles):
            raise BadInput(f'not every tile of the lake {file.lake.name!r} has a light side: sides = "any" or "dark"')
        return factorial(len(tiles)) << (len(tiles) + (light if self.plan.sides == "any" else 0))

    @property
    def count(self) -> int:
        """Number of cells to sweep: the sample, where one is asked for and smaller than the space."""
        return min(self.size, self.plan.sample or self.size)

    def cells(self) -> Iterator[Cell]:
        """The cells to sweep, each once; raises BadInput where there is none, or far too many without a sample."""
        if self.size == 0:
            raise BadInput("the plan's product is empty: no lake of it shows a spot of these letters")
        if self.count > MOST_CELLS:
            raise BadInput(f"the plan has {self.size:,} cells: draw a sample of them (sample = 20000)")
        return self.all() if self.count == self.size else self.drawn()

    def all(self) -> Iterator[Cell]:
        """Every cell."""
        for name, file in self.lakes.items():
            for layout, letter in product(self._layouts(file), self.plan.letters):
                for buoys in permutations(spot_names(file, layout, letter)):
                    for reading, policies in product(self.readings, self.plan.policies):
                        yield self._cell(name, layout, letter, buoys, reading, policies)

    def _layouts(self, file: LakeFile) -> Iterator[Layout | None]:
        if not self.plan.shuffled or file.box is None or file.layout is None:
            yield from self.plan.layouts or (file.layout,)
            return
        width = len(file.layout[0])
        for tiles in permutations([slot.tile for row in file.layout for slot in row]):
            for slots in product(*(self._slots(file.box, tile) for tile in tiles)):
                yield tuple(slots[start : start + width] for start in range(0, len(slots), width))

    def _slots(self, box: Box, tile: str) -> list[Slot]:
        sides = {"any": (False, True), "dark": (False,), "light": (True,)}[self.plan.sides]
        lit = [light for light in sides if not light or box.tiles[tile].light is not None]
        return [Slot(tile, turned, light) for turned in (False, True) for light in lit]

    def drawn(self) -> Iterator[Cell]:
        """The sample: cell after cell from a stream of its own, those met before left out."""
        seen: set[Cell] = set()
        draw = 0
        while len(seen) < self.count:
            cell = self.draw(Random(f"sweep {self.plan.seed} {draw}"))
            draw += 1
            if cell not in seen:
                seen.add(cell)
                yield cell
            elif draw > 100 * self.count + 10_000:
                return

    def draw(self, random: Random) -> Cell:
        """One cell, each choice equally likely."""
        name = random.choice(list(self.lakes))
        file = self.lakes[name]
        layout = self._draw_layout(file, random)
        letter = random.choice(self.plan.letters)
        buoys = list(spot_names(file, layout, letter))
        random.shuffle(buoys)
        return self._cell(name, layout, letter, buoys, random.choice(self.readings), random.choice(self.plan.policies))

    def _draw_layout(self, file: LakeFile, random: Random) -> Layout | None:
        if not self.plan.shuffled or file.box is None or file.layout is None:
            return random.choice(self.plan.layouts or (file.layout,))
        tiles, width = [slot.tile for row in file.layout for slot in row], len(file.layout[0])
        random.shuffle(tiles)
        slots = tuple(random.choice(self._slots(file.box, tile)) for tile in tiles)
        return tuple(slots[start : start + width] for start in range(0, len(slots), width))

    def _cell(
        self, name: str, layout: Layout | None, letter: str, buoys: Sequence[str], reading: str, policies: str
    ) -> Cell:
        rows = "/".join(layout_rows(layout)) if layout and self.lakes[name].box else None
        return Cell(name, rows, letter, " ".join(buoys), reading, policies)

    def key(self, cell: Cell) -> str:
        """The name under which a cell is kept."""
        return cell_key(cell, self.settings, self.lakes[cell.lake].source.text)

    @cached_property
    def settings(self) -> Settings:
        """What is worked out of each cell."""
        return Settings.of(self.plan)

    @cached_property
    def identity(self) -> str:
        """A hash of the plan but for the size of its sample: what one file of results is for."""
        plan = self.plan
        lakes = [sha256(file.source.text.encode()).hexdigest() for file in plan.lakes]
        layouts = [layout_rows(layout) for layout in plan.layouts or ()]
        told = [lakes, layouts, plan.shuffled, plan.sides, plan.letters, self.readings, plan.policies]
        told += [plan.sample is None, plan.seed, *vars(self.settings).values()]
        return sha256(json.dumps(told).encode()).hexdigest()[:32]


def spot_names(file: LakeFile, layout: Layout | None, letter: str) -> tuple[str, ...]:
    """The spots of a letter as a course file names them, tile by tile."""
    if file.box is None or layout is None:
        return tuple(hex_name(spot.at) for spot in file.lake.spots_of(letter))
    shown = ((slot.tile, mark.letter) for row in layout for slot in row for mark in file.box.face(slot).marks)
    return tuple(f"@{tile}{own}" for tile, own in shown if own == letter)


def _orders(file: LakeFile, layout: Layout | None, letter: str) -> int:
    spots = len(spot_names(file, layout, letter))
    if spots > MOST_SPOTS:
        raise BadInput(f"the lake {file.lake.name!r} has {spots} {letter}-spots: a course takes up to {MOST_SPOTS}")
    return perm(spots) if spots >= FEWEST_SPOTS else 0
