"""Simple policies as arrays: the solver's own tables evaluate them exactly.

`greedy` and `cautious` look one turn ahead and measure progress in steps left to the finish (`powerboats.distance`).
The restricted ones are the best races without a feature of the game: what they lose is what the feature is worth.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.errors import BadInput, did_you_mean
from rulekit.powerboats.dice import choices
from rulekit.solve.bounds import solve
from rulekit.solve.kernel import Floats
from rulekit.solve.lanes import FACINGS, LANES
from rulekit.solve.model import NO_MOVE, Outcomes, Race, Straights, Tiled
from rulekit.solve.policy import Policy, best_policy, empty_policy
from rulekit.solve.tables import Numbered

Array = NDArray[Any]
Maker = Callable[[Numbered, float], Policy]
"""A policy for a course; the number is the sink cost, which only the restricted best races heed."""

WAYS = (1, 0, -1)
"""Left, straight, right: of equally good directions the first is taken."""

NEVER = 1e15
"""Added to the score of what is done only if there is nothing else."""


class Ends(NamedTuple):
    """Where moves end, by [progress, hex, facing, slot, way]; a slot is a total, or a hand where moves depend on it.

    The first axis may have the length 1.

    `steps` to the finish from there, `gain` in damage, `finished`, and the number of pips left on the dice.
    """

    steps: Array
    gain: Array
    finished: Array
    pips: Array
    legal: Array


@dataclass(frozen=True)
class OneTurn:
    """One turn ahead: every choice's chance of damage and mean of the steps left, for a course."""

    numbered: Numbered

    @property
    def race(self) -> Race:
        """The course's race."""
        return self.numbered.race

    @cached_property
    def steps(self) -> Array:
        """Steps left by [progress, hex, facing], 0 for the progress of boats that have finished."""
        race, left = self.race, self.numbered.waters.steps_left
        found = np.full((race.progresses + 1, race.hexes, FACINGS), self.beyond, np.int64)
        found[race.progresses] = 0
        for (at, facing, progress), steps in left.items():
            if progress < race.progresses:
                found[progress, self.numbered.number[at], facing] = steps
        return found

    @cached_property
    def beyond(self) -> int:
        """More steps than any boat has left that can still finish."""
        return 1 + max(self.numbered.waters.steps_left.values(), default=0)

    @cached_property
    def slot(self) -> Array:
        """The slot of each hand: its total, or itself where moves depend on more than that."""
        hands = self.race.dice.hands
        return hands.pip_count if isinstance(self.race.moves, Straights) else np.arange(hands.count)

    def ends(self, level: int) -> Ends:
        """Where all moves end, for a boat with that damage."""
        moves = self.race.moves
        return self._tiled(moves, level) if isinstance(moves, Tiled) else self._all_ends

    @cached_property
    def _all_ends(self) -> Ends:
        moves = self.race.moves
        if isinstance(moves, Outcomes):
            return self._listed(moves)
        return self._straight(moves.straights if isinstance(moves, Tiled) else moves)

    def _straight(self, moves: Straights) -> Ends:
        ahead = (np.arange(FACINGS)[:, None] + np.array(WAYS)) % FACINGS
        free = moves.clear[:, ahead][:, :, None, :]
        by_total = isinstance(self.race.moves, Straights)
        totals = np.arange(int(self.slot.max()) + 1)[:, None] if by_total else self.race.dice.hands.pip_count[:, None]
        made = np.minimum(totals, free)
        gain = totals - made
        place, way = np.arange(self.race.hexes)[:, None, None, None], ahead[:, None, :]
        progress = moves.progress[:, place, way, made]
        steps = self.steps[progress, moves.land[place, way, made], way]
        legal = gain == gain.min(axis=-1, keepdims=True)
        pips = np.where(gain > 0, 0, totals)
        return Ends(steps, gain[None], progress == self.race.progresses, pips[None], legal[None])

    def _listed(self, moves: Outcomes) -> Ends:
        shape = self.race.progresses, self.race.hexes, *moves.hex.shape[1:]
        place, facing, progress, gain, hand = (
            getattr(moves, name).reshape(shape).transpose(0, 1, 3, 2, 4)[..., ::-1]
            for name in ("hex", "facing", "progress", "gain", "hand")
        )
        legal = place != NO_MOVE
        steps = self.steps[np.where(legal, progress, 0), np.where(legal, place, 0), np.where(legal, facing, 0)]
        pips = self.race.dice.hands.pip_count[np.where(legal, hand, 0)]
        return Ends(steps, gain, progress == self.race.progresses, pips, legal)

    def _tiled(self, moves: Tiled, level: int) -> Ends:
        """The straight ends, overwritten where moves depend on the hand."""
        at = np.flatnonzero(moves.block[level] != NO_MOVE)
        block, ahead = moves.block[level, at], (np.arange(FACINGS)[:, None] + np.array(WAYS)) % FACINGS
        place, facing, gain, hand, left = (
            part[block][..., ahead].transpose(0, 2, 1, 3)
            for part in (moves.hex, moves.facing, moves.gain, moves.hand, moves.left)
        )
        progress = moves.progress[:, block][..., ahead].transpose(0, 1, 3, 2, 4)
        bound = moves.bound[block][:, None, None, None]
        ends = Ends(*(part.copy() for part in self._all_ends))
        ends.steps[:, at] = self.steps[progress, place, facing]
        ends.finished[:, at] = progress == self.race.progresses
        ends.gain[0, at], ends.pips[0, at] = gain, self.race.dice.hands.pip_count[hand]
        ends.legal[0, at] = np.where(bound, np.array(WAYS) == 0, left == left.min(axis=-1, keepdims=True))
        return ends

    @cached_property
    def ways(self) -> Floats:
        """ways[entry of the throw table, slot]: of sum(weights)^most, the ways to get there."""
        dice, slots = self.race.dice, int(self.slot.max()) + 1
        found, slot = np.zeros((int(dice.throws.start[-1]), slots)), self.slot
        found[np.arange(dice.hands.count), slot] = float(sum(dice.weights)) ** dice.most
        for rolled in range(1, dice.most + 1):
            kept = np.arange(dice.hands.upto(dice.most - rolled))
            before = dice.throws.start[rolled - 1] + dice.hands.more[kept]
            mean = np.einsum("kfs,f->ks", found[before], np.array(dice.weights, float)) / sum(dice.weights)
            found[dice.throws.start[rolled] + kept] = mean
        return found

    def policy(self, *, careful: bool) -> Policy:
        """The policy with the fewest steps left, or first the least chance of damage (`careful`)."""
        found = empty_policy(self.race)
        for level in range(self.race.levels):
            way, steps, hurt = self._steering(level, careful=careful)
            steer, choice = (self._cells(arrays[level]) for arrays in (found.steer, found.choice))
            slot = self.slot
            steer[..., :FACINGS] = (2 - way)[:, :, :, slot].transpose(0, 1, 3, 2)
            risk = hurt.astype(float) @ self.ways.T if careful else None
            self._choose(choice, steps.astype(float) @ self.ways.T, risk, steps[..., slot[0]])
        return found

    def _cells(self, flat: Array) -> Array:
        race = self.race
        return flat[: race.rows * race.row_cells].reshape(race.progresses, race.hexes, race.dice.hands.count, LANES)

    def _steering(self, level: int, *, careful: bool) -> tuple[Array, Array, Array]:
        """(way, steps left, whether it costs damage) of the best direction by [progress, hex, facing, slot]."""
        ends = self.ends(level)
        sunk = ~ends.finished & (ends.gain + level >= self.race.levels)
        steps = np.where(sunk, self.beyond, ends.steps)
        first, second = (ends.gain, steps) if careful else (steps, ends.gain)
        score = (first * 10_000 + second) * 10_000 - ends.pips
        way = np.where(ends.legal, score, np.iinfo(np.int64).max).argmin(axis=-1)
        gain = np.broadcast_to(ends.gain, steps.shape)
        taken = (np.take_along_axis(part, way[..., None], -1)[..., 0] for part in (steps, gain > 0))
        return way, *taken

    def _choose(self, choice: Array, mean: Floats, risk: Floats | None, waiting: Array) -> None:
        """The dice choices of a level by [progress, hex, hand, facing], in place."""
        dice, readings = self.race.dice, self.numbered.waters.readings
        idle = NEVER * (waiting >= self.steps[: self.race.progresses])
        for hand in range(dice.hands.count):
            told = choices(dice.hands.tuple_of(hand), readings)
            entries = np.array([dice.throws.entry(dice.hands.index(kept), rolled) for kept, rolled in told])
            still = idle[..., None] * np.array([not (kept or rolled) for kept, rolled in told])
            score = mean[..., entries] + still
            if risk is not None:
                danger = risk[..., entries] + still
                score = np.where(danger == danger.min(axis=-1, keepdims=True), score, np.inf)
            choice[:, :, hand, :FACINGS] = entries[score.argmin(axis=-1)]


def greedy(numbered: Numbered, _sink_cost: float) -> Policy:
    """The fewest steps left after this turn, in the mean of the throw, whatever the risk. It never idles."""
    return OneTurn(numbered).policy(careful=False)


def cautious(numbered: Numbered, _sink_cost: float) -> Policy:
    """The least chance of damage this turn among the choices that do not idle, then as greedy."""
    return OneTurn(numbered).policy(careful=True)


def no_reroll(numbered: Numbered, sink_cost: float) -> Policy:
    """The best race without throwing a die again: dice stay as they are until they are removed."""
    race = numbered.race
    return best_policy(solve(replace(race, dice=replace(race.dice, reroll="none")), sunk=sink_cost))


def at_most(dice: int) -> Maker:
    """The best race with at most so many dice."""

    def make(numbered: Numbered, sink_cost: float) -> Policy:
        if dice > numbered.race.dice.most:
            raise BadInput(f"policy 'dice-{dice}': a boat has at most {numbered.race.dice.most} dice here (--dice-max)")
        readings = replace(numbered.waters.readings, dice_max=dice)
        fewer = Numbered(replace(numbered.waters, readings=readings))
        return best_policy(solve(fewer.race, sunk=sink_cost))

    return make


POLICIES: dict[str, Maker] = {"greedy": greedy, "cautious": cautious, "no-reroll": no_reroll}
"""The policies by name, besides dice-1, dice-2, …"""


def policy_named(name: str) -> Maker:
    """The maker of a named policy; raises BadInput for an unknown one, with the near miss."""
    if name in POLICIES:
        return POLICIES[name]
    if found := re.fullmatch(r"dice-([1-9][0-9]?)", name):
        return at_most(int(found[1]))
    known = [*POLICIES, "dice-2"]
    raise BadInput(
        f"there is no policy '{name}'{did_you_mean(name, known)}; there are {', '.join(POLICIES)}, "
        "dice-1, dice-2, … (at most so many dice), and files saved with --save"
    )
