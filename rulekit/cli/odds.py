"""`rulekit odds`: what every dice choice does to a boat, exactly."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.odds_table import OddsTable
from rulekit.cli.options import output_options, parse_dice, powerboats_readings, readings_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.errors import BadInput
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.odds import check_hand, hands_at, odds, record
from rulekit.readings import PowerboatsReadings

if TYPE_CHECKING:
    from rulekit.cli.odds_course import Place

COLUMNS = ["hand", "keep", "roll", "change", "mean", "sd"]
RISKS = ["free", "crash", "expected_damage", "sink", "damage"]

EPILOG = """\b
Examples:
  rulekit odds --speed 7                    every hand that can show a 7
  rulekit odds --speed 7 --free 6           … six hexes clear: add a die?
  rulekit odds --dice 3,3,1 --free 6 --damage 2 --all
  rulekit odds --dice none --at-least 2     a boat without dice
  rulekit odds --dice 3,3,1 --course lagoon-a --at K14 --facing NE
  rulekit odds --dice 3,3,1 --course lagoon-a --at K14 --facing NE --advice
  rulekit odds --speed 7 --faces 1/2/3/4 --reading reroll=one
  rulekit odds --dice 3,3,1 --free 6 --plot odds.svg
  rulekit odds --speed 7 -f csv -o odds.csv
  rulekit odds --game ps --at-least 8 --at-most 5     the dice of PS
"""


@click.command(epilog=EPILOG)
@click.option(
    "--game",
    type=click.Choice(["powerboats", "ps"]),
    default="powerboats",
    show_default=True,
    help="Boats, or the colour picks of the dice of PS.",
)
@click.option("--cars", type=click.IntRange(1, 3), metavar="N", help="PS: cars that are to move.  [default: 3]")
@click.option("--speed", type=int, metavar="N", help="All hands with this total and at most --dice-max dice.")
@click.option("--dice", metavar="DICE", help="One hand, such as 3,3,1, or none.")
@click.option(
    "--free",
    type=click.IntRange(0),
    metavar="N",
    help="Clear water: hexes in a row before the first obstacle, in the best of the three directions.",
)
@click.option(
    "--course", metavar="FILE", type=FILE, help="Take the clear water from a course: needs --at and --facing."
)
@click.option("--at", metavar="HEX", help="Where the boat stands on the course, such as K14.")
@click.option("--facing", metavar="FACING", help="Its facing: E, NE, NW, W, SW or SE.")
@click.option("--progress", type=int, metavar="N", help="Gates that it has passed on the course.  [default: 1]")
@click.option(
    "--advice",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Sort a course's choices by the expected turns of the best race: solved now, or by `solve --save FILE`.",
)
@click.option(
    "--damage", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Damage counters on the boat."
)
@click.option("--at-least", type=int, multiple=True, metavar="N", help="Also the chance of N or more.  Repeatable.")
@click.option("--at-most", type=int, multiple=True, metavar="N", help="Also the chance of N or less.  Repeatable.")
@click.option(
    "--faces", metavar="FACES", help="A die's faces, equally likely: 1 to 12 numbers up to 20.  [default: 1/2/3]"
)
@click.option("--change", metavar="N", help="Most dice added or removed a turn.  [default: 1]")
@click.option("--hands", is_flag=True, help="Table: only the line for each hand.")
@click.option("--all", "every", is_flag=True, help="Table: every choice, not only those worth looking at.")
@click.option("--plot", metavar="FILE", help="Draw the totals and the crash risk (.svg, .png, .pdf).")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:
    """What each dice choice does to a boat: the exact distribution of its total, crash, damage and sinking.

    A choice is which dice stay and how many are rolled (PB-15, PB-16). Without --free the table shows the crash chance
    by clear water. Tables print decimals; json and csv hold every choice with exact fractions.
    """
    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"])
    _check_detail(options, output.fmt)
    if options["game"] == "ps":
        from rulekit.cli.odds_ps import run

        run(options, output)
        return
    if options["cars"] is not None:
        raise BadInput("--cars is for --game ps")
    asked, damage = _readings(options), options["damage"]
    if options["advice"] is not None and options["course"] is None:
        raise BadInput("--advice depends on the course: add --course FILE --at HEX --facing FACING")
    place = _course_place(options, asked, output)
    free = place.free if place else options["free"]
    hands, readings = _hands(options["speed"], options["dice"], asked, saved=bool(options["advice"]))
    if readings != asked:
        output.note(f"note: {len(hands[0])} dice given, so dice-max is {readings.dice_max} here")
    if damage and free is None:
        output.note("note: --damage says something only together with --free or --course")
    found = [entry for hand in hands for entry in odds(hand, readings, free, damage)]
    found = place.risks(found) if place else found
    table = OddsTable(found, readings, free, damage, options["at_least"], options["at_most"],
                      _detail(options), place is not None and bool(place.waters.effects))  # fmt: skip
    if options["plot"]:
        _plot(Path(options["plot"]), table, output)
    result = _result(table, hands, output.fmt, began, _place(options))
    if place and options["advice"] is not None:
        from rulekit.cli.odds_advice import advise, with_advice

        advice = advise(place, hands, readings, options["advice"] or None, output)
        result = with_advice(result, table, advice)
    output.emit(result)


def _check_detail(options: dict[str, Any], fmt: str) -> None:
    """Raises BadInput for options of the table that contradict each other or would say nothing."""
    if options["hands"] and options["every"]:
        raise BadInput("--hands leaves the choices out, --all lists them all: give one of them")
    if options["hands"] and fmt == "table" and (options["at_least"] or options["at_most"]):
        raise BadInput("--at-least and --at-most are columns of the choices, which --hands leaves out: drop --hands")


def _detail(options: dict[str, Any]) -> str:
    return "hands" if options["hands"] else "all" if options["every"] else "worth"


def _readings(options: dict[str, Any]) -> PowerboatsReadings:
    dials = [f"{name}={options[name]}" for name in ("faces", "change") if options[name] is not None]
    return powerboats_readings(options["reading"], options["dice_max"], *dials)


def _course_place(options: dict[str, Any], readings: PowerboatsReadings, output: Output) -> "Place | None":
    """Where the boat stands on a course; None without one."""
    if options["course"] is None:
        if any(options[name] is not None for name in ("at", "facing", "progress")):
            raise BadInput("--at, --facing and --progress say where a boat stands on a course: add --course FILE")
        return None
    if options["free"] is not None:
        raise BadInput("--free and --course both say how much water is clear: leave one out")
    if options["at"] is None or options["facing"] is None:
        raise BadInput("--course needs --at HEX and --facing FACING")
    from rulekit.cli.odds_course import place_on

    return place_on(options, readings, output)


def _place(options: dict[str, Any]) -> dict[str, Any]:
    """Where the boat stands, for the result; nothing without a course."""
    if options["course"] is None:
        return {}
    progress = 1 if options["progress"] is None else options["progress"]
    return {"at": options["at"].strip().upper(), "facing": options["facing"].strip().upper(), "progress": progress}


def _hands(
    speed: int | None, dice: str | None, readings: PowerboatsReadings, *, saved: bool
) -> tuple[tuple[Hand, ...], PowerboatsReadings]:
    """The hands asked for; one named by its dice may raise the limit of dice.

    With a saved race, solved under its limit, a hand just as large leaves that limit alone.
    """
    if (speed is None) == (dice is None):
        raise BadInput("say which dice: either --speed 7 or --dice 3,3,1 (--dice none: a boat without dice)")
    if speed is not None:
        return hands_at(speed, readings), readings
    hand = parse_dice(dice or "")
    check_hand(hand, readings)
    if readings.dice_max is not None and len(hand) >= readings.dice_max + saved:
        readings = replace(readings, dice_max=len(hand) + 1)
    return (hand,), readings


def _result(table: OddsTable, hands: tuple[Hand, ...], fmt: str, began: float, place: dict[str, Any]) -> Result:
    """The table prints from the odds themselves; only the other forms need the rows written out."""
    written = () if fmt == "table" else table.odds
    most = max(entry.totals.last for entry in table.odds)
    known = RISKS if table.free is not None else ["crash_by_free"]
    asked = [name for name in ("at_least", "at_most") if getattr(table, name)]
    return Result(
        "odds",
        [record(entry, most, table.at_least, table.at_most) for entry in written],
        table.readings.answers(),
        more={"speed": sum(hands[0]), "hands": hands, "free": table.free, "damage": table.damage, **place},
        timing={"seconds": perf_counter() - began},
        table=lambda: str(table),
        columns=[*COLUMNS, *known[:4], *asked, "totals", *known[4:]],
    )


def _plot(path: Path, table: OddsTable, output: Output) -> None:
    from rulekit.cli.odds_picture import MOST_HANDS, picture

    if len(table.by_hand) > MOST_HANDS:
        output.note(f"note: the picture shows the first {MOST_HANDS} of {len(table.by_hand)} hands: --dice draws one")
    output.write(path, picture(path, table))
