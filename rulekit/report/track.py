"""The report of a track: its curves' limits and marks, the risk round it, the fastest laps, the races of cars."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulekit.errors import Fault
from rulekit.files.track import TrackFile
from rulekit.ps.approach import Approach, LimitEffect, approaches, limit_effects
from rulekit.ps.check import check
from rulekit.ps.dice import Colour
from rulekit.ps.limits import SpaceLimits, Unmarked, space_limits
from rulekit.ps.track import LANES, Mark
from rulekit.readings import PsReadings
from rulekit.report.charts import Dot, Series, curves, dots
from rulekit.report.circuit import circuit_board
from rulekit.report.forms import decimals, percent, shares, short, words
from rulekit.report.heat import Heat
from rulekit.report.parts import Board, Column, Plot, Row, Section, Table
from rulekit.solve.laps import Figures, Laps

APPROACHES = 3
"""Ways into each curve that are told, the best first."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Circuit:
    """A track judged and solved; each part is made when it is first asked for."""

    file: TrackFile
    readings: PsReadings
    laps: Laps

    @cached_property
    def spaces(self) -> tuple[SpaceLimits, ...]:
        """Every space in front of or in a curve."""
        return space_limits(self.file.track, self.readings)

    @cached_property
    def unmarked(self) -> Unmarked:
        """The track as if nothing were printed on it."""
        return Unmarked(self.file.track, self.readings)

    @cached_property
    def effects(self) -> dict[int, tuple[LimitEffect, ...]]:
        """Each curve under a limit one lower, its own, one higher."""
        return {curve: limit_effects(self.unmarked, curve) for curve in self.unmarked.curves}

    @cached_property
    def ways(self) -> dict[int, tuple[Approach, ...]]:
        """Each curve's lanes and colours to come in by, the best first."""
        return {curve: approaches(self.file.track, curve, self.readings) for curve in self.unmarked.curves}

    @cached_property
    def findings(self) -> list[tuple[str, str, str]]:
        """(space or place, what is wrong, rule) of every rule fault and of every mark that is not earned or missing."""
        found = [(fault.path or "", fault.message, fault.rule or "") for fault in self._rule_faults()]
        for space in self.spaces:
            for mark in Mark:
                if (mark in space.mark) != (mark in space.earned):
                    word = "is printed but not earned" if mark in space.mark else "is earned but not printed"
                    found.append((self.file.track.name_of(space.space), f"{mark.value} {word}", "PS-3"))
        return found

    def _rule_faults(self) -> list[Fault]:
        return [self.file.fault(finding) for finding in check(self.file.track)]

    @cached_property
    def starts(self) -> list[tuple[str, Figures]]:
        """Every start of the race."""
        laps, boxes = self.laps, self.laps.places.boxes
        lacking = laps.laps + 1 if boxes else laps.laps
        places = boxes or laps.places.behind_line
        return [(laps.places.name(place), laps.figures(place, lacking, 0, laps.at_start)) for place in places]

    def section(self, number: int) -> str:
        """The name of a section."""
        return self.file.track.sections[number].id


def board_of(circuit: Circuit) -> Board:
    """The circuit with the chance of flying by colour of die, and the turns left."""
    caption = "Chances are exact, on the empty track."
    return circuit_board(circuit.file.track, circuit.file.track.name, caption, list(heats(circuit)))


def heats(circuit: Circuit) -> Iterator[Heat[int]]:
    """The layers of the board."""
    for colour in (Colour.RED, Colour.YELLOW, Colour.BLUE):
        chances = {space.space: float(space.fly[colour]) for space in circuit.spaces if space.fly[colour]}
        name = colour.value
        yield _flying(name, chances)
    laps = circuit.laps
    values = {space: laps.figures(space, 1, 0, laps.full).value for space in range(len(circuit.file.track.spaces))}
    caption = "Turns to the line for a car alone in its last lap that picks its dice as well as can be."
    yield Heat("value", "Turns left", caption, values, lambda value: f"{value:.1f} turns to the line",
               lambda value: f"{value:.1f}", lambda value: f"{value:.1f}")  # fmt: skip


def _flying(name: str, chances: dict[int, float]) -> Heat[int]:
    return Heat(
        name, f"{name.capitalize()} flies", f"The chance that a {name} die leaves no way but flying, in percent.",
        chances, lambda share: f"{name} flies {percent(share)}", lambda share: short(100 * share),
        lambda share: f"{100 * share:.0f}", root=True, low=0.0, high=1.0, plain=f"{name} never flies",
    )  # fmt: skip


def curve_rows(circuit: Circuit) -> list[Row]:
    """A row for each curve and limit tried."""
    return [
        {
            "curve": circuit.section(curve), "limit": effect.limit,
            "kind": _kind(circuit, curve) if effect.limit == circuit.file.track.sections[curve].limit else "tried",
            "triangles": effect.triangles, **{colour.value: float(effect.fly[colour]) for colour in Colour},
        }
        for curve in circuit.unmarked.curves
        for effect in circuit.effects[curve]
    ]  # fmt: skip


def _kind(circuit: Circuit, curve: int) -> str:
    kinds = ("idle", "deadly", "closed")
    return ", ".join(kind for kind in kinds if curve in getattr(circuit.unmarked, kind)) or "open"


def curves_table(circuit: Circuit) -> Table:
    """Each curve under its limit and the next ones."""
    columns = (
        words("curve"), Column("limit", "limit"), words("kind"),
        Column("triangles", "triangles earned"),
        *(shares(colour.value, f"{colour.value} flies") for colour in Colour),
    )  # fmt: skip
    caption = (
        "Mean chances over all spaces in front of the curve, empty track, nothing printed. Idle: the limit changes "
        "nothing; deadly: no triangle can be earned; closed: no speeding car passes in one move."
    )
    return Table("curves", "Curves and other limits", caption, columns, curve_rows(circuit))


def ways_table(circuit: Circuit) -> Table:
    """The best ways into each curve."""
    rows: list[Row] = [
        {
            "curve": circuit.section(curve), "from": circuit.file.track.name_of(way.space), "die": way.colour.value,
            "fly": float(way.fly), "columns": way.gain, "cost": way.cost,
        }
        for curve in circuit.unmarked.curves
        for way in circuit.ways[curve][:APPROACHES]
    ]  # fmt: skip
    columns = (
        words("curve"), words("from"), words("die"),
        shares("fly", "flies"), decimals("columns", "columns gained"),
        decimals("cost", "cost"),
    )  # fmt: skip
    caption = "From the last space before each curve, printed marks in force; cost: fewer columns than the die's mean."
    return Table("ways", "The best ways in", caption, columns, rows)


def findings_table(circuit: Circuit) -> Table:
    """What is wrong with the rules and marks."""
    rows: list[Row] = [{"at": at, "finding": what, "rule": rule} for at, what, rule in circuit.findings]
    columns = (
        words("at"), words("finding"), words("rule"),
    )  # fmt: skip
    return Table("findings", "Findings", "Marks are held against what the geometry earns.", columns, rows, 30)


def spaces_table(circuit: Circuit) -> Table:
    """Every space in front of or in a curve, the most dangerous for red first."""
    track = circuit.file.track
    rows: list[Row] = [
        {
            "space": track.name_of(space.space), "section": circuit.section(track.spaces[space.space].section),
            "lane": LANES[track.spaces[space.space].lane], "column": track.spaces[space.space].first,
            **{colour.value: float(space.fly[colour]) for colour in Colour},
        }
        for space in circuit.spaces
    ]  # fmt: skip
    rows.sort(key=lambda row: -float(row["red"] or 0))
    columns = (
        words("space"),
        *(shares(colour.value, f"{colour.value} flies") for colour in Colour),
    )
    caption = "The chance that each die leaves no way but flying, the worst for red first."
    return Table("spaces", "Spaces", caption, columns, rows, 12)


def risk_curve(circuit: Circuit) -> Plot:
    """The chance of flying round the track, from the best lane of each column."""
    track = circuit.file.track
    begin = [sum(section.columns for section in track.sections[:number]) for number in range(len(track.sections))]
    series = []
    for colour in (Colour.RED, Colour.YELLOW, Colour.BLUE):
        least: dict[int, float] = {}
        chances = {space.space: float(space.fly[colour]) for space in circuit.spaces}
        for number, space in enumerate(track.spaces):
            for column in range(space.first, space.last + 1):
                at = begin[space.section] + column
                least[at] = min(least.get(at, 1.0), chances.get(number, 0.0))
        series.append(Series(colour.value, sorted(least.items())))
    caption = "By column from the first section on, from the lane where it is least: what nobody can avoid."
    return curves("risk", "Risk round the track", caption, series, ("column", lambda x: f"{x:.0f}"),
                  ("chance of flying", lambda y: f"{100 * y:.0f} %"), spots=False)  # fmt: skip


def laps_table(circuit: Circuit) -> Table:
    """The best laps."""
    laps = circuit.laps
    kinds = [("flying lap", laps.flying_lap()), ("race", laps.race())]
    if laps.places.boxes:
        kinds.insert(1, ("standing lap", laps.standing_lap()))
    rows: list[Row] = [
        {"best": name, "from": laps.places.name(place), "turns": one.turns, "lost": one.sink, "value": one.value}
        for name, (place, one) in kinds
    ]
    columns = (
        words("best"), words("from"),
        decimals("turns", "turns"), shares("lost", "car lost"),
        decimals("value", "value"),
    )  # fmt: skip
    caption = (
        f"One car alone that picks its dice as well as can be (exact); a lost car counts as {laps.sink_cost:g} turns."
    )
    return Table("laps", "The fastest laps", caption, columns, rows)


def starts_table(circuit: Circuit) -> Table:
    """Every start of the race."""
    least = min(one.value for _, one in circuit.starts)
    rows: list[Row] = [{"start": name, "value": one.value, "longer": one.value - least} for name, one in circuit.starts]
    columns = (
        words("start"), decimals("value", "value"),
        decimals("longer", "longer than the best"),
    )  # fmt: skip
    return Table("starts", "Starts", "Turns of the race from each start, of a car alone (exact).", columns, rows)


def limit_plot(circuit: Circuit) -> Plot:
    """How often red flies at each curve, with the next limits as the whiskers' ends."""
    rows = []
    for curve in circuit.unmarked.curves:
        tried = [float(effect.fly[Colour.RED]) for effect in circuit.effects[curve]]
        own = [float(effect.fly[Colour.RED]) for effect in circuit.effects[curve]
               if effect.limit == circuit.file.track.sections[curve].limit]  # fmt: skip
        label = f"{circuit.section(curve)} (limit {circuit.file.track.sections[curve].limit})"
        rows.append(Dot(label, own[0] if own else tried[0], min(tried), max(tried)))
    caption = "The mean chance of a red die to fly; the bars reach to what a limit one lower or one higher would give."
    return dots("limits", "What the limits do", caption, rows, percent)


def sections_of(circuit: Circuit) -> Iterator[Section]:
    """The sections of what is exact."""
    yield Section(
        "where",
        "Where it is dangerous",
        "",
        [board_of(circuit), risk_curve(circuit), limit_plot(circuit), spaces_table(circuit)],
    )
    blocks: Sequence[Table] = [curves_table(circuit), ways_table(circuit)]
    told = [findings_table(circuit)] if circuit.findings else []
    notes = [] if told else ["Every mark is as its geometry earns it, and no rule is broken."]
    yield Section("curves-and-marks", "Limits and marks", "", [*told, *blocks], notes)
    yield Section(
        "fastest",
        "The fastest laps",
        "The exact optimum of one car alone.",
        [laps_table(circuit), starts_table(circuit)],
    )
