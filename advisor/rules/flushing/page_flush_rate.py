"""Measured flushing against what is planned and written.

## What it checks
Whether `innodb_io_capacity` plans more than flushing reached when it was measured as InnoDB does
it, and how near the server's writes are to that.

## Why it matters
Random writes at a high depth are the best a drive can do. A page cleaner does less: it writes a
batch to doublewrite, writes the pages, and syncs them (copies are synced before MySQL 8.0.20, on
MariaDB, and where pages go through the page cache), so the rate depends on the drive's syncs as
much as on its writes. A plan above the measured rate is never reached; a server
near it has no reserve for a burst, and the redo log fills.

## How it is judged
- `flushed` = the measured rate of page flushing with the server's doublewrite: without it where
  it is off, as before MySQL 8.0.20 on older servers and MariaDB, else as since then. Percona Server
  from 5.7.11-4 to 8.0.19 has a way of its own that is not measured.
- The server writes 80 % of it or more (our choice): watch, there is no reserve.
- `innodb_io_capacity` is above 1.25 times that (our choice), and random writes were not measured:
  watch, the plan is above what flushing gives. Where they were, the rule on `innodb_io_capacity`
  says so.
- Else fine. MySQL 5.6 multiplies the plan by `innodb_buffer_pool_instances`.

## How to check by hand
Compare `Innodb_pages_written` per second under load with the page_flush points of a run.

## Risk and undo
Nothing is changed by this rule; `innodb_io_capacity` has one of its own.

## When it is wrong
When the server uses more page cleaners than were measured: more of them overlap their syncs. On
MySQL 8.0.20 and newer with `innodb_flush_method = fsync`: then copies are synced as well, which the
measurement with O_DIRECT leaves out.

## References
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- MySQL reference manual, "Doublewrite Buffer"
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Condition, Facts, Is, Knowledge, Unjudged, rule
from advisor.workload.flushing.load import (
    FULL,
    MORE_CLEANERS,
    OWN_WAY,
    PAGES,
    WRITES,
    flush_ways,
    own_way,
)
from probes.figures import count, counted, percent, rate


@rule(
    topic="Flushing",
    do="Plan flushing by what the drive can write",
    setting="innodb_io_capacity",
    needs=(OWN_WAY[0],),
    uses=(
        *OWN_WAY[1:],
        variable("innodb_buffer_pool_instances"),
        variable("innodb_buffer_pool_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
    ),
    findings=("F53", "F54", "F63"),
    symptom_of=("buffer-pool.size", "redo.capacity"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare three rates: planned, written, and sustained."""
    point = own_way(facts)
    if point is None:
        return Unjudged("Flushing was not measured with this server's doublewrite.")
    given, planned = point.rate_per_s, facts.now.number * flush_ways(facts)
    written = facts.find(status("Innodb_pages_written"))
    saturated: Condition = Is(False, f"the {WRITES} reaches {rate(FULL * given, 'pages')}")
    writes = ""
    if written is not None:
        of = f"{percent(written / given)} of {rate(given, 'pages')}"
        saturated = At(WRITES, written, of=of, least=FULL * given, say=PAGES)
        writes = f", and the server writes {rate(written, 'pages')}"
    beyond: Condition = Is(False, "")
    if facts.find(CURVE_RANDOM_WRITE_PAGE) is None:
        beyond = At("planned rate", planned, above=MORE_CLEANERS * given, say=_pages)
    card = facts.card(
        f"Flushing with this server's doublewrite reaches {rate(given, 'pages')} with "
        f"{counted(point.setting.threads, 'page cleaner')}; innodb_io_capacity plans "
        f"{_pages(planned)}{writes}.",
        saturated | beyond,
        valid="For the number of page cleaners that was measured.",
    )
    if saturated:
        return card.watch(
            "There is no reserve for a burst: the redo log fills and writers wait. A larger pool, "
            "a drive with faster syncs or fewer changes help, more innodb_io_capacity does not.",
            condition=saturated,
        )
    if beyond:
        return card.watch(
            "The drive never reaches that rate: meanwhile reads and commits queue behind page "
            "writes.",
            condition=beyond,
        )
    return card.fine()


def _pages(per_s: float) -> str:
    return f"{count(per_s)} pages/s"
