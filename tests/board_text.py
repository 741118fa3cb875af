"""Boards as text, and files made by editing good ones, for tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.errors import Fault, FileFaults, errors_in
from rulekit.files.source import Source
from rulekit.hexgrid import FACING_DIGIT, Hex, to_offset
from rulekit.powerboats.lake import Lake, Spot

CASES = Path(__file__).parent / "cases"


def board_text(lake: Lake) -> str:
    """The picture of a lake whose first hex is A1."""
    spots = {spot.at: spot for spot in lake.spots}
    rows: dict[int, list[str]] = {}
    for at in lake.hexes:
        rows.setdefault(to_offset(at)[1], []).append(_cell(lake, at, spots.get(at)))
    return "\n".join((" " * (row % 2) + "".join(cells)).rstrip() for row, cells in sorted(rows.items()))


def _cell(lake: Lake, at: Hex, spot: Spot | None) -> str:
    if spot is None:
        return "# " if at in lake.land else ". "
    return (spot.letter if at in lake.land else spot.letter.lower()) + FACING_DIGIT[spot.side]


def case_text(name: str) -> str:
    """The text of a case file."""
    return (CASES / name).read_text(encoding="utf-8")


def edited(text: str, old: str, new: str) -> str:
    """A text with the one place of `old` replaced."""
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new)


def source_of(text: str, path: str = "x.toml", folder: Path = CASES) -> Source:
    """A text as if it had been read from a file."""
    return Source(path, text, folder)


def faults_of(read: Callable[[Source], object], text: str, folder: Path = CASES) -> list[Fault]:
    """The errors with which a reader refuses a text; a good text fails the test."""
    with pytest.raises(FileFaults) as raised:
        read(source_of(text, folder=folder))
    assert raised.value.exit_code == 2
    return errors_in(raised.value.faults)


def told(fault: Fault) -> tuple[str, int | None, int | None]:
    """A fault's code, line and column."""
    return fault.code, fault.line, fault.column
