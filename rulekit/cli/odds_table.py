"""The readable table of `odds`: what the choices do to each hand at a glance, then the choices worth looking at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from textwrap import fill

from rulekit.cli.output import percent, plural, terminal_width
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.odds import Odds, safest, waters, worth_looking_at
from rulekit.readings import PowerboatsReadings

CHANGES = {-1: "remove", 0: "same number", 1: "add"}
"""What may happen to the number of dice, by the sign of its change."""


@dataclass(frozen=True)
class OddsTable:
    """What the table is made of: the odds of all hands, the settings asked for, and how much to list.

    `detail` is "hands" (the first part only), "worth" or "all"; `tiles`: the risk is that of a move among tiles.
    """

    odds: Sequence[Odds]
    readings: PowerboatsReadings
    free: int | None = None
    damage: int = 0
    at_least: Sequence[int] = ()
    at_most: Sequence[int] = ()
    detail: str = "worth"
    tiles: bool = False

    def __str__(self) -> str:
        choices = [self._choices(hand, shown) for hand, shown in self.listed.items()]
        parts = [self._title(), self._hands(), *choices, self._left_out()]
        if self.free is not None:
            # Last, for long tables scroll away.
            parts.append(_safest_lines(self.odds, self.free))
        return "\n\n".join(parts) + "\n"

    @cached_property
    def by_hand(self) -> dict[Hand, list[Odds]]:
        """The odds of each hand, hands in their order."""
        found: dict[Hand, list[Odds]] = {}
        for entry in self.odds:
            found.setdefault(entry.hand, []).append(entry)
        return found

    def waters(self) -> tuple[int, ...]:
        """The numbers of clear hexes that have a crash column."""
        return self._waters

    @cached_property
    def _waters(self) -> tuple[int, ...]:
        if self.free is not None:
            return (self.free,)
        return waters(sum(self.odds[0].hand), max(entry.totals.last for entry in self.odds))

    @cached_property
    def listed(self) -> dict[Hand, Sequence[Odds]]:
        """The choices of each hand that are listed."""
        if self.detail == "hands":
            return {}
        if self.detail == "all":
            return dict(self.by_hand)
        return {hand: worth_looking_at(rows, self.waters()) for hand, rows in self.by_hand.items()}

    def _title(self) -> str:
        hands = self.by_hand
        what = f"{plural(len(hands), 'hand')} of" if len(hands) > 1 else f"hand {told(next(iter(hands)))},"
        limit = self.readings.dice_max
        most = f", at most {_dice(limit)}" if limit is not None else ""
        faces = "/".join(map(str, self.readings.faces))
        first = f"Powerboats: {what} speed {sum(self.odds[0].hand)}{most} (faces {faces})."
        free = "the clear hexes" if self.free is None else f"{plural(self.free, 'clear hex', 'clear hexes')}"
        second = f"Crash: the chance that the total exceeds {free} of the best direction (PB-17, PB-20)."
        if self.tiles:
            second = "Crash: the chance of damage, by tiles too, where it is least and then progress the most."
        return "\n".join(map(_wrapped, [first, second, *self._assumed()]))

    def _assumed(self) -> Iterator[str]:
        if self.free is not None:
            damage = plural(self.damage, "damage counter") if self.damage else "no damage"
            yield f"The boat has {damage} so far and sinks at {self.readings.sink_at} (PB-21)."
        if str(self.readings):
            yield f"Readings and dials: {self.readings}."

    def _hands(self) -> str:
        rows = [self._hand_row(hand, rows) for hand, rows in self.by_hand.items()]
        if self.free is None:
            crash = self._crash_heads()
        else:
            crash = [f"least crash\n{change}" for change in CHANGES.values()] + ["most\ncrash"]
        return _aligned(["hand", "choices", "mean total", *crash], rows)

    def _hand_row(self, hand: Hand, rows: Sequence[Odds]) -> list[str]:
        means = [entry.totals.mean for entry in rows]
        head = [told(hand), str(len(rows)), _span(number(min(means)), number(max(means)))]
        if self.free is None:
            return head + [_range([entry.totals.above(water) for entry in rows]) for water in self.waters()]
        free = self.free
        least = [safest(rows, sign, free) for sign in CHANGES]
        most = max(entry.crash(free) for entry in rows)
        return head + [percent(best.crash(free)) if best else "–" for best in least] + [percent(most)]

    def _crash_heads(self) -> list[str]:
        return [f"crash\n{water} clear" for water in self.waters()]

    def _choices(self, hand: Hand, shown: Sequence[Odds]) -> str:
        every = len(self.by_hand[hand])
        count = plural(every, "choice") if len(shown) == every else f"{len(shown)} of {every} choices"
        asked = [f"≥ {value}" for value in self.at_least] + [f"≤ {value}" for value in self.at_most]
        crash = ["crash", "expected\ndamage", "sinks"]
        if self.free is None:
            crash = self._crash_heads()
        table = _aligned(["choice", "mean", "sd", *asked, *crash], [self._choice_row(entry) for entry in shown])
        return f"Hand {told(hand)}: {count}\n{table}"

    def _choice_row(self, entry: Odds) -> list[str]:
        totals = entry.totals
        head = [entry.choice.told(entry.hand), number(totals.mean), f"{totals.sd:.2f}"]
        head += [percent(totals.at_least(value)) for value in self.at_least]
        head += [percent(totals.at_most(value)) for value in self.at_most]
        if entry.risk is None:
            return head + [percent(totals.above(water)) for water in self.waters()]
        return [*head, percent(entry.risk.crash), number(entry.risk.expected_damage), percent(entry.risk.sink)]

    def _left_out(self) -> str:
        shown = sum(map(len, self.listed.values()))
        out = len(self.odds) - shown
        if not out:
            return f"All {plural(shown, 'choice')} are listed."
        if not shown:
            return f"{plural(out, 'choice')} left out: drop --hands to see those worth looking at, or add --all."
        worse = "." if self.free is not None else ", or crash in more than half the throws."
        return _wrapped(
            f"{plural(out, 'choice')} left out (--all lists them): none beats those listed in both mean and crash"
            f" chance{worse}"
        )


def _safest_lines(odds: Sequence[Odds], free: int) -> str:
    several = len({entry.hand for entry in odds}) > 1
    lines = ["The safest, whichever hand:" if several else "The safest:"]
    kept = next((entry for entry in odds if not entry.change and not entry.choice.rolled), None)
    if kept is not None:
        word = "keep all" if kept.hand else "no dice"
        lines.append(
            f"  {word + ':':<13}crash {percent(kept.crash(free)):>7}{'  (the same for every hand)' if several else ''}"
        )
    for sign, change in CHANGES.items():
        best = safest(odds, sign, free)
        if best is not None:
            whose = f"hand {told(best.hand)}: " if several else ""
            how = f"{whose}{best.choice.told(best.hand)}; mean {number(best.totals.mean)}"
            lines.append(f"  {change + ':':<13}crash {percent(best.crash(free)):>7}  ({how})")
    return "\n".join(lines)


def _wrapped(line: str) -> str:
    return fill(line, terminal_width(), break_long_words=False, break_on_hyphens=False)


def told(hand: Hand) -> str:
    """A hand as it is printed."""
    return " ".join(map(str, hand)) or "without dice"


def number(value: Fraction) -> str:
    """A mean with two decimals."""
    return f"{float(value):.2f}"


def _range(chances: Sequence[Fraction]) -> str:
    return _span(percent(min(chances)).removesuffix(" %"), percent(max(chances)))


def _span(least: str, most: str) -> str:
    return most if least == most.removesuffix(" %") else f"{least}–{most}"


def _dice(count: int) -> str:
    return plural(count, "die", "dice")


def _aligned(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A text table, its first column to the left, the others to the right; a header may have two lines.

    Columns stand closer together where they would not fit the terminal else.

    Of our own because the package for tables takes longer to load than all the odds to compute.
    """
    parts = [header.split("\n") for header in headers]
    height = max(map(len, parts))
    heads = list(zip(*([""] * (height - len(part)) + part for part in parts), strict=True))
    widths = [max(map(len, column)) for column in zip(*heads, *rows, strict=True)]
    lines = [*heads, ["-" * width for width in widths], *rows]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= terminal_width() else " "
    return "\n".join(_line(cells, widths, gap) for cells in lines)


def _line(cells: Sequence[str], widths: Sequence[int], gap: str) -> str:
    first, *others = zip(cells, widths, strict=True)
    return gap.join([f"{first[0]:<{first[1]}}", *(f"{cell:>{width}}" for cell, width in others)]).rstrip()
