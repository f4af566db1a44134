"""Latencies counted in the buckets of an HdrHistogram: of the one shape that is ever written.

The format is HdrHistogram's V2 (G. Tene, https://hdrhistogram.org): compressed, in base64.
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from probes.boundary.malformed import Malformed
from probes.points import Latency

LOWEST_NS, HIGHEST_NS, DIGITS = 1, 100_000_000_000, 2
"""The agent writes this shape, and so do imports: nanoseconds up to 100 s, two digits."""

LONGEST_LETTERS = 1 << 16
"""The shape has 3,968 counts; each takes 9 bytes at most before it is compressed."""

_STEP_BITS = 8
_HALF = 1 << (_STEP_BITS - 1)
"""Two digits take 256 linear steps; each further power of two takes 128 more."""
_SIZE = (HIGHEST_NS.bit_length() - _STEP_BITS + 2) * _HALF

_MOST_BYTES = 1 << 16
_MOST_COUNTED = 1 << 53
_LAST_SHIFT = 56
"""The ninth byte of a number has all its eight bits."""
_OUTER = struct.Struct(">II")
_INNER = struct.Struct(">IIIIQQd")
_OUTER_COOKIE, _INNER_COOKIE = 0x1C849314, 0x1C849313
_SHAPE = (0, DIGITS, LOWEST_NS, HIGHEST_NS, 1.0)


class Histogram:
    """How many latencies lie in each bucket; a bucket is at most 1 % of its latencies wide."""

    def __init__(self, counts: list[int] | None = None) -> None:
        self.counts = [0] * _SIZE if counts is None else counts

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts)

    def record(self, latency_ns: int, times: int = 1) -> None:
        """Count a latency; beyond the highest it counts as that."""
        shift = max(0, min(latency_ns, HIGHEST_NS).bit_length() - _STEP_BITS)
        self.counts[shift * _HALF + (min(latency_ns, HIGHEST_NS) >> shift)] += times

    def add(self, other: Histogram) -> None:
        """Add what another one counted."""
        self.counts = [ours + more for ours, more in zip(self.counts, other.counts, strict=True)]

    def filled(self) -> Iterator[tuple[int, int, int]]:
        """Lowest and highest latency (ns) of each bucket that holds any, and how many it holds."""
        for index, count in enumerate(self.counts):
            if count:
                yield *_ends(index), count

    def at(self, percentile: float) -> int:
        """The latency (ns) that a percentage does not exceed: its bucket's highest; 0 of none."""
        return _at(list(accumulate(self.counts)), percentile)

    def mean_ns(self) -> float:
        """The mean, each latency taken for the middle of its bucket; 0 of none."""
        middles = sum(count * _middle(low, high) for low, high, count in self.filled())
        return middles / (self.total or 1)

    def deviation_ns(self) -> float:
        """The standard deviation, likewise."""
        mean = self.mean_ns()
        squares = (count * (_middle(low, high) - mean) ** 2 for low, high, count in self.filled())
        return math.sqrt(sum(squares) / (self.total or 1))

    def encoded(self) -> str:
        """As ``Point.histogram`` keeps it."""
        packed = _packed(self.counts)
        inner = _INNER.pack(_INNER_COOKIE, len(packed), *_SHAPE) + packed
        compressed = zlib.compress(inner)
        return base64.b64encode(_OUTER.pack(_OUTER_COOKIE, len(compressed)) + compressed).decode()


def read_histogram(encoded: str) -> Histogram:
    """Decode an HdrHistogram (V2, compressed, base64) of nanoseconds.

    Raises Malformed, a ValueError, if it is none, or of another shape: what a header asks for in
    memory and time is looked at before it is given.
    """
    histogram = Histogram(_counts(_with_our_shape(encoded)))
    if histogram.total > _MOST_COUNTED:
        raise Malformed("its histogram counts more than can have happened")
    return histogram


def summarise(histogram: Histogram) -> Latency:
    """Mean and percentiles in microseconds; all 0 when nothing was recorded."""
    passed = list(accumulate(histogram.counts))
    if not passed[-1]:
        return Latency(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    p50, p95, p99, p999, most = (_at(passed, rank) / 1000 for rank in (50, 95, 99, 99.9, 100))
    return Latency(histogram.mean_ns() / 1000, p50, p95, p99, p999, most)


def _ends(index: int) -> tuple[int, int]:
    """The lowest and the highest latency (ns) of a bucket."""
    shift = max(0, index // _HALF - 1)
    step = index - shift * _HALF
    return step << shift, ((step + 1) << shift) - 1


def _middle(low: int, high: int) -> int:
    return low + (high + 1 - low) // 2


def _at(passed: list[int], percentile: float) -> int:
    wanted = max(1, int(min(percentile, 100.0) * passed[-1] / 100 + 0.5))
    index = bisect_left(passed, wanted)
    return _ends(index)[1] if index < len(passed) else 0


def _with_our_shape(encoded: str) -> bytes:
    """The packed counts of a text whose headers say that it has the shape; raises Malformed."""
    if not isinstance(encoded, str) or len(encoded) > LONGEST_LETTERS:
        raise Malformed("its histogram is no text, or too long")
    try:
        whole = base64.b64decode(encoded.encode("ascii"), validate=True)
        inflated = _inflated(whole[_OUTER.size :])
        outer_cookie, _ = _OUTER.unpack_from(whole)
        inner_cookie, length, *shape = _INNER.unpack_from(inflated)
    except (binascii.Error, UnicodeEncodeError, zlib.error, struct.error) as error:
        raise Malformed("its histogram is no compressed HdrHistogram") from error
    if (outer_cookie, inner_cookie) != (_OUTER_COOKIE, _INNER_COOKIE) or tuple(shape) != _SHAPE:
        raise Malformed("its histogram has a shape that is never written")
    if length != len(inflated) - _INNER.size:
        raise Malformed("its histogram is cut off")
    return inflated[_INNER.size :]


def _inflated(compressed: bytes) -> bytes:
    inflating = zlib.decompressobj()
    inflated = inflating.decompress(compressed, _MOST_BYTES)
    if inflating.unconsumed_tail or not inflating.eof:
        raise Malformed("its histogram is too long, or cut off")
    return inflated


def _counts(packed: bytes) -> list[int]:
    """The count of each bucket; raises Malformed.

    Numbers are ZigZag LEB128: a negative one stands for that number of empty buckets.
    """
    counts = [0] * _SIZE
    index = at = 0
    while at < len(packed):
        number = shift = 0
        while True:
            if at == len(packed):
                raise Malformed("its histogram is cut off")
            byte = packed[at]
            at += 1
            if shift == _LAST_SHIFT or byte < 0x80:
                number |= byte << shift
                break
            number |= (byte & 0x7F) << shift
            shift += 7
        if number & 1:
            index += (number >> 1) + 1
        elif index < _SIZE:
            counts[index] = number >> 1
            index += 1
        else:
            index += 1
        if index > _SIZE:
            raise Malformed("its histogram has more buckets than its shape")
    return counts


def _packed(counts: list[int]) -> bytes:
    """The counts up to the last that is not 0, as ``_counts`` reads them."""
    packed = bytearray()
    empty = 0
    for count in counts:
        if not count:
            empty += 1
            continue
        if empty:
            # One empty bucket is a 0, more are their negative number.
            _append(packed, 2 * empty - 1 if empty > 1 else 0)
        _append(packed, 2 * count)
        empty = 0
    return bytes(packed)


def _append(packed: bytearray, number: int) -> None:
    for _ in range(_LAST_SHIFT // 7):
        if number < 0x80:
            break
        packed.append(number & 0x7F | 0x80)
        number >>= 7
    packed.append(number)
