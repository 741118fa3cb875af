"""Files that the user names for output: checked before any work, written beside their place and renamed."""

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rulekit.errors import BadInput, FileExists

STREAMS = ("/dev/fd/", "/dev/std", "/proc/")
"""Names of streams that are open already: what they end in is never replaced, even where it is a file."""


def check_outputs(files: Mapping[str, str | None], overwrite: bool) -> None:
    """Make sure that files can be written, each given by its option; None and - (stdout) are passed over.

    Raises BadInput for a folder, a missing or locked folder, an empty name, or one file named by two options;
    FileExists where a file stands there and `overwrite` is off.
    """
    named = {option: name for option, name in files.items() if name not in (None, "-")}
    for option, name in named.items():
        if not name:
            raise BadInput(f"{option} names no file: the name is empty")
        check_place(Path(name), overwrite)
    _check_apart({option: Path(name) for option, name in named.items() if name})


def _check_apart(paths: Mapping[str, Path]) -> None:
    first: dict[object, str] = {}
    for option, path in paths.items():
        if written_straight(path):
            continue
        other = first.setdefault(_identity(path), option)
        if other != option:
            raise BadInput(f"{other} and {option} name the same file {path}: give each one of its own")


def _identity(path: Path) -> object:
    """What two names of one file share: its number on the disk where it stands already, else its real path."""
    try:
        found = path.stat()
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def written_straight(path: Path) -> bool:
    """Whether a name stands for a device, a pipe or an open stream, into which output is written as it is."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or str(path.absolute()).startswith(STREAMS)


def check_place(path: Path, overwrite: bool) -> None:
    """Raises BadInput where no file can be written at a path, FileExists where one may not be replaced."""
    try:
        _check_place(path, overwrite)
    except OSError as fault:
        raise BadInput(f"cannot write {path}: {fault.strerror}") from None


def _check_place(path: Path, overwrite: bool) -> None:
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it")
    if written_straight(path):
        return
    if path.exists() and not overwrite:
        raise FileExists(f"{path} exists already: choose another name, or add --overwrite")
    _check_folder(path, Path(os.path.realpath(path)).parent)


def _check_folder(path: Path, real: Path) -> None:
    folder = real if path.is_symlink() else path.parent
    if not folder.exists():
        raise BadInput(f"cannot write {path}: there is no folder {folder}, make it first")
    if not folder.is_dir():
        raise BadInput(f"cannot write {path}: {folder} is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"cannot write {path}: no permission to write in the folder {folder}")


def write_file(path: Path, content: str | bytes, overwrite: bool) -> None:
    """Write a file beside its place and rename it, so that no reader ever sees a part and no old file is lost.

    A symbolic link stays and its target is written; a file that is replaced hands on its permissions. Devices, pipes
    and open streams are written into. Raises FileExists and BadInput as `check_place`, and where the writing fails.
    """
    check_place(path, overwrite)
    data = content.encode() if isinstance(content, str) else content
    try:
        if written_straight(path):
            _write_into(path, data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as fault:
        raise BadInput(f"cannot write {path}: {fault.strerror}") from None


def _write_into(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
        stream.write(data)


def _replace(path: Path, data: bytes) -> None:
    mode = _mode(path)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".rulekit-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(beside).chmod(mode)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that stands there, else those of any new file."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
