"""What fio's JSON says of one direction of one job, in Leadline's units.

fio 3 gives times in nanoseconds (``clat_ns``), fio 2 in microseconds (``clat``); amounts are bytes
where ``io_kbytes`` stands beside ``io_bytes``, else KiB (fio's HOWTO, "JSON output").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from probes.imports.figures import block_bytes, count, figure
from probes.imports.fio.latency import Timing, averaged, timing, within_scale
from probes.imports.points import histogram_of, latency_of
from probes.points import Latency

_SLOT = 0.01
"""How far a slot of the histogram may be from what was recorded in it."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Reads or writes of one job, or of several that are reported together."""

    rate_per_s: float
    operations: int
    moved_bytes: int
    seconds: float
    timing: Timing = field(default_factory=Timing)

    @property
    def latency(self) -> Latency:
        """Its summary as it is reported."""
        return self.timing.latency

    @property
    def block_bytes(self) -> int:
        """The mean size of a request: what it did, whatever it was asked for."""
        return block_bytes(round(self.moved_bytes / self.operations)) if self.operations else 0

    def summary(self) -> tuple[Timing, str]:
        """Times and histogram; percentiles from the bins where there are any, for they tell all."""
        histogram = histogram_of(self.timing.bins)
        if histogram is None:
            return self.timing, ""
        latency = replace(
            latency_of(histogram), mean_us=self.latency.mean_us, max_us=self.latency.max_us
        )
        return within_scale(replace(self.timing, latency=latency), _SLOT), histogram.encoded()


def direction(stats: Mapping[str, object], what: str) -> Direction:
    """Read one direction (``read`` or ``write``) of a job. Raises ImportRefused."""
    unit = 1 if "io_kbytes" in stats else 1024
    rate_per_s = figure(stats.get("iops", 0.0), f"the {what} rate")
    # Versions before 2.1.5 give no number.
    about = round(rate_per_s * figure(stats.get("runtime", 0), f"the time of {what}s") / 1000)
    return Direction(
        rate_per_s=rate_per_s,
        operations=count(stats.get("total_ios", about), f"the number of {what}s"),
        moved_bytes=count(stats.get("io_bytes", 0), f"the bytes of {what}s") * unit,
        seconds=figure(stats.get("runtime", 0), f"the time of {what}s") / 1000,
        timing=timing(stats),
    )


def merged(directions: Sequence[Direction]) -> Direction:
    """Several jobs that ran side by side as one.

    Rates add up. Percentiles are exact with bins; without, those of jobs that did the same are
    averaged by how much each did.
    """
    if len(directions) == 1:
        return directions[0]
    return Direction(
        rate_per_s=sum(each.rate_per_s for each in directions),
        operations=sum(each.operations for each in directions),
        moved_bytes=sum(each.moved_bytes for each in directions),
        seconds=max(each.seconds for each in directions),
        timing=merged_timing(
            [each.timing for each in directions], [each.operations for each in directions]
        ),
    )


def merged_timing(timings: Sequence[Timing], weights: Sequence[int]) -> Timing:
    """The times of several jobs as those of one, each by how much it did."""
    active = [each for each, weight in zip(timings, weights, strict=True) if weight]
    if not active:
        return timings[0]
    bins: dict[float, int] = {}
    for each in active if all(each.bins for each in active) else ():
        for latency_ns, times in each.bins.items():
            bins[latency_ns] = bins.get(latency_ns, 0) + times
    ends = [each.at_least for each in active]
    known = [end for end in ends if end is not None]
    return Timing(
        averaged([each.latency for each in active], [weight for weight in weights if weight]),
        bins,
        max(each.submission for each in active),
        max(known) if len(known) == len(active) else None,
    )


def after_sync(write: Direction, sync: Timing) -> Timing:
    """A commit's times, of its write's and its sync's: fio measures the two apart.

    The mean is exact. Percentiles are those of the sync and the mean of the write, which hardly
    differs from one to the next where it goes to the page cache.
    """
    mean_us, of_sync = write.latency.mean_us, sync.latency
    commit = Latency(
        mean_us=of_sync.mean_us + mean_us,
        p50_us=of_sync.p50_us + mean_us,
        p95_us=of_sync.p95_us + mean_us,
        p99_us=of_sync.p99_us + mean_us,
        p999_us=of_sync.p999_us + mean_us,
        max_us=of_sync.max_us + mean_us,
    )
    # The bins are of the sync alone.
    return replace(sync, latency=commit, bins={})
