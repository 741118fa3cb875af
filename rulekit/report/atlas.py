"""The page of a swept space: how courses spread, what letters, light sides and tiles do to them, which stand out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulekit.errors import BadInput
from rulekit.report.atlas_words import advice, statements, summary
from rulekit.report.charts import Dot, bars, dots
from rulekit.report.fields import fields
from rulekit.report.forms import decimal, decimals, percent, shares, whole, words
from rulekit.report.parts import Block, Column, Method, Origin, Plot, Report, Row, Section, Table
from rulekit.study.sweep_figures import FIGURES
from rulekit.study.sweep_summary import Rows, axis, extremes, groups, light_effects, spreads, start_tile

SHARES = ("hurt", "sink", "seat_advantage", "first_win", "race_sink", "capped")
"""Figures that are shares."""

TITLES: dict[str, str] = {
    "route": "route, steps", "turns": "turns", "hurt": "damaged", "crashes": "crashes", "sink": "sinks",
    "start_fairness": "worst start, turns", "strip_fairness": "worst strip hex, turns", "fewest_turns": "fewest turns",
    "chokes": "choke points", "swept": "swept, degrees", "seat_advantage": "seat advantage", "first_win": "first wins",
    "race_sink": "boats sunk", "race_turns": "turns in races", "capped": "given up",
}  # fmt: skip
"""What the page calls the figures."""

RISKS = ("sink", "crashes", "hurt")
VISIBLE = 0.001

FEWEST = 8
"""Courses of a kind below which its mean says little."""

OUTSTANDING = 8
"""Courses told at each end."""


@dataclass(frozen=True)
class SweptSpace:
    """What the page is made of: all cells, the plan's name, how many cells it asks for, how many the space has."""

    name: str
    rows: Rows
    asked: int
    size: int
    origin: Origin

    @property
    def legal(self) -> list[Mapping[str, Any]]:
        """The cells with a course that can be raced."""
        return [row for row in self.rows if row["status"] == "done" and row["legal"] == 1]

    def has(self, figure: str) -> bool:
        """Whether some course has a figure."""
        return any(row[figure] is not None for row in self.legal)

    @property
    def risk(self) -> str | None:
        """The measure of risk that tells the courses apart."""
        if max((row["sink"] or 0.0 for row in self.legal), default=0.0) > VISIBLE:
            return "sink"
        return next((name for name in RISKS[1:] if self.has(name)), None)

    @property
    def main(self) -> str:
        """The figure that courses are told apart by: turns, or steps where those were not worked out."""
        return "turns" if self.has("turns") else "route"


def space_report(space: SweptSpace) -> Report:
    """The page; raises BadInput where the file holds no course that can be raced."""
    legal = space.legal
    if not legal:
        raise BadInput("the sweep holds no course that can be raced: there is nothing to draw")
    drawn = f" of {whole(space.size)}" if space.size > space.asked else ""
    told = f"An atlas of {whole(len(legal))} courses: {whole(space.asked)} cells{drawn} in the plan."
    main = space.main
    return Report(
        "space", space.name, told, list(summary(space.rows, space.asked, main)), list(statements(legal, main)),
        list(advice(legal, main)), list(_sections(space, legal)), list(_methods(space)), space.origin,
    )  # fmt: skip


def _methods(space: SweptSpace) -> Iterator[Method]:
    for name, title in TITLES.items():
        if space.has(name):
            yield Method(title.capitalize(), f"{FIGURES[name][0].upper()}{FIGURES[name][1:]}.")
    if space.main == "turns":
        yield Method(
            "How exact",
            "The best race keeps near the shortest way and is worked out to the plan's tolerance: some hundredths of a "
            "turn above the optimum that `rulekit solve` finds, with a slack of 6 or less up to a few tenths.",
        )


def form_of(figure: str) -> Callable[[float], str]:
    """How a figure is written."""
    return percent if figure in SHARES else decimal


def said(figure: str) -> str:
    """What a figure tells, without what stands in brackets."""
    told = FIGURES[figure].partition(" (")[0]
    return told[0].upper() + told[1:]


def column_of(figure: str) -> Column:
    """A figure as a column."""
    return (shares if figure in SHARES else decimals)(figure, TITLES[figure])


def _sections(space: SweptSpace, legal: Rows) -> Iterator[Section]:
    yield Section("spread", "How the courses spread", "Each figure over all courses that can be raced.",
                  [*_overview(space, legal), spreads_table(legal)])  # fmt: skip
    kinds = list(_kinds(space, legal))
    if kinds:
        lead = "The mean of each kind of course with its interval of 95 %; the number of courses stands in brackets."
        yield Section("kinds", "By letter, light sides and tiles", lead, kinds)
    yield Section("courses", "Courses that stand out", "Found in the sweep; the layout is written as course files do.",
                  list(_outstanding(space, legal)))  # fmt: skip


def _overview(space: SweptSpace, legal: Rows) -> Iterator[Plot]:
    main = space.main
    values = [round(row[main]) for row in legal if row[main] is not None]
    counted = [(value, values.count(value) / len(values)) for value in sorted(set(values))]
    yield bars(f"spread-{main}", TITLES[main].capitalize(), "The share of courses by the whole number nearest.",
               counted, "turns of the best race" if main == "turns" else TITLES[main])  # fmt: skip
    for across, up, title in (
        (main, space.risk, "Length against risk"),
        (main, "start_fairness", "Length against fairness of the starts"),
        ("route", main, "Steps against turns"),
    ):
        points = [(row[across], row[up]) for row in legal if up and row[across] is not None and row[up] is not None]
        if up and points and across != up:
            caption = f"{said(across)}; {said(up)[0].lower()}{said(up)[1:]}."
            yield fields(f"space-{across}-{up}".replace("_", "-"), title, caption, points,
                         (TITLES[across], form_of(across)), (TITLES[up], form_of(up)))  # fmt: skip


def spreads_table(legal: Rows) -> Table:
    """Every figure's mean and quantiles."""
    rows: list[Row] = [
        {"figure": one.figure, "title": TITLES[one.figure], **{key: value for key, value in one._asdict().items() if
         key != "figure"}} for one in spreads(legal)
    ]  # fmt: skip
    heads = (("mean", "mean"), ("least", "least"), ("low", "5 %"), ("median", "median"), ("high", "95 %"),
             ("most", "most"))  # fmt: skip
    columns = [words("title", "figure"), Column("cells", "courses", lambda row: whole(float(row["cells"] or 0)))]
    columns += [Column(key, head, _shown(key)) for key, head in heads]
    return Table("spreads", "All figures", "Means and quantiles over the courses.", columns, rows)


def _shown(key: str) -> Callable[[Row], str]:
    return lambda row: form_of(str(row["figure"]))(float(row[key] or 0))


KINDS: tuple[tuple[str, str, Callable[[Mapping[str, Any]], str | None]], ...] = (
    ("letter", "letter", axis("letter")),
    ("light", "number of light sides", lambda row: None if row["layout"] is None else f"{row['light']} light"),
    ("start", "tile of buoy 0", start_tile),
    ("readings", "readings", axis("readings")),
    ("lake", "lake", axis("lake")),
)
"""Kinds of courses: name, title, which a course is of."""


def _kinds(space: SweptSpace, legal: Rows) -> Iterator[Block]:
    figures = [name for name in (space.main, space.risk, "start_fairness") if name and space.has(name)]
    for name, title, kind in KINDS:
        for figure in figures:
            found = [one for one in groups(legal, figure, kind) if one.cells >= FEWEST]
            if len(found) > 1:
                rows = [Dot(f"{one.name} ({whole(one.cells)})", one.mean, one.mean_low, one.mean_high) for one in found]
                yield dots(f"{name}-{figure}".replace("_", "-"), f"{TITLES[figure].capitalize()} by {title}",
                           f"{said(figure)}.", rows, form_of(figure))  # fmt: skip
    for figure in figures:
        effects = [one for one in light_effects(legal, figure) if one.cells >= 2 * FEWEST]
        if effects:
            caption = "Mean with the tile's light side up less the mean with its dark one: above 0 the light side adds."
            yield dots(f"sides-{figure}".replace("_", "-"), f"{TITLES[figure].capitalize()}: what a light side adds",
                       caption, [Dot(f"tile {one.tile}", one.difference, one.low, one.high) for one in effects],
                       form_of(figure))  # fmt: skip


def _outstanding(space: SweptSpace, legal: Rows) -> Iterator[Table]:
    yield from _ends(legal, space.main, "shortest", "longest", space)
    if space.has("start_fairness"):
        yield from _ends(legal, "start_fairness", "fairest starts", "unfairest starts", space)
    if space.risk:
        yield from _ends(legal, space.risk, "calmest", "roughest", space)


def _ends(legal: Rows, figure: str, low: str, high: str, space: SweptSpace) -> Iterator[Table]:
    for title, found in zip((low, high), extremes(legal, figure, OUTSTANDING), strict=True):
        shown = [name for name in ("route", "turns", "hurt", "crashes", "sink", "start_fairness") if space.has(name)]
        rows: list[Row] = [
            {**{name: row[name] for name in ("letter", "layout", "buoys", "readings")},
             **{name: row[name] for name in shown}, "position": row["position"]}
            for row in found
        ]  # fmt: skip
        columns = [words("letter"), *([words("layout")] if rows[0]["layout"] else []), words("buoys")]
        columns += [column_of(name) for name in shown]
        name = f"{title.replace(' ', '-')}-courses"
        yield Table(name, f"The {title}", f"By {TITLES[figure]}.", columns, rows, folded=title in ("longest",))
