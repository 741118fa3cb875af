"""The conversation of `play`, whatever is played: lines said and asked for, words that are commands, saving."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from rulekit.cli.outfile import write_file
from rulekit.errors import BadInput, FileExists
from rulekit.files.source import Source
from rulekit.files.transcript_courses import course_word

T = TypeVar("T")

WORDS = ("board", "help", "list", "advice", "save", "quit")


class Leave(Exception):
    """The player ends the session."""


class NoAnswer(Exception):
    """A line that answers nothing: what to say of it, unless it is a command."""


class HalfAnswer(NoAnswer):
    """A line that is the beginning of an answer, be it a command as well: what is missing."""


@dataclass
class Saver:
    """Where a game is written down: the file asked for, else the first free of match-1.txt, match-2.txt, …

    `sources` are the files that it is played on, of the kind that its transcript names from its own folder.
    """

    sources: list[Source]
    file: Path | None = None
    overwrite: bool = False
    mine: bool = False
    stem: str = "match"
    kind: str = "course"

    def check(self) -> None:
        """Raises FileExists and BadInput at once where the file could not be written at the end."""
        if self.file and self.file.exists() and not self.overwrite:
            raise FileExists(f"{self.file} exists already: choose another name, or add --overwrite")
        folder = (self.file or Path(f"{self.stem}-1.txt")).parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise BadInput(f"no file can be written in {folder}")
        self.words(folder)

    def words(self, folder: Path) -> tuple[str, ...]:
        """The files as a transcript in a folder names them."""
        return tuple(course_word(source, folder.absolute(), self.kind) for source in self.sources)

    def write(self, text: Callable[[tuple[str, ...]], str]) -> Path:
        """Write the text that names the files so, and return the file; one of this session is replaced."""
        if self.file is None:
            names = (Path(f"{self.stem}-{k}.txt") for k in range(1, 10_000))
            self.file = next(path for path in names if not path.exists())
        write_file(self.file, text(self.words(self.file.parent)), self.overwrite or self.mine)
        self.mine = True
        return self.file


class Talk:
    """Says and asks. `aside` sends the conversation to stderr, where stdout is wanted for the result alone."""

    aside: bool

    def say(self, text: str) -> None:
        """Print a part of the conversation."""
        click.echo(text, err=self.aside)

    def ask(self, prompt: str, understand: Callable[[str], T], obey: Callable[[str], None]) -> T:
        """What the player answers; commands are obeyed first, except where a line is an answer as well.

        `understand` raises NoAnswer. Raises Leave at `quit` and at the end of the input.
        """
        while True:
            text = self._line(prompt).strip()
            try:
                if text:
                    return understand(text)
            except NoAnswer as slip:
                word = None if isinstance(slip, HalfAnswer) else word_of(text)
                if word is None:
                    self.say(f"  {slip}")
                elif word == "quit":
                    raise Leave from None
                else:
                    obey(word)

    def _line(self, prompt: str) -> str:
        try:
            if self.aside:
                click.echo(prompt, nl=False, err=True)
            text = input("" if self.aside else prompt)
        except EOFError:
            self.say("")
            raise Leave from None
        if not sys.stdin.isatty():
            self.say(text)  # a terminal has shown it already
        return text


def word_of(text: str) -> str | None:
    """The command that a line names by its beginning, None where it is none."""
    lowered = text.lower()
    if lowered == "?":
        return "help"
    return next((word for word in WORDS if lowered and word.startswith(lowered)), None)


def number_of(text: str, most: int) -> int:
    """The number of an option, from 0; raises NoAnswer."""
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most:
        return int(text) - 1
    raise NoAnswer(f"'{text}' is no number from 1 to {most} and no word such as board, advice, quit")
