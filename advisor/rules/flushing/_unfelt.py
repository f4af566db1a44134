"""Whether anybody feels the limits on flushing, of a volume that has requests to spare as well."""

from __future__ import annotations

from advisor.facts.server.load import LOAD_AHEAD
from advisor.gain import IDLE
from advisor.rulekit import Facts
from advisor.workload.commit_waits import commits_waiting
from advisor.workload.flushing.load import FlushLoad, reached_by_none
from advisor.workload.pool import read_cost
from advisor.workload.query_time import OF_COMMITS_TIME, at_work
from advisor.workload.volume_use import LIMITS, LOADS, MUCH, limit_reached

USES = (*LIMITS, *LOADS, *read_cost.USES, *OF_COMMITS_TIME)
"""Beside those of the load."""

HARDLY_WAITS = 0.1
"""Where reads and commits take less of query time nobody feels which limit paces the same page
writes (our choice)."""


def unfelt(facts: Facts, load: FlushLoad) -> bool:
    """Whether nobody feels a limit that is too high.

    What reads and commits tolerate is measured beside readers that fill a volume of limited
    requests: it says nothing of a server that uses less than half of them.
    """
    harmless = load.budget_per_s if _to_spare(facts) else load.harmless_per_s
    return reached_by_none(facts, harmless) or _hardly_waits(facts, load)


def _hardly_waits(facts: Facts, load: FlushLoad) -> bool:
    """Whether queries hardly wait for what page writes make slower: reads and commits."""
    running, reads, commits = at_work(facts), read_cost.read_cost(facts), commits_waiting(facts)
    if load.unseen or load.behind or not load.demand_per_s:
        return False
    if running is None or running.value < IDLE or commits is None:
        return False
    missed = facts.find(read_cost.MISSES)
    if reads is None and (missed is None or missed >= read_cost.NOTHING):
        return False
    waiting = commits.value + (0.0 if reads is None else reads.waiting)
    return waiting < HARDLY_WAITS * running.value


def _to_spare(facts: Facts) -> bool:
    used = limit_reached(facts, 0.0)
    if used is None or facts.find(LOAD_AHEAD) is not None:
        return False
    return used.share.value < MUCH
