"""Reading a latency histogram: of the one shape that is ever written, and of no other."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from bisect import bisect_left
from itertools import accumulate

from hdrh.codec import (
    HdrCookieException,
    HdrHistogramSettingsException,
    HdrLengthException,
)
from hdrh.histogram import HdrHistogram

from probes.boundary.malformed import Malformed
from probes.points import Latency

LOWEST_NS, HIGHEST_NS, DIGITS = 1, 100_000_000_000, 2
"""The agent writes this shape, and so do imports: nanoseconds up to 100 s, two digits."""

LONGEST_LETTERS = 1 << 16
"""The shape has 3,968 counts; each takes 9 bytes at most before it is compressed."""

_MOST_BYTES = 1 << 16
_MOST_COUNTED = 1 << 53
_OUTER = struct.Struct(">II")
_INNER = struct.Struct(">IIIIQQd")
_OUTER_COOKIE, _INNER_COOKIE = 0x1C849314, 0x1C849313
_SHAPE = (0, DIGITS, LOWEST_NS, HIGHEST_NS, 1.0)

_UNREADABLE = (
    HdrCookieException,
    HdrLengthException,
    HdrHistogramSettingsException,
    ValueError,
    IndexError,
    ArithmeticError,
)


def read_histogram(encoded: str) -> HdrHistogram:
    """Decode an HdrHistogram (V2, compressed, base64) of nanoseconds.

    Raises Malformed, a ValueError, if it is none, or of another shape: what a header asks for in
    memory and time is looked at before it is given.
    """
    _must_have_our_shape(encoded)
    try:
        histogram = HdrHistogram.decode(encoded)
    except _UNREADABLE as error:
        raise Malformed("its histogram can't be decoded") from error
    if not 0 <= histogram.get_total_count() <= _MOST_COUNTED:
        raise Malformed("its histogram counts more than can have happened")
    return histogram


def summarise(histogram: HdrHistogram) -> Latency:
    """Mean and percentiles in microseconds; all 0 when nothing was recorded."""
    total = histogram.get_total_count()
    if total == 0:
        return Latency(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    # In one look over the counts: the library takes another for each figure.
    counts = list(histogram.counts)
    passed = list(accumulate(counts))

    def range_of(index: int) -> tuple[int, int]:
        low: int = histogram.get_value_from_index(index)
        return low, histogram.get_highest_equivalent_value(low)

    def at(percentile: float) -> float:
        index = bisect_left(passed, histogram.get_target_count_at_percentile(percentile))
        return float(range_of(index)[1]) / 1000 if index < len(counts) else 0.0

    def middle(index: int) -> int:
        low, high = range_of(index)
        return low + (high + 1 - low) // 2

    mean_ns = sum(count * middle(index) for index, count in enumerate(counts) if count) / total
    return Latency(
        mean_us=mean_ns / 1000,
        p50_us=at(50),
        p95_us=at(95),
        p99_us=at(99),
        p999_us=at(99.9),
        max_us=float(histogram.get_max_value()) / 1000,
    )


def _must_have_our_shape(encoded: str) -> None:
    if not isinstance(encoded, str) or len(encoded) > LONGEST_LETTERS:
        raise Malformed("its histogram is no text, or too long")
    try:
        whole = base64.b64decode(encoded.encode("ascii"), validate=True)
        packed = _unpacked(whole[_OUTER.size :])
        outer_cookie, _ = _OUTER.unpack_from(whole)
        inner_cookie, length, *shape = _INNER.unpack_from(packed)
    except (binascii.Error, UnicodeEncodeError, zlib.error, struct.error) as error:
        raise Malformed("its histogram is no compressed HdrHistogram") from error
    if (outer_cookie, inner_cookie) != (_OUTER_COOKIE, _INNER_COOKIE) or tuple(shape) != _SHAPE:
        raise Malformed("its histogram has a shape that is never written")
    if length != len(packed) - _INNER.size:
        raise Malformed("its histogram is cut off")


def _unpacked(compressed: bytes) -> bytes:
    inflating = zlib.decompressobj()
    packed = inflating.decompress(compressed, _MOST_BYTES)
    if inflating.unconsumed_tail or not inflating.eof:
        raise Malformed("its histogram is too long, or cut off")
    return packed
