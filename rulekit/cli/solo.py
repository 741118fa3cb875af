"""The solved solo race as commands ask for it: with words of progress on a terminal."""

import sys
from collections.abc import Callable
from dataclasses import replace

import click

from rulekit.cli.output import Output
from rulekit.errors import BadInput
from rulekit.powerboats.boat import Boat
from rulekit.solve.bounds import Solution, solve
from rulekit.solve.policy import Policy
from rulekit.solve.tables import Numbered


def counter(output: Output, what: str) -> Callable[[int, int], None] | None:
    """A counter of steps on stderr, on a terminal only."""
    if output.quiet or not sys.stderr.isatty():
        return None

    def told(done: int, steps: int) -> None:
        click.echo(f"\r{what}: step {done} of {steps}" + ("\n" if done == steps else ""), nl=False, err=True)

    return told


def solved(numbered: Numbered, output: Output) -> Solution:
    """The optimum of the race; says on a terminal that it takes a while."""
    if not output.quiet and sys.stderr.isatty():
        click.echo("solving the race …", err=True)
    return solve(numbered.race)


def best_start(numbered: Numbered, damage: int, output: Output) -> Boat:
    """The legal start with the least expected cost."""
    solution = solved(numbered, output)
    starts = [replace(boat, damage=damage) for boat in numbered.starts]
    return min(starts, key=lambda boat: solution.value(*numbered.state(boat)))


def named_policy(numbered: Numbered, name: str, output: Output) -> Policy:
    """A policy by its name, or from a file that `solve` saved."""
    raise BadInput(f"there is no policy '{name}'")
