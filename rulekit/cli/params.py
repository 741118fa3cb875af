"""Parameter types that complete themselves in the shell."""

from collections.abc import Sequence

import click
from click.shell_completion import CompletionItem


class FileParam(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.2
    """A FILE argument: a path, `-`, or the bare name of a shipped file. Completes files and shipped names.

    `kinds` limits the names that are completed to these kinds (lake, course, track).
    """

    name = "file"

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Shipped names that begin like the word, then the shell's own files."""
        return [*shipped_items(incomplete, self.kinds), CompletionItem(incomplete, type="file")]


def shipped_items(incomplete: str, kinds: Sequence[str] = ()) -> list[CompletionItem]:
    """Shipped names that begin like the word, of some kinds or all."""
    from rulekit.files.shipped import shipped

    names = (one for one in shipped() if not kinds or one.kind in kinds)
    return [CompletionItem(one.name, help=one.title) for one in names if one.name.startswith(incomplete)]


FILE = FileParam()
"""Any file."""

stdin_filename_option = click.option(
    "--stdin-filename", metavar="NAME", help="What messages and relative paths take - (standard input) for."
)
