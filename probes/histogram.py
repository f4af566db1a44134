"""Reading a latency histogram."""

from __future__ import annotations

import binascii
import zlib

from hdrh.codec import (
    HdrCookieException,
    HdrHistogramSettingsException,
    HdrLengthException,
)
from hdrh.histogram import HdrHistogram

from probes.points import Latency

_UNREADABLE = (
    HdrCookieException,
    HdrLengthException,
    HdrHistogramSettingsException,
    ValueError,
    IndexError,
    zlib.error,
    binascii.Error,
)


def read_histogram(encoded: str) -> HdrHistogram:
    """Decode an HdrHistogram (V2, compressed, base64) of nanoseconds; ValueError if it is none."""
    try:
        return HdrHistogram.decode(encoded)
    except _UNREADABLE as error:
        raise ValueError("not a compressed HdrHistogram") from error


def summarise(histogram: HdrHistogram) -> Latency:
    """Mean and percentiles in microseconds; all 0 when nothing was recorded."""
    if histogram.get_total_count() == 0:
        return Latency(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def at(percentile: float) -> float:
        return float(histogram.get_value_at_percentile(percentile)) / 1000

    return Latency(
        mean_us=float(histogram.get_mean_value()) / 1000,
        p50_us=at(50),
        p95_us=at(95),
        p99_us=at(99),
        p999_us=at(99.9),
        max_us=float(histogram.get_max_value()) / 1000,
    )
