"""The greatest chance to stand on each hex after exactly N turns, each hex with its own best choices.

Backward over the states that the boat can really be in, for many target hexes side by side. Chances are counted as
whole numbers of ways (each die thrown multiplies them by the faces' weights) as long as these fit 64 bits: then nothing
is rounded. A boat that has finished or sunk stands nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.errors import BadInput
from rulekit.solve.flow import flow_level
from rulekit.solve.jit import compiled, compiled_parallel, parallel_range
from rulekit.solve.kernel import Board, Dice, Ints, end_of
from rulekit.solve.model import Race, first_dice, without_progress
from rulekit.solve.policy import Policy
from rulekit.solve.spread import (
    Allowed,
    Bools,
    State,
    allowed,
    facings_of,
    first_turns,
    hexes_of,
    spread,
    start_mask,
)

Numbers = NDArray[Any]
"""Ways (int64) or chances (float64)."""

BLOCK = 64
BLOCK_BYTES = 150_000_000
"""Most targets side by side, and what their values may take at one time."""

Report = Callable[[int, int], None]
"""Called with the steps done and their number."""


@dataclass(frozen=True)
class Standing:
    """A hex, the chance to stand there, and the first turn's choice that gives it.

    `exact` is None where the ways are too many for whole numbers of 64 bits.
    """

    place: int
    chance: float
    exact: Fraction | None
    kept: int
    rolled: int


@dataclass(frozen=True)
class Reach:
    """The standings after `turns` turns by hex, ascending; `facings[hex, facing]`: how the boat may face there then."""

    turns: int
    standings: tuple[Standing, ...]
    facings: Bools


def reach(race: Race, state: State, turns: int, *, safe: bool = False, report: Report | None = None) -> Reach:
    """Each hex's greatest chance after exactly `turns` turns; `safe`: by choices that cannot damage the boat only.

    Raises ValueError for less than one turn.
    """
    if turns < 1:
        raise ValueError("the number of turns is at least 1")
    race, state = _reduced(race, state, turns)
    choices = allowed(race, safe=safe, damage=state[0])
    masks = [start_mask(race, state)]
    for _ in range(turns):
        masks.append(spread(race, masks[-1], choices)[0])
    targets = np.flatnonzero(hexes_of(race, masks[-1])).astype(np.int32)
    backward = _Backward(race, state, masks, choices)
    tables = backward.tables(targets, report)
    standings = (backward.standing(int(target), tables[:, k]) for k, target in enumerate(targets))
    return Reach(turns, tuple(one for one in standings if one.chance > 0), facings_of(race, masks[-1]))


def fewest_turns(race: Race, state: State, *, safe: bool = False) -> Ints:
    """For each hex the fewest turns to it with the best dice, −1 if out of reach (see `spread.first_turns`)."""
    plain = without_gates(race)
    found = first_turns(plain, (state[0], 0, *state[2:]), allowed(plain, safe=safe, damage=state[0]))
    if not _can_finish(race, state, int(found.max(initial=0))):
        return found
    return first_turns(race, state, allowed(race, safe=safe, damage=state[0]))


def reach_under(policy: Policy, state: State, turns: int) -> Reach:
    """The chance to stand on each hex after exactly `turns` turns of a policy; the chances add up to 1 at most.

    `exact` is found again by rounding to whole ways, as long as the errors of the sums stay far below one way.
    Raises ValueError for less than one turn, BadInput for more dice than the policy's own race allows.
    """
    if turns < 1:
        raise ValueError("the number of turns is at least 1")
    race = policy.race
    if state[4] >= race.dice.hands.count:
        raise BadInput(f"the boat has more dice than this policy ever takes: at most {race.dice.most}")
    mass = np.zeros((race.levels, race.rows * race.row_cells))
    mass[state[0], race.cell(*state[1:])] = 1.0
    for _ in range(turns):
        mass = _flow(policy, mass)
    by_place = mass.reshape(race.levels, race.progresses, race.hexes, -1).sum(axis=(0, 1, 3))
    first = policy.dice_choice(*state)
    places = np.flatnonzero(by_place)
    standings = (
        Standing(int(k), float(by_place[k]), _rounded(race, state, turns, by_place[k]), *first) for k in places
    )
    return Reach(turns, tuple(standings), facings_of(race, mass > 0))


def _flow(policy: Policy, mass: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each state one turn later."""
    race = policy.race
    after, totals = np.zeros_like(mass), np.zeros(3)
    work = np.zeros(8 * int(race.dice_tables.start[-1]))
    by_place = [np.zeros(race.hexes) for _ in range(3)]
    for level in range(race.levels):
        tables = race.board, race.shores, race.dice_tables, policy.choice, policy.steer
        flow_level(mass, after, level, *tables, work, totals, *by_place)
    return after


def _rounded(race: Race, state: State, turns: int, chance: float) -> Fraction | None:
    scale = int(sum(race.dice.weights)) ** sum(_sizes(race, state, turns)[1:])
    error = turns * race.row_cells * race.rows**0.5 * 2.0**-52
    return Fraction(round(Fraction(chance) * scale), scale) if error * scale < 0.25 else None


def _sizes(race: Race, state: State, turns: int) -> list[int]:
    """The most dice before each turn, and after the last."""
    size = int(race.dice.hands.size[state[4]])
    return [min(size + turn * race.dice.change, race.dice.most) for turn in range(turns + 1)]


def _reduced(race: Race, state: State, turns: int) -> tuple[Race, State]:
    """Without hands too large to be thrown in time, and without gates if the finish is too far to matter."""
    small = with_most(race, _sizes(race, state, turns)[-1])
    plain, start = without_gates(small), (state[0], 0, *state[2:])
    if _can_finish(small, state, turns):
        return small, state
    return plain, start


def _can_finish(race: Race, state: State, turns: int) -> bool:
    now, choices = start_mask(race, state), allowed(race)
    for _ in range(turns):
        now, finishes = spread(race, now, choices)
        if finishes:
            return True
    return False


def with_most(race: Race, most: int) -> Race:
    """The same race with fewer dice: hands are numbered by size, so a table by hand is cut off."""
    dice = replace(race.dice, most=most)
    return replace(race, dice=dice, moves=first_dice(race.moves, dice.hands.count))


def without_gates(race: Race) -> Race:
    """The same lake as an endless race: where the boat goes does not depend on gates passed."""
    return replace(race, progresses=1, moves=without_progress(race.moves, race.hexes))


class _Backward:
    """Values by slot, hand and target, from the last turn to the first."""

    def __init__(self, race: Race, state: State, masks: list[Bools], choices: Allowed) -> None:
        self.race, self.state, self.masks, self.choices = race, state, masks, choices
        self.turns = len(masks) - 1
        self.sizes = _sizes(race, state, self.turns)
        self.slots = [_slots(race, mask) for mask in masks]
        scale = int(sum(race.dice.weights)) ** sum(self.sizes[1:])
        self.scale = scale if scale < 2**63 else None

    def tables(self, targets: Ints, report: Report | None) -> Numbers:
        """The first turn's throw table by target: [entry, target]."""
        width = self._block_width()
        blocks = [targets[k : k + width] for k in range(0, targets.size, width)]
        found = []
        for number, block in enumerate(blocks):
            found.append(self._block(block, number, len(blocks), report))
        return np.concatenate(found, axis=1) if found else np.zeros((int(self.race.dice_tables.start[-1]), 0))

    def _block_width(self) -> int:
        states = max(len(slots) * self._hands(turn) for turn, slots in enumerate(self.slots))
        return max(1, min(BLOCK, BLOCK_BYTES // (8 * max(states, 1))))

    def _hands(self, turn: int) -> int:
        return self.race.dice.hands.upto(self.sizes[turn])

    def _block(self, targets: Ints, number: int, blocks: int, report: Report | None) -> Numbers:
        kind = np.float64 if self.scale is None else np.int64
        places = self.slots[-1] // 6 % self.race.hexes
        values = (places[:, None, None] == targets).astype(kind)
        for turn in range(self.turns - 1, 0, -1):
            fresh = np.zeros((len(self.slots[turn]), self._hands(turn), targets.size), kind)
            self._turn_back(turn, values, fresh)
            values = fresh
            if report:
                report(number * self.turns + self.turns - turn, blocks * self.turns)
        return self._first(values, targets.size)

    def _turn_back(self, turn: int, values: Numbers, fresh: Numbers) -> None:
        lookup = _lookup(self.race, self.slots[turn + 1])
        weights, pads = self._numbers(turn, values.dtype)
        _step_back(
            self.slots[turn], self.masks[turn], self.race.board, self.race.dice_tables, *self.race.dice.listed_choices,
            self.choices.mask, self.choices.safe, self.sizes[turn + 1], lookup, values, weights, pads, fresh,
        )  # fmt: skip

    def _first(self, values: Numbers, width: int) -> Numbers:
        table = np.zeros((int(self.race.dice_tables.start[-1]), width), values.dtype)
        weights, pads = self._numbers(0, values.dtype)
        slot = int(self.slots[0][0])
        thrown = self.sizes[1]
        lookup = _lookup(self.race, self.slots[1])
        _throws(slot, self.race.board, self.race.dice_tables, self.choices.safe, thrown, lookup, values, weights, table)
        each = np.repeat(pads, np.diff(self.race.dice_tables.start))
        return np.asarray(table * each[:, None])

    def _numbers(self, turn: int, kind: Any) -> tuple[Numbers, Numbers]:
        """(what a face multiplies by, what makes up for dice not thrown) of a turn."""
        dice = self.race.dice
        if self.scale is None:
            return dice.hands.chance, np.ones(dice.most + 1)
        each, most = int(sum(dice.weights)), self.sizes[turn + 1]
        pads = [each ** max(most - rolled, 0) for rolled in range(dice.most + 1)]
        return np.array(dice.weights, kind), np.array(pads, kind)

    def standing(self, target: int, column: Numbers) -> Standing:
        """The best of the first choices; of equal ones the fewest dice rolled and kept."""
        row = self.state[1] * self.race.hexes + self.state[2]
        mask: Bools = np.asarray(self.choices.mask[row, self.state[3]])
        dice = self.race.dice
        start, options = dice.listed_choices
        listed = options[start[self.state[4]] : start[self.state[4] + 1]]
        best = max(listed, key=lambda entry: (bool(mask[entry]), column[entry]))
        worth = column[best] if mask[best] else 0
        exact = None if self.scale is None else Fraction(int(worth), self.scale)
        chance = float(worth) if exact is None else float(exact)
        return Standing(target, chance, exact, *dice.throws.choice(int(best)))


def _slots(race: Race, mask: Bools) -> Ints:
    """The slots of a mask's states, ascending."""
    by_lane: Bools = np.any(mask.reshape(race.levels, race.rows, -1, 8), axis=2)
    return np.flatnonzero(by_lane[..., :6].ravel()).astype(np.int32)


def _lookup(race: Race, slots: Ints) -> Ints:
    """The place of each slot in a list of them, −1 where it is not there."""
    found = np.full(race.levels * race.rows * 6, -1, np.int32)
    found[slots] = np.arange(slots.size, dtype=np.int32)
    return found


@compiled_parallel
def _step_back(
    slots: Ints, mask: Bools, board: Board, dice: Dice, option_start: Ints, options: Ints, allowed: Bools, safe: bool,
    thrown: int, lookup: Ints, values: Numbers, weights: Numbers, pads: Numbers, fresh: Numbers,
) -> None:  # fmt: skip
    """fresh[slot, hand, target]: the best choice's ways, from `values` after the turn."""
    hands = dice.size.size
    parts = min(slots.size, 64)
    for part in parallel_range(parts):
        table = np.zeros((dice.start[-1], values.shape[2]), values.dtype)
        for k in range(part, slots.size, parts):
            slot = slots[k]
            row, facing = slot // 6 % board.rows, slot % 6
            _throws(slot, board, dice, safe, thrown, lookup, values, weights, table)
            for hand in range(fresh.shape[1]):
                if mask[slot // 6 // board.rows, (row * hands + hand) * 8 + facing]:
                    _best(hand, dice, option_start, options, allowed[row, facing], pads, table, fresh[k, hand])


@compiled
def _throws(
    slot: int, board: Board, dice: Dice, safe: bool, thrown: int, lookup: Ints, values: Numbers, weights: Numbers,
    table: Numbers,
) -> None:  # fmt: skip
    """The throw table of a slot: hands of up to `thrown` dice, then dice added one by one."""
    faces = dice.chance.size
    for hand in range(dice.upto[thrown + 1]):
        _best_move(slot, hand, board, dice, safe, lookup, values, table[hand])
    for rolled in range(1, thrown + 1):
        for kept in range(dice.upto[thrown + 1 - rolled]):
            out = table[dice.start[rolled] + kept]
            out[:] = 0
            for face in range(faces):
                part = table[dice.start[rolled - 1] + dice.more[kept * faces + face]]
                for k in range(out.size):
                    out[k] += weights[face] * part[k]


@compiled
def _best_move(
    slot: int, hand: int, board: Board, dice: Dice, safe: bool, lookup: Ints, values: Numbers, out: Numbers
) -> None:
    """A thrown hand's best direction for each target."""
    row, facing, level = slot // 6 % board.rows, slot % 6, slot // 6 // board.rows
    hands = dice.size.size
    levels = lookup.size // (board.rows * 6)
    out[:] = 0
    for steer in range(3):
        gain, cell = end_of(board, dice, level, row, hand, facing, steer)
        if cell < board.rows * hands * 8 and level + gain < levels and not (safe and gain > 0):
            group = cell // 8
            place = lookup[((level + gain) * board.rows + group // hands) * 6 + cell % 8]
            if place >= 0:
                # After the last turn the hand does not matter.
                ends = values[place, min(group % hands, values.shape[1] - 1)]
                for k in range(out.size):
                    out[k] = max(out[k], ends[k])


@compiled
def _best(
    hand: int, dice: Dice, option_start: Ints, options: Ints, allowed: Bools, pads: Numbers, table: Numbers,
    out: Numbers,
) -> None:  # fmt: skip
    """The best allowed choice of a hand for each target."""
    rolled = 0
    for option in range(option_start[hand], option_start[hand + 1]):
        entry = options[option]
        while entry >= dice.start[rolled + 1]:
            rolled += 1
        if allowed[entry]:
            part, pad = table[entry], pads[rolled]
            for k in range(out.size):
                out[k] = max(out[k], pad * part[k])
