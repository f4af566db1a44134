"""Numbers of foreign files, let through only where a measurement can give them."""

from __future__ import annotations

import math
import re

from probes.errors import ImportRefused

MOST = 1e15
"""No rate, time in microseconds or number of bytes of one run comes near."""

MOST_THREADS = 65_536
MOST_BLOCK_BYTES = 1 << 30

_SIZE = re.compile(r"(\d{1,15})(?:\.(\d{1,9}))?\s*([kmgtp]?)(?:i?b)?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def figure(value: object, what: str, most: float = MOST) -> float:
    """A finite number from 0 to ``most``; ``what`` names it in messages. Raises ImportRefused."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _refused(value, what)
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise _refused(value, what) from error
    if not math.isfinite(number) or not 0 <= number <= most:
        raise _refused(value, what)
    return number


def count(value: object, what: str, most: int = 1 << 53) -> int:
    """A whole number from 0 to ``most``. Raises ImportRefused."""
    number = figure(value, what, float(most))
    if number != int(number):
        raise _refused(value, what)
    return int(number)


def thread_count(value: object, what: str = "the number of threads") -> int:
    """From 1 to ``MOST_THREADS``. Raises ImportRefused."""
    number = count(value, what, MOST_THREADS)
    if number < 1:
        raise _refused(value, what)
    return number


def block_bytes(value: object, what: str = "the block size") -> int:
    """From 1 B to 1 GiB. Raises ImportRefused."""
    number = count(value, what, MOST_BLOCK_BYTES)
    if number < 1:
        raise _refused(value, what)
    return number


def size_bytes(text: str) -> int | None:
    """``16k``, ``16KiB``, ``1.5Gb`` in bytes by powers of 1024, as both programs mean them.

    None where it is not a valid size.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    number = float(f"{match[1]}.{match[2] or 0}")
    size = number * 1024 ** _POWERS[match[3].lower()]
    return int(size) if size <= MOST else None


def _refused(value: object, what: str) -> ImportRefused:
    return ImportRefused(
        f"{what[:1].upper()}{what[1:]} is {value!r:.40}, which no measurement gives.",
        "Import the file as its program wrote it.",
    )
