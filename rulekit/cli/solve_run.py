"""What `solve` works out for each objective: rows, further keys, warnings, files and the readable table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rulekit.cli import solve_table
from rulekit.cli.progress import Progress
from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import Boat
from rulekit.solve.best import (
    Best,
    Deadline,
    Start,
    Trade,
    best_race,
    by_deadline,
    fewest_turns,
    own_or_legal_starts,
    pareto,
)
from rulekit.solve.bounds import SINK_COST
from rulekit.solve.first_run import compile_seconds
from rulekit.solve.named import policy_named
from rulekit.solve.passage import Passage, follow_policy
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.saved import packed, read_saved
from rulekit.solve.tables import Numbered

if TYPE_CHECKING:
    from rulekit.study.tiles import TileUse

START_COLUMNS = ("hex", "facing", "progress", "value")
TRADE_COLUMNS = ("turns", "sink", "sink_cost")
POLICY_COLUMNS = ("policy", "turns", "sink", "value", "loss", "unhurt", "left")


@dataclass(frozen=True)
class Found:
    """The parts of a result."""

    rows: Sequence[dict[str, Any]]
    more: dict[str, Any]
    table: Callable[[], str]
    columns: Sequence[str]
    warnings: Sequence[str] = ()
    files: Sequence[tuple[Path, bytes]] = ()
    timing: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Tried:
    """A policy with the passage from the optimum's best start."""

    name: str
    passage: Passage
    sink_cost: float

    @property
    def value(self) -> float:
        """Turns plus sink cost × chance of sinking."""
        return self.passage.turns + self.sink_cost * self.passage.sink


def run(options: dict[str, Any], numbered: Numbered, own: Sequence[Boat], progress: Progress) -> Found:
    """The result that the options ask for."""
    boats = own_or_legal_starts(numbered, own, options["damage"])
    progress.warm_up(compile_seconds())
    progress.begin("solving")
    return {"turns": _turns, "deadline": _deadline, "pareto": _pareto}[options["objective"]](
        options, numbered, boats, progress
    )


def _turns(options: dict[str, Any], numbered: Numbered, boats: Sequence[Boat], progress: Progress) -> Found:
    cost = SINK_COST if options["sink_cost"] is None else options["sink_cost"]
    makers = [(name, _maker(name, numbered)) for name in options["policy"]]
    # First, since its arrays are gone before those of the solution are made: less memory at the peak.
    progress.begin("the fewest turns with the best dice")
    fewest = fewest_turns(numbered, boats)
    began = perf_counter()
    best = best_race(numbered, boats, sink_cost=cost, threads=options["jobs"], report=progress.report)
    solved = perf_counter() - began
    tried = [_tried(name, make, best, progress) for name, make in makers]
    rows = [policy_row(one, best) for one in tried] if tried else [start_row(start) for start in best.starts]
    chart, charts = _charted(options, best, progress)
    uses = _tile_uses(options, best, progress)
    return Found(
        rows,
        {**best_keys(best, fewest), **chart, **({"tiles": [tile_row(use) for use in uses]} if uses else {})},
        lambda: solve_table.turns(best, fewest, tried, uses),
        POLICY_COLUMNS if tried else START_COLUMNS,
        [solve_table.on_purpose(best)] if best.on_purpose else [],
        [*_saved(options, best, progress), *_pictured(options, numbered, best), *charts],
        {"solve": solved},
    )


def _maker(name: str, numbered: Numbered) -> Callable[[float], Policy]:
    """How a policy is made once the sink cost is known; files are read at once, so that a bad one is told early."""
    if name.endswith(".npz"):
        policy = read_saved(Path(name), numbered).policy
        return lambda _cost: policy
    make = policy_named(name)
    return lambda cost: make(numbered, cost)


def _tried(name: str, make: Callable[[float], Policy], best: Best, progress: Progress) -> Tried:
    progress.begin(f"policy {name}")
    policy = make(best.solution.sunk)
    return Tried(name, follow_policy(policy, best.numbered.state(best.start.boat)), best.solution.sunk)


def _saved(options: dict[str, Any], best: Best, progress: Progress) -> list[tuple[Path, bytes]]:
    if not options["save"]:
        return []
    progress.begin("saving the policy")
    data = packed(best.solution, best_policy(best.solution), best.numbered.waters)
    return [(Path(options["save"]), data)]


def _charted(
    options: dict[str, Any], best: Best, progress: Progress
) -> tuple[dict[str, Any], list[tuple[Path, bytes]]]:  # fmt: skip
    """What a chart costs, for the result's `chart` key, and its file; both empty if none is asked for."""
    if not options["chart"]:
        return {}, []
    from rulekit.cli.chart_sheet import chart_file
    from rulekit.solve.chart import fit_chart

    path, boat = Path(options["chart"]), best.start.boat
    tried = fit_chart(best.solution, best.numbered.state(boat), report=progress.begin)
    progress.begin("drawing the chart")
    told = {"turns": tried.own.turns, "sink": tried.own.sink, "loss": tried.loss(tried.own)}
    return {"chart": told}, [(path, chart_file(path, tried, best.numbered, boat))]


def _tile_uses(options: dict[str, Any], best: Best, progress: Progress) -> "list[TileUse]":
    if not options["tiles"]:
        return []
    from rulekit.study.tiles import uses_in

    return uses_in(best, threads=options["jobs"], report=progress.begin)


def tile_row(use: "TileUse") -> dict[str, Any]:
    """What a tile does as JSON: numbers a race, and the turns that it costs (null: without it no race ends surely)."""
    return {
        "kind": use.tile.kind.value, "hexes": [hex_name(at) for at in use.tile.hexes], "entered": use.entered,
        "damaged": use.damaged, "sunk": use.sunk, "flown": use.flown,
        "turns": use.turns if isfinite(use.turns) else None,
    }  # fmt: skip


def _pictured(
    options: dict[str, Any], numbered: Numbered, found: Best | Deadline | Sequence[Trade]
) -> list[tuple[Path, bytes]]:
    if not options["plot"]:
        return []
    from rulekit.cli import solve_picture

    path, name = Path(options["plot"]), numbered.waters.course.name
    if isinstance(found, Best):
        kind, progress = options["plot_kind"] or "turns", options["plot_progress"]
        return [(path, solve_picture.best_picture(path, kind, found, progress))]
    if isinstance(found, Deadline):
        return [(path, solve_picture.deadline_picture(path, name, found))]
    return [(path, solve_picture.front_picture(path, name, found))]


def _deadline(options: dict[str, Any], numbered: Numbered, boats: Sequence[Boat], progress: Progress) -> Found:
    found = by_deadline(numbered, boats, options["within"], options["jobs"], progress.report)
    rows = [start_row(start) for start in found.starts]
    more = {
        "objective": "deadline", "within": options["within"], **_place_keys(found.start), "turns": None, "sink": None,
        "starts": rows, "states": numbered.race.states, "sweeps": options["within"],
        "chances": [{"turn": turn, "chance": chance} for turn, chance in enumerate(found.chances, 1)],
    }  # fmt: skip
    return Found(rows, more, lambda: solve_table.deadline(numbered, found), START_COLUMNS,
                 files=_pictured(options, numbered, found))  # fmt: skip


def _pareto(options: dict[str, Any], numbered: Numbered, boats: Sequence[Boat], progress: Progress) -> Found:
    trades = pareto(numbered, boats, threads=options["jobs"], report=progress.report,
                    tell=lambda weight: progress.begin(f"sink cost {weight:g}"))  # fmt: skip
    rows = [
        {"turns": trade.turns, "sink": trade.sink, "sink_cost": trade.sink_cost, "start": _boat(trade.start)}
        for trade in trades
    ]
    progress.begin(f"sink cost {SINK_COST:g}")
    best = best_race(numbered, boats, threads=options["jobs"], report=progress.report)
    more = {
        "objective": "pareto", "sink_cost": SINK_COST, **_place_keys(best.start), "turns": best.passage.turns,
        "sink": best.passage.sink, "starts": [start_row(start) for start in best.starts],
        "states": numbered.race.states, "sweeps": best.solution.sweeps,
    }  # fmt: skip
    return Found(rows, more, lambda: solve_table.front(numbered, trades), TRADE_COLUMNS,
                 files=_pictured(options, numbered, trades))  # fmt: skip


def start_row(start: Start) -> dict[str, Any]:
    """A start as JSON."""
    return {**_boat(start.boat), "value": start.value}


def _boat(boat: Boat) -> dict[str, Any]:
    return {"hex": hex_name(boat.at), "facing": boat.facing.name, "progress": boat.progress}


def _place_keys(start: Start) -> dict[str, Any]:
    return {"value": start.value, "lower": start.lower, "upper": start.upper, "best_start": _boat(start.boat)}


def policy_row(tried: Tried, best: Best) -> dict[str, Any]:
    """A policy as JSON; null where the race may never end."""
    passage, ends = tried.passage, tried.passage.ends
    return {
        "policy": tried.name, "turns": passage.turns if ends else None, "sink": passage.sink,
        "value": tried.value if ends else None, "loss": tried.value - best.start.value if ends else None,
        "unhurt": passage.unhurt, "left": passage.left, "finishing": finishing_rows(passage),
    }  # fmt: skip


def best_keys(best: Best, fewest: int | None) -> dict[str, Any]:
    """The top-level keys of the best race."""
    passage, solution = best.passage, best.solution
    return {
        "objective": "turns", "sink_cost": solution.sunk, "damage": best.start.boat.damage, **_place_keys(best.start),
        "turns": passage.turns, "sink": passage.sink, "unhurt": passage.unhurt,
        "crashes": float(passage.crashes.sum()), "fewest_turns": fewest, "on_purpose": best.on_purpose,
        "starts": [start_row(start) for start in best.starts], "states": solution.race.states,
        "sweeps": solution.sweeps, "finishing": finishing_rows(passage), "hexes": hex_rows(best),
    }  # fmt: skip


def finishing_rows(passage: Passage) -> list[dict[str, Any]]:
    """The distribution of the finishing turn, from the first turn with a chance on."""
    rows, so_far = [], 0.0
    for turn, chance in enumerate(map(float, passage.finished), 1):
        so_far += chance
        if so_far:
            rows.append({"turn": turn, "chance": chance, "cumulative": so_far})
    return rows


def hex_rows(best: Best) -> list[dict[str, Any]]:
    """Turns begun on each hex, moves with damage and sinkings that end there, a race."""
    passage = best.passage
    columns = zip(best.numbered.hexes, passage.visits, passage.crashes, passage.sinkings, strict=True)
    return [
        {"hex": hex_name(at), "visits": float(visits), "crashes": float(crashes), "sinkings": float(sinkings)}
        for at, visits, crashes, sinkings in columns
        if visits or crashes or sinkings
    ]
