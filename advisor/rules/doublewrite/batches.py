"""The pages that doublewrite copies per batch.

## What it checks
The mean number of pages in a batch of doublewrite over the window.

## Why it matters
Doublewrite is cheap because many pages share one large write and one sync. When batches hold few
pages, each page pays nearly a sync of its own: because the setting keeps batches small, because
queries have to free pages one by one, or because there is not more to flush.

## How it is judged
`fill = pages copied / batches written`, over the window; `syncs = batches/s x a sync here`.
- 8 pages or more, or less than a tenth of the time spent on syncs: fine.
- fewer: watch, with more weight the more time its syncs take.
- less than 50 pages/s: not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_dblwr%';` twice, under load

## Risk and undo
Nothing is changed.

## When it is wrong
On a calm server batches are small because there is little to write. Not every batch is followed by
a sync with `O_DIRECT_NO_FSYNC`.

## References
- MySQL 8.0 reference manual, "Doublewrite Buffer"; MySQL worklog 5655
- MariaDB documentation, "InnoDB Doublewrite Buffer"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, status
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures
from probes.points import Point

FULL, QUIET_PER_S = 8.0, 50.0
CHEAP = 0.1


@rule(
    topic="Doublewrite",
    needs=(
        MYSQL_VERSION,
        status("Innodb_dblwr_pages_written"),
        status("Innodb_dblwr_writes"),
    ),
    uses=(REDO_FDATASYNC,),
    findings=("F51", "F53", "F54"),
)
def check(facts: Facts) -> Answer:
    """Count the pages that share a batch."""
    pages = facts.get(status("Innodb_dblwr_pages_written"))
    batches = facts.get(status("Innodb_dblwr_writes"))
    if pages < QUIET_PER_S or batches <= 0:
        return Unjudged(
            f"Doublewrite copied {figures.rate(pages, 'pages')} in the window: too few to tell."
        )
    fill = pages / batches
    sync = facts.find(REDO_FDATASYNC)
    busy = None if sync is None else batches * sync.latency.p50_us / 1e6
    syncs = "" if busy is None else f"; syncs take at most {figures.percent(busy)} of the time"
    judged = Judged(
        Verdict.FINE,
        f"Doublewrite copies {figures.rate(pages, 'pages')} in batches of {fill:.1f} pages{syncs}.",
        effect="Fine as it is: its syncs are shared or cheap.",
        confidence=Confidence.MEDIUM,
        flips_when=f"batches hold fewer than {FULL:g} pages and syncs take more than "
        f"{figures.percent(CHEAP)} of the time",
        formula=f"fill = {figures.rate(pages, 'pages')} / {figures.rate(batches, 'batches')} = "
        f"{fill:.1f} pages{_product(batches, sync, busy)}",
        valid="For a load like that of the window.",
        because="The server counts pages and batches."
        + ("" if sync is None else " A sync was measured here."),
        cost_of_error="None: nothing is changed.",
    )
    if fill >= FULL or (busy is not None and busy < CHEAP):
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="Larger batches would share syncs: see that doublewrite may gather more pages, and "
        "that queries need not free pages themselves.",
        risk="Flushing falls behind under more load.",
        flips_when=f"batches hold {FULL:g} pages or more, or syncs take less than "
        f"{figures.percent(CHEAP)} of the time",
        gain=0.2 if busy is None else min(0.5, busy),
    )


def _product(batches: float, sync: Point | None, busy: float | None) -> str:
    if sync is None or busy is None:
        return ""
    return (
        f"; syncs = {figures.rate(batches)} x {figures.duration_us(sync.latency.p50_us)} = "
        f"{figures.percent(busy)}"
    )
