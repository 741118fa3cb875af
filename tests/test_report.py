"""`rulekit report`: files written, figures printed, the same bytes again, bad input."""

import csv
import io
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_parts import HARM, report

from rulekit.cli import cli
from rulekit.files.shipped import shipped_folder
from rulekit.report import races, track_report
from rulekit.report.charts import Dot, dots, ticks
from rulekit.report.heat import STEPS, Heat
from rulekit.report.page import html
from rulekit.report.save import files
from rulekit.study.metrics import METRICS

CHEAP = (
    "seat-advantage",
    "balance",
    "sink-rate",
    "duration",
    "crash-profile",
    "danger-map",
    "match-leader",
    "overtakes",
)
"""Metrics that take no time."""


@pytest.fixture(scope="module", autouse=True)
def few_metrics() -> Iterator[None]:
    """Reports tell of the cheap metrics alone."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (races, track_report):
            patch.setattr(module, "METRICS", {name: METRICS[name] for name in CHEAP})
        yield


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["report", *map(str, args)], prog_name="rulekit")


def written(folder: Path, *args: str | Path) -> dict[str, bytes]:
    """All files that a report writes, by their names."""
    outcome = run(*args, "-o", folder / "r.html")
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.stdout == ""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose name, and whose lake's, mean harm."""
    folder = tmp_path_factory.mktemp("evil")
    for name in ("practice", "practice-a"):
        text = (shipped_folder() / f"{name}.toml").read_text(encoding="utf-8")
        text = re.sub('^name = ".*"$', f"name = '{HARM}'", text, count=1, flags=re.MULTILINE)
        (folder / f"{name}.toml").write_text(text.replace('"practice"', '"practice.toml"'), encoding="utf-8")
    return folder / "practice-a.toml"


PRACTICE = ("practice-a", "--races", "40", "--seed", "3")


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a course's report."""
    return written(tmp_path_factory.mktemp("practice"), *PRACTICE)


class Elements(HTMLParser):
    """The names of a page's elements, with the values of what could fetch something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action", "data")]


def test_a_course_gives_a_page_with_tables_and_drawings(practice: dict[str, bytes]) -> None:
    found, page = practice, practice["r.html"].decode()
    assert {"r-files/hexes.csv", "r-files/board-risk.svg", "r-files/best-finishing.svg", "r-files/seats-figures.csv",
            "r-files/seat-advantage.svg", "r-files/danger-map.csv"} <= set(found)  # fmt: skip
    assert "rulekit report practice-a --races 40 --seed 3" in page
    for name in ("practice-a", "practice"):
        assert sha256((shipped_folder() / f"{name}.toml").read_bytes()).hexdigest() in page
    assert "dice-max=6" in page
    assert Elements(page).names.count("script") == 1
    assert {link for link in Elements(page).links if not link.startswith("#")} == {"data:,"}


def test_the_same_seed_gives_the_same_bytes_whatever_the_workers_and_the_place(
    practice: dict[str, bytes], tmp_path: Path
) -> None:
    assert written(tmp_path, *PRACTICE, "-j", "2", "-v") == practice


def test_drawings_hold_few_digits_and_nothing_of_when_and_by_whom(practice: dict[str, bytes]) -> None:
    drawings = [data.decode() for name, data in practice.items() if name.endswith(".svg")]
    assert len(drawings) > 5
    for text in drawings:
        assert not re.search(r"\d\.\d{7}|<metadata|dc:date|dc:creator|20\d\d-\d\d", text)
        assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')


def test_a_name_that_means_harm_is_text(evil: Path, tmp_path: Path) -> None:
    found = written(tmp_path, evil, "--races", "20", "--seed", "3")
    page = found["r.html"].decode()
    assert Elements(page).names.count("script") == 1
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 2
    drawings = [data.decode() for name, data in found.items() if name.endswith(".svg")]
    assert not [text for text in drawings if "<script" in text]


@pytest.mark.slow
def test_a_match_tells_of_each_course(tmp_path: Path) -> None:
    found = written(tmp_path, "practice-a", "practice-a", "practice-a", "--races", "30", "--seed", "3")
    page = found["r.html"].decode()
    assert {f"r-files/board-{number}-risk.svg" for number in (1, 2, 3)} <= set(found)
    assert "30 matches of 3 races" in page
    assert "Does the first race decide the match?" in page


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with two C-spots: two courses."""
    water = ". " * 10
    rows = [water] * 6
    rows[1], rows[4] = " . c6. . . . . . . .", ". . . . . . . c4. ."
    drawn = "\n".join(row if k in (1, 4) else " " * (k % 2) + row for k, row in enumerate(rows))
    file = tmp_path_factory.mktemp("small") / "small.toml"
    file.write_text(f"format = \"rulekit/lake-1\"\nname = \"Small\"\nmap = '''\n{drawn}\n'''\n", encoding="utf-8")
    return file


def test_a_lake_gives_an_atlas(small: Path, tmp_path: Path) -> None:
    found = written(tmp_path, small, "--seed", "5")
    rows = list(csv.DictReader(io.StringIO(found["r-files/courses.csv"].decode())))
    assert [row["course"] for row in rows] == ["C1", "C2"]
    page = found["r.html"].decode()
    assert "all 2 legal courses on the C spots" in page
    assert "Are the starts fair?" in page
    assert "r-files/board-visits.svg" in found


def test_a_sample_is_drawn_by_the_seed(small: Path) -> None:
    drawn = {
        json.loads(run(small, "--sample", "1", "--seed", str(seed), "-f", "json").stdout)["tables"]["courses"][0][
            "course"
        ]
        for seed in range(6)
    }
    assert drawn == {"C1", "C2"}


def test_an_atlas_agrees_with_the_solver(small: Path, tmp_path: Path) -> None:
    atlas = json.loads(run(small, "-f", "json").stdout)["tables"]["courses"]
    args = ["build-course", str(small), "--spots", "C", "--seed", "1", "-o", str(tmp_path / "c.toml"), "-f", "json"]
    (built,) = json.loads(CliRunner().invoke(cli, args).stdout)["rows"]
    solved = json.loads(CliRunner().invoke(cli, ["solve", str(tmp_path / "c.toml"), "-f", "json"]).stdout)
    (own,) = [row for row in atlas if row["hexes"].split() == built["hexes"]]
    assert own["turns"] == pytest.approx(solved["turns"], abs=1e-6)
    assert own["crashes"] == pytest.approx(solved["crashes"], abs=1e-6)
    assert own["route"] == built["route"]
    best: dict[str, float] = {}
    for start in solved["starts"]:
        best[start["hex"]] = min(start["value"], best.get(start["hex"], float("inf")))
    ranked = sorted(best.values())
    assert own["fourth"] == pytest.approx(ranked[3] - ranked[0], abs=1e-6)
    assert own["start_range"] == pytest.approx(ranked[-1] - ranked[0], abs=1e-6)


@pytest.mark.slow
def test_a_track_gives_a_page(tmp_path: Path) -> None:
    found = written(tmp_path, "orchard", "--seed", "5", "--races", "20")
    page = found["r.html"].decode()
    assert {"r-files/board-red.svg", "r-files/curves.csv", "r-files/laps.csv", "r-files/spaces.csv"} <= set(found)
    assert "hairpin" in page
    limits = json.loads(CliRunner().invoke(cli, ["limits", "orchard", "-f", "json"]).stdout)
    rows = list(csv.DictReader(io.StringIO(found["r-files/spaces.csv"].decode())))
    assert len(rows) == len(limits["rows"])
    assert "Do the cars overtake?" in page
    assert "Every mark is as its geometry earns it" in page


def test_the_printed_form_holds_the_same_figures() -> None:
    args = PRACTICE
    answer = json.loads(run(*args, "-f", "json").stdout)
    assert (answer["command"], answer["kind"], answer["seed"]) == ("report", "course", 3)
    seats = [row for row in answer["rows"] if row["metric"] == "seat-advantage"]
    assert [row["of"] for row in seats] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    assert sum(row["value"] for row in seats) == pytest.approx(0)
    rows = list(csv.DictReader(io.StringIO(run(*args, "-f", "csv").stdout)))
    assert [row["metric"] for row in rows] == [row["metric"] for row in answer["rows"]]
    table = run(*args)
    assert table.stdout.startswith("Practice pond, race A\n")
    assert "Is a seat at a disadvantage?" in table.stdout
    for one in answer["verdict"]:
        assert one["level"] in ("alert", "watch", "fine", "unknown")


def test_nothing_is_replaced_unless_told(tmp_path: Path) -> None:
    args = ("practice-a", "--races", "10", "--seed", "3")
    before = written(tmp_path, *args)
    refused = run(*args, "-o", tmp_path / "r.html")
    assert refused.exit_code == 2
    assert "exists already" in refused.stderr
    (tmp_path / "r.html").unlink()
    refused = run(*args, "-o", tmp_path / "r.html")
    assert (refused.exit_code, "r-files exists already" in refused.stderr) == (2, True)
    assert run(*args, "-o", tmp_path / "r.html", "--overwrite").exit_code == 0
    assert {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()} == set(before)


def test_the_time_stands_there_only_when_asked(tmp_path: Path) -> None:
    args = ("practice-a", "--races", "10", "--seed", "3", "--timestamp")
    assert "<dt>Made</dt>" in written(tmp_path, *args)["r.html"].decode()
    assert "<dt>Made</dt>" not in html(report())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("practice-a", "orchard"), "a match over several courses"),
        (("practice", "practice-a"), "practice.toml is a lake"),
        (("practice-a", "--sample", "3"), "--sample chooses among the courses of a lake"),
        (("practice", "--races", "3"), "--races is of no use here"),
        (("practice", "--spots", "Q"), "the letters are A, B and C"),
        (("orchard", "--spots", "A"), "--spots is of no use here"),
        (("practice-a", "--policy", "cautios"), "did you mean 'cautious'?"),
        (("practice-a", "--players", "9"), "9 players"),
        (("practice-a", "--dice-max", "none"), "--dice-max"),
        (("practise-a",), "did you mean 'practice-a'?"),
        (("practice-a", "-o", "x.html", "-f", "json"), "writes the page"),
        (("practice-a", "-o", "x.svg"), "not a .svg file"),
        (("practice-a", "-o", "no/x.html"), "there is no folder no"),
    ],
)
def test_bad_input_is_told(
    args: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run(*args)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_folders_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "r-files").write_text("mine", encoding="utf-8")
    outcome = run("practice-a", "--races", "10", "-o", tmp_path / "r.html", "--overwrite")
    assert (outcome.exit_code, "it is no folder" in outcome.stderr) == (2, True)


def test_csv_holds_all_rows_and_all_keys() -> None:
    found = files(report())
    rows = list(csv.reader(io.StringIO(found["numbers.csv"])))
    assert rows == [["name", "value", "low"], ["b", "10", "0.333333333"], [HARM, "", ""], ["a", "9", "2"]]


def test_ticks_hold_the_values_between_them() -> None:
    for low, high in ((0.0, 1.0), (-0.07, 0.09), (3.0, 3.0), (1e-6, 2e-6), (17.5, 19.2)):
        found = ticks(low, high)
        assert found[0] <= low <= high <= found[-1]
        assert 2 <= len(found) <= 9


def test_a_dot_stands_where_its_value_is() -> None:
    plot = dots("x", "X", "", [Dot("a", 0.0), Dot("b", 1.0), Dot("c", 0.5)], str)
    places = [float(x) for x in re.findall(r'class="dot" cx="([\d.]+)"', plot.elements)]
    assert places[2] == pytest.approx((places[0] + places[1]) / 2, abs=0.01)


def test_steps_part_the_values() -> None:
    heat = Heat("x", "X", "", {k: float(k) for k in range(15)}, str, str, str)
    steps = [heat.step(value) for value in heat.values.values()]
    assert steps == sorted(steps)
    assert (steps[0], steps[-1], len(set(steps))) == (0, STEPS - 1, STEPS)
    assert len(heat.layer().legend) == STEPS


@pytest.mark.slow
def test_every_metric_is_worked_out_alike_by_one_worker_and_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(races, "METRICS", METRICS)
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    one = written(folders[0], "practice-a", "--races", "60", "--seed", "3", "--players", "3")
    two = written(folders[1], "practice-a", "--races", "60", "--seed", "3", "--players", "3", "-j", "2")
    assert one == two
    assert {f"r-files/{name}.csv" for name in ("crash-map", "danger-map", "visit-map")} <= set(one)
