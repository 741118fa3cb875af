"""Faults: what is wrong with an input, said so that a person can mend it.

A `Fault` is one finding with its place; a `RulekitError` carries what stops a command and the exit code it ends with.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding about an input: severity, stable code, rule id where there is one, place (line, column from 1)."""

    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    rule: str | None = None

    def __str__(self) -> str:
        """The text form.

        >>> print(Fault("error", "off-board", "Z9 is not on the lake", "a.toml", 3, 7, "PB-3"))
        a.toml:3:7: error: Z9 is not on the lake (PB-3) [off-board]
        """
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        rule = f" ({self.rule})" if self.rule else ""
        return f"{place}{': ' if place else ''}{self.severity}: {self.message}{rule} [{self.code}]"


class RulekitError(Exception):
    """Base of everything that rulekit raises on purpose; `exit_code` is what a command ends with."""

    exit_code = 2


class BadInput(RulekitError):
    """Options or values that make no sense together: the message says what to change."""


class Unreadable(RulekitError):
    """A file that cannot be read at all: missing, a folder, binary, too large."""


class FileFaults(RulekitError):
    """A file was read and is faulty: `faults` holds all findings of the stage at which reading stopped."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class FileExists(RulekitError):
    """An output file stands there already and may not be replaced."""


def errors_in(faults: Iterable[Fault]) -> list[Fault]:
    """The findings that are errors, warnings left out."""
    return [fault for fault in faults if fault.severity == "error"]


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """The near miss as the tail of a message, or nothing; upper and lower case are alike.

    >>> did_you_mean("lefft", ["left", "right"])
    " (did you mean 'left'?)"
    >>> did_you_mean("up", ["left", "right"]), did_you_mean("SSW", ["SE", "SW"])
    ('', " (did you mean 'SW'?)")
    """
    by_lower = {option.lower(): option for option in reversed(list(options))}
    near = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f" (did you mean '{by_lower[near[0]]}'?)" if near else ""


def one_of(options: Iterable[str]) -> str:
    """A list of answers for a message.

    >>> one_of(["any", "one"])
    "'any' or 'one'"
    """
    words = [f"'{option}'" for option in options]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
