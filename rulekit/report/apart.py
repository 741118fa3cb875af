"""A metric that is worked out in a process of its own, while this one goes on: it plays by the rules, on one core."""

from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from signal import SIG_IGN, SIGINT, signal
from time import perf_counter

from rulekit.errors import BadInput
from rulekit.simulate.bulk import Contest
from rulekit.study.evidence import Evidence
from rulekit.study.figure import Figure
from rulekit.study.metrics import METRICS

SLOW = ("skill-ladder",)
"""Metrics that take long and share nothing with the others but the solved course."""

Outcome = tuple[Sequence[Figure], str, float]
"""Figures, why there are none, seconds."""


class Apart:
    """A metric of races under way."""

    def __init__(self, contest: Contest, races: int, name: str) -> None:
        context = get_context("spawn")
        self.here, there = context.Pipe(duplex=False)
        # A daemon goes when this process goes, whyever that is.
        self.process = context.Process(target=work_out, args=(there, contest, races, name), daemon=True)
        self.process.start()
        there.close()

    def outcome(self) -> Outcome | None:
        """What came of it, once it is done; None where the process was lost."""
        try:
            found: Outcome = self.here.recv()
        except EOFError:
            return None
        self.process.join()
        return found


def work_out(there: Connection, contest: Contest, races: int, name: str) -> None:
    """Works a metric out and sends it."""
    signal(SIGINT, SIG_IGN)
    there.send(outcome_of(Evidence(contest, races), name))
    there.close()


def outcome_of(evidence: Evidence, name: str) -> Outcome:
    """A metric's figures, or why there are none, and the time that it took."""
    began = perf_counter()
    try:
        figures, missing = tuple(METRICS[name].compute(evidence)), ""
    except BadInput as fault:
        figures, missing = (), str(fault)
    return figures, missing, perf_counter() - began
