"""How many connections are active, against a bound."""

from __future__ import annotations

from advisor.rulekit import At, number


def more_active_than(bound: float, running: float) -> At:
    """Ask whether more connections are active than ``bound``."""
    return At("number of active connections", running, above=bound, say=number())
