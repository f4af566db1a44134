"""What fio's JSON says of times: of the submission of requests, of their completion, of the whole.

A caller waits for both. fio's percentiles are of the completion (``clat``) unless
``lat_percentiles`` was asked for: they stand for the whole only where submission was a small part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from probes.imports.figures import count, figure
from probes.imports.points import NAN, NO_LATENCY
from probes.points import Latency

SMALL_PART = 0.05
"""Where submission took no more than this of the whole, the completion's percentiles stand for both
(our choice)."""

SCALE_END_US = 17_112_760.32
"""The middle of the last slot of fio's scale, since 3.0: all that took longer is counted there."""

OLD_SCALE_END_US = 16_711_680.0
"""The same before, when fio counted microseconds."""

QUANTILES = {
    "p50_us": ("50.000000", 0.5),
    "p95_us": ("95.000000", 0.95),
    "p99_us": ("99.000000", 0.99),
    "p999_us": ("99.900000", 0.999),
}
"""The figures of a Latency that are percentiles, fio's names for them, and what they are."""

_MOST_PER_BIN = 10**12
_LAST_SLOT = 1.004
"""The end of the last slot over its middle."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one direction of a job.

    ``latency`` has mean and maximum of the whole; ``bins`` are latencies in nanoseconds with how
    often each came, empty without JSON+. ``submission`` is the share of the whole (0..1) for which
    percentiles and bins were left out; 0 where they were not. ``at_least`` is the lowest quantile
    that lies beyond the end of fio's scale, with that end in microseconds.
    """

    latency: Latency = NO_LATENCY
    bins: Mapping[float, int] = field(default_factory=dict)
    submission: float = 0.0
    at_least: tuple[float, float] | None = None


def timing(stats: Mapping[str, object]) -> Timing:
    """Read what a direction, or a job's syncs, say of times. Raises ImportRefused."""
    for suffix, to_us in (("_ns", 1e-3), ("", 1.0)):
        slat, clat, lat = (_part(stats, name + suffix) for name in ("slat", "clat", "lat"))
        if _mean(lat) or _mean(clat):
            return _timing(slat, clat, lat, to_us)
    return Timing()


def _timing(
    slat: Mapping[str, object], clat: Mapping[str, object], lat: Mapping[str, object], to_us: float
) -> Timing:
    whole = _mean(lat) or _mean(clat) + _mean(slat)
    submission = max(0.0, 1 - _mean(clat) / whole) if _mean(clat) else 0.0
    of_whole = _mean(lat) > 0 and ("percentile" in lat or not _mean(clat))
    shared = lat if of_whole else clat
    latency = Latency(
        mean_us=whole * to_us,
        **{name: _percentile(shared, key) * to_us for name, (key, _) in QUANTILES.items()},
        max_us=_highest(lat if _mean(lat) else clat, whole) * to_us,
    )
    if not of_whole and submission > SMALL_PART:
        unknown = dict.fromkeys(QUANTILES, NAN)
        return Timing(replace(latency, **unknown), {}, submission)
    return within_scale(Timing(latency, _bins(shared, to_us * 1000)))


def within_scale(shown: Timing, slack: float = 1e-6) -> Timing:
    """The same, where what lies at the end of fio's scale is no figure: it is that or more.

    ``slack`` is how far (0..1) a percentile may be from that end by its rounding.
    """
    latency = shown.latency
    beyond = [
        (quantile, name)
        for name, (_, quantile) in QUANTILES.items()
        if _at_end(getattr(latency, name), latency.max_us, slack)
    ]
    if not beyond:
        return shown
    end_us = getattr(latency, beyond[0][1])
    unknown = {name: NAN for _, name in beyond}
    return replace(shown, latency=replace(latency, **unknown), at_least=(min(beyond)[0], end_us))


def averaged(latencies: Sequence[Latency], weights: Sequence[int]) -> Latency:
    """Those of jobs that did the same as one, each by how much it did; the highest of all."""
    pairs = [(each, weight) for each, weight in zip(latencies, weights, strict=True) if weight]
    total = sum(weight for _, weight in pairs)
    if len(pairs) < 2 or not total:
        return pairs[0][0] if pairs else latencies[0]
    means = {
        each.name: sum(getattr(latency, each.name) * weight for latency, weight in pairs) / total
        for each in fields(Latency)
    }
    highest = max(latency.max_us for latency, _ in pairs)
    return replace(Latency(**means), max_us=highest)


def _part(stats: Mapping[str, object], name: str) -> Mapping[str, object]:
    part = stats.get(name)
    return part if isinstance(part, dict) else {}


def _mean(part: Mapping[str, object]) -> float:
    return figure(part.get("mean") or 0, "the mean latency")


def _highest(part: Mapping[str, object], mean: float) -> float:
    """The highest of a part; nan where the mean is above it, since it belongs to something else."""
    highest = figure(part.get("max", 0), "the highest latency")
    return highest if highest >= mean else NAN


def _percentile(part: Mapping[str, object], key: str) -> float:
    known = part.get("percentile")
    if not isinstance(known, dict) or key not in known:
        return NAN
    return figure(known[key], f"percentile {key}")


def _bins(part: Mapping[str, object], to_ns: float) -> dict[float, int]:
    bins = part.get("bins")
    if not isinstance(bins, dict):
        return {}
    return {
        figure(latency, "a bin's latency") * to_ns: count(times, "a bin's count", _MOST_PER_BIN)
        for latency, times in bins.items()
    }


def _at_end(us: float, highest_us: float, slack: float) -> bool:
    ends = (SCALE_END_US, OLD_SCALE_END_US)
    end = next((each for each in ends if math.isclose(us, each, rel_tol=slack)), NAN)
    return highest_us > end * _LAST_SLOT
