"""Synthetic races for the solver's tests: small lakes from pictures or at random, with gates that lie on steps."""

import random
from itertools import pairwise

import numpy as np

from rulekit.solve.model import DiceRules, Race, Straights

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def straights(water: list[tuple[int, int]], gates: list[set[tuple[tuple[int, int], tuple[int, int]]]]) -> Straights:
    """Straight moves over axial hexes; gate i is a set of steps that pass it; the reverse ones un-pass it."""
    number = {place: i for i, place in enumerate(water)}
    clear = np.zeros((len(water), 6), np.int32)
    paths = {}
    for i, (q, r) in enumerate(water):
        for facing, (dq, dr) in enumerate(STEPS):
            path = [(q, r)]
            while (path[-1][0] + dq, path[-1][1] + dr) in number:
                path.append((path[-1][0] + dq, path[-1][1] + dr))
            clear[i, facing], paths[i, facing] = len(path) - 1, path
    land = np.zeros((len(water), 6, int(clear.max()) + 1), np.int32)
    progress = np.zeros((len(gates), *land.shape), np.int32)
    for (i, facing), path in paths.items():
        land[i, facing, : len(path)] = [number[place] for place in path]
        for passed in range(len(gates)):
            progress[passed, i, facing, : len(path)] = along(passed, path, gates)
    return Straights(clear, land, progress)


def along(
    passed: int, path: list[tuple[int, int]], gates: list[set[tuple[tuple[int, int], tuple[int, int]]]]
) -> list[int]:
    """Progress after each step of a path; finished stays finished."""
    found = [passed]
    for step in pairwise(path):
        if passed < len(gates) and step in gates[passed]:
            passed += 1
        elif 0 < passed < len(gates) and step[::-1] in gates[passed - 1]:
            passed -= 1
        found.append(passed)
    return found


def random_race(
    seed: int, columns: int, rows: int, gates: int, land: float = 1 / 7, levels: int = 4, **dice: object
) -> Race:
    """A random lake of about columns × rows hexes with gates along rays from random hexes."""
    rng = random.Random(seed)
    places = [(c - r // 2, r) for r in range(rows) for c in range(columns)]
    water = [place for place in places if rng.random() > land]
    found = [_ray(rng, water, columns) for _ in range(gates)]
    return Race(len(water), gates, levels, DiceRules(**dice), straights(water, found))  # type: ignore[arg-type]


def _ray(rng: random.Random, water: list[tuple[int, int]], length: int) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """The steps that cross a ray of hexes in one sense: into the ray's hexes from its right side."""
    q, r = rng.choice(water)
    facing = rng.randrange(6)
    steps = set()
    for k in range(length):
        here = (q + k * STEPS[facing][0], r + k * STEPS[facing][1])
        for side in (facing + 1, facing + 2):
            dq, dr = STEPS[side % 6]
            steps.add(((here[0] - dq, here[1] - dr), here))
    return steps
