"""`report --atlas`: the page of a swept space."""

import tomllib
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from shlex import join
from time import perf_counter, strftime
from typing import Any

from rulekit import __version__
from rulekit.cli.output import Output
from rulekit.cli.report_origin import PACKAGES
from rulekit.cli.report_run import check_target, emit, write
from rulekit.errors import BadInput
from rulekit.report.parts import Input, Origin
from rulekit.study.sweep_store import Head, reading, rows_of

USELESS = ("players", "policy", "races", "sample", "dice_max", "stdin_filename")


def report_atlas(options: Mapping[str, Any], output: Output) -> None:
    """Makes the page and writes or prints it; raises BadInput, Unreadable and FileExists."""
    from rulekit.report.atlas import SweptSpace, space_report

    began = perf_counter()
    if options["files"]:
        raise BadInput("--atlas makes a page of a swept space: name no other files")
    for name in (*USELESS, "spots", "reading", "seed"):
        if options[name] not in (None, ()):
            raise BadInput(f"--{name.replace('_', '-')} is of no use with --atlas: the sweep has told all that")
    folder, path = check_target(output), Path(options["atlas"])
    with reading(path) as (_base, head):
        pass
    made = space_report(
        SweptSpace(head.name, rows_of(path), head.asked, head.size or head.asked, _origin(path, head, options))
    )
    if folder:
        write(made, Path(output.output), folder, output)
    else:
        emit(made, {"seconds": perf_counter() - began}, output)


def _origin(path: Path, head: Head, options: Mapping[str, Any]) -> Origin:
    """How the page is made again."""
    versions = {"rulekit": __version__, "rules": head.rules, "Python": python_version()}
    versions |= {name: version(name) for name in PACKAGES}
    inputs = [Input(path.name, "sweep", sha256(path.read_bytes()).hexdigest()),
              Input("the plan in it", "plan", sha256(head.plan.encode()).hexdigest())]  # fmt: skip
    seed = int(tomllib.loads(head.plan).get("seed", 0)) if head.plan else 0
    time = strftime("%Y-%m-%d %H:%M:%S %z") if options["timestamp"] else None
    return Origin(join(["rulekit", "report", "--atlas", path.name]), seed, versions, {}, inputs, time)
