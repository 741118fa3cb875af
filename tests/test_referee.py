"""The referee of written games: the first illegal line with its rule and what was legal."""

from pathlib import Path
from random import Random

import pytest
from test_transcript import help_example

from rulekit.files.course import read_course
from rulekit.files.source import Source, read_file, read_source
from rulekit.files.transcript import SeatLine, Transcript
from rulekit.files.transcript_read import read_transcript
from rulekit.files.transcript_write import transcript_text
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.simulate.policies import POLICIES
from rulekit.simulate.referee import replay
from rulekit.simulate.table import play_match
from rulekit.simulate.verdict import Verdict, judge

GAME = """\
rulekit transcript 1
course: practice-a
course: practice-a
seat 1: Ann
seat 2: Ben
start: 2

race 1
place 1: C3 E
place 2: B5 E
2: + 3  E E5
1: none  SE C3
2: 3 + 1  SE G9
1: + 3  SE D6
2: 1  E H9
1: 3 + 3  SE F10  damage 2
2: 1 + 2  E K9
1: none  E F10  damage 2
"""
"""Eight turns; in the end Ann lies without dice at F10 facing E, Ben at K9 with 2 1."""


def check(text: str) -> Verdict:
    return judge(Source("match.txt", text, Path().absolute()))


def edited(old: str, new: str) -> Verdict:
    assert old in GAME
    return check(GAME.replace(old, new, 1))


def only(verdict: Verdict) -> str:
    (fault,) = map(str, verdict.findings)
    return fault


def test_a_game_under_way_is_legal() -> None:
    verdict = check(GAME)
    assert (list(verdict.findings), verdict.next) == ([], "it is seat 2 (Ben)'s turn")
    assert verdict.game is not None
    assert verdict.game.race is not None
    assert [entry.damage for entry in verdict.game.race.entries] == [2, 0]


def test_the_transcript_in_the_help_is_legal() -> None:
    assert not check(help_example()).findings


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("place 1: C3 E", "place 2: C3 E", "match.txt:9:7: error: seat 1 (Ann) places its boat next (PB-13) [order]"),
        ("place 1: C3 E", "place 1: G5 E", "match.txt:9:10: error: no boat may start on G5: it is neither on the strip "
         "nor behind it (PB-13) [place]"),
        ("place 2: B5 E", "place 2: C3 E", "match.txt:10:10: error: no boat may start on C3: it is taken (PB-13) "
         "[place]"),
        ("place 2: B5 E\n", "", "match.txt:10:1: error: seat 2 (Ben) places its boat next (PB-13) [order]"),
        ("2: + 3  E E5\n", "", "match.txt:11:1: error: it is seat 2 (Ben)'s turn (PB-14) [order]"),
        ("2: 3 + 1  SE G9\n", "", "match.txt:13:1: error: it is seat 2 (Ben)'s turn (PB-14) [order]"),
        ("2: + 3  E E5", "2: + 2  E E5", "match.txt:11:11: error: with 2 E from B5 the boat ends on D5, not E5 (PB-18) "
         "[end-hex]"),
        ("2: + 3  E E5", "2: + 3 1  E E5", "match.txt:11:4: error: a boat with no dice may not roll 2 (add 2): at most "
         "1 die is added or removed a turn (PB-16) [dice]"),
        ("2: 3 + 1  SE G9", "2: 2 + 1  SE G9", "match.txt:13:4: error: a boat with dice 3 cannot keep 2 (PB-15) "
         "[dice]"),
        ("2: 3 + 1  SE G9", "2: 3 + 1  NW G9", "match.txt:13:11: error: with T = 4 from E5 NW is not legal: a boat "
         "facing E turns one side at most (PB-17) [direction]"),
        ("1: 3 + 3  SE F10", "1: 3 + 3  E F10", "match.txt:16:11: error: with T = 6 from D6 E is not legal: another "
         "direction leaves fewer steps over (PB-17) [direction]"),
        ("1: 3 + 3  SE F10  damage 2", "1: 3 + 3  SE F10", "match.txt:16:1: error: with 3+3 SE from D6 the boat has 2 "
         "damage afterwards, not 0 (PB-20) [damage]"),
        ("1: 3 + 3  SE F10  damage 2", "1: 3 + 3  SE E10  damage 2", "match.txt:16:14: error: with 3+3 SE from D6 the "
         "boat ends on F10, not E10 (PB-20) [end-hex]"),
        ("2: 1  E H9", "2: 1  E H9  finished", "match.txt:15:13: error: with 1 E from G9 the boat has not finished "
         "(PB-22) [finished]"),
        ("damage 2", "damage 2 sunk", "match.txt:16:28: error: with 3+3 SE from D6 the boat has not sunk (PB-21) "
         "[sunk]"),
        ("2: 1 + 2  E K9", "2: 1 + 2  E K9\nplace 1: C3 E", "match.txt:18:1: error: boats are placed before the first "
         "turn (PB-13) [order]"),
        ("1: none  E F10  damage 2", "1: none  E F10  damage 2\nresult 1: seat 1, 1 point", "match.txt:19:1: error: "
         "race 1 has results but is not over: it is seat 2 (Ben)'s turn (PB-23) [end]"),
        ("1: none  E F10  damage 2", "race 2", "match.txt:18:1: error: race 1 is not over: it is seat 1 (Ann)'s turn "
         "(PB-23) [end]"),
        ("1: none  E F10  damage 2", "final 1: seat 1, 1 point", "match.txt:18:1: error: the match has standings but "
         "is not over: it is seat 1 (Ann)'s turn (PB-23) [end]"),
        ("start: 2", "start: 1", "match.txt:9:7: error: seat 2 (Ben) places its boat next (PB-13) [order]"),
    ],
)  # fmt: skip
def test_the_first_illegal_line(old: str, new: str, fault: str) -> None:
    assert only(edited(old, new)) == fault


AMONG_TILES = """\
rulekit transcript 1
course: practice-tiles
seat 1: Ann
seat 2: Ben
start: 1

race 1
place 2: I7 W
place 1: H9 E
1: none  E H9
2: + 1  W H7
1: none  E H9
2: 1  W G7
"""
"""Ben enters a maelstrom, which turns him, and leaves it again over water."""


@pytest.mark.parametrize(("line", "rule"), [("2: + 1  W H7", "X1-4"), ("2: 1  W G7", "PB-20")])
def test_damage_among_tiles_is_told_by_their_rule_where_one_was_entered(line: str, rule: str) -> None:
    assert not check(AMONG_TILES).findings
    fault = only(check(AMONG_TILES.replace(line, f"{line}  damage 1")))
    assert f"has 0 damage afterwards, not 1 ({rule}) [damage]" in fault


def test_what_was_legal_is_told() -> None:
    assert edited("place 1: C3 E", "place 1: G5 E").legal[:4] == ("C3", "B4", "B5", "A6")
    assert edited("2: + 3  E E5", "2: + 3 1  E E5").legal == ("stay without dice", "roll 1 (add)")
    assert edited("1: 3 + 3  SE F10", "1: 3 + 3  E F10").legal == ("SE to F10, damage 2, crash",)
    assert edited("2: + 3  E E5", "2: + 2  E E5").legal == ("E to D5",)


@pytest.mark.parametrize(
    ("readings", "old", "new", "tail"),
    [
        ("first-turn=must-roll", "", "", "(first-turn=must-roll) (PB-16) [dice]"),
        ("dice-max=1", "", "", "may not keep 3, roll 1 (add) (dice-max=1) (PB-15) [dice]"),
        ("dice-stock=2", "", "", ": the stock of 2 dice is empty (dice-stock=2) (PB-16) [dice]"),
        ("reroll=one", "2: 1 + 2  E K9", "2: + 1 1  NE K9", "may not roll 2 (add) (reroll=one) (PB-15) [dice]"),
        ("sink-at=2", "", "", "it is seat 2 (Ben)'s turn (PB-14) [order]"),
    ],
)
def test_readings_of_the_head_are_in_force(readings: str, old: str, new: str, tail: str) -> None:
    text = GAME.replace("start: 2", f"start: 2\nreadings: {readings}").replace(old, new, 1)
    assert only(check(text)).endswith(tail)


# A whole match

COURSES = ("practice-a", "practice-a")


@pytest.fixture(scope="module")
def races() -> list[Waters]:
    return [Waters(settle(read_course(read_source(name)).course)) for name in COURSES]


@pytest.fixture(scope="module")
def whole(races: list[Waters]) -> str:
    """A match of two races as text."""
    seats = (SeatLine("Ann", "cautious"), SeatLine("Ben", "greedy"))
    game = play_match(Transcript(COURSES, seats), races, [POLICIES[seat.policy or ""] for seat in seats], seed=4)
    assert game.over
    return transcript_text(game.transcript)


def is_found_out(lines: list[str], races: list[Waters]) -> bool:
    """Whether the referee finds anything in a text."""
    return bool(replay(read_transcript(Source("match.txt", "\n".join(lines), Path())), races).findings)


def test_a_whole_match(whole: str) -> None:
    verdict = check(whole)
    assert (list(verdict.findings), verdict.next) == ([], "")
    record = verdict.record()
    assert (record["over"], record["valid"]) == (True, True)
    assert record["points"] == [verdict.game.match.points[seat] for seat in (0, 1)] if verdict.game else False


def test_results_may_be_left_out(whole: str) -> None:
    bare = "\n".join(line for line in whole.splitlines() if not line.startswith(("result", "final")))
    with_results, without = check(whole).game, check(bare).game
    assert not check(bare).findings
    assert with_results == without


def test_wrong_results_are_all_told(whole: str) -> None:
    lines = whole.splitlines()
    where = [number for number, line in enumerate(lines, 1) if line.startswith(("result", "final"))]
    wrong = [f"{line.rsplit(',', 1)[0]}, 77 points" if line.startswith(("result", "final")) else line for line in lines]
    found = check("\n".join(wrong)).findings
    assert [fault.line for fault in found] == where
    assert all(fault.code == "result" and "not seat" in fault.message for fault in found)


def test_a_missing_place(whole: str) -> None:
    last = whole.rstrip().splitlines()
    assert last[-1].startswith("final 2")
    assert "the match has 2 places, not 1" in only(check("\n".join(last[:-1])))


def test_a_turn_after_the_end(whole: str) -> None:
    head, tail = whole.split("result 1", 1)
    fault = only(check(f"{head}1: none E A1\nresult 1{tail}"))
    assert "error: race 1 is over: seat 1 (Ann) cannot move in it (PB-23) [over]" in fault


def test_every_missing_turn_is_noticed(whole: str, races: list[Waters]) -> None:
    """Two boats: without one's line the other's two turns follow each other, until one boat is alone."""
    lines = whole.splitlines()
    turns = [k for k, line in enumerate(lines) if line[0:1].isdigit()]
    assert len(turns) > 30
    assert all(is_found_out(lines[:k] + lines[k + 1 :], races) for k in turns)


def test_every_edited_die_is_noticed(whole: str, races: list[Waters]) -> None:
    """Change one rolled die: the end hex, the damage, the direction or a later hand no longer fits."""
    lines = whole.splitlines()
    for k, line in enumerate(lines):
        before, plus, after = line.partition("+ ")
        if plus:
            other = {"1": "2", "2": "3", "3": "1"}[after[0]]
            assert is_found_out([*lines[:k], f"{before}+ {other}{after[1:]}", *lines[k + 1 :]], races), line


# Files


def test_a_course_that_is_missing_is_told_at_its_line() -> None:
    fault = only(edited("course: practice-a", "course: practise-a"))
    assert fault.startswith("match.txt:2:9: error: there is no file practise-a")
    assert "did you mean 'practice-a'" in fault


def test_a_course_beside_the_transcript(tmp_path: Path) -> None:
    text = Path(read_source("practice-a").path).read_text(encoding="utf-8").replace("practice.toml", "practice")
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    game = GAME.replace("course: practice-a", "course: own.toml")
    assert not judge(Source(str(tmp_path / "match.txt"), game, tmp_path)).findings


def test_a_faulty_course_is_told_at_its_own_lines(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("format = 7\n", encoding="utf-8")
    game = GAME.replace("course: practice-a", "course: own.toml")
    verdict = judge(Source(str(tmp_path / "match.txt"), game, tmp_path))
    assert str(verdict.findings[0]).startswith(f"{tmp_path / 'own.toml'}:1:")


def test_too_few_places_to_start_from() -> None:
    seats = "".join(f"seat {k}: policy random\n" for k in range(3, 7))
    text = GAME.replace("start: 2", f"{seats}start: 2\nreadings: behind=strip-only")
    first, second = check(text).findings
    assert str(first).startswith("match.txt:2:9: error: 'Practice pond, race A' has 4 hexes to start from, too few ")
    assert second.line == 3


def test_random_edits_of_a_game_give_findings_or_a_legal_game() -> None:
    """Lines dropped, doubled and swapped, characters changed, readings put in: never another exception."""
    rng, legal = Random(6), 0
    for _ in range(100):
        lines = GAME.split("\n")
        for _ in range(rng.randint(1, 2)):
            k = rng.randrange(len(lines))
            where = rng.randrange(len(lines[k]) + 1)
            lines[k : k + 1] = rng.choice(
                (
                    [],
                    [lines[k]] * 2,
                    [lines[k], rng.choice(lines)],
                    [lines[k][:where] + rng.choice("0123+:, ENW#²٣") + lines[k][where + 1 :]],
                    [lines[k], "readings: " + rng.choice(("sink-at=1", "dice-max=1", "faces=1/2", "change=0"))],
                )
            ) or [""]
        verdict = check("\n".join(lines))
        legal += not verdict.findings
    assert 0 < legal < 50


# Recorded matches: what the engine decided once, it decides again.

RECORDED = sorted((Path(__file__).parent / "cases" / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_recorded_matches_replay_and_are_written_back_byte_by_byte(file: Path) -> None:
    verdict = judge(read_file(file))
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over
    assert transcript_text(verdict.game.transcript) == file.read_text(encoding="utf-8")


def test_recorded_matches_show_all_that_can_happen() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in RECORDED)
    for word in ("  finished", "  sunk", " out ", "last-boat=stops", "carry=at-most-one", "../moves/tiles", "race 3"):
        assert word in text
