"""Options that mean the same in every command, as decorators."""

import os
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import click

from rulekit import __version__
from rulekit.errors import BadInput
from rulekit.powerboats.dice import Hand, as_hand
from rulekit.readings import MOST_DICE, PowerboatsReadings, PsReadings

P = ParamSpec("P")
R = TypeVar("R")
Decorator = Callable[[Callable[..., R]], Callable[..., R]]

FORMATS = ("table", "json", "csv", "markdown")


def _apply(*decorators: Callable[[Any], Any]) -> Decorator[Any]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def _set_color(ctx: click.Context, _param: click.Parameter, color: bool | None) -> bool | None:
    """click strips colours where no terminal reads them; the option and NO_COLOR overrule that."""
    ctx.color = False if color is None and os.environ.get("NO_COLOR") else color
    return color


frame_options = _apply(
    click.option("--overwrite", is_flag=True, help="Let output files replace existing ones."),
    click.option("-q", "--quiet", is_flag=True, help="No notes and warnings on stderr."),
    click.option("-v", "--verbose", is_flag=True, help="More detail: all readings, timings."),
    click.option("--color/--no-color", default=None, is_eager=True, expose_value=False, callback=_set_color,
                 help="Colours, by default only on a terminal (NO_COLOR is honoured)."),
    click.version_option(__version__, prog_name="rulekit", message="%(prog)s %(version)s"),
)  # fmt: skip
"""--overwrite -q -v --color --version, for a command whose result is no table: it takes overwrite, quiet, verbose."""

output_options = _apply(
    click.option("-f", "--format", "fmt", type=click.Choice(FORMATS), default="table", show_default=True,
                 help="Form of the result."),
    click.option("-o", "--output", metavar="FILE", default="-", help="Write the result to FILE (- is stdout)."),
    frame_options,
)  # fmt: skip
"""-f -o --overwrite -q -v --color --version: the function takes fmt, output, overwrite, quiet, verbose of `Output`."""

seed_option = click.option("--seed", type=click.IntRange(0), help="Seed of the random numbers; always echoed.")
jobs_option = click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
                           help="Number of worker processes.")  # fmt: skip


def _dice_max(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    if text is not None and text != "none" and not (text.isdigit() and 1 <= int(text) <= MOST_DICE):
        raise click.BadParameter(f"a whole number from 1 to {MOST_DICE}, or none, not '{text}'")
    return text


readings_options = _apply(
    click.option("--reading", "reading", multiple=True, metavar="NAME=ANSWER",
                 help="Answer an open question of the rules or set a dial, such as reroll=one (`rulekit rules` "
                      "lists them). Repeatable."),
    click.option("--dice-max", callback=_dice_max, metavar="N",
                 help="Most dice of a boat, or none.  [default: 6]"),
)  # fmt: skip
"""--reading and --dice-max: the function takes reading and dice_max; `powerboats_readings` makes them one value."""


def powerboats_readings(reading: tuple[str, ...], dice_max: str | None, *more: str) -> PowerboatsReadings:
    """The readings that the options ask for; `more` are further name=answer texts of a command's own dials.

    Raises BadInput for an unknown name or answer, and where an option contradicts a --reading.
    """
    own = [*([f"dice-max={dice_max}"] if dice_max is not None else []), *more]
    for told in own:
        dial = told.partition("=")[0]
        twice = next((other for other in reading if other.partition("=")[0].strip() == dial), None)
        if twice and twice.replace(" ", "") != told:
            raise BadInput(f"--reading {twice} and --{told.replace('=', ' ')} contradict each other: give one of them")
    return PowerboatsReadings.parse([*reading, *own])


def ps_readings(reading: tuple[str, ...], dice_max: str | None = None) -> PsReadings:
    """The readings of PS that the options ask for; raises BadInput for an unknown one, and for --dice-max."""
    if dice_max is not None:
        raise BadInput("--dice-max speaks of boats: this is a track")
    return PsReadings.parse(reading)


def need_dice_limit(readings: PowerboatsReadings, command: str) -> None:
    """Raises BadInput where a command that needs a limit on the dice was given none."""
    if readings.dice_max is None:
        raise BadInput(f"`{command}` needs a limit on a boat's dice: --dice-max N")


def parse_dice(text: str) -> Hand:
    """Dice as people write them: 3,3,1 or 3 3 1 in any order, or none. Raises BadInput for anything else.

    >>> parse_dice("1, 3 3")
    (3, 3, 1)
    """
    parts = [] if text.strip() == "none" else re.split(r"\s*,\s*|\s+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,3}", part) for part in parts):
        raise BadInput(f"--dice wants faces such as 3,3,1, or none, not '{text}'")
    return as_hand(map(int, parts))
