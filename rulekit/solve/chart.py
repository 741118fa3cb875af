"""A chart to play from: a letter at each side of a hex, and for each letter and hand one instruction.

The letters and their instructions are fitted to the exact values. The first letters take over the best choices of the
places where the letters so far lose most; then places and instructions are fitted to each other in turn, over the
states that the boat comes to when it is sailed by the chart. What the chart loses is evaluated, not estimated.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rulekit.solve.bounds import Solution, Sweeper, aligned, best_rule, policy_rule, working_space
from rulekit.solve.chart_fit import add_letter_costs, add_option_costs
from rulekit.solve.flow import flow_level
from rulekit.solve.helm import Helm, fit_helm
from rulekit.solve.kernel import Floats, Ints, Shorts
from rulekit.solve.model import Race
from rulekit.solve.passage import Passage, follow_policy
from rulekit.solve.policy import Policy, best_policy, legal_policy
from rulekit.solve.spread import Bools, State

LETTERS, HELMS = 26, 26
ROUNDS, HELM_ROUNDS, PATIENCE = 12, 10, 3
RARELY, WORTH = (1e-3, 1e-4, 0.0), 0.002
"""A place is left out that boats come to less often than that, as long as the cost grows by no larger part."""

MOST_TURNS, LEFT = 80, 1e-10
"""Where the boat comes to is worked out for so many turns, or until no more of it is left."""

SWEEPS, LITTLE = 8, 2e-4
OFTEN = 1.0
LATE = 50.0, 1e5
RARE = 1e-7
"""Weight of states that no boat comes to: they have instructions too, by the same sums."""

Report = Callable[[str], None]


@dataclass(frozen=True)
class Chart:
    """A policy in few words.

    letters[row, facing] is the letter of a place, tables[letter, hand] an entry of the throw table, `helm` the ways.
    `visits[row, facing]` tells how often a boat comes there, `hands[letter, hand]` how often that instruction is read.
    The places that are `rare` all have the `usual` letter and helm number.
    """

    race: Race
    letters: Ints
    tables: Shorts
    helm: Helm
    visits: Floats
    hands: Floats
    rare: Bools | None = None
    usual: tuple[int, int] = (0, 0)

    def policy(self) -> Policy:
        """What the chart tells to do in every state."""
        return legal_policy(Policy(self.race, _choices(self.race, self.letters, self.tables), self.helm.steer()))


@dataclass(frozen=True)
class Tried:
    """A chart with what it costs from the start that it was made for: turns + sink cost × chance of sinking.

    `own`: by the chart alone; `best`: its dice with the best direction after every throw; `optimum`: the best race.
    """

    chart: Chart
    optimum: float
    own: Passage
    best: Passage
    sunk: float

    def cost(self, passage: Passage) -> float:
        """Turns + sink cost × chance of sinking."""
        return passage.turns + self.sunk * passage.sink

    def loss(self, passage: Passage) -> float:
        """What a race costs more than the optimum, as a part of it."""
        return self.cost(passage) / self.optimum - 1.0


def fit_chart(
    solution: Solution, state: State, *, letters: int = LETTERS, rounds: int = ROUNDS, report: Report | None = None
) -> Tried:
    """The best chart found for races from a state, evaluated exactly."""
    fitter = _Fitter(solution, state, report or (lambda _stage: None))
    chart = fitter.fit(letters, rounds)
    own = chart.policy()
    best = Policy(chart.race, own.choice, fitter.policy.steer)
    return Tried(chart, solution.value(*state), follow_policy(own, state), follow_policy(best, state), solution.sunk)


class _Fitter:
    """The values, the working memory, and where boats have come to so far."""

    def __init__(self, solution: Solution, state: State, report: Report) -> None:
        self.solution, self.state, self.report = solution, state, report
        self.race = race = solution.race
        self.policy = best_policy(solution)
        self.fixed = aligned(race.rows * race.board.slots * 8)
        self.work = working_space(race, 1).work[0]
        self.start, self.options = _moving_choices(race)
        self.traces, self.late = self._traces(), LATE[0]
        self.levels = solution.levels
        self.seen = visits(self.policy, state) + self.traces
        self.rule = best_rule(solution.sunk)

    def _traces(self) -> Floats:
        """A little weight on all states from which races end, less on damaged boats."""
        race = self.race
        finite = np.isfinite(self.solution.levels[:, : race.rows * race.row_cells]).reshape(race.levels, -1, 8)
        traces = np.where(finite, RARE, 0.0) * np.array([1.0] + [0.1] * (race.levels - 1))[:, None, None]
        traces[..., 6:] = 0.0
        return np.asarray(traces.reshape(race.levels, -1))

    def fit(self, letters: int, rounds: int) -> Chart:
        """Letters sown, then fitted round by round; the ones with the least cost; then their helm in the same way."""
        tables = self._sow(letters)
        best, last, found, levels = np.inf, 0, (np.zeros((0, 6), np.int32), tables), self.levels
        for number in range(rounds):
            self.report(f"fitting the letters, round {number + 1} of {rounds}")
            places = self._places(tables)
            tables = self._instructions(places, letters)
            policy = Policy(self.race, _choices(self.race, places, tables), self.policy.steer)
            cost, seen = self._sailed(policy)
            if cost < best:
                best, last, found, levels = cost, number, (places, tables), self.levels
            elif number - last >= PATIENCE:
                break
            self.seen = 0.6 * self.seen + np.minimum(seen, OFTEN) + self.traces
            self.levels = self._values_of(policy)
        self.levels = levels
        return self._printed(self._with_helm(*found))

    def _with_helm(self, places: Ints, tables: Shorts) -> Chart:
        """Helm and letters fitted to each other in turn; the best of all rounds."""
        choice = _choices(self.race, places, tables)
        self.late = LATE[1]
        self.seen = self._sailed(Policy(self.race, choice, self.policy.steer))[1] + self.traces
        best, last, found = np.inf, 0, None
        for number in range(HELM_ROUNDS):
            self.report(f"fitting the directions, round {number + 1} of {HELM_ROUNDS}")
            helm = fit_helm(self.race, self.levels, self.solution.sunk, self.seen, choice, HELMS)
            chart = Chart(self.race, places, tables, helm, np.zeros(0), np.zeros(0))
            policy = chart.policy()
            cost, seen = self._sailed(policy)
            if found is None or cost < best * (1 - LITTLE):
                best, last, found = cost, number, replace(chart, visits=self._by_place(seen))
            elif number - last >= PATIENCE:
                break
            self.seen = 0.6 * self.seen + np.minimum(seen, OFTEN) + self.traces
            self.levels = self._values_of(policy)
            self.rule = policy_rule(self.solution.sunk, policy.choice, policy.steer)
            places = self._places(tables)
            tables = self._instructions(places, len(tables))
            choice = _choices(self.race, places, tables)
        return found if found is not None else chart

    def _printed(self, chart: Chart) -> Chart:
        """The chart with one letter and helm number for all places that boats hardly come to, if that costs little."""
        before = self._sailed(chart.policy())[0]
        for rare in RARELY:
            self.report("leaving out rare places")
            fewer = self._without(chart, chart.visits < rare)
            cost, seen = self._sailed(fewer.policy())
            if cost <= before * (1 + WORTH) or rare == RARELY[-1]:
                break
        hands = self._by_hand(seen, fewer.letters, len(chart.tables))
        return replace(fewer, hands=hands)

    def _without(self, chart: Chart, rare: Bools) -> Chart:
        costs, traces = self._costs(chart.tables), np.where(rare, 1.0, 0.0)
        letter = int((costs * traces[..., None]).sum(axis=(0, 1)).argmin())
        helm = int(np.bincount(chart.helm.places[rare], minlength=HELMS).argmax())
        helms = replace(chart.helm, places=np.where(rare, helm, chart.helm.places).astype(np.int32))
        letters = np.where(rare, letter, chart.letters).astype(np.int32)
        return replace(chart, letters=letters, helm=helms, rare=rare, usual=(letter, helm))

    def _sailed(self, policy: Policy) -> tuple[float, Floats]:
        """(cost, visits) of a policy; boats still on their way weigh heavily, so that they get away next time."""
        seen, sunk, going = followed(policy, self.state)
        left = float(going.sum())
        cost = float(seen.sum()) + self.solution.sunk * sunk + self.late * left
        return cost, seen + self.late * going

    def _values_of(self, policy: Policy) -> Floats:
        """The cost of following a policy for some turns before the best race goes on."""
        race = self.race
        levels = aligned(*self.solution.levels.shape)
        levels[:] = self.solution.levels
        sweeper = Sweeper(race, levels)
        rule = policy_rule(self.solution.sunk, policy.choice, policy.steer)
        for level in reversed(range(race.levels)):
            for _ in range(SWEEPS):
                sweeper.advance(levels, level, rule, 1.0)
        return levels

    def _sow(self, letters: int) -> Shorts:
        """Letter k aims at a total of k: the choice with the least mean distance, too much counting double."""
        dice, hands = self.race.dice, self.race.dice.hands
        totals = np.arange(int(hands.pip_count.max()) + 1)
        chance = np.zeros((int(dice.throws.start[-1]), totals.size))
        chance[np.arange(hands.count), hands.pip_count] = 1.0
        for rolled in range(1, dice.most + 1):
            kept = np.arange(hands.upto(dice.most - rolled))
            before = dice.throws.start[rolled - 1] + hands.more[kept]
            chance[dice.throws.start[rolled] + kept] = np.einsum("kft,f->kt", chance[before], hands.chance)
        aims = np.arange(letters) % totals.size
        bold = np.arange(letters) >= totals.size
        aims = np.where(bold, 2 * aims + 2, aims)
        off = totals[:, None] - aims
        miss = chance @ np.where((off > 0) & ~bold, 2.0 * off, np.abs(off))
        found = np.zeros((letters, hands.count), np.int16)
        for hand in range(hands.count):
            listed = self.options[self.start[hand] : self.start[hand + 1]]
            found[:, hand] = listed[miss[listed].argmin(axis=0)]
        return found

    def _costs(self, tables: Shorts) -> Floats:
        """Cost of the letters' instructions by [row, facing, letter]."""
        race, levels = self.race, self.levels
        costs = np.zeros((race.rows, 6, len(tables)))
        for level in range(race.levels):
            arrays = levels, level, self.seen, race.board, race.dice_tables, self.rule, self.work, self.fixed
            add_letter_costs(costs, tables, *arrays)
        return costs

    def _places(self, tables: Shorts) -> Ints:
        """The best letter of each place."""
        found: Ints = self._costs(tables).argmin(axis=-1).astype(np.int32)
        return found

    def _instructions(self, places: Ints, letters: int) -> Shorts:
        """The best choice of each letter and hand."""
        race, levels = self.race, self.levels
        costs = np.zeros((letters, self.options.size))
        for level in range(race.levels):
            arrays = levels, level, self.seen, race.board, race.dice_tables, self.rule
            add_option_costs(costs, places, *arrays, self.start, self.options, self.work, self.fixed)
        found = np.zeros((letters, race.dice.hands.count), np.int16)
        for hand in range(race.dice.hands.count):
            first, end = self.start[hand], self.start[hand + 1]
            found[:, hand] = self.options[first + costs[:, first:end].argmin(axis=1)]
        return found

    def _by_place(self, seen: Floats) -> Floats:
        cells = seen.reshape(self.race.levels, self.race.rows, -1, 8)
        return np.asarray(cells.sum(axis=(0, 2))[:, :6])

    def _by_hand(self, seen: Floats, places: Ints, letters: int) -> Floats:
        """How often each letter is read with each hand."""
        cells = seen.reshape(self.race.levels, self.race.rows, -1, 8).sum(axis=0)[..., :6]
        found = np.zeros((letters, cells.shape[1]))
        for letter in range(letters):
            found[letter] = np.where((places == letter)[:, None, :], cells, 0.0).sum(axis=(0, 2))
        return found


def _moving_choices(race: Race) -> tuple[Ints, Ints]:
    """The choices of all hands, but not to lie still without dice: who reads a chart must not wait there for ever."""
    start, options = race.dice.listed_choices
    if options[0] == race.dice.throws.entry(0, 0) and start[1] > 1:
        return np.concatenate([start[:1], start[1:] - 1]).astype(np.int32), options[1:]
    return start, options


def _choices(race: Race, letters: Ints, tables: Shorts) -> Shorts:
    """The chart's dice choices by [damage, cell]."""
    cells = np.zeros((race.rows, race.dice.hands.count, 8), np.int16)
    cells[..., :6] = tables[letters].transpose(0, 2, 1)
    return np.ascontiguousarray(np.broadcast_to(cells.ravel(), (race.levels, cells.size)))


def visits(policy: Policy, state: State) -> Floats:
    """The expected number of turns that start in each state, [damage, cell]."""
    return followed(policy, state)[0]


def followed(policy: Policy, state: State) -> tuple[Floats, float, Floats]:
    """After MOST_TURNS turns: visits by [damage, cell], chance of sinking, chances of the boats still racing."""
    race = policy.race
    mass = np.zeros((race.levels, race.rows * race.row_cells))
    mass[state[0], race.cell(*state[1:])] = 1.0
    total, after = np.zeros_like(mass), np.zeros_like(mass)
    work = np.zeros(8 * int(race.dice_tables.start[-1]))
    ends, by_place = np.zeros(3), [np.zeros(race.hexes) for _ in range(3)]
    for _ in range(MOST_TURNS):
        total += mass
        after[:] = 0.0
        for level in range(race.levels):
            tables = race.board, race.shores, race.dice_tables, policy.choice, policy.steer
            flow_level(mass, after, level, *tables, work, ends, *by_place)
        mass, after = after, mass
        if mass.sum() < LEFT:
            break
    return total, float(ends[1]), mass
