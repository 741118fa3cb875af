"""How a report is made again: its command line, versions, and the sha256 of every file that it rests on."""

import shlex
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from time import strftime
from typing import Any

from rulekit import __version__
from rulekit.files.course import CourseFile
from rulekit.files.kinds import AnyFile
from rulekit.files.lake import LakeFile
from rulekit.files.source import Source
from rulekit.files.track import TrackFile
from rulekit.report.parts import Input, Origin

PACKAGES = ("numpy", "numba", "scipy")
"""What the figures rest on besides rulekit and Python."""


def kind_name(file: AnyFile) -> str:
    """Lake, course or track."""
    return "lake" if isinstance(file, LakeFile) else "track" if isinstance(file, TrackFile) else "course"


def sources(found: Sequence[AnyFile]) -> list[tuple[str, Source]]:
    """The files that a report rests on with their kinds, those of lakes too, each once."""
    listed: list[tuple[str, Source]] = []
    for file in found:
        listed.append((kind_name(file), file.source))
        if isinstance(file, CourseFile) and file.lake_file:
            listed.append(("lake", file.lake_file.source))
    return [one for k, one in enumerate(listed) if one[1].text not in [other.text for _, other in listed[:k]]]


def origin_of(
    options: Mapping[str, Any],
    seed: int,
    readings: Mapping[str, str],
    files: Sequence[tuple[str, Source]],
    races: int | None,
) -> Origin:
    """How the report is made again."""
    inputs = [Input(_shown(source), kind, sha256(source.text.encode()).hexdigest()) for kind, source in files]
    versions = {"rulekit": __version__, "Python": python_version(), **{name: version(name) for name in PACKAGES}}
    time = strftime("%Y-%m-%d %H:%M:%S %z") if options["timestamp"] else None
    return Origin(command_line(options, seed, races), seed, versions, readings, inputs, time)


def _shown(source: Source) -> str:
    """A file's name without the folders that lead to it, which tell of a machine."""
    return source.shipped or Path(source.path).name


def command_line(options: Mapping[str, Any], seed: int, races: int | None) -> str:
    """The words that make the same report again, but for where it goes."""
    words = ["rulekit", "report", *options["files"]]
    for name in ("players", "policy", "sample", "dice_max"):
        if options[name] is not None:
            words += [f"--{name.replace('_', '-')}", str(options[name])]
    for name in ("spots", "reading"):
        words += [word for value in options[name] for word in (f"--{name}", value)]
    words += ["--races", str(races)] if races else []
    return shlex.join([*words, "--seed", str(seed)])
