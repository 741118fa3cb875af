"""Numbers of ways to play from named positions: cases/perft.txt, where each count's origin is told."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from made_up_tiles import OPEN, SIDES, boat, sea
from second_move import sea_of, second_perft

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import perft
from rulekit.powerboats.waters import Waters

FILE = Path(__file__).parent / "cases" / "perft.txt"
KEYS = {"course", "tiles", "land", "readings", "boat", "finish", "perft", "origin"}


class Entry(NamedTuple):
    """A named position and what its line `perft` says."""

    name: str
    waters: Waters
    boat: Boat
    counts: tuple[int, ...]


def entries() -> list[Entry]:
    """All entries of the file."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found: list[tuple[str, dict[str, str]]] = []
    for line in lines:
        if line.startswith("["):
            found.append((line.strip("[]"), {}))
        else:
            key, _, value = line.partition(" = ")
            assert key in KEYS, line
            found[-1][1][key] = value
    return [entry(name, told) for name, told in found]


def entry(name: str, told: dict[str, str]) -> Entry:
    assert {"course", "boat", "perft", "origin"} <= set(told), name
    course = OPEN if told["course"] == "open" else settle(read_course(read_source(told["course"])).course)
    if "finish" in told:
        course = replace(course, finish=SIDES[told["finish"]])
    tiles = filter(None, told.get("tiles", "").split("; "))
    waters = sea(*tiles, land=told.get("land", ""), readings=told.get("readings", ""), course=course)
    words = told["boat"].split()
    more = {word: int(number) for word, number in zip(words[3::2], words[4::2], strict=True)}
    return Entry(name, waters, boat(" ".join(words[:3]), **more), tuple(map(int, told["perft"].split())))


ENTRIES = entries()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_engine_counts_what_the_file_says(entry: Entry) -> None:
    counts = tuple(perft(entry.waters, entry.boat, depth) for depth in range(1, len(entry.counts) + 1))
    assert counts == entry.counts


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_second_way_counts_the_same(entry: Entry) -> None:
    plain = sea_of(entry.waters.course, entry.waters.readings)
    counts = tuple(second_perft(plain, entry.boat, depth) for depth in range(1, len(entry.counts) + 1))
    assert counts == entry.counts


def test_names_are_told_once() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
