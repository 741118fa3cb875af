"""The moves of a car: rows and table."""

from collections.abc import Callable
from typing import Any

from rulekit.cli.output import Output, tabulated
from rulekit.errors import BadInput, did_you_mean
from rulekit.files.track import TrackFile
from rulekit.ps.dice import FACES, Colour, can_show
from rulekit.ps.moves import Outcome, outcomes
from rulekit.ps.track import PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.readings import PsReadings

Rows = list[dict[str, Any]]
WORDS = {
    "move": "all steps made",
    "pit": "halts on the stop space",
    "fly": "flies from {origin}: one point of damage",
    "strike": "strikes at {origin}: one point of damage",
    "stay": "nowhere to go: one point of damage",
}


def car_moves(
    file: TrackFile, options: dict[str, Any], output: Output
) -> tuple[Rows, PsReadings, Callable[[], str]]:  # fmt: skip
    """Rows, readings and table of `moves` on a track; raises BadInput."""
    readings = PsReadings.parse(options["reading"])
    if options["dice_max"] is not None:
        raise BadInput("--dice-max limits a boat's dice: this is a track")
    output.warn(file.faults)
    track = file.track
    if options["die"] is None or options["value"] is None:
        raise BadInput("a car's moves need --die blue|red|yellow and --value N (what the die shows)")
    space, colour, value = _space(track, options["at"], "--at"), Colour(options["die"]), options["value"]
    if space < 0 and space not in (PIT_SHORT, PIT_LONG):
        raise BadInput(f"--at: from {track.name_of(space)} a car goes on one pit space a turn, without a die (PS-21)")
    if not can_show(colour, value):
        raise BadInput(f"--value {value}: no {colour.value} die shows that; it shows {_shown(colour)} (PS-5)")
    found = outcomes(track, space, colour, value, _others(track, options["cars"], space), readings)
    return [row(track, outcome) for outcome in found], readings, lambda: _table(track, space, colour, value, found)


def row(track: Track, outcome: Outcome) -> dict[str, Any]:
    """One end of a move."""
    return {
        "kind": outcome.kind.value,
        "end": track.name_of(outcome.end),
        "from": None if outcome.origin is None else track.name_of(outcome.origin),
        "line": outcome.line,
    }


def _shown(colour: Colour) -> str:
    return "4, 5, 10, 11, 16, 17, …" if colour is Colour.RED else ", ".join(map(str, FACES[colour]))


def _space(track: Track, text: str, option: str) -> int:
    """The space of a name; raises BadInput with the near miss."""
    name = " ".join(text.split())
    if name in track.by_name:
        return track.by_name[name]
    raise BadInput(f"{option}: there is no space '{text}'{did_you_mean(name, track.by_name)}; "
                   "a space is named section lane first-column, such as 'main left 3'")  # fmt: skip


def _others(track: Track, names: tuple[str, ...], own: int) -> frozenset[int]:
    spaces = [_space(track, name, "--cars") for name in names]
    twice = next((space for k, space in enumerate(spaces) if space in spaces[:k] or space == own), None)
    if twice is not None:
        raise BadInput(f"--cars: two cars cannot stand on {track.name_of(twice)}")
    return frozenset(spaces)


def _table(track: Track, space: int, colour: Colour, value: int, found: tuple[Outcome, ...]) -> str:
    head = f"{track.name_of(space)}, {colour.value} {value}"
    lines = [
        (
            outcome.kind.value,
            track.name_of(outcome.end),
            _told(track, outcome),
            f"{outcome.line:+d}" if outcome.line else "",
        )
        for outcome in found
    ]
    return f"{head}\n\n{tabulated(('kind', 'ends on', 'what happens', 'line'), lines)}"


def _told(track: Track, outcome: Outcome) -> str:
    origin = "" if outcome.origin is None else track.name_of(outcome.origin)
    lost = outcome.kind.value == "pit" and outcome.end == STOP
    return WORDS[outcome.kind.value].format(origin=origin) + (", steps left over are lost" if lost else "")
