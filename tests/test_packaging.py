"""The built wheel works by itself, away from the source, in an environment with its run-time needs and nothing else."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rulekit
from rulekit.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def needs(requirements: list[str], extra: str = "") -> Iterator[Requirement]:
    """The requirements that hold on this machine."""
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def closure(requirements: list[str]) -> dict[str, Distribution]:
    """The installed distributions that the requirements need, with all that those need, by canonical name."""
    found: dict[str, Distribution] = {}
    waiting = list(needs(requirements))
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in found:
            found[name] = distribution(name)
        for extra in ("", *requirement.extras):
            waiting += [
                further for further in needs(found[name].requires or [], extra)
                if canonicalize_name(further.name) not in found
            ]  # fmt: skip
    return found


def run(*command: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A command without this environment's own paths; what it printed is in the failure."""
    env = {key: text for key, text in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV", "COLUMNS"}}
    outcome = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome


def build(target: str, source: Path, folder: Path) -> Path:
    """The distribution file of a kind that hatchling builds from a source into an empty folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, folder=source)
    (built,) = folder.iterdir()
    return built


def environment(home: Path, wheel: Path) -> Path:
    """The scripts folder of a fresh environment with the wheel and, linked in, its run-time needs and nothing else."""
    venv.create(home, with_pip=False)
    run(sys.executable, "-m", "pip", "--python", home, "install", "--no-deps", "--no-index", wheel)
    (site,) = home.glob("lib/python*/site-packages")
    for needed in closure(PROJECT["dependencies"]).values():
        for top in {Path(file).parts[0] for file in needed.files or [] if ".." not in file.parts}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(needed.locate_file(top))))
    return home / "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as a publisher's tool does it."""
    packed = build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))
    source = tmp_path_factory.mktemp("source")
    shutil.unpack_archive(packed, source, filter="data")
    return build("wheel", source / packed.name.removesuffix(".tar.gz"), tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment with the wheel."""
    return environment(tmp_path_factory.mktemp("installed"), wheel)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a checkout holds of the product."""
    copy = tmp_path / "checkout"
    for folder in ("rulekit", "courses"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, copy)
    return copy


def test_wheel_holds_the_package_and_its_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {f"rulekit/{file.relative_to(ROOT)}" for file in (ROOT / "courses").rglob("*.toml")}
    texts = {str(file.relative_to(ROOT)) for file in (ROOT / "rulekit").rglob("*.txt")}
    templates = {str(file.relative_to(ROOT)) for file in (ROOT / "rulekit" / "report" / "templates").iterdir()}
    assert shipped
    assert texts
    assert templates
    assert shipped | texts | templates | {"rulekit/py.typed", "rulekit/cli/__init__.py"} <= names
    assert not [name for name in names if name.startswith(("tests/", "courses/")) or "__pycache__" in name]


@pytest.mark.slow
def test_fresh_environment_has_no_tools_for_developers(installed: Path) -> None:
    shown = run(installed / "python", "-c", "import importlib.util as u; print(u.find_spec('pytest'))").stdout
    assert shown == "None\n"


@pytest.mark.slow
def test_installed_command_runs_away_from_the_source(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "import rulekit; print(rulekit.__file__)", folder=tmp_path).stdout
    assert not Path(where).is_relative_to(ROOT)
    assert run(installed / "rulekit", "--version", folder=tmp_path).stdout == f"rulekit {rulekit.__version__}\n"
    assert "PB-12" in run(installed / "rulekit", "rules", "powerboats", folder=tmp_path).stdout
    odds = json.loads(run(installed / "rulekit", "odds", "--speed", "7", "-f", "json", folder=tmp_path).stdout)
    assert odds["rows"]


@pytest.mark.slow
def test_installed_command_finds_what_ships(installed: Path, tmp_path: Path) -> None:
    rows = json.loads(run(installed / "rulekit", "courses", "-f", "json", folder=tmp_path).stdout)["rows"]
    files = [Path(row["file"]) for row in rows]
    assert len(files) == len(list((ROOT / "courses").rglob("*.toml")))
    assert all(file.is_file() and file.is_relative_to(installed.parent) for file in files)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_starts_without_developers_packages(installed: Path, name: str, tmp_path: Path) -> None:
    assert run(installed / "rulekit", name, "--help", folder=tmp_path).stdout.startswith(f"Usage: rulekit {name} ")


@pytest.mark.slow
def test_every_module_imports_without_developers_packages(installed: Path, tmp_path: Path) -> None:
    code = (
        "import importlib, pkgutil, rulekit\n"
        "names = [found.name for found in pkgutil.walk_packages(rulekit.__path__, 'rulekit.')]\n"
        "for name in names:\n"
        "    if not name.endswith('__main__'): importlib.import_module(name)\n"
        "print(len(names))"
    )
    assert int(run(installed / "python", "-c", code, folder=tmp_path).stdout) > len(COMMANDS)


@pytest.mark.slow
def test_file_edited_in_a_checkout_is_seen_at_once(checkout: Path, tmp_path: Path) -> None:
    # The editable wheel carries a copy of courses/ that would go stale, were it read.
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    scripts = environment(tmp_path / "fresh", build("wheel:editable", checkout, wheels))

    def titles() -> dict[Path, str]:
        rows = json.loads(run(scripts / "rulekit", "courses", "-f", "json", folder=tmp_path).stdout)["rows"]
        return {Path(row["file"]): row["title"] for row in rows}

    before = titles()
    edited = min(before)
    assert edited.is_relative_to(checkout)
    text = edited.read_text(encoding="utf-8")
    edited.write_text(re.sub('^name = ".*"$', 'name = "Renamed"', text, count=1, flags=re.MULTILINE), encoding="utf-8")
    assert titles() == {**before, edited: "Renamed"}


def test_constraints_pin_all_that_developers_install() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    pinned = {canonicalize_name(line.partition("==")[0]) for line in lines}
    wanted = closure([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]])
    assert len(lines) == len(pinned)
    assert set(wanted) <= pinned


def test_names_and_markers_of_the_distribution() -> None:
    assert PROJECT["name"] == "board-rulekit"
    assert "Private :: Do Not Upload" in PROJECT["classifiers"]
    assert set(PROJECT["optional-dependencies"]) == {"dev", "bench", "cluster", "parquet"}
    assert PROJECT["requires-python"] == ">=3.11"
