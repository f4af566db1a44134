"""The machine that measured: its prober, its processors, its clocks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from probes.doubts import DoubtKind, doubt
from probes.points import LimitedBy, Probe
from probes.trust import thresholds
from probes.trust.arrival.seen import Seen, as_number, mean_known
from probes.trust.doubt import Remark, slowed

_FILE_PROBES = frozenset({Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.STEADY_WRITE})


def prober_limit(seen: Seen) -> Remark | None:
    """Mark and doubt a point above half the prober's ceiling.

    The prober itself was near its limit.

    Before a run the prober measures what it can do on a file in memory. Above half of that ceiling
    its own work is no longer small beside the drive's: the drive may be able to do more. Between
    the thread counts that were calibrated the ceiling is read off over the logarithm of the
    threads, and is flat beyond them; where more threads did less, somebody disturbed the
    calibration, and the higher rate of the fewer counts. Between block sizes it is the time of one
    read that grows evenly: a fixed part for the call and one for each byte copied. Blocks more than
    four times as large as any that was calibrated are too far away to tell. The ceiling is that of
    random reads, so only reads and writes of files are held against it.
    """
    setting = seen.point.setting
    is_read_part = setting.probe is Probe.MIXED and setting.options.get("part") == "reads"
    if seen.calibrated is None or not (setting.probe in _FILE_PROBES or is_read_part):
        return None
    ceiling = ceiling_per_s(
        seen.calibrated.ceiling_per_s, setting.block_size_bytes, setting.threads
    )
    if not seen.point.rate_per_s > thresholds.PROBER_SHARE * ceiling:
        return None
    share = seen.point.rate_per_s / ceiling
    found = doubt(DoubtKind.PROBER_LIMIT, ceiling_per_s=ceiling, share=share)
    return Remark(found, LimitedBy.PROBER, most=slowed(share))


def ceiling_per_s(
    calibrated: Mapping[int, Mapping[int, float]], block_size_bytes: int, threads: int
) -> float:
    """The prober's highest rate at a block size and threads; nan where nothing is known."""
    by_size = {
        size: rate
        for size, levels in calibrated.items()
        if math.isfinite(rate := _at_threads(levels, threads)) and rate > 0
    }
    if not by_size:
        return math.nan
    sizes = sorted(by_size)
    if block_size_bytes > thresholds.CALIBRATED_FARTHEST * sizes[-1]:
        return math.nan
    if len(sizes) == 1 or block_size_bytes <= sizes[0]:
        return by_size[sizes[0]]
    low, high = next(
        (pair for pair in itertools.pairwise(sizes) if block_size_bytes <= pair[1]),
        (sizes[-2], sizes[-1]),
    )
    slope = (1 / by_size[high] - 1 / by_size[low]) / (high - low)
    time_s = 1 / by_size[high] + max(slope, 0.0) * (block_size_bytes - high)
    return 1 / time_s if block_size_bytes > high else min(by_size[low], 1 / time_s)


def _at_threads(levels: Mapping[int, float], threads: int) -> float:
    counts = sorted(count for count, rate in levels.items() if count > 0 and rate > 0)
    if not counts:
        return math.nan
    best = itertools.accumulate((levels[count] for count in counts), max)
    known = list(zip(counts, best, strict=True))
    if threads <= known[0][0]:
        return known[0][1]
    for (low, slow), (high, fast) in itertools.pairwise(known):
        if threads <= high:
            share = math.log(threads / low) / math.log(high / low)
            return slow + share * (fast - slow)
    return known[-1][1]


def busy_processors(seen: Seen) -> Remark | None:
    """Mark a point during which the processors were busier than that.

    The processors were busy: what was measured is the machine, not its drive alone.

    Above 85 % of all processors, requests wait for a processor as well as for the drive: at 85 % a
    single queue takes 6.7 times the service time (M/M/1; L. Kleinrock, "Queueing Systems" 1, 1975).
    The figure is true for this machine, so the point keeps its trust and is only marked; a server
    on the same processors would find no more.
    """
    busy = busy_share(seen) > thresholds.BUSIEST_PROCESSORS
    return Remark(limited_by=LimitedBy.CPU) if busy else None


def busy_share(seen: Seen) -> float:
    """How busy all processors were (0..1): as the engine says it, else by the samples; or nan."""
    reported = seen.detail("cpu_busy")
    if math.isfinite(reported):
        return reported
    return mean_known(host.cpu_user + host.cpu_system + host.cpu_steal for host in seen.hosts)


def clock_frequency(seen: Seen) -> Remark | None:
    """Doubt a point during which the mean clock changed by more than a tenth.

    The processors changed their clock during the point.

    A processor that slows down (heat, a power limit, a battery) makes every request's path through
    the kernel longer; one that speeds up was still waking when the point began. Above 10 % a fast
    drive's figures move with it. The samples within the point decide; without them the clock before
    and after, of which only a fall counts, since processors are slow before there is work.
    Source: Documentation/admin-guide/pm/cpufreq.rst; the share is our choice.
    """
    before, after, may_rise = _clocks(seen)
    if not before > 0 or not after > 0:
        return None
    change = after / before - 1
    if not (change < -thresholds.CLOCK_CHANGE or (may_rise and change > thresholds.CLOCK_CHANGE)):
        return None
    return Remark(
        doubt(DoubtKind.CLOCK_FREQUENCY, before_mhz=before, after_mhz=after),
        least=min(1.0, after / before),
        most=max(1.0, before / after),
    )


def _clocks(seen: Seen) -> tuple[float, float, bool]:
    """The clock at the beginning and at the end in MHz (nan: unknown); whether a rise counts."""
    clocks = [host.mhz for host in seen.hosts if math.isfinite(host.mhz)]
    if len(clocks) >= thresholds.CLOCK_LEAST_SAMPLES:
        third = len(clocks) // 3
        return mean_known(clocks[:third]), mean_known(clocks[-third:]), True
    reported = seen.point.details.get("mhz")
    if isinstance(reported, Sequence) and not isinstance(reported, str) and len(reported) == 2:
        return as_number(reported[0]), as_number(reported[1]), False
    return math.nan, math.nan, False


def clock_jump(seen: Seen) -> Remark | None:
    """Doubt a point during which the clocks parted (``details.clock_jump_s``).

    The wall clock left the steady one: the machine stood still, or somebody set the time.

    The steady clock (CLOCK_MONOTONIC) does not run while a machine is suspended, paused for a
    snapshot or moved to another host, but the wall clock is corrected afterwards. What was measured
    around such a moment is not the drive. Slewing by a time service moves both clocks alike and is
    not seen here.
    Source: clock_gettime(2). 50 ms are more than an ordinary correction in steps takes.
    """
    jump_s = seen.detail("clock_jump_s")
    if not abs(jump_s) > thresholds.CLOCK_JUMP_S:
        return None
    return Remark(
        doubt(DoubtKind.CLOCK_JUMP, jump_s=jump_s),
        least=1 / slowed(abs(jump_s) / seen.point.seconds if seen.point.seconds > 0 else 1.0),
        most=slowed(abs(jump_s) / seen.point.seconds if seen.point.seconds > 0 else 1.0),
    )
