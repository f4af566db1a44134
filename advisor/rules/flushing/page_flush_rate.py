"""Measured flushing against what is planned and written.

## What it checks
Whether `innodb_io_capacity` plans with more than flushing gave when it was measured as InnoDB does
it, and how near the server's writes are to that.

## Why it matters
Random writes at a high depth are the best a drive can do. A page cleaner does less: it writes a
batch to doublewrite, syncs it, writes the pages, and syncs again, so the rate hangs on the drive's
syncs as much as on its writes. A plan above the measured rate is never fulfilled; a server near it
has no reserve for a burst, and the redo log fills.

## How it is judged
- `flushed` = the measured rate of page flushing in the server's own way: without doublewrite where
  it is off, as before MySQL 8.0.20 on older servers and MariaDB, else as since then.
- The server writes 80 % of it or more: watch, there is no reserve.
- `innodb_io_capacity` is above 1.25 times of it, and random writes were not measured: watch, the
  plan is above what flushing gives. Where they were, the rule on `innodb_io_capacity` says so.
- Else fine. MySQL 5.6 multiplies the plan by `innodb_buffer_pool_instances`.

## How to check by hand
Compare `Innodb_pages_written` per second under load with the page_flush points of a run.

## Risk and undo
Nothing is changed by this rule; `innodb_io_capacity` has one of its own.

## When it is wrong
When the server uses more page cleaners than were measured: more of them overlap their syncs.

## References
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- MySQL reference manual, "Doublewrite Buffer"
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from advisor.workload.flush_load import FULL, MORE_CLEANERS, OWN_WAY, flush_ways, own_way
from probes import figures

SETTING = "innodb_io_capacity"


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, OWN_WAY[0], variable(SETTING)),
    uses=(
        *OWN_WAY[1:],
        variable("innodb_buffer_pool_instances"),
        variable("innodb_buffer_pool_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
    ),
    settings=(SETTING,),
    findings=("F53", "F54", "F63"),
)
def check(facts: Facts) -> Answer:
    """Compare three rates: planned, written, and given."""
    now = facts.get(variable(SETTING))
    point = own_way(facts)
    if point is None:
        return Unjudged("Flushing in this server's own way of doublewrite was not measured.")
    given, planned = point.rate_per_s, now.number * flush_ways(facts)
    written = facts.find(status("Innodb_pages_written"))
    writes = "" if written is None else f", and the server writes {figures.rate(written, 'pages')}"
    saw = (
        f"Flushing as this server does it gives {figures.rate(given, 'pages')} here with "
        f"{figures.counted(point.setting.threads, 'page cleaner')}; {figures.count(planned)} are "
        f"planned with"
        f"{writes}."
    )
    formula = (
        f"{figures.count(planned)} / {figures.count(given)} = {figures.times(planned / given)}"
    )
    if written is not None and written >= FULL * given:
        return _watch(
            saw,
            now,
            effect="There is no reserve for a burst: the redo log fills and writers wait. A larger "
            "pool, a drive with faster syncs or fewer changes help, more innodb_io_capacity does "
            "not.",
            flips_when=f"the server writes less than {figures.rate(FULL * given, 'pages')}",
            formula=f"{figures.count(written)} / {figures.count(given)} = "
            f"{figures.percent(written / given)} of what flushing gives",
            gain=0.5,
        )
    most = f"{figures.count(MORE_CLEANERS * given)} pages/s"
    alone = facts.find(CURVE_RANDOM_WRITE_PAGE) is None
    if planned > MORE_CLEANERS * given and alone:
        return _watch(
            saw,
            now,
            effect="The plan can't be fulfilled: while it is tried, reads and commits queue behind "
            "page writes.",
            flips_when=f"{most} or fewer are planned",
            formula=formula,
            gain=0.2,
        )
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"the server writes {figures.rate(FULL * given, 'pages')} or more"
        + (f", or more than {most} are planned" if alone else ""),
        formula=formula,
        because="flushing was measured, the rest was told by the server",
        valid="for the number of page cleaners that was measured",
    )


def _watch(
    saw: str, now: Standing, *, effect: str, flips_when: str, formula: str, gain: float
) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        because="flushing was measured, the rest was told by the server",
        cost_of_error="none: nothing is changed",
        flips_when=flips_when,
        valid="for the number of page cleaners that was measured",
        gain=gain,
        formula=formula,
    )
