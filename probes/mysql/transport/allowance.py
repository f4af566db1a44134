"""How long a whole answer may take, and how much of it is read: a server may never end."""

from __future__ import annotations

import time

import pymysql

from probes.figures import seconds, size

MOST_ANSWER_BYTES = 4 << 20
"""The longest that is asked for, InnoDB's status, has 1 MiB."""

OPEN_END = float("inf")


class Overrun(pymysql.OperationalError):
    """An answer that does not end: its text says what was too much."""


class Allowance:
    """What is left for the answer that is being read; one for each question."""

    def __init__(self, seconds: float = OPEN_END, most_bytes: float = OPEN_END) -> None:
        self._seconds, self._most_bytes = seconds, most_bytes
        self._until = time.monotonic() + seconds
        self._read_bytes = 0

    def wait_s(self, limit_s: float | None) -> float | None:
        """How long to wait for the next byte, at most ``limit_s`` (None: for ever).

        Raises Overrun when the time for the whole answer is up.
        """
        left_s = self._until - time.monotonic()
        if left_s <= 0:
            raise Overrun(0, f"its answer had not ended after {seconds(self._seconds)}")
        if left_s == OPEN_END:
            return limit_s
        return left_s if limit_s is None else min(left_s, limit_s)

    def take(self, count: int) -> None:
        """Count ``count`` bytes that have arrived; raises Overrun above the limit."""
        self._read_bytes += count
        if self._read_bytes > self._most_bytes:
            raise Overrun(0, f"its answer had not ended after {size(self._most_bytes)}")
