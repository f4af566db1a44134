"""How many free pages of the buffer pool are asked for, and how often a query waits for one."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.server.status import status
from advisor.facts.watched.watch import WATCH_OWN_WRITES
from advisor.rulekit import At, Facts, per_s
from probes import figures
from probes.statistics.ranges import Range

WAITS = status("Innodb_buffer_pool_wait_free")
MISSED = status("Innodb_buffer_pool_reads")
READ = status("Innodb_pages_read")
CREATED = status("Innodb_pages_created")

ASKED = (MISSED, READ, CREATED)
TIMED = (WAITS, WATCH_OWN_WRITES)
"""What ``for_free_pages`` looks at; all of it may be absent."""

EACH_S = Range(0.005, 0.001, 0.01)
"""What a wait for a free page takes where nobody timed it: a page write at least, and a pause of
10 ms at most after it was looked for in vain (our choice between the two)."""

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


@dataclass(frozen=True, slots=True)
class FreePagesTime:
    """Queries in wait for a free page; ``timed`` is whether the server timed what they do there."""

    waiting: Range
    timed: bool


def for_free_pages(facts: Facts) -> FreePagesTime | None:
    """Read them: on MySQL such a query writes and syncs a page, which the server times.

    Looking for it and pauses come on top. Where connections hardly write, as on MariaDB, whose page
    cleaner does it for them, that says nothing. None where nobody counted the waits.
    """
    waits_per_s, own_writes = facts.find(WAITS), facts.find(WATCH_OWN_WRITES)
    if waits_per_s is None:
        return None
    waiting = EACH_S.times(waits_per_s)
    if not waits_per_s or own_writes is None or own_writes.value < waiting.low:
        return FreePagesTime(waiting, timed=False)
    return FreePagesTime(own_writes.reaching(high=waiting.high), timed=True)
