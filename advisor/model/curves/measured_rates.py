"""A measured curve as the rates of a station, between its points and beyond them.

With n requests in it all the time, a drive (or a whole server) finishes X(n) of them per second.
That is all that a queueing network needs to know of it: it is a flow-equivalent server (Chandy,
Herzog and Woo, 1975), and no parameter of it is fitted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np

from advisor.model.curves.latency_shape import Floats, MeasuredTimes, curve_times
from probes.points import Curve
from probes.statistics.ranges import BOUNDS_AT, Range

UNKNOWN_SPREAD = 0.075
"""Relative standard deviation of a rate that came without an interval. The five builds of MySQL in
the published tables, on memory and with 1 to 8 connections, differ by this much although network
and client alone rule there."""

UNKNOWN_LATE_SPREAD = 0.2
"""The same of a 95th percentile: with 1 to 8 connections those of the five builds differ by this
much."""

LEAST_WAITING = 0.1
"""A request waits for so much of its time at least, whatever was counted of a processor (our
choice): both figures have errors of their own."""


class Rates(Protocol):
    """What a station needs of a curve. ``reach`` is the largest concurrency that was measured."""

    @property
    def reach(self) -> float:
        """What lies beyond is extrapolated."""

    @property
    def bounded(self) -> bool:
        """Whether the most that it does is known."""

    def at(self, inside: Floats) -> Floats:
        """Rates per second with ``inside`` in it on average, all above 0."""

    def drawn(self, random: np.random.Generator) -> Rates:
        """What the true curve may be."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainRates:
    """A curve without ranges: logarithms of threads, which ascend, and of rates per second.

    Between points the rate follows a power of the threads. Below the first one it is in proportion
    to them, as if nobody waited; beyond the last one it keeps falling where it fell, and never
    grows: both are the least that a station does.
    """

    log_threads: Floats
    log_rates: Floats
    reach: float
    bounded = True

    def at(self, inside: Floats) -> Floats:
        """Rates with ``inside`` in it on average, all above 0."""
        rows = rates_between(self.log_threads, self.log_rates[None], inside[None])
        return np.asarray(rows[0])

    def drawn(self, random: np.random.Generator) -> PlainRates:
        """Itself: it has no ranges."""
        return self


def rates_between(log_threads: Floats, log_rates: Floats, inside: Floats) -> Floats:
    """The rates of plain curves with points at the same threads: (curves, N).

    ``log_rates`` is (curves, points), ``inside`` (curves, N).
    """
    # Below the first point nobody waits; beyond the last the rate falls on, and never grows.
    nobody_waits = np.ones((len(log_rates), 1))
    slopes = np.hstack((nobody_waits, np.diff(log_rates) / np.diff(log_threads)))
    slopes = np.hstack((slopes, np.minimum(slopes[:, -1:], 0.0)))
    places = np.log(inside)
    stretch = np.searchsorted(log_threads, places, side="right")
    point = np.maximum(stretch - 1, 0)
    row = np.arange(len(log_rates))[:, None]
    beyond = places - log_threads[point]
    return np.asarray(np.exp(log_rates[row, point] + slopes[row, stretch] * beyond))


@dataclass(frozen=True)
class MeasuredRates:
    """Rates per second over threads, which ascend; at least one point, all rates above 0.

    A rate without an interval (its bounds are the figure itself) has the spread of a single run.
    ``beside_server`` is whether they are what was left beside the server's own load. ``times`` is
    how a request's times were spread, where that was measured. ``cpu_us`` is what a request takes
    of a processor at each point, nan where nobody counted it; empty where none was counted.
    """

    threads: tuple[int, ...]
    rates_per_s: tuple[Range, ...]
    bounded = True
    beside_server: bool = False
    times: MeasuredTimes | None = None
    cpu_us: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.threads or len(self.threads) != len(self.rates_per_s):
            raise ValueError("a curve has points, and each has a rate")
        if self.threads[0] < 1 or any(left >= right for left, right in pairwise(self.threads)):
            raise ValueError("threads ascend from 1")
        if any(not 0 < rate.value < math.inf for rate in self.rates_per_s):
            raise ValueError("rates are above 0")
        if self.cpu_us and len(self.cpu_us) != len(self.threads):
            raise ValueError("each point has its processor time")

    @property
    def reach(self) -> int:
        """The largest concurrency that was measured; what lies beyond is extrapolated."""
        return self.threads[-1]

    @cached_property
    def values(self) -> Floats:
        """The rates alone, one for each point; not to be written to."""
        return np.array([rate.value for rate in self.rates_per_s], dtype=np.float64)

    @cached_property
    def spreads(self) -> Floats:
        """Relative standard deviations of the rates, one for each point."""
        found = [
            math.log(rate.high / max(rate.low, rate.value / 1000)) / (2 * BOUNDS_AT)
            for rate in self.rates_per_s
        ]
        return np.array([each if each > 0 else UNKNOWN_SPREAD for each in found])

    def up_to(self, most: int) -> Floats:
        """Rates with 1..most inside."""
        return self.at(np.arange(1, most + 1, dtype=np.float64))

    def at(self, inside: Floats) -> Floats:
        """Rates with ``inside`` in it on average, all above 0."""
        return self._plain.at(inside)

    def with_values(self, values: Floats) -> MeasuredRates:
        """The same with other rates, each with bounds as wide as before."""
        return replace(
            self,
            rates_per_s=tuple(
                rate.times(float(value) / rate.value)
                for rate, value in zip(self.rates_per_s, values, strict=True)
            ),
        )

    def drawn(self, random: np.random.Generator) -> PlainRates:
        """What the true curve may be: each point drawn from its own range."""
        z = random.standard_normal(len(self.threads))
        plain = self._plain
        return replace(plain, log_rates=plain.log_rates + z * self.spreads)

    def waits_alone(self, most_us: float) -> MeasuredRates:
        """The same without the processor time of a request, at most ``most_us`` of each.

        For a network that has this time in another station: it lies in what a request takes here,
        too. Where that is not known the curve stays as it is.
        """
        if not self.cpu_us:
            return self
        takes_us = 1e6 * np.array(self.threads) / self.values
        cpu_us = np.nan_to_num(np.clip(self.cpu_us, 0.0, most_us))
        waits_us = np.maximum(takes_us - cpu_us, LEAST_WAITING * takes_us)
        return replace(self.with_values(self.values * takes_us / waits_us), cpu_us=())

    def ratio_of(self, share: float) -> MeasuredRates:
        """All rates times ``share``, which is above 0."""
        return self.with_values(self.values * share)

    @cached_property
    def _plain(self) -> PlainRates:
        return PlainRates(np.log(self.threads), np.log(self.values), self.reach)


def measured_rates(curve: Curve) -> MeasuredRates | None:
    """A measured curve with the bounds of its points; doubtful ones too, rejected ones never.

    None where no point is usable.
    """
    points = [point for point in curve.points if point.usable]
    if not points:
        return None
    return MeasuredRates(
        tuple(point.setting.threads for point in points),
        tuple(Range(point.rate_per_s, *point.bounds_per_s) for point in points),
        beside_server=curve.beside_server,
        times=curve_times(curve),
        cpu_us=tuple(point.cpu_us_per_op for point in points),
    )
