"""The history list length against a bound."""

from __future__ import annotations

from advisor.rulekit import At, number

LONG_HISTORY = 100_000
OPEN_LONG_S = 60.0
"""A transaction that is open for this long holds purge up."""


def at_least(bound: float, history: float) -> At:
    """Ask whether this many transactions wait to be purged."""
    return At("history list length", history, least=bound, say=number())
