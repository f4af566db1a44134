"""What smaller pages make of a server's I/O: reads that a denser pool saves, and pages to flush.

A page that is read or flushed for one row carries its neighbours along. Where rows lie alone, a
pool of smaller pages holds more of those that are asked for, and a flushed page has fewer bytes;
where neighbours are used and changed together, more pages are read and flushed, of as many bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_GROWTH
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.model.server.pool_shape import LEAST, reads_of_denser_pages
from advisor.rulekit import Facts, Range
from advisor.workload.flushing.load import writes_once
from probes.figures import THIN, count, size, times

POOL = variable("innodb_buffer_pool_size")
WRITTEN = status("Innodb_pages_written")
USES = (POOL, POOL_DATA, POOL_MISS_CURVE, REDO_GROWTH, WRITTEN, variable("innodb_doublewrite"))

CHANGE_BYTES = 100.0
"""Hardly a change of a row logs less redo than this, so that a flushed page has at most as many
changes as its redo holds of them (our choice)."""


@dataclass(frozen=True, slots=True)
class PageTraffic:
    """A server's page I/O per second, and the redo of each page that it flushes, in bytes.

    ``copies`` is how often a page's contents are written. ``changed_bytes`` is None where unknown.
    """

    reads_per_s: float
    written_per_s: float
    copies: int
    changed_bytes: float | None

    @property
    def density_text(self) -> str:
        """How much of a flushed page was changed, in a sentence; "" where nobody knows."""
        if self.changed_bytes is None:
            return ""
        return f" For each page that is flushed {size(self.changed_bytes)} of redo were logged."

    def pages(self, smaller: int) -> Range:
        """How many times as many pages are flushed, where ``smaller`` of them make one of now.

        Each holds a change where all were changed; one does where a page had a single change.
        """
        most = float(smaller)
        if self.changed_bytes is not None:
            changes = max(1.0, self.changed_bytes / CHANGE_BYTES)
            most = smaller * (1 - (1 - 1 / smaller) ** changes)
        return Range(most**0.5, 1.0, most)


@dataclass(frozen=True, slots=True)
class SmallerPages:
    """What another page size does: the gain in all, and what it is made of.

    ``reads`` and ``pages`` are how many are read and flushed, as multiples of today's. ``gain`` is
    how many times as much of the server's work the drive then does.
    """

    reads: Range
    pages: Range
    gain: Range
    formula: str


def page_traffic(facts: Facts, reads_per_s: float) -> PageTraffic:
    """Read the server's page I/O; the rule declares ``USES``."""
    written, growth = facts.find(WRITTEN) or 0.0, facts.find(REDO_GROWTH)
    changed = growth.per_s / written if growth is not None and written else None
    return PageTraffic(reads_per_s, written, 1 if writes_once(facts) else 2, changed)


def smaller_pages(facts: Facts, traffic: PageTraffic, faster: float, smaller: int) -> SmallerPages:
    """What pages do of which ``smaller`` make one of now; the drive reads them ``faster``.

    A small write costs of a large one what a small read costs of a large read.
    """
    reads, pages = _reads(facts, smaller), traffic.pages(smaller)
    read, written = traffic.reads_per_s, traffic.copies * traffic.written_per_s
    if read + written <= 0:
        return SmallerPages(reads, pages, Range.exact(faster), "")
    then = reads * Range.exact(read) + pages * Range.exact(written)
    gain = Range.exact(faster * (read + written)) / then
    return SmallerPages(reads, pages, gain, _formula(traffic, reads, pages, gain))


def _reads(facts: Facts, smaller: int) -> Range:
    """How many pages are read, as a multiple of today's: a pool holds ``smaller`` times as many."""
    pool = facts.find(POOL)
    if pool is None or pool.default or pool.number <= 0:
        return Range.exact(1.0)
    data, curve = facts.find(POOL_DATA), facts.find(POOL_MISS_CURVE)
    if data is None and curve is None:
        return Range.exact(1.0)
    found = reads_of_denser_pages(pool.number, smaller, data, curve)
    # Pages that nobody has read before are read whatever the pool holds.
    return replace(found, low=max(found.low, LEAST))


def _formula(traffic: PageTraffic, reads: Range, pages: Range, gain: Range) -> str:
    """The reckoning with its numbers; "" where reads alone count, as they are."""
    if reads.value == 1 and not traffic.written_per_s:
        return ""
    parts = [
        (count(traffic.reads_per_s), reads.value),
        (f"{traffic.copies}{THIN}x{THIN}{count(traffic.written_per_s)}", pages.value),
    ]
    now = " + ".join(amount for amount, _ in parts)
    then = " + ".join(f"{factor:.2f}{THIN}x{THIN}{amount}" for amount, factor in parts)
    return f" x ({now}) / ({then}) = {times(gain.value)}"
