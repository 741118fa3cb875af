"""Plans of sweeps: what they say, and every fault at its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.errors import FileFaults, RulekitError
from rulekit.files import plan as plan_module
from rulekit.files.plan import Plan, read_plan
from rulekit.files.source import Source

HEAD = 'format = "rulekit/sweep-1"\nname = "Pond"\nlakes = ["practice"]\n'
WHOLE = """\
format = "rulekit/sweep-1"
name = "Everything"
lakes = ["lagoon", "skerries"]
layouts = "shuffled"
sides = "dark"
letters = ["C", "A"]
readings = ["", "sink-at=3, dice-max=2"]
dice-max = 5
sample = 7
seed = 11
figures = ["risk", "route"]
sink-cost = 20
slack = 3
tolerance = 0.5
races = 10
policies = ["solo,solo", "greedy,cautious,random"]
"""


def plan(text: str) -> Plan:
    return read_plan(Source("plan.toml", text, Path()))


def faults(text: str) -> list[str]:
    with pytest.raises(FileFaults) as raised:
        plan(text)
    return [str(fault) for fault in raised.value.faults]


def test_a_short_plan_has_sensible_rest() -> None:
    found = plan(HEAD)
    assert found.letters == ("A", "B", "C")
    assert found.figures == ("route", "race", "risk", "fewest")
    assert [str(reading) for reading in found.readings] == ["dice-max=4"]
    assert (found.shuffled, found.layouts, found.sample, found.seed, found.races) == (False, None, None, 0, 0)
    assert (found.sink_cost, found.slack, found.tolerance, found.policies) == (50.0, 8, 0.01, ("",))


def test_a_whole_plan() -> None:
    found = plan(WHOLE)
    assert [file.lake.name for file in found.lakes] == ["Lagoon", "Skerries"]
    assert (found.shuffled, found.sides, found.letters) == (True, "dark", ("A", "C"))
    assert [str(reading) for reading in found.readings] == ["dice-max=5", "sink-at=3,dice-max=2"]
    assert (found.sample, found.seed, found.figures) == (7, 11, ("route", "risk"))
    assert (found.sink_cost, found.slack, found.tolerance) == (20.0, 3, 0.5)
    assert (found.races, found.policies) == (10, ("solo,solo", "greedy,cautious,random"))


def test_layouts_of_its_own() -> None:
    found = plan(HEAD.replace("practice", "lagoon") + 'layouts = [["1 2 3", "4 5r 6*"], ["6 5 4", "3 2 1"]]\n')
    assert found.layouts is not None
    assert [len(layout) for layout in found.layouts] == [2, 2]
    assert not found.shuffled


def test_the_example_of_the_docstring_is_a_plan() -> None:
    text = str(plan_module.__doc__).split("```")[1].removeprefix("toml\n")
    found = plan(text)
    assert found.sample == 20000
    assert found.policies == ("solo,solo,greedy",)


def test_all_faults_at_once_with_their_places() -> None:
    told = faults(HEAD + 'leters = ["A"]\nletters = ["D", "a"]\nsample = 0\ntolerance = "fine"\nraces = -1\n')
    assert told == [
        "plan.toml:4:1: error: unknown key 'leters' (did you mean 'letters'?) [unknown-key]",
        "plan.toml:5:12: error: 'letters' must be 'A', 'B' or 'C', not 'D' [value]",
        "plan.toml:5:17: error: 'letters' must be 'A', 'B' or 'C', not 'a' (did you mean 'A'?) [value]",
        "plan.toml:6:10: error: 'sample' must be from 1 to 5000000, not 0 [value]",
        "plan.toml:7:13: error: 'tolerance' must be a number [type]",
        "plan.toml:8:9: error: 'races' must be from 0 to 1000000, not -1 [value]",
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('readings = ["rerol=one"]', "plan.toml:4:13: error: there is no reading 'rerol' (did you mean 'reroll'?)"),
        ('readings = ["", "dice-max=none"]', "plan.toml:4:17: error: a sweep needs a limit on a boat's dice"),
        ('readings = ["", "dice-max=4"]', "plan.toml:4:17: error: 'dice-max=4' means the same as a reading before it"),
        ("letters = []", "plan.toml:4:11: error: 'letters' is empty: there is nothing to sweep"),
        ('letters = ["A", "A"]', "plan.toml:4:17: error: 'A' stands in 'letters' already"),
        ("letters = [1]", "plan.toml:4:12: error: 'letters' wants texts in quotes"),
        ('letters = "A"', "plan.toml:4:11: error: 'letters' must be a list [ … ], not 'A'"),
        ('figures = ["rout"]', "plan.toml:4:12: error: 'figures' must be"),
        ('layouts = "shufled"', "plan.toml:4:11: error: 'layouts' must be 'own' or 'shuffled', not 'shufled' (did"),
        ('layouts = ["1 2 3"]', "plan.toml:4:12: error: a layout is a list of rows"),
        ('layouts = [["1 ?"]]', "plan.toml:4:12: error: '?' is no tile of a layout"),
        ('layouts = [["1"], ["1"]]', "plan.toml:4:19: error: this layout stands in 'layouts' already"),
        ('layouts = "shuffled"', "plan.toml:3:10: error: the lake 'Practice pond' has no tiles"),
        ('sides = "dark"', "plan.toml:4:9: error: 'sides' tells which side of shuffled tiles is up"),
        ('policies = ["solo,solo"]', "plan.toml:4:12: error: 'policies' need races"),
        ("sink-cost = true", "plan.toml:4:13: error: 'sink-cost' must be a number"),
        ("slack = 1e9", "plan.toml:4:9: error: 'slack' must be a whole number"),
        ("seed = -1", "plan.toml:4:8: error: 'seed' must be from 0 to 9223372036854775807, not -1"),
    ],
)
def test_a_fault(more: str, told: str) -> None:
    assert any(one.startswith(told) for one in faults(HEAD + more + "\n")), faults(HEAD + more + "\n")


@pytest.mark.parametrize(
    ("lakes", "told"),
    [
        ('["lagon"]', "no lake 'lagon' ships with rulekit (did you mean 'lagoon'?)"),
        ('["../x.toml"]', "lies outside this file's folder"),
        ('["x.toml"]', "there is no file x.toml"),
        ('["lagoon-a"]', "has faults, told behind this one"),
        ("[]", "'lakes' is empty"),
    ],
)
def test_lakes_that_cannot_be_swept(lakes: str, told: str) -> None:
    assert any(told in one for one in faults(HEAD.replace('["practice"]', lakes)))


def test_one_lake_under_two_names(tmp_path: Path) -> None:
    text = read_plan(Source("plan.toml", HEAD, Path())).lakes[0].source.text
    (tmp_path / "copy.toml").write_text(text)
    told = HEAD.replace('["practice"]', '["practice", "copy.toml"]')
    with pytest.raises(FileFaults) as raised:
        read_plan(Source("plan.toml", told, tmp_path))
    assert "plan.toml:3:22: error: the lake 'copy.toml' is the same as 'practice'" in str(raised.value.faults[0])
    (tmp_path / "copy.toml").write_text(text + "# another\n")
    assert len(read_plan(Source("plan.toml", told, tmp_path)).lakes) == 2


def test_a_layout_that_a_lake_cannot_be_laid_in() -> None:
    told = faults(HEAD.replace("practice", "lagoon") + 'layouts = [["1 2 3", "4 5 7"]]\n')
    assert told == ["plan.toml:4:12: error: there is no tile '7' in this lake (PB-1) [layout-tile]"]


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("", 'the first key must tell the format: format = "rulekit/sweep-1"'),
        ('format = "rulekit/sweep-2"', "this rulekit reads version 1 of the sweep format, not version 2"),
        ('format = "rulekit/course-1"', "this is a course, where a plan of a sweep is needed"),
        ('format = "rulekit/sweeep-1"', "(did you mean 'rulekit/sweep-1'?)"),
        ("format = 3", "'format' must be 'rulekit/sweep-1', not 3"),
        ("format =", "not TOML"),
    ],
)
def test_another_format(head: str, told: str) -> None:
    found = faults(head + "\n")
    assert len(found) == 1
    assert told in found[0]


@given(st.data())
def test_random_edits_give_a_plan_or_clear_faults(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(WHOLE)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.text(alphabet="ab=[]\"'10-.,#\n {}", max_size=6))
    told = "a plan"
    try:
        plan(WHOLE[:at] + put + WHOLE[at + cut :])
    except RulekitError as fault:
        told = str(fault)
    assert told
