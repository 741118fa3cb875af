"""Faults: what is wrong with an input, said so that a person can mend it.

A `Fault` is one finding with its place; a `RulekitError` carries what stops a command and the exit code it ends with.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning"]


MOST_TOLD = 600
"""Characters of one message that are printed."""

HARMLESS = frozenset("LMNPS") | {"Zs"}
"""Unicode's kinds of characters that a terminal shows as they are; all others command it or show nothing."""


UNUSUAL = re.compile(r"[^ -~]")


def visible(text: str, keep: str = "\n") -> str:
    """A text that may be printed anywhere: what would command a terminal, or hide, becomes its escape as in JSON.

    >>> print(visible("a\\x1b[31m\\u202eb\\nc", keep=""))
    a\\u001b[31m\\u202eb\\nc
    """
    return UNUSUAL.sub(
        lambda found: found[0] if found[0] in keep or _is_harmless(found[0]) else _escape(found[0]), text
    )


def _escape(char: str) -> str:
    return json.dumps(char)[1:-1]


def _is_harmless(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind in HARMLESS or kind[0] in HARMLESS


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, its middle left out where it is longer.

    >>> shortened("a very long name of a lake", 12)
    'a ver … lake'
    """
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 3].rstrip()} … {text[-tail:].lstrip()}"


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
        message = shortened(self.message, MOST_TOLD)
        return visible(f"{place}{': ' if place else ''}{self.severity}: {message}{rule} [{self.code}]", keep="")


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
