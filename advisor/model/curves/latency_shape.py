"""How the times of one kind of request are spread around their mean, as they were measured.

A queueing network gives how long a read or a sync takes on average. How far single ones lie from
that is taken for exponentially distributed where nobody looked. A drive whose reads all take as
long, or one that stalls for each hundredth, is another thing: there the spread that was measured
stands in, in parts of the mean that the network gives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from probes.points import Curve, Latency, Point

Floats = npt.NDArray[np.float64]

FEW = 200
"""Requests that a spread must rest on: ten of them lie beyond its 95th percentile (our choice)."""

_LATE = 0.95
_LEAST = 1e-3
"""No request is taken to be faster than this part of the median."""

_GRID = 64
_HALVINGS = 30


@dataclass(frozen=True, slots=True, eq=False)
class LatencyShape:
    """Times over their mean: ``logs`` are logarithms at ``shares`` of all, which go from 0 to 1.

    Between two of them the logarithm is interpolated.
    """

    shares: Floats
    logs: Floats

    def at(self, shares: Floats) -> Floats:
        """The times, over their mean, below which such shares of all lie."""
        return np.asarray(np.exp(np.interp(shares, self.shares, self.logs)))


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTimes:
    """The shapes of a request's times, by how many are inside: ``levels``, which ascend.

    Without levels there is one shape, of all requests that a server made, whatever was inside.
    """

    shapes: tuple[LatencyShape, ...]
    levels: tuple[float, ...] = ()

    def of_visits(self, inside: Floats, whole_us: Floats, mean_us: float, shares: Floats) -> Floats:
        """How long visits take that find ``inside`` requests there, themselves included.

        ``whole_us`` is what each takes on average, ``mean_us`` what all do; of all visits that find
        the same, ``shares`` take less.
        """
        if not self.levels:
            return mean_us * self.shapes[0].at(shares)
        bounds = [math.sqrt(left * right) for left, right in pairwise(self.levels)]
        nearest = np.searchsorted(bounds, inside)
        found = np.empty(len(inside))
        # Who finds as many stands beside each other, so that there are few stretches of a shape.
        turns = (np.flatnonzero(np.diff(nearest)) + 1).tolist()
        for begin, end in pairwise((0, *turns, len(nearest))):
            if begin < end:
                here = slice(begin, end)
                found[here] = whole_us[here] * self.shapes[nearest[begin]].at(shares[here])
        return found


def of_counts(counts: Mapping[tuple[float, float], int]) -> LatencyShape | None:
    """The shape of a histogram: how many requests took between both ends of a class, in any unit.

    None for too few of them.
    """
    total = sum(counts.values())
    if total < FEW:
        return None
    shares, times = [0.0], [min(low for low, _ in counts)]
    seen = 0
    for (low, high), count in sorted(counts.items()):
        if low > times[-1]:
            # Nothing lies between two classes: the step is as steep as can be known.
            shares.append(shares[-1])
            times.append(low)
        seen += count
        shares.append(seen / total)
        times.append(high)
    return _shape(shares, times, _mean(shares, times))


def of_percentiles(latency: Latency) -> LatencyShape | None:
    """The shape of a point's latencies; None where its median or 95th percentile is not known.

    What lies below the median is as fast as the mean asks for.
    """
    known = [
        (share, time)
        for share, time in (
            (0.5, latency.p50_us),
            (0.95, latency.p95_us),
            (0.99, latency.p99_us),
            (0.999, latency.p999_us),
            (1.0, latency.max_us),
        )
        if math.isfinite(time) and time > 0
    ]
    if [share for share, _ in known[:2]] != [0.5, 0.95]:
        return None
    shares, times = [list(each) for each in zip(*known, strict=True)]
    times = list(np.maximum.accumulate(times))
    if shares[-1] < 1:
        shares, times = [*shares, 1.0], [*times, times[-1]]
    least = _least(shares, times, latency.mean_us)
    mean = latency.mean_us if latency.mean_us > 0 else _mean([0.0, *shares], [least, *times])
    return _shape([0.0, *shares], [least, *times], mean)


def of_p95(p95_us: float, mean_us: float) -> LatencyShape:
    """The log-normal shape of requests with such a mean, of which 95 of 100 take less.

    No such shape has its 95th percentile at more than 3.9 times the mean: where it is further off,
    the one that comes nearest to it stands in.
    """
    normal = NormalDist()
    late = normal.inv_cdf(_LATE)
    ratio = math.log(max(1.0, p95_us / mean_us))
    sigma = late - math.sqrt(max(0.0, late * late - 2 * ratio))
    middles = sorted({*((np.arange(_GRID) + 0.5) / _GRID).tolist(), _LATE})
    logs = [sigma * normal.inv_cdf(share) - sigma * sigma / 2 for share in middles]
    return LatencyShape(np.array([0.0, *middles, 1.0]), np.array([logs[0], *logs, logs[-1]]))


def curve_times(curve: Curve) -> MeasuredTimes | None:
    """The shapes at a curve's usable points; None where no point has one."""
    found = [
        (float(point.setting.threads), shape)
        for point in curve.points
        if point.usable and (shape := _of_point(point)) is not None
    ]
    if not found:
        return None
    levels, shapes = zip(*found, strict=True)
    return MeasuredTimes(shapes, levels)


def _of_point(point: Point) -> LatencyShape | None:
    """By its percentiles; of a 95th alone by that and the mean, which the rate gives as well."""
    latency = point.latency
    found = of_percentiles(latency)
    if found is not None or not 0 < latency.p95_us < math.inf:
        return found
    reported = latency.mean_us
    mean_us = (
        reported if 0 < reported < math.inf else point.setting.threads / point.rate_per_s * 1e6
    )
    return of_p95(latency.p95_us, mean_us)


def one_after_the_other(parts: Sequence[tuple[LatencyShape, float]]) -> LatencyShape:
    """The shape of requests that wait for each other, with the mean that each takes."""
    middles = (np.arange(_GRID) + 0.5) / _GRID
    times = np.zeros(1)
    for shape, mean in parts:
        sums = np.sort(np.add.outer(times, mean * shape.at(middles)).ravel())
        times = sums if len(sums) <= _GRID else sums[:: len(sums) // _GRID]
    shares = np.linspace(0.0, 1.0, len(times))
    return _shape(shares.tolist(), times.tolist(), float(times.mean()))


def _least(shares: Sequence[float], times: Sequence[float], mean: float) -> float:
    """The time of the fastest request with which all have such a mean."""
    low, high = math.log(_LEAST * times[0]), math.log(times[0])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        slower = _mean([0.0, *shares], [math.exp(middle), *times]) > mean
        low, high = (low, middle) if slower else (middle, high)
    return math.exp(low)


def _mean(shares: Sequence[float], times: Sequence[float]) -> float:
    """The mean where logarithms are interpolated."""
    found = 0.0
    for (left, low), (right, high) in pairwise(zip(shares, times, strict=True)):
        steep = high > low * (1 + 1e-9)
        found += (right - left) * ((high - low) / math.log(high / low) if steep else low)
    return found


def _shape(shares: Sequence[float], times: Sequence[float], mean: float) -> LatencyShape:
    return LatencyShape(np.array(shares), np.log(np.array(times) / mean))
