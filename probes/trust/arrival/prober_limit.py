"""The prober itself was near its limit.

Before a run the prober measures what it can do on a file in memory. Above half of that ceiling its
own work is no longer small beside the drive's: the drive may be able to do more. Between the thread
counts that were calibrated the ceiling is read off over the logarithm of the threads, and is flat
beyond them; where more threads did less, somebody disturbed the calibration, and the higher rate of
the fewer counts. Between block sizes it is the time of one read that grows evenly: a fixed part for
the call and one for each byte copied. Blocks more than four times as large as any that was
calibrated are too far away to tell.
The ceiling is that of random reads, so only reads and writes of files are held against it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from probes import figures
from probes.points import LimitedBy, Probe, Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

SHARE = 0.5
FARTHEST = 4
_FILE_PROBES = frozenset({Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.STEADY_WRITE})


def check(seen: Seen) -> Doubt | None:
    """Mark and doubt a point above half the prober's ceiling."""
    setting = seen.point.setting
    is_read_part = setting.probe is Probe.MIXED and setting.options.get("part") == "reads"
    if seen.calibrated is None or not (setting.probe in _FILE_PROBES or is_read_part):
        return None
    ceiling = ceiling_per_s(
        seen.calibrated.ceiling_per_s, setting.block_size_bytes, setting.threads
    )
    if not seen.point.rate_per_s > SHARE * ceiling:
        return None
    return Doubt(
        Trust.DOUBTFUL,
        f"The prober itself reaches {figures.rate(ceiling)} in memory here; at "
        f"{figures.percent(seen.point.rate_per_s / ceiling)} of that the drive may do more than "
        "was seen.",
        LimitedBy.PROBER,
    )


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
    if block_size_bytes > FARTHEST * sizes[-1]:
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
