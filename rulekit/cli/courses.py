"""`rulekit courses`: what ships."""

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from rulekit import __version__
from rulekit.cli.options import output_options
from rulekit.cli.output import Output, Result, tabulated
from rulekit.cli.params import shipped_items
from rulekit.errors import BadInput, did_you_mean
from rulekit.files.shipped import Shipped, shipped
from rulekit.files.write import commented


class ShippedName(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.2
    """The bare name of a shipped file."""

    name = "name"

    def convert(self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None) -> Shipped:
        found = {one.name: one for one in shipped()}
        if isinstance(value, Shipped):
            return value
        if value not in found:
            raise BadInput(f"no lake, course or track named '{value}' ships with rulekit{did_you_mean(value, found)}")
        return found[value]


def _completed(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [*shipped_items(incomplete), CompletionItem(incomplete, type="dir")]


@click.command()
@click.option(
    "--copy",
    type=(ShippedName(), click.Path(path_type=Path)),
    metavar="NAME DIR",
    shell_complete=_completed,
    help="Write the file of that name into the folder DIR, for editing.",
)
@output_options
def command(copy: tuple[Shipped, Path] | None, **options: Any) -> None:
    """List the lakes, courses and tracks that ship with rulekit.

    Their names can be used wherever a command takes a FILE. --copy writes one out; a course that is copied goes on
    using its shipped lake by name (copy that too and write its file name in the course to change it).

    \b
    rulekit courses                          the list
    rulekit courses --copy lagoon-a .        write lagoon-a.toml here
    \b
    Names and files are completed in the shell after
    eval "$(_RULEKIT_COMPLETE=bash_source rulekit)"        in ~/.bashrc
    eval "$(_RULEKIT_COMPLETE=zsh_source rulekit)"         in ~/.zshrc
    _RULEKIT_COMPLETE=fish_source rulekit | source         in ~/.config/fish/config.fish
    """
    out = Output(**options)
    out.check()
    if copy:
        copy_out(*copy, out)
        return
    rows = [
        {"file": str(one.file.resolve()), "kind": one.kind, "name": one.name, "title": one.title} for one in shipped()
    ]
    out.emit(Result("courses", rows, table=lambda: tabulated(("name", "kind", "title"), _cells())))


def _cells() -> list[tuple[str, str, str]]:
    return [(one.name, one.kind, one.title) for one in shipped()]


def copy_out(one: Shipped, folder: Path, out: Output) -> None:
    """Write a shipped file into a folder; raises FileExists and BadInput as `write_file`."""
    text = one.file.read_text(encoding="utf-8")
    comment = f"copied by rulekit {__version__}: rulekit courses --copy {one.name}"
    out.write(folder / f"{one.name}.toml", commented(text, comment))
