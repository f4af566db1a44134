"""Whether doublewrite is off: then its settings have no effect."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.rulekit import Facts

DOUBLEWRITE = variable("innodb_doublewrite")


def switched_off(facts: Facts) -> bool:
    """Whether the server reports doublewrite as off; the rule declares ``DOUBLEWRITE``."""
    now = facts.find(DOUBLEWRITE)
    return now is not None and now.value.upper() in {"OFF", "0"}
