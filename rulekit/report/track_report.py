"""The report of a track, put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from rulekit.files.track import TrackFile
from rulekit.readings import PsReadings
from rulekit.report.measured import Measured, method_of
from rulekit.report.parts import Method, Origin, Report
from rulekit.report.sections import metric_sections
from rulekit.report.track import Circuit, sections_of
from rulekit.report.track_words import KnownTrack, advice, statements, summary
from rulekit.solve.laps import solve_laps

Tell = Callable[[str], None]

METHODS = (
    Method("Flying", "The exact chance, on the empty track, that a die of a colour leaves no way but flying.",
           "some: a limit that never costs anything does nothing"),
    Method("Turns left", "Expected turns to the end of the lap for a car alone that picks its dice as well as can be."),
    Method("Earned marks", "What the geometry of a curve earns at each space, by the rules of triangle, sigma and mu.",
           "printed marks are the earned ones"),
)  # fmt: skip


@dataclass(frozen=True)
class TrackWork:
    """What the report of a track rests on and who is told what is being done."""

    file: TrackFile
    readings: PsReadings
    origin: Origin
    races: Callable[[Tell], Sequence[Measured]]
    """Makes the metrics of races of cars."""

    played: str
    """How many races of how many cars, in words."""

    tell: Tell = lambda _: None


def track_report(work: TrackWork) -> Report:
    """The report of a track."""
    began = perf_counter()
    work.tell("solving the laps")
    circuit = Circuit(work.file, work.readings, solve_laps(work.file.track, work.readings))
    timing = {"solving": perf_counter() - began}
    work.tell("judging the curves")
    sections = list(sections_of(circuit))
    timing["curves"] = perf_counter() - began - timing["solving"]
    measured = work.races(work.tell)
    timing |= {one.metric.name: one.seconds for one in measured}
    known = KnownTrack(circuit, {one.metric.name: one for one in measured})
    return Report(
        "track", work.file.track.name, f"Its limits and marks, the fastest laps of one car (exact){work.played}.",
        list(summary(known)), list(statements(known)), list(advice(known)),
        [*sections, *metric_sections(measured)], [*METHODS, *map(method_of, measured)], work.origin, timing,
    )  # fmt: skip
