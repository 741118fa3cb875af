"""Forward sweeps: probability carried through one turn of a policy (the adjoint of the throw table)."""

from typing import NamedTuple

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Board, Bytes, Dice, Floats, Ints, Shorts, end_of


class Shores(NamedTuple):
    """The hexes where moves with damage end, those behind the finish too: a finished boat's cell does not tell.

    From straight rows by (hex, facing chosen); from listed ones by (block, hand, steer, facing before), where the
    board has `copies` blocks in a row for each of these.
    """

    straight: Ints
    listed: Ints
    copies: int


@compiled
def flow_level(
    mass: Floats, after: Floats, level: int, board: Board, shores: Shores, dice: Dice, choice: Shorts, steer: Bytes,
    work: Floats, totals: Floats, visits: Floats, crashes: Floats, sinkings: Floats,
) -> None:  # fmt: skip
    """Moves a level's probability on; totals = (finished, sunk, finished without damage in that move).

    The rest is by hex. A boat that has finished is not counted as sunk, whatever damage it takes then (PB-22).
    """
    row_cells = dice.size.size * 8
    for row in range(board.rows):
        here = mass[level, row * row_cells : (row + 1) * row_cells]
        total = here.sum()
        if total > 0.0:
            visits[row % visits.size] += total
            throw_mass(here, choice[level], row * row_cells, dice, work)
            move_mass(after, level, board, shores, dice, steer[level], row, work, totals, crashes, sinkings)


@compiled
def throw_mass(here: Floats, choice: Shorts, at: int, dice: Dice, work: Floats) -> None:
    """The chance of every hand thrown (and facing) into the throw table's first part."""
    faces = dice.chance.size
    work[: dice.start[-1] * 8] = 0.0
    for i in range(here.size):
        if here[i] > 0.0:
            work[choice[at + i] * 8 + i % 8] += here[i]
    for rolled in range(dice.start.size - 2, 0, -1):
        for kept in range(dice.start[rolled + 1] - dice.start[rolled]):
            for face in range(faces):
                more = dice.start[rolled - 1] + dice.more[kept * faces + face]
                for lane in range(8):
                    work[more * 8 + lane] += dice.chance[face] * work[(dice.start[rolled] + kept) * 8 + lane]


@compiled
def move_mass(
    after: Floats, level: int, board: Board, shores: Shores, dice: Dice, steer: Bytes, row: int, work: Floats,
    totals: Floats, crashes: Floats, sinkings: Floats,
) -> None:  # fmt: skip
    """The thrown hands' moves."""
    hands = dice.size.size
    finished = board.rows * hands * 8
    for hand in range(hands):
        for facing in range(6):
            chance = work[hand * 8 + facing]
            if chance == 0.0:
                continue
            way = steer[(row * hands + hand) * 8 + facing]
            gain, cell = end_of(board, dice, level, row, hand, facing, way)
            if cell >= finished:
                totals[0] += chance
                if gain > 0:
                    crashes[shore_of(board, shores, hands, level, row, hand, facing, way)] += chance
                else:
                    totals[2] += chance
                continue
            place = cell // (hands * 8) % crashes.size
            if gain > 0:
                crashes[place] += chance
            if level + gain >= after.shape[0]:
                totals[1] += chance
                sinkings[place] += chance
            else:
                after[level + gain, cell] += chance


@compiled
def shore_of(
    board: Board, shores: Shores, hands: int, level: int, row: int, hand: int, facing: int, way: int
) -> int:  # fmt: skip
    """The hex where a move with damage ends."""
    block = board.block[level * board.rows + row]
    if block < 0:
        return int(shores.straight[row % (shores.straight.size // 6) * 6 + (facing + 5 + way) % 6])
    return int(shores.listed[((block // shores.copies * hands + hand) * 3 + way) * 8 + facing])
