"""The solo race by explicit listing in plain Python and fractions: the second route to every number of the solver."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from rulekit.solve.model import NO_MOVE, Outcomes, Race, Straights

State = tuple[int, int, int, int, tuple[int, ...]]  # damage, progress, hex, facing, faces shown (descending)
Choice = tuple[tuple[int, ...], int]
SUNK, DONE = "sunk", "finished"
End = State | str


class Plain:
    """A race with straight moves, read from its arrays alone; hands are tuples."""

    def __init__(self, race: Race) -> None:
        self.race, self.dice = race, race.dice

    @property
    def moves(self) -> Straights:
        assert isinstance(self.race.moves, Straights)
        return self.race.moves

    def states(self) -> Iterator[State]:
        race = self.race
        hands = [race.dice.hands.tuple_of(h) for h in range(race.dice.hands.count)]
        return product(range(race.levels), range(race.progresses), range(race.hexes), range(6), hands)

    def choices(self, hand: tuple[int, ...]) -> set[Choice]:
        """Every way to add or remove dice, then to pick those that are thrown again."""
        rules, found = self.dice, set()
        for left in subsets(hand):
            removed = len(hand) - len(left)
            adds = range(rules.change + 1) if removed == 0 else (0,)
            for added in adds if removed <= rules.change else ():
                for kept in subsets(left):
                    again = len(left) - len(kept)
                    if self.allowed(again, removed, added) and len(left) + added <= rules.most:
                        found.add((kept, again + added))
        return {choice for choice in found if not (rules.must_roll and not hand and choice[1] == 0)}

    def allowed(self, again: int, removed: int, added: int) -> bool:
        if self.dice.reroll == "any":
            return True
        return again == 0 or (self.dice.reroll == "one" and again == 1 and removed == added == 0)

    @cache  # noqa: B019
    def throws(self, kept: tuple[int, ...], rolled: int) -> dict[tuple[int, ...], Fraction]:
        found: dict[tuple[int, ...], Fraction] = {}
        for faces in product(range(len(self.dice.faces)), repeat=rolled):
            chance = Fraction(1)
            for face in faces:
                chance *= Fraction(self.dice.weights[face], sum(self.dice.weights))
            hand = tuple(sorted((*kept, *(self.dice.faces[face] for face in faces)), reverse=True))
            found[hand] = found.get(hand, Fraction(0)) + chance
        return found

    def directions(self, place: int, facing: int, total: int) -> list[int]:
        clear = {d % 6: int(self.moves.clear[place, d % 6]) for d in (facing, facing - 1, facing + 1)}
        enough = [d for d in clear if clear[d] >= total]
        return enough or [d for d in clear if clear[d] == max(clear.values())]

    def end(self, state: State, thrown: tuple[int, ...], ahead: int) -> End:
        damage, progress, place, _facing, _hand = state
        total, clear = sum(thrown), int(self.moves.clear[place, ahead])
        steps = min(total, clear)
        passed = int(self.moves.progress[progress, place, ahead, steps])
        if passed >= self.race.progresses:
            return DONE
        damage += total - steps
        if damage >= self.race.levels:
            return SUNK
        return damage, passed, int(self.moves.land[place, ahead, steps]), ahead, thrown if steps == total else ()

    def ends(self, state: State, thrown: tuple[int, ...]) -> list[End]:
        """Where the legal directions lead."""
        return [self.end(state, thrown, ahead) for ahead in self.directions(state[2], state[3], sum(thrown))]

    def number(self, state: State) -> tuple[int, int, int, int, int]:
        return (*state[:4], self.race.dice.hands.index(state[4]))


class Listed(Plain):
    """A race whose moves are listed by hand."""

    def ends(self, state: State, thrown: tuple[int, ...]) -> list[End]:
        damage, progress, place, facing, _hand = state
        at = progress * self.race.hexes + place, self.race.dice.hands.index(thrown), facing
        return [self.listed(damage, (*at, steer)) for steer in range(3) if self.table.hex[(*at, steer)] != NO_MOVE]

    def listed(self, damage: int, at: tuple[int, ...]) -> End:
        table, race = self.table, self.race
        if table.progress[at] >= race.progresses:
            return DONE
        if damage + int(table.gain[at]) >= race.levels:
            return SUNK
        hand = race.dice.hands.tuple_of(int(table.hand[at]))
        return damage + int(table.gain[at]), int(table.progress[at]), int(table.hex[at]), int(table.facing[at]), hand

    @property
    def table(self) -> Outcomes:
        assert isinstance(self.race.moves, Outcomes)
        return self.race.moves


def subsets(hand: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All sub-multisets, descending."""
    return {
        tuple(die for die, take in zip(hand, mask, strict=True) if take) for mask in product((0, 1), repeat=len(hand))
    }


def exact_values(
    plain: Plain, policy: dict[State, dict[End, Fraction]], cost: dict[str, Fraction]
) -> dict[State, Fraction]:
    """Expected cost (1 a turn and `cost` at the end) of a policy given by its next-state distributions: elimination."""
    index = {state: i for i, state in enumerate(policy)}
    rows: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for state, nexts in policy.items():
        row, constant = {index[state]: Fraction(1)}, Fraction(1)
        for end, chance in nexts.items():
            if isinstance(end, str):
                constant += chance * cost[end]
            else:
                row[index[end]] = row.get(index[end], Fraction(0)) - chance
        rows.append(row)
        right.append(constant)
    solution = eliminate(rows, right)
    return {state: solution[i] for state, i in index.items()}


def eliminate(rows: list[dict[int, Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gauss–Jordan on sparse rows."""
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for j in row:
            users.setdefault(j, set()).add(i)
    for i, row in enumerate(rows):
        pivot = row[i]
        for j in row:
            row[j] /= pivot
        right[i] /= pivot
        for k in [k for k in users[i] if k != i and rows[k].get(i)]:
            factor = rows[k].pop(i)
            for j, value in row.items():
                if j != i:
                    rows[k][j] = rows[k].get(j, Fraction(0)) - factor * value
                    users[j].add(k)
            right[k] -= factor * right[i]
    return right


def random_states(plain: Plain, count: int, seed: int) -> list[State]:
    """Random states of a race."""
    rng, race = np.random.default_rng(seed), plain.race
    shape = race.levels, race.progresses, race.hexes, 6, race.dice.hands.count
    drawn = [tuple(int(rng.integers(n)) for n in shape) for _ in range(count)]
    return [(d, p, w, f, race.dice.hands.tuple_of(h)) for d, p, w, f, h in drawn]
