"""Places in a file, and the findings that a reader collects before it stops."""

from dataclasses import dataclass, field
from typing import NamedTuple

from rulekit.errors import Fault, FileFaults, Severity, errors_in


class Place(NamedTuple):
    """A place in a file: line and column, both from 1."""

    line: int
    column: int


@dataclass
class Findings:
    """What a reader has found so far in one file."""

    path: str
    faults: list[Fault] = field(default_factory=list)

    def error(self, code: str, message: str, place: Place | None, rule: str | None = None) -> None:
        """Note an error."""
        self._note("error", code, message, place, rule)

    def warn(self, code: str, message: str, place: Place | None, rule: str | None = None) -> None:
        """Note a warning."""
        self._note("warning", code, message, place, rule)

    def _note(self, severity: Severity, code: str, message: str, place: Place | None, rule: str | None) -> None:
        line, column = place or (None, None)
        self.faults.append(Fault(severity, code, message, self.path, line, column, rule))

    def failure(self, code: str, message: str, place: Place | None) -> FileFaults:
        """Note an error that ends the reading at once: what to raise, with everything found."""
        self.error(code, message, place)
        return FileFaults(self.in_order())

    def in_order(self) -> list[Fault]:
        """What was found, in the order of the file."""
        return sorted(self.faults, key=lambda fault: (fault.line or 0, fault.column or 0))

    def stop(self) -> None:
        """End of a stage: raises FileFaults with everything found where one is an error."""
        if errors_in(self.faults):
            raise FileFaults(self.in_order())
