"""A transaction that has been open for long: purge waits for its end, and who wants its locks."""

from __future__ import annotations

from advisor.facts.watched.purge import PURGE_OLDEST_TRANSACTION
from advisor.rulekit.facts import Facts

OPEN_LONG_S = 60.0
"""A transaction that is open for this long holds purge up (our choice)."""


def long_open_s(facts: Facts) -> float | None:
    """For how many seconds the oldest one has been open; None where that is not long."""
    oldest_s = facts.find(PURGE_OLDEST_TRANSACTION)
    return oldest_s if oldest_s is not None and oldest_s >= OPEN_LONG_S else None
