"""What figures of circuits are worked out from: races of cars played, each part made when it is first asked for."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rulekit.errors import BadInput
from rulekit.ps.terms import Terms
from rulekit.readings import Fuel
from rulekit.simulate.car_bulk import CarContest
from rulekit.study.car_order import Order, order_of
from rulekit.study.car_record import CarRecord, record_of


@dataclass(frozen=True, eq=False)
class CarEvidence:
    """So many races of a contest on a track."""

    contest: CarContest
    races: int

    @classmethod
    def given(cls, record: CarRecord, **parts: Any) -> "CarEvidence":
        """Evidence with a record made elsewhere, and other parts (`order`, `by_fuel`) under their names.

        Raises ValueError for the name of no part.
        """
        for name in parts:
            if not isinstance(cls.__dict__.get(name), cached_property):
                raise ValueError(f"evidence has no part {name}")
        found = cls(CarContest(record.terms, (), 0), record.races)
        found.__dict__.update(parts, record=record)
        return found

    @property
    def terms(self) -> Terms:
        """The races' track, readings and laps."""
        return self.contest.terms

    @property
    def seed(self) -> int:
        """The races' seed."""
        return self.contest.seed

    @cached_property
    def record(self) -> CarRecord:
        """Every move of the races."""
        return record_of(self.contest, self.races)

    @cached_property
    def order(self) -> Order:
        """The order of the cars, move by move."""
        return order_of(self.record)

    @cached_property
    def finished(self) -> CarRecord:
        """The races in which every car has its place: those that were not given up."""
        return self.record.only(np.asarray((self.record.places > 0).all(axis=1)))

    @cached_property
    def by_fuel(self) -> dict[str, "CarEvidence | None"]:
        """The same races under each reading of fuel; None where the track does not allow it."""
        return {fuel.value: self._under(fuel) for fuel in Fuel}

    def _under(self, fuel: Fuel) -> "CarEvidence | None":
        if fuel is self.terms.readings.fuel:
            return self
        try:
            terms = Terms(self.terms.track, replace(self.terms.readings, fuel=fuel), self.terms.laps)
        except BadInput:
            return None
        return CarEvidence(replace(self.contest, terms=terms), self.races)
