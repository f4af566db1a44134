"""Loads that no setting of InnoDB or of the storage shortens: scans."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.server.load import READ_AHEAD
from advisor.facts.server.variables import users_window
from probes.figures import percent, rate
from probes.inventory.facts import StatusWindow

AHEAD_PER_S, MOSTLY_AHEAD = 100.0, 0.8
"""From this many pages that are read ahead on, and this share of all pages read, reads are those of
scans (our choices)."""

_NEXT = ("Handler_read_rnd_next", "Handler_read_next")


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
