"""The redo log as a ring: how fast it fills, how long it holds, how large it should be."""

from __future__ import annotations

import math
from dataclasses import dataclass

MIB, GIB = 1 << 20, 1 << 30

USABLE = 0.8
"""The share of the log that changes may fill before the server makes all writers wait for pages.

MariaDB shows its limit: 80,819,529 of 100,663,296 bytes. MySQL 8.0 does not; 83 % was seen there.
"""

LATE, LATE_UNREPORTED = 0.75, 0.9
"""From these shares of the usable log on, the checkpoint is late: where the server reports the
limit, and where it is four fifths of the log. MySQL keeps the age at up to three quarters of the
log by design: from 8.0.30 on it flushes in the background from 0.78 of the capacity on, and makes
writers flush from 0.83 on (log0files_capacity.cc)."""

SHORT_S, WANTED_S = 15 * 60.0, 3600.0
"""A log that holds less than the first is short; one that holds the second is wanted."""


@dataclass(frozen=True, slots=True)
class RedoGrowth:
    """By how many bytes per second the redo log grew over a window of ``seconds``.

    ``exact`` is False where only whole blocks were counted: then it is more than the log's growth.
    """

    per_s: float
    seconds: float
    exact: bool


@dataclass(frozen=True, slots=True)
class RedoLog:
    """A log of ``capacity`` bytes that grows; ``most`` is the largest that it should become.

    ``age`` is how many bytes wait for their pages, None where that is not known; from the share
    ``late_from`` of the usable log on, that is late.
    """

    capacity: float
    growth: RedoGrowth
    age: float | None
    most: float
    late_from: float = LATE

    @property
    def held_s(self) -> float:
        """For how long the log takes its growth without a checkpoint; the growth is above 0."""
        return USABLE * self.capacity / self.growth.per_s

    @property
    def late(self) -> bool:
        """Whether so much waits that the server may soon make writers wait."""
        return self.age is not None and self.age >= self.late_from * USABLE * self.capacity

    @property
    def behind(self) -> bool:
        """Whether it is late although the log holds all that is wanted: flushing is behind."""
        return self.late and self.held_s >= WANTED_S

    @property
    def short(self) -> bool:
        """Whether the log should be larger."""
        return self.late or self.held_s < SHORT_S

    @property
    def needed(self) -> float:
        """How large the log has to be to hold its growth for an hour."""
        return self.growth.per_s * WANTED_S / USABLE

    @property
    def wanted(self) -> int:
        """The size to give it: what is needed, twice the present one when late, rounded."""
        size = max(self.needed, 2 * self.capacity) if self.late else self.needed
        rounded = _round_up(min(size, self.most))
        return rounded if rounded <= self.most else int(self.most // GIB) * GIB


def _round_up(size: float) -> int:
    """Round up to a power of two of MiB, 128 at least, and from 1 GiB on to whole GiB."""
    if size >= GIB:
        return math.ceil(size / GIB) * GIB
    return int(MIB * 2 ** math.ceil(math.log2(max(size / MIB, 128))))
