"""Plans of sweeps: which courses under which settings, and what is to be found out of each.

```toml
format = "rulekit/sweep-1"
name = "Lagoon, sampled"
lakes = ["lagoon"]                # shipped names, or paths as in a course
layouts = "shuffled"              # "own" unless told; or layouts: [["1 2 3", "4 5r 6*"], …]
sides = "any"                     # of shuffled tiles: "any", "dark" or "light"
letters = ["A", "B", "C"]         # all three unless told; buoys stand in every order on the letter's spots
readings = ["", "sink-at=3"]      # one text a variant, as --reading takes them; the rules' defaults unless told
dice-max = 4                      # of all variants; 4 unless told
sample = 20000                    # so many cells, drawn by lot; without it all are swept
seed = 1                          # of the lot and of races
figures = ["route", "race"]       # also "fewest" and "risk"; all four unless told
sink-cost = 50                    # as in `solve`
slack = 8                         # how far from a shortest way the best race may go, in steps
tolerance = 0.01                  # of the values, in turns
races = 200                       # of every line-up: played, unless 0
policies = ["solo,solo,greedy"]   # line-ups, as --policy of `simulate` takes them
```

A cell is one choice of each: lake, layout, letter, order of the buoys, readings, line-up.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulekit.errors import BadInput, FileFaults, Unreadable, did_you_mean
from rulekit.files.findings import Findings, Place
from rulekit.files.lake import LakeFile, read_lake
from rulekit.files.reference import LakeReferenceFault, lake_source
from rulekit.files.schema import FORMATS, Table
from rulekit.files.source import Source
from rulekit.files.toml import parse
from rulekit.powerboats.box import Layout, parse_layout
from rulekit.readings import MOST_DICE, PowerboatsReadings

FORMAT = "rulekit/sweep-1"
KEYS = (
    "format", "name", "lakes", "layouts", "sides", "letters", "readings", "dice-max", "sample", "seed", "figures",
    "sink-cost", "slack", "tolerance", "races", "policies",
)  # fmt: skip
FIGURES = {name: name for name in ("route", "race", "risk", "fewest")}
"""Groups of figures, from the cheapest to the dearest: steps; values of the starts; crashes; the fewest turns."""

SIDES = {side: side for side in ("any", "dark", "light")}
LETTERS = {letter: letter for letter in "ABC"}
LAYOUTS = {"own": "own", "shuffled": "shuffled"}
DICE_MAX, SLACK, TOLERANCE, SINK_COST = 4, 8, 0.01, 50.0
MOST_CELLS = 5_000_000
"""A plan of more cells needs a sample."""


@dataclass(frozen=True)
class Plan:
    """What a plan says. `layouts` are None where each lake lies as its file says or tiles are `shuffled`."""

    name: str
    source: Source
    lakes: tuple[LakeFile, ...]
    layouts: tuple[Layout, ...] | None
    shuffled: bool
    sides: str
    letters: tuple[str, ...]
    readings: tuple[PowerboatsReadings, ...]
    policies: tuple[str, ...]
    races: int
    figures: tuple[str, ...]
    sample: int | None
    seed: int
    sink_cost: float
    slack: int
    tolerance: float


def read_plan(source: Source) -> Plan:
    """The plan of a file; raises FileFaults with all errors of the stage at which reading stopped."""
    findings = Findings(source.path)
    document = parse(source, findings)
    value, place = document.values.get("format"), document.entry(("format",)).value
    if value != FORMAT:
        raise findings.failure("format", _format_message(value), place)
    return _PlanReader(Table(document, findings, (), KEYS), findings).read()


def _format_message(value: Any) -> str:
    if value is None:
        return f'the first key must tell the format: format = "{FORMAT}"'
    kind = next((kind for kind, name in FORMATS.items() if name == value), None)
    if kind:
        return f"this is a {kind}, where a plan of a sweep is needed"
    told = repr(value) if isinstance(value, str) else str(value).lower()
    if isinstance(value, str) and (match := re.fullmatch(r"rulekit/sweep-(.+)", value)):
        return f"this rulekit reads version 1 of the sweep format, not version {match[1]}"
    near = did_you_mean(value, [FORMAT]) if isinstance(value, str) else ""
    return f"'format' must be '{FORMAT}', not {told[:60]}{near}"


class _PlanReader:
    """Reads one plan in two stages: its own keys, then its lakes and what it says about them."""

    def __init__(self, top: Table, findings: Findings) -> None:
        self.top, self.findings = top, findings

    def read(self) -> Plan:
        top = self.top
        top.require("name", "lakes")
        name, names = top.text("name"), self.texts("lakes")
        shuffled, layouts = self.layouts()
        sides = top.choice("sides", SIDES)
        if sides and not shuffled:
            top.error("sides", "'sides' tells which side of shuffled tiles is up: add layouts = \"shuffled\"", "sides")
        letters = self.words("letters", LETTERS)
        figures = self.words("figures", FIGURES)
        readings = self.readings()
        sample = top.integer("sample", 1, MOST_CELLS)
        seed, slack = top.integer("seed", 0, 2**63 - 1), top.integer("slack", 0, 10_000)
        sink_cost, tolerance = self.number("sink-cost", 0.0, 1e6), self.number("tolerance", 1e-6, 10.0)
        races, policies = self.races()
        self.findings.stop()
        lakes = self.lakes(names)
        self.findings.stop()
        self.fitting(lakes, shuffled, layouts)
        self.findings.stop()
        return Plan(
            str(name), top.document.source, lakes, layouts, shuffled, sides or "any", letters, readings, policies,
            races, figures, sample, seed or 0, SINK_COST if sink_cost is None else sink_cost,
            SLACK if slack is None else slack, tolerance or TOLERANCE,
        )  # fmt: skip

    def texts(self, key: str, empty: bool = False) -> list[str]:
        """A list of texts, each once; faults are noted."""
        found: list[str] = []
        for index, value in enumerate(self.entries(key)):
            place = self.top.entry(key, index).value
            if not isinstance(value, str) or not (value.strip() or empty) or not (value.isprintable() or not value):
                self.findings.error("value", f"'{key}' wants texts in quotes, on one line", place)
            elif value in found:
                self.findings.error("twice", f"{value!r} stands in '{key}' already", place)
            else:
                found.append(value)
        return found

    def entries(self, key: str) -> Sequence[Any]:
        """A list that is not empty; nothing where it is missing or noted."""
        values = self.top.typed(key, list)
        if values is not None and not values:
            self.top.error("empty", f"'{key}' is empty: there is nothing to sweep", key)
        return values or []

    def words(self, key: str, known: Mapping[str, str]) -> tuple[str, ...]:
        """Words out of a few, all of them where the key is missing."""
        if key not in self.top:
            return tuple(known)
        told = self.texts(key)
        for word in told:
            index = self.top.values[key].index(word)
            self.top.option(word, known, self.top.entry(key, index).value, key)
        return tuple(word for word in known if word in told)

    def number(self, key: str, least: float, most: float) -> float | None:
        """A number of any kind in a range."""
        value = self.top.values.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            self.top.error("type", f"'{key}' must be a number", key)
            return None
        if value is not None and not least <= value <= most:
            self.top.error("value", f"'{key}' must be from {least:g} to {most:g}, not {value}", key)
            return None
        return None if value is None else float(value)

    def layouts(self) -> tuple[bool, tuple[Layout, ...] | None]:
        """(whether tiles are shuffled, layouts of the plan's own)."""
        value = self.top.values.get("layouts")
        if value is None or isinstance(value, str):
            return (value is not None and self.top.choice("layouts", LAYOUTS) == "shuffled"), None
        found: list[Layout] = []
        for index, rows in enumerate(self.entries("layouts")):
            place = self.top.entry("layouts", index).value
            if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
                message = 'a layout is a list of rows, such as ["1 2 3", "4 5r 6*"]; \'layouts\' is a list of layouts'
                self.findings.error("layout", message, place)
                continue
            try:
                layout = parse_layout(rows)
            except ValueError as fault:
                self.findings.error("layout", str(fault), place)
                continue
            if layout in found:
                self.findings.error("twice", "this layout stands in 'layouts' already", place)
            found.append(layout)
        return False, tuple(found)

    def readings(self) -> tuple[PowerboatsReadings, ...]:
        dice = self.top.integer("dice-max", 1, MOST_DICE)
        base = PowerboatsReadings.parse([f"dice-max={dice or DICE_MAX}"])
        found: list[PowerboatsReadings] = []
        for text in self.texts("readings", empty=True) if "readings" in self.top else [""]:
            index = self.top.values["readings"].index(text) if text else 0
            place = self.top.entry("readings", index).value if "readings" in self.top else Place(1, 1)
            try:
                reading = base.override([text])
            except BadInput as fault:
                self.findings.error("reading", str(fault), place)
                continue
            if reading.dice_max is None:
                self.findings.error("reading", "a sweep needs a limit on a boat's dice: dice-max=N", place)
            elif reading in found:
                self.findings.error("twice", f"{text!r} means the same as a reading before it", place)
            found.append(reading)
        return tuple(found)

    def races(self) -> tuple[int, tuple[str, ...]]:
        races = self.top.integer("races", 0, 1_000_000) or 0
        policies = self.texts("policies")
        if policies and not races:
            self.top.error("races", "'policies' need races: add races = N, the number a cell", "policies")
        if races and "policies" not in self.top:
            policies = ["solo,solo,solo,solo"]
        return races, tuple(policies) or ("",)

    def lakes(self, names: Sequence[str]) -> tuple[LakeFile, ...]:
        found: list[LakeFile] = []
        seen: dict[str, str] = {}
        for index, name in enumerate(names):
            place = self.top.entry("lakes", index).value
            try:
                file = read_lake(lake_source(name, self.top.document.source))
                same = seen.setdefault(file.source.text, name)
                if same != name:
                    self.findings.error("twice", f"the lake {name!r} is the same as {same!r}, word for word", place)
                found.append(file)
            except LakeReferenceFault as fault:
                self.findings.error(fault.code, str(fault), place)
            except Unreadable as fault:
                self.findings.error("lake-unreadable", str(fault), place)
            except FileFaults as faults:
                self.findings.error("lake", f"the lake {name!r} has faults, told behind this one", place)
                self.findings.faults += faults.faults
        return tuple(found)

    def fitting(self, lakes: Sequence[LakeFile], shuffled: bool, layouts: Sequence[Layout] | None) -> None:
        """Note layouts that a lake cannot be laid in."""
        for number, file in enumerate(lakes):
            if file.box is None and (shuffled or layouts):
                place = self.top.entry("lakes", number).value
                message = f"the lake {file.lake.name!r} has no tiles: 'layouts' has nothing to lay"
                self.findings.error("layout", message, place)
            for index, layout in enumerate(layouts or ()):
                for misfit in file.box.misfits(layout) if file.box else ():
                    self.findings.error(misfit.code, misfit.message, self.top.entry("layouts", index).value, "PB-1")
