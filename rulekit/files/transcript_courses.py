"""The courses of a transcript: shipped ones by name, others by their path from the transcript's folder."""

import os
from pathlib import Path

from rulekit.errors import BadInput, Unreadable
from rulekit.files.course import CourseFile, read_course
from rulekit.files.findings import Findings
from rulekit.files.source import Source, is_bare, read_file, read_source
from rulekit.files.transcript import Transcript


def transcript_courses(transcript: Transcript, source: Source) -> list[CourseFile]:
    """The courses that a transcript names, in order.

    Raises FileFaults where one cannot be read (at the transcript's line) or is faulty (at the course's own lines).
    """
    findings = Findings(source.path)
    files: list[CourseFile] = []
    for count, name in enumerate(transcript.courses, 1):
        try:
            files.append(read_course(course_source(name, source)))
        except Unreadable as fault:
            findings.error("course", str(fault), transcript.places.get(f"course {count}"))
    findings.stop()
    return files


def course_source(name: str, transcript: Source) -> Source:
    """The text of a course as a transcript names it; raises Unreadable."""
    if is_bare(name):
        return read_source(name)
    beside = Path(transcript.path).parent / name
    shown = beside if beside.absolute() == transcript.folder / name else transcript.folder / name
    return read_file(shown)


def course_word(course: Source, folder: Path, kind: str = "course") -> str:
    """How a transcript in a folder names a course, or a file of another kind.

    Raises BadInput for a course from standard input, or a path that a line cannot hold.
    """
    if course.shipped:
        return course.shipped
    if course.file is None:
        raise BadInput(f"a transcript cannot name a {kind} from standard input: save it as a file first")
    path = Path(os.path.relpath(course.file, folder)).as_posix()
    if " #" in path or "\n" in path or path != path.strip():
        raise BadInput(f"a transcript cannot name the {kind} {path!r}: rename the file")
    return f"./{path}" if is_bare(path) else path
