"""Sizes of the buffer pool with what each would miss, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.case import Case
from advisor.report.document.blocks import Block, table, text
from advisor.wording.advice.gains import share_text
from advisor.workload.pool.sizes import PoolSize, pool_sizes
from probes.figures import count, size

HEADS = ("buffer pool", "misses/s", "share of query time", "")
ABOUT = (
    "What larger pools would have missed, by the reads that were traced. Smaller ones don't show: "
    "hits are not seen from outside."
)


def pool_table(case: Case) -> Iterator[Block]:
    """Today's pool and larger ones, as far as a trace saw; nothing where none did."""
    found = pool_sizes(case)
    if not found:
        return
    yield text(ABOUT)
    yield table(HEADS, (_row(each, now=each is found[0]) for each in found), {3})


def _row(each: PoolSize, *, now: bool) -> tuple[str, ...]:
    beyond = "more than the memory holds" if each.fits is False else ""
    return (
        size(each.size_bytes),
        each.missed_per_s.text(count),
        "" if each.share is None else share_text(each.share),
        "today" if now else beyond,
    )
