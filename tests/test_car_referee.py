"""The referee of written car races: the first illegal line with its rule and what was legal."""

from pathlib import Path
from random import Random

import pytest

from rulekit.cli.replay import EPILOG
from rulekit.files.car_transcript import CarTranscript
from rulekit.files.car_transcript_write import car_transcript_text
from rulekit.files.source import Source, read_file, read_source
from rulekit.files.track import read_track
from rulekit.files.transcript import SeatLine
from rulekit.ps.moves import Kind
from rulekit.ps.terms import Terms
from rulekit.readings import PsReadings
from rulekit.simulate.car_game import play_car_game
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_questions import CarPolicy, CarQuestion, Moving, Pitting
from rulekit.simulate.car_table import play_race
from rulekit.simulate.car_verdict import CarVerdict, judge_cars

GAME = """\
rulekit transcript 1
track: orchard
seat 1: Ann
seat 2: Ben

grid A: 2 3 2
grid D: 1 1 3
grid B: 1 3 2 again 3 3 3
grid E: 3 1 2 again 2 2 2
grid C: 1 3 3 again 3 1 1
grid F: 2 2 3 again 1 1 1

begin 1: 1 1 2
begin 2: 2 2 2

2: red 11, yellow 9, yellow 9
D: yellow 9  main middle 11
E: yellow 9  main right 8
F: red 11  main left 10

1: yellow 7, yellow 8, yellow 9
A: yellow 9  main right 13
B: yellow 7  main middle 10
C: yellow 8  main middle 9

2: blue 2, blue 3, yellow 9
E: yellow 9  main right 15
D: blue 3  main left 11
F: blue 2  main left 10  stays  damage 1

1: blue 2, yellow 7, yellow 9
B: yellow 7  hairpin right 3
A: blue 2  main middle 14
C: yellow 9  hairpin middle 3

2: blue 2, blue 3, blue 3
D: blue 2  main middle 11
E: blue 3  hairpin left 3
F: blue 3  main left 11  damage 1

1: blue 1, blue 2, blue 1
A: blue 1  main middle 15
B: blue 2  hairpin left 5
C: blue 1  hairpin middle 4

2: red 5, red 4, yellow 7
D: red 4  main left 14
E: red 5  hairpin left 3  stays  damage 1
F: yellow 7  hairpin right 1  damage 1

1: blue 1, yellow 7, yellow 9
A: blue 1  hairpin middle 1
B: yellow 7  kink left 1
C: yellow 9  kink middle 3

2: red 4, red 4, red 4
E: red 4  press middle 2  damage 1
F: red 4  main right 12  flies from hairpin right 1  damage 2
"""
"""Nine turns; Ben has yet to move D with a red 4."""


def check(text: str) -> CarVerdict:
    return judge_cars(Source("race.txt", text, Path().absolute()))


def edited(old: str, new: str) -> CarVerdict:
    assert old in GAME
    return check(GAME.replace(old, new, 1))


def only(verdict: CarVerdict) -> str:
    (fault,) = map(str, verdict.findings)
    return fault.removeprefix("race.txt:")


def test_a_race_under_way_is_legal() -> None:
    verdict = check(GAME)
    assert (list(verdict.findings), verdict.next) == ([], "seat 2 (Ben) still moves D with red 4")
    assert verdict.game is not None
    assert verdict.game.race is not None
    assert [car.damage for car in verdict.game.race.cars] == [0, 0, 0, 0, 1, 2]


def test_a_race_may_stop_anywhere() -> None:
    """Every beginning of the text is a race under way, and what comes next is told."""
    lines = GAME.splitlines()
    told = []
    for count in range(4, len(lines) + 1):
        verdict = check("\n".join(lines[:count]))
        assert not verdict.findings
        told.append(verdict.next)
    assert told[0] == "cars A and D throw for their places in the line-up"
    assert told[-2] == "seat 2 (Ben) still moves D and F with red 4, red 4"
    assert "seat 1 (Ann) and seat 2 (Ben) throw for who begins" in told
    assert "it is seat 2 (Ben)'s turn" in told
    half = GAME[: GAME.index("grid C")].replace(" again 3 3 3", "").replace(" again 2 2 2", "")
    assert check(half).next == "cars B and E throw again for their places in the line-up"


def help_example() -> str:
    shown = EPILOG[EPILOG.index("  rulekit transcript 1\n  track") : EPILOG.index("As `stays`")]
    return "\n".join(line.removeprefix("  ") for line in shown.splitlines() if line != "\b")


def test_the_transcript_in_the_help_is_legal() -> None:
    verdict = check(help_example())
    assert (list(verdict.findings), verdict.next) == ([], "it is seat 1 (Ann)'s turn")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("grid A: 2 3 2\n", "", "7:1: error: cars A and D throw for their places in the line-up; not thrown yet: A "
         "(PS-7) [line-up]"),
        ("3 2 again 3 3 3", "3 2", "10:1: error: cars B and E throw again for their places in the line-up; not "
         "thrown yet: B (PS-7) [line-up]"),
        ("grid D: 1 1 3", "grid D: 1 1 3 again 1 1 1", "7:9: error: car D throws once too often: nobody else's sum is "
         "the same (PS-7) [throws]"),
        ("grid D: 1 1 3", "grid A: 1 1 3", "7:6: error: car A has its throws already (PS-7) [twice]"),
        ("begin 2: 2 2 2", "begin 2: 1 1 2", "16:1: error: seat 1 (Ann) and seat 2 (Ben) throw again for who begins; "
         "not thrown yet: seat 1 (Ann) and seat 2 (Ben) (PS-7) [line-up]"),
        ("begin 2: 2 2 2", "begin 2: 1 1 1", "16:1: error: it is seat 1 (Ann)'s turn (PS-6) [order]"),
        ("red 11, yellow 9, yellow 9", "red 11, yellow 9", "16:4: error: seat 2 (Ben) throws a die for each car that "
         "is to move (D, E, F: 3 dice), not 2 (PS-6) [dice]"),
        ("1: yellow 7, yellow 8, yellow 9\n", "2: yellow 7, yellow 8, yellow 9\n", "21:1: error: it is seat 1 (Ann)'s "
         "turn (PS-6) [order]"),
        ("F: red 11  main left 10\n", "", "20:1: error: seat 2 (Ben) still moves F with red 11 (PS-6) [order]"),
        ("F: red 11  main left 10\n", "E: red 11  main left 10\n", "19:1: error: car E has had its die this turn "
         "(PS-6) [order]"),
        ("F: red 11  main left 10\n", "A: red 11  main left 10\n", "19:1: error: car A is not to move now: seat 2 "
         "(Ben) is moving (PS-6) [order]"),
        ("A: yellow 9  main right 13\n", "F: yellow 9  main right 13\n", "22:1: error: car F is not to move now: seat "
         "1 (Ann) is moving (PS-6) [order]"),
        ("F: red 11  main left 10\n", "F: red 10  main left 10\n", "19:4: error: there is no die red 10 left: there is "
         "red 11 (PS-6) [die]"),
        ("F: red 11  main left 10\n", "F: main left 10\n", "19:4: error: car F is not in the pit lane: it moves with a "
         "die (red 11) (PS-6) [die]"),
        ("D: yellow 9  main middle 11", "D: yellow 9  main middle 12", "17:14: error: car D with yellow 9 from box 5 "
         "cannot end on main middle 12 (PS-8) [end]"),
        ("D: yellow 9  main middle 11", "D: yellow 9  main left 11", "17:14: error: car D with yellow 9 from box 5 "
         "cannot end on main left 11 (PS-8) [end]"),
        ("D: yellow 9  main middle 11", "D: yellow 9  main middle 20", "17:14: error: section 'main' has columns 1 to "
         "15, not '20' (PS-2) [space]"),
        ("D: yellow 9  main middle 11", "D: yellow 9  mian middle 11", "17:14: error: there is no section 'mian' (did "
         "you mean 'main'?) (PS-2) [space]"),
        ("E: yellow 9  main right 15", "E: yellow 9  main right 14", "27:14: error: car E with yellow 9 from main "
         "right 8 cannot end on main right 14 (PS-9) [end]"),
        ("F: blue 2  main left 10  stays  damage 1", "F: blue 2  main left 12", "29:12: error: car F with blue 2 from "
         "main left 10 cannot end on main left 12: it has nowhere to go (PS-18) [end]"),
        ("main left 10  stays  damage 1", "main left 10  damage 1", "29:12: error: car F with blue 2 has nowhere to go "
         "there (PS-18) [kind]"),
        ("main left 10  stays  damage 1", "main left 10  stays", "29:1: error: car F with blue 2 to main left 10 has 1 "
         "damage afterwards, not 0 (PS-18) [damage]"),
        ("D: blue 3  main left 11", "D: blue 3  main left 11  flies", "28:26: error: car D with blue 3 does not fly: "
         "it makes its way to main left 11 (PS-15) [kind]"),
        ("B: blue 2  hairpin left 5", "B: blue 2  hairpin left 6", ""),  # columns 5 and 6 are one space
        ("C: blue 1  hairpin middle 4", "C: blue 1  hairpin right 5", "44:12: error: car C with blue 1 from hairpin "
         "middle 3 cannot end on hairpin right 5 (PS-11) [end]"),
        ("B: yellow 7  kink left 1", "B: yellow 7  kink right 1", "53:14: error: car B with yellow 7 from hairpin left "
         "5 cannot end on kink right 1 (PS-12) [end]"),
        ("from hairpin right 1", "from hairpin right 2", "58:37: error: car F with red 4 flies from hairpin right 1, "
         "not hairpin right 2 (PS-16) [origin]"),
        ("from hairpin right 1  damage 2", "damage 1", "58:32: error: car F with red 4 to main right 12 has 2 damage "
         "afterwards, not 1 (PS-16) [damage]"),
        ("damage 2\n", "damage 2  place 3\n", "58:64: error: car F with red 4 to main right 12 has no place yet "
         "(PS-23) [place]"),
        ("damage 2\n", "damage 2  fuel 3\n", "58:64: error: car F with red 4 to main right 12 has no tank to read: no "
         "fuel is counted, or it races no more (PS-22) [fuel]"),
        ("damage 2\n", "damage 2\nresult 1: seat 1, 37 points\n", "59:1: error: the race has results but is not over: "
         "seat 2 (Ben) still moves D with red 4 (PS-23) [end]"),
        ("1: blue 1, yellow 7, yellow 9\n", "plan A: repair\n1: blue 1, yellow 7, yellow 9\n", "51:6: error: car A is "
         "on main middle 15: a car is asked on pit 3, once (PS-21) [plan]"),
        ("1: blue 1, yellow 7, yellow 9\n", "plan A: both\n1: blue 1, yellow 7, yellow 9\n", "51:9: error: without "
         "fuel rules a car can only repair in the pit (PS-21) [plan]"),
        ("1: blue 1, yellow 7, yellow 9\n", "plan D: repair\n1: blue 1, yellow 7, yellow 9\n", "51:6: error: car D is "
         "not asked now: it is seat 1 (Ann)'s turn (PS-21) [order]"),
        ("1: blue 1, yellow 7, yellow 9\n", "1: blue 1, yellow 7, yellow 9\nplan A: repair\n", "52:6: error: car A is "
         "not asked now: seat 1 (Ann) still moves A, B and C with blue 1, yellow 7, yellow 9 (PS-21) [order]"),
        ("B: yellow 7  hairpin right 3", "B: yellow 7  main right 7  strikes", "32:14: error: car B with yellow 7 from "
         "main middle 10 cannot end on main right 7: another way is free (PS-15) [end]"),
        ("E: blue 3  hairpin left 3", "E: blue 3  hairpin right 5", "38:12: error: car E with blue 3 from main right "
         "15 cannot end on hairpin right 5 (PS-11) [end]"),
        ("seat 2: Ben\n", "seat 2: Ben\nlaps: 1\n", ""),
        ("track: orchard", "track: orchrd", "2:8: error: there is no file orchrd (did you mean 'orchard'?)"),
        ("seat 1: Ann", "readings: fuel=full\nlaps: 2\nseat 1: Ann", "3:1: error: fuel=full needs a tank for 2 laps: "
         "'Orchard' has them for 3, 4, 5 (PS-22) [track]"),
        ("seat 2: Ben\n", "", "6:6: error: there is no car D"),
    ],
)  # fmt: skip
def test_the_first_illegal_line(old: str, new: str, fault: str) -> None:
    verdict = edited(old, new)
    if fault:
        assert str(verdict.findings[0]).removeprefix("race.txt:").startswith(fault)
    else:
        assert not verdict.findings


def test_what_was_legal_is_told() -> None:
    assert edited("C: blue 1  hairpin middle 4", "C: blue 1  hairpin right 5").legal == (
        "C: blue 1  hairpin middle 4",
        "C: blue 1  hairpin right 4",
    )
    assert edited("F: blue 2  main left 10  stays", "F: blue 2  main left 12").legal == (
        "F: blue 2  main left 10  stays  damage 1",
    )
    assert edited("F: red 11  main left 10", "F: red 10  main left 10").legal == ("red 11",)


# Whole races

RECORDED = sorted((Path(__file__).parent / "cases" / "car_transcripts").glob("*.txt"))


def visitor(question: CarQuestion, rng: Random) -> int:
    """Goes into the pit whenever it can, and does there what chance tells; else as greedy."""
    if isinstance(question, Pitting):
        return rng.randrange(len(question.options))
    if isinstance(question, Moving):
        stops = [k for k, move in enumerate(question.options) if move.outcome.kind is Kind.PIT]
        if stops:
            return stops[0]
    return CAR_POLICIES["greedy"](question, rng)


def whole_race(track: str, policies: dict[str, CarPolicy], readings: str, seed: int) -> tuple[str, Terms]:
    """A race as text, and what it was held on; a policy a seat."""
    known, file = PsReadings.parse([readings] if readings else []), read_track(read_source(track))
    terms = Terms(file.track, known, file.track.laps)
    head = CarTranscript(track, tuple(SeatLine(name, "greedy") for name in policies), None, known)
    game = play_car_game(head, terms, list(policies.values()), seed)
    assert game.over
    assert game.race == play_race(terms, list(policies.values()), seed)
    return car_transcript_text(game.transcript), terms


VISITORS: dict[str, CarPolicy] = {"Ann": visitor, "Ben": visitor, "Cleo": CAR_POLICIES["random"]}


@pytest.fixture(scope="module")
def whole() -> str:
    return whole_race("orchard", VISITORS, "fuel=full", 2)[0]


def test_a_whole_race(whole: str) -> None:
    verdict = check(whole)
    assert (list(verdict.findings), verdict.next) == ([], "")
    record = verdict.record()
    assert (record["over"], record["valid"]) == (True, True)
    assert record["points"] == [int(line.split()[-2]) for line in sorted_results(whole)]
    assert verdict.game is not None
    assert car_transcript_text(verdict.game.transcript) == whole


def sorted_results(text: str) -> list[str]:
    """The lines of results by seat."""
    return sorted((line for line in text.splitlines() if line.startswith("result")), key=lambda line: line.split()[3])


def test_the_whole_race_shows_the_pit(whole: str) -> None:
    for word in ("  stop", "plan ", ": pit 1", ": pit 3", "  finish", "flies from", "damage 2", "fuel 0"):
        assert word in whole


def test_pit_lines_results_and_numbers_may_be_left_out(whole: str) -> None:
    lines = [line for line in whole.splitlines() if ": pit " not in line and not line.startswith("result")]
    bare = "\n".join(line.partition("  fuel")[0].partition("  place")[0] for line in lines)
    first, second = check(whole).game, check(bare).game
    assert not check(bare).findings
    assert first is not None
    assert second is not None
    assert (first.race, first.transcript) == (second.race, second.transcript)


def test_wrong_results_are_all_told(whole: str) -> None:
    lines = whole.splitlines()
    where = [number for number, line in enumerate(lines, 1) if line.startswith("result")]
    wrong = [f"{line.rsplit(',', 1)[0]}, 77 points" if line.startswith("result") else line for line in lines]
    found = check("\n".join(wrong)).findings
    assert [fault.line for fault in found] == where
    assert all(fault.code == "result" and fault.rule == "PS-24" for fault in found)
    assert "3 places for players, not 2" in only(check("\n".join(lines[:-1])))


def test_a_turn_after_the_end(whole: str) -> None:
    head, tail = whole.split("result 1", 1)
    fault = only(check(f"{head}1: none\nresult 1{tail}"))
    assert "error: the race is over: all cars have left the track (PS-23) [over]" in fault


@pytest.mark.parametrize(
    ("start", "old", "new", "fault"),
    [
        (": pit 1", "pit 1", "pit 2", "goes on to pit 1, not to pit 2 (PS-21) [pit]"),
        (": pit 1", "  fuel", "  damage 9  fuel", "damage on pit 1, not 9 (PS-21) [damage]"),
        (": pit 1", "  damage 2", "", "has 2 damage on pit 1, not 0 (PS-21) [damage]"),
        (": pit 1", "fuel ", "fuel 9", "(PS-22) [fuel]"),
        (": pit 1", "pit 1", "blue 2  pit 1", "is in the pit lane and takes no die (PS-21) [order]"),
        ("plan ", "both", "repair", "throws a die for each car that is to move"),
        ("plan ", "refuel", "both", "throws a die for each car that is to move"),
        ("plan ", "plan", "# plan", "tells what car"),
        ("  finish", "place 1", "place 2", "to finish takes place 1, not 2 (PS-23) [place]"),
        ("  out", "damage 4", "damage 3", "to out has 4 damage afterwards, not 3 (PS-20) [damage]"),
        ("  out", "place 9", "place 8", "(PS-20) [place]"),
    ],
)
def test_pit_finish_and_end(whole: str, start: str, old: str, new: str, fault: str) -> None:
    """The first line with such a word, changed."""
    lines = whole.splitlines()
    row = next(k for k, line in enumerate(lines) if start in line and old in line)
    told, *_ = check("\n".join([*lines[:row], lines[row].replace(old, new, 1), *lines[row + 1 :]])).findings
    assert fault in str(told)


def test_every_missing_throw_or_move_is_noticed(whole: str) -> None:
    """Pit lines may be left out, results too; without another line the race does not go on, or not alike."""
    lines = whole.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("grid"))
    for k in range(first, len(lines), 29):
        if lines[k] and not lines[k].startswith("result") and ": pit " not in lines[k]:
            assert check("\n".join(lines[:k] + lines[k + 1 :])).findings, lines[k]


def test_every_other_end_is_noticed(whole: str) -> None:
    """A car said to end one column on: the move is illegal, or a later one."""
    lines = whole.splitlines()
    moves = [k for k, line in enumerate(lines) if " main " in line and "from main" not in line]
    assert len(moves) > 20
    for k in moves[::9]:
        words = lines[k].split("  ")
        at = next(i for i, word in enumerate(words) if word.startswith("main "))
        section, lane, column = words[at].split()
        words[at] = f"{section} {lane} {int(column) % 15 + 1}"
        assert check("\n".join([*lines[:k], "  ".join(words), *lines[k + 1 :]])).findings, lines[k]


def test_a_race_alone_has_no_line_up() -> None:
    text, _ = whole_race("orchard", {"Ann": CAR_POLICIES["greedy"]}, "", 1)
    assert "grid" not in text
    verdict = check(text)
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over
    fault = only(check(text.replace("seat 1: Ann, policy greedy", "seat 1: Ann\ngrid A: 1 2 3")))
    assert "nobody throws alone: the cars of a single player stand in order (PS-7) [throws]" in fault


# Files


def test_a_track_beside_the_transcript(tmp_path: Path) -> None:
    text = Path(read_source("orchard").path).read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    game = GAME.replace("track: orchard", "track: own.toml")
    assert not judge_cars(Source(str(tmp_path / "race.txt"), game, tmp_path)).findings
    (tmp_path / "own.toml").write_text(text.replace("turn =", "trun =", 1), encoding="utf-8")
    verdict = judge_cars(Source(str(tmp_path / "race.txt"), game, tmp_path))
    assert str(verdict.findings[0]).startswith(f"{tmp_path / 'own.toml'}:")
    (tmp_path / "own.toml").write_text(text.replace('box-1 = "main', 'box-1 = "press', 1), encoding="utf-8")
    assert judge_cars(Source(str(tmp_path / "race.txt"), game, tmp_path)).findings[0].code == "grid-room"


def test_a_course_is_no_track() -> None:
    assert "track" in only(edited("track: orchard", "track: practice-a"))


def test_random_edits_of_a_race_give_findings_or_a_legal_race() -> None:
    """Lines dropped, doubled and swapped, characters changed, readings put in: never another exception."""
    rng, legal = Random(6), 0
    readings = ("strike=free", "pit-entry=exact", "start-entry=inner-beside", "fuel=full", "fuel=limited")
    for _ in range(150):
        lines = GAME.split("\n")
        for _ in range(rng.randint(1, 2)):
            k = rng.randrange(len(lines))
            where = rng.randrange(len(lines[k]) + 1)
            lines[k : k + 1] = rng.choice(
                (
                    [],
                    [lines[k]] * 2,
                    [lines[k], rng.choice(lines)],
                    [lines[k][:where] + rng.choice("0123+:, ADEb#²٣") + lines[k][where + 1 :]],
                    [lines[k], f"readings: {rng.choice(readings)}"],
                )
            ) or [""]
        verdict = check("\n".join(lines))
        legal += not verdict.findings
    assert 0 < legal < 75


# Recorded races: what the engine decided once, it decides again.


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_recorded_races_replay_and_are_written_back_byte_by_byte(file: Path) -> None:
    verdict = judge_cars(read_file(file))
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over
    assert car_transcript_text(verdict.game.transcript) == file.read_text(encoding="utf-8")


def test_recorded_races_show_all_that_can_happen() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in RECORDED)
    for word in (
        "  finish", "  out", "flies from", "strikes at", "  stays", "  stop", ": both", ": repair", ": refuel",
        "pit 6", ": none", "  box ", "fuel 0", "strike=free", "laps: ", "again",
    ):  # fmt: skip
        assert word in text, word
