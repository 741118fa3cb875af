"""`rulekit draw` as it is called: pictures, text, and what a user gets for a wrong word."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli

CASES = Path(__file__).parent / "cases" / "courses"
LAKE = """format = "rulekit/lake-1"
name = "Pool"
map = '''
. . . .
 . A9. .
. # . .
'''
"""


def draw(*args: str | Path, stdin: str | None = None, **env: str) -> Result:
    return CliRunner().invoke(cli, ["draw", *map(str, args)], prog_name="rulekit", input=stdin, env=env)


@pytest.mark.parametrize(("suffix", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".PDF", b"%PDF")])
def test_the_suffix_decides(tmp_path: Path, suffix: str, begins: bytes) -> None:
    file = tmp_path / f"board{suffix}"
    result = draw(CASES / "tiny-0.toml", "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"wrote {file}" in result.stderr
    assert file.read_bytes().startswith(begins)


def test_an_unknown_suffix_names_the_near_miss_and_reads_nothing(tmp_path: Path) -> None:
    for name, hint in (("board.pngg", "'.png'"), ("board.sgv", "'.svg'"), ("board", "ends in .svg, .png or .pdf")):
        result = draw(tmp_path / "missing.toml", "-o", tmp_path / name)
        assert result.exit_code == 2
        assert hint in result.stderr
    assert not list(tmp_path.iterdir())


def test_how_to_get_the_text_into_a_file(tmp_path: Path) -> None:
    result = draw(CASES / "mid-1.toml", "--text", "-o", "a.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the board as text: rulekit draw FILE > a.txt" in result.stderr


def test_a_picture_that_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    file.write_text("mine", encoding="utf-8")
    result = draw(CASES / "tiny-0.toml", "-o", file)
    assert result.exit_code == 2
    assert "--overwrite" in result.stderr
    assert file.read_text(encoding="utf-8") == "mine"
    assert draw(CASES / "tiny-0.toml", "-o", file, "--overwrite").exit_code == 0
    assert file.read_bytes().startswith(b"<?xml")


def test_without_a_file_for_the_picture_the_board_is_printed() -> None:
    result = draw(CASES / "mid-2.toml")
    assert result.exit_code == 0
    assert result.stdout == draw(CASES / "mid-2.toml", "--text").stdout
    assert " 9: . . . . . # . # . . * 1<. . * 0 # . . # . .\n" in result.stdout
    assert "*" not in draw(CASES / "mid-2.toml", "--no-route").stdout


def test_text_and_picture_at_once(tmp_path: Path) -> None:
    result = draw(CASES / "tiny-0.toml", "--text", "-o", tmp_path / "board.svg")
    assert "1: " in result.stdout
    assert (tmp_path / "board.svg").exists()


def test_no_route_leaves_the_route_out(tmp_path: Path) -> None:
    draw(CASES / "mid-2.toml", "-o", tmp_path / "with.svg")
    draw(CASES / "mid-2.toml", "-o", tmp_path / "without.svg", "--no-route")
    assert 'id="route"' in (tmp_path / "with.svg").read_text(encoding="utf-8")
    assert 'id="route"' not in (tmp_path / "without.svg").read_text(encoding="utf-8")


def test_a_wrong_course_is_drawn_and_warned_of(tmp_path: Path) -> None:
    result = draw(CASES / "mid-1.toml", "-o", tmp_path / "board.svg")
    assert result.exit_code == 0
    assert "mid-1.toml:34:8: warning: buoy 3 on B4 has the rightward arrow, but the string turns" in result.stderr
    assert 'id="flaw-1-ring"' in (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert draw(CASES / "mid-1.toml", "-q", "-o", tmp_path / "other.svg").stderr == ""


def test_standard_input_and_output() -> None:
    result = draw("-", stdin=LAKE)
    assert "2:  . A9. .\n" in result.stdout
    wrong = draw("-", "--stdin-filename", "pool.toml", stdin=LAKE.replace("A9", "A8"))
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("pool.toml:5:")
    run = subprocess.run(
        [sys.executable, "-m", "rulekit", "draw", "-", "-o", "-"], input=LAKE.encode(), capture_output=True, check=True
    )
    Tree.fromstring(run.stdout)


@pytest.mark.parametrize(
    ("name", "said"), [("missing.toml", "missing.toml"), (".", "folder"), ("lagon", "did you mean 'lagoon")]
)
def test_what_cannot_be_read_is_said(name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = draw(name)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_faulty_file_is_told_with_its_place(tmp_path: Path) -> None:
    shutil.copy(CASES / "mid-1.toml", tmp_path / "bad.toml")
    text = (tmp_path / "bad.toml").read_text(encoding="utf-8").replace('turn = "right"', 'turn = "rihgt"')
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    result = draw(tmp_path / "bad.toml", "-o", tmp_path / "board.svg")
    assert result.exit_code == 2
    assert re.search(r"bad\.toml:\d+:\d+: error: .*did you mean 'right'", result.stderr)
    assert not (tmp_path / "board.svg").exists()


def test_colours_only_where_they_are_wanted() -> None:
    plain, forced = draw("-", stdin=LAKE), draw("-", "--color", stdin=LAKE)
    assert "\x1b" not in plain.stdout
    assert "\x1b[34m" in forced.stdout
    assert "\x1b" not in draw("-", "--no-color", stdin=LAKE).stdout
    assert "\x1b" not in draw("-", stdin=LAKE, NO_COLOR="1").stdout
    assert re.sub(r"\x1b\[[\d;]*m", "", forced.stdout) == plain.stdout


def test_on_a_terminal_colours_come_by_themselves_but_for_no_color() -> None:
    assert b"\x1b[34m" in in_terminal({})
    assert b"\x1b" not in in_terminal({"NO_COLOR": "1"})


def in_terminal(env: dict[str, str]) -> bytes:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    subprocess.run(
        [sys.executable, "-m", "rulekit", "draw", "-"],
        input=LAKE.encode(),
        stdout=theirs,
        check=True,
        env={**kept, **env},
    )
    os.close(theirs)
    said = os.read(ours, 1 << 16)
    os.close(ours)
    return said


def test_text_loads_nothing_heavy() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from rulekit.cli import cli; "
        f"result = CliRunner().invoke(cli, ['draw', {str(CASES / 'mid-2.toml')!r}]); "
        "assert result.exit_code == 0, result.output; "
        "assert not {'matplotlib', 'numpy', 'networkx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["A $very$ bad $ name", "湖 lake", "a long name, " * 30])
def test_any_name_can_be_a_title(name: str, tmp_path: Path) -> None:
    result = draw("-", "-o", tmp_path / "pool.svg", stdin=LAKE.replace("Pool", name))
    assert (result.exit_code, result.stderr) == (0, f"wrote {tmp_path / 'pool.svg'}\n")
    title = draw("-", stdin=LAKE.replace("Pool", name)).stdout.splitlines()[0]
    assert title == name or (" … " in title and title.startswith(name[:40]) and len(title) <= 80 < len(name))


def test_a_board_of_one_row_fits_a_poster_and_a_vast_one_is_refused(tmp_path: Path) -> None:
    def lake(columns: int, rows: int) -> str:
        row = " ".join("." * columns)
        return LAKE[: LAKE.index(". . .")] + "\n".join(" " * (k % 2) + row for k in range(rows)) + "\n'''\n"

    assert draw("-", "-o", tmp_path / "row.png", stdin=lake(300, 1)).exit_code == 0
    vast = draw("-", "-o", tmp_path / "vast.png", stdin=lake(201, 100))
    assert vast.exit_code == 2
    assert "20,100 hexes" in vast.stderr
