"""Saved policies: read back as they were, refused for anything else."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up import course_on, lake_from
from test_tables import POND, numbered, pond

from rulekit.errors import BadInput, RulekitError, Unreadable
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
    if "head" in arrays:
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
