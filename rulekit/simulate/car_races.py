"""Compiled bulk races of cars: line-ups, turns, records, each race with its own random streams."""

from typing import NamedTuple

import numpy as np

from rulekit.simulate.bulk_kernel import DICE, DRAWN, KEY, POLICY, START, Rng, below, stream_key
from rulekit.simulate.car_choice import COLOUR as DIE_COLOUR
from rulekit.simulate.car_choice import RANDOM, SHOWN, WAITING, Sense, Turn, new_turn
from rulekit.simulate.car_kernel import (
    AT,
    AWAY,
    CARS,
    DAMAGE,
    PLACE,
    TANK,
    Field,
    Law,
    drive,
    go_on,
    new_field,
    next_player,
    set_field,
    shown_by,
)
from rulekit.simulate.car_turn import (
    END,
    WHICH,
    WHO,
    deal,
    draw_move,
    is_lost,
    muster,
    pick,
    strike_off,
    tell_plans,
)
from rulekit.solve.car_moves import Search, Whole, kind_of, line_of, new_search, origin_of
from rulekit.solve.car_tables import Circuit
from rulekit.solve.jit import compiled_bare, compiled_within
from rulekit.solve.kernel import Bytes, Ints

LOG = 14
"""Columns of a log: match, turn of the player, car, colour, value, kind of the end, place before and after, origin,
crossings, damage and tank after it, place in the race (0: none), the turn's number in the race."""

(MATCH, TURN, CAR, COLOUR, VALUE, KIND, BEFORE, AFTER, ORIGIN, CROSSINGS, HURT, FUEL, RANK, ROUND) = range(LOG)


class CarPlan(NamedTuple):
    """Which races: the seed's root, the first match, turns of a player at most, whether policies move on by one seat
    from match to match, each policy's number."""

    root: np.uint64
    first: int
    cap: int
    rotate: bool
    policies: Ints


class Table(NamedTuple):
    """Memory of the race that is under way: streams of dice and of policies by player, and that of the line-up; whether
    cars are held in the pit lane; the line-up's scores, order and boxes."""

    search: Search
    field: Field
    turn: Turn
    rng: Rng
    own: Rng
    draw: Rng
    held: Bytes
    lined: Ints


SCORES, ORDER, BOXES = range(3)


def new_table(players: int, circuit: Circuit, sense: Sense) -> Table:
    """Memory for races of so many players."""
    search, cars = new_search(circuit), CARS * players
    streams = (np.zeros((rows, 2), np.uint64) for rows in (players, players, 1))
    return Table(
        search, new_field(players, circuit.places), new_turn(sense, search), next(streams), next(streams),
        next(streams), np.zeros(cars, np.int8), np.zeros((3, cars), np.int32),
    )  # fmt: skip


class CarRecords(NamedTuple):
    """What is known of each match's race: `cars` by [match, car, (box, place, damage)], with place 0 for none;
    `players` by [match, player, (turns, whether it began)]; car-moves; a log, without room for any if none is kept; how
    many matches are played and how many lines of the log are written."""

    cars: Ints
    players: Ints
    moves: Ints
    log: Ints
    done: Ints


PLAYED, LOGGED = 0, 1
ROOM = 200
"""Car-moves of a match that a log has room for at first; it grows when it is full."""


def new_records(matches: int, players: int, *, log: bool = False) -> CarRecords:
    """Records before the races."""
    cars, seats = np.zeros((matches, CARS * players, 3), np.int32), np.zeros((matches, players, 2), np.int32)
    room = np.zeros((ROOM * matches if log else 0, LOG), np.int32)
    return CarRecords(cars, seats, np.zeros(matches, np.int32), room, np.zeros(2, np.int64))


# The line-up (PS-7).


@compiled_bare
def rank_by_throws(t: Table, players: Whole, for_start: bool) -> None:
    """Throws three blue dice for everybody, again for those who are equal; the order, highest first, in a row.

    Scores are the throws of each player so far, as one number that orders them.
    """
    scores, order = t.lined[SCORES], t.lined[ORDER]
    scores[:] = 0
    order[:] = 0
    again = players > 1
    while again:
        again = False
        for player in range(players):
            order[player] = is_contested(scores, players, player, for_start)
            again |= order[player] > 0
        for player in range(players):
            scores[player] *= 16
            if order[player]:
                for _ in range(3):
                    scores[player] += 1 + below(t.draw, 0, 3)
        make_dense(scores, players)
    for player in range(players):
        place = 0
        for other in range(players):
            place += scores[other] > scores[player] or (scores[other] == scores[player] and other < player)
        order[place] = player


@compiled_bare
def is_contested(scores: Ints, players: Whole, player: Whole, for_start: bool) -> bool:
    """Whether a player is to throw (again): where another's throws are equal, for the start those of the best only."""
    equal = False
    for other in range(players):
        equal |= other != player and scores[other] == scores[player]
        if for_start and scores[other] > scores[player]:
            return False
    return equal


@compiled_bare
def make_dense(scores: Ints, players: Whole) -> None:
    """Small numbers in the same order."""
    for player in range(players):
        lower = 0
        for other in range(players):
            lower += scores[other] % 4096 < scores[player] % 4096
        scores[player] += 4096 * lower
    for player in range(players):
        scores[player] //= 4096


@compiled_within
def line_up(t: Table, root: np.uint64, match: Whole, players: Whole) -> Whole:
    """Every car's box, in a row of `t.lined`; who begins."""
    t.draw[0, KEY], t.draw[0, DRAWN] = stream_key(root, match, 0, START), 0
    for car in range(CARS):
        rank_by_throws(t, players, False)
        for rank in range(players):
            t.lined[BOXES, CARS * t.lined[ORDER, rank] + car] = CARS * players - players * car - rank
    rank_by_throws(t, players, True)
    return np.int64(t.lined[ORDER, 0])


# Turns.


@compiled_within
def move_cars(
    c: Circuit, law: Law, k: Sense, t: Table, policy: Whole, player: Whole, cars: Whole, match: Whole, rounds: Whole,
    records: CarRecords,
) -> None:  # fmt: skip
    """Deals the dice that lie to the cars that wait, and moves them."""
    f, w, left = t.field, t.turn, cars
    if policy != RANDOM:
        deal(c, law, k, t.search, f, w, policy, cars)
    while left > 0:
        if policy == RANDOM:
            draw_move(c, law, t.search, f, w, left, t.own, player)
        level = left - 1 if policy != RANDOM else 0
        at, die, end = w.line[level, 0, WHO], w.line[level, 0, WHICH], w.line[level, 0, END]
        car, colour, value = (
            np.int64(w.dice[WAITING, at]),
            np.int64(w.dice[DIE_COLOUR, die]),
            np.int64(w.dice[SHOWN, die]),
        )
        before = np.int64(f.cars[car, AT])
        drive(law, f, car, colour, value, end)
        if records.log.shape[0]:
            write_move(records, f, match, car, colour, value, end, before, rounds)
        strike_off(w, level, at, die, left)
        left -= 1
        if left > 0 and policy != RANDOM and is_lost(f, car):
            deal(c, law, k, t.search, f, w, policy, left)


@compiled_within
def write_move(
    records: CarRecords, f: Field, match: Whole, car: Whole, colour: Whole, value: Whole, end: Whole, before: Whole,
    rounds: Whole,
) -> None:  # fmt: skip
    """A car's move into the log."""
    row = records.log[records.done[LOGGED]]
    row[MATCH], row[TURN], row[CAR], row[COLOUR], row[VALUE] = match, f.turns[car // CARS] + 1, car, colour, value
    row[KIND], row[BEFORE], row[AFTER], row[ORIGIN] = kind_of(end), before, f.cars[car, AT], origin_of(end)
    row[CROSSINGS], row[HURT], row[FUEL] = line_of(end), f.cars[car, DAMAGE], f.cars[car, TANK]
    row[RANK], row[ROUND] = f.cars[car, PLACE], rounds
    records.done[LOGGED] += 1


@compiled_within
def take_turn(
    c: Circuit, law: Law, k: Sense, t: Table, policy: Whole, player: Whole, match: Whole, rounds: Whole,
    records: CarRecords,
) -> None:  # fmt: skip
    """A player's whole turn, see `ps.race`."""
    f, w = t.field, t.turn
    tell_plans(c, law, k, f, policy, player, t.own)
    cars = muster(c, f, w, t.held, player)
    if cars > 0:
        pick(c, law, k, t.search, f, w, policy, cars, t.own, player)
    go_on(c, law, f, player, t.held)
    for die in range(cars):
        w.dice[SHOWN, die] = shown_by(np.int64(w.dice[DIE_COLOUR, die]), t.rng, player)
    if cars > 0:
        move_cars(c, law, k, t, policy, player, cars, match, rounds, records)
        records.moves[match] += cars
    go_on(c, law, f, player, t.held)
    f.turns[player] += 1


@compiled_within
def play_one(c: Circuit, law: Law, k: Sense, plan: CarPlan, t: Table, records: CarRecords, match: Whole) -> bool:
    """A whole race from its line-up on; false where the log has no more room, and nothing of it counts."""
    players, number = t.field.turns.size, plan.first + match
    starter = line_up(t, plan.root, number, players)
    set_field(law, t.field, t.lined[BOXES])
    records.moves[match] = 0
    for seat in range(players):
        t.rng[seat, KEY], t.rng[seat, DRAWN] = stream_key(plan.root, number, seat, DICE), 0
        t.own[seat, KEY], t.own[seat, DRAWN] = stream_key(plan.root, number, seat, POLICY), 0
    player, rounds, logged = starter, 0, records.done[LOGGED]
    while player != AWAY and t.field.turns[player] < plan.cap:
        if records.log.shape[0] and records.done[LOGGED] + CARS > records.log.shape[0]:
            records.done[LOGGED] = logged
            return False
        policy = np.int64(plan.policies[(player + number) % players if plan.rotate else player])
        take_turn(c, law, k, t, policy, player, match, rounds, records)
        rounds += 1
        player = next_player(t.field, player)
    for car in range(t.field.cars.shape[0]):
        records.cars[match, car, 0] = t.lined[BOXES, car]
        records.cars[match, car, 1] = t.field.cars[car, PLACE]
        records.cars[match, car, 2] = t.field.cars[car, DAMAGE]
    for seat in range(players):
        records.players[match, seat, 0], records.players[match, seat, 1] = t.field.turns[seat], seat == starter
    return True


@compiled_bare
def play_races(c: Circuit, law: Law, k: Sense, plan: CarPlan, t: Table, records: CarRecords) -> bool:
    """The races of the matches `first`, `first` + 1, …; false where the log needs more room to go on."""
    while records.done[PLAYED] < records.moves.size:
        if not play_one(c, law, k, plan, t, records, np.int64(records.done[PLAYED])):
            return False
        records.done[PLAYED] += 1
    return True
