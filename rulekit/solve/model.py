"""A solo race as arrays, and the tables that the sweeps read: built once, whatever is then asked of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.hands import NO_HAND, Hands, Reroll, Throws, choices
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Dice, Ints
from rulekit.solve.lanes import FACINGS, LANES

NO_MOVE = -1


@dataclass(frozen=True)
class DiceRules:
    """Dials and readings of the dice choice (PB-15, PB-16); `must_roll` is first-turn=must-roll."""

    faces: tuple[int, ...] = (1, 2, 3)
    weights: tuple[int, ...] = (1, 1, 1)
    most: int = 6
    change: int = 1
    reroll: Reroll = "any"
    must_roll: bool = False

    @cached_property
    def hands(self) -> Hands:
        """The hands of these dice."""
        return Hands(self.faces, self.weights, self.most)

    @cached_property
    def throws(self) -> Throws:
        """The layout of their throw table."""
        return Throws(self.hands)

    def choices(self, hand: int) -> list[tuple[int, int]]:
        """The choices (kept, rolled) of a hand, each once."""
        return choices(self.hands, hand, change=self.change, reroll=self.reroll, must_roll=self.must_roll)

    @cached_property
    def listed_choices(self) -> tuple[Ints, Ints]:
        """(start, entries): a hand's choices are the throw table's entries[start[hand]:start[hand + 1]], ascending."""
        found = [sorted(self.throws.entry(*choice) for choice in self.choices(h)) for h in range(self.hands.count)]
        start = np.cumsum([0, *map(len, found)]).astype(np.int32)
        return start, np.array([entry for entries in found for entry in entries], np.int32)


@dataclass(frozen=True)
class Straights:
    """Straight moves (PB-17…PB-20) over W water hexes and progresses 0 … P (P is finished).

    clear[W, 6]: clear water ahead; land[W, 6, k]: hex after k ≤ clear steps; progress[P, W, 6, k]: progress then.
    k runs to the largest clear water, or only to the largest total.
    """

    clear: Ints
    land: Ints
    progress: Ints


@dataclass(frozen=True)
class Outcomes:
    """Moves that depend on the hand: by (progress · hexes + hex, hand after the throw, facing before, steer).

    Steer 0, 1, 2 is right, straight, left. `hex` is NO_MOVE where the steer is illegal; `progress` P is finished;
    `gain` is the damage taken; `hand` the hand left. All have the shape [P · W, hands, 6, 3].
    """

    hex: Ints
    facing: Ints
    progress: Ints
    gain: Ints
    hand: Ints


@dataclass(frozen=True)
class Race:
    """A solo race: `levels` damages (0 … sink-at − 1), `progresses` (0 … P − 1), `hexes`, dice and moves."""

    hexes: int
    progresses: int
    levels: int
    dice: DiceRules
    moves: Straights | Outcomes

    @property
    def rows(self) -> int:
        """Progresses × hexes; row = progress · hexes + hex. Two rows more follow: finished, and impossible."""
        return self.progresses * self.hexes

    @property
    def states(self) -> int:
        """Number of decision states."""
        return self.levels * self.rows * FACINGS * self.dice.hands.count

    @property
    def row_cells(self) -> int:
        """Values in a row."""
        return self.dice.hands.count * LANES

    def cell(self, progress: int, place: int, facing: int, hand: int = 0) -> int:
        """The place of a state's value in its level."""
        return (progress * self.hexes + place) * self.row_cells + hand * LANES + facing

    @cached_property
    def board(self) -> Board:
        """The moves as cells."""
        return (
            _straight_board(self, self.moves) if isinstance(self.moves, Straights) else _outcome_board(self, self.moves)
        )

    @cached_property
    def dice_tables(self) -> Dice:
        """The dice as arrays."""
        return _dice_tables(self.dice, by_hand=self.board.by_hand)

    @cached_property
    def readers(self) -> tuple[Ints, Ints]:
        """(start, rows): the rows whose values depend on a row's, at rows[start[row]:start[row + 1]]."""
        return _readers(self.board.cells, self.rows, self.row_cells)

    @cached_property
    def order(self) -> Ints:
        """All rows, late progress first, then by distance to the finish: one sweep in place carries values far."""
        nearest = _distance_order(*self.readers, self.board.cells, self.rows, self.row_cells)
        return nearest[np.argsort(-(nearest // self.hexes), kind="stable")]


def _dice_tables(rules: DiceRules, *, by_hand: bool) -> Dice:
    hands, throws = rules.hands, rules.throws
    listed = rules.reroll != "any" or rules.change == 0
    start, options = rules.listed_choices if listed else (np.zeros(1, np.int32), np.zeros(0, np.int32))
    return Dice(
        size=hands.size,
        slot=np.arange(hands.count, dtype=np.int32) if by_hand else hands.pip_count,
        more=hands.more.ravel(),
        less=np.where(hands.less == NO_HAND, hands.count, hands.less).astype(np.int32).ravel(),
        chance=hands.chance,
        start=throws.start,
        upto=np.array([hands.upto(size - 1) for size in range(hands.most + 2)], np.int32),
        option_start=start,
        options=options,
        change=rules.change,
        must_roll=int(rules.must_roll),
        listed=listed,
    )


def _straight_board(race: Race, moves: Straights) -> Board:
    slots = int(race.dice.hands.pip_count.max()) + 1
    clear = np.ascontiguousarray(moves.clear, dtype=np.int32)
    cells = np.empty(race.rows * slots * LANES, np.int32)
    land, progress = (np.ascontiguousarray(part, dtype=np.int32) for part in (moves.land, moves.progress))
    _fill_cells(cells, clear, land, progress, slots, race.row_cells)
    return Board(cells, np.empty(0, np.int32), np.empty(0, np.int8), clear.ravel(), race.rows, slots, False)


@compiled
def _fill_cells(cells: Ints, clear: Ints, land: Ints, progress: Ints, slots: int, row_cells: int) -> None:
    progresses, hexes = progress.shape[:2]
    rows = progresses * hexes
    for row in range(rows):
        place = row % hexes
        for lane in range(8):
            for total in range(slots):
                to = rows + 1
                if lane < 6 and total <= clear[place, lane]:
                    passed = progress[row // hexes, place, lane, total]
                    to = rows if passed >= progresses else passed * hexes + land[place, lane, total]
                cells[(row * slots + total) * 8 + lane] = to * row_cells + lane


def _outcome_board(race: Race, moves: Outcomes) -> Board:
    hands, rows = race.dice.hands.count, race.rows
    finished, nowhere = rows * race.row_cells, (rows + 1) * race.row_cells
    to = np.where(moves.progress >= race.progresses, rows, moves.progress * race.hexes + moves.hex)
    ends = np.where(to < rows, to * race.row_cells + moves.hand * LANES + moves.facing, finished)
    ends = np.where(moves.hex == NO_MOVE, nowhere, ends)
    gains = np.where(moves.hex == NO_MOVE, 0, np.minimum(moves.gain, race.levels))
    cells, ends = _by_steer(np.where(gains > 0, nowhere, ends), nowhere), _by_steer(ends, nowhere)
    return Board(cells, ends, _by_steer(gains, 0).astype(np.int8), np.empty(0, np.int32), rows, hands, True)


def _by_steer(part: NDArray[Any], fill: int) -> Ints:
    """[row, hand, facing, steer] as flat [row, hand, steer, lane]."""
    padded = np.full((*part.shape[:2], 3, LANES), fill, np.int32)
    padded[..., :FACINGS] = part.transpose(0, 1, 3, 2)
    return padded.ravel()


@compiled
def _readers(cells: Ints, rows: int, row_cells: int) -> tuple[Ints, Ints]:
    """Counting sort of the distinct pairs (row read, row reading)."""
    width = cells.size // rows
    last = np.full(rows + 2, -1, np.int32)
    start = np.zeros(rows + 1, np.int32)
    for row in range(rows):
        for i in range(row * width, (row + 1) * width):
            to = cells[i] // row_cells
            if last[to] != row:
                last[to] = row
                if to < rows:
                    start[to + 1] += 1
    start = np.cumsum(start).astype(np.int32)
    found = np.empty(start[rows], np.int32)
    place = start.copy()
    last[:] = -1
    for row in range(rows):
        for i in range(row * width, (row + 1) * width):
            to = cells[i] // row_cells
            if last[to] != row:
                last[to] = row
                if to < rows:
                    found[place[to]] = row
                    place[to] += 1
    return start, found


@compiled
def _distance_order(start: Ints, readers: Ints, cells: Ints, rows: int, row_cells: int) -> Ints:
    """Breadth first against the moves, from the rows that can finish at once; rows that never can come last."""
    width = cells.size // rows
    order = np.empty(rows, np.int32)
    seen = np.zeros(rows, np.bool_)
    count = 0
    for row in range(rows):
        for i in range(row * width, (row + 1) * width):
            if cells[i] // row_cells == rows and not seen[row]:
                seen[row] = True
                order[count] = row
                count += 1
    head = 0
    while head < count:
        for i in range(start[order[head]], start[order[head] + 1]):
            if not seen[readers[i]]:
                seen[readers[i]] = True
                order[count] = readers[i]
                count += 1
        head += 1
    for row in range(rows):
        if not seen[row]:
            order[count] = row
            count += 1
    return order
