"""Whether anybody feels the limits on flushing, of a volume that has requests to spare as well."""

from __future__ import annotations

from advisor.facts.server.load import LOAD_AHEAD
from advisor.rulekit import Facts
from advisor.workload.flushing.load import FlushLoad, reached_by_none
from advisor.workload.volume_use import LIMITS, LOADS, MUCH, limit_reached

USES = (*LIMITS, *LOADS)
"""Beside those of the load."""


def unfelt(facts: Facts, load: FlushLoad) -> bool:
    """Whether nobody feels a limit that is too high.

    What reads and commits tolerate is measured beside readers that fill a volume of limited
    requests: it says nothing of a server that uses less than half of them.
    """
    harmless = load.budget_per_s if _to_spare(facts) else load.harmless_per_s
    return reached_by_none(facts, harmless)


def _to_spare(facts: Facts) -> bool:
    used = limit_reached(facts, 0.0)
    if used is None or facts.find(LOAD_AHEAD) is not None:
        return False
    return used.share.value < MUCH
