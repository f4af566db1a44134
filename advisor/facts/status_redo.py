"""Status counters of redo, doublewrite and group commit; each as its growth over the window."""

from __future__ import annotations

from advisor.facts.fact import AnyFact, Fact
from advisor.facts.server import SHOW_STATUS, counter

COUNTERS: dict[str, tuple[str, str]] = {
    "Innodb_log_waits": ("waits", "how often a change had to wait for room in the log buffer"),
    "Innodb_dblwr_writes": ("batches", "how many batches of copies doublewrite writes"),
    "Innodb_dblwr_pages_written": ("pages", "how many pages doublewrite copies"),
    "Binlog_group_commit_trigger_count": (
        "groups",
        "how many groups of commits went on because enough had come",
    ),
    "Binlog_group_commit_trigger_lock_wait": (
        "groups",
        "how many groups of commits went on because somebody waited for their locks",
    ),
    "Binlog_group_commit_trigger_timeout": (
        "groups",
        "how many groups of commits went on because their time was up",
    ),
}

FACTS: tuple[AnyFact, ...] = tuple(
    Fact(f"mysql.status.{name}", f"{unit}/s", meaning, SHOW_STATUS, counter(name, unit))
    for name, (unit, meaning) in COUNTERS.items()
)
