"""The rule texts that ship, their parser, and the command that shows them."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import rulekit
from rulekit.cli import cli
from rulekit.errors import BadInput, Fault, FileFaults
from rulekit.readings import Readings
from rulekit.rules import Reading, RuleText, find, games, load, parse, rule_ids
from rulekit.rules.page import markdown, page

PACKAGE = Path(rulekit.__file__).parent
ID = re.compile(r"\b(?:PB|X1|PS)-\d+\b")
COUNTS = {"powerboats": ("PB", 27), "expansion1": ("X1", 10), "ps": ("PS", 24)}
READINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "powerboats": {
        "reroll": ("PB-15", "any", "one"),
        "first-turn": ("PB-16", "may-stay", "must-roll"),
        "rounding": ("PB-10", "string", "line"),
        "behind": ("PB-13", "rows-2", "strip-only", "rows-1", "rows-4"),
        "carry": ("PB-24", "damaged-races", "at-most-one", "none"),
        "last-boat": ("PB-23", "races-on", "stops"),
        "two-player-score": ("PB-27", "auto", "on", "off"),
        "dice-stock": ("PB-4", "unlimited", "N"),
        "sink-at": ("PB-21", "4", "N"),
    },
    "expansion1": {
        "x1-border": ("X1-5", "out", "stop"),
        "x1-current": ("X1-7", "stays", "crash"),
        "x1-path": ("X1-10", "effects", "plain"),
        "x1-dice": ("X1-9", "fewest-dice", "most-dice"),
        "x1-clash": ("X1-3", "left-out", "error"),
    },
    "ps": {
        "triangle": ("PS-13", "required", "aid"),
        "line-crossing": ("PS-11", "ahead", "diagonal"),
        "exit-step": ("PS-12", "ahead", "flies"),
        "strike": ("PS-15", "forced-only", "free"),
        "start-entry": ("PS-8", "inner-ahead", "inner-beside"),
        "pit-entry": ("PS-21", "steps-lost", "exact"),
        "fuel": ("PS-22", "none", "limited", "full"),
    },
}
DIALS: dict[str, dict[str, tuple[str, str]]] = {
    "powerboats": {"faces": ("PB-4", "1/2/3"), "change": ("PB-15", "1"), "dice-max": ("PB-15", "6")},
    "expansion1": {},
    "ps": {},
}


def shape(reading: Reading) -> tuple[str, ...]:
    return reading.rule, *(answer.name for answer in reading.answers)


def raw(game: str) -> str:
    return (PACKAGE / "rules" / f"{game}.txt").read_text(encoding="utf-8")


def words(text: str) -> list[str]:
    return text.replace("*", " ").split()


# The texts


def test_every_game_has_expectations() -> None:
    assert set(COUNTS) == set(READINGS) == set(DIALS) == set(games())


@pytest.mark.parametrize("game", games())
def test_every_rule_id_stands_once_and_in_order(game: str) -> None:
    prefix, last = COUNTS[game]
    assert rule_ids(game) == tuple(f"{prefix}-{number}" for number in range(1, last + 1))
    assert rule_ids(game) == tuple(re.findall(rf"(?m)^({prefix}-\d+)  ", raw(game)))


@pytest.mark.parametrize("game", games())
def test_every_rule_says_something_and_cites_a_source(game: str) -> None:
    for rule in load(game).rules:
        assert rule.title, rule.id
        assert len(rule.text) > 40, rule.id
        assert rule.sources, rule.id


@pytest.mark.parametrize("game", games())
def test_every_reading_with_its_rule_default_and_answers(game: str) -> None:
    assert {reading.name: shape(reading) for reading in load(game).readings} == READINGS[game]
    assert {reading.name: reading.default for reading in load(game).readings} == {
        name: entry[1] for name, entry in READINGS[game].items()
    }


@pytest.mark.parametrize("game", games())
def test_a_rule_names_exactly_the_readings_that_name_it(game: str) -> None:
    text = load(game)
    for rule in text.rules:
        assert set(rule.readings) == {reading.name for reading in text.readings if reading.rule == rule.id}


@pytest.mark.parametrize("game", games())
def test_every_dial_with_its_rule_and_default(game: str) -> None:
    assert {dial.name: (dial.rule, dial.default) for dial in load(game).dials} == DIALS[game]


@pytest.mark.parametrize(("game", "count"), [("powerboats", 9), ("expansion1", 1), ("ps", 7)])
def test_golden_examples_are_numbered_and_show_known_rules(game: str, count: int) -> None:
    examples = load(game).examples
    assert [example.number for example in examples] == list(range(1, count + 1))
    for example in examples:
        assert example.text
        assert example.rules
        assert set(example.rules) <= set(rule_ids(game))


def test_what_marks_must_say_is_a_note_of_ps() -> None:
    (note,) = load("ps").notes
    assert note.title == "What a curve's marks must say"
    for word in ("triangle", "σ", "μ", "idle", "closed", "deadly", "in front of"):
        assert word in note.text, word


def test_points_of_five_boats_follow_the_formula_of_the_rule() -> None:
    (example,) = [example for example in load("powerboats").examples if example.rules == ("PB-25",)]
    told = [[int(number) for number in run.split()] for run in re.findall(r"(?:\d+ ){4}\d+", example.text)]
    assert told == [[k * (5 - place) for place in range(1, 6)] for k in (1, 2, 3)]


def test_every_rule_id_in_the_package_stands_in_the_texts() -> None:
    known = set(rule_ids())
    found = {
        (path.name, rule)
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in (".py", ".txt")
        for rule in ID.findall(path.read_text(encoding="utf-8"))
    }
    assert len({rule for _, rule in found}) == len(known)
    assert not {(name, rule) for name, rule in found if rule not in known}


def test_no_line_is_wider_than_a_terminal() -> None:
    for game in games():
        assert max(map(len, raw(game).splitlines())) < 80


# The texts against the readings that the engines use


def readings_classes() -> list[type[Readings]]:
    return Readings.__subclasses__()


def names_of(text: RuleText) -> set[str]:
    return {reading.name for reading in text.readings} | {dial.name for dial in text.dials}


def told_by(kind: type[Readings]) -> list[RuleText]:
    """The texts that tell any reading or dial of the class."""
    own = set(kind().answers())
    return [text for text in map(load, games()) if own & names_of(text)]


@pytest.mark.parametrize("kind", readings_classes())
def test_texts_and_engine_know_the_same_readings(kind: type[Readings]) -> None:
    texts = told_by(kind)
    told = {reading.name: reading.default for text in texts for reading in text.readings}
    told |= {dial.name: dial.default for text in texts for dial in text.dials}
    assert told == kind().answers()


@pytest.mark.parametrize("kind", readings_classes())
def test_texts_and_engine_know_the_same_answers_and_rules(kind: type[Readings]) -> None:
    entries = {reading.name: reading for text in told_by(kind) for reading in text.readings}
    rules = {name: reading.rule for name, reading in entries.items()}
    rules |= {dial.name: dial.rule for text in told_by(kind) for dial in text.dials}
    for entry in fields(kind):
        name = entry.name.replace("_", "-")
        assert entry.metadata["rule"] == rules[name], name
        if isinstance(entry.default, Enum):
            members = {member.value for member in type(entry.default)}
            assert members == {answer.name for answer in entries[name].answers}, name


@pytest.mark.parametrize("kind", readings_classes())
def test_every_answer_of_the_texts_is_taken_by_the_engine(kind: type[Readings]) -> None:
    for text in told_by(kind):
        for reading in text.readings:
            for answer in reading.answers:
                value = "7" if answer.name == "N" else answer.name
                assert kind.parse([f"{reading.name}={value}"]).answers()[reading.name] == value


# Looking rules up


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("PB-28", "PB-27"),
        ("PB-0", "PB-1"),
        ("PB12", "PB-12"),
        ("pbb-12", "PB-12"),
        ("X2-3", "X1-3"),
        ("ps 99", "PS-24"),
    ],
)
def test_an_unknown_rule_has_a_near_miss(asked: str, near: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"there is no rule '{asked}' (did you mean '{near}'?)")):
        find(asked)


def test_a_rule_far_from_any_other_has_no_near_miss() -> None:
    with pytest.raises(BadInput, match=r"there is no rule 'damage'; the rules are PB-1 to PB-27, X1-1 to X1-10, PS-1"):
        find("damage")


def test_a_rule_is_looked_for_in_the_named_games_only() -> None:
    assert find("x1-4", "powerboats", "expansion1").id == "X1-4"
    with pytest.raises(BadInput, match=r"the rules are PS-1 to PS-24$"):
        find("X1-4", "ps")


def test_an_unknown_game_has_a_near_miss() -> None:
    with pytest.raises(BadInput, match=re.escape("there is no game 'expansion' (did you mean 'expansion1'?)")):
        load("expansion")


# The parser

TINY = """\
Tiny
====

A game of two rules,
told in two lines.

Sources
-------
R  Ours, and
    nobody else's.

Play
----
T-1  Begin
    Throw a die.

    * One: you lose.
    * Two: you win,
      at once.

    Sources: R
    Readings: again

T-2  End
    Stop.

    Sources: R

Readings
--------
again  Once more?
    Default: no = never
    Other: yes = always,
        whatever happens
    Rule: T-1
    Source: R

Dials
-----
faces  Faces of the die
    Default: 2
    Form: a number
    Rule: T-1
    Source: R

Golden examples
---------------
1  A win
    Two.

    Rules: T-1
"""


def test_a_text_is_read_into_values() -> None:
    text = parse("tiny", TINY, "tiny.txt")
    assert (text.game, text.title) == ("tiny", "Tiny")
    assert text.intro == "A game of two rules, told in two lines."
    assert text.sources[0].meaning == "Ours, and nobody else's."
    assert [rule.id for rule in text.rules] == ["T-1", "T-2"]
    assert text.rules[0].text == "Throw a die.\n\n* One: you lose.\n\n* Two: you win, at once."
    assert (text.rules[0].sources, text.rules[0].readings) == (("R",), ("again",))
    assert text.rules[1].section == "Play"
    assert text.readings[0].answers[1].meaning == "always, whatever happens"
    assert (text.dials[0].default, text.dials[0].form) == ("2", "a number")
    assert (text.examples[0].number, text.examples[0].rules) == (1, ("T-1",))


def test_a_section_of_bare_text_is_a_note() -> None:
    text = parse("tiny", TINY.replace("Readings\n-----", "Aside\n-----\nBy the way.\n\n* So.\n\nReadings\n-----"), "t")
    assert [(note.title, note.text) for note in text.notes] == [("Aside", "By the way.\n\n* So.")]


class Damage(NamedTuple):
    """A change of the tiny text, and the fault due: the line that it is found at, its code, words of its message."""

    old: str
    new: str
    at: str
    code: str
    message: str


ANSWER = "    Other: yes = always,\n        whatever happens\n"
DAMAGES = {
    "no title": Damage("Tiny\n====\n\n", "", "A game", "title", "the text begins with its title"),
    "a second title": Damage("Play\n----", "Play\n====", "Play", "title", "the first heading, and no other"),
    "no underline": Damage("Play\n----\n", "Play\n", "Play", "entry", "parted by two spaces"),
    "one space behind the id": Damage("T-2  End", "T-2 End", "T-2 End", "entry", "parted by two spaces"),
    "text behind the fields": Damage("R\n\nReadings", "R\n\n    More.\n\nReadings", "    More.", "field", "text after"),
    "no rule id": Damage("T-2  End", "T2  End", "T2", "rule-id", "'T2' is no rule id"),
    "a number left out": Damage("T-2  End", "T-3  End", "T-3", "number", "'T-3' stands where 'T-2' is due"),
    "another prefix": Damage("T-2  End", "U-2  End", "U-2", "number", "'U-2' stands where 'T-2' is due"),
    "twice": Damage("T-2  End", "T-1  End", "T-1  End", "duplicate", "'T-1' stands twice"),
    "no source": Damage("Stop.\n\n    Sources: R\n", "Stop.\n", "T-2", "field", "'T-2' has no field 'Sources'"),
    "sources twice": Damage("Readings: again", "Sources: R", "T-1", "field", "'T-1' has 2 fields 'Sources'"),
    "an unknown field": Damage("Readings: again", "Reading: x", "    Reading:", "field", "did you mean 'Readings'?"),
    "an unknown source": Damage("Stop.\n\n    Sources: R", "Stop.\n\n    Sources: Q", "T-2", "source", "no source 'Q'"),
    "an unknown reading": Damage("Readings: again", "Readings: agian", "T-1", "reading", "did you mean 'again'?"),
    "a reading of no rule": Damage("happens\n    Rule: T-1", "happens\n    Rule: T-9", "again", "reading", "'T-9'"),
    "no other answer": Damage(ANSWER, "", "again", "field", "no other answer than the default"),
    "an answer without a meaning": Damage("no = never", "never", "    Default: never", "field", "NAME = MEANING"),
    "a dial without a default": Damage("    Default: 2\n", "", "faces", "field", "'faces' has no field 'Default'"),
    "a field of another section": Damage(
        "Form: a number", "Other: 3", "    Other: 3", "field", "no field 'Other' here"
    ),
    "an example without a number": Damage(
        "1  A win", "I  A win", "I  A win", "entry", "an example's key is its number"
    ),
    "an example left out": Damage("1  A win", "2  A win", "2  A win", "number", "'2' stands where '1' is due"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_fault_is_told_with_its_line(name: str) -> None:
    damage = DAMAGES[name]
    assert TINY.count(damage.old) == 1
    text = TINY.replace(damage.old, damage.new)
    line = next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(damage.at))
    with pytest.raises(FileFaults) as raised:
        parse("tiny", text, "tiny.txt")
    found = [fault for fault in raised.value.faults if (fault.path, fault.line) == ("tiny.txt", line)]
    assert any(fault.code == damage.code and damage.message in fault.message for fault in found), raised.value


def test_all_faults_of_a_stage_are_told() -> None:
    text = TINY.replace("    Default: 2\n", "").replace("1  A win", "I  A win").replace("T-2  End", "T2  End")
    with pytest.raises(FileFaults) as raised:
        parse("tiny", text, "tiny.txt")
    assert {fault.code for fault in raised.value.faults} == {"field", "entry", "rule-id"}


@pytest.mark.parametrize("text", ["", "\n\n", "   \n"])
def test_an_empty_text_is_a_fault(text: str) -> None:
    with pytest.raises(FileFaults):
        parse("tiny", text, "tiny.txt")


LINES = ["", "----", "====", "T-1  x", "    Rule: T-1", "  y", "z", "Sources", *TINY.splitlines()]


@given(st.data())
def test_a_damaged_text_gives_a_value_or_faults_with_lines(data: st.DataObject) -> None:
    lines = TINY.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines)))
        lines[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(st.sampled_from(LINES), max_size=2))
    faults: Sequence[Fault] = ()
    try:
        assert isinstance(parse("tiny", "\n".join(lines), "tiny.txt"), RuleText)
    except FileFaults as raised:
        faults = raised.faults
    assert all(fault.line and 1 <= fault.line <= len(lines) for fault in faults)


# Pages


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("width", [40, 80, 96])
def test_a_page_has_every_word_within_the_width(game: str, width: int) -> None:
    text = load(game)
    shown = page(text, width)
    assert max(map(len, shown.splitlines())) <= width
    flowing = " ".join(words(shown))
    for body in (*(rule.text for rule in text.rules), *(note.text for note in text.notes), text.intro):
        assert " ".join(words(body)) in flowing
    for reading in text.readings:
        assert reading.question in flowing
        assert all(" ".join(words(answer.meaning)) in flowing for answer in reading.answers)


@pytest.mark.parametrize("game", games())
def test_a_markdown_page_has_a_heading_for_each_rule(game: str) -> None:
    shown = markdown(load(game))
    assert re.findall(r"(?m)^### ([A-Z0-9]+-\d+) ", shown) == list(rule_ids(game))
    assert re.findall(r"(?m)^### `([a-z0-9-]+)` ", shown) == [*READINGS[game], *DIALS[game]]


# The command


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["rules", *args])


def test_help_has_examples() -> None:
    assert "rulekit rules --rule PB-12" in run("--help").output


def test_without_a_game_every_rule_is_shown() -> None:
    outcome = run()
    assert outcome.exit_code == 0
    assert set(re.findall(r"(?m)^([A-Z0-9]+-\d+)  ", outcome.stdout)) == set(rule_ids())


def test_a_game_is_shown_alone_in_eighty_columns() -> None:
    outcome = run("ps")
    assert set(re.findall(r"(?m)^([A-Z0-9]+-\d+)  ", outcome.stdout)) == set(rule_ids("ps"))
    assert max(map(len, outcome.stdout.splitlines())) <= 80


def test_json_has_the_common_head_and_a_row_for_each_rule() -> None:
    data = json.loads(run("expansion1", "-f", "json").stdout)
    assert (data["rulekit"], data["command"], data["seed"]) == (rulekit.__version__, "rules", None)
    assert [row["id"] for row in data["rows"]] == list(rule_ids("expansion1"))
    assert data["readings"] == {name: entry[1] for name, entry in READINGS["expansion1"].items()}
    assert set(data["texts"][0]["sources"]) == {"S", "D", "R"}


def test_single_rules_bring_their_readings_examples_and_cited_sources() -> None:
    data = json.loads(run("--rule", "pb-15", "--rule", "X1-9,PS-3", "-f", "json").stdout)
    assert [row["id"] for row in data["rows"]] == ["PB-15", "X1-9", "PS-3"]
    assert data["readings"] == {"reroll": "any", "change": "1", "dice-max": "6", "x1-dice": "fewest-dice"}
    powerboats, _, ps = data["texts"]
    assert set(powerboats["sources"]) == {"S", "B", "R"}
    assert [example["number"] for example in powerboats["examples"]] == [1, 3, 4, 5]
    assert ps["examples"] == []


def test_only_readings_and_dials() -> None:
    data = json.loads(run("powerboats", "--readings", "-f", "json").stdout)
    assert [(row["name"], row["kind"]) for row in data["rows"]] == [
        *((name, "reading") for name in READINGS["powerboats"]),
        *((name, "dial") for name in DIALS["powerboats"]),
    ]
    shown = run("powerboats", "--readings").stdout
    assert "reroll  How many" in shown
    assert not re.search(r"(?m)^PB-\d+  ", shown)


def test_a_rule_without_readings_says_so() -> None:
    outcome = run("--rule", "PB-18", "--readings")
    assert outcome.exit_code == 0
    assert outcome.stdout == ""
    assert "no reading" in outcome.stderr
    assert run("--rule", "PB-18", "--readings", "-q").stderr == ""


@pytest.mark.parametrize("fmt", ["table", "json", "csv", "markdown"])
def test_every_format_shows_the_rule_asked_for(fmt: str) -> None:
    outcome = run("--rule", "PS-24", "-f", fmt)
    assert outcome.exit_code == 0
    assert "PS-24" in outcome.stdout
    assert "PS-23" not in outcome.stdout


def test_a_file_has_no_escape_codes(tmp_path: Path) -> None:
    file = tmp_path / "ps.txt"
    assert run("ps", "--color", "-o", str(file)).exit_code == 0
    assert "\x1b" not in file.read_text(encoding="utf-8")
    assert "\x1b[1m" in run("ps", "--color").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--rule", "PB-28"), "did you mean 'PB-27'?"),
        (("--rule", ""), "there is no rule ''"),
        (("ps", "--rule", "PB-12"), "the rules are PS-1 to PS-24"),
        (("powerboat",), "did you mean 'powerboats'?"),
    ],
)
def test_bad_input_ends_with_a_message_and_two(args: tuple[str, ...], message: str) -> None:
    outcome = run(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert outcome.stdout == ""
