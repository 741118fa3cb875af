"""Saved policies: read back as they were, refused for anything else."""

import json
import os
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up import course_on, lake_from
from test_tables import POND, numbered, pond

from rulekit.errors import BadInput, RulekitError, Unreadable
from rulekit.hexgrid import Facing
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.move import landings
from rulekit.solve.bounds import solve
from rulekit.solve.policy import best_policy
from rulekit.solve.saved import packed, read_saved, unpacked
from rulekit.solve.tables import Numbered

FOUND = numbered(pond(), "dice-max=2", "sink-at=2")


@pytest.fixture(scope="module")
def data() -> bytes:
    """A saved race of the pond."""
    solution = solve(FOUND.race, sunk=30.0)
    return packed(solution, best_policy(solution), FOUND.waters)


def test_everything_comes_back(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "best.npz"
    path.write_bytes(data)
    saved, solution = read_saved(path, FOUND), solve(FOUND.race, sunk=30.0)
    policy = best_policy(solution)
    assert np.array_equal(saved.solution.states(), solution.states())
    assert (saved.solution.sunk, saved.solution.low, saved.solution.high) == (30.0, solution.low, solution.high)
    state = FOUND.state(FOUND.starts[0])
    assert saved.solution.bounds(*state) == solution.bounds(*state)
    for hand in range(FOUND.race.dice.hands.count):
        state = (*state[:4], hand)
        assert saved.policy.dice_choice(*state) == policy.dice_choice(*state)
        assert saved.policy.direction(*state) == policy.direction(*state)


def test_the_same_race_gives_the_same_bytes(data: bytes) -> None:
    solution = solve(FOUND.race, sunk=30.0)
    assert packed(solution, best_policy(solution), FOUND.waters) == data


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (numbered(pond(), "dice-max=3", "sink-at=2"), r"dice-max=2 \(here 3\)"),
        (numbered(pond(), "dice-max=2", "sink-at=2", "reroll=one"), r"reroll=any \(here one\)"),
        (
            numbered(course_on(lake_from(POND), "C2", "W", [("C3", "auto")], strip=1), "dice-max=2", "sink-at=2"),
            "another course",
        ),
    ],
)
def test_another_course_or_other_readings_are_refused(data: bytes, other: Numbered, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        unpacked(data, "best.npz", other)


def test_what_does_not_matter_is_not_asked(data: bytes) -> None:
    renamed = replace(pond(), name="another name")
    unpacked(data, "best.npz", numbered(renamed, "dice-max=2", "sink-at=2", "behind=strip-only", "carry=none"))


def changed(data: bytes, **arrays: Any) -> bytes:
    """The file with some of its arrays replaced; head keys go by `head`."""
    with np.load(BytesIO(data)) as archive:
        held = {name: archive[name] for name in archive.files}
    if isinstance(arrays.get("head"), dict):
        arrays["head"] = np.array(json.dumps({**json.loads(str(held["head"])), **arrays["head"]}))
    out = BytesIO()
    np.savez(out, **{**held, **arrays})
    return out.getvalue()


def test_another_version_is_told(data: bytes) -> None:
    with pytest.raises(BadInput, match="rulekit/policy-2"):
        unpacked(changed(data, head={"format": "rulekit/policy-2"}), "best.npz", FOUND)


def test_decisions_that_compiled_code_could_not_trust_are_refused(data: bytes) -> None:
    with np.load(BytesIO(data)) as archive:
        choice, steer = archive["choice"], archive["steer"]
    bad = [
        changed(data, choice=np.full_like(choice, 30000)),
        changed(data, choice=np.full_like(choice, -1)),
        changed(data, choice=np.full_like(choice, int(choice.max()))),
        changed(data, steer=np.full_like(steer, 3)),
        changed(data, steer=steer[:1]),
        changed(data, choice=choice.astype(np.int32)),
        changed(data, choice=np.array([{"a": 1}], dtype=object)),
    ]
    for found in bad:
        with pytest.raises(Unreadable, match=r"best\.npz"):
            unpacked(found, "best.npz", FOUND)


def test_illegal_directions_are_refused(data: bytes) -> None:
    """They would leave the lake in one turn, as if the boat had finished."""
    with np.load(BytesIO(data)) as archive:
        steer = archive["steer"]
    one = steer.copy()
    illegal = next(at for at in product(*map(range, steer.shape)) if legal_steers(at) == {1})
    one[illegal] = 0
    for bad in (np.zeros_like(steer), one):
        with pytest.raises(Unreadable, match="illegal directions"):
            unpacked(changed(data, steer=bad), "best.npz", FOUND)


def legal_steers(at: tuple[int, ...]) -> set[int]:
    """By the rules engine: 0 right, 1 straight, 2 left."""
    damage, progress, place, hand, facing = at
    dice = FOUND.race.dice.hands.tuple_of(hand)
    boat = Boat(FOUND.hexes[place], Facing(facing), dice, progress, damage)
    return {(landing.steer - facing + 1) % 6 for landing in landings(FOUND.waters, boat)}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sink_cost", "abc"), ("sink_cost", float("nan")), ("sink_cost", float("inf")), ("sink_cost", -1),
        ("sink_cost", None), ("sink_cost", True), ("low", "x"), ("low", 2.0), ("high", float("nan")),
        ("high", float("inf")), ("sweeps", [1]), ("readings", 7), ("readings", None),
    ],
)  # fmt: skip
def test_heads_that_make_no_sense_are_refused(data: bytes, key: str, value: Any) -> None:
    with pytest.raises(Unreadable, match=r"best\.npz is no policy saved"):
        unpacked(changed(data, head={key: value}), "best.npz", FOUND)


@pytest.mark.parametrize("bad", [float("nan"), -1.0, float("-inf")])
def test_values_that_are_no_turns_are_refused(data: bytes, bad: float) -> None:
    with np.load(BytesIO(data)) as archive:
        values = archive["values"]
    values[0, 0, 0, 0, 0] = bad
    for wrong in (values, values.astype(np.float32), values[..., :5], values.astype(str)):
        with pytest.raises(Unreadable, match="its values"):
            unpacked(changed(data, values=wrong), "best.npz", FOUND)


def test_pickles_are_refused_in_plain_words(data: bytes) -> None:
    for array in ("values", "head"):
        with pytest.raises(Unreadable, match="or it is damaged") as caught:
            unpacked(changed(data, **{f"{array}": np.array([{"a": 1}], dtype=object)}), "best.npz", FOUND)
        assert "pickle" not in str(caught.value)


def test_pipes_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "best.npz")
    with pytest.raises(Unreadable, match="no regular file"):
        read_saved(tmp_path / "best.npz", FOUND)


@pytest.mark.parametrize("cut", [0, 1, 30, 200, 2000])
def test_damaged_files_are_refused(data: bytes, cut: int) -> None:
    for found in (data[:cut], data[cut + 1 :], b"x" * cut):
        with pytest.raises(RulekitError, match=r"best\.npz"):
            unpacked(found, "best.npz", FOUND)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read_saved(tmp_path / "none.npz", FOUND)
    with pytest.raises(Unreadable, match="directory"):
        read_saved(tmp_path, FOUND)
