"""The sides of a comparison as the options describe them: courses with boats, or tracks with cars."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.cli.circuit import load_legal_track
from rulekit.cli.options import powerboats_readings, ps_readings
from rulekit.cli.output import Output
from rulekit.cli.position import load_legal_waters
from rulekit.cli.seats import BOATS, CARS, policies_asked
from rulekit.errors import BadInput
from rulekit.files.kinds import kind_in
from rulekit.files.source import read_source
from rulekit.ps.terms import Terms
from rulekit.readings import PowerboatsReadings, PsReadings, Readings
from rulekit.simulate.bulk import Contest
from rulekit.simulate.car_bulk import CarContest
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.policies import POLICIES
from rulekit.solve.laps import solve_laps
from rulekit.study.car_evidence import CarEvidence
from rulekit.study.car_measures import car_sample_of
from rulekit.study.evidence import Evidence
from rulekit.study.measures import Sample, sample_of


class Sides(ABC):
    """What the options ask for: who plays, how often, under which readings (`usual` and those `given`)."""

    usual: Readings
    given: Readings
    policies: Sequence[str]
    what: str

    def __init__(self, options: Mapping[str, Any], seed: int, output: Output) -> None:
        self.options, self.seed, self.output = options, seed, output

    @abstractmethod
    def sample(self, label: str, files: Sequence[str], readings: Any) -> Sample:
        """A side played and solved; raises FileFaults and BadInput for files on which none can be."""


class BoatSides(Sides):
    """Courses, four boats unless told."""

    usual = PowerboatsReadings()
    what = "boats"

    def __init__(self, options: Mapping[str, Any], seed: int, output: Output) -> None:
        super().__init__(options, seed, output)
        self.given = powerboats_readings(options["reading"], options["dice_max"])
        self.policies = policies_asked(options, ("solo",) * 4, list(POLICIES), BOATS)

    def sample(self, label: str, files: Sequence[str], readings: PowerboatsReadings) -> Sample:
        options = self.options
        courses = [load_legal_waters(name, None, readings, self.output, options["force"]) for name in files]
        contest = Contest(
            tuple(courses), tuple(self.policies), self.seed, options["rotate"], options["turn_cap"], tuple(files)
        )
        contest.check()
        names = ", ".join(waters.course.name for waters in courses)
        return sample_of(f"{names}{label}", Evidence(contest, options["races"], options["jobs"]))


class CarSides(Sides):
    """Tracks, two players with three cars each unless told."""

    usual = PsReadings()
    what = "players with three cars each"

    def __init__(self, options: Mapping[str, Any], seed: int, output: Output) -> None:
        super().__init__(options, seed, output)
        self.given = ps_readings(options["reading"], options["dice_max"])
        self.policies = policies_asked(options, ("solo",) * 2, list(CAR_POLICIES), CARS)
        if len(options["files"]) > 2:
            raise BadInput("a race of cars is held on one track: compare one with itself, or two")

    def sample(self, label: str, files: Sequence[str], readings: PsReadings) -> Sample:
        options, (name,) = self.options, files
        track = load_legal_track(read_source(name), options["force"], self.output).track
        terms = Terms(track, readings, track.laps)
        laps = solve_laps(track, readings, track.laps)
        contest = CarContest(terms, tuple(self.policies), self.seed, options["rotate"], options["turn_cap"], name)
        evidence = CarEvidence(contest, options["races"])
        return car_sample_of(f"{track.name}{label}", evidence, laps)


def sides_of(options: Mapping[str, Any], seed: int, output: Output) -> Sides:
    """The sides by the kind of the files; raises BadInput where they do not go together."""
    kinds = [kind_in(read_source(name)) for name in options["files"]]
    if "lake" in kinds:
        raise BadInput(f"'{options['files'][kinds.index('lake')]}' is a lake: courses and tracks can be compared")
    if len(set(kinds)) > 1:
        raise BadInput("courses and tracks cannot be compared with each other: name files of one kind")
    return (CarSides if kinds[0] == "track" else BoatSides)(options, seed, output)
