"""Loads that no setting of InnoDB or of the storage shortens: MyISAM's, and scans."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.server.load import READ_AHEAD
from advisor.facts.server.variables import users_window
from probes.figures import percent, rate
from probes.inventory.facts import StatusWindow

KEY_BLOCKS_PER_S = 100.0
"""Fewer requests for MyISAM's index blocks are no load (our choice)."""

MOSTLY_KEYS = 10.0
"""From this many times InnoDB's page requests on, a load is MyISAM's (our choice)."""

UNUSED = 0.9
"""A pool of which so much is free holds no load's data (our choice)."""

AHEAD_PER_S, MOSTLY_AHEAD = 100.0, 0.8
"""From this many pages that are read ahead on, and this share of all pages read, reads are those of
scans (our choices)."""

_NEXT = ("Handler_read_rnd_next", "Handler_read_next")


def myisam(case: Case) -> str:
    """What the load asks of MyISAM, where it is that engine's; "" elsewhere."""
    window = users_window(case)
    if not isinstance(window, StatusWindow):
        return ""
    keys = window.per_s("Key_read_requests") or 0.0
    pages, locks = (
        window.per_s(name) for name in ("Innodb_buffer_pool_read_requests", "Table_locks_waited")
    )
    mostly = pages is not None and keys >= MOSTLY_KEYS * pages
    if keys < KEY_BLOCKS_PER_S or not (mostly or _pool_unused(window)):
        return ""
    waits = f", {rate(locks, 'waits')} for table locks" if locks else ""
    return f"{rate(keys, 'requests')} of MyISAM's index blocks{waits}"


def _pool_unused(window: StatusWindow) -> bool:
    free, total = (window.gauge(f"Innodb_buffer_pool_pages_{which}") for which in ("free", "total"))
    return free is not None and bool(total) and free >= UNUSED * (total or 0.0)


def scans(case: Case) -> str:
    """What is read by scans, where nearly all reads are of those; "" elsewhere.

    Random read-ahead fetches neighbours whatever asked for a page: it shows no scan.
    """
    window = users_window(case)
    if not isinstance(window, StatusWindow):
        return ""
    ahead, others = (window.per_s(name) or 0.0 for name in READ_AHEAD)
    single = window.per_s("Innodb_buffer_pool_reads")
    rows = sum(window.per_s(name) or 0.0 for name in _NEXT)
    if single is None or ahead < AHEAD_PER_S or ahead < MOSTLY_AHEAD * (ahead + others + single):
        return ""
    read = f"{rate(rows, 'rows')} one after the other, " if rows else ""
    return f"{read}{percent(ahead / (ahead + others + single))} of the pages by read-ahead"
