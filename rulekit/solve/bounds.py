"""The optimum between certified bounds: value iteration in place, then a proof on the finished values.

*The proof.* Let v ≥ 0 be any values, T the Bellman operator of a race in which each turn costs at least 1. If
T v ≤ v + r everywhere, then u = v · (1 + e) with e = r / (1 − r) satisfies T u ≤ u: the choices that are best for v
cost c ≥ 1 and lead to u-values of (1 + e) (T v − c), so T u ≤ c + (1 + e) (v + r − c) ≤ (1 + e) v + (1 + e) r − e = u.
Playing them costs at most u in all, so the optimum is ≤ u. Likewise T v ≥ v − f gives w = v · (1 − e), e = f / (1 + f),
with T w ≥ w; a race that ends costs at least w, and one that may never end costs infinitely much. So one number a side
bounds every state.

*Rounding.* T v is computed from numbers ≥ 0 by sums and products: at each die thrown one product and at most `faces`
sums, then one for the turn; comparisons are exact. Each rounds by a factor within 1 ± 2⁻⁵³, so the computed T v is
within a factor 1 ± (dice · (faces + 2) + 8) · 2⁻⁵² of the true one. That margin, times the greatest value, is added to
r and f; the chances of the faces, rounded once, and the last operations here are covered by it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rulekit.solve.jit import thread_count, use_threads
from rulekit.solve.kernel import Bytes, Floats, Rule, Shorts, fix_damaging
from rulekit.solve.lanes import FACINGS, LANES
from rulekit.solve.model import Race
from rulekit.solve.sweeps import Active, Space, sweep

BATCH = 256
SINK_COST = 50.0
Report = Callable[[int, int, int], None]
"""Called after each sweep with the level, the number of the sweep and the rows that it computed."""


@dataclass(frozen=True)
class Solution:
    """Values of a race: `levels`[damage, cell], and factors that make certified bounds of them."""

    race: Race
    sunk: float
    levels: Floats
    low: float
    high: float
    sweeps: int
    computed: int

    def value(self, damage: int, progress: int, place: int, facing: int, hand: int = 0) -> float:
        """Expected cost from a state."""
        return float(self.levels[damage, self.race.cell(progress, place, facing, hand)])

    def bounds(self, damage: int, progress: int, place: int, facing: int, hand: int = 0) -> tuple[float, float]:
        """Certified (lower, upper) bounds on a state's optimum; both infinite where the race cannot surely end."""
        value = self.value(damage, progress, place, facing, hand)
        return value * self.low, value * self.high

    def states(self) -> Floats:
        """The values as [damage, progress, hex, hand, facing], without copying."""
        race = self.race
        shape = (race.levels, race.progresses, race.hexes, race.dice.hands.count, LANES)
        return self.levels[:, : race.rows * race.row_cells].reshape(shape)[..., :FACINGS]

    @property
    def width(self) -> float:
        """The greatest distance between the bounds of a state."""
        return greatest_value(self.states()) * (self.high - self.low)


def aligned(*shape: int, dtype: type = np.float64) -> Floats:
    """Empty memory that starts on a cache line: eight lanes split over two lines cost twice the time."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype).reshape(shape)


def working_space(race: Race, batch: int = BATCH) -> Space:
    """Working memory for as many parts as numba has threads."""
    dice = race.dice_tables
    cells = 8 * (int(dice.start[-1]) + (dice.size.size + 1) * (dice.start.size - 1))
    parts = thread_count()
    fresh = aligned(batch * race.row_cells)
    return Space(aligned(parts, -(-cells // 8) * 8), np.empty(batch, np.int32), fresh, np.empty(batch), np.empty(batch))


def best_rule(sunk: float) -> Rule:
    """The best choices."""
    return Rule(False, False, sunk, np.empty((0, 0), np.int16), np.empty((0, 0), np.int8))


def policy_rule(sunk: float, choice: Shorts, steer: Bytes) -> Rule:
    """The choices of a policy."""
    return Rule(True, False, sunk, choice, steer)


def empty_levels(race: Race, finished: float) -> Floats:
    """All values infinite, but the finished row's; the unused lanes and the impossible row stay so."""
    levels = aligned(race.levels, (race.rows + 2) * race.row_cells)
    levels[:] = np.inf
    set_finished(race, levels, finished)
    return levels


def set_finished(race: Race, levels: Floats, finished: float) -> None:
    """Overwrites the finished row."""
    levels[:, race.rows * race.row_cells : (race.rows + 1) * race.row_cells] = finished


def level_states(race: Race, levels: Floats, level: int) -> Floats:
    """A level's values as [row, hand, facing], without copying."""
    cells = levels[level, : race.rows * race.row_cells]
    return cells.reshape(race.rows, race.dice.hands.count, LANES)[..., :FACINGS]


def greatest_value(values: Floats) -> float:
    """The greatest finite value, 0 if there is none."""
    return float(np.max(values, initial=0.0, where=np.isfinite(values)))


class Sweeper:
    """Repeats sweeps of a level in place until no row is stale, and counts them."""

    def __init__(self, race: Race, levels: Floats, report: Report | None = None) -> None:
        self.race, self.levels, self.report = race, levels, report
        self.board, self.dice, self.space = race.board, race.dice_tables, working_space(race)
        self.fixed = aligned(race.rows * race.board.slots * LANES)
        self.active = Active(race.order, np.zeros(race.rows, np.int8), *race.readers)
        self.sweeps = self.computed = 0

    def settle(self, level: int, rule: Rule, step: float, tolerance: float) -> None:
        """Sweeps until every row of the level is within the tolerance of its operator value."""
        self._start(self.levels, level, rule)
        done = 1
        while done:
            done, _up, _down = self._sweep(self.levels, self.levels, level, rule, step, tolerance)
            self.sweeps += 1
            self.computed += done
            if self.report:
                self.report(level, self.sweeps, done)

    def residual(self, level: int, rule: Rule, step: float) -> tuple[float, float]:
        """The greatest (operator − values, values − operator) of a level, both ≥ 0."""
        self._start(self.levels, level, rule)
        _done, up, down = self._sweep(self.levels, self.levels, level, rule, step, np.inf)
        return up, -down

    def advance(self, after: Floats, level: int, rule: Rule, step: float) -> None:
        """after = operator(values) for a whole level."""
        self._start(self.levels, level, rule)
        self._sweep(self.levels, after, level, rule, step, -1.0)

    def _start(self, levels: Floats, level: int, rule: Rule) -> None:
        self.active.stale[:] = 1
        fix_damaging(levels, level, self.board, self.dice, rule.sunk, self.fixed)

    def _sweep(
        self, levels: Floats, target: Floats, level: int, rule: Rule, step: float, tolerance: float
    ) -> tuple[int, float, float]:
        tables = self.board, self.dice, self.fixed
        return sweep(levels, target, level, *tables, rule, step, self.space, self.active, tolerance)

    def mark_endless(self, level: int, rule: Rule) -> None:
        """Leaves −1 in states from which the rule's choices can make the race end with probability 1, ∞ elsewhere.

        A state stays while some choice keeps to states that stay and can lead nearer to an end; what is left over
        is taken away, until nothing is. Higher levels have been marked before.
        """
        marking = rule._replace(marking=True, sunk=-1.0)
        states = level_states(self.race, self.levels, level)
        states[:] = 0.0
        self.settle(level, marking, 0.0, 0.5)
        while (left := states == 0.0).any():
            states[:] = np.where(left | np.isinf(states), np.inf, 0.0)
            self.settle(level, marking, 0.0, 0.5)


def mark_all_endless(race: Race, rule: Rule, report: Report | None = None) -> Sweeper:
    """A sweeper whose values are −1 where the race ends for sure and ∞ where it does not."""
    sweeper = Sweeper(race, empty_levels(race, -1.0), report)
    for level in reversed(range(race.levels)):
        sweeper.mark_endless(level, rule)
    return sweeper


def rounding_margin(race: Race, greatest: float) -> float:
    """What the computed operator may differ from the exact one by: see the module's text."""
    operations = race.dice.most * (len(race.dice.faces) + 2) + 8
    return operations * 2.0**-52 * (greatest + 1.0)


def solve(
    race: Race,
    *,
    sunk: float = SINK_COST,
    within: float = 1e-6,
    threads: int | None = None,
    report: Report | None = None,
) -> Solution:
    """The least expected number of turns plus `sunk` × the chance of sinking, from every state, with certified bounds.

    The bounds of a state lie at most `within` apart, unless floating point is too coarse for that (see `width`).
    """
    if sunk < 0 or within <= 0:
        raise ValueError("the sink cost must be at least 0, the distance of the bounds above 0")
    use_threads(threads)
    rule = best_rule(sunk)
    sweeper = mark_all_endless(race, rule, report)
    set_finished(race, sweeper.levels, 0.0)
    tolerance = within / (4.0 * (sunk + 10.0))
    _settle_all(sweeper, rule, tolerance, guess=2.0 * sunk + 100.0)
    return _certify(sweeper, rule, tolerance, within)


def _settle_all(sweeper: Sweeper, rule: Rule, tolerance: float, guess: float) -> None:
    """All levels from the most damaged on; each starts from the values of the one before."""
    race, levels = sweeper.race, sweeper.levels
    for level in reversed(range(race.levels)):
        states = level_states(race, levels, level)
        above = level_states(race, levels, level + 1) if level + 1 < race.levels else np.full_like(states, guess)
        np.copyto(states, np.where(np.isinf(above), guess, above), where=np.isfinite(states))
        sweeper.settle(level, rule, 1.0, tolerance)


def _certify(sweeper: Sweeper, rule: Rule, tolerance: float, within: float) -> Solution:
    race, levels = sweeper.race, sweeper.levels
    greatest = max(greatest_value(level_states(race, levels, level)) for level in range(race.levels))
    margin = rounding_margin(race, greatest)
    while True:
        worst = [sweeper.residual(level, rule, 1.0) for level in range(race.levels)]
        rise, fall = (max(side) + margin for side in zip(*worst, strict=True))
        high = 1.0 + rise / (1.0 - rise) if rise < 1.0 else np.inf
        low = 1.0 - fall / (1.0 + fall)
        found = Solution(race, rule.sunk, levels, low, high, sweeper.sweeps, sweeper.computed)
        if greatest * (high - low) <= within or tolerance <= margin:
            return found
        tolerance = max(min(tolerance / 4.0, within / (4.0 * greatest)), margin)
        for level in reversed(range(race.levels)):
            sweeper.settle(level, rule, 1.0, tolerance)
