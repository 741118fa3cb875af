"""Files that commands write: checked first, links and devices kept, permissions handed on."""

import os
import stat
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit.cli import cli
from rulekit.cli.outfile import check_outputs, write_file
from rulekit.errors import BadInput, FileExists

ODDS = ("odds", "--speed", "4")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args, prog_name="rulekit")


def test_a_symbolic_link_stays_and_its_target_is_written(home: Path) -> None:
    (home / "real.txt").write_text("old")
    (home / "link.txt").symlink_to("real.txt")
    with pytest.raises(FileExists, match=r"link\.txt exists already"):
        write_file(Path("link.txt"), "new", overwrite=False)
    write_file(Path("link.txt"), "new", overwrite=True)
    assert (home / "link.txt").is_symlink()
    assert (home / "real.txt").read_text() == "new"


def test_a_dangling_link_makes_its_target(home: Path) -> None:
    (home / "link.txt").symlink_to("real.txt")
    write_file(Path("link.txt"), "new", overwrite=False)
    assert (home / "link.txt").is_symlink()
    assert (home / "real.txt").read_text() == "new"
    (home / "lost.txt").symlink_to("nodir/real.txt")
    with pytest.raises(BadInput, match=r"there is no folder .*nodir, make it first"):
        write_file(Path("lost.txt"), "new", overwrite=False)


def test_a_pipe_is_written_into(home: Path) -> None:
    os.mkfifo("pipe")
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(Path("pipe").read_text()))
    reader.start()
    write_file(Path("pipe"), "words", overwrite=False)
    reader.join(10)
    assert heard == ["words"]
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_device_is_written_into_and_its_fault_told() -> None:
    write_file(Path("/dev/null"), "words", overwrite=False)
    with pytest.raises(BadInput, match="cannot write /dev/full: No space left"):
        write_file(Path("/dev/full"), "words", overwrite=True)
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    outcome = run(*ODDS, "-o", "/dev/full")
    assert outcome.exit_code == 2
    assert "--overwrite" not in outcome.stderr


def test_permissions_are_handed_on(home: Path) -> None:
    file = home / "secret.csv"
    file.write_text("old")
    file.chmod(0o600)
    assert run(*ODDS, "-f", "csv", "-o", str(file), "--overwrite").exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().startswith("hand,")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"-o": "nodir/a.csv"}, "cannot write nodir/a.csv: there is no folder nodir, make it first"),
        ({"-o": "file/a.csv"}, "cannot write file/a.csv: file is no folder"),
        ({"-o": "."}, ". is a folder: name a file in it"),
        ({"-o": ""}, "-o names no file: the name is empty"),
        ({"-o": "x" * 300}, "File name too long"),
        ({"--plot": "a.svg", "-o": "a.svg"}, "--plot and -o name the same file a.svg"),
        ({"--plot": "a.svg", "-o": "./here/../a.svg"}, "--plot and -o name the same file"),
        ({"--save": "link", "-o": "target"}, "--save and -o name the same file"),
    ],
)
def test_what_cannot_be_written_is_told(home: Path, files: dict[str, str], words: str) -> None:
    (home / "file").write_text("")
    (home / "here").mkdir()
    (home / "link").symlink_to("target")
    with pytest.raises(BadInput) as fault:
        check_outputs(files, overwrite=True)
    assert words in str(fault.value)


def test_stdout_and_devices_may_be_named_twice(home: Path) -> None:
    check_outputs({"--plot": "-", "-o": "-", "--save": None}, overwrite=False)
    check_outputs({"--plot": os.devnull, "-o": os.devnull, "--save": "a.npz"}, overwrite=False)


def test_a_locked_folder_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root, who may do all
    (home / "locked").mkdir()
    with pytest.raises(BadInput, match=r"cannot write locked/a\.csv: no permission to write in the folder locked"):
        check_outputs({"-o": "locked/a.csv"}, overwrite=False)


@pytest.mark.parametrize(
    "words",
    [
        "odds --speed 4 --plot a.svg -o a.svg",
        "odds --speed 4 -o nodir/a.csv",
        "odds --speed 4 --plot nodir/a.svg",
        "odds --game ps -o nodir/a.csv",
        "reach practice-a --plot nodir/a.svg",
        "reach practice-a --plot a.svg --plot-fewest a.svg",
        "limits orchard --plot nodir/a.svg",
        "limits orchard -o nodir/a.csv",
        "solve practice-a --save nodir/a.npz",
        "solve practice-a --plot a.txt",
        "play practice-a --transcript nodir/a.txt",
        "validate-course practice-a -o nodir/a.csv",
        "moves practice-a --at C3 --facing E --dice 1 -o nodir/a.csv",
        "rules -o nodir/a.txt",
        "courses -o nodir/a.csv",
        "courses --copy lagoon nodir",
        "draw lagoon -o nodir/a.svg",
        "build-course lagoon --spots A -o nodir/a.toml",
        "build-course lagoon --spots A --all -o all.toml",
        "odds --speed 4 -o a.svg",
        "replay missing.txt -o nodir/a.txt",
    ],
)  # fmt: skip
def test_every_command_checks_its_files_before_it_works(
    home: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("worked first")

    monkeypatch.setattr("rulekit.files.source.read_text", work)
    monkeypatch.setattr("rulekit.powerboats.odds.all_totals", work)
    outcome = run(*words.split())
    assert outcome.exit_code == 2, outcome.exception
    assert outcome.stderr.startswith("error: ")
    assert not any(home.iterdir())
