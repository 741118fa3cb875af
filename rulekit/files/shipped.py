"""The lakes, courses and tracks that ship with rulekit."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Shipped:
    """A file that ships: the bare name to ask for it by, its place, its kind (lake, course, track) and its title."""

    name: str
    file: Path
    kind: str
    title: str


def shipped_folder() -> Path:
    """Where the shipped files are: inside the installed package, or next to it in a checkout."""
    inside = PACKAGE / "courses"
    return inside if inside.is_dir() else PACKAGE.parent / "courses"


def shipped_names() -> list[str]:
    """The bare names of all shipped files, sorted."""
    return sorted(file.stem for file in shipped_folder().glob("*.toml"))


def shipped_file(name: str) -> Path | None:
    """The file behind a bare name, None where nothing of that name ships."""
    return shipped_folder() / f"{name}.toml" if name in shipped_names() else None


@cache
def shipped() -> Sequence[Shipped]:
    """All shipped files with kind and title: lakes, then courses, then tracks, each by name."""
    kinds = ("lake", "course", "track")
    return tuple(sorted(map(_describe, shipped_names()), key=lambda one: (kinds.index(one.kind), one.name)))


def _describe(name: str) -> Shipped:
    import tomllib

    file = shipped_folder() / f"{name}.toml"
    head = tomllib.loads(file.read_text(encoding="utf-8"))
    return Shipped(name, file, head["format"].removeprefix("rulekit/").rsplit("-", 1)[0], head["name"])
