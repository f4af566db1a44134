"""Figures as people and web pages write them: "614.7 M", "110 days", "1,234,567"."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_BLANKS = "[ \u00a0\u202f\u2009'\u2019]"
_GROUPED = re.compile(rf"([+-]?)(\d{{1,3}}(?:,\d{{3}})+|\d{{1,3}}(?:{_BLANKS}\d{{3}})+)(\.\d+)?")
_DOTTED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3}){2,}")
_SCALED = re.compile(
    rf"([+-]?\d{{1,15}}(?:[.,]\d{{1,6}})?){_BLANKS}?(?:([kKMGTPE])(i?[bB]|[bB]?ytes)?|[bB]|[bB]ytes)"
)
_SPAN = re.compile(
    r"(\d{1,9})\s*(years?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b"
)
_SPANS = re.compile(rf"(?:{_SPAN.pattern}(?:\s*,?\s*(?:and\s+)?)?){{1,6}}", re.IGNORECASE)

_POWERS = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_SECONDS = {"y": 365 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}


def exact(text: str) -> str:
    """The figure without separators of thousands; the text as it is where it has none."""
    text = text.strip()
    grouped = _GROUPED.fullmatch(text)
    if grouped is not None:
        return grouped[1] + re.sub(r"\D", "", grouped[2]) + (grouped[3] or "")
    return text.replace(".", "") if _DOTTED.fullmatch(text) else text


def spelled_out(text: str) -> str | None:
    """A figure of a counter that was shortened, in digits; None where it is none.

    ``614.7 M`` counts by thousands, ``1.5 GiB`` by 1,024; of spans of time all parts are added up,
    in seconds.
    """
    text = text.strip()
    scaled = _SCALED.fullmatch(text)
    if scaled is not None:
        base = 1024 if scaled[3] else 1000
        return _digits(scaled[1], base ** _POWERS.get(scaled[2] or "", 0))
    return None if (seconds := span_s(text)) is None else str(seconds)


def size_bytes(text: str) -> int | None:
    """A size as tools print it ("62.7G", "15.5GiB", "512 MB"), by 1,024; None where it is none."""
    scaled = _SCALED.fullmatch(text.strip())
    if scaled is None:
        return int(text) if text.strip().isdecimal() and len(text.strip()) < 19 else None
    digits = _digits(scaled[1], 1024 ** _POWERS.get(scaled[2] or "", 0))
    return None if digits is None else int(digits)


def span_s(text: str) -> int | None:
    """A span of time in words ("110 days", "3d 4h 5m"), in seconds; None where it is none."""
    if not _SPANS.fullmatch(text.strip()):
        return None
    parts = _SPAN.findall(text.lower())
    return sum(int(number) * _SECONDS[unit[0]] for number, unit in parts)


def _digits(number: str, factor: int) -> str | None:
    try:
        return str(int(Decimal(number.replace(",", ".")) * factor))
    except InvalidOperation:
        return None
