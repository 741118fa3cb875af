"""The README tells the truth: each example is run and must print what is shown.

An example is a block marked `console`: lines that begin with `$ ` are typed, one after the other, in an empty folder;
what follows is printed. A line `…` alone stands for lines that are left out. A picture that an example draws stands in
docs/ under the same name.
"""

import os
import re
import subprocess
import sys
import sysconfig
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from rulekit.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LEFT_OUT = "…"
WRITE_GOLDEN = "RULEKIT_WRITE_GOLDEN"  # set, what the README shows and docs/ is written anew: look at the diff


class Example(NamedTuple):
    """A command and the lines that it is said to print."""

    typed: str
    shown: list[str]


def blocks(kind: str) -> list[list[str]]:
    """The lines of each fenced block of a kind."""
    return [body.splitlines() for body in re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)]


def examples(block: list[str]) -> list[Example]:
    """The commands of a block, each with its output.

    >>> examples(["$ true", "$ echo 1; echo 2", "1", "2"])
    [Example(typed='true', shown=[]), Example(typed='echo 1; echo 2', shown=['1', '2'])]
    """
    assert block[0].startswith("$ ")
    found: list[Example] = []
    for line in block:
        if line.startswith("$ "):
            found.append(Example(line[2:], []))
        else:
            found[-1].shown.append(line.rstrip())
    return found


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are the shown ones, with any one or more lines where `…` stands.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d"]), agrees(["a", "…"], ["a"]), agrees(["a"], ["a", "b"])
    (True, False, False)
    """
    parts = [
        r"(?:.*\n)+" if left_out else "".join(re.escape(line) + r"\n" for line in lines)
        for left_out, lines in groupby(shown, key=LEFT_OUT.__eq__)
    ]
    return re.fullmatch("".join(parts), "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def labels(picture: Path) -> list[str]:
    """The texts that stand in a picture (the lines themselves differ in the last digits from machine to machine)."""
    found = re.findall(r"<!-- (.+?) -->", picture.read_text(encoding="utf-8"))
    assert found
    return found


def typed(command: str, folder: Path) -> list[str]:
    """The lines that a command prints, on stdout and stderr, in a shell without a terminal."""
    env = {key: text for key, text in os.environ.items() if key not in {"COLUMNS", "NO_COLOR"}}
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{env['PATH']}"
    outcome = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**env, "PATH": path}, timeout=600, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    return outcome.stdout.splitlines()


def cut(printed: list[str], shown: list[str]) -> list[str]:
    """What a command prints, cut where the shown lines are.

    >>> cut(["1", "2", "3"], ["a", "…"]), cut(["1", "2", "3"], ["a"])
    (['1', '…'], ['1', '2', '3'])
    """
    lines = [line.rstrip() for line in printed]
    kept = shown.index(LEFT_OUT) if LEFT_OUT in shown else len(lines)
    return [*lines[:kept], LEFT_OUT] if kept < len(lines) else lines


def renew(block: list[str], runs: list[tuple[Example, list[str]]]) -> None:
    """Put into the README what the examples of a block print now, where that is not what it shows."""
    file = ROOT / "README.md"
    shown = [
        (example, example.shown if agrees(example.shown, out) else cut(out, example.shown)) for example, out in runs
    ]
    lines = [line for example, printed in shown for line in (f"$ {example.typed}", *printed)]
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("\n".join(block), "\n".join(lines)), encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block[0])
def test_example_prints_what_is_shown(block: list[str], tmp_path: Path) -> None:
    runs = [(example, typed(example.typed, tmp_path)) for example in examples(block)]
    pictures = list(tmp_path.glob("*.svg"))
    assert not any("Traceback" in line for _, printed in runs for line in printed)
    if os.environ.get(WRITE_GOLDEN):
        renew(block, runs)
        for drawn in pictures:
            (ROOT / "docs" / drawn.name).write_bytes(drawn.read_bytes())
        return
    for example, printed in runs:
        assert agrees(example.shown, printed), "\n".join([f"$ {example.typed}", *printed])
    for drawn in pictures:
        assert labels(ROOT / "docs" / drawn.name) == labels(drawn)


def test_every_picture_is_drawn_by_an_example() -> None:
    linked = re.findall(r"!\[[^]]+\]\(docs/([^)]+)\)", README)
    commands = " ".join(example.typed for block in blocks("console") for example in examples(block))
    assert linked
    assert sorted(linked) == sorted(path.name for path in (ROOT / "docs").iterdir())
    assert all(name in commands for name in linked)


def test_two_commands_set_all_up() -> None:
    run, test = ("\n".join(block) for block in blocks("sh"))
    assert run.count("\n") == test.count("\n") == 0
    main_job = run.rpartition(" && ")[2].removeprefix(".venv/bin/")
    assert main_job in {example.typed for block in blocks("console") for example in examples(block)}
    assert "install -c constraints.txt" in run
    assert '".[dev]"' in test
    assert test.endswith(" && .venv/bin/pytest")


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)|(?:src|href)=\"([^\"#:]+)\"", README))))
def test_linked_file_is_there(target: tuple[str, str]) -> None:
    assert (ROOT / "".join(target)).is_file()


def test_examples_are_all_of_a_known_kind() -> None:
    fences = re.findall(r"^```(\S*)$", README, re.MULTILINE)
    assert set(fences) <= {"", "sh", "console"}
    assert len(fences) % 2 == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_told(name: str) -> None:
    assert re.search(rf"`(rulekit )?{name}\b|^\$ rulekit {name}\b", README, re.MULTILINE)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"`rulekit {name}`" in changes


def test_every_command_that_is_told_exists() -> None:
    told = set(re.findall(r"`rulekit ([a-z-]+)|^\$ rulekit ([a-z-]+)", README, re.MULTILINE))
    assert {one or other for one, other in told} - {"--help"} <= set(COMMANDS)
