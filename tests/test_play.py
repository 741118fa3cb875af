"""`rulekit play` at the keyboard: questions and answers, saving, resuming, leaving."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.cli.play_desk import HELP
from rulekit.cli.seats import seat_policies
from rulekit.errors import BadInput
from rulekit.files.source import read_file
from rulekit.simulate.verdict import judge


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*args: str, keys: str = "", **env: Any) -> Result:
    return CliRunner().invoke(cli, ["play", *args], prog_name="rulekit", input=keys, env=env)


def turns(file: str) -> int:
    verdict = judge(read_file(Path(file)))
    assert not verdict.findings
    assert verdict.game is not None
    return sum(len(race.turns) for race in verdict.game.transcript.races)


def test_policies_alone_play_a_match_that_replays() -> None:
    outcome = play("practice-a", "practice-a", "--policy", "greedy", "--players", "3", "--seed", "1")
    assert outcome.exit_code == 0
    assert "Race 2 of 2: Practice pond, race A" in outcome.stdout
    assert "saved: match-1.txt\n" in outcome.stdout
    assert sorted(line.split()[1] for line in outcome.stdout.rstrip().splitlines()[-3:]) == ["A", "B", "C"]
    verdict = judge(read_file(Path("match-1.txt")))
    assert not verdict.findings
    assert verdict.game is not None
    assert verdict.game.over


def test_a_player_places_chooses_and_steers() -> None:
    outcome = play("practice-a", "--seed", "3", keys="b4 se\n2\n1\nquit\n")
    assert outcome.exit_code == 0
    shown = outcome.stdout
    assert "free on the strip: B4 B5 A6" in shown
    assert "A (human) starts on B4 facing SE" in shown
    assert "   2  roll 1 (add)" in shown
    assert "saved: match-1.txt (go on: rulekit play --resume match-1.txt)" in shown
    assert turns("match-1.txt") == 2
    assert max(map(len, shown.splitlines())) <= 80


def test_lines_of_a_wide_lake_fit_in_80_columns() -> None:
    keys = "lagoon\nlist\n?\n"
    shown = play("lagoon-a", "--policy", "human,greedy,greedy,greedy,greedy,greedy", "--seed", "1", keys=keys).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert max(map(len, HELP.splitlines())) <= 80


def test_words_instead_of_numbers() -> None:
    keys = "advice\nb4 se\nadvice\n?\nboard\nlist\nsave\n"
    shown = play("practice-a", "--seed", "3", "--dice-max", "2", keys=keys).stdout
    assert shown.count("solving the race") == 1
    assert shown.count("solver: expected turns to the finish") == 2
    assert "greedy would take B4 " in shown
    assert "cautious would take 2: roll 1 (add)" in shown
    assert "strip   from 0 at C2 to F at A7" in shown
    assert shown.count("saved: match-1.txt") == 2
    assert not list(Path().glob("match-2.txt"))


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("k99 e\n", "no boat may start on K99 (PB-13)"),
        ("b4\n", "'' is no facing: one of E, NE, NW, W, SW, SE"),
        ("b4 north\n", "'north' is no facing"),
        ("7\n", "'7' is no hex"),
        ("b4 se\n9\n", "'9' is no number from 1 to 2"),
        ("b4 se\nyes\n", "'yes' is no number from 1 to 2 and no word such as board, advice, quit"),
        ("b4 se\n\n\n2 \n\n1\n", "A (human): rolls"),
    ],
)
def test_answers_that_do_not_fit_are_asked_again(keys: str, answer: str) -> None:
    outcome = play("practice-a", "--seed", "3", keys=keys)
    assert answer in outcome.stdout
    assert outcome.exit_code == 0


def test_leaving_before_the_first_boat_writes_nothing() -> None:
    outcome = play("practice-a", "--policy", "human", "--players", "2", keys="")
    assert outcome.exit_code == 0
    assert not list(Path().iterdir())


def test_resuming_goes_on_where_it_was_left() -> None:
    play("practice-a", "--seed", "3", "--transcript", "a.txt", keys="b4 se\n2\n1\n")
    outcome = play("--resume", "a.txt", "--transcript", "b.txt", "--seed", "4", keys="2\n1\nq\n")
    assert outcome.exit_code == 0
    assert turns("a.txt") == 2
    assert turns("b.txt") in (4, 6)
    first, second = (Path(name).read_text(encoding="utf-8").splitlines() for name in ("a.txt", "b.txt"))
    assert first[0] == "# made by `rulekit play`, seed 3"
    assert second[:2] == [first[0], "# resumed by `rulekit play`, seed 4"]
    assert second[2 : 1 + len(first)] == first[1:]


def test_files_are_kept_unless_told() -> None:
    Path("match-1.txt").write_text("mine", encoding="utf-8")
    play("practice-a", "--seed", "3", keys="b4 se\n")
    assert Path("match-1.txt").read_text(encoding="utf-8") == "mine"
    assert turns("match-2.txt") == 0
    outcome = play("practice-a", "--transcript", "match-1.txt", keys="b4 se\n")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "match-1.txt exists already" in outcome.stderr
    play("practice-a", "--seed", "3", "--transcript", "match-1.txt", "--overwrite", keys="b4 se\nsave\n2\n1\n")
    assert turns("match-1.txt") == 2


def test_a_course_of_ones_own_is_named_from_the_transcripts_folder() -> None:
    run = CliRunner().invoke(cli, ["courses", "--copy", "practice-a", "."])
    assert run.exit_code == 0
    Path("games").mkdir()
    outcome = play("practice-a.toml", "--policy", "greedy", "--players", "2", "--transcript", "games/one.txt")
    assert outcome.exit_code == 0
    assert "course: ../practice-a.toml\n" in Path("games/one.txt").read_text(encoding="utf-8")
    assert turns("games/one.txt") > 5


def test_json_on_stdout_the_conversation_on_stderr() -> None:
    outcome = play("practice-a", "--policy", "cautious,random", "--seed", "1", "-f", "json")
    told = json.loads(outcome.stdout)
    assert (told["command"], told["seed"], told["over"]) == ("play", 1, True)
    assert [row["policy"] for row in told["rows"]] in (["cautious", "random"], ["random", "cautious"])
    assert "seed 1; ? for help" in outcome.stderr


def test_readings_hold_and_are_written_down() -> None:
    keys = "b4 se\n1\n1\n"
    play("practice-a", "--seed", "3", "--reading", "first-turn=must-roll", "--dice-max", "none", keys=keys)
    text = Path("match-1.txt").read_text(encoding="utf-8")
    assert "readings: first-turn=must-roll,dice-max=none\n" in text
    assert turns("match-1.txt") == 2


def test_the_seed_settles_the_dice() -> None:
    for name in ("a", "b"):
        play("practice-a", "--policy", "greedy,cautious", "--seed", "9", "--transcript", f"{name}.txt")
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "name a course for each race, such as practice-a, or a match to --resume"),
        (["practice-a", "--players", "1"], "1 player: a match takes 2 to 6 boats (PB-4)"),
        (["practice-a", "--players", "7"], "7 players: a match takes 2 to 6 boats (PB-4)"),
        (["practice-a", "--policy", "human"], "1 player: a match takes 2 to 6 boats (PB-4)"),
        (["practice-a", "--policy", "humn,greedy"], "there is no policy 'humn' (did you mean 'human'?)"),
        (["practice-a", "--policy", "greedy,random", "--players", "3"], "2 policies for 3 players"),
        (["practice-a", "--players", "5", "--reading", "behind=strip-only"], "too few for 5 boats (PB-13)"),
        (["lagoon-a", "practice-a", "--players", "5", "--reading", "behind=strip-only"], "too few for 5 boats (PB-13)"),
        (["practice-b"], "there is no file practice-b (did you mean 'practice-a'?)"),
        (["--resume", "none.txt"], "there is no file none.txt"),
        (["practice-a", "--resume", "a.txt"], "--resume goes without courses: the transcript tells"),
        (["--resume", "a.txt", "--players", "3"], "--resume goes without --players"),
        (["practice-a", "--transcript", "no/such.txt"], "there is no folder no, make it first"),
    ],
)
def test_wrong_options(args: list[str], message: str) -> None:
    outcome = play(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert not outcome.stdout


def test_faulty_and_finished_transcripts_are_not_resumed() -> None:
    play("practice-a", "--policy", "greedy,greedy", "--seed", "1", "--transcript", "a.txt")
    assert "is over: rulekit replay tells its standings" in play("--resume", "a.txt").stderr
    text = Path("a.txt").read_text(encoding="utf-8")
    Path("b.txt").write_text(text.replace("policy greedy", "policy gredy", 1), encoding="utf-8")
    assert "there is no policy 'gredy' (did you mean 'greedy'?)" in play("--resume", "b.txt").stderr
    Path("c.txt").write_text(text.replace("+ 1", "+ 2", 1).replace("+ 3", "+ 2", 1), encoding="utf-8")
    outcome = play("--resume", "c.txt")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("c.txt:")


def test_policies_of_the_seats() -> None:
    known = ("human", "greedy", "random")
    assert seat_policies(None, None, ("human", "greedy"), known) == ["human", "greedy"]
    assert seat_policies(None, 4, ("human", "greedy"), known) == ["human", "greedy", "greedy", "greedy"]
    assert seat_policies("random", 3, ("human",), known) == ["random"] * 3
    assert seat_policies("random, human", None, ("human",), known) == ["random", "human"]
    with pytest.raises(BadInput, match="there is no policy ''"):
        seat_policies("random,", 2, ("human",), known)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_saves_and_ends_with_130(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    args = [sys.executable, "-m", "rulekit", "play", "practice-a", "--seed", "3"]
    with subprocess.Popen(
        args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=tmp_path
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("b4 se\n2\n1\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("B (greedy): "):
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "saved: match-1.txt" in stdout
    assert stderr.strip() == "interrupted"
    assert turns("match-1.txt") == 2
