"""What page requests that miss the buffer pool cost: their number times what such a read takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE, PROBE_DIRECT
from advisor.facts.server.data_files import FOR_PAGE_CACHE
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.watched.drive import WATCH_CACHED_READS, CachedReads
from advisor.facts.watched.sync_cost import COMMITS_COUNTED
from advisor.facts.watched.watch import (
    CACHED_READ_US,
    WATCH_PAGE_READ,
    WATCH_PAGES_WRITTEN,
    WATCH_RUNNING,
)
from advisor.model.curves.operating_point import in_flight, rate_at
from advisor.model.server.miss_cpu import of_all
from advisor.rulekit import At, Facts, Range
from advisor.rulekit import per_s as rate_of
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes import figures
from probes.points import Curve

MISSES, QUERIES = status("Innodb_buffer_pool_reads"), status("Questions")
USES = (MISSES, CURVE_RANDOM_READ_PAGE, WATCH_PAGE_READ, WATCH_RUNNING)
OF_PAGE_CACHE = (WATCH_CACHED_READS, STORAGE_DATA, PROBE_DIRECT, METHOD, SWITCH)
"""What says that a page cache answers misses, and that it is to go."""

NOTHING = 1.0
"""Fewer misses per second than this cost nothing on any drive."""

LITTLE = 0.25
"""Queries that wait for reads at a time: fewer cost little (our choice)."""

MISS_CPU_US = Range(50.0, 20.0, 180.0)
"""What the misses of a query take of a processor where it has one: the read, the search for a free
page, purge that misses, too. With fewer each takes more (`advisor.model.server.miss_cpu`). By the
time of servers' threads with misses and without, on small virtual machines: 36, 43 and, of a load
that only reads, 91 us of MariaDB 10.11; 50, 62 and 73 of MySQL 9.7. By what a pool that holds all
brings where processors limit: 15 of MariaDB 10.11, 34 of MySQL 8.0.33. Beside a noisy host MariaDB
took 157 to 181. A physical machine takes less. Figure and range are our choice."""

LONE_READS = Range(2.0, 1.0, 4.0)
"""How many times the processor time of a lone read of the drive, as a probe saw it, the read of a
miss takes; the search for a page comes on top. Where a lone read took 8, 20 and 21 us, a miss of
MariaDB 10.11 and MySQL 9.7 took 33, 75 and some 58. Our choice, with these in view."""

SEARCH_CPU_US, CLEAN_SEARCH_CPU_US = Range(100.0, 30.0, 250.0), Range(15.0, 5.0, 50.0)
"""The part of a miss that is not the read: of a server that writes pages, and of one that has clean
pages to take. A read from the page cache never waits, so that it takes no more of a processor than
it takes of time. Without their misses, 0.27 and 0.29 of a query, MySQL 8.0.33 and 5.6.14 saved 138
and 109 us with each in a load that writes. In loads that only read, 8.0.33 saved 11 and 27 with
each of 0.46 and 0.90, and 5.6.14 34 with each of 0.19. Both are our choice."""

CLEAN = 0.1
"""Where a server writes fewer pages than this part of its misses, those that make room are clean
(our choice)."""

ON_IDLE_DRIVE = "on this drive"


MISS_CPU_USES = (
    MISSES,
    QUERIES,
    COMMITS_COUNTED,
    CURVE_RANDOM_READ_PAGE,
    WATCH_CACHED_READS,
    WATCH_PAGE_READ,
    WATCH_PAGES_WRITTEN,
)
"""The facts that `miss_cpu_us` reads."""


@dataclass(frozen=True, slots=True)
class ReadCost:
    """Misses over the status window, and what each of them takes.

    ``latency_us`` is what the server's own reads took; where nobody timed those, what the measured
    ``curve`` has at their rate. ``source`` says which, in words that follow the figure.
    ``running`` is how many queries are at work on average, None where that is not known.
    """

    missed_per_s: float
    latency_us: Range
    source: str
    curve: Curve | None = None
    running: float | None = None

    @property
    def waiting(self) -> float:
        """How many queries wait for a read on average (Little's law: rate x latency)."""
        return self.missed_per_s * self.latency_us.value / 1e6

    @property
    def share(self) -> float | None:
        """The share of the running queries' time that is spent waiting for reads (0..1)."""
        if not self.running:
            return None
        return min(1.0, self.waiting / self.running)

    def misses_at(self, waiting: float) -> float:
        """Give the misses per second at which this many queries wait for a read."""
        if self.curve is not None:
            return rate_at(self.curve, waiting)
        return waiting * 1e6 / self.latency_us.value

    @property
    def product(self) -> str:
        """Misses times latency, with their numbers."""
        latency = figures.duration_us(self.latency_us.value)
        return f"{figures.count(self.missed_per_s)} misses/s x {latency}"

    @property
    def takes(self) -> str:
        """What a read takes and who says so: "420 µs each, as the server timed it"."""
        between = " " if self.curve is not None else ", "
        return f"{figures.duration_us(self.latency_us.value)} each{between}{self.source}"

    @property
    def waits(self) -> str:
        """How many queries wait, of those at work where that is known."""
        of = "" if self.share is None else f", {figures.percent(self.share)} of those at work"
        return f"{self.waiting_text} queries wait for a read on average{of}"

    @property
    def waiting_text(self) -> str:
        """How many queries wait, with no digit that the range of what a read takes denies."""
        each = self.latency_us.times(self.missed_per_s / 1e6)
        return figures.ranged(each.value, each.low, each.high, "{:.2f}".format)[0]

    @property
    def formula(self) -> str:
        """The product and what comes of it."""
        return f"{self.product} = {self.waiting_text} queries that wait for a read on average"

    def at_least(self, waiting: float) -> At:
        """Ask whether this many queries wait for a read on average."""
        return At(
            "average number of queries that wait for a read",
            self.latency_us.times(self.missed_per_s / 1e6),
            least=waiting,
            of=self.product,
            say="{:.2f}".format,
        )


def miss_cpu_us(facts: Facts) -> Range:
    """What a miss takes of a processor: the search for a page, and no more than the read itself.

    A read that only the drive's counters timed takes of a processor what they don't see.
    """
    queries, misses = facts.find(QUERIES), facts.find(MISSES)
    per_query = misses / queries if queries and misses else 1.0
    most = of_all(_at_one_us(facts), min(per_query, 1.0))
    read = _read_us(facts)
    if read is None:
        return most
    search = CLEAN_SEARCH_CPU_US if _clean(facts, misses or 0.0) else SEARCH_CPU_US
    return Range(
        min(most.value, search.value + read.value),
        min(most.low, search.low + read.low),
        min(most.high, search.high + read.high),
    )


def cached_reads(facts: Facts) -> CachedReads | None:
    """Give the reads that the page cache was seen to answer; None where it was not."""
    reads = facts.find(WATCH_CACHED_READS)
    return reads if reads is not None and reads.seen else None


def past_cache_waiting(facts: Facts) -> float:
    """How many queries would wait if no read of data files were answered by the page cache.

    0 where it was not seen to answer any, and where O_DIRECT is not known to be what ends that.
    """
    cached, misses, data = cached_reads(facts), facts.find(MISSES), facts.find(STORAGE_DATA)
    drive_us = None if cached is None else cached.device.reads.latency_us
    if misses is None or drive_us is None:
        return 0.0
    stays = facts.find(PROBE_DIRECT) is False or not pages_buffered(facts)
    if stays or (data is not None and data.filesystem in FOR_PAGE_CACHE):
        return 0.0
    return misses * drive_us.value / 1e6


def _at_one_us(facts: Facts) -> Range:
    """What one miss for each query takes: where it reaches the drive, by its reads as measured."""
    cached, curve = cached_reads(facts), facts.find(CURVE_RANDOM_READ_PAGE)
    lone_us = math.nan if curve is None else curve.points[0].cpu_us_per_op
    if cached is not None or not lone_us > 0:
        return MISS_CPU_US
    return CLEAN_SEARCH_CPU_US + LONE_READS.times(lone_us)


def _clean(facts: Facts, misses_per_s: float) -> bool:
    """Whether the pages that make room are clean: few are written, or none is changed any more."""
    written, commits = facts.find(WATCH_PAGES_WRITTEN), facts.find(COMMITS_COUNTED)
    if commits is not None and commits.high < NOTHING:
        return True
    return written is not None and written.high < max(NOTHING, CLEAN * misses_per_s)


def _read_us(facts: Facts) -> Range | None:
    """What the server's own reads take it, also where none of them reached the drive."""
    seen = facts.find(WATCH_PAGE_READ)
    if seen is not None:
        return None if seen.on_drive else seen.latency_us
    return None if cached_reads(facts) is None else CACHED_READ_US


def missed(per_s: float) -> At:
    """Ask whether requests miss the buffer pool at all."""
    return At("miss rate", per_s, least=NOTHING, say=rate_of())


def read_cost(facts: Facts) -> ReadCost | None:
    """Price the misses; None where they are not known, or nobody knows what one takes.

    What the server's own reads take goes before the drive's curve, which was measured beside less
    or other work.
    """
    missed = facts.find(MISSES)
    if missed is None or missed < NOTHING:
        return None
    running = facts.find(WATCH_RUNNING)
    at_work = None if running is None else running.value
    seen = facts.find(WATCH_PAGE_READ)
    if seen is not None:
        return ReadCost(missed, seen.latency_us, seen.source, running=at_work)
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    waiting = None if curve is None else in_flight(curve, missed)
    if waiting is None:
        return None
    latency = Range.exact(waiting / missed * 1e6)
    return ReadCost(missed, latency, ON_IDLE_DRIVE, curve, at_work)


def misses_costing(facts: Facts, waiting: float) -> float | None:
    """Give the misses per second at which this many queries would wait; None where unpriced."""
    seen, curve = facts.find(WATCH_PAGE_READ), facts.find(CURVE_RANDOM_READ_PAGE)
    if seen is not None:
        return waiting * 1e6 / seen.latency_us.value
    return None if curve is None else rate_at(curve, waiting)
