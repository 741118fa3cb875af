"""Transcripts as text: the round trip, and every fault at its line and column."""

from pathlib import Path
from random import Random

import pytest

from rulekit.cli.replay import EPILOG
from rulekit.errors import FileFaults
from rulekit.files.source import Source
from rulekit.files.transcript import PlaceLine, RaceLines, ResultLine, SeatLine, Transcript, TurnLine
from rulekit.files.transcript_read import read_transcript
from rulekit.files.transcript_write import transcript_text
from rulekit.hexgrid import Facing, parse_hex
from rulekit.readings import PowerboatsReadings

GOOD = """\
# an evening at the lake
rulekit transcript 1
course: practice-a
course: my courses/pond.toml   # a path from this file's folder
readings: reroll=one,dice-max=none

seat 1: Ann
seat 2: Ben, policy greedy
seat 3: policy random
start: 2

race 1
# the start player places last
place 1: K14 NE
place 3: k15, e
place 2: L14 SW

2: + 3  NE N12
3: none E K15
1: 3,2 + 1 2  W out  damage 5  sunk
2: 3 SE P14 finished
result 1: seat 2, 2 points
result 2: seat 3, 1 point
result 3: seat 1, 0 points

race 2
"""


def read(text: str) -> Transcript:
    return read_transcript(Source("match.txt", text, Path()))


def faults(text: str) -> list[str]:
    with pytest.raises(FileFaults) as found:
        read(text)
    return [str(fault) for fault in found.value.faults]


def test_everything_is_read() -> None:
    turns = (
        TurnLine(1, (), (3,), Facing.NE, parse_hex("N12")),
        TurnLine(2, (), (), Facing.E, parse_hex("K15")),
        TurnLine(0, (3, 2), (1, 2), Facing.W, None, 5, sunk=True),
        TurnLine(1, (3,), (), Facing.SE, parse_hex("P14"), finished=True),
    )
    placed = (
        PlaceLine(0, parse_hex("K14"), Facing.NE),
        PlaceLine(2, parse_hex("K15"), Facing.E),
        PlaceLine(1, parse_hex("L14"), Facing.SW),
    )
    results = (ResultLine(1, 1, 2), ResultLine(2, 2, 1), ResultLine(3, 0, 0))
    assert read(GOOD) == Transcript(
        ("practice-a", "my courses/pond.toml"),
        (SeatLine("Ann"), SeatLine("Ben", "greedy"), SeatLine("", "random")),
        1,
        PowerboatsReadings.parse(["reroll=one", "dice-max=none"]),
        (RaceLines(placed, turns, results), RaceLines()),
        comment=("an evening at the lake",),
    )


def test_text_of_a_value_is_read_back() -> None:
    value = read(GOOD)
    text = transcript_text(value)
    assert read(text) == value
    assert transcript_text(read(text)) == text


def test_places_point_at_the_words() -> None:
    lines = GOOD.splitlines()
    line = read(GOOD).races[0].turns[2]
    for word, text in (
        ("seat", "1"),
        ("kept", "3"),
        ("rolled", "+"),
        ("facing", "W"),
        ("end", "out"),
        ("sunk", "sunk"),
    ):
        row, column = line.places[word]
        assert lines[row - 1][column - 1 :].startswith(text)


def test_the_transcript_in_the_help_is_one() -> None:
    assert len(read(help_example()).races[0].turns) == 6


def help_example() -> str:
    shown = EPILOG[EPILOG.index("  rulekit transcript 1") : EPILOG.index("`finished`")]
    return "\n".join(line.removeprefix("  ") for line in shown.splitlines() if line != "\b")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("rulekit transcript 1", "rulekit transcript 2", "match.txt:2:1: error: this rulekit reads 'rulekit transcript "
         "1', not version '2' [version]"),
        ("rulekit transcript 1", "transcript", "match.txt:2:1: error: a transcript begins with the line 'rulekit "
         "transcript 1' [format]"),
        ("reroll=one", "rerol=one", "match.txt:5:11: error: there is no reading 'rerol' (did you mean 'reroll'?); "),
        ("readings: reroll", "readings reroll", "match.txt:5:10: error: a colon is missing here [colon]"),
        ("start: 2", "start: 4", "match.txt:10:8: error: there is no seat 4: the seats are 1 to 3 [seat]"),
        ("start: 2", "start: two", "match.txt:10:8: error: 'two' is no seat's number [seat]"),
        ("start: 2\n", "\n", "match.txt:12:1: error: who starts is missing: write a line such as 'start: 1' (PB-14) "
         "[start]"),
        ("seat 2: ", "seat 2: \x1b[31m", "match.txt:8:9: error: a control character stands here [text]"),
        ("seat 2:", "seat 3:", "match.txt:8:6: error: seat 2 comes next, not seat 3 [seat]"),
        ("seat 3:", "seat 7:", "match.txt:9:6: error: a seat is a number from 1 to 6, not '7' [number]"),
        ("course: practice-a\n", "course:\n", "match.txt:3:8: error: nothing stands behind the colon [missing]"),
        ("race 1", "rase 1", "match.txt:12:1: error: 'rase' (did you mean 'race'?): a line begins with a seat's number "
         "or one of course, readings, seat, start, race, place, result, final [key]"),
        ("race 2", "race 3", "match.txt:26:6: error: race 2 comes next, not race 3 [race]"),
        ("race 2\n", "race 2\n\nrace 3\n", "match.txt:28:6: error: there are 2 courses, so no race 3 [race]"),
        ("place 1: K14 NE", "place 1: K0 NE", "match.txt:14:10: error: 'K0' is no hex: a hex is column letters and a "
         "row number, such as K14 [hex]"),
        ("place 1: K14 NE", "place 1: K14 N", "match.txt:14:14: error: 'N' is no facing: one of E, NE, NW, W, SW, SE "
         "(did you mean 'NW'?) [facing]"),
        ("place 1: K14 NE", "place 1: K14", "match.txt:14:13: error: the facing is missing [missing]"),
        ("2: + 3  NE", "4: + 3  NE", "match.txt:18:1: error: there is no seat 4: the seats are 1 to 3 [seat]"),
        ("2: + 3  NE", "2: + 4  NE", "match.txt:18:6: error: no die shows 4: the faces are 1, 2, 3 (PB-4) [die]"),
        ("2: + 3  NE", "2: 33 + 3  NE", "match.txt:18:4: error: no die shows 33: the faces are 1, 2, 3 (did you mean "
         "'3 3'?) (PB-4) [die]"),
        ("2: + 3  NE", "2: +  NE", "match.txt:18:4: error: what the rolled dice showed is missing behind the + [dice]"),
        ("2: + 3  NE", "2: NE", "match.txt:18:4: error: the dice are missing: those kept, + those rolled, or none "
         "[dice]"),
        ("2: + 3  NE", "2 + 3  NE", "match.txt:18:3: error: a colon is missing here [colon]"),
        ("NE N12", "NE", "match.txt:18:11: error: the end hex is missing [missing]"),
        ("NE N12", "left N12", "match.txt:18:9: error: 'left' is no facing: one of E, NE, NW, W, SW, SE [facing]"),
        ("damage 5  sunk", "damage 5  sank", "match.txt:20:32: error: 'sank' (did you mean 'sunk'?): a turn's line "
         "ends in damage N, finished or sunk [mark]"),
        ("damage 5", "damage", "match.txt:20:30: error: damage is a number from 0 to 999, not 'sunk' [number]"),
        ("damage 5", "damage 5 damage 6", "match.txt:20:31: error: 'damage' stands twice [twice]"),
        ("result 2: seat 3", "result 3: seat 3", "match.txt:23:8: error: the next place is 2, not '3' [number]"),
        ("seat 3, 1 point", "seat 3, 1", "match.txt:23:20: error: the word 'points' is missing [missing]"),
        ("seat 3, 1 point", "seat 3, 1 point more", "match.txt:23:27: error: 'more' is one word too many [words]"),
        ("race 2\n", "race 2\ncourse: lagoon-a\n", "match.txt:27:1: error: 'course' stands above the first race "
         "[order]"),
        ("race 2\n", "result 4: seat 3, 1 point\n1: none E K14\n", "match.txt:27:1: error: a turn stands below the "
         "race's results [order]"),
        ("3: none E K15", "place 3: K15 E", "match.txt:19:1: error: boats are placed before the first turn (PB-13) "
         "[order]"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_place(old: str, new: str, fault: str) -> None:
    assert old in GOOD
    first, *_ = faults(GOOD.replace(old, new, 1))
    assert first.startswith(fault)


def test_all_faults_of_a_stage_are_told_and_then_no_more() -> None:
    text = GOOD.replace("+ 3  NE", "+ 7  NE").replace("none E", "none EE").replace("seat 3, 1", "seat 9, 1")
    assert len(faults(text)) == 3
    assert len(faults(text.replace("start: 2", "start: 9"))) == 1


def test_no_transcript_at_all() -> None:
    assert faults("") == ["match.txt:1:1: error: a transcript begins with the line 'rulekit transcript 1' [format]"]
    assert [fault.rpartition("[")[2] for fault in faults("rulekit transcript 1")] == ["course]", "seat]", "start]"]


def test_random_edits_give_a_fault_or_a_good_value() -> None:
    """A thousand texts with characters dropped, doubled or swapped: never another exception, never a bad round trip."""
    rng = Random(5)
    good = 0
    for _ in range(1000):
        text = list(GOOD)
        for _ in range(rng.randint(1, 4)):
            where = rng.randrange(len(text))
            text[where : where + 1] = rng.choice(("", text[where] * 2, rng.choice("0123+:,# \nNEKx²"), ""))
        try:
            value = read("".join(text))
        except FileFaults:
            continue
        good += 1
        assert read(transcript_text(value)) == value
    assert 50 < good < 950
