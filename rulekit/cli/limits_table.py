"""Rows, curves and findings of `limits`, and its readable form."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulekit.cli.output import percent, tabulated
from rulekit.errors import Fault, errors_in
from rulekit.files.track import TrackFile
from rulekit.ps.approach import Approach, LimitEffect, approaches, limit_effects
from rulekit.ps.check import check
from rulekit.ps.dice import Colour
from rulekit.ps.limits import SpaceLimits, Unmarked, space_limits
from rulekit.ps.track import LANES, Mark
from rulekit.readings import PsReadings

SHOWN_APPROACHES = 3


@dataclass(frozen=True)
class Limits:
    """A circuit's curves judged."""

    file: TrackFile
    readings: PsReadings

    @cached_property
    def spaces(self) -> tuple[SpaceLimits, ...]:
        """Every space in front of or in a curve."""
        return space_limits(self.file.track, self.readings)

    @cached_property
    def unmarked(self) -> Unmarked:
        """The circuit as if nothing were printed on it."""
        return Unmarked(self.file.track, self.readings)

    @cached_property
    def faults(self) -> list[Fault]:
        """The file's rule faults, then every mark that is not what the geometry earns."""
        rules = [self.file.fault(finding) for finding in check(self.file.track)]
        return [*self.file.faults, *rules, *(fault for space in self.spaces for fault in self._marks(space))]

    def _marks(self, space: SpaceLimits) -> Iterator[Fault]:
        name = self.file.track.name_of(space.space)
        place = self.file.place(f"space {name}")
        for mark in Mark:
            if (mark in space.mark) != (mark in space.earned):
                printed = mark in space.mark
                code = "mark-unearned" if printed else "mark-missing"
                word = "is printed but not earned: take it off" if printed else "is earned but not printed: add it"
                message = f"{name}: {mark.value} {word}"
                yield Fault("error", code, message, self.file.source.path, *place, "PS-3")

    def rows(self) -> list[dict[str, Any]]:
        """JSON-ready: one for each space."""
        return [self._row(space) for space in self.spaces]

    def _row(self, found: SpaceLimits) -> dict[str, Any]:
        track = self.file.track
        space = track.spaces[found.space]
        return {
            "section": track.sections[space.section].id,
            "lane": LANES[space.lane],
            "column": space.first,
            "front_of": [track.sections[curve].id for curve in found.front_of],
            "mark": words(found.mark),
            "earned": words(found.earned),
            "speeds_safe": list(found.speeds_safe),
            "speeds_fly": list(found.speeds_fly),
            "fly": {colour.value: str(found.fly[colour]) for colour in Colour},
        }

    def curves(self) -> list[dict[str, Any]]:
        """JSON-ready: one for each curve."""
        return [self._curve(curve) for curve in self.unmarked.curves]

    def _curve(self, curve: int) -> dict[str, Any]:
        track, section = self.file.track, self.file.track.sections[curve]
        own = [space for space in self.spaces if curve in space.front_of or track.spaces[space.space].section == curve]
        return {
            "section": section.id,
            "limit": section.limit,
            "idle": curve in self.unmarked.idle,
            "deadly": curve in self.unmarked.deadly,
            "closed": curve in self.unmarked.closed,
            "findings": [fault.message for space in own for fault in self._marks(space)],
            "limits_tried": [_effect(effect) for effect in self.effects[curve]],
            "approaches": [self._approach(way) for way in self.ways[curve]],
        }

    @cached_property
    def effects(self) -> dict[int, tuple[LimitEffect, ...]]:
        """Each curve under a limit one lower, its own, one higher."""
        return {curve: limit_effects(self.unmarked, curve) for curve in self.unmarked.curves}

    @cached_property
    def ways(self) -> dict[int, tuple[Approach, ...]]:
        """Each curve's lanes and colours to come in by, the best first."""
        return {curve: approaches(self.file.track, curve, self.readings) for curve in self.unmarked.curves}

    def _approach(self, way: Approach) -> dict[str, Any]:
        return {
            "space": self.file.track.name_of(way.space), "lane": way.lane, "colour": way.colour.value,
            "fly": str(way.fly), "columns": way.gain, "cost": way.cost,
        }  # fmt: skip

    def table(self, every: bool) -> str:
        """The verdict, the curves, the approaches, and the spaces whose marks disagree (or every one)."""
        parts = [self._verdict(), self._curves_table(), self._approach_table()]
        wrong = errors_in(self.faults)
        if wrong:
            parts.append("\n".join(map(str, wrong)))
        if every:
            parts.append(self._spaces_table())
        return "\n\n".join(parts)

    def _verdict(self) -> str:
        wrong = len(errors_in(self.faults))
        judged = f"{len(self.unmarked.curves)} curves, {len(self.spaces)} spaces in front of or in one"
        name = self.file.track.name
        return f"{name}: {'every mark is as earned' if not wrong else f'{wrong} marks or rules disagree'} ({judged})."

    def _curves_table(self) -> str:
        head = ("curve", "limit", "kind", "limit tried", "triangles earned", "blue flies", "red flies", "yellow flies")
        lines = []
        for curve in self.unmarked.curves:
            section = self.file.track.sections[curve]
            for effect in self.effects[curve]:
                own = effect.limit == section.limit
                first = (
                    (section.id, section.limit, self._kind(curve)) if effect is self.effects[curve][0] else ("", "", "")
                )
                flies = [percent(effect.fly[colour]) for colour in Colour]
                lines.append((*first, f"{effect.limit}{' (as it is)' if own else ''}", effect.triangles, *flies))
        note = "Chances are means over all spaces in front of the curve, empty track, nothing printed."
        return f"{tabulated(head, lines)}\n{note}"

    def _kind(self, curve: int) -> str:
        kinds = ("idle", "deadly", "closed")
        return ", ".join(kind for kind in kinds if curve in getattr(self.unmarked, kind)) or "open"

    def _approach_table(self) -> str:
        head = ("curve", "from", "die", "flies", "columns gained", "cost")
        lines = [
            (
                self.file.track.sections[curve].id if not k else "", self.file.track.name_of(way.space),
                way.colour.value, percent(way.fly), f"{way.gain:.2f}", f"{way.cost:.2f}",
            )
            for curve in self.unmarked.curves
            for k, way in enumerate(self.ways[curve][:SHOWN_APPROACHES])
        ]  # fmt: skip
        return (
            f"The best ways in from the last space before each curve, printed marks in force:\n{tabulated(head, lines)}"
        )

    def _spaces_table(self) -> str:
        head = ("space", "in front of", "printed", "earned", "speeds that fly", "blue", "red", "yellow")
        lines = [
            (
                self.file.track.name_of(space.space),
                " ".join(self.file.track.sections[curve].id for curve in space.front_of),
                " ".join(words(space.mark)), " ".join(words(space.earned)),
                " ".join(map(str, space.speeds_fly)), *(percent(space.fly[colour]) for colour in Colour),
            )
            for space in self.spaces
        ]  # fmt: skip
        return tabulated(head, lines)


def words(marks: frozenset[Mark]) -> list[str]:
    """Marks as words, in their order."""
    return [mark.value for mark in Mark if mark in marks]


def _effect(effect: LimitEffect) -> dict[str, Any]:
    fly = {colour.value: str(chance) for colour, chance in effect.fly.items()}
    return {"limit": effect.limit, "triangles": effect.triangles, "fly": fly}
