"""A latency histogram as shares of logarithmic bins, from 0.1 us to 100 s."""

from __future__ import annotations

import math

from probes.statistics.histogram import read_histogram

LOWEST = -1.0
"""log10 of the shortest latency that has a bin of its own, in microseconds."""

PER_DECADE = 16

BINS = 9 * PER_DECADE
"""Up to 100 s."""


def shares(histogram: str) -> tuple[float, ...]:
    """A point's histogram (HdrHistogram of nanoseconds) as shares of ``BINS`` logarithmic bins.

    Empty where there is none, or where it can't be read. Takes some milliseconds: not for the
    GUI thread.
    """
    if not histogram:
        return ()
    try:
        read = read_histogram(histogram)
    except ValueError:
        return ()
    counts = [0] * BINS
    for _, highest_ns, number in read.filled():
        counts[bin_of(highest_ns / 1000)] += number
    total = sum(counts)
    return tuple(number / total for number in counts) if total else ()


def bin_of(us: float) -> int:
    """The bin of a latency; what lies outside belongs to the first or the last."""
    if us <= 0:
        return 0
    return min(BINS - 1, max(0, math.floor((math.log10(us) - LOWEST) * PER_DECADE)))


def edges(index: int) -> tuple[float, float]:
    """Both ends of a bin, log10 of microseconds."""
    return LOWEST + index / PER_DECADE, LOWEST + (index + 1) / PER_DECADE
