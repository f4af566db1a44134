"""What several rules on threads hold their figures against."""

from __future__ import annotations

from advisor.rulekit import At, number

SLOTS = 256
"""Requests that one I/O thread may have in the kernel at a time, with native AIO."""

LONG_HISTORY = 100_000
OPEN_LONG_S = 60.0
"""A transaction that is open for this long holds purge up."""


def more_active_than(bound: float, running: float) -> At:
    """Ask whether more connections are active than ``bound``."""
    return At("number of active connections", running, above=bound, say=number())


def history_at_least(bound: float, history: float) -> At:
    """Ask whether this many transactions wait to be purged."""
    return At("history list length", history, least=bound, say=number())
