"""Finding and reading the text of a file that the user named."""

import errno
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulekit.errors import Unreadable, did_you_mean
from rulekit.files.shipped import shipped_file, shipped_names

MOST_BYTES = 1_000_000
"""A longer file is no board: it is refused before it is read."""

STDIN = "-"

SAVE_AS = "save it as UTF-8 (your editor's “Save as” offers the encoding)"


@dataclass(frozen=True)
class Source:
    """The text of a file: `path` as messages name it, the `folder` that its own paths are relative to.

    `file` is where it lies (None for standard input), `shipped` its bare name where it ships with rulekit.
    """

    path: str
    text: str
    folder: Path
    file: Path | None = None
    shipped: str | None = None


def read_source(name: str, stdin_filename: str | None = None) -> Source:
    """The text behind a FILE argument: a path, `-` for standard input, or the bare name of a shipped file.

    A shipped name goes before a file of the same name without a suffix (which is told by `./name`). `stdin_filename`
    is what messages and relative paths take standard input for.
    Raises Unreadable for what is missing, a folder, binary, not UTF-8, or over 1 MB.
    """
    if not name:
        raise Unreadable("a file is wanted, but its name is empty")
    if name == STDIN:
        return _from_stdin(stdin_filename)
    found = shipped_file(name) if is_bare(name) else None
    if found:
        return Source(str(found), read_text(found, str(found)), found.parent, found, name)
    return read_file(Path(name), name)


def read_file(path: Path, shown: str = "") -> Source:
    """The text of a file at a path; `shown` is what messages call it. Raises Unreadable as `read_source`."""
    file, named = path.absolute(), shown or str(path)
    return Source(named, read_text(path, named), file.parent, file, _shipped_as(file))


def is_bare(name: str) -> bool:
    """Whether a name is no path: letters, digits, - and _ only.

    >>> is_bare("lagoon-a"), is_bare("lagoon-a.toml"), is_bare("./lagoon")
    (True, False, False)
    """
    return re.fullmatch(r"[A-Za-z0-9_-]+", name) is not None


def _shipped_as(file: Path) -> str | None:
    own = shipped_file(file.stem)
    return file.stem if own and own.resolve() == file.resolve() else None


def _from_stdin(stdin_filename: str | None) -> Source:
    shown = stdin_filename or "<stdin>"
    folder = Path(stdin_filename).absolute().parent if stdin_filename else Path.cwd()
    return Source(shown, decode(_stdin_bytes(), shown), folder)


def _stdin_bytes() -> bytes:
    try:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as fault:
        why = "it is closed" if fault.errno == errno.EBADF else fault.strerror
        raise Unreadable(f"cannot read standard input: {why}") from None


def read_text(path: Path, shown: str) -> str:
    """The text of a file; `shown` is its name in messages. Raises Unreadable as `read_source`."""
    try:
        if path.is_dir():
            raise Unreadable(f"{shown} is a folder: name a file in it")
        with path.open("rb") as file:
            return decode(file.read(MOST_BYTES + 1), shown)
    except FileNotFoundError:
        raise Unreadable(f"there is no file {shown}{_near(path)}") from None
    except (OSError, ValueError) as fault:
        raise Unreadable(f"cannot read {shown!r}: {getattr(fault, 'strerror', None) or fault}") from None


def _near(path: Path) -> str:
    """The near miss among the shipped names (for a bare name) and the files in the path's folder."""
    return did_you_mean(str(path), [*(shipped_names() if is_bare(str(path)) else ()), *_beside(path)])


def _beside(path: Path) -> Iterable[str]:
    try:
        return [str(path.parent / file.name) for file in path.parent.glob("*.toml")]
    except OSError:
        return []


def decode(data: bytes, shown: str) -> str:
    """Text of a file's bytes, line ends as newlines, a byte order mark cut off.

    Raises Unreadable for binary data, for text in another encoding than UTF-8, and for more than 1 MB.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{shown} is over 1 MB: that is no board")
    if b"\0" in data:
        raise Unreadable(f"{shown} is UTF-16 text: {SAVE_AS}" if _is_utf16(data) else f"{shown} is a binary file")
    try:
        return data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Unreadable(
            f"{shown}:{line}:{column}: not UTF-8 text (byte {data[fault.start]:#04x}): {SAVE_AS}"
        ) from None


def _is_utf16(data: bytes) -> bool:
    """Whether bytes with zeros among them look like a text in UTF-16, with a byte order mark or without."""
    head = data[:200]
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or any(head[::2]) != any(head[1::2])
