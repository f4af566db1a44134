"""How many free pages of the buffer pool are asked for, and how often a query waits for one."""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.rulekit import At, Facts, per_s
from probes import figures

WAITS = status("Innodb_buffer_pool_wait_free")
MISSED = status("Innodb_buffer_pool_reads")
READ = status("Innodb_pages_read")
CREATED = status("Innodb_pages_created")

ASKED = (MISSED, READ, CREATED)

HARDLY_PER_S = 1.0
"""A wait takes some milliseconds: below one each second they cost less than a hundredth."""

WAITS_END_WHEN = "queries wait for a free page less than once a second"


def asked_per_s(facts: Facts) -> float | None:
    """Pages that are read in, also ahead of need, and that are new: each takes a free one."""
    read = [rate for name in (MISSED, READ) if (rate := facts.find(name)) is not None]
    if not read:
        return None
    return max(read) + (facts.find(CREATED) or 0.0)


def waits_at(waits_per_s: float) -> At:
    """Whether the waits are often enough to cost anything."""
    return At("rate of waits for a free page", waits_per_s, least=HARDLY_PER_S, say=per_s())


def waited(waits_per_s: float) -> str:
    """Say in a whole sentence how often queries waited."""
    if not waits_per_s:
        return "No query waited for a free page in the window."
    return f"Queries waited for a free page {figures.rate(waits_per_s, 'times')}."
