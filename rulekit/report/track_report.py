"""The report of a track, put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from rulekit.files.track import TrackFile
from rulekit.readings import PsReadings
from rulekit.report.forms import whole
from rulekit.report.measured import Measured, measure, method_of
from rulekit.report.parts import Method, Origin, Report
from rulekit.report.sections import metric_sections
from rulekit.report.track import Circuit, sections_of
from rulekit.report.track_words import KnownTrack, advice, statements, summary
from rulekit.solve.laps import solve_laps
from rulekit.study.car_evidence import CarEvidence
from rulekit.study.metric import TRACK
from rulekit.study.metrics import METRICS

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
    evidence: CarEvidence | None
    """Races of cars; None where none can be held."""

    origin: Origin
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
    measured = _raced(work, timing)
    timing |= {one.metric.name: one.seconds for one in measured}
    known = KnownTrack(circuit, {one.metric.name: one for one in measured})
    return Report(
        "track", work.file.track.name, _subtitle(work.evidence),
        list(summary(known)), list(statements(known)), list(advice(known)),
        [*sections, *metric_sections(measured)], [*METHODS, *map(method_of, measured)], work.origin, timing,
    )  # fmt: skip


def _raced(work: TrackWork, timing: dict[str, float]) -> Sequence[Measured]:
    """The metrics of the races of cars, if any were held."""
    if work.evidence is None:
        return ()
    work.tell("racing")
    began = perf_counter()
    _ = work.evidence.record
    timing["racing"] = perf_counter() - began
    return measure(work.evidence, METRICS, (TRACK,), work.tell)


def _subtitle(evidence: CarEvidence | None) -> str:
    if evidence is None:
        return "Its limits and marks, and the fastest laps of one car (exact)."
    players = evidence.contest.seats
    who = ", ".join(dict.fromkeys(evidence.contest.policies))
    return (
        f"Its limits and marks, the fastest laps of one car (exact), and {whole(evidence.races)} races of {players} "
        f"players ({who}) with three cars each."
    )
