"""From the options of `reach` to its rows, table and pictures."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from rulekit.cli.options import need_dice_limit, parse_dice, powerboats_readings
from rulekit.cli.output import Output, Result, percent, tabulated
from rulekit.cli.position import boat_on, load_waters
from rulekit.cli.solo import Steps, best_start, numbered_waters, policy_by_name
from rulekit.errors import BadInput
from rulekit.hexgrid import FACINGS, hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.odds import check_hand
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.reach import Reach, Standing, fewest_turns, reach, reach_under
from rulekit.solve.tables import Numbered

EXACT_TURNS = 4
SHOWN = 24
COLUMNS = ("hex", "probability", "keep", "roll", "fewest")


@dataclass(frozen=True)
class Reached:
    """What `reach` found for a boat, and how it was asked."""

    numbered: Numbered
    boat: Boat
    found: Reach
    safe: bool
    policy: str | None

    @cached_property
    def fewest(self) -> dict[str, int]:
        """Name of each hex within reach with the fewest turns to it, as the hexes are numbered."""
        turns = fewest_turns(self.numbered.race, self.numbered.state(self.boat), safe=self.safe)
        return {hex_name(at): int(turn) for at, turn in zip(self.numbered.hexes, turns, strict=True) if turn > 0}

    @cached_property
    def ranked(self) -> tuple[Standing, ...]:
        """The standings, the most likely first."""
        return tuple(sorted(self.found.standings, key=lambda one: (-(one.exact or one.chance), one.place)))

    def name(self, standing: Standing) -> str:
        """The hex of a standing."""
        return hex_name(self.numbered.hexes[standing.place])

    def choice(self, standing: Standing) -> Choice:
        """The first turn's choice."""
        return Choice(self.numbered.race.dice.hands.tuple_of(standing.kept), standing.rolled)

    def chance(self, standing: Standing) -> str:
        """The chance as JSON writes it: a fraction up to four turns, then decimals."""
        if standing.exact is not None and self.found.turns <= EXACT_TURNS:
            return str(standing.exact)
        return f"{standing.chance:.12g}"

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of JSON and CSV, the most likely hex first."""
        for one in self.ranked:
            kept, rolled = self.choice(one)
            row: dict[str, Any] = {
                "hex": self.name(one),
                "probability": self.chance(one),
                "keep": list(kept),
                "roll": rolled,
                "fewest": self.fewest.get(self.name(one)),
            }
            if self.found.turns == 1:
                row["facings"] = [facing.name for facing in FACINGS if self.found.facings[one.place, facing]]
            yield row


def run(options: dict[str, Any]) -> None:
    """All of `reach`; raises BadInput and FileFaults."""
    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"], plot_fewest=options["plot_fewest"])
    readings = powerboats_readings(options["reading"], options["dice_max"])
    need_dice_limit(readings, "reach")
    if options["safe"] and options["policy"]:
        raise BadInput("--safe picks the choices and so does --policy: leave one out")
    readings = _room_for(parse_dice(options["dice"]), readings, output)
    waters = load_waters(options["course"], options["stdin_filename"], readings, output)
    reached = _reached(waters, options, output)
    for option in ("plot", "plot_fewest"):
        if options[option]:
            from rulekit.cli.reach_picture import picture

            path = Path(options[option])
            output.write(path, picture(path, reached, fewest=option == "plot_fewest"))
    output.emit(_result(reached, waters, options["every"], began))
    if output.verbose:
        output.note(f"{perf_counter() - began:.3f} seconds")


def _room_for(hand: Hand, readings: PowerboatsReadings, output: Output) -> PowerboatsReadings:
    """The readings with a limit that lets the hand given grow by a die."""
    if readings.dice_max is None or len(hand) < readings.dice_max or not hand:
        return readings
    check_hand(hand, readings)
    output.note(f"note: {len(hand)} dice given, so dice-max is {len(hand) + 1} here")
    return replace(readings, dice_max=len(hand) + 1)


def _reached(waters: Waters, options: dict[str, Any], output: Output) -> Reached:
    numbered = numbered_waters(waters)
    boat = _boat(numbered, options, output)
    turns, state = options["turns"], numbered.state(boat)
    if options["policy"]:
        found = reach_under(policy_by_name(numbered, options["policy"], output), state, turns)
    else:
        with Steps(output, "turns taken back") as steps:
            found = reach(numbered.race, state, turns, safe=options["safe"], report=steps.report)
    return Reached(numbered, boat, found, options["safe"], options["policy"])


def _boat(numbered: Numbered, options: dict[str, Any], output: Output) -> Boat:
    """The boat that the options place, or one at the best legal start."""
    if options["at"] is not None:
        if options["facing"] is None:
            raise BadInput("--at says where the boat stands: add --facing FACING")
        placed = [options[name] for name in ("at", "facing", "dice", "progress", "damage")]
        return boat_on(numbered.waters, *placed)
    if options["facing"] is not None or options["dice"] != "none" or options["progress"] != 1:
        raise BadInput("--facing, --dice and --progress describe a boat on a hex: add --at HEX")
    boat = best_start(numbered, options["damage"], output)
    output.note(f"note: from the best legal start, {hex_name(boat.at)} facing {boat.facing.name}")
    return boat


def _result(reached: Reached, waters: Waters, every: bool, began: float) -> Result:
    boat = reached.boat
    start = {
        "hex": hex_name(boat.at), "facing": boat.facing.name, "dice": list(boat.hand), "progress": boat.progress,
        "damage": boat.damage,
    }  # fmt: skip
    more = {"start": start, "turns": reached.found.turns, "safe": reached.safe, "policy": reached.policy}
    columns = [*COLUMNS, "facings"] if reached.found.turns == 1 else list(COLUMNS)
    return Result(
        "reach", list(reached.rows()), waters.readings.answers(), more={**more, "fewest": reached.fewest},
        timing={"seconds": perf_counter() - began}, table=lambda: table(reached, every), columns=columns,
    )  # fmt: skip


def table(reached: Reached, every: bool) -> str:
    """The most likely hexes with the first turn's choice, and how many hexes each number of turns reaches."""
    shown = reached.ranked if every else reached.ranked[:SHOWN]
    rows = [_line(reached, one) for one in shown]
    heads = ["hex", "chance", "exactly", "first choice", "fewest turns"]
    if reached.found.turns == 1:
        heads.append("facing then")
    parts = [title(reached), tabulated(heads, rows)] if rows else [title(reached), "No hex."]
    left = len(reached.ranked) - len(shown)
    if left:
        parts.append(f"{left} less likely {'hex' if left == 1 else 'hexes'} left out (--all lists them).")
    return "\n\n".join([*parts, _by_turns(reached)])


def title(reached: Reached) -> str:
    """What is shown, and from where."""
    boat, turns = reached.boat, reached.found.turns
    dice = f"dice {' '.join(map(str, boat.hand))}" if boat.hand else "no dice"
    start = f"{hex_name(boat.at)} facing {boat.facing.name}, {dice}, progress {boat.progress}, damage {boat.damage}"
    how = "Greatest chance" if reached.policy is None else f"Chance under the policy {reached.policy}"
    after = f"{turns} {'turn' if turns == 1 else 'turns'}"
    safe = ", never risking damage" if reached.safe else ""
    return f"{reached.numbered.waters.course.name}: from {start}.\n{how} to stand on a hex after exactly {after}{safe}."


def _line(reached: Reached, one: Standing) -> list[str]:
    name, exact = reached.name(one), reached.chance(one)
    line = [name, percent(one.exact or Fraction(one.chance)), exact if "/" in exact or exact == "1" else "",
            reached.choice(one).told(reached.boat.hand), str(reached.fewest.get(name, "–"))]  # fmt: skip
    if reached.found.turns == 1:
        line.append(" ".join(facing.name for facing in FACINGS if reached.found.facings[one.place, facing]))
    return line


def _by_turns(reached: Reached) -> str:
    """How far the best dice bring a boat."""
    turns = sorted(set(reached.fewest.values()))
    counts = [sum(turn <= most for turn in reached.fewest.values()) for most in turns]
    water = len(reached.numbered.hexes)
    reach_by = ", ".join(f"{most}: {count}" for most, count in zip(turns, counts, strict=True))
    safely = "without any risk of damage, " if reached.safe else ""
    return f"Hexes within reach with the best dice, {safely}by turns: {reach_by or 'none'} (of {water})."
