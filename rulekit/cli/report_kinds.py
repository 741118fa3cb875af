"""The reports of lakes and tracks, as the options ask for them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulekit.cli.options import need_dice_limit, powerboats_readings
from rulekit.cli.output import Output
from rulekit.cli.report_origin import origin_of, sources
from rulekit.errors import BadInput, FileFaults, errors_in
from rulekit.files.lake import LakeFile
from rulekit.files.track import TrackFile
from rulekit.ps.check import check
from rulekit.readings import PsReadings
from rulekit.report.parts import Report

Tell = Callable[[str], None]


def lake(
    found: Sequence[LakeFile], options: Mapping[str, Any], seed: int, _output: Output, tell: Tell
) -> Report:  # fmt: skip
    """The atlas of a lake."""
    from rulekit.report.lake import Atlas, lake_report, letters_of

    need_none(options, "a lake's courses are solved, not raced", "players", "policy", "races")
    readings = powerboats_readings(options["reading"], options["dice_max"])
    need_dice_limit(readings, "report")
    letters = letters_of(found[0].lake, options["spots"])
    origin = origin_of(options, seed, readings.answers(), sources(found), None)
    return lake_report(Atlas(found[0].lake, letters, readings, options["sample"], origin, tell), seed)


def track(
    found: Sequence[TrackFile], options: Mapping[str, Any], seed: int, output: Output, tell: Tell
) -> Report:  # fmt: skip
    """The report of a circuit."""
    from rulekit.report.track_report import TrackWork, track_report

    need_none(options, "a track has no letters", "spots", "sample")
    need_none(options, "it speaks of boats", "dice_max")
    readings = PsReadings.parse(options["reading"])
    file = found[0]
    faults = [file.fault(finding) for finding in check(file.track)]
    if errors_in(faults):
        raise FileFaults([*file.faults, *errors_in(faults)])
    output.warn(faults)
    origin = origin_of(options, seed, readings.answers(), sources(found), None)
    return track_report(TrackWork(file, readings, origin, lambda _: (), "", tell))


def need_none(options: Mapping[str, Any], why: str, *names: str) -> None:
    """Raises BadInput where one of the options was given."""
    for name in names:
        if options[name] not in (None, ()):
            raise BadInput(f"--{name.replace('_', '-')} is of no use here: {why}")
