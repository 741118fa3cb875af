"""`odds --game ps`: the colour picks of a player's dice."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from time import perf_counter
from typing import Any

from rulekit.cli.output import Output, Result, percent, tabulated
from rulekit.errors import BadInput
from rulekit.ps.dice import Colour, above
from rulekit.ps.picks import CARS, CUT, Pick, beats, mean, picks, record, variance
from rulekit.readings import PsReadings

FOREIGN = ("speed", "dice", "free", "course", "at", "facing", "progress", "damage", "faces", "change", "plot", "advice",
           "stdin_filename", "dice_max")  # fmt: skip
"""Options that speak of boats."""

THRESHOLDS = tuple(range(1, 18))
"""Values for which the chance of more is listed."""

COLUMNS = ["pick", "mean", "sd", "lowest", "highest", "ranked"]


def run(options: dict[str, Any], output: Output) -> None:
    """Print the odds of the picks; raises BadInput for options that speak of boats."""
    began = perf_counter()
    for name in FOREIGN:
        if options[name] is not None and (name != "damage" or options[name]):
            raise BadInput(f"--{name.replace('_', '-')} speaks of boats: it says nothing with --game ps")
    if options["hands"]:
        raise BadInput("--hands speaks of boats: it says nothing with --game ps (--all lists all values)")
    readings = PsReadings.parse(options["reading"])
    cars = options["cars"] or CARS
    at_least, at_most = options["at_least"], options["at_most"]
    rows = [record(pick, at_least, at_most) for pick in picks(cars)]
    asked = [key for key in ("at_least", "at_most") if options[key]]
    output.emit(
        Result(
            "odds",
            rows,
            readings.answers(),
            more={"game": "ps", "cars": cars, "cut": CUT, "colours": [_colour(colour) for colour in Colour]},
            timing={"seconds": perf_counter() - began},
            table=lambda: table(cars, at_least, at_most, options["every"]),
            columns=[*COLUMNS, *asked, "values", "cut", "beyond"],
        )
    )


def _colour(colour: Colour) -> dict[str, Any]:
    """One die as JSON: its spread, and the chance of more than each value and of beating the other colours."""
    return {
        "colour": colour.value, "mean": str(mean(colour)), "sd": float(variance(colour)) ** 0.5,
        "above": {str(value): str(above(colour, value)) for value in THRESHOLDS},
        "beats": {other.value: str(beats(colour, other)) for other in Colour if other is not colour},
    }  # fmt: skip


def table(cars: int, at_least: Sequence[int], at_most: Sequence[int], every: bool) -> str:
    """The readable form: dice alone, then the picks, then with `every` all values."""
    parts = ["\n".join(_duel()), _dice(), _picks(cars, at_least, at_most)]
    if every:
        parts += [_values(pick) for pick in picks(cars)]
    else:
        parts.append("--all lists the values of each pick with their chances; json and csv hold exact fractions.")
    return "\n\n".join(parts)


def _duel() -> Iterator[str]:
    red, yellow = beats(Colour.RED, Colour.YELLOW), beats(Colour.YELLOW, Colour.RED)
    yield "Blue shows 1 2 3, yellow 7 8 9; red 4 or 5, and 6 more for each six thrown before (PS-5)."
    yield (
        f"Red beats yellow in {percent(red)} of throws, yellow beats red in {percent(yellow)}: "
        f"red's mean is {_number(mean(Colour.RED))}, yellow's {_number(mean(Colour.YELLOW))}."
    )


def _dice() -> str:
    rows = [["mean", *(_number(mean(colour)) for colour in Colour)]]
    rows += [["sd", *(f"{float(variance(colour)) ** 0.5:.2f}" for colour in Colour)]]
    rows += [
        [f"> {value}", *(percent(above(colour, value)) for colour in Colour)]
        for value in THRESHOLDS
        if any(above(colour, value) != above(colour, value - 1) for colour in Colour)
    ]
    return tabulated(["one die", *(colour.value for colour in Colour)], rows)


def _picks(cars: int, at_least: Sequence[int], at_most: Sequence[int]) -> str:
    headers = ["pick", "mean", "sd", *_rank_names(cars)]
    headers += [f"{word} >= {n}" for n in at_least for word in _words(cars)]
    headers += [f"{word} <= {n}" for n in at_most for word in _words(cars)]
    return tabulated(headers, [_pick(pick, at_least, at_most) for pick in picks(cars)])


def _words(cars: int) -> tuple[str, ...]:
    return ("some", "all") if cars > 1 else ("die",)


def _rank_names(cars: int) -> list[str]:
    return {1: [], 2: ["lower", "higher"], 3: ["lowest", "middle", "highest"]}[cars]


def _pick(pick: Pick, at_least: Sequence[int], at_most: Sequence[int]) -> list[str]:
    several = len(pick.colours) > 1
    cells = [str(pick), _number(pick.mean), f"{pick.sd:.2f}"]
    cells += [f"{float(value):.2f}" for value in pick.ranked_means()] if several else []
    chances = [chance for n in at_least for chance in (pick.some_at_least(n), pick.all_at_least(n))]
    chances += [chance for n in at_most for chance in (pick.some_at_most(n), pick.all_at_most(n))]
    return cells + [percent(chance) for chance in chances[:: 1 if several else 2]]


def _values(pick: Pick) -> str:
    shown = pick.shown()
    rows = [(" ".join(map(str, faces)), str(chance), percent(chance)) for faces, chance in shown.items()]
    beyond = pick.beyond()
    note = f"\nbeyond: some red above {CUT} in {beyond} = {percent(beyond)}" if beyond else ""
    return f"{pick}\n{tabulated(['values', 'exact', 'chance'], rows)}{note}"


def _number(value: Fraction) -> str:
    return f"{float(value):g}"
