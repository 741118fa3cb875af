"""Every metric worked out for a report, taken from the dictionary of metrics as they come."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from rulekit.errors import BadInput
from rulekit.report.apart import Apart
from rulekit.report.forms import figure_row, interval, written
from rulekit.report.parts import Method, Row
from rulekit.study.figure import Figure
from rulekit.study.metric import Metric

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """A metric with its figures; `missing` tells why there are none."""

    metric: Metric
    figures: Sequence[Figure]
    missing: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def rows(self) -> list[Row]:
        """A row for each figure."""
        return [figure_row(self.metric, figure) for figure in self.figures]

    @property
    def known(self) -> list[Figure]:
        """The figures that have a value."""
        return [figure for figure in self.figures if figure.value is not None]

    def told(self, value: float) -> str:
        """A value in the metric's unit."""
        return written(self.metric.unit, value)

    def between(self, figure: Figure) -> str:
        """A figure's interval in words."""
        return interval(self.metric.unit, figure)


def measure(
    evidence: object, metrics: Mapping[str, Metric], kinds: Iterable[str], tell: Tell = lambda _: None,
    apart: Mapping[str, Apart] | None = None,
) -> list[Measured]:  # fmt: skip
    """All metrics that are told of these kinds of things, by their numbers; those `apart` are waited for at the end."""
    wanted = sorted((one for one in metrics.values() if one.of in set(kinds)), key=lambda one: one.number)
    here = {one.name: _measured(one, evidence, tell) for one in wanted if one.name not in (apart or {})}
    for name, other in (apart or {}).items():
        tell(metrics[name].title)
        found = other.outcome()
        here[name] = Measured(metrics[name], *found) if found else _measured(metrics[name], evidence, tell)
    return [here[metric.name] for metric in wanted]


def _measured(metric: Metric, evidence: object, tell: Tell) -> Measured:
    tell(metric.title)
    began = perf_counter()
    try:
        figures, missing = tuple(metric.compute(evidence)), ""
    except BadInput as fault:
        figures, missing = (), str(fault)
    return Measured(metric, figures, missing, perf_counter() - began)


def method_of(measured: Measured) -> Method:
    """How a metric is to be read."""
    metric = measured.metric
    missing = f" Not told here: {measured.missing}." if measured.missing else ""
    return Method(metric.title, f"{metric.sentence}{missing}", metric.good, metric.number)
