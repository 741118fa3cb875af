"""Reading a file of any kind by its format key."""

from collections.abc import Callable, Mapping

from rulekit.files.course import CourseFile, course_of
from rulekit.files.findings import Findings
from rulekit.files.lake import LakeFile, lake_of
from rulekit.files.schema import kind_of
from rulekit.files.source import Source
from rulekit.files.toml import Document, parse
from rulekit.files.track import TrackFile, track_of

AnyFile = LakeFile | CourseFile | TrackFile


def read_any(source: Source) -> AnyFile:
    """The lake, course or track of a file; raises FileFaults as the reader of that kind does."""
    findings = Findings(source.path)
    document = parse(source, findings)
    readers: Mapping[str, Callable[[Document, Findings], AnyFile]] = {
        "lake": lake_of,
        "course": course_of,
        "track": track_of,
    }
    return readers[kind_of(document, findings)](document, findings)


def kind_in(source: Source) -> str:
    """The kind that a file says it is: lake, course or track; raises FileFaults where it says none."""
    findings = Findings(source.path)
    return kind_of(parse(source, findings), findings)
