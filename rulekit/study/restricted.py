"""The best race without a feature of the game: no die thrown again, few dice, no great risk taken (22).

What such a boat loses against one that may do everything is what the feature is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rulekit.errors import BadInput
from rulekit.solve.best import check_size
from rulekit.solve.bounds import Solution, aligned, solve, working_space
from rulekit.solve.kernel import Bytes, Floats, fix_damaging
from rulekit.solve.lanes import FACINGS, LANES
from rulekit.solve.model import Race
from rulekit.solve.named import OneTurn
from rulekit.solve.policy import Policy, best_policy, empty_policy
from rulekit.solve.tables import Numbered
from rulekit.study.careful import pick_careful, settle_careful

TOLERANCE = 1e-7

DETOUR = 20.0
"""Turns that a boat takes upon itself to avoid one great risk: without a limit it would wait for ever in some bays."""


@dataclass(frozen=True)
class Restricted:
    """A policy of the whole game that leaves a feature out, and what each state costs it: [damage, progress, hex,
    facing] without dice (where risks are avoided, with the extra turns that those taken stand for)."""

    name: str
    policy: Policy
    costs: Floats

    def cost(self, state: tuple[int, int, int, int, int]) -> float:
        """The cost of a boat without dice."""
        return float(self.costs[state[:4]])


Maker = Callable[[Numbered, Solution], Restricted]


def unrestricted(numbered: Numbered, solution: Solution) -> Restricted:
    """The whole game."""
    return Restricted("everything", best_policy(solution), costs_without_dice(solution))


def no_reroll(numbered: Numbered, solution: Solution) -> Restricted:
    """No die is ever thrown again."""
    race = numbered.race
    found = solve(replace(race, dice=replace(race.dice, reroll="none")), sunk=solution.sunk)
    chosen = best_policy(found)
    return Restricted("no re-roll", Policy(race, chosen.choice, chosen.steer), costs_without_dice(found))


def at_most(dice: int) -> Maker:
    """Never more than so many dice."""

    def make(numbered: Numbered, solution: Solution) -> Restricted:
        readings = replace(numbered.waters.readings, dice_max=dice)
        fewer = Numbered(replace(numbered.waters, readings=readings))
        check_size(fewer.waters)
        found = solve(fewer.race, sunk=solution.sunk)
        policy = embedded(best_policy(found), numbered.race)
        return Restricted(f"at most {dice} {'die' if dice == 1 else 'dice'}", policy, costs_without_dice(found))

    return make


def embedded(policy: Policy, race: Race) -> Policy:
    """A policy for fewer dice as one for more: hands are numbered by size, so its own come first."""
    found, few, hands = empty_policy(race), policy.race, policy.race.dice.hands.count
    entries = range(int(few.dice.throws.start[-1]))
    entry = np.array([race.dice.throws.entry(*few.dice.throws.choice(k)) for k in entries], np.int16)
    _by_hand(found.choice, race)[:, :, :hands] = entry[_by_hand(policy.choice, few)]
    _by_hand(found.steer, race)[:, :, :hands] = _by_hand(policy.steer, few)
    return found


def _by_hand(cells: np.ndarray, race: Race) -> np.ndarray:
    return cells.reshape(race.levels, race.rows, -1, LANES)


def no_risk_above(most: float) -> Maker:
    """No dice choice with a greater chance of damage, where that can be avoided at the cost of DETOUR turns."""

    def make(numbered: Numbered, solution: Solution) -> Restricted:
        policy, levels = careful_race(numbered, solution, most)
        found = Solution(solution.race, solution.sunk, levels, 0.0, np.inf, 0, 0)
        return Restricted(f"no risk above {most:.0%}".replace("%", " %"), policy, costs_without_dice(found))

    return make


def risks(ahead: OneTurn, level: int) -> Floats:
    """The chance that a choice leaves no direction without damage, by [progress or 0, hex, facing, entry]."""
    ends, dice = ahead.ends(level), ahead.race.dice
    hurt = ~(ends.legal & (ends.gain == 0)).any(axis=-1)
    return np.asarray(hurt.astype(float) @ ahead.ways.T / float(sum(dice.weights)) ** dice.most)


def _risky(ahead: OneTurn, level: int, most: float) -> Bytes:
    """The choices with a greater risk, by [row, entry · 8 + facing]."""
    race, entries = ahead.race, int(ahead.race.dice_tables.start[-1])
    found = np.zeros((race.progresses, race.hexes, entries, LANES), np.int8)
    found[..., :FACINGS] = (risks(ahead, level) > most + 1e-12).transpose(0, 1, 3, 2)
    return found.reshape(race.rows, entries * LANES)


def careful_race(numbered: Numbered, solution: Solution, most: float, extra: float = DETOUR) -> tuple[Policy, Floats]:
    """The best race where each choice with a greater risk costs that many turns more: (policy, values with these).

    Values rise from those of the whole game, which are lower bounds.
    """
    race, sunk = solution.race, solution.sunk
    levels, policy = aligned(*solution.levels.shape), empty_policy(race)
    levels[:] = solution.levels
    fixed, fresh = aligned(race.rows * race.board.slots * LANES), aligned(race.row_cells)
    space, ahead, tables = working_space(race, 1).work[0], OneTurn(numbered), (race.board, race.dice_tables)
    for level in reversed(range(race.levels)):
        risky = _risky(ahead, level, most)
        fix_damaging(levels, level, *tables, sunk, fixed)
        order = race.order, *race.readers
        settle_careful(levels[level], *tables, fixed, *order, risky, extra, TOLERANCE, space, fresh)
        arrays = policy.choice[level], policy.steer[level]
        pick_careful(levels, level, *tables, fixed, *race.dice.listed_choices, sunk, risky, extra, space, *arrays)
    return policy, levels


def costs_without_dice(solution: Solution) -> Floats:
    """[damage, progress, hex, facing]."""
    return solution.states()[:, :, :, 0].copy()


def makers(most_dice: int) -> list[Maker]:
    """The restrictions that are tried, for boats that may have so many dice."""
    return [no_reroll, *(at_most(dice) for dice in range(2, most_dice, 2)), no_risk_above(0.1)]


def restricted_races(numbered: Numbered, solution: Solution) -> list[Restricted]:
    """The whole game first, then without a feature each; what cannot be solved is left out."""
    found = [unrestricted(numbered, solution)]
    for make in makers(numbered.race.dice.most):
        try:
            found.append(make(numbered, solution))
        except BadInput:
            continue
    return found
