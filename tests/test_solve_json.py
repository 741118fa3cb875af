"""Numbers of `solve` that JSON and people could misread: negative zeros, infinities."""

import json
from typing import Any

import pytest
from test_solve_command import pond, run, told

from rulekit.solve import passage

__all__ = ["pond"]


def test_a_deadline_that_cannot_be_met_has_a_chance_of_plain_zero(pond: str) -> None:
    args = pond, "--dice-max", "1", "--objective", "deadline", "--within", "1"
    assert told(*args)["value"] == 0
    for form in ("json", "table"):
        assert "-0" not in run(*args, "-f", form).stdout.replace("start-0", "")


def strict(text: str) -> Any:
    """JSON without Infinity and NaN."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    return json.loads(text, parse_constant=refuse)


def test_json_holds_null_where_a_race_goes_on_after_the_last_turn_followed(
    pond: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage, "MOST_TURNS", 9)
    args = pond, "--dice-max", "2"
    found = strict(run(*args, "-f", "json").stdout)
    assert (found["turns"], found["value"] > 0) == (None, True)
    for form in ("csv", "table"):
        assert "inf" not in run(*args, "-f", form).stdout
    assert "goes on after 9 turns in " in run(*args).stdout
