"""Whose load it is where most of it is not InnoDB's, by the counters of the other engine."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import users_window
from probes.figures import rate
from probes.inventory.facts import StatusWindow

KEY_BLOCKS_PER_S = 100.0
"""Fewer requests for another engine's blocks are no load (our choice)."""

MOSTLY_KEYS = 10.0
"""From this many times InnoDB's page requests on, a load is another engine's (our choice)."""

UNUSED = 0.9
"""A pool of which so much is free holds no load's data (our choice)."""


@dataclass(frozen=True, slots=True)
class OtherEngine:
    """An engine whose load it is, what is asked of it, and what would shorten that.

    ``log`` is the setting of its own log at commit, "" where it has none: commits are not InnoDB's.
    ``background`` is how many threads of its own rewrite its files at most.
    """

    name: str
    asks: str
    remedy: str
    log: str = ""
    background: float = 0.0


def other_engine(case: Case) -> OtherEngine | None:
    """Read it; None where the load is InnoDB's, or nobody looked."""
    window, mysql = users_window(case), case.inventory.mysql
    if not isinstance(window, StatusWindow) or mysql is None:
        return None
    return _myisam(window) or _rocksdb(window, mysql.number("rocksdb_max_background_jobs") or 0.0)


def _myisam(window: StatusWindow) -> OtherEngine | None:
    keys, locks = (
        window.per_s(name) or 0.0 for name in ("Key_read_requests", "Table_locks_waited")
    )
    if keys < KEY_BLOCKS_PER_S or not (_mostly(window, keys) or _pool_unused(window)):
        return None
    waits = f", {rate(locks, 'waits')} for table locks" if locks else ""
    asks = f"{rate(keys, 'requests')} of MyISAM's index blocks{waits}"
    return OtherEngine("MyISAM", asks, "MyISAM's own settings, or tables in InnoDB, would")


def _rocksdb(window: StatusWindow, jobs: float) -> OtherEngine | None:
    hits, missed = (
        # Percona writes the names small, MariaDB with a capital.
        sum(window.per_s(f"{name}ocksdb_block_cache_{what}") or 0.0 for name in "rR")
        for what in ("hit", "miss")
    )
    if hits + missed < KEY_BLOCKS_PER_S or not _mostly(window, hits + missed):
        return None
    pages = window.per_s("Innodb_data_reads")
    beside = "" if pages is None else f", and InnoDB reads {rate(pages, 'pages')}"
    asks = (
        f"{rate(hits + missed, 'requests')} of RocksDB's block cache, {rate(missed)} of them "
        f"missed{beside}, so that advice on InnoDB says little"
    )
    remedy = "RocksDB's own settings, a larger rocksdb_block_cache_size first, would"
    return OtherEngine("RocksDB", asks, remedy, "rocksdb_flush_log_at_trx_commit", jobs)


def _mostly(window: StatusWindow, asked: float) -> bool:
    pages = window.per_s("Innodb_buffer_pool_read_requests")
    return pages is not None and asked >= MOSTLY_KEYS * pages


def _pool_unused(window: StatusWindow) -> bool:
    free, total = (window.gauge(f"Innodb_buffer_pool_pages_{which}") for which in ("free", "total"))
    return free is not None and bool(total) and free >= UNUSED * (total or 0.0)


def _own_log(case: Case) -> Reading | Absent:
    found = other_engine(case)
    if found is None or not found.log:
        return Absent("no engine beside InnoDB was seen to commit most of the load")
    return Reading(found, f"{found.name}: {found.asks}")


LOAD_OWN_LOG = Fact(
    "load.own_log",
    OtherEngine,
    "words",
    "the engine beside InnoDB that most of the load commits to, with a log of its own",
    SHOW_STATUS,
    _own_log,
)
