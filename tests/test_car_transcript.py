"""Transcripts of car races as text: the round trip, and every fault at its line and column."""

from pathlib import Path
from random import Random

import pytest

from rulekit.errors import FileFaults
from rulekit.files.car_transcript import BeginLine, CarLine, CarTranscript, DiceLine, GridLine, PlanLine
from rulekit.files.car_transcript_read import read_car_transcript
from rulekit.files.car_transcript_write import car_transcript_text
from rulekit.files.source import Source
from rulekit.files.transcript import ResultLine, SeatLine, Transcript
from rulekit.files.transcripts import read_any
from rulekit.ps.car import Plan
from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.race import Die
from rulekit.readings import PsReadings

GOOD = """\
# an evening at the ring
rulekit transcript 1
track: my tracks/ring.toml   # a path from this file's folder
laps: 2
readings: fuel=full

seat 1: Ann
seat 2: policy greedy

grid A: 2 3 1
grid d: 1 2 3 again 3 3 3
begin 1: 1 1 1
begin 2: 1 1 2

2: blue 2, red 6+6+5, yellow 8
D: yellow 8  main middle 12
f: red 17  hairpin right 5  flies from hairpin right 6  damage 1  fuel 3
E: blue 2  stop
1: none
A: pit 1
B: blue 1  flies left 3   # a section called flies
C: red 4  out  strikes at box left 2  damage 4  place 6
plan E: both
2: yellow 7
D: yellow 7  finish  place 1
E: yellow 7  box 2  stays  damage 1
result 1: seat 2, 15 points
result 2: seat 1, 1 point
"""


def read(text: str) -> CarTranscript:
    return read_car_transcript(Source("race.txt", text, Path()))


def faults(text: str) -> list[str]:
    with pytest.raises(FileFaults) as found:
        read(text)
    return [str(fault) for fault in found.value.faults]


def test_everything_is_read() -> None:
    blue, red, yellow = Die(Colour.BLUE, 2), Die(Colour.RED, 17), Die(Colour.YELLOW, 8)
    seven = Die(Colour.YELLOW, 7)
    events = (
        DiceLine(1, (blue, red, yellow)),
        CarLine(3, yellow, "main middle 12"),
        CarLine(5, red, "hairpin right 5", Kind.FLY, "hairpin right 6", 1, fuel=3),
        CarLine(4, blue, "stop"),
        DiceLine(0, ()),
        CarLine(0, None, "pit 1"),
        CarLine(1, Die(Colour.BLUE, 1), "flies left 3"),
        CarLine(2, Die(Colour.RED, 4), "out", Kind.STRIKE, "box left 2", 4, place=6),
        PlanLine(4, Plan.BOTH),
        DiceLine(1, (seven,)),
        CarLine(3, seven, "finish", place=1),
        CarLine(4, seven, "box 2", Kind.STAY, None, 1),
    )
    assert read(GOOD) == CarTranscript(
        "my tracks/ring.toml",
        (SeatLine("Ann"), SeatLine("", "greedy")),
        2,
        PsReadings.parse(["fuel=full"]),
        (GridLine(0, ((2, 3, 1),)), GridLine(3, ((1, 2, 3), (3, 3, 3)))),
        (BeginLine(0, ((1, 1, 1),)), BeginLine(1, ((1, 1, 2),))),
        events,
        (ResultLine(1, 1, 15), ResultLine(2, 0, 1)),
        ("an evening at the ring",),
    )


def test_text_of_a_value_is_read_back() -> None:
    value = read(GOOD)
    text = car_transcript_text(value)
    assert read(text) == value
    assert car_transcript_text(read(text)) == text


def test_places_point_at_the_words() -> None:
    lines = GOOD.splitlines()
    value = read(GOOD)
    dice, _, flown, *_ = value.events
    plan, lost = value.events[8], value.events[7]
    for places, word, text in (
        (flown.places, "die", "red 17"),
        (flown.places, "end", "hairpin right 5"),
        (flown.places, "flies", "flies"),
        (flown.places, "origin", "hairpin right 6"),
        (flown.places, "damage", "damage 1"),
        (flown.places, "fuel", "fuel 3"),
        (plan.places, "plan", "both"),
        (dice.places, "dice", "blue 2"),
        (lost.places, "place", "place 6"),
        (value.grid[1].places, "car", "d"),
        (value.grid[1].places, "throws", "1 2 3 again"),
        (value.begin[1].places, "seat", "2:"),
        (value.places, "track", "my tracks"),
    ):
        row, column = places[word]
        assert lines[row - 1][column - 1 :].startswith(text)


def test_the_head_tells_which_game_it_is() -> None:
    cars = read_any(Source("race.txt", GOOD, Path()))
    assert isinstance(cars, CarTranscript)
    boats = "rulekit transcript 1\ncourse: practice-a\nseat 1: Ann\nstart: 1\n"
    assert isinstance(read_any(Source("match.txt", boats, Path())), Transcript)
    with pytest.raises(FileFaults, match="no course is named"):
        read_any(Source("match.txt", "rulekit transcript 1\n", Path()))
    with pytest.raises(FileFaults, match="a transcript begins with"):
        read_any(Source("match.txt", "track: orchard\n", Path()))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("transcript 1", "transcript 2", "2:1: error: this rulekit reads 'rulekit transcript 1', not version '2' "
         "[version]"),
        ("track: my tracks/ring.toml", "", "10:1: error: no track is named: write a line such as 'track: orchard' "
         "[track]"),
        ("laps: 2", "track: orchard", "4:1: error: a car race is driven on one track: this is a second one [twice]"),
        ("laps: 2", "laps: 0", "4:7: error: laps is a number from 1 to 99, not '0' [number]"),
        ("laps: 2", "laps: 2\nlaps: 3", "5:1: error: the laps are told twice [twice]"),
        ("laps: 2", "lap: 2", "4:1: error: 'lap' (did you mean 'laps'?): a line begins with a seat's number, a car's "
         "letter or one of track, laps, readings, seat, grid, begin, plan, result [key]"),
        ("fuel=full", "fuel=ful", "5:11: error: reading 'fuel' is 'none', 'limited' or 'full' (did you mean 'full'?)"),
        ("seat 2:", "seat 5:", "8:6: error: a seat is a number from 1 to 4, not '5' [number]"),
        ("begin 1:", "begin 3:", "12:7: error: there is no seat 3: the seats are 1 to 2 [seat]"),
        ("grid A:", "grid G:", "10:6: error: there is no car G: the cars are A to F, three a seat (PS-6) [car]"),
        ("A: 2 3 1", "A: 2 3 4", "10:13: error: no die shows 4: the faces are 1, 2, 3 (PS-5) [die]"),
        ("A: 2 3 1", "A: 231", "10:9: error: no die shows 231: the faces are 1, 2, 3 (did you mean '2 3 1'?) (PS-5) "
         "[die]"),
        ("A: 2 3 1", "A: 2 3", "10:12: error: a die (3 blue ones are thrown) is missing [missing]"),
        ("A: 2 3 1", "A: 2 3 1 1", "10:15: error: '1' is one word too many [words]"),
        ("2: blue 2", "3: blue 2", "15:1: error: there is no seat 3: the seats are 1 to 2 [seat]"),
        ("2: blue 2", "2: blu 2", "15:4: error: 'blu' (did you mean 'blue'?) is no colour of a die: 'blue', 'red' "
         "or 'yellow' (PS-5) [colour]"),
        ("2: blue 2", "2: blue 4", "15:9: error: no blue die shows 4: it shows 1, 2, 3 (PS-5) [die]"),
        ("2: blue 2", "2: blue", "15:10: error: what a die showed is a number from 1 to 99999, not 'red' [number]"),
        ("red 6+6+5", "red 6+5+5", "15:16: error: only a red die is thrown again: sixes, then a 4 or a 5, such as red "
         "6+6+5 (PS-5) [die]"),
        ("red 6+6+5", "red 6+6", "15:16: error: only a red die is thrown again"),
        ("red 6+6+5", "red 12", "15:16: error: no red die shows 12: it shows 4, 5, 10, 11, 16, 17, …: each 6 is thrown "
         "again and added (PS-5) [die]"),
        ("D: yellow 8", "G: yellow 8", "16:1: error: there is no car G: the cars are A to F, three a seat (PS-6) "
         "[car]"),
        ("D: yellow 8", "D yellow 8", "16:3: error: a colon is missing here [colon]"),
        ("main middle 12", "main middel 12", "16:19: error: a lane is 'left', 'middle' or 'right', not 'middel' "
         "(did you mean 'middle'?) [space]"),
        ("main middle 12", "home", "16:14: error: 'home' is no end of a move: section, lane and column, stop, pit 1, "
         "box 1, finish or out [space]"),
        ("main middle 12", "main middle", "16:25: error: the column of a space is missing [missing]"),
        ("main middle 12", "main middle 0", "16:26: error: a column is a number from 1 to 9999, not '0' [number]"),
        ("  main middle 12", "", "16:12: error: where the car ended is missing [missing]"),
        ("from hairpin right 6", "from hairpin rigt 6", "17:48: error: a lane is 'left', 'middle' or 'right', not "
         "'rigt' (did you mean 'right'?) [space]"),
        ("flies from", "fly from", "17:29: error: 'fly': a move's line ends in 'flies', 'strikes', 'stays', 'damage', "
         "'fuel' or 'place' [mark]"),
        ("damage 1  fuel", "damage 1  damage 1 fuel", "17:67: error: 'damage' stands twice, or beside another end of "
         "the move [twice]"),
        ("damage 1  fuel", "stays fuel", "17:57: error: 'stays' stands twice, or beside another end of the move "
         "[twice]"),
        ("fuel 3", "fuel 3l", "17:72: error: fuel is a number from 0 to 999, not '3l' [number]"),
        ("plan E: both", "plan E: all", "23:9: error: in the pit a car is to 'repair', 'refuel' or 'both', not 'all' "
         "(PS-21) [plan]"),
        ("pit 1", "pit 7", "20:8: error: a pit is a number from 1 to 6, not '7' [number]"),
        ("place 1", "place 13", "25:28: error: place is a number from 1 to 12, not '13' [number]"),
        ("result 1:", "result 2:", "27:8: error: the next place is 1, not '2' [number]"),
        ("seat 1, 1 point", "seat 1, 1", "28:20: error: the word 'points' is missing [missing]"),
        ("1: none\n", "laps: 3\n", "19:1: error: 'laps' stands above the throws for the line-up [order]"),
        ("1: none\n", "begin 1: 1 1 1\n", "19:1: error: the throws of the line-up stand above the first turn (PS-7) "
         "[order]"),
        ("begin 2: 1 1 2\n", "grid E: 1 1 2\n", "13:1: error: the throws for the line-up stand above those for who "
         "begins (PS-7) [order]"),
        ("2: blue 2, red 6+6+5, yellow 8\n", "", "15:1: error: a car's move stands below what the dice showed [order]"),
        ("result 1: seat 2, 15 points\n", "result 1: seat 2, 15 points\nA: pit 2\n", "28:1: error: a car's move stands "
         "below the results [order]"),
        ("result 1: seat 2, 15 points\n", "result 1: seat 2, 15 points\n1: none\n", "28:1: error: a turn stands below "
         "the results [order]"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_place(old: str, new: str, fault: str) -> None:
    assert old in GOOD
    first, *_ = faults(GOOD.replace(old, new, 1))
    assert first.startswith(f"race.txt:{fault}")


def test_all_faults_of_a_stage_are_told_and_then_no_more() -> None:
    text = GOOD.replace("red 17  hair", "red 18  hair").replace("pit 1", "pit 8").replace("seat 2, 15", "seat 9, 15")
    assert len(faults(text)) == 3
    assert len(faults(text.replace("laps: 2", "laps: x"))) == 1


def test_random_edits_give_a_fault_or_a_good_value() -> None:
    """A thousand texts with characters dropped, doubled or swapped: never another exception, never a bad round trip."""
    rng, good = Random(5), 0
    for _ in range(1000):
        text = list(GOOD)
        for _ in range(rng.randint(1, 4)):
            where = rng.randrange(len(text))
            text[where : where + 1] = rng.choice(("", text[where] * 2, rng.choice("0123+:,# \nADbx²"), ""))
        try:
            value = read("".join(text))
        except FileFaults:
            continue
        good += 1
        assert read(car_transcript_text(value)) == value
    assert 50 < good < 950


def test_random_lines_give_a_fault_or_a_good_value() -> None:
    """Words dropped, doubled or put elsewhere."""
    rng, good, words = Random(6), 0, GOOD.split()
    for _ in range(500):
        lines = GOOD.split("\n")
        at = rng.randrange(2, len(lines))
        own = lines[at].split(" ")
        own[rng.randrange(len(own))] = rng.choice(("", rng.choice(words), f"{rng.choice(words)} {rng.choice(words)}"))
        try:
            value = read("\n".join([*lines[:at], " ".join(own), *lines[at + 1 :]]))
        except FileFaults:
            continue
        good += 1
        assert read(car_transcript_text(value)) == value
    assert 20 < good < 480
