"""How far a boat is from the finish, its facing counted: a measure of progress between the gates."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from rulekit.hexgrid import FACINGS, Facing, Hex
from rulekit.powerboats.boat import STEERS
from rulekit.powerboats.gates import Gates
from rulekit.powerboats.route import nearby


class Heading(NamedTuple):
    """A boat as far as its way is concerned: hex, facing, gates passed."""

    at: Hex
    facing: Facing
    progress: int


def steps_left(gates: Gates, water: frozenset[Hex]) -> dict[Heading, int]:
    """The least number of unit moves to the finish from every heading that can get there.

    A unit move steers one side at most and goes one hex, or stays: what a boat without dice or with one 1 can do in a
    turn (PB-16…PB-18). Tiles and other boats are left out of account.
    """
    before: dict[Heading, list[Heading]] = {}
    for start in _headings(gates, water):
        for after in _unit_moves(gates, water, start):
            before.setdefault(after, []).append(start)
    return _levels(before, gates.last)


def _headings(gates: Gates, water: frozenset[Hex]) -> Iterator[Heading]:
    return (Heading(at, facing, done) for done in range(gates.last) for at in nearby(water) for facing in FACINGS)


def _unit_moves(gates: Gates, water: frozenset[Hex], start: Heading) -> Iterator[Heading]:
    for left in STEERS:
        facing = start.facing.steer(left)
        ahead = start.at.step(facing)
        if ahead in water:
            yield Heading(ahead, facing, gates.after_step(start.progress, start.at, ahead))
        if left:
            yield Heading(start.at, facing, start.progress)


def _levels(before: dict[Heading, list[Heading]], last: int) -> dict[Heading, int]:
    found = {heading: 0 for heading in before if heading.progress == last}
    waiting = deque(found)
    while waiting:
        heading = waiting.popleft()
        for earlier in before.get(heading, ()):
            if earlier not in found:
                found[earlier] = found[heading] + 1
                waiting.append(earlier)
    return found
