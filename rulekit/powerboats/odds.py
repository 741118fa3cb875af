"""What each dice choice does to a boat, exactly: totals, and with clear water ahead crash, damage, sinking.

No board is needed: whether a boat crashes depends on the largest number of water hexes in a row among its three
directions alone (PB-17), here called `free`; from where that number comes is the caller's business.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from rulekit.dist import Dist
from rulekit.errors import BadInput
from rulekit.powerboats.dice import Choice, Hand, all_totals, choices, count_hands_of_speed, hands_of_speed
from rulekit.readings import MOST_DICE, PowerboatsReadings

MOST_HANDS = 2_000
MOST_CHOICES = 20_000
"""More choices make no table that anybody reads, and json of hundreds of megabytes."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What a throw does where `free` hexes are clear: chances of a crash and of sinking, counters taken (PB-20, PB-21).

    `damage` maps each number of counters that this move can bring to its chance, from 0 up.
    """

    free: int
    crash: Fraction
    expected_damage: Fraction
    damage: Mapping[int, Fraction]
    sink: Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """One choice of one hand: the distribution of its total T, and its risk where the clear water is known."""

    hand: Hand
    choice: Choice
    totals: Dist
    risk: Risk | None = None

    @property
    def change(self) -> int:
        """Dice added (positive) or removed (negative)."""
        return self.choice.change(self.hand)

    def crash(self, free: int) -> Fraction:
        """The chance of a crash where `free` hexes are clear: that of the risk, if it is known for them."""
        return self.risk.crash if self.risk and self.risk.free == free else self.totals.above(free)

    def damage(self, free: int) -> Fraction:
        """The counters expected there."""
        return self.risk.expected_damage if self.risk and self.risk.free == free else self.totals.excess(free)


def odds(hand: Hand, readings: PowerboatsReadings, free: int | None = None, damage: int = 0) -> tuple[Odds, ...]:
    """The odds of every distinct choice of a hand, in the order of `choices`.

    `free` is the largest number of clear hexes in the three directions, `damage` the counters on the boat.
    Raises BadInput where the hand has too many choices to list (only dice with many faces can have that many), or a
    boat with so much damage has sunk.
    """
    if damage >= readings.sink_at:
        raise BadInput(f"a boat with {damage} damage counters has sunk (sink-at={readings.sink_at}, PB-21)")
    _few_enough(hand, readings)
    options = choices(hand, readings)
    left = readings.sink_at - damage
    return tuple(
        Odds(hand, choice, totals, None if free is None else risk(totals, free, left))
        for choice, totals in zip(options, all_totals(options, readings.faces), strict=True)
    )


def _few_enough(hand: Hand, readings: PowerboatsReadings) -> None:
    kept = prod(count + 1 for count in Counter(hand).values())
    if kept * (2 * readings.change + 1) > MOST_CHOICES:
        raise BadInput(f"a hand of {len(hand)} such dice has more than {MOST_CHOICES} choices: too many to list")


def risk(totals: Dist, free: int, left: int) -> Risk:
    """The risk of a total where `free` hexes are clear and `left` more counters sink the boat (PB-20, PB-21).

    >>> found = risk(Choice((2,), 2).totals((1, 2, 3)), 6, 2)
    >>> found.crash, found.expected_damage, found.sink
    (Fraction(1, 3), Fraction(4, 9), Fraction(1, 9))
    """
    taken: dict[int, int] = {}
    for total, ways in totals.ways():
        taken[max(0, total - free)] = taken.get(max(0, total - free), 0) + ways
    counters = {damage: Fraction(ways, totals.total) for damage, ways in taken.items()}
    return Risk(free, totals.above(free), totals.excess(free), counters, totals.at_least(free + left))


def crash_by_free(totals: Dist, most: int) -> dict[int, Fraction]:
    """The chance of a crash for each number of clear hexes from 0 to `most`."""
    return {free: totals.above(free) for free in range(most + 1)}


def hands_at(speed: int, readings: PowerboatsReadings) -> tuple[Hand, ...]:
    """Every hand of this speed with at most `dice-max` dice (18 where that is `none`) and no more than the stock.

    Raises BadInput where there is none, saying the nearest speeds, or where there are too many to list.
    """
    most = min(readings.dice_max or MOST_DICE, readings.dice_stock or MOST_DICE, MOST_DICE)
    number = count_hands_of_speed(speed, readings.faces, most)
    if not number:
        raise BadInput(_no_hand(speed, readings, most))
    if number > MOST_HANDS:
        raise BadInput(
            f"{number} hands of at most {most} dice have speed {speed}: lower --dice-max, or name one by --dice"
        )
    hands = hands_of_speed(speed, readings.faces, most)
    number = sum(len(choices(hand, readings)) for hand in hands)
    if number > MOST_CHOICES:
        raise BadInput(
            f"the {len(hands)} hands of speed {speed} have {number} choices, more than {MOST_CHOICES}: lower"
            " --dice-max or --change, or name one hand by --dice"
        )
    return hands


def _no_hand(speed: int, readings: PowerboatsReadings, most: int) -> str:
    if speed < 0:
        return f"a boat's speed is 0 or more, not {speed}"
    dice = f"{most} {'die' if most == 1 else 'dice'} with the faces {'/'.join(map(str, readings.faces))}"
    greatest = most * max(readings.faces)
    if speed > greatest:
        return f"{dice} add up to {greatest} at most, not {speed}{_more_dice(speed, readings, most)}"
    reached = [near for near in range(greatest + 1) if count_hands_of_speed(near, readings.faces, most)]
    nearest = sorted(reached, key=lambda near: (abs(near - speed), near))[:2]
    return f"at most {dice} cannot add up to {speed} (the nearest: {' and '.join(map(str, sorted(nearest)))})"


def _more_dice(speed: int, readings: PowerboatsReadings, most: int) -> str:
    if readings.dice_max != most or most == MOST_DICE:
        return ""
    enough = -(-speed // max(readings.faces))
    top = min(readings.dice_stock or MOST_DICE, MOST_DICE)
    if enough <= top:
        return f" (--dice-max {enough} would do)"
    return f" (with --dice-max {top}, the most, up to {top * max(readings.faces)})" if top > most else ""


def check_hand(hand: Hand, readings: PowerboatsReadings) -> None:
    """Raises BadInput for a hand that the dice cannot show: a face not on them, or more dice than there are."""
    if len(hand) > MOST_DICE:
        raise BadInput(f"{len(hand)} dice are too many: a hand has at most {MOST_DICE} (PB-4)")
    if readings.dice_stock is not None and len(hand) > readings.dice_stock:
        raise BadInput(f"{len(hand)} dice are more than the stock holds (dice-stock={readings.dice_stock})")
    wrong = sorted(set(hand) - set(readings.faces))
    if wrong:
        near = ",".join(_near_dice(die, readings) for die in hand)
        faces = "/".join(map(str, readings.faces))
        raise BadInput(f"no die shows {' or '.join(map(str, wrong))}: its faces are {faces} (did you mean {near}?)")


def check_damage(damage: int, readings: PowerboatsReadings) -> None:
    """Raises BadInput for damage counters that no boat in a race has (PB-21)."""
    if not 0 <= damage < readings.sink_at:
        why = f": a boat with {damage} has sunk" if damage > 0 else ""
        raise BadInput(f"--damage {damage}: a boat in a race has 0 to {readings.sink_at - 1} counters{why} (PB-21)")


def _near_dice(die: int, readings: PowerboatsReadings) -> str:
    """What was meant by a die: dice written without commas, else the nearest face."""
    digits = [int(digit) for digit in str(die)]
    if die not in readings.faces and set(digits) <= set(readings.faces):
        return ",".join(map(str, digits))
    return str(min(readings.faces, key=lambda face: (abs(face - die), face)))


def record(entry: Odds, most: int, at_least: Sequence[int] = (), at_most: Sequence[int] = ()) -> dict[str, Any]:
    """One row as it is written to files: numbers of dice as integers, exact figures as strings such as "2/9".

    Without clear water there is `crash_by_free` for 0 … `most` hexes.
    """
    totals = entry.totals
    head = {"hand": list(entry.hand), "keep": list(entry.choice.kept), "roll": entry.choice.rolled}
    figures = {"change": entry.change, "mean": str(totals.mean), "sd": totals.sd}
    asked = {
        name: {str(value): str(chance(value)) for value in values}
        for name, values, chance in (("at_least", at_least, totals.at_least), ("at_most", at_most, totals.at_most))
        if values
    }
    water = _risk_record(entry.risk) if entry.risk else {"crash_by_free": _strings(crash_by_free(totals, most))}
    return {**head, **figures, **asked, **water, "totals": _strings(totals.fractions())}


def _risk_record(risk: Risk) -> dict[str, Any]:
    exact = {"crash": str(risk.crash), "expected_damage": str(risk.expected_damage), "sink": str(risk.sink)}
    return {"free": risk.free, **exact, "damage": _strings(risk.damage)}


def _strings(chances: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(value): str(chance) for value, chance in chances.items()}


def waters(speed: int, most: int) -> tuple[int, ...]:
    """Numbers of clear hexes worth a column at this speed: from well below to just above it, none that always suffices.

    >>> waters(7, 18), waters(3, 12), waters(0, 3)
    ((3, 5, 7, 9), (1, 3, 5), (1, 2))
    """
    wide = [water for water in range(speed - 4, speed + 3, 2) if 1 <= water < most]
    return tuple(wide if len(wide) > 1 else [water for water in (1, 2) if water < most])


def worth_looking_at(rows: Sequence[Odds], free: Sequence[int]) -> list[Odds]:
    """The choices of one hand that a player would weigh, by rising mean.

    With one number of clear hexes: those that no other beats in both the mean total (higher) and the crash chance
    (lower). With several: of these, for each number, the safest and those that crash in at most half the throws.
    Always among them: to keep all, and the safest choice with fewer, as many and more dice (see `safest`).
    """
    picked = [entry for entry in rows if not entry.change and not entry.choice.rolled]
    for water in free:
        front = _front(rows, water)
        picked += front if len(free) == 1 else _not_too_risky(front, water)
    middle = free[-1] if len(free) < 3 else free[len(free) // 2]
    picked += [best for sign in (-1, 0, 1) if (best := safest(rows, sign, middle))]
    order = {entry.choice: number for number, entry in enumerate(rows)}
    once = {entry.choice: entry for entry in picked}.values()
    return sorted(once, key=lambda entry: (entry.totals.mean, entry.totals.variance, order[entry.choice]))


def _not_too_risky(front: Sequence[Odds], free: int) -> list[Odds]:
    crashes = [entry.crash(free) for entry in front]
    often = max(Fraction(1, 2), crashes[0])
    return [entry for entry, crash in zip(front, crashes, strict=True) if crash <= often and crash < 1]


def safest(rows: Iterable[Odds], sign: int, free: int) -> Odds | None:
    """The least likely to crash of the choices that add dice (sign 1), remove some (-1) or neither (0).

    Equal ones: the highest mean, then the first.
    """
    some = [entry for entry in rows if (entry.change > 0) - (entry.change < 0) == sign]
    return min(some, key=lambda entry: _danger(entry, free), default=None)


def _danger(entry: Odds, free: int) -> tuple[Fraction, Fraction, Fraction]:
    return entry.crash(free), -entry.totals.mean, entry.damage(free)


def _front(rows: Iterable[Odds], free: int) -> list[Odds]:
    """By rising crash chance and mean; of choices alike in both the least damaged, then the first."""
    front: list[Odds] = []
    for entry in sorted(rows, key=lambda entry: _danger(entry, free)):
        if not front or entry.totals.mean > front[-1].totals.mean:
            front.append(entry)
    return front
