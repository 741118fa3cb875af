"""A solved race as a file: the policy and its values, bound to the course and readings that they are for."""

import json
import zipfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit import __version__
from rulekit.errors import BadInput, Unreadable
from rulekit.powerboats.course import Course
from rulekit.powerboats.waters import Waters
from rulekit.solve.bounds import Solution, empty_levels
from rulekit.solve.model import Race
from rulekit.solve.policy import Policy, legal_policy
from rulekit.solve.tables import Numbered

FORMAT = "rulekit/policy-1"
FAULTS = (
    ValueError, KeyError, OSError, EOFError, TypeError, AttributeError, ArithmeticError, RuntimeError, MemoryError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What numpy, zipfile and json raise for damaged data."""


class Damaged(ValueError):
    """A saved race that contradicts itself or the rules, in words for people."""


SOLO_READINGS = (
    "reroll", "first-turn", "rounding", "dice-stock", "sink-at", "x1-border", "x1-current", "x1-path", "x1-dice",
    "faces", "change", "dice-max",
)  # fmt: skip
"""The readings and dials that a solo race depends on once it has begun."""


@dataclass(frozen=True)
class Saved:
    """What a file holds: the values with their bounds, and the policy that was best by them."""

    solution: Solution
    policy: Policy


def course_key(course: Course) -> str:
    """A hash of all that a race depends on; the course's name and its lake's do not matter."""
    told = (
        sorted(map(tuple, course.lake.water)), sorted(map(tuple, course.lake.land)), tuple(course.start_buoy),
        int(course.strip_side), course.strip_length, [(tuple(buoy.at), int(buoy.arrow or 0)) for buoy in course.buoys],
        int(course.start or 0), int(course.finish or 0),
        [(tile.kind.value, [*map(tuple, tile.hexes)], [*map(int, (*tile.flow, *tile.spin, *tile.rocks))])
         for tile in course.tiles],
    )  # fmt: skip
    return sha256(repr(told).encode()).hexdigest()


def solo_readings(waters: Waters) -> dict[str, str]:
    """The answers that a saved policy is bound to."""
    answers = waters.readings.answers()
    return {name: answers[name] for name in SOLO_READINGS}


def packed(solution: Solution, policy: Policy, waters: Waters) -> bytes:
    """The file of a solved race: a numpy archive without pickled objects."""
    head = {
        "format": FORMAT, "rulekit": __version__, "name": waters.course.name, "course": course_key(waters.course),
        "readings": solo_readings(waters), "sink_cost": solution.sunk, "low": solution.low, "high": solution.high,
        "sweeps": solution.sweeps, "computed": solution.computed,
    }  # fmt: skip
    arrays = {
        "head": np.array(json.dumps(head)),
        "values": np.ascontiguousarray(solution.states()),
        "choice": decisions(solution.race, policy.choice),
        "steer": decisions(solution.race, policy.steer),
    }
    return _archive(arrays)


def decisions(race: Race, flat: NDArray[Any]) -> NDArray[Any]:
    """[damage, progress, hex, hand, facing] of an array by cell."""
    shape = race.levels, race.progresses, race.hexes, race.dice.hands.count, 8
    return np.ascontiguousarray(flat[:, : race.rows * race.row_cells].reshape(shape)[..., :6])


def _archive(arrays: dict[str, NDArray[Any]]) -> bytes:
    """As numpy's own archives, packed fast rather than tight, and the same bytes every time."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            member = BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getbuffer(), compresslevel=1)
    return data.getvalue()


def read_saved(path: Path, numbered: Numbered) -> Saved:
    """The solved race of a file, for the course and readings that it was saved for.

    Raises Unreadable for a file that is none, BadInput for one of another course, other readings or another version.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise Unreadable(f"{path} is no regular file")
        data = path.read_bytes()
    except OSError as fault:
        raise Unreadable(f"{path}: {fault.strerror}") from None
    return unpacked(data, str(path), numbered)


def unpacked(data: bytes, name: str, numbered: Numbered) -> Saved:
    """The solved race in a file's bytes; `name` is what messages call it. Raises as `read_saved` does."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            head = json.loads(str(archive["head"]))
            _check_head(head, name, numbered.waters)
            return _restored(head, {key: archive[key] for key in ("values", "choice", "steer")}, numbered.race)
    except FAULTS as fault:
        why = f": {fault}" if isinstance(fault, Damaged) else ""
        raise Unreadable(f"{name} is no policy saved with `solve --save`, or it is damaged{why}") from None


def _check_head(head: dict[str, Any], name: str, waters: Waters) -> None:
    if head["format"] != FORMAT:
        raise BadInput(f"{name} has the format '{head['format']}': rulekit {__version__} reads '{FORMAT}'")
    if head["course"] != course_key(waters.course):
        raise BadInput(
            f"{name} was saved for another course: '{head['name']}' as it was then, "
            f"not '{waters.course.name}' as it is now; solve this one and --save it"
        )
    own = solo_readings(waters)
    then = head["readings"]
    differ = [f"{key}={then.get(key)} (here {own[key]})" for key in own if then.get(key) != own[key]]
    if differ:
        raise BadInput(f"{name} was saved under other readings: {', '.join(differ)}")


def _restored(head: dict[str, Any], arrays: dict[str, NDArray[Any]], race: Race) -> Saved:
    shape = race.levels, race.progresses, race.hexes, race.dice.hands.count, 6
    kinds = {"values": np.float64, "choice": np.int16, "steer": np.int8}
    for key, kind in kinds.items():
        if arrays[key].shape != shape or arrays[key].dtype != kind:
            raise Damaged(f"its {key} have another size")
    _check_numbers(head, arrays["values"])
    _check_decisions(arrays["choice"], arrays["steer"], race)
    levels = empty_levels(race, 0.0)
    bounds = (head[key] for key in ("low", "high", "sweeps", "computed"))
    solution = Solution(race, head["sink_cost"], levels, *bounds)
    solution.states()[:] = arrays["values"]
    policy = Policy(race, _cells(race, arrays["choice"]), _cells(race, arrays["steer"]))
    if not np.array_equal(decisions(race, legal_policy(policy).steer), arrays["steer"]):
        raise Damaged("it holds illegal directions")
    return Saved(solution, policy)


def _check_numbers(head: dict[str, Any], values: NDArray[Any]) -> None:
    for key, most in (("sink_cost", np.inf), ("low", head["high"]), ("high", np.inf), ("sweeps", np.inf)):
        if isinstance(head[key], bool) or not isinstance(head[key], int | float) or not 0 <= head[key] <= most:
            raise Damaged(f"its {key} is no number that fits")
    if not all(np.isfinite(head[key]) for key in ("sink_cost", "high")):
        raise Damaged("its numbers are infinite")
    if not (values >= 0).all():
        raise Damaged("its values are no numbers of turns")


def _check_decisions(choice: NDArray[Any], steer: NDArray[Any], race: Race) -> None:
    """Compiled code trusts these numbers."""
    start, entries = race.dice.listed_choices
    legal = np.zeros((race.dice.hands.count, int(race.dice.throws.start[-1])), np.bool_)
    for hand in range(race.dice.hands.count):
        legal[hand, entries[start[hand] : start[hand + 1]]] = True
    if choice.min() < 0 or choice.max() >= legal.shape[1] or steer.min() < 0 or steer.max() > 2:
        raise Damaged("its decisions are out of range")
    if not legal[np.arange(legal.shape[0])[:, None], choice].all():
        raise Damaged("it holds illegal dice choices")


def _cells(race: Race, by_state: NDArray[Any]) -> NDArray[Any]:
    """By cell, the unused lanes 0."""
    found = np.zeros((*by_state.shape[:-1], 8), by_state.dtype)
    found[..., :6] = by_state
    return found.reshape(race.levels, -1)
