"""What commands say on a terminal while they solve a race."""

import io
import sys
from collections.abc import Callable

import pytest
from test_tables import numbered
from test_tables import pond as small_pond

from rulekit.cli import solo
from rulekit.cli.output import Output
from rulekit.solve.first_run import compile_seconds
from rulekit.solve.reach import fewest_turns, reach
from rulekit.solve.tables import Numbered

REMARK = "(compiling, first run only: about 30 s)"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def pond() -> Numbered:
    return numbered(small_pond(), "dice-max=1")


@pytest.mark.parametrize(
    "work",
    [
        lambda pond, output: solo.best_start(pond, 0, output),
        lambda pond, output: solo.solution_of(pond, None, output),
        lambda pond, output: solo.policy_by_name(pond, "cautious", output),
        lambda _pond, output: solo.Steps(output, "turns"),
    ],
)
def test_the_first_run_is_announced_on_a_terminal_only(
    work: Callable[[Numbered, Output], object], pond: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solo, "compile_seconds", lambda _kernel: 30)
    for stream, quiet in ((Terminal(), False), (Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        work(pond, Output(quiet=quiet))
        assert (REMARK in stream.getvalue()) == (stream.isatty() and not quiet)


def test_steps_drop_the_remark_once_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "compile_seconds", lambda _kernel: 30)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with solo.Steps(Output(), "turns") as steps:
        steps.report(1, 3)
        assert terminal.getvalue().endswith("turns: 1 of 3")


def test_kernels_of_reach_are_recognised_once_compiled(pond: Numbered) -> None:
    start = pond.state(pond.starts[0])
    reach(pond.race, start, 2)
    fewest_turns(pond.race, start, safe=False)
    assert compile_seconds("reach._step_back") == compile_seconds("spread._spread_level") == 0
    assert compile_seconds("reach.no_such_kernel") > 0
