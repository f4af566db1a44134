"""Amounts as people type them: sizes, times, percentages and numbers of threads.

The window and the command line read one grammar: a number (``1.5``, ``1,5`` or ``1,024``), then
a unit in any case, with or without a space. What Leadline prints can be typed in again.
"""

from __future__ import annotations

import math
import re

from probes.errors import UsageError
from probes.plans.build.checking import MOST_THREADS

_BYTES = {
    "": 1,
    "b": 1,
    **{
        ending: 1 << 10 * power
        for power, letter in enumerate("kmgt", start=1)
        for ending in (letter, f"{letter}b", f"{letter}ib")
    },
}
_SECONDS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
_NUMBER = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,15}(?:[.,]\d{1,9})?"
_FIGURE = re.compile(rf"({_NUMBER})\s*([a-zµ%]*)", re.IGNORECASE)
_WITH_UNITS = re.compile(rf"(?:(?:{_NUMBER})\s*[a-zµ]+\s*)+", re.IGNORECASE)
"""Several figures that add up; without units nobody could say where one ends."""


def size_bytes(text: str) -> int:
    """``512``, ``16k``, ``16 KiB`` or ``1.5G`` in bytes; k is 1024. Raises UsageError."""
    value, unit = _figure(text)
    if unit not in _BYTES:
        raise UsageError(
            f"'{text.strip()}' is not a valid size: write a number with KiB, MiB, GiB or TiB.",
            "For example 512, 16k or 4 GiB; k is KiB.",
        )
    return round(value * _BYTES[unit])


def bytes_per_s(text: str) -> int:
    """``125M``, ``125 MiB/s`` or ``1.5G`` in bytes per second; raises UsageError.

    A number without a unit is none: few who write 125 mean bytes.
    """
    value, unit = _figure(text.strip().removesuffix("/s"))
    if unit not in _BYTES or not unit:
        raise UsageError(
            f"'{text.strip()}' is not a valid throughput: write a number with KiB, MiB or GiB.",
            "For example 125M or 125 MiB/s; M is MiB.",
        )
    return round(value * _BYTES[unit])


def requests_per_s(text: str) -> int:
    """``3000`` or ``3,000`` requests per second; raises UsageError for none or no whole number."""
    value, unit = _figure(text)
    if unit or not value >= 1 or value % 1:
        raise UsageError(
            f"'{text.strip()}' is not a number of requests per second (IOPS).",
            "Write it without a unit, as 3000.",
        )
    return int(value)


def sizes_bytes(text: str) -> tuple[int, ...]:
    """``4k,16KiB,512`` in bytes, each once; "" is none. Raises UsageError."""
    return tuple(dict.fromkeys(size_bytes(word) for word in text.split(",") if word.strip()))


def duration_s(text: str) -> float:
    """``600``, ``90 s``, ``10min``, ``1 min 30 s`` or ``1.5 h`` in seconds; raises UsageError."""
    text_is_time = _FIGURE.fullmatch(text.strip()) or _WITH_UNITS.fullmatch(text.strip())
    found = _FIGURE.findall(text) if text_is_time else []
    units = [unit.lower() or "s" for _, unit in found]
    if not found or not set(units) <= set(_SECONDS):
        raise UsageError(
            f"'{text.strip()}' is not a valid time: write a number with s, min or h.",
            "For example 90 s, 10 min or 1.5 h.",
        )
    values = [_value(number) for number, _ in found]
    return sum(value * _SECONDS[unit] for value, unit in zip(values, units, strict=True))


def latency_us(text: str, *, bare: str = "") -> float:
    """``20ms`` or ``500 µs`` in microseconds; ``bare`` is the unit of a number without one.

    Raises UsageError, also for a number without a unit where ``bare`` is "".
    """
    value, unit = _figure(text)
    unit = unit or bare
    if unit not in ("us", "µs", "ms", "s"):
        raise UsageError(
            f"'{text.strip()}' is not a valid latency: write a number with µs, ms or s.",
            "For example 20 ms or 500 us.",
        )
    return value * _SECONDS[unit] * 1e6


def percentage(text: str, low: float = 0.0, high: float = 100.0) -> float:
    """``3%`` or ``3`` as 0.03; raises UsageError, also beyond ``low`` and ``high`` in percent."""
    value, unit = _figure(text)
    if unit not in ("", "%") or not low <= value <= high:
        raise UsageError(
            f"'{text.strip()}' is not a valid percentage: write a number from {low:g} to {high:g}.",
            "For example 3%.",
        )
    return value / 100


def money(text: str) -> float:
    """``420``, ``0.12``, ``0,12`` or ``1,200``, in whatever unit; raises UsageError for none."""
    value, unit = _figure(text)
    if unit or not value > 0:
        raise UsageError(f"'{text.strip()}' is not a price.", "Write it as 420 or 0.12.")
    return value


def thread_levels(text: str) -> tuple[int, ...]:
    """``1, 8 64`` as numbers of threads, each once, ascending; "" is none. Raises UsageError."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    for word in words:
        if not re.fullmatch(r"[0-9]{1,9}", word) or not 1 <= int(word) <= MOST_THREADS:
            raise UsageError(
                f"'{word}' is not a valid number of threads: write 1 to {MOST_THREADS:,}.",
                "For example 1, 8, 64.",
            )
    return tuple(sorted({int(word) for word in words}))


def _figure(text: str) -> tuple[float, str]:
    """The number and its unit in small letters; nan and "?" where the text has another form."""
    match = _FIGURE.fullmatch(text.strip())
    return (_value(match[1]), match[2].lower()) if match else (math.nan, "?")


def _value(number: str) -> float:
    """A number whose comma parts thousands, where three digits follow it, or is the point."""
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?", number):
        return float(number.replace(",", ""))
    return float(number.replace(",", "."))
