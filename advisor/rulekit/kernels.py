"""What a kernel's name shows of its version, and what it hides."""

from __future__ import annotations

import re
from enum import StrEnum


class Uring(StrEnum):
    """How io_uring stands in a kernel: not there, sound, losing writes, or not known."""

    ABSENT = "absent"
    SOUND = "sound"
    LOSES_WRITES = "loses writes"
    UNKNOWN = "unknown"


def kernel_numbers(release: str) -> tuple[int, int, int] | None:
    """Give the version in ``uname -r``, None when there is none; a missing third number is 0."""
    match = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", release)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3] or 0))


def uring(release: str) -> Uring:
    """Judge a kernel's io_uring: 5.11 to 5.15.2 could lose a write's completion.

    A distribution calls its kernel x.y.0 whatever it has mended in it, so that such a name within
    the range shows nothing.
    """
    numbers = kernel_numbers(release)
    if numbers is None:
        return Uring.UNKNOWN
    if numbers < (5, 1, 0):
        return Uring.ABSENT
    if numbers < (5, 11, 0) or numbers >= (5, 15, 3):
        return Uring.SOUND
    return Uring.LOSES_WRITES if numbers[2] else Uring.UNKNOWN
