"""Reading a file of any kind by its format key."""

from rulekit.files.course import CourseFile, course_of
from rulekit.files.findings import Findings
from rulekit.files.lake import LakeFile, lake_of
from rulekit.files.schema import kind_of
from rulekit.files.source import Source
from rulekit.files.toml import parse

AnyFile = LakeFile | CourseFile


def read_any(source: Source) -> AnyFile:
    """The lake or course of a file; raises FileFaults as the reader of that kind does."""
    findings = Findings(source.path)
    document = parse(source, findings)
    kind = kind_of(document, findings)
    if kind == "lake":
        return lake_of(document, findings)
    if kind == "course":
        return course_of(document, findings)
    raise findings.failure("format", f"this rulekit reads no {kind} files yet", document.entry(("format",)).value)
