"""What figures of circuits are worked out from: races of cars played, each part made when it is first asked for."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rulekit.errors import BadInput
from rulekit.ps.terms import Terms
from rulekit.readings import Fuel
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_table import CAR_TURN_CAP
from rulekit.study.car_order import Order, order_of
from rulekit.study.car_record import CarRecord, record_by_rules


@dataclass(frozen=True, eq=False)
class CarEvidence:
    """So many races on a track between policies, which (`rotate`) move on by one seat after each race."""

    terms: Terms
    policies: tuple[str, ...]
    seed: int
    races: int
    rotate: bool = True
    cap: int = CAR_TURN_CAP
    jobs: int = 1

    @classmethod
    def given(cls, record: CarRecord, seed: int = 0, **parts: Any) -> "CarEvidence":
        """Evidence with a record made elsewhere, and other parts (`order`, `by_fuel`) under their names.

        Raises ValueError for the name of no part.
        """
        for name in parts:
            if not isinstance(cls.__dict__.get(name), cached_property):
                raise ValueError(f"evidence has no part {name}")
        found = cls(record.terms, (), seed, record.races)
        found.__dict__.update(parts, record=record)
        return found

    @cached_property
    def record(self) -> CarRecord:
        """Every move of the races."""
        return record_by_rules(self.terms, [self._seated(race) for race in range(self.races)], self.seed, cap=self.cap)

    def _seated(self, race: int) -> list[Any]:
        shift = race if self.rotate else 0
        count = len(self.policies)
        return [CAR_POLICIES[self.policies[(seat + shift) % count]] for seat in range(count)]

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
        return replace(self, terms=terms)
