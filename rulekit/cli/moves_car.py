"""The moves of a car: rows and table."""

from collections.abc import Callable
from typing import Any

from rulekit.cli.output import Output, tabulated
from rulekit.errors import BadInput, did_you_mean
from rulekit.files.track import TrackFile
from rulekit.ps.dice import FACES, Colour, can_show
from rulekit.ps.moves import Outcome, outcomes
from rulekit.ps.track import PIT_LONG, PIT_SHORT, Track
from rulekit.readings import PitEntry, PsReadings

Rows = list[dict[str, Any]]
WORDS = {
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
    head, words = f"{track.name_of(space)}, {colour.value} {value}", _words(colour, value, readings)
    return [row(track, outcome) for outcome in found], readings, lambda: _table(head, words, track, found)


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
    if name.startswith("box "):
        raise BadInput(f"{option}: '{text}': `moves` answers for cars on the track, not in start boxes (PS-8)")
    raise BadInput(f"{option}: there is no space '{text}'{did_you_mean(name, track.by_name)}; "
                   "a space is named section lane first-column, such as 'main left 3'")  # fmt: skip


def _others(track: Track, names: tuple[str, ...], own: int) -> frozenset[int]:
    spaces = [_space(track, name, "--cars") for name in names]
    twice = next((space for k, space in enumerate(spaces) if space in spaces[:k] or space == own), None)
    if twice is not None:
        raise BadInput(f"--cars: two cars cannot stand on {track.name_of(twice)}")
    return frozenset(spaces)


def _words(colour: Colour, value: int, readings: PsReadings) -> dict[str, str]:
    """What ends of this die's moves mean: only blue may leave steps unused (PS-9), a stop loses them (PS-21)."""
    steps = f"1 to {value} steps made" if colour is Colour.BLUE and value > 1 else "all steps made"
    lost = ", steps left over are lost" if readings.pit_entry is PitEntry.STEPS_LOST else ""
    return WORDS | {"move": steps, "pit": WORDS["pit"] + lost}


def _table(head: str, words: dict[str, str], track: Track, found: tuple[Outcome, ...]) -> str:
    lines = [
        (
            outcome.kind.value,
            track.name_of(outcome.end),
            words[outcome.kind.value].format(origin="" if outcome.origin is None else track.name_of(outcome.origin)),
            f"{outcome.line:+d}" if outcome.line else "",
        )
        for outcome in found
    ]
    return f"{head}\n\n{tabulated(('kind', 'ends on', 'what happens', 'line'), lines)}"
