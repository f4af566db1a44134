"""What fio's JSON says of one direction of one job, in Leadline's units.

fio 3 gives times in nanoseconds (``clat_ns``), fio 2 in microseconds (``clat``); amounts are bytes
where ``io_kbytes`` stands beside ``io_bytes``, else KiB (fio's HOWTO, "JSON output").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from probes.imports.figures import block_bytes, count, figure
from probes.imports.points import NAN, NO_LATENCY, encoded, histogram_of, latency_of
from probes.points import Latency

_MOST_PER_BIN = 10**12


@dataclass(frozen=True, slots=True)
class Direction:
    """Reads or writes of one job, or of several that are reported together.

    ``bins`` are latencies in nanoseconds with how often each came; empty without JSON+.
    """

    rate_per_s: float
    operations: int
    moved_bytes: int
    seconds: float
    latency: Latency = NO_LATENCY
    bins: Mapping[float, int] = field(default_factory=dict)

    @property
    def block_bytes(self) -> int:
        """The mean size of a request: what it did, whatever it was asked for."""
        return block_bytes(round(self.moved_bytes / self.operations)) if self.operations else 0

    def summary(self) -> tuple[Latency, str]:
        """Latency and histogram; from the bins where there are any, for they tell all."""
        histogram = histogram_of(self.bins)
        if histogram is None:
            return self.latency, ""
        return latency_of(histogram), encoded(histogram)


def direction(stats: Mapping[str, object], what: str) -> Direction:
    """Read one direction (``read`` or ``write``) of a job. Raises ImportRefused."""
    unit = 1 if "io_kbytes" in stats else 1024
    latency, bins = latencies(stats)
    return Direction(
        rate_per_s=figure(stats.get("iops", 0.0), f"the {what} rate"),
        operations=count(stats.get("total_ios", 0), f"the number of {what}s"),
        moved_bytes=count(stats.get("io_bytes", 0), f"the bytes of {what}s") * unit,
        seconds=figure(stats.get("runtime", 0), f"the time of {what}s") / 1000,
        latency=latency,
        bins=bins,
    )


def latencies(stats: Mapping[str, object]) -> tuple[Latency, dict[float, int]]:
    """Completion latency: its summary in microseconds, and its bins in nanoseconds."""
    for names, to_us in ((("clat_ns", "lat_ns"), 1e-3), (("clat", "lat"), 1.0)):
        found = [stats[name] for name in names if isinstance(stats.get(name), dict)]
        told = [each for each in found if isinstance(each, dict) and each.get("mean")]
        if told:
            best = next((each for each in told if each.get("percentile")), told[0])
            return _summary(best, to_us), _bins(best, to_us * 1000)
    return NO_LATENCY, {}


def merged(directions: Sequence[Direction]) -> Direction:
    """Several jobs that ran side by side as one.

    Rates add up. Percentiles are exact with bins; without, those of jobs that did the same are
    averaged by how much each did.
    """
    operations = sum(each.operations for each in directions)
    bins: dict[float, int] = {}
    for each in directions:
        for latency_ns, times in each.bins.items():
            bins[latency_ns] = bins.get(latency_ns, 0) + times
    return Direction(
        rate_per_s=sum(each.rate_per_s for each in directions),
        operations=operations,
        moved_bytes=sum(each.moved_bytes for each in directions),
        seconds=max(each.seconds for each in directions),
        latency=_averaged(directions, operations),
        bins=bins,
    )


def after_sync(write: Direction, sync: Latency) -> Latency:
    """A commit's latency, of its write's and its sync's: fio measures the two apart.

    The mean is exact. Percentiles are those of the sync and the mean of the write, which hardly
    differs from one to the next where it goes to the page cache.
    """
    mean_us = write.latency.mean_us
    return Latency(
        mean_us=sync.mean_us + mean_us,
        p50_us=sync.p50_us + mean_us,
        p95_us=sync.p95_us + mean_us,
        p99_us=sync.p99_us + mean_us,
        p999_us=sync.p999_us + mean_us,
        max_us=sync.max_us + mean_us,
    )


def _summary(told: Mapping[str, object], to_us: float) -> Latency:
    percentiles = told.get("percentile")
    known = percentiles if isinstance(percentiles, dict) else {}

    def at(key: str) -> float:
        return figure(known[key], f"percentile {key}") * to_us if key in known else NAN

    return Latency(
        mean_us=figure(told.get("mean"), "the mean latency") * to_us,
        p50_us=at("50.000000"),
        p95_us=at("95.000000"),
        p99_us=at("99.000000"),
        p999_us=at("99.900000"),
        max_us=figure(told.get("max", 0), "the highest latency") * to_us,
    )


def _bins(told: Mapping[str, object], to_ns: float) -> dict[float, int]:
    bins = told.get("bins")
    if not isinstance(bins, dict):
        return {}
    return {
        figure(latency, "a bin's latency") * to_ns: count(times, "a bin's count", _MOST_PER_BIN)
        for latency, times in bins.items()
    }


def _averaged(directions: Sequence[Direction], operations: int) -> Latency:
    if len(directions) == 1 or not operations:
        return directions[0].latency

    def mean(values: Iterable[float]) -> float:
        weighed = zip(values, directions, strict=True)
        return sum(value * each.operations for value, each in weighed if each.operations) / (
            operations
        )

    return Latency(
        mean_us=mean(each.latency.mean_us for each in directions),
        p50_us=mean(each.latency.p50_us for each in directions),
        p95_us=mean(each.latency.p95_us for each in directions),
        p99_us=mean(each.latency.p99_us for each in directions),
        p999_us=mean(each.latency.p999_us for each in directions),
        max_us=max(each.latency.max_us for each in directions),
    )
