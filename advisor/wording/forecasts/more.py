"""How many more queries a change brings, in words, no finer than its range."""

from __future__ import annotations

import math

from probes.figures import PERCENT, UNKNOWN, ranged, times
from probes.statistics.ranges import Range

TIMES_FROM = 1.5
"""Smaller factors are said as percent more: 1.02× is easily misread (our choice)."""

WHOLE = 0.02
"""A range that is narrower than this is said with a decimal."""

MINUS = "\N{MINUS SIGN}"


def more_texts(much: Range) -> tuple[str, str, str]:
    """The figure and both ends of its range: ``+2 %``, ``−8 %``, ``+13 %``.

    From ``TIMES_FROM`` on ``1.8×``, ``1.2``, ``2.4×``.
    """
    if much.value >= TIMES_FROM:
        return ranged(much.value, much.low, much.high, times)
    digits = 1 if much.high - much.low < WHOLE else 0
    value, low, high = (_change(each, digits) for each in (much.value, much.low, much.high))
    return value, low, high


def queries_text(much: Range) -> str:
    """``2 % more queries (−8 to +13 % in nine of ten measurements)``, or ``1.8× today's``."""
    _, low, high = more_texts(much)
    alike = low in {high, high.removesuffix("×")}
    ends = high if alike else f"{low.removesuffix(PERCENT)} to {high}"
    return f"{more_or_fewer(much)} ({ends} in nine of ten measurements)"


def more_or_fewer(much: Range) -> str:
    """The same without its range: ``2 % more queries``."""
    value = more_texts(much)[0]
    if much.value >= TIMES_FROM:
        return f"{value} today's queries"
    if value.startswith("0"):
        return "as many queries as today"
    return f"{value.lstrip(f'+{MINUS}')} {'more' if value.startswith('+') else 'fewer'} queries"


def _change(factor: float, digits: int) -> str:
    """More or less than today in per cent, with its sign."""
    if math.isnan(factor):
        return UNKNOWN
    text = f"{(factor - 1) * 100:+.{digits}f}"
    return f"{'0' if not float(text) else text.replace('-', MINUS).removesuffix('.0')}{PERCENT}"
