"""The figures of one cell: whether its course is legal, its route, its best race, races on it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from rulekit.errors import BadInput
from rulekit.files.lake import LakeFile, read_lake
from rulekit.files.source import Source
from rulekit.hexgrid import FACINGS, hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.box import parse_layout
from rulekit.powerboats.check import strip_faults
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.placing import FEWEST_SPOTS, course_on
from rulekit.powerboats.rounding import corners
from rulekit.powerboats.route import Place, start_places
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.bounds import Solution
from rulekit.solve.corridor import Corridor
from rulekit.solve.horizon import finish_within
from rulekit.solve.sparse import follow_mostly, unhurt_mostly
from rulekit.solve.steps import Steps, settled_steps
from rulekit.study.sweep_space import Cell, Settings

Figures = dict[str, Any]

MOST_TURNS = 200
"""Turns within which the best dice must get home."""


def figures_of(cell: Cell, settings: Settings, lake_text: str, key: str) -> Figures:
    """The figures of a cell; raises BadInput where they cannot be worked out."""
    file = lake_of_text(lake_text)
    readings = PowerboatsReadings.parse([cell.readings])
    course = cell_course(cell, file)
    if course is None:
        return {"legal": 0, "code": "spots", "rule": "PB-5"}
    for code, _ in strip_faults(course):
        return {"legal": 0, "code": code, "rule": "PB-6"}
    course, steps = settled_steps(course, readings)
    found = _route(course, steps, settings)
    if not found["legal"]:
        return found
    waters = Waters(course, readings)
    if {"race", "risk", "fewest"} & set(settings.figures):
        found |= _race(waters, steps, settings)
    return found | (_races(waters, cell, settings, key) if settings.races else {})


@lru_cache(maxsize=8)
def lake_of_text(text: str) -> LakeFile:
    """The lake of a text; its own references play no part."""
    return read_lake(Source("<lake>", text, Path()))


@lru_cache(maxsize=64)
def _laid(text: str, layout: str | None) -> Lake:
    file = lake_of_text(text)
    return file.box.lake(parse_layout(layout.split("/"))) if file.box and layout else file.lake


def cell_spots(cell: Cell, file: LakeFile) -> tuple[Lake, tuple[Spot, ...]]:
    """The lake as it is laid, and the spots of buoys 0, 1, 2, …"""
    lake = _laid(file.source.text, cell.layout)
    named = {hex_name(s.at) if s.tile is None else f"@{s.tile}{s.letter}": s for s in lake.spots_of(cell.letter)}
    return lake, tuple(named[name] for name in cell.buoys.split())


def cell_course(cell: Cell, file: LakeFile, name: str = "") -> Course | None:
    """The course of a cell with its arrows and crossings still open, None where there are too few spots."""
    lake, spots = cell_spots(cell, file)
    return course_on(lake, spots, name or cell.lake) if len(spots) >= FEWEST_SPOTS else None


def _route(course: Course, steps: Steps, settings: Settings) -> Figures:
    strip = steps.nodes([Place(at, 1) for at in course.strip])
    length = steps.length(strip)
    if length is None:
        return {"legal": 0, "code": "no-route", "rule": "PB-12"}
    swept = sum(
        corner.swept_degrees(buoy.arrow)
        for corner, buoy in zip(corners(course), course.buoys, strict=True)
        if buoy.arrow is not None
    )
    chokes = steps.chokes(strip) if "route" in settings.figures else None
    return {"legal": 1, "code": None, "rule": None, "route": length, "chokes": chokes, "swept": round(swept, 6)}


def _race(waters: Waters, steps: Steps, settings: Settings) -> Figures:
    places = start_places(waters.course, waters.readings)
    boats = [Boat(place.at, facing, (), place.progress) for place in places for facing in FACINGS]
    corridor = Corridor(waters, steps, boats, settings.slack)
    boats = [boat for boat in boats if corridor.keeps(boat)]
    found: Figures = {}
    if {"race", "risk"} & set(settings.figures):
        solution = corridor.solution(settings.sink_cost, settings.tolerance)
        found |= _values(corridor, solution, boats, settings)
    if "fewest" in settings.figures:
        found["fewest_turns"] = fewest_unhurt(corridor, boats)
    return found


def _values(corridor: Corridor, solution: Solution, boats: Sequence[Boat], settings: Settings) -> Figures:
    values = [solution.value(*corridor.state(boat)) for boat in boats]
    best = int(np.argmin(values))
    by_place = {
        place: min(values[k] for k, _ in own)
        for place, own in groupby(enumerate(boats), lambda one: (one[1].progress, one[1].at))
    }
    strip = [value for (progress, _), value in by_place.items() if progress]
    found: Figures = {
        "value": values[best],
        "turns": values[best],
        "start": f"{hex_name(boats[best].at)} {boats[best].facing.name}",
        "start_fairness": max(by_place.values()) - values[best],
        "strip_fairness": max(strip) - min(strip),
    }
    if "risk" not in settings.figures:
        found["hurt"] = 1.0 - unhurt_mostly(solution, corridor.state(boats[best]))
    else:
        ending = follow_mostly(solution, corridor.state(boats[best]))
        cost = settings.sink_cost * (ending.sink + ending.strayed)
        found |= {
            "turns": values[best] - cost, "hurt": 1.0 - ending.unhurt, "crashes": ending.crashes, "sink": ending.sink,
            "unsure": ending.dropped + ending.strayed,
        }  # fmt: skip
    return {key: value if isinstance(value, str) or isfinite(value) else None for key, value in found.items()}


def fewest_unhurt(corridor: Corridor, boats: Sequence[Boat]) -> int | None:
    """Turns that the best dice need from the best of some starts, without damage; None beyond `MOST_TURNS`."""
    race = replace(corridor.race, levels=1)
    cells = [race.cell(*corridor.state(boat)[1:]) for boat in boats]
    for turn, chances in enumerate(finish_within(race, MOST_TURNS), 1):
        if chances[0, cells].max() > 0:
            return turn
    return None


def _races(waters: Waters, cell: Cell, settings: Settings, key: str) -> Figures:
    """What races of the line-up come to; the seed is the cell's own."""
    from rulekit.simulate.bulk import Contest
    from rulekit.simulate.rates import run

    names = tuple(name.strip() for name in cell.policies.split(","))
    contest = Contest((waters,), names, int(key[:8], 16) ^ settings.seed)
    contest.check()
    counted = run(contest, settings.races).tally
    counts = {name: values.astype(float) for name, values in counted.counts.items()}
    races = counts["races"]
    wins = counts["win"].sum(axis=1) / np.maximum(races.sum(axis=1), 1)
    first = [number for number, name in enumerate(names) if name == names[0]]
    return {
        "seat_advantage": float(np.abs(wins - 1 / contest.seats).max()),
        "first_win": float(counts["win"][:, first].sum() / max(races[:, first].sum(), 1)),
        "race_sink": float(counts["sink"].sum() / max(races.sum(), 1)),
        "race_turns": float(counts["turns"].sum() / max(races.sum(), 1)),
        "capped": counted.capped / max(counted.matches, 1),
    }


def check_line_ups(policies: Sequence[str]) -> None:
    """Raises BadInput for a line-up with an unknown policy or another number of boats than 2 to 6."""
    from rulekit.powerboats.race import MOST_SEATS
    from rulekit.simulate.policies import POLICIES, policy_named

    for text in policies:
        names = [name.strip() for name in text.split(",")]
        if not 2 <= len(names) <= MOST_SEATS:
            raise BadInput(f"the line-up '{text}' has {len(names)} boats: a race takes 2 to {MOST_SEATS} (PB-4)")
        for name in names:
            policy_named(name, POLICIES)
