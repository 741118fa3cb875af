"""Lakes as courses name them: a shipped lake by name, or a path in or below the course's folder."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from rulekit.errors import did_you_mean
from rulekit.files.shipped import shipped, shipped_file
from rulekit.files.source import Source, is_bare, read_file, read_source


class LakeReferenceFault(Exception):
    """A lake that may not or cannot be looked for; `code` is the fault's."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


def lake_source(name: str, course: Source) -> Source:
    """The text of the lake that a course names.

    Raises LakeReferenceFault where the name may not be followed, Unreadable where nothing readable lies there.
    """
    if is_bare(name):
        return _shipped_lake(name, course)
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
        raise LakeReferenceFault("lake-path", f"the lake {name!r} is an absolute path: {_RULE}")
    path = course.folder / name
    if ".." in PurePosixPath(name.replace("\\", "/")).parts or not _is_below(path, course.folder):
        raise LakeReferenceFault("lake-path", f"the lake {name!r} lies outside this file's folder: {_RULE}")
    return read_file(_relative_to_course(path, course))


_RULE = "name a shipped lake, or a file in or below this file's folder"


def _shipped_lake(name: str, course: Source) -> Source:
    if shipped_file(name):
        return read_source(name)
    lakes = [one.name for one in shipped() if one.kind == "lake"]
    file = f"{name}.toml"
    near = f" (did you mean '{file}'?)" if (course.folder / file).is_file() else did_you_mean(name, lakes)
    where = f"`rulekit courses` lists those that do; a lake of your own is named with its suffix, as in {file!r}"
    raise LakeReferenceFault("lake-missing", f"no lake {name!r} ships with rulekit{near}: {where}")


def _is_below(path: Path, folder: Path) -> bool:
    """Whether a path stays in a folder, symbolic links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _relative_to_course(path: Path, course: Source) -> Path:
    """The path as messages tell it: beside the course's own as the user named it."""
    shown = Path(course.path).parent / path.relative_to(course.folder)
    return shown if shown.absolute() == path.absolute() else path


@dataclass(frozen=True, slots=True)
class LakeReference:
    """How a new course names its lake; `copy_to` is where the lake must be copied for that, None where it lies well."""

    name: str
    copy_to: Path | None = None


def lake_reference(lake: Source, folder: Path) -> LakeReference:
    """How a course in a folder names a lake: by shipped name, by path in or below the folder, or by a copy."""
    if lake.shipped:
        return LakeReference(lake.shipped)
    if lake.file and _is_below(lake.file, folder):
        relative = lake.file.resolve().relative_to(folder.resolve()).as_posix()
        return LakeReference(f"./{relative}" if is_bare(relative) else relative)
    own = Path(lake.path).name if lake.path.endswith(".toml") else "lake.toml"
    return LakeReference(own, folder / own)
