"""The part of query time that commits would take if they waited for one more sync."""

from __future__ import annotations

from advisor.gain import FLOOR, IDLE
from advisor.rulekit import Facts, Range
from advisor.workload.commit_waits import waiting_for
from advisor.workload.query_time import OF_COMMITS_TIME, at_work
from advisor.workload.sync_cost import alone
from probes.figures import percent, percents

USES = OF_COMMITS_TIME


def price_of_safety(facts: Facts, sync_us: Range | None) -> str:
    """Say which part it is, as the beginning of a sentence; "" where nobody knows.

    Today's commits would wait for it beside what queries do now. Those that share no sync would
    wait for each other besides, by how much nobody knows.
    """
    running = at_work(facts)
    if sync_us is None or running is None or running.value < IDLE or alone(facts):
        return ""
    waiting = waiting_for(facts, sync_us)
    if waiting is None or not waiting.value:
        return ""
    low, high = (each / (running.value + each) for each in (waiting.low, waiting.high))
    return f"Safe commits would take {_part(low, high)} of query time"


def _part(low: float, high: float) -> str:
    """``3 to 5 %``; of what is hardly felt, that alone."""
    if high < FLOOR:
        return f"less than {percent(FLOOR)}"
    return percents(low, high)
