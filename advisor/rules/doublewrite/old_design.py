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
- at least 1.15 and surely above 1: watch, an upgrade is worth that much for writes.
- else fine: on this drive the old way costs little.

## How to check by hand
Run the page_flush probe with doublewrite `on` and `legacy`.

## Risk and undo
Nothing is changed. An upgrade of the server is a project of its own.

## When it is wrong
When the server hardly flushes: the price is paid per page written. Only MySQL has the new way;
MariaDB keeps the area in the system tablespace.

## References
- MySQL worklog 5655; MySQL 8.0 reference manual, "Doublewrite Buffer"
- D. Kravtchuk, "MySQL 8.0: new double write"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import FLUSH_DOUBLEWRITE, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from probes import figures

WORTH = 1.15


@rule(
    topic="Doublewrite",
    needs=(MYSQL_VERSION, FLUSH_DOUBLEWRITE),
    uses=(variable("innodb_doublewrite"), status("Innodb_pages_written")),
    settings=("innodb_doublewrite",),
    applies_to=(mysql("5.5", "8.0.20"),),
    findings=("F37", "F50", "F51", "F52"),
)
def check(facts: Facts) -> Answer:
    """Compare both designs on this drive."""
    on = facts.find(variable("innodb_doublewrite"))
    if on is not None and on.text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that its design does not matter.")
    price = facts.get(FLUSH_DOUBLEWRITE)
    ratio = price.renewal
    if ratio is None:
        return Unjudged("Flushing was not measured with both designs of doublewrite.")
    written = facts.find(status("Innodb_pages_written"))
    writes = "" if written is None else f"; the server writes {figures.rate(written, 'pages')}"
    judged = Judged(
        Verdict.FINE,
        f"This drive flushes {figures.times(ratio.value)} as many pages with the doublewrite of "
        f"MySQL 8.0.20 as with this server's older one{writes}.",
        effect="Fine as it is: on this drive the old design costs little.",
        confidence=Confidence.HIGH,
        flips_when=f"the ratio is surely above 1 and at least {WORTH:g}",
        formula=f"ratio = new / old = {figures.times(ratio.value)} "
        f"({figures.times(ratio.low)} to {figures.times(ratio.high)})",
        valid="For flushing on the measured drive; the price is paid per page written.",
        because="Both designs were imitated and measured on this drive.",
        cost_of_error="None: nothing is changed.",
    )
    if not (ratio.is_sure and ratio.value >= WORTH):
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=f"A server of 8.0.20 or newer could flush up to "
        f"{figures.percent(ratio.value - 1)} more pages here.",
        confidence=Confidence.MEDIUM,
        risk="An upgrade changes many other things as well.",
        flips_when=f"the ratio is below {WORTH:g}",
        gain=min(0.4, (ratio.value - 1) / 2),
    )
