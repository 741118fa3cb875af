"""A solo race as arrays, and the tables that the sweeps read: built once, whatever is then asked of them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.solve.flow import Shores
from rulekit.solve.hands import NO_HAND, Hands, Reroll, Throws, choices
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Ints, cells_read
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
class Tiled:
    """Straight moves where no tile can be met; elsewhere ways that depend on the hand, and on the damage before.

    block[level, hex] is NO_MOVE, or the number of the hex's ways at that damage. Ways are [block, hand, facing chosen]:
    `hex`, `facing`, `gain`, `hand` as in `Outcomes`; `left`, the steps left over: a direction with more than another
    one is illegal (PB-17, X1-10). progress[P, block, hand, facing chosen]; from `bound`[block] boats may go straight
    only (X1-6).
    """

    straights: Straights
    block: Ints
    hex: Ints
    facing: Ints
    gain: Ints
    hand: Ints
    left: Ints
    progress: Ints
    bound: NDArray[np.bool_]


Moves = Straights | Outcomes | Tiled


def first_dice(moves: Moves, hands: int) -> Moves:
    """The moves of the first so many hands."""
    if isinstance(moves, Straights):
        return moves
    names = ("hex", "facing", "gain", "hand") + (("progress",) if isinstance(moves, Outcomes) else ("left",))
    cut = replace(moves, **{name: getattr(moves, name)[:, :hands] for name in names})
    return replace(cut, progress=cut.progress[:, :, :hands]) if isinstance(cut, Tiled) else cut


def without_progress(moves: Moves, hexes: int) -> Moves:
    """The moves from progress 0, all to progress 0."""
    if isinstance(moves, Straights):
        return Straights(moves.clear, moves.land, np.zeros((1, *moves.land.shape), np.int32))
    if isinstance(moves, Tiled):
        straights = without_progress(moves.straights, hexes)
        assert isinstance(straights, Straights)
        return replace(moves, straights=straights, progress=np.zeros((1, *moves.hex.shape), np.int32))
    first = (part[:hexes] for part in (moves.hex, moves.facing, moves.gain, moves.hand))
    place, facing, gain, hand = first
    return Outcomes(place, facing, np.zeros_like(place), gain, hand)


@dataclass(frozen=True)
class Race:
    """A solo race: `levels` damages (0 … sink-at − 1), `progresses` (0 … P − 1), `hexes`, dice and moves."""

    hexes: int
    progresses: int
    levels: int
    dice: DiceRules
    moves: Moves

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
        if isinstance(self.moves, Straights):
            return _straight_board(self, self.moves, self._totals)
        return _tiled_board(self, self.moves) if isinstance(self.moves, Tiled) else _outcome_board(self, self.moves)

    @cached_property
    def shores(self) -> Shores:
        """Where moves with damage end."""
        none = np.zeros(0, np.int32)
        if isinstance(self.moves, Outcomes):
            return Shores(none, _by_steer(self.moves.hex, NO_MOVE), 1)
        if isinstance(self.moves, Straights):
            return Shores(_shores(self.moves), none, 1)
        chosen = (np.arange(FACINGS)[:, None] + 5 + np.arange(3)) % FACINGS
        return Shores(_shores(self.moves.straights), _by_steer(self.moves.hex[..., chosen], NO_MOVE), self.progresses)

    @property
    def _totals(self) -> int:
        return int(self.dice.hands.pip_count.max()) + 1

    @cached_property
    def dice_tables(self) -> Dice:
        """The dice as arrays."""
        return _dice_tables(self.dice, by_hand=not isinstance(self.moves, Straights))

    @cached_property
    def readers(self) -> tuple[Ints, Ints]:
        """(start, rows): the rows whose values depend on a row's, at rows[start[row]:start[row + 1]]."""
        return _readers(self.board, self.dice.hands.count)

    @cached_property
    def order(self) -> Ints:
        """All rows, late progress first, then by distance to the finish: one sweep in place carries values far."""
        nearest = _distance_order(*self.readers, self.board, self.dice.hands.count)
        return nearest[np.argsort(-(nearest // self.hexes), kind="stable")]


def _dice_tables(rules: DiceRules, *, by_hand: bool) -> Dice:
    hands, throws = rules.hands, rules.throws
    listed = rules.reroll != "any" or rules.change == 0
    start, options = rules.listed_choices if listed else (np.zeros(1, np.int32), np.zeros(0, np.int32))
    return Dice(
        size=hands.size,
        total=hands.pip_count,
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


def _straight_board(race: Race, moves: Straights, slots: int) -> Board:
    clear = np.ascontiguousarray(moves.clear, dtype=np.int32)
    cells = np.empty(race.rows * slots * LANES, np.int32)
    land, progress = (np.ascontiguousarray(part, dtype=np.int32) for part in (moves.land, moves.progress))
    _fill_cells(cells, clear, land, progress, slots, race.row_cells)
    none, nowhere = np.empty(0, np.int32), np.full(race.rows, NO_MOVE, np.int32)
    steered, gains = np.zeros(race.rows, np.int8), np.empty(0, np.int8)
    block = np.tile(nowhere, race.levels)
    return Board(cells, clear.ravel(), none, nowhere, steered, none, gains, block, race.rows, slots)


def _shores(moves: Straights) -> Ints:
    """The last clear hex by (hex, facing), flat; no boat crashes beyond the largest total."""
    last = np.minimum(moves.clear, moves.land.shape[2] - 1)
    return np.take_along_axis(moves.land, last[..., None], axis=2).astype(np.int32).ravel()


@compiled
def _fill_cells(cells: Ints, clear: Ints, land: Ints, progress: Ints, slots: int, row_cells: int) -> None:
    progresses, hexes = progress.shape[:2]
    rows = progresses * hexes
    for row in range(rows):
        place = row % hexes
        for lane in range(8):
            for total in range(slots):
                to = rows + 1
                if lane < 6 and total <= clear[place, lane] and total < land.shape[2]:
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
    listed, ends = _by_steer(np.where(gains > 0, nowhere, ends), nowhere), _by_steer(ends, nowhere)
    none, row = np.empty(0, np.int32), np.arange(rows, dtype=np.int32)
    steered, block = np.ones(rows, np.int8), np.tile(row, race.levels)
    flat = _by_steer(gains, 0).astype(np.int8)
    return Board(none, none, listed, row * 3 * hands, steered, ends, flat, block, rows, hands)


def _tiled_board(race: Race, moves: Tiled) -> Board:
    hands, blocks, nowhere = race.dice.hands.count, moves.bound.size, (race.rows + 1) * race.row_cells
    bare = _straight_board(race, moves.straights, max(race._totals, hands))
    ends = np.full(blocks * race.progresses * hands * 3 * LANES, nowhere, np.int32)
    gains = np.zeros(ends.size, np.int8)
    place, facing, gain, hand, left = map(
        np.ascontiguousarray, (moves.hex, moves.facing, moves.gain, moves.hand, moves.left)
    )
    fewest = np.minimum(moves.left, np.minimum(np.roll(moves.left, 1, axis=-1), np.roll(moves.left, -1, axis=-1)))
    passed = np.ascontiguousarray(moves.progress)
    ways = place, facing, gain, hand, left, fewest, passed
    _fill_ends(ends, gains, *ways, moves.bound, race.hexes, race.levels, race.row_cells)
    by_row = moves.block[:, None, :] * race.progresses + np.arange(race.progresses)[:, None]
    block = np.where(moves.block[:, None, :] >= 0, by_row, NO_MOVE).reshape(race.levels, race.rows).astype(np.int32)
    # What a move without damage brings does not depend on the damage before: the first level's blocks tell it.
    steered = (moves.bound | ((moves.gain == 0) & (moves.left > 0)).any(axis=(1, 2)))[block[0] // race.progresses]
    steered &= block[0] >= 0
    sizes = np.where(block[0] >= 0, np.where(steered, 3 * hands, hands), 0)
    first = np.where(block[0] >= 0, np.cumsum(sizes) - sizes, NO_MOVE).astype(np.int32)
    listed = np.full(int(sizes.sum()) * LANES, nowhere, np.int32)
    found = bare._replace(
        listed=listed, first=first, steered=steered.astype(np.int8), ends=ends, gains=gains, block=block.ravel()
    )
    _fill_listed(found, hands)
    return found


@compiled
def _fill_ends(
    ends: Ints, gains: Bytes, place: Ints, facing: Ints, gain: Ints, hand: Ints, left: Ints, fewest: Ints,
    progress: Ints, bound: NDArray[np.bool_], hexes: int, levels: int, row_cells: int,
) -> None:  # fmt: skip
    """All legal moves of the blocks, for each progress: block · progresses + progress."""
    progresses, blocks, hands = progress.shape[:3]
    rows = progresses * hexes
    for block in range(blocks):
        for thrown in range(hands):
            for before in range(6):
                for steer in range(3):
                    way = block, thrown, (before + 5 + steer) % 6
                    if steer != 1 if bound[block] else left[way] > fewest[block, thrown, before]:
                        continue
                    for passed in range(progresses):
                        after = progress[passed, way[0], way[1], way[2]]
                        to = rows * row_cells
                        if after < progresses:
                            to = (after * hexes + place[way]) * row_cells + hand[way] * 8 + facing[way]
                        at = (((block * progresses + passed) * hands + thrown) * 3 + steer) * 8 + before
                        ends[at], gains[at] = to, min(gain[way], levels)


@compiled
def _fill_listed(board: Board, hands: int) -> None:
    """The moves without damage of the listed rows."""
    for row in range(board.rows):
        first, block = board.first[row], board.block[row]
        if first < 0:
            continue
        for hand in range(hands):
            for steer in range(3):
                for lane in range(6):
                    at = ((block * hands + hand) * 3 + steer) * 8 + lane
                    if board.gains[at] > 0:
                        continue
                    if board.steered[row]:
                        board.listed[(first + 3 * hand + steer) * 8 + lane] = board.ends[at]
                    elif steer == 1:
                        board.listed[(first + hand) * 8 + lane] = board.ends[at]


def _by_steer(part: NDArray[Any], fill: int) -> Ints:
    """[row, hand, facing, steer] as flat [row, hand, steer, lane]."""
    padded = np.full((*part.shape[:2], 3, LANES), fill, np.int32)
    padded[..., :FACINGS] = part.transpose(0, 1, 3, 2)
    return padded.ravel()


@compiled
def _readers(board: Board, hands: int) -> tuple[Ints, Ints]:
    """Counting sort of the distinct pairs (row read, row reading)."""
    rows = board.rows
    last = np.full(rows + 2, -1, np.int32)
    start = np.zeros(rows + 1, np.int32)
    for row in range(rows):
        for cell in cells_read(board, hands, row):
            to = cell // (hands * 8)
            if last[to] != row:
                last[to] = row
                if to < rows:
                    start[to + 1] += 1
    start = np.cumsum(start).astype(np.int32)
    found = np.empty(start[rows], np.int32)
    place = start.copy()
    last[:] = -1
    for row in range(rows):
        for cell in cells_read(board, hands, row):
            to = cell // (hands * 8)
            if last[to] != row:
                last[to] = row
                if to < rows:
                    found[place[to]] = row
                    place[to] += 1
    return start, found


@compiled
def _distance_order(start: Ints, readers: Ints, board: Board, hands: int) -> Ints:
    """Breadth first against the moves, from the rows that can finish at once; rows that never can come last."""
    rows = board.rows
    order = np.empty(rows, np.int32)
    seen = np.zeros(rows, np.bool_)
    count = 0
    for row in range(rows):
        for cell in cells_read(board, hands, row):
            if cell // (hands * 8) == rows and not seen[row]:
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
