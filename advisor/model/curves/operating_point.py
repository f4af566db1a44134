"""Where a load sits on a measured curve (Little's law: in flight = rate x latency)."""

from __future__ import annotations

import math

from probes.points import Curve


def in_flight(curve: Curve, rate_per_s: float) -> float | None:
    """How many requests are in the drive, on average, when it serves ``rate_per_s``.

    A curve's point has ``threads`` in flight all the time, so the answer is the concurrency at
    which the curve has that rate; between points it is interpolated over log2(threads), and below
    the first point it is rate x mean latency. None when the curve never reaches the rate.
    """
    first = curve.points[0]
    if rate_per_s <= first.rate_per_s:
        return first.setting.threads * rate_per_s / first.rate_per_s if first.rate_per_s else None
    for left, right in zip(curve.points, curve.points[1:], strict=False):
        if left.rate_per_s < rate_per_s <= right.rate_per_s:
            share = (rate_per_s - left.rate_per_s) / (right.rate_per_s - left.rate_per_s)
            return _between(left.setting.threads, right.setting.threads, share)
    return None


def rate_at(curve: Curve, threads: float) -> float:
    """Read the curve's rate at a concurrency, interpolated over log2(threads), flat past its ends.

    Below one request in flight the rate falls in proportion.
    """
    first, last = curve.points[0], curve.points[-1]
    if threads <= first.setting.threads:
        return first.rate_per_s * threads / first.setting.threads
    for left, right in zip(curve.points, curve.points[1:], strict=False):
        low, high = left.setting.threads, right.setting.threads
        if threads <= high:
            share = math.log2(threads / low) / math.log2(high / low)
            return left.rate_per_s + share * (right.rate_per_s - left.rate_per_s)
    return last.rate_per_s


def _between(low: float, high: float, share: float) -> float:
    return float(low * (high / low) ** share)
