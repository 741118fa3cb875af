"""A fixed number of turns: the chance to finish in time."""

from collections.abc import Iterator

import numpy as np

from rulekit.solve.bounds import Report, Sweeper, best_rule, empty_levels, policy_rule
from rulekit.solve.kernel import Floats
from rulekit.solve.model import Race
from rulekit.solve.policy import Policy


def finish_within(
    race: Race, turns: int, policy: Policy | None = None, report: Report | None = None
) -> Iterator[Floats]:
    """The chance to finish within 1, 2, …, `turns` turns, [damage, cell]: the greatest one, or a policy's.

    Each step yields the same memory, overwritten by the next. Relative errors are those of rounding only (below
    1e-13 × turns), so that a chance above 0, however small, never shows as 0.
    """
    rule = policy_rule(0.0, policy.choice, policy.steer) if policy else best_rule(0.0)
    before, after = (empty_levels(race, -1.0) for _ in range(2))
    for levels in (before, after):
        _decision_cells(race, levels)[:] = 0.0
    chance = np.empty_like(before)
    for turn in range(1, turns + 1):
        sweeper = Sweeper(race, before)
        for level in range(race.levels):
            sweeper.advance(after, level, rule, 0.0)
        if report:
            report(0, turn, race.rows * race.levels)
        before, after = after, before
        yield np.subtract(0.0, before, out=chance)  # No negative zeros.


def _decision_cells(race: Race, levels: Floats) -> Floats:
    cells = levels[:, : race.rows * race.row_cells]
    return cells.reshape(race.levels, -1, 8)[..., :6]
