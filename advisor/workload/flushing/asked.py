"""Whether the load that was seen asks for more planned flushing, on a drive that has room for it.

What is about to change the load hides it: a larger redo log or pool. What it asked for until then
is the only sign of what it may ask for afterwards.
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE, CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.variables import variable
from advisor.rulekit import Facts
from advisor.workload import volume_use
from advisor.workload.flushing import load as flushing

PLAN = variable("innodb_io_capacity")

ROOM = 0.7
"""A drive or volume that is used to this share at most has room for peaks (our choice)."""


def flushing_asked(facts: Facts) -> bool:
    """Whether flushing lags, or as much is written as is planned, and the drive has room for more.

    False where nothing shows either, or the drive was not measured.
    """
    plan = facts.find(PLAN)
    if plan is None or facts.find(CURVE_RANDOM_WRITE_PAGE) is None or _at_its_limit(facts):
        return False
    load = flushing.flush_load(facts)
    paced = (load.demand_per_s or 0.0) >= flushing.PACED * plan.number * load.ways
    return (bool(load.behind) or paced) and not load.full


def _at_its_limit(facts: Facts) -> bool:
    """Whether what is asked leaves no room below the volume's limits, or the peak of reads."""
    demand, reads = volume_use.demand(facts), facts.find(CURVE_RANDOM_READ_PAGE)
    for fact, in_bytes in zip(volume_use.LIMITS, (False, True), strict=True):
        limits, asks = facts.find(fact), demand.of(in_bytes=in_bytes)
        figure = None if limits is None else limits.seen
        if figure is not None and asks is not None and asks > ROOM * figure:
            return True
    # What InnoDB counts the page cache may answer: only the device's own count shows it.
    asked = demand.requests_per_s if demand.device else None
    return reads is not None and asked is not None and asked > ROOM * reads.peak.rate_per_s
