"""What a boat's move does in compiled races, on any water: compiled for the kind of water that it is called with.

So a course without tiles costs nothing of theirs, neither in play nor in compiling.
"""

from typing import Any

from numba.extending import overload

from rulekit.simulate import bulk_kernel as bare
from rulekit.simulate import bulk_tiles as tiled
from rulekit.simulate.bulk_kernel import AnyWater, Book, Fleet, Rng, Throws, Whole, begin_turn
from rulekit.simulate.bulk_tiles import TiledWater
from rulekit.solve.jit import BARE, compiled_inline
from rulekit.solve.kernel import Bytes


def move(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> None:
    """The boat's move with the hand thrown; way 0, 1, 2 is right, straight, left."""
    raise NotImplementedError


def is_held(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, way: Whole) -> bool:
    """Whether only other boats would keep a boat on its hex."""
    raise NotImplementedError


def end_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, entry: Whole, hand: Whole,
    rng: Rng, shown: Bytes,
) -> tuple[Whole, Whole]:  # fmt: skip
    """The move in the table's direction: (entry, way); see `bulk_kernel.straight_end_turn`."""
    raise NotImplementedError


def open_ways(water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole) -> tuple[bool, bool, bool]:
    """Whether right, straight, left are legal with a hand (PB-17, X1-6, X1-10)."""
    raise NotImplementedError


def way_end(
    water: AnyWater, dice: Throws, fleet: Fleet, seat: Whole, hand: Whole, ahead: Whole
) -> tuple[Whole, Whole, Whole]:
    """(row, damage, cell) at the end of a move ahead; the damage is that of a sunk boat where a flight ends out."""
    raise NotImplementedError


PLAIN: Any = {key: value for key, value in BARE.items() if key != "cache"}
INLINE: Any = {"forceinline": True, **PLAIN}


def _compile(function: Any, straight: Any, over_tiles: Any, often: bool = True) -> None:
    """Lets compiled code call a function: one of two, by the water; the one over tiles in place of the call if it is
    needed often."""

    def choose_straight(water: Any, *_: Any) -> Any:
        return None if water.instance_class is TiledWater else straight.py_func

    def choose_tiles(water: Any, *_: Any) -> Any:
        return over_tiles.py_func if water.instance_class is TiledWater else None

    overload(function, jit_options=INLINE, strict=False)(choose_straight)
    overload(function, jit_options=INLINE if often else PLAIN, strict=False)(choose_tiles)


_compile(move, bare.straight_turn, tiled.tile_turn, often=False)
_compile(is_held, bare.straight_held, tiled.tile_held, often=False)
_compile(end_turn, bare.straight_end_turn, tiled.tile_end_turn)
_compile(open_ways, bare.straight_ways, tiled.tile_ways)
_compile(way_end, bare.straight_way_end, tiled.tile_way_end)


@compiled_inline
def table_turn(
    water: AnyWater, dice: Throws, book: Book, number: Whole, fleet: Fleet, seat: Whole, rng: Rng, shown: Bytes
) -> tuple[Whole, Whole]:
    """A turn by the tables of a book: (entry chosen, way)."""
    entry, hand = begin_turn(water, dice, book, number, fleet, seat, rng, shown)
    return end_turn(water, dice, book, number, fleet, seat, entry, hand, rng, shown)
