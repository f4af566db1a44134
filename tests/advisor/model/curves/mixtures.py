"""Mixed and flushing points with latencies of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hdrh.histogram import HdrHistogram

from probes.points import Point, Probe, Setting
from probes.statistics.histogram import read_histogram, summarise
from tests.points import point

DIRECTORY = "/srv/mysql"


def histogram(latencies_us: Sequence[float]) -> str:
    counted = HdrHistogram(1, 100_000_000_000, 2)
    for latency in latencies_us:
        counted.record_value(max(1, round(latency * 1000)))
    return str(counted.encode().decode("ascii"))


def spread(middle_us: float, count: int = 2000) -> list[float]:
    """Latencies from 80 % to 180 % of the middle one, evenly."""
    half = count // 2
    return [
        *(middle_us * (0.8 + 0.2 * n / half) for n in range(half)),
        *(middle_us * (1 + 0.8 * n / half) for n in range(half)),
    ]


def measured(
    setting: Setting, rate: float, latencies_us: Sequence[float] = (), half: float = 0.02,
    **changes: Any,
) -> Point:  # fmt: skip
    encoded = histogram(latencies_us)
    return point(
        setting,
        rate,
        half,
        seconds=2.0,
        latency=summarise(read_histogram(encoded)),
        histogram=encoded if latencies_us else "",
        **changes,
    )


def mixed(
    part: str, target: str, rate: float, middle_us: float = 100.0, *, threads: int = 16,
    count: int = 2000, **changes: Any,
) -> Point:  # fmt: skip
    options = {"part": part, "flush_per_s": target, "doublewrite": "on", "sync": "fdatasync"}
    setting = Setting(Probe.MIXED, threads, 16384, 1, DIRECTORY, options)
    return measured(setting, rate, spread(middle_us, count), **changes)


def mixture(
    target: str, flushed: float, read_us: float, redo_us: float, **changes: Any
) -> list[Point]:
    """The three points of one rate of flushing; without a flush for a target of 0."""
    parts = [
        mixed("reads", target, 9000.0, read_us, **changes),
        mixed("redo", target, 900.0, redo_us, **changes),
    ]
    if target != "0":
        parts.append(mixed("flush", target, flushed, 5000.0, **changes))
    return parts


def flushing(way: str, rate: float, *, threads: int = 4, size: int = 16384, **more: Any) -> Point:
    setting = Setting(Probe.PAGE_FLUSH, threads, size, 1, DIRECTORY, {"doublewrite": way})
    return measured(setting, rate, **more)
