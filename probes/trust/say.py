"""Figures within the sentences of this package: short, with a narrow space before the unit."""

from __future__ import annotations

import math

THIN = "\u202f"


def per_s(rate: float) -> str:
    """``9,800/s``, ``3.4/s``: all digits of a rate, so that two figures can be compared."""
    return f"{number(rate)}/s"


def number(value: float) -> str:
    """``9,800``; one decimal below 10."""
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 9.95 else f"{value:.1f}".removesuffix(".0")


def percent(share: float) -> str:
    """``12 %`` for 0.12; one decimal below 10 %."""
    return f"{number(share * 100)}{THIN}%" if math.isfinite(share) else "–"


def times(factor: float) -> str:
    """``3.3 times``."""
    return f"{number(factor)} times"


def us(value: float) -> str:
    """``4.2 µs``, ``1.3 ms``, ``2 s``."""
    for limit, divisor, unit in ((1e3, 1.0, "µs"), (1e6, 1e3, "ms")):
        if value < limit:
            return f"{number(value / divisor)}{THIN}{unit}"
    return f"{number(value / 1e6)}{THIN}s"


def throughput(bytes_per_s: float) -> str:
    """``600 MB/s``: in powers of ten, as buses and volumes are rated."""
    for limit, divisor, unit in ((1e6, 1e3, "kB/s"), (1e9, 1e6, "MB/s")):
        if bytes_per_s < limit:
            return f"{number(bytes_per_s / divisor)}{THIN}{unit}"
    return f"{number(bytes_per_s / 1e9)}{THIN}GB/s"


def size(size_bytes: float) -> str:
    """``16 KiB``, ``1.5 GiB``."""
    for scale, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size_bytes >= scale:
            return f"{number(size_bytes / scale)}{THIN}{unit}"
    return f"{number(size_bytes)}{THIN}B"
