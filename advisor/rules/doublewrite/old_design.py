"""The older doublewrite of MySQL against that of 8.0.20 on this drive.

## What it checks
How many more pages this drive flushes with the doublewrite of MySQL 8.0.20 than with the older one.

## Why it matters
Before 8.0.20 all page cleaners shared one area of 128 pages behind one lock, and each waited for
it. Since then doublewrite has files of its own. Published runs lose a fifth to a quarter of their
throughput to the old one while I/O-bound, and nothing once the data is cached.

## How it is judged
`ratio = pages/s with the new way / pages/s with the old one`, measured here by flushing pages both
ways (the page_flush probe), with its interval.
- at least 1.15, with an interval that excludes 1: watch, an upgrade gains that much for writes.
- else fine: on this drive the old way costs little.

## How to check by hand
Run the page_flush probe with doublewrite `on` and `legacy`.

## Risk and undo
Nothing is changed. An upgrade of the server is a project of its own.

## When it is wrong
When the server hardly flushes: the cost is per page written. Only MySQL has the new way;
MariaDB keeps the area in the system tablespace. Percona Server from 5.7.11-4 on has an area for
each buffer pool instance and way of flushing: it is not judged.

## References
- MySQL worklog 5655; MySQL 8.0 reference manual, "Doublewrite Buffer"
- D. Kravtchuk, "MySQL 8.0: new double write"
- Percona Server 5.7 manual, "XtraDB Performance Improvements for I/O-Bound Highly-Concurrent
  Workloads"
"""

from __future__ import annotations

from advisor.facts.measured.points import FLUSH_DOUBLEWRITE
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Is, Knowledge, Unjudged, mysql, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off
from advisor.workload.flushing.doublewrite_use import in_one_area
from probes.figures import percent, ranged, rate, times

WORTH = 1.15


@rule(
    topic="Doublewrite",
    do="Upgrade for the newer doublewrite",
    needs=(MYSQL_VERSION, FLUSH_DOUBLEWRITE),
    uses=(DOUBLEWRITE, status("Innodb_pages_written")),
    settings=("innodb_doublewrite",),
    applies_to=(mysql("5.5", "8.0.20"),),
    findings=("F37", "F50", "F51", "F52"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare both designs on this drive."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so its design does not matter.")
    if not in_one_area(facts.version):
        return Unjudged(
            f"{facts.version} has a doublewrite area for each buffer pool instance, and that way "
            "was not measured."
        )
    ratio = facts.get(FLUSH_DOUBLEWRITE).renewal
    if ratio is None:
        return Unjudged("Flushing was not measured with both designs of doublewrite.")
    written = facts.find(status("Innodb_pages_written"))
    writes = "" if written is None else f"; the server writes {rate(written, 'pages')}"
    slower = At("ratio", ratio.value, of="new / old", least=WORTH, say=times) & Is(
        ratio.is_sure, "its interval excludes 1"
    )
    more, least, most = ranged(ratio.value, ratio.low, ratio.high, times)
    card = facts.card(
        f"This drive flushes {more} as many pages with the doublewrite of MySQL "
        f"8.0.20 as with this server's older one ({least} to {most})"
        f"{writes}.",
        slower,
        valid="For flushing on the measured drive; the cost is per page written.",
        because="Both designs were reproduced and measured on this drive.",
    )
    if not slower:
        return card.fine(
            "Fine as it is: on this drive the old design costs little.", confidence=Confidence.HIGH
        )
    return card.watch(
        f"MySQL 8.0.20 or later could flush up to {percent(ratio.value - 1)} more pages here.",
        risk="An upgrade changes many other things as well.",
    )
