"""The readable tables of `solve`: the verdict in words first."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from rulekit.cli import output
from rulekit.cli.output import plural, tabulated
from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import Boat
from rulekit.readings import PowerboatsReadings

if TYPE_CHECKING:
    from rulekit.cli.solve_run import Tried
    from rulekit.solve.best import Best, Deadline, Start, Trade
    from rulekit.solve.passage import Passage
    from rulekit.solve.tables import Numbered
    from rulekit.study.tiles import TileUse

MOST_STARTS = 12
ON_PURPOSE = " Where it counts for little, sinking on purpose ends a race soonest."

LEVEL = 1e-9
"""Values whose difference is a smaller share are equal."""

SMALL = 5e-4
"""Finishing turns less likely than this are not listed."""


def percent(chance: float) -> str:
    """A chance for people, with the decimals that small risks need.

    >>> percent(0.0131), percent(0.00131), percent(2e-7), percent(0.0), percent(1.0)
    ('1.3 %', '0.13 %', '<0.001 %', '0 %', '100 %')
    """
    return output.percent(chance, 3)


def place(boat: Boat) -> str:
    """A boat's place in words."""
    damage = f" with {boat.damage} damage" if boat.damage else ""
    return f"{hex_name(boat.at)} facing {boat.facing.name}{damage}"


def settings(numbered: "Numbered") -> str:
    """The course's name, and what differs from the rules' usual readings."""
    readings: PowerboatsReadings = numbered.waters.readings
    told = f"; readings and dials: {readings}" if str(readings) else ""
    return f"{numbered.waters.course.name}: one boat alone, at most {readings.dice_max} dice{told}."


def on_purpose(best: "Best") -> str:
    """The warning for a race that is best sunk."""
    return (
        f"the best race sinks on purpose: sinking costs only {_turns(best.solution.sunk)} here (--sink-cost), "
        f"the race {best.start.value:.2f} (sunk in {percent(best.passage.sink)})"
    )


def _turns(count: float) -> str:
    return f"{count:g} {'turn' if count == 1 else 'turns'}"


def turns(best: "Best", fewest: int | None, tried: Sequence["Tried"], uses: Sequence["TileUse"] = ()) -> str:
    """The best race, or policies beside it; and what tiles do there."""
    parts = [settings(best.numbered) + "\n" + "\n".join(_verdict(best, fewest))]
    if tried:
        parts += [_policies(best, tried), *_policy_words(best, tried)]
    else:
        parts += [_starts(best.starts, "value"), _finishing(best.passage)]
    return "\n\n".join([*parts, *([_tiles(uses)] if uses else [])])


def _tiles(uses: Sequence["TileUse"]) -> str:
    """What tiles do, the dearest first."""
    rows = [
        (use.tile.kind.value, f"{hex_name(use.tile.hexes[0])}-{hex_name(use.tile.hexes[-1])}", f"{use.entered:.3f}",
         f"{use.damaged:.3f}", percent(use.sunk), percent(use.flown), _cost_of(use.turns))
        for use in sorted(uses, key=lambda use: -use.turns)
    ]  # fmt: skip
    words = (
        "Each tile in the best race: hexes of it entered and moves with damage a race, races sunk there, finishes in\n"
        "a flight from it, and the turns that it costs (the race without it is so much shorter; below 0: longer)."
    )
    return f"{words}\n{tabulated(['tile', 'hexes', 'entered', 'damage', 'sunk', 'flown home', 'cost'], rows)}"


def _cost_of(turns: float) -> str:
    return f"{turns:+.3f}" if isfinite(turns) else "without it no race surely ends"


def _verdict(best: "Best", fewest: int | None) -> Iterator[str]:
    passage, start, cost = best.passage, best.start, best.solution.sunk
    if passage.ends:
        yield f"The best race takes {passage.turns:.2f} turns from {place(start.boat)}."
    else:
        share, turns = percent(passage.left), passage.finished.size
        yield f"The best race, from {place(start.boat)}, goes on after {turns} turns in {share} of cases."
    yield (
        f"Value {start.value:.6f} = turns + {cost:g} × chance of sinking (--sink-cost {cost:g}), "
        f"certified {start.lower:.7f} … {start.upper:.7f}."
    )
    yield (
        f"Sinks in {percent(passage.sink)} of races, takes damage in {percent(_hurt(passage))}, "
        f"{passage.crashes.sum():.2f} crashes a race."
    )
    yield _finished(passage)
    if fewest:
        yield f"With the best dice it takes {plural(fewest, 'turn')}, from the start that is best for that."


def _hurt(passage: "Passage") -> float:
    """The chance of damage: none where nothing ever hurts, whatever the sums leave over."""
    return max(0.0, 1 - passage.unhurt) if passage.crashes.any() else 0.0


def _finished(passage: "Passage") -> str:
    half, most = _by(passage, 0.5), _by(passage, 0.9)
    if half is None:
        return "Fewer than half of the races ever finish: the others sink."
    if most is None:
        return f"Half of the races have finished by turn {half}; so many sink that nine in ten never do."
    return f"Half of the races have finished by turn {half}, nine in ten by turn {most}."


def _by(passage: "Passage", share: float) -> int | None:
    """The first turn by which this share has finished, None where it never has."""
    so_far = passage.finished.cumsum()
    return int((so_far < share).sum()) + 1 if so_far[-1] >= share else None


def _starts(starts: Sequence["Start"], unit: str) -> str:
    """Every start hex with its best facing."""
    sign = -1 if unit == "chance" else 1
    ranked = sorted(starts, key=lambda start: sign * start.value)
    seen: dict[tuple[str, int], list[Start]] = {}
    for start in ranked:
        seen.setdefault((hex_name(start.boat.at), start.boat.progress), []).append(start)
    shown = list(seen.items())[:MOST_STARTS]
    rows = [
        (name, _best_facings(same), progress, _value(same[0].value, unit),
         _value(abs(same[0].value - ranked[0].value), unit))
        for (name, progress), same in shown
    ]  # fmt: skip
    behind = "worse" if unit == "chance" else "longer"
    table = tabulated(["start", "best facing", "progress", unit, behind], rows)
    left = len(seen) - len(shown)
    note = f"\n{left} more start hexes; -f json has all {len(starts)} starts." if left else ""
    return f"{table}{note}"


def _best_facings(starts: Sequence["Start"]) -> str:
    """The best facing of starts on one hex, the best first, with those that are as good."""
    best, *others = starts
    level = [other.boat.facing.name for other in others if abs(other.value - best.value) < LEVEL * best.value]
    if len(level) == len(others) > 1:
        return "any"
    return f"{best.boat.facing.name} ({' and '.join(level)} equal)" if level else best.boat.facing.name


def _value(value: float, unit: str) -> str:
    return percent(value) if unit == "chance" else f"{value:.3f}"


def _finishing(passage: "Passage") -> str:
    rows, so_far = [], 0.0
    for turn, chance in enumerate(map(float, passage.finished), 1):
        so_far += chance
        if chance >= SMALL:
            rows.append((turn, percent(chance), percent(so_far), "#" * round(50 * chance)))
    return tabulated(["finishing turn", "chance", "so far", ""], rows)


def _policies(best: "Best", tried: Sequence["Tried"]) -> str:
    rows = [("best", *_policy_cells(best.passage, best.start.value, best.start.value))]
    rows += [(one.name, *_policy_cells(one.passage, one.value, best.start.value)) for one in tried]
    return tabulated(["policy", "turns", "sink", "damage", "value", "loss", "loss in %"], rows)


def _policy_cells(passage: "Passage", value: float, optimum: float) -> tuple[str, ...]:
    shares = percent(passage.sink), percent(_hurt(passage))
    if not passage.ends:
        return "never ends", *shares, "-", "-", "-"
    loss = max(0.0, value - optimum)
    return f"{passage.turns:.3f}", *shares, f"{value:.4f}", f"{loss:.4f}", f"{100 * loss / optimum:.2f}"


def _policy_words(best: "Best", tried: Sequence["Tried"]) -> Iterator[str]:
    for one in tried:
        if not one.passage.ends:
            followed = _turns(one.passage.finished.size)
            yield f"{one.name}: {percent(one.passage.left)} of its races go on after {followed}."
    races = [("best", best.passage), *((one.name, one.passage) for one in tried if one.passage.ends)]
    safe, safest = min(races, key=lambda race: (round(race[1].sink, 9), 1 - race[1].unhurt))
    fast, fastest = min(races, key=lambda race: race[1].turns)
    if fast != safe:
        yield (
            f"Press-your-luck premium: {safe} is the safest here, {fast} the fastest; safety takes "
            f"{safest.turns - fastest.turns:.2f} turns more and spares {percent(fastest.sink - safest.sink)} of boats."
        )


def deadline(numbered: "Numbered", found: "Deadline") -> str:
    """The chance by number of turns, and by start for the last one."""
    start, within = found.start, len(found.chances)
    words = (
        f"{settings(numbered)}\nFrom {place(start.boat)} the boat finishes within {_turns(within)} with a chance of "
        f"{percent(start.value)}\n(certified {start.lower:.12g} … {start.upper:.12g}), if it plays for that alone."
    )
    rows = [(turn, percent(chance), "#" * round(40 * chance)) for turn, chance in enumerate(found.chances, 1) if chance]
    table = tabulated(["within", "greatest chance", ""], rows) if rows else "No dice bring it there in that time."
    return "\n\n".join([words, table, _starts(found.starts, "chance")])


def front(numbered: "Numbered", trades: Sequence["Trade"]) -> str:
    """The Pareto front."""
    racing = [trade for trade in trades if not trade.on_purpose] or trades
    fast, safe = racing[0], racing[-1]
    words = (
        f"{settings(numbered)}\nThe fastest of these races take {fast.turns:.2f} turns and sink in "
        f"{percent(fast.sink)}; the safest take {safe.turns:.2f} and sink in {percent(safe.sink)}.\n"
        "Each row is the best race where sinking counts as so many turns."
        f"{ON_PURPOSE if len(racing) < len(trades) else ''}"
    )
    rows = [
        (f"{t.turns:.4f}", percent(t.sink), _cost(t.sink_cost), "sinks on purpose" if t.on_purpose else "")
        for t in trades
    ]
    return f"{words}\n\n{tabulated(['turns', 'sink', 'sink cost', ''], rows)}"


def _cost(sink_cost: float) -> str:
    return f"{sink_cost:,.0f}" if sink_cost >= 1000 else f"{sink_cost:.4g}"
