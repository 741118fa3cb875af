"""How tense races are: closeness, lead changes, drama, comeback, decision, uncertainty (7-12).

All but closeness are told round by round: in a round every boat that still races has a turn; a race has as many as the
boat that races longest. Where nothing is said of it, a race lasts to its end, the places behind the winner included.
Numbers a race stand by race; NaN marks a race that a number cannot be told of.
"""

import numpy as np

from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Floats
from rulekit.study.chain_kernel import HOME, Longs
from rulekit.study.oracle import RaceOracle
from rulekit.study.record import RaceRecord

LEVEL = 1e-9
"""Values that lie no further apart are equal."""

DEAD = 0.95
"""A race in which a boat has a greater chance to win is dead."""


def margins(record: RaceRecord) -> Floats:
    """By race the turns that the second still had left at the end of the winner's round, 0 if it finished in it.

    NaN where fewer than two boats finished.
    """
    order = np.argsort(record.ranks, axis=1, kind="stable")
    finished = (record.state[record.ends] == HOME).sum(axis=1) >= 2
    after = round_after(record, first_moment_home(record))
    left = record.left[after, order[:, 1]] if record.seats > 1 else np.zeros(record.races)
    return np.where(finished, left, np.nan)


def first_moment_home(record: RaceRecord) -> Longs:
    """By race the first moment at which a boat has finished; its last moment where none does."""
    won = np.add.reduceat((record.winner >= 0).astype(np.int64), record.starts)
    return np.asarray(record.ends - won + (won > 0))


def round_after(record: RaceRecord, moment: Longs) -> Longs:
    """The first end of a round that is not before a moment."""
    ends = record.rounds.moment
    return np.asarray(ends[np.minimum(np.searchsorted(ends, moment), ends.size - 1)])


def leaders(progress: Floats, first: Longs) -> Longs:
    """The boat that leads at the end of each round: the most progress; of boats that are level the former leader.

    −1 until one boat is ahead alone.
    """
    return np.asarray(leading(progress, first))


@compiled
def leading(progress: Floats, first: Longs) -> Longs:
    """See `leaders`; compiled, for the former leader stands in the row above."""
    found = np.full(progress.shape[0], -1, np.int64)
    for race in range(first.size - 1):
        leader: int = -1
        for row in range(first[race], first[race + 1]):
            best = progress[row].max()
            level = progress[row] > best - LEVEL
            if level.sum() == 1:
                leader = int(np.argmax(level))
            elif leader >= 0 and not level[leader]:
                # Passed by several at once, who are level.
                leader = -1
            found[row] = leader
    return found


def lead_changes(record: RaceRecord) -> Floats:
    """By race the lead changes a round: the first leader is no change."""
    rounds = record.rounds
    leader = leaders(record.progress[rounds.moment], rounds.first)
    return count_changes(leader, rounds.first) / np.maximum(rounds.held, 1)


@compiled
def count_changes(leader: Longs, first: Longs) -> Floats:
    """How often another boat leads than the one that did last, by race; rounds without a leader are passed over."""
    found = np.zeros(first.size - 1)
    for race in range(first.size - 1):
        last = -1
        for row in range(first[race], first[race + 1]):
            if leader[row] >= 0:
                found[race] += last >= 0 and leader[row] != last
                last = leader[row]
    return found


class Told:
    """The races that have one winner, round by round: its chances and the others' best."""

    def __init__(self, oracle: RaceOracle) -> None:
        record = oracle.record
        self.oracle, self.rounds, self.seats = oracle, record.rounds, record.seats
        self.known = record.wins.max(axis=1) > 1 - LEVEL
        self.winner = record.wins.argmax(axis=1)
        self.race = np.repeat(np.arange(record.races), self.rounds.held)
        self.win = oracle.win[self.rounds.moment]
        rows = np.arange(self.win.shape[0])
        self.own = self.win[rows, self.winner[self.race]]
        others = self.win.copy()
        others[rows, self.winner[self.race]] = 0.0
        self.rival = others.max(axis=1)

    def mean(self, values: np.ndarray) -> Floats:
        """The mean over its rounds by race, NaN where there is no single winner."""
        return np.where(self.known, self.mean_of_all(values), np.nan)

    def mean_of_all(self, values: np.ndarray) -> Floats:
        """The mean over its rounds by race."""
        count = self.rounds.held
        total = np.bincount(self.race, np.asarray(values, float), minlength=count.size)
        return np.asarray(total / np.maximum(count, 1))


def drama(oracle: RaceOracle) -> Floats:
    """By race the mean over rounds of the best chance to win less the later winner's, where that is behind."""
    told = Told(oracle)
    return told.mean(np.maximum(0.0, told.rival - told.own))


def behind(oracle: RaceOracle) -> Floats:
    """By race the share of rounds in which the later winner was behind."""
    told = Told(oracle)
    return told.mean(told.rival > told.own + LEVEL)


def comeback(oracle: RaceOracle) -> Floats:
    """By race the winner's lowest chance at any moment, times the number of boats."""
    record = oracle.record
    winner, known = record.wins.argmax(axis=1), record.wins.max(axis=1) > 1 - LEVEL
    race = np.repeat(np.arange(record.races), np.diff(record.first) + 1)
    own = oracle.win[np.arange(race.size), winner[race]]
    return np.where(known, record.seats * np.minimum.reduceat(own, record.starts), np.nan)


def decided_at(oracle: RaceOracle) -> Floats:
    """By race the first round from which on the winner's chance stays above every other's, 1 being the first round."""
    told = Told(oracle)
    open_ = np.where(told.own > told.rival + LEVEL, 0, np.arange(told.race.size) - told.rounds.first[told.race] + 1)
    last = np.zeros(told.known.size, np.int64)
    np.maximum.at(last, told.race, open_)
    return np.where(told.known, last + 1, np.nan)


def left_then(oracle: RaceOracle) -> Floats:
    """By race the share of its rounds that are still to come when it is decided."""
    count = oracle.record.rounds.held
    return np.asarray(1 - decided_at(oracle) / np.maximum(count, 1))


def left_to_win(oracle: RaceOracle) -> Floats:
    """As `left_then`, of the rounds up to the one in which the winner comes in."""
    told = Told(oracle)
    racing = oracle.record.winner[told.rounds.moment] < 0
    rounds = np.bincount(told.race, racing, minlength=told.known.size) + 1
    return np.asarray(1 - np.minimum(decided_at(oracle) / np.maximum(rounds, 1), 1))


def dead_time(oracle: RaceOracle) -> Floats:
    """By race the share of its rounds after which a boat's chance to win is above `DEAD`."""
    told = Told(oracle)
    return told.mean_of_all(told.win.max(axis=1) > DEAD)


def dead_before(oracle: RaceOracle) -> Floats:
    """As `dead_time`, of the rounds at the end of which no boat has finished; 0 where there is none."""
    told = Told(oracle)
    racing = oracle.record.winner[told.rounds.moment] < 0
    rounds = np.bincount(told.race, racing, minlength=told.known.size)
    dead = np.bincount(told.race, racing & (told.win.max(axis=1) > DEAD), minlength=told.known.size)
    return np.asarray(dead / np.maximum(rounds, 1))


def entropy(win: Floats) -> Floats:
    """−Σ W ln W / ln N by row: 1 where all boats are level, 0 where one has won; 0 with one boat."""
    if win.shape[1] < 2:
        return np.zeros(win.shape[0])
    logs = np.log(win, out=np.zeros_like(win), where=win > 0)
    return np.asarray(np.maximum(-(win * logs).sum(axis=1) / np.log(win.shape[1]), 0.0))


def uncertainty_at(oracle: RaceOracle, share: float) -> Floats:
    """By race the entropy at the end of the round in which that share of its rounds has been raced."""
    rounds = oracle.record.rounds
    nth = np.clip(np.ceil(share * rounds.held - LEVEL).astype(np.int64), 1, np.maximum(rounds.held, 1))
    return entropy(oracle.win[rounds.moment[rounds.first[:-1] + nth - 1]])


def mean_uncertainty(oracle: RaceOracle) -> Floats:
    """By race the mean entropy over its rounds."""
    told = Told(oracle)
    return told.mean_of_all(entropy(told.win))
