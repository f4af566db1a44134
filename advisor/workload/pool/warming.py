"""How long a buffer pool takes to fill again after a restart, on the drive that was measured."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.pool import POOL_LOADING
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.model.curves.knee import knee
from advisor.rulekit import At, Condition, Facts
from advisor.variables.standing import Standing
from advisor.workload.flushing.load import lru_lists
from advisor.workload.pool.read_cost import missed
from probes import figures
from probes.points import PAGE_BYTES

FREE = status("Innodb_buffer_pool_pages_free")
TOTAL = status("Innodb_buffer_pool_pages_total")

LOADING = POOL_LOADING
_UNDER_WAY = ("loading buffer pool", "loaded ")
"""How the server's sentence begins while it loads."""

UPTIME, MISSES = status("Uptime"), status("Innodb_buffer_pool_reads")
PAGES_READ = status("Innodb_pages_read")
YOUNG_S, EMPTY = 3600.0, 0.05
"""A pool fills after a start that is less than an hour ago while more than this share of it is free
(our choices)."""

USES = (
    variable("innodb_page_size"),
    variable("innodb_io_capacity"),
    CURVE_RANDOM_READ_PAGE,
    FREE,
    TOTAL,
    variable("innodb_lru_scan_depth"),
    variable("innodb_buffer_pool_instances"),
)


OF_FILLING = (
    UPTIME,
    MISSES,
    PAGES_READ,
    FREE,
    TOTAL,
    variable("innodb_lru_scan_depth"),
    variable("innodb_buffer_pool_instances"),
)


@dataclass(frozen=True, slots=True)
class Filling:
    """A pool that fills after a start, by requests that miss: ``used`` (0..1) of it has pages.

    ``pages_per_s`` are read, those that are read ahead among them.
    """

    uptime_s: float
    used: float
    empty_pages: float
    pages_per_s: float

    @property
    def full_s(self) -> float | None:
        """How long filling the rest takes at this rate, which falls as fewer requests miss."""
        return self.empty_pages / self.pages_per_s if self.pages_per_s else None


def still_filling(facts: Facts) -> Condition:
    """Ask whether the pool fills after a recent start; its figures have to be there."""
    return (
        At("uptime", facts.get(UPTIME), below=YOUNG_S, say=figures.seconds)
        & At("unused share of the pool", unused_share(facts), above=EMPTY, say=figures.percent)
        & missed(facts.get(MISSES))
    )


def filling(facts: Facts) -> Filling | None:
    """A pool that fills after a recent start; None where none does, or nobody knows."""
    uptime, misses = facts.find(UPTIME), facts.find(MISSES)
    if uptime is None or misses is None or not still_filling(facts):
        return None
    read = facts.find(PAGES_READ) or 0.0
    empty = unused_share(facts)
    return Filling(uptime, 1 - empty, empty * (facts.find(TOTAL) or 0.0), max(read, misses))


@dataclass(frozen=True, slots=True)
class Warming:
    """The pool in pages and the drive's reads at its knee.

    While queries run, loading pauses after each ``innodb_io_capacity`` pages until the second is
    over (buf0dump.cc), so the slower of both counts.
    """

    pages: float
    reads_per_s: float
    io_capacity: float

    @property
    def loaded_per_s(self) -> float:
        """Pages that loading brings in each second beside queries."""
        return min(self.reads_per_s, self.io_capacity)

    def loading_s(self, share: float) -> float:
        """How long loading a share of the pool takes beside queries."""
        return share * self.pages / self.loaded_per_s

    def within(self, share: float, most_s: float) -> At:
        """Ask whether a share of the pool is loaded within ``most_s`` beside queries."""
        return At(
            f"time to load {figures.percent(share)} of the pool",
            self.loading_s(share),
            most=most_s,
            of=self.quotient(share),
            say=figures.seconds,
        )

    def quotient(self, share: float) -> str:
        """The pages of a share over what is loaded each second, with their numbers."""
        return (
            f"{figures.percent(share)} of {figures.counted(self.pages, 'page')} / "
            f"{figures.rate(self.loaded_per_s, 'pages')}"
        )

    def formula(self, share: float) -> str:
        """The quotient and what comes of it."""
        return f"{self.quotient(share)} = {figures.seconds(self.loading_s(share))}"


def unused_share(facts: Facts) -> float:
    """Tell the share of the pool that was never filled, 0 where it is not known.

    The page cleaner keeps innodb_lru_scan_depth pages of each list free on purpose.
    """
    free, total = facts.find(FREE), facts.find(TOTAL)
    depth = facts.find(variable("innodb_lru_scan_depth"))
    if free is None or not total:
        return 0.0
    kept = 0.0 if depth is None else depth.number * lru_lists(facts)
    return max(0.0, free - kept) / total


def noted_share(facts: Facts, dump_pct: float) -> float:
    """Tell the share of the pool that a list of ``dump_pct`` holds.

    MySQL counts the percentage of the pages in use, MariaDB of the whole pool (9.7.4 listed 243 of
    974 pages in use at 25 %, 10.11.19 listed 81 of 8,112 pages at 1 %, and all in use at 25 %).
    """
    used = 1 - unused_share(facts)
    if facts.get(MYSQL_VERSION).is_mysql:
        return used * dump_pct / 100
    return min(used, dump_pct / 100)


def under_way(facts: Facts) -> bool:
    """Whether the server says that it is loading its pool."""
    loading = facts.find(LOADING)
    return loading is not None and loading.lower().startswith(_UNDER_WAY)


def warming(facts: Facts, pool: Standing) -> Warming | None:
    """Read all three; None where reads were not measured or nothing limits the loading."""
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    capacity = facts.find(variable("innodb_io_capacity"))
    if curve is None or capacity is None or capacity.number <= 0:
        return None
    size = facts.find(variable("innodb_page_size"))
    page_bytes = size.number if size is not None and size.number > 0 else PAGE_BYTES
    return Warming(pool.number / page_bytes, max(knee(curve).rate_per_s, 1.0), capacity.number)
