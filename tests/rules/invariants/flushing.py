"""Advice on flushing, and a server that flushes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.gain import Stakes
from advisor.outcomes import Verdict
from advisor.ranking import stakes
from tests.rules.invariants.answer import Answer

NOTHING = 1.0
"""Pages a second: with fewer nothing is flushed that any limit could pace."""

PACES = (
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_lru_scan_depth",
    "innodb_page_cleaners",
    "innodb_flush_neighbors",
    "innodb_max_dirty_pages_pct",
    "innodb_max_dirty_pages_pct_lwm",
    "innodb_adaptive_flushing",
    "innodb_adaptive_flushing_lwm",
    "innodb_flushing_avg_loops",
    "innodb_idle_flush_pct",
    "innodb_doublewrite_pages",
    "innodb_doublewrite_batch_size",
    "innodb_write_io_threads",
)
"""Settings that say how pages are written: how files are opened concerns reads as well."""


def flushing_of_nothing(answer: Answer) -> Iterator[str]:
    """A server that writes no pages gets no advice on how to write them."""
    written, mysql = answer.per_s("Innodb_pages_written"), answer.case.inventory.mysql
    if mysql is None or mysql.sandbox or written is None or written >= NOTHING:
        return
    for one in answer.judgement.recommendations:
        paces = one.setting in PACES and stakes(one) is not Stakes.HOUSEKEEPING
        if paces and one.verdict is Verdict.RECOMMEND:
            yield f"{one.rule}: {one.setting} {one.now} -> {one.proposed}, of a server at rest"
    for name in PACES:
        if name in answer.planned and not any(
            name == one.setting for one in answer.judgement.recommendations
        ):
            yield f"the plan sets {name} to {answer.planned[name]} of a server at rest"
