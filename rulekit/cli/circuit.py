"""The track of a FILE argument, for commands that race on it."""

from rulekit.cli.output import Output
from rulekit.errors import FileFaults, errors_in
from rulekit.files.source import Source
from rulekit.files.track import TrackFile, read_track
from rulekit.ps.check import check


def load_legal_track(source: Source, force: bool, output: Output) -> TrackFile:
    """The track of a file; raises FileFaults where it breaks rules, unless `force` is set."""
    file = read_track(source)
    found = [file.fault(finding) for finding in check(file.track)]
    if errors_in(found) and not force:
        raise FileFaults([*file.faults, *found])
    output.warn([*file.faults, *found])
    return file
