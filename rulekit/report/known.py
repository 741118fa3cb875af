"""What the words of a report are made from: figures by the names of their metrics, and the courses' solutions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulekit.report.measured import Measured
from rulekit.study.evidence import Evidence, SolvedCourse
from rulekit.study.figure import Figure


@dataclass(frozen=True)
class Known:
    """What the words are made from: metrics by name, the races, the courses' exact solutions."""

    measured: Mapping[str, Measured]
    evidence: Evidence
    solved: Sequence[SolvedCourse]

    def figures(self, name: str) -> Sequence[Figure]:
        """The figures of a metric that have a value; none where it is not known."""
        return self.measured[name].known if name in self.measured else ()

    def figure(self, name: str, label: str = "") -> Figure | None:
        """The first figure of a metric whose label ends so; None where there is none."""
        return next((one for one in self.figures(name) if one.label.endswith(label)), None)

    def value(self, name: str, label: str = "") -> float | None:
        """The value of that figure."""
        found = self.figure(name, label)
        return found.value if found else None
