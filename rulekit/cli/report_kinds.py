"""The reports of lakes and tracks, as the options ask for them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulekit.cli.options import need_dice_limit, powerboats_readings, ps_readings
from rulekit.cli.output import Output
from rulekit.cli.report_origin import origin_of, sources
from rulekit.cli.seats import CARS, policies_asked
from rulekit.errors import BadInput, FileFaults, errors_in
from rulekit.files.lake import LakeFile
from rulekit.files.track import TrackFile
from rulekit.ps.check import check
from rulekit.ps.terms import Terms
from rulekit.readings import PsReadings
from rulekit.report.parts import Report

if TYPE_CHECKING:
    from rulekit.simulate.car_bulk import CarContest

Tell = Callable[[str], None]

DRIVERS = ("solo",) * 2
"""Players unless told, with three cars each."""

RACES_OF_CARS, FEW_RACES_OF_CARS = 2000, 20
"""Races of cars unless told, by the compiled races and by the rules."""


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
    from rulekit.simulate.car_policies import CAR_POLICIES
    from rulekit.study.car_evidence import CarEvidence

    need_none(options, "a track has no letters", "spots", "sample")
    readings = ps_readings(options["reading"], options["dice_max"])
    policies = tuple(policies_asked(options, DRIVERS, list(CAR_POLICIES), CARS))
    file = legal_track(found[0], output)
    contest = _contest(file, readings, policies, seed, output)
    count = options["races"] or (RACES_OF_CARS if contest and contest.compiled else FEW_RACES_OF_CARS)
    origin = origin_of(options, seed, readings.answers(), sources(found), count)
    races = CarEvidence(contest, count) if contest else None
    return track_report(TrackWork(file, readings, races, origin, tell))


def _contest(
    file: TrackFile, readings: PsReadings, policies: tuple[str, ...], seed: int, output: Output
) -> "CarContest | None":
    """The races of cars; None, with a warning, where the track holds none."""
    from rulekit.simulate.car_bulk import CarContest

    try:
        terms = Terms(file.track, readings, file.track.laps)
    except BadInput as fault:
        output.note(f"warning: no races are told of: {fault}")
        return None
    contest = CarContest(terms, policies, seed)
    contest.check()
    return contest


def legal_track(file: TrackFile, output: Output) -> TrackFile:
    """A track; raises FileFaults where it breaks rules. Warnings are told."""
    faults = [file.fault(finding) for finding in check(file.track)]
    if errors_in(faults):
        raise FileFaults([*file.faults, *errors_in(faults)])
    output.warn(faults)
    return file


def need_none(options: Mapping[str, Any], why: str, *names: str) -> None:
    """Raises BadInput where one of the options was given."""
    for name in names:
        if options[name] not in (None, ()):
            raise BadInput(f"--{name.replace('_', '-')} is of no use here: {why}")
