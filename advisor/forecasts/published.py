"""The model held against published tables: forecast and measurement of each of their points.

Each case is a server on a flash card, forecast from the same server on memory and the card alone.
Nothing is fitted to the curve that is forecast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median

import numpy as np

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.held import Held
from advisor.forecasts.server.inputs import drive_rates, server_rates
from advisor.model.network.forecast import DRAWS, forecast
from advisor.model.network.scenario import Scenario
from probes.points import Curve, Probe
from probes.ranges import Range
from probes.repeats import curves

READS_PER_QUERY = 26 / 30
"""Of 30 GB of rows, read by uniformly chosen keys, 4 GB are in the pool."""

MEDIAN, NINTH_TENTH, COVERAGE = 0.06, 0.18, 0.8
"""What the errors of all points may be at most, and how many must lie within their band."""

BOUND = 0.1
"""How far updates with many clients may lie from the bound of LRU flushing, in the median."""

_DRIVE = "callaghan-flash-2010"
_CASES = (
    ("5084forever", "5084forever", 16384),
    ("5147dev", "5147dev", 16384),
    ("5147orig", "5147orig", 16384),
    ("554m3", "554m3-1", 16384),
    ("5147dev-8k", "5147dev", 8192),
)
"""Label on flash, label on memory, page size."""

_UPDATES = "callaghan-updates-2013-mysql5.6-fixed-iobound-1table"
_INSTANCES, _SCAN_DEPTH = 4, 4000
_MANY_CLIENTS = 8


@dataclass(frozen=True, slots=True)
class Replay:
    """A case with all of its points, or a number of cases with theirs."""

    name: str
    points: tuple[Held, ...]

    @property
    def median(self) -> float:
        """The median of the errors' sizes."""
        return self.percentile(50)

    @property
    def covered(self) -> float:
        """The share of points within their band."""
        return sum(point.inside for point in self.points) / len(self.points)

    def percentile(self, percent: float) -> float:
        """A percentile of the errors' sizes."""
        return float(np.percentile([abs(point.error) for point in self.points], percent))

    @property
    def passes(self) -> bool:
        """Whether all three bars are met."""
        return (
            self.median <= MEDIAN
            and self.percentile(90) <= NINTH_TENTH
            and self.covered >= COVERAGE
        )


@dataclass(frozen=True, slots=True)
class Bound:
    """The most updates per second by LRU flushing, and what was measured near it."""

    bound_per_s: float
    points: tuple[Held, ...]

    @property
    def median(self) -> float:
        """The median of the errors' sizes."""
        return median(abs(point.error) for point in self.points)

    @property
    def passes(self) -> bool:
        """Whether updates are as near as they are meant to be: not the best point alone."""
        return self.median <= BOUND


def replays(*, blocked_read: bool = True, draws: int = DRAWS) -> list[Replay]:
    """All five cases; ``blocked_read`` is False without the CPU cost of a blocking read."""
    return [_replay(*case, blocked_read, draws) for case in _CASES]


def together(found: Sequence[Replay], name: str = "all") -> Replay:
    """All points of all cases."""
    return Replay(name, tuple(point for each in found for point in each.points))


def flushing_bound() -> Bound:
    """MySQL 5.6.11 with its author's fix, on data beyond memory."""
    (updates,) = (
        each
        for each in curves(_reference(_UPDATES).points)
        if each.setting.probe is Probe.PK_UPDATE
    )
    bound = most_updates_per_s(_INSTANCES, _SCAN_DEPTH)
    return Bound(
        bound,
        tuple(
            Held(point.setting.threads, point.rate_per_s, Range.exact(bound))
            for point in updates.points
            if point.setting.threads >= _MANY_CLIENTS
        ),
    )


@cache
def _replay(name: str, in_memory: str, page_bytes: int, blocked_read: bool, draws: int) -> Replay:
    scenario = Scenario(
        in_memory=server_rates(_reference(f"callaghan-memory-2010-{in_memory}")),
        drive=drive_rates(_reference(_DRIVE), page_bytes),
        reads_per_query=Range.exact(READS_PER_QUERY),
    )
    if not blocked_read:
        scenario = replace(scenario, read_cpu_us=Range.exact(0.0))
    measured = _lookups(_reference(f"{_DRIVE}-{name}"))
    threads = [point.setting.threads for point in measured.points]
    steps = forecast(scenario, threads, draws).steps
    return Replay(
        name,
        tuple(
            Held(step.threads, point.rate_per_s, step.rate_per_s)
            for step, point in zip(steps, measured.points, strict=True)
        ),
    )


def _lookups(contender: Contender) -> Curve:
    return next(
        each for each in curves(contender.points) if each.setting.probe is Probe.POINT_SELECT
    )


@cache
def _reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def most_updates_per_s(instances: int, scan_depth: int, dirty_per_update: float = 1.0) -> float:
    """The most updates per second of rows that the pool does not hold, by the pages it may clean.

    Each such change needs a free page, and most pages at the end of the LRU list are dirty. MySQL's
    page cleaner looks once a second at innodb_lru_scan_depth pages of each instance.
    ``dirty_per_update`` is how many pages an update dirties that were not dirty, above 0. More
    cannot be had for long; less is, where something else limits. Raises ValueError for nonsense.
    """
    if instances < 1 or scan_depth < 1 or dirty_per_update <= 0:
        raise ValueError("from one instance, one page and more than no page per update")
    return instances * scan_depth / dirty_per_update
