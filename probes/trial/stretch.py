"""Some seconds of a server's work with one value: what it did, and what it missed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.trial.block import p95_us, work_between
from probes.trial.work import Counters, StatementWork


@dataclass(frozen=True, slots=True)
class WorkStretch:
    """What the server did.

    ``misses`` are pages that were read as the pool did not have them, ``page_writes`` those that
    were written; ``free_share`` is how much of the pool held nothing at its end. ``p95_us`` is of
    all statements, None where the server keeps no histogram.
    """

    seconds: float
    kinds: Mapping[str, StatementWork]
    misses: float
    page_writes: float
    free_share: float
    p95_us: float | None = None

    @property
    def statements(self) -> float:
        """How many there were."""
        return sum(each.count for each in self.kinds.values())


def stretch(begin: Counters, end: Counters) -> WorkStretch:
    """What happened between two moments."""

    def grown(name: str) -> float:
        return max(0.0, end.status.get(name, 0.0) - begin.status.get(name, 0.0))

    pages = end.status.get("Innodb_buffer_pool_pages_total", 0.0)
    free = end.status.get("Innodb_buffer_pool_pages_free", 0.0)
    return WorkStretch(
        end.at_s - begin.at_s,
        work_between(begin, end),
        grown("Innodb_buffer_pool_reads"),
        grown("Innodb_buffer_pool_pages_flushed"),
        free / pages if pages else 0.0,
        p95_us(begin.buckets, end.buckets),
    )
