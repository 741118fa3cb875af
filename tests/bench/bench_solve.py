"""The solo race against explicit value iteration (numba, all transitions written out) and against Storm (stormpy).

All ways get the same race and must give the same values to 1e-6; rulekit's time includes its tables and its certified
bounds. The explicit way's time counts its sweeps only, Storm's the building of its model and the solving, apart.
"""

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from solve_lakes import random_race

from rulekit.solve.bounds import Solution, solve
from rulekit.solve.kernel import Board, Dice, straight_move
from rulekit.solve.model import Race

from .measure import Ratio

SMALL, LARGE = (7, 7, 3), (15, 14, 3)  # columns, rows, gates
WITHIN = 1e-6


class Explicit(NamedTuple):
    """A race written out: state → choices → transitions; the last two states are finished and sunk."""

    choices: Any
    transitions: Any
    targets: Any
    chances: Any
    costs: Any


def written_out(race: Race) -> Explicit:
    """Decision states (with dice choices), after-throw states (with directions), throws (one choice each), two ends.

    A throw (kept, rolled) is a state of its own, shared by all hands that can choose it: a seventh of what it would be
    with every choice's outcomes written out. Numbered by damage, row, facing, then hand or throw.
    """
    hands, rules = race.dice.hands, race.dice
    start, entries = rules.listed_choices
    throws = [_throw(race, *rules.throws.choice(e)) for e in range(int(rules.throws.start[-1]))]
    thrown = np.array([hand for found, _ in throws for hand in found])
    contexts = np.arange(race.levels * race.rows * 6, dtype=np.int64)[:, None]
    ends = 2 * race.states + contexts.size * len(throws) + np.arange(2)
    move_counts, move_targets, move_costs = _moves(race, int(ends[0]))
    dice_targets = (2 * race.states + contexts * len(throws) + entries).ravel()
    throw_targets = (race.states + contexts * hands.count + thrown).ravel()
    counts = [np.tile(np.diff(start), contexts.size), move_counts, np.ones(contexts.size * len(throws) + 2, np.int64)]
    sizes = np.tile([len(found) for found, _ in throws], contexts.size)
    lengths = [np.ones(dice_targets.size + move_targets.size, np.int64), sizes, np.ones(2, np.int64)]
    shares = np.tile([chance for _, chances in throws for chance in chances], contexts.size)
    return Explicit(
        np.concatenate([[0], np.cumsum(np.concatenate(counts))]),
        np.concatenate([[0], np.cumsum(np.concatenate(lengths))]),
        np.concatenate([dice_targets, move_targets, throw_targets, ends]).astype(np.int32),
        np.concatenate([np.ones(dice_targets.size + move_targets.size), shares, np.ones(2)]),
        np.concatenate([np.ones(dice_targets.size), move_costs, np.zeros(sizes.size + 2)]),
    )


def _throw(race: Race, kept: int, rolled: int) -> tuple[list[int], list[float]]:
    chances = {kept: 1.0}
    for _ in range(rolled):
        after: dict[int, float] = {}
        for hand, chance in chances.items():
            for face, share in enumerate(race.dice.hands.chance):
                more = int(race.dice.hands.more[hand, face])
                after[more] = after.get(more, 0.0) + chance * float(share)
        chances = after
    return list(chances), list(chances.values())


def _moves(race: Race, ends: int) -> tuple[Any, Any, Any]:
    """(directions, targets, costs) of the after-throw states, in the order context, hand."""
    counts = np.zeros(race.states, np.int64)
    targets, costs = np.zeros(3 * race.states, np.int64), np.zeros(3 * race.states)
    size = _fill_moves(race.board, race.dice_tables, race.levels, ends, counts, targets, costs)
    return counts, targets[:size], costs[:size]


@numba.njit
def _fill_moves(board: Board, dice: Dice, levels: int, ends: int, counts: Any, targets: Any, costs: Any) -> int:
    hands = dice.size.size
    finished, place = board.rows * hands * 8, 0
    for level in range(levels):
        for row in range(board.rows):
            for facing in range(6):
                for hand in range(hands):
                    state = ((level * board.rows + row) * 6 + facing) * hands + hand
                    for steer in range(3):
                        total = dice.slot[hand]
                        gain, cell = straight_move(
                            board.cells, board.clear, board.slots, finished, row, total, hand, facing, steer
                        )
                        if cell >= finished + hands * 8:
                            continue
                        after = level + gain
                        if cell >= finished:
                            targets[place] = ends
                        elif after >= levels:
                            targets[place], costs[place] = ends + 1, 50.0
                        else:
                            to, rest = cell // (hands * 8), cell % (hands * 8)
                            targets[place] = ((after * board.rows + to) * 6 + rest % 8) * hands + rest // 8
                        counts[state] += 1
                        place += 1
    return place


@numba.njit(parallel=True)
def _sweep(
    choices: Any, transitions: Any, targets: Any, chances: Any, costs: Any, values: Any, first: int, last: int
) -> float:
    """Values in place over a range of states of one kind, which read only another kind: no two threads interfere."""
    parts = 64
    worst = np.zeros(parts)
    for part in numba.prange(parts):
        for state in range(first + (last - first) * part // parts, first + (last - first) * (part + 1) // parts):
            best = np.inf
            for choice in range(choices[state], choices[state + 1]):
                value = costs[choice]
                for i in range(transitions[choice], transitions[choice + 1]):
                    value += chances[i] * values[targets[i]]
                best = min(best, value)
            worst[part] = max(worst[part], abs(best - values[state]))
            values[state] = best
    return float(worst.max())


def iterate(model: Explicit, states: int, sweeps: list[int]) -> Any:
    """Explicit value iteration from below until a sweep changes nothing by more than a hundredth of the accuracy."""
    values = np.zeros(model.choices.size - 1)
    change = 1.0
    while change > WITHIN / 100.0:
        _sweep(*model, values, states, 2 * states)
        _sweep(*model, values, 2 * states, values.size)
        change = _sweep(*model, values, 0, states)
        sweeps.append(1)
    return values[:states]


def by_storm(model: Explicit, states: int) -> tuple[Any, float, float]:
    """(values, seconds to build, seconds to solve) by optimistic value iteration, Storm's sound default."""
    import stormpy

    began = time.perf_counter()
    built = _storm_model(stormpy, model)
    middle = time.perf_counter()
    goal = stormpy.parse_properties('R{"turns"}min=? [F "target"]')[0]
    environment = stormpy.environments.sound()
    solver = environment.solver().min_max()
    solver.method = stormpy.environments.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
    solver.precision = stormpy.Rational(WITHIN / 100.0)
    found = stormpy.model_checking(built, goal, environment=environment)
    values = np.array(found.get_value_vector())[:states]
    return values, middle - began, time.perf_counter() - middle


def _storm_model(stormpy: Any, model: Explicit) -> Any:
    rows, count = model.transitions.size - 1, model.choices.size - 1
    builder = stormpy.datastructures.SparseMatrixBuilder[float](
        rows=rows, columns=count, entries=model.targets.size, force_dimensions=True, has_custom_row_grouping=True,
        row_groups=count,
    )  # fmt: skip
    for first in range(0, count, 200_000):
        last = min(first + 200_000, count)
        low, high = int(model.choices[first]), int(model.choices[last])
        begin, end = int(model.transitions[low]), int(model.transitions[high])
        numbers = np.repeat(np.arange(low, high), np.diff(model.transitions[low : high + 1]))
        columns, chances = model.targets[begin:end].tolist(), model.chances[begin:end].tolist()
        builder.add_next_values(numbers.tolist(), columns, chances, model.choices[first:last].tolist())
    labels = stormpy.models.StateLabeling(count)
    for name, marked in (("init", [0]), ("target", [count - 2, count - 1])):
        labels.add_label(name)
        labels.set_states(name, stormpy.datastructures.BitVector(count, marked))
    costs = stormpy.models.SparseRewardModel[float](optional_state_action_reward_vector=model.costs.tolist())
    parts = stormpy.models.SparseModelComponents[float](
        transition_matrix=builder.build(), state_labeling=labels, reward_models={"turns": costs}
    )
    return stormpy.models.SparseMdp[float](parts)


def fresh(columns: int, rows: int, gates: int, most: int = 6, levels: int = 4) -> Race:
    """A new race, so that its tables are built anew."""
    return random_race(1, columns, rows, gates, levels=levels, most=most)


def timed(race: Race) -> tuple[Solution, float]:
    """A solution and the seconds it took, tables included."""
    began = time.perf_counter()
    found = solve(race, within=WITHIN)
    return found, time.perf_counter() - began


def agreed(found: Solution, values: Any, name: str) -> None:
    """Stops the bench where values differ by more than the accuracy."""
    race = found.race
    ours = np.moveaxis(found.states(), 3, 4).reshape(race.levels, race.rows, 6, -1).ravel()
    worst = float(np.abs(ours - values).max())
    if worst > 2.0 * WITHIN:
        sys.exit(f"{name} differs by {worst}")


def compare(size: tuple[int, int, int], levels: int) -> list[Ratio]:
    """The ratios at one size."""
    found, ours = min((timed(fresh(*size, levels=levels)) for _ in range(3)), key=lambda pair: pair[1])
    states, sweeps = found.race.states, list[int]()
    work = f"solve {states:,} states to {WITHIN:g}"
    began = time.perf_counter()
    model = written_out(found.race)
    built = time.perf_counter()
    agreed(found, iterate(model, states, sweeps), "explicit iteration")
    explicit = time.perf_counter() - built
    rows = [Ratio(work, f"explicit numba, {len(sweeps)} sweeps (built in {built - began:.1f} s)", ours, explicit)]
    try:
        values, build, solving = by_storm(model, states)
    except ImportError:
        print("stormpy is not installed: Storm is left out", file=sys.stderr)
        return rows
    agreed(found, values, "Storm")
    return [*rows, Ratio(work, "Storm, building", ours, build), Ratio(work, "Storm, solving", ours, solving)]


SCALES = (
    (6, (13, 13, 5)), (6, (26, 26, 5)), (6, (38, 38, 5)),  # hexes
    (6, (26, 26, 3)), (6, (26, 26, 8)),  # buoys: two fewer than progresses
    (4, (26, 26, 5)), (8, (26, 26, 5)),  # dice
)  # fmt: skip


def scaling() -> None:
    """Time and memory against hexes, buoys and dice, each in a process of its own that has compiled before.

    The last column holds a decision state's time against the 10 to 17 ns that one thread took on arrays of this shape
    in a trial of the structure alone, and the 3 ns that its arithmetic would need.
    """
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        for line in pool.map(scaled, SCALES):
            print(line)


def scaled(scale: tuple[int, tuple[int, int, int]]) -> str:
    """One line of `scaling`."""
    most, size = scale
    solve(fresh(4, 4, 1, most=2))
    before = peak_megabytes()
    found, took = timed(fresh(*size, most=most))
    race = found.race
    each = took / (found.computed * 6 * race.dice.hands.count)
    return (
        f"{race.hexes} hexes, {race.progresses - 2} buoys, {most} dice: {race.states:,} states, {took:.2f} s, "
        f"{peak_megabytes():.0f} MB (of which {before:.0f} before), {found.sweeps} sweeps, "
        f"bounds {found.width:.1e} apart, {1e9 * each:.1f} ns a decision state computed"
    )


def peak_megabytes() -> float:
    """The most memory that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> list[Ratio]:
    """The ratios at the sizes; the scaling is printed."""
    solve(fresh(4, 4, 1, most=2))
    iterate(written_out(warm := fresh(4, 4, 1, most=2)), warm.states, [])
    scaling()
    return [*compare(SMALL, 1), *compare(LARGE, 4)]
