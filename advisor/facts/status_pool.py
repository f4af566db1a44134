"""What the server's status tells of its buffer pool, its read-ahead and its flushing."""

from __future__ import annotations

from advisor.facts.fact import AnyFact, Fact
from advisor.facts.server import SHOW_STATUS, counter, gauge

COUNTERS: dict[str, tuple[str, str]] = {
    "Innodb_buffer_pool_read_ahead": ("pages", "how many pages are read ahead of a scan"),
    "Innodb_buffer_pool_read_ahead_rnd": (
        "pages",
        "how many pages are read because others of their extent are in the pool",
    ),
    "Innodb_buffer_pool_read_ahead_evicted": (
        "pages",
        "how many pages that were read ahead leave the pool unused",
    ),
    "Innodb_pages_read": ("pages", "how many pages the server reads"),
    "Innodb_pages_created": ("pages", "how many new pages the server makes"),
    "Innodb_ibuf_merges": ("merges", "how often buffered changes are merged into their pages"),
}

GAUGES: dict[str, tuple[str, str]] = {
    "Innodb_buffer_pool_pages_free": ("pages", "how many pages of the buffer pool are free"),
    "Uptime": ("s", "how long the server has been up"),
}

FACTS: tuple[AnyFact, ...] = (
    *(
        Fact(f"mysql.status.{name}", f"{unit}/s", meaning, SHOW_STATUS, counter(name, unit))
        for name, (unit, meaning) in COUNTERS.items()
    ),
    *(
        Fact(f"mysql.status.{name}", unit, meaning, SHOW_STATUS, gauge(name, unit))
        for name, (unit, meaning) in GAUGES.items()
    ),
)
