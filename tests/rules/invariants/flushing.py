"""Advice on flushing, and a server that flushes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.gain import Stakes
from advisor.outcomes import Verdict
from advisor.plan.change_plan import Group
from advisor.ranking import stakes
from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.flushing.load import hardly_writes
from advisor.workload.pool.free_pages import HARDLY_PER_S
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


PLAN, LIMIT = PACES[:2]

FREE_PAGES = ("innodb_lru_scan_depth", "innodb_page_cleaners")
"""Settings by which pages become free, clean ones among them: queries may wait for those where
hardly any is written."""


def flushing_of_nothing(answer: Answer) -> Iterator[str]:
    """A server that hardly writes pages gets no advice on how to write them."""
    mysql, written = answer.case.inventory.mysql, answer.per_s("Innodb_pages_written")
    nothing = written is not None and written < NOTHING
    if mysql is None or mysql.sandbox or not (nothing or _hardly(answer)):
        return
    waits = (answer.per_s("Innodb_buffer_pool_wait_free") or 0.0) >= HARDLY_PER_S
    paced = [name for name in PACES if (nothing and not waits) or name not in FREE_PAGES]
    for one in answer.judgement.recommendations:
        paces = one.setting in paced and stakes(one) is not Stakes.HOUSEKEEPING
        if paces and one.verdict is Verdict.RECOMMEND:
            changed = f"{one.setting} {one.now} -> {one.proposed}"
            yield f"{one.rule}: {changed}, of a server that writes {written} pages/s"
    tidied = {
        one.setting
        for one in answer.judgement.recommendations
        if stakes(one) is Stakes.HOUSEKEEPING
    }
    for _, step in answer.made.plan.settings(Group.ONLINE, Group.RESTART, Group.REBUILD):
        if step.name in paced and step.name not in tidied:
            yield f"the plan sets {step.name} to {step.value}, of a server that writes {written}"


def _hardly(answer: Answer) -> bool:
    return hardly_writes(Facts(FactSource(answer.case)))


def limit_in_multiples(answer: Answer) -> Iterator[str]:
    """A plan that sets a limit on flushing leaves the upper one a whole multiple of the other.

    A server divides them as whole numbers. Where less than twice the lower one is all that the
    drive takes, and the load needs it or is still to come, the upper one bounds what is written.
    """
    after = answer.made.after
    mysql = after.inventory.mysql
    if mysql is None or mysql.sandbox or not answer.planned.keys() & {PLAN, LIMIT}:
        return
    plan, limit = mysql.number(PLAN), mysql.number(LIMIT)
    if not plan or not limit or limit % plan == 0:
        return
    written = answer.per_s("Innodb_pages_written")
    needed = bool(after.load_ahead) or written is None or plan < 2 * written
    if limit > 2 * plan or not needed:
        yield f"{LIMIT} {limit:.0f} is no multiple of {PLAN} {plan:.0f}"
