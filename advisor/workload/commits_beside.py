"""How much longer commits take because pages are flushed beside them, at the server's own rate."""

from __future__ import annotations

import math

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.placement import MIXED_COMMITS, STORAGE_REDO_APART
from advisor.facts.watched.sync_cost import RELAXED
from advisor.model.curves.interference import Figure
from advisor.rulekit import Facts, Range

WRITTEN = status("Innodb_pages_written")
DURABLE = variable("innodb_flush_log_at_trx_commit")
USES = (MIXED_COMMITS, STORAGE_REDO_APART, WRITTEN, DURABLE)


def part_of_flushing(facts: Facts) -> Range | None:
    """The share (0..1) of a commit's sync that is gone where nothing is flushed beside it.

    Of the highest measured rate of flushing that the server reaches. None where that was not
    measured, commits wait for no sync, or redo has a drive of its own.
    """
    mixed, written = facts.find(MIXED_COMMITS), facts.find(WRITTEN)
    durable = facts.find(DURABLE)
    relaxed = durable is not None and durable.value in RELAXED
    if mixed is None or written is None or relaxed or facts.find(STORAGE_REDO_APART) is not False:
        return None
    reached = [each for each in mixed.levels if each.flushed_per_s <= written]
    slower = reached[-1].slower.get(Figure.REDO_P50) if reached else None
    if slower is None:
        return None
    ends = (each if math.isfinite(each) else slower.value for each in (slower.low, slower.high))
    return Range(*(max(0.0, 1 - 1 / max(each, 1.0)) for each in (slower.value, *ends)))
