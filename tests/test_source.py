"""Finding and reading the text behind a FILE argument."""

import io
import sys
from pathlib import Path

import pytest

from rulekit.errors import Unreadable
from rulekit.files import shipped
from rulekit.files.shipped import shipped_folder, shipped_names
from rulekit.files.source import MOST_BYTES, read_source


def refused(name: Path | str) -> str:
    with pytest.raises(Unreadable) as raised:
        read_source(str(name))
    assert raised.value.exit_code == 2
    return str(raised.value)


def test_missing_with_the_near_miss(tmp_path: Path) -> None:
    (tmp_path / "lagune.toml").write_text("")
    assert "did you mean" in refused(tmp_path / "lagoon.toml")
    assert "there is no file" in refused(tmp_path / "no" / "x.toml")


def test_a_bare_name_that_does_not_ship_names_the_near_miss() -> None:
    assert "did you mean 'lagoon'?" in refused("lagun")


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)


def test_binary(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    for data in (b"\x89PNG\0\0", b"\0", b"\0" * 100):
        file.write_bytes(data)
        assert "binary" in refused(file)


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-16", "is UTF-16 text"),
        ("utf-16-le", "is UTF-16 text"),
        ("utf-16-be", "is UTF-16 text"),
        ("latin-1", ":1:9: not UTF-8 text"),
    ],
)
def test_text_in_another_encoding_tells_how_to_save_it(tmp_path: Path, encoding: str, told: str) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes('name = "ä"\n'.encode(encoding))
    message = refused(file)
    assert told in message
    assert "save it as UTF-8" in message


def test_the_name_is_told_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lagoon-c").write_text("x")
    assert read_source("./lagoon-c").path == "./lagoon-c"
    (tmp_path / "lagoon-c").write_bytes(b"\xff")
    assert refused("./lagoon-c").startswith("./lagoon-c:1:1: ")
    assert "there is no file ./lagoon-x" in refused("./lagoon-x")


def test_not_utf8_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes("a = 1\nü = ".encode() + b"\xff")
    assert f"{file}:2:5: not UTF-8" in refused(file)


def test_a_file_of_50_mb_is_not_read_into_memory(tmp_path: Path) -> None:
    file = tmp_path / "big.toml"
    with file.open("wb") as big:
        big.truncate(50_000_000)
    assert "over 1 MB" in refused(file)


def test_the_limit_itself(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"#" * MOST_BYTES)
    assert len(read_source(str(file)).text) == MOST_BYTES
    file.write_bytes(b"#" * (MOST_BYTES + 1))
    assert "over 1 MB" in refused(file)


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000])
def test_impossible_names(name: str) -> None:
    refused(name)


def test_a_file_that_may_not_be_opened(tmp_path: Path) -> None:
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    assert "cannot read" in refused(loop)


def test_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert read_source(str(file)).text == "a = 1\nb = 2\n"


def test_a_shipped_name() -> None:
    source = read_source("lagoon")
    assert source.file == shipped_folder() / "lagoon.toml"
    assert source.shipped == "lagoon"
    assert read_source(str(shipped_folder() / "lagoon.toml")).shipped == "lagoon"


def test_a_file_named_like_a_shipped_one_does_not_ship(tmp_path: Path) -> None:
    (tmp_path / "lagoon.toml").write_text("a = 1")
    assert read_source(str(tmp_path / "lagoon.toml")).shipped is None


def test_a_shipped_name_goes_before_a_file_without_a_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lagoon").mkdir()
    Path("own").write_text("a = 1")
    assert read_source("lagoon").shipped == "lagoon"
    assert read_source("own").text == "a = 1"
    assert "is a folder" in refused("./lagoon")


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stdin(monkeypatch, b"a = 1")
    source = read_source("-")
    assert (source.path, source.text, source.folder) == ("<stdin>", "a = 1", Path.cwd())
    stdin(monkeypatch, b"a = 1")
    source = read_source("-", str(tmp_path / "x.toml"))
    assert (source.path, source.folder) == (str(tmp_path / "x.toml"), tmp_path)


def test_standard_input_is_judged_like_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, b"\0")
    assert "<stdin> is a binary file" in refused("-")


def test_an_installed_package_has_its_files_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "rulekit"
    for folder in (package / "courses", tmp_path / "courses"):
        folder.mkdir(parents=True)
    (package / "courses" / "own.toml").write_text("")
    monkeypatch.setattr(shipped, "PACKAGE", package)
    assert (shipped_folder(), shipped_names()) == (package / "courses", ["own"])
    (package / "courses" / "own.toml").unlink()
    (package / "courses").rmdir()
    assert shipped_folder() == tmp_path / "courses"


def test_names_are_sorted() -> None:
    assert shipped_names() == sorted(shipped_names())
