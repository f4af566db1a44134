"""Where a curve bends, so that more concurrency buys waiting instead of work; and where it ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

from probes.points import Curve, Point

SHARE_OF_PEAK = 0.9
"""The knee is the smallest concurrency that reaches this share of the highest rate."""

QUEUEING = 0.8
"""From this growth on (of p95, in doublings per doubling of threads) new requests only queue."""


@dataclass(frozen=True, slots=True)
class Knee:
    """The bend of a curve.

    ``point`` is the knee itself, ``peak`` the point of the highest rate. ``reached`` is False when
    the curve still climbs at its last point: the drive can do more than was asked of it.
    ``queues_from`` is the point from which p95 grows about as fast as the threads, if there is one.
    """

    point: Point
    peak: Point
    reached: bool
    queues_from: Point | None

    @property
    def rate_per_s(self) -> float:
        """The rate at the knee."""
        return self.point.rate_per_s

    @property
    def threads(self) -> int:
        """The concurrency at the knee."""
        return self.point.setting.threads


def knee(curve: Curve) -> Knee:
    """Find a curve's knee among its measured points; nothing is interpolated.

    A curve of one point has its knee there, not reached.
    """
    peak = curve.peak
    point = next(p for p in curve.points if p.rate_per_s >= SHARE_OF_PEAK * peak.rate_per_s)
    return Knee(point, peak, point is not curve.points[-1], _queues_from(curve))


def _queues_from(curve: Curve) -> Point | None:
    for point, following in zip(curve.points, curve.points[1:], strict=False):
        if point.latency.p95_us <= 0 or following.latency.p95_us <= 0:
            continue
        grown = math.log2(following.latency.p95_us / point.latency.p95_us)
        if grown >= QUEUEING * math.log2(following.setting.threads / point.setting.threads):
            return point
    return None


STOPS = 1.10
"""Less growth than this beyond the queue means that the curve ended there."""
GREW = 1.20
"""At least this growth up to the queue means that it had not ended before."""


def ends_at(curve: Curve, depth: int) -> tuple[float, float] | None:
    """The rates per second at ``depth`` threads and the best beyond, where the curve ends there.

    None where it goes on, had ended before, or was not measured on both sides of ``depth``.
    """
    below = [point for point in curve.points if point.setting.threads < depth]
    at = [point for point in curve.points if depth <= point.setting.threads < depth * 2]
    beyond = [point for point in curve.points if point.setting.threads >= depth * 2]
    if not below or not at or not beyond:
        return None
    here, more = at[0].rate_per_s, max(point.rate_per_s for point in beyond)
    ends = here >= GREW * below[-1].rate_per_s and more < STOPS * here
    return (here, more) if ends else None
