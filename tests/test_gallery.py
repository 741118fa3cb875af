"""The pages in reports/: made from the files that ship, and the same again.

Byte for byte where the versions that a page names are those of this environment, elsewhere in its tables' numbers.
"""

import csv
import html
import re
import shlex
from hashlib import sha256
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from platform import python_version

import pytest
from click.testing import CliRunner

from rulekit import __version__
from rulekit.cli import cli
from rulekit.cli.report_origin import PACKAGES
from rulekit.files.shipped import shipped_folder

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "reports"
PAGES = sorted(REPORTS.glob("*.html"))
OF_FILES = [page for page in PAGES if page.stem != "lagoon-space"]
MADE_AGAIN = ("orchard",)
"""Pages that are made again here: those that take less than a minute."""

CLOSE = 1e-6


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def command_of(page: Path) -> list[str]:
    """The words of the command line that a page tells."""
    found = re.search(r"<pre>rulekit (.*?)</pre>", text_of(page))
    assert found
    return shlex.split(html.unescape(found[1]))


def versions_of(page: Path) -> str:
    found = re.search(r"<dt>Versions</dt><dd>(.*?)</dd>", text_of(page))
    assert found
    return found[1]


def own_versions() -> str:
    known = {"rulekit": __version__, "Python": python_version(), **{name: version(name) for name in PACKAGES}}
    return ", ".join(f"{name} {number}" for name, number in known.items())


def test_there_are_pages_of_every_kind() -> None:
    kinds = {found[1] for page in PAGES if (found := re.search(r"Balance report · (\w+)", text_of(page)))}
    assert {"course", "match", "track"} <= kinds
    assert sum(file.stat().st_size for file in REPORTS.rglob("*") if file.is_file()) < 5_000_000


def test_the_swept_space_is_that_of_the_plan() -> None:
    page, plan = REPORTS / "lagoon-space.html", REPORTS / "lagoon-space.toml"
    assert sha256(plan.read_bytes()).hexdigest() in text_of(page)
    (cells,) = {row[2] for row in rows_of(REPORTS / "lagoon-space-files" / "spreads.csv") if row[0] == "turns"}
    assert int(cells) == 20_000


@pytest.mark.parametrize("page", OF_FILES, ids=lambda page: page.stem)
def test_a_page_is_made_from_the_files_that_are_here(page: Path) -> None:
    named = re.findall(r'<dt>(?:course|lake|track) ([\w.-]+)</dt><dd class="hash">sha256 (\w+)</dd>', text_of(page))
    assert named
    for name, told in named:
        file = REPORTS / name if name.endswith(".toml") else shipped_folder() / f"{name}.toml"
        assert sha256(file.read_bytes()).hexdigest() == told, name


def is_close(told: str, made: str) -> bool:
    """Whether two cells hold the same words or nearly the same number."""
    try:
        return abs(float(told) - float(made)) <= CLOSE * max(1.0, abs(float(told)))
    except ValueError:
        return told == made


def rows_of(file: Path) -> list[list[str]]:
    return list(csv.reader(file.read_text(encoding="utf-8").splitlines()))


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_AGAIN)
def test_a_page_is_the_same_again(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = REPORTS / f"{name}.html"
    monkeypatch.chdir(ROOT)
    outcome = CliRunner().invoke(cli, [*command_of(page), "-q", "-o", str(tmp_path / page.name)], prog_name="rulekit")
    assert outcome.exit_code == 0, outcome.stderr
    tables = sorted((REPORTS / f"{name}-files").glob("*.csv"))
    assert tables
    for table in tables:
        again = tmp_path / f"{name}-files" / table.name
        pairs = list(zip_longest(rows_of(table), rows_of(again), fillvalue=list[str]()))
        apart = [(told, made) for told, made in pairs if len(told) != len(made) or not all(map(is_close, told, made))]
        assert apart == [], table.name
    if versions_of(page) == own_versions():
        assert (tmp_path / page.name).read_bytes() == page.read_bytes()
