"""Directions in few words: at each side of a hex a helm number, and for each helm number and total one direction."""

from dataclasses import dataclass

import numpy as np

from rulekit.solve.chart_fit import add_steer_costs
from rulekit.solve.kernel import Bytes, Floats, Ints, Shorts
from rulekit.solve.model import Race

LLOYD = 30


@dataclass(frozen=True)
class Helm:
    """places[row, facing]: the helm number of a place; ways[number, total]: 0 right, 1 straight, 2 left.

    A way that is not legal is replaced by the first legal one of straight, right, left.
    """

    race: Race
    places: Ints
    ways: Bytes

    def steer(self) -> Bytes:
        """The directions by [damage, cell], legal or not."""
        race = self.race
        cells = np.ones((race.rows, race.dice.hands.count, 8), np.int8)
        by_hand = self.ways[:, race.dice_tables.total]
        cells[..., :6] = by_hand[self.places].transpose(0, 2, 1)
        return np.ascontiguousarray(np.broadcast_to(cells.ravel(), (race.levels, cells.size)))


def fit_helm(race: Race, levels: Floats, sunk: float, seen: Floats, choice: Shorts, numbers: int) -> Helm:
    """The helm that costs least in the states `seen` (visits by [damage, cell]) under dice choices, by the values."""
    costs = np.zeros((race.rows, 6, int(race.dice_tables.total.max()) + 1, 3))
    work = np.zeros(8 * int(race.dice_tables.start[-1]))
    for level in range(race.levels):
        add_steer_costs(costs, levels, level, seen, choice[level], race.board, race.dice_tables, sunk, work)
    loss = (costs - costs.min(axis=-1, keepdims=True)).reshape(race.rows * 6, -1, 3)
    ways = _sown(loss, numbers)
    places = np.zeros(len(loss), np.int64)
    for _ in range(LLOYD):
        places = _losses(loss, ways).argmin(axis=1)
        ways = _ways(loss, places, ways)
    return Helm(race, places.reshape(race.rows, 6).astype(np.int32), ways)


def _losses(loss: Floats, ways: Bytes) -> Floats:
    """[place, number] of the loss of following a number's ways at a place."""
    one_hot = np.eye(3)[ways].reshape(len(ways), -1)
    return np.asarray(loss.reshape(len(loss), -1) @ one_hot.T)


def _ways(loss: Floats, places: Ints, before: Bytes) -> Bytes:
    """The best ways of each number for its places; where nothing is thrown, straight on."""
    found = before.copy()
    for number in range(len(before)):
        total = loss[places == number].sum(axis=0)
        found[number] = _best_way(total, before[number])
    return found


def _best_way(total: Floats, otherwise: Bytes) -> Bytes:
    best = total[:, (1, 0, 2)].argmin(axis=1)
    return np.where(total.max(axis=1) > 0, np.array((1, 0, 2))[best], otherwise).astype(np.int8)


def _sown(loss: Floats, numbers: int) -> Bytes:
    """The ways of all places together, then again and again those of the place that still loses most."""
    usual = _best_way(loss.sum(axis=0), np.ones(loss.shape[1], np.int8))
    ways = np.array([usual])
    nearest = _losses(loss, ways)[:, 0]
    while len(ways) < numbers:
        worst = int(nearest.argmax())
        ways = np.vstack([ways, _best_way(loss[worst], usual)])
        nearest = np.minimum(nearest, _losses(loss, ways[-1:])[:, 0])
    return ways
