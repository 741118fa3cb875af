"""The solved solo race as other commands than `solve` ask for it: a best start, a policy, a solution."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from rulekit.cli.output import Output
from rulekit.cli.progress import Progress
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.waters import Waters
from rulekit.solve.best import best_race, check_size, own_or_legal_starts
from rulekit.solve.bounds import SINK_COST, Solution, solve
from rulekit.solve.first_run import compile_seconds
from rulekit.solve.named import policy_named
from rulekit.solve.policy import Policy
from rulekit.solve.saved import read_saved
from rulekit.solve.tables import Numbered


def numbered_waters(waters: Waters) -> Numbered:
    """The course as arrays; raises BadInput where it is too large."""
    check_size(waters)
    return Numbered(waters)


def best_start(numbered: Numbered, damage: int, output: Output) -> Boat:
    """The legal start with the least expected cost."""
    with begun(output, "looking for the best start") as progress:
        boats = own_or_legal_starts(numbered, [], damage)
        return best_race(numbered, boats, report=progress.report).start.boat


def policy_by_name(numbered: Numbered, name: str, output: Output) -> Policy:
    """A policy by its name, or from a file that `solve --save` wrote; raises BadInput and Unreadable."""
    if name.endswith(".npz"):
        return read_saved(Path(name), numbered).policy
    make = policy_named(name)
    with begun(output, f"policy {name}"):
        return make(numbered, SINK_COST)


def solution_of(numbered: Numbered, file: str | None, output: Output) -> Solution:
    """The values of the best race: from a file that `solve --save` wrote, or solved now."""
    if file is not None:
        return read_saved(Path(file), numbered).solution
    with begun(output, "solving the race") as progress:
        return solve(numbered.race, report=progress.report)


def begun(output: Output, stage: str, kernel: str = "sweeps.sweep") -> Progress:
    """What says that a piece of work has begun, and that it waits for the kernel to be compiled where it does."""
    progress = Progress(output)
    progress.warm_up(compile_seconds(kernel))
    progress.begin(stage)
    return progress


class Steps(AbstractContextManager["Steps"]):
    """A counter of steps on the terminal."""

    def __init__(self, output: Output, what: str) -> None:
        self.progress, self.what = begun(output, what, "reach._step_back"), what

    def __exit__(self, *_: object) -> None:
        self.progress.__exit__()

    @property
    def report(self) -> Callable[[int, int], None]:
        """To be called with the steps done and their number."""
        return self._report

    def _report(self, done: int, steps: int) -> None:
        self.progress.warm_up(0)
        self.progress.begin(f"{self.what}: {done} of {steps}")
