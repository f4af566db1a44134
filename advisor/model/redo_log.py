"""The redo log as a ring: how fast it fills, and how long it holds what was written to it."""

from __future__ import annotations

from dataclasses import dataclass

USABLE = 0.8
"""The share of the log that changes may fill before the server makes all writers wait for pages.

MariaDB shows its limit: 80,819,529 of 100,663,296 bytes. MySQL 8.0 does not; 83 % was seen there.
"""


@dataclass(frozen=True, slots=True)
class RedoGrowth:
    """By how many bytes per second the redo log grew over a window of ``seconds``.

    ``exact`` is False where only whole blocks were counted: then it is more than the log's growth.
    """

    per_s: float
    seconds: float
    exact: bool

    def holds_s(self, capacity_bytes: float) -> float:
        """For how long a log of that size takes this growth without a checkpoint."""
        return USABLE * capacity_bytes / self.per_s

    def needs_bytes(self, seconds: float) -> float:
        """How large a log has to be to hold this growth for so long."""
        return self.per_s * seconds / USABLE
