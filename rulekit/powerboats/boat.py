"""A boat on the lake and what a move does to it: values without behaviour."""

from dataclasses import dataclass

from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.dice import Hand

STEERS = (1, 0, -1)
"""Left, straight, right: a boat turns one side at most (PB-17)."""


@dataclass(frozen=True, slots=True)
class Boat:
    """A boat that races: its hex, facing, dice, gates passed (PB-12) and damage counters."""

    at: Hex
    facing: Facing
    hand: Hand = ()
    progress: int = 1
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Landing:
    """What came of a move in one direction.

    `boat` is the boat afterwards (where it has sunk or finished: its last hex); `left_over` the steps that it could not
    make (X1-10); `way` the hexes that it really entered, its own first, those it fell back from included.
    A boat may have finished and sunk in one move: then it keeps its place (PB-22).
    """

    steer: Facing
    boat: Boat
    left_over: int = 0
    crashed: bool = False
    sunk: bool = False
    finished: bool = False
    way: tuple[Hex, ...] = ()
