"""What there is to decide: richness of the dice choice, forced turns and risks, the price of safety (15, 16, 18)."""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.solved import Solved
from rulekit.solve.best import Trade, pareto
from rulekit.solve.kernel import Floats
from rulekit.solve.tables import Numbered
from rulekit.study.chain_kernel import Longs
from rulekit.study.choices_kernel import legal_ways, survey
from rulekit.study.record import RaceRecord

FEW_TRADES = 4
"""Sink costs that the front is solved for: its ends, and a few between."""


class Options(NamedTuple):
    """A turn's options by turn: dice choices whose ends differ in distribution; those of them that no other dominates
    in expected turns and chance of a crash; the value of the second best less that of the best (∞ for one choice
    alone); the least chance among the choices that a crash cannot be avoided; directions legal with the hand thrown.
    """

    distinct: Longs
    free: Longs
    spread: Floats
    risk: Floats
    ways: Longs


def options_of(record: RaceRecord) -> Options:
    """The options of all turns; other boats in the way do not count."""
    assert record.course is not None
    race, turns = record.course.race, record.turns
    states, number = np.unique(turns.before, return_inverse=True)
    found = surveyed(record.course, states)[number]
    ways = legal_ways(race.board, race.dice_tables, turns.before, turns.thrown)
    return Options(
        found[:, 0].astype(np.int64), found[:, 1].astype(np.int64), found[:, 2], found[:, 3], ways.astype(np.int64)
    )


def surveyed(course: Solved, states: Longs) -> Floats:
    """(distinct, free, spread, risk) of `Options` by [state, number]."""
    race, solution = course.race, course.solution
    tables = race.board, race.dice_tables, *race.dice.listed_choices, course.policy.steer.ravel()
    # States that differ in the hand alone share a throw table: they are asked for together.
    order = np.argsort(states // race.row_cells * 8 + states % 8, kind="stable")
    found = np.empty((states.size, 4))
    found[order] = survey(*tables, solution.levels, solution.sunk, states[order])
    return found


def shares(record: RaceRecord, hits: np.ndarray) -> Floats:
    """(hits, turns) by race."""
    match = record.turns.match
    return np.stack([np.bincount(match, part, record.races) for part in (hits, np.ones(match.size))], axis=1)


def front(numbered: Numbered, most: int = FEW_TRADES) -> list[Trade]:
    """The front between turns and the chance of sinking from the best starts; races that sink on purpose are left out.

    A race is solved for each of its points, `most` at most.
    """
    return [trade for trade in pareto(numbered, numbered.starts, most=most) if not trade.on_purpose]
