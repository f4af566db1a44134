"""How near the checkpoint is to the redo log's limit.

## What it checks
What share of the usable redo log waits for its pages to be written.

## Why it matters
A part of the log can be used again only after the pages that it changed are on the drive. Near the
limit the server writes pages at once and in any order, and at the limit every writer waits for it:
throughput falls to what the drive takes, all at once.

## How it is judged
`share = checkpoint age / limit`: the larger age of the window's two ends. The limit is the server's
own (`Innodb_checkpoint_max_age` of MariaDB), else 80 % of the log's size.
- below 75 %: fine. From there on: watch, from 90 % with more weight.

## How to check by hand
MySQL 8.0.30+: `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_%lsn'`, current less checkpoint. MariaDB:
`Innodb_checkpoint_age`. Older: `SHOW ENGINE INNODB STATUS`, section LOG.

## Risk and undo
Nothing is changed. More room (a larger log) or faster flushing bring the age down.

## When it is wrong
A steady load may sit at three quarters by design: adaptive flushing holds the age where it is. Two
looks at a window's ends miss what was between them.

## References
- MySQL 8.0 reference manual, "Redo Log" and "Configuring Buffer Pool Flushing"
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.known import (
    MYSQL_VERSION,
    REDO_CAPACITY,
    REDO_CHECKPOINT_AGE,
    REDO_GROWTH,
    status,
)
from advisor.model.redo_log import USABLE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

LATE, URGENT = 0.75, 0.9


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, REDO_CHECKPOINT_AGE, REDO_CAPACITY),
    uses=(REDO_GROWTH, status("Innodb_checkpoint_max_age")),
    findings=("F69", "F67"),
)
def check(facts: Facts) -> Answer:
    """Compare the age with the limit."""
    age, capacity = facts.get(REDO_CHECKPOINT_AGE), facts.get(REDO_CAPACITY)
    if age > capacity:
        return Unjudged("More redo waits than the log holds: it is just being made smaller.")
    told = facts.find(status("Innodb_checkpoint_max_age"))
    limit = told or USABLE * capacity
    share = age / limit
    late = share >= LATE
    saw = (
        f"Up to {figures.size(age)} of redo wait for their pages: {figures.percent(share)} of the "
        f"{figures.size(limit)} that may{_left(facts, limit - age) if late else ''}."
    )
    return Judged(
        Verdict.WATCH if late else Verdict.FINE,
        saw,
        effect="At the limit all writers wait until pages are written. A larger log or faster "
        "flushing gives room."
        if late
        else "Fine as it is: flushing is ahead of the log.",
        confidence=Confidence.HIGH if told else Confidence.MEDIUM,
        risk="All writers stall at once when the limit is reached." if late else "",
        flips_when=f"the age {'falls below' if late else 'reaches'} {figures.size(LATE * limit)}",
        gain=0.7 if share >= URGENT else 0.4 if late else 0.0,
        formula=f"share = {figures.size(age)} / {figures.size(limit)} = {figures.percent(share)}",
        valid="For the window looked at; look again in the busiest hour.",
        because="The server told its limit."
        if told
        else "The limit is taken as four fifths of the log, as seen on MariaDB and MySQL 8.0.",
        cost_of_error="None: nothing is changed.",
        verify="Look at the checkpoint age again under load.",
    )


def _left(facts: Facts, room: float) -> str:
    """Say how long the room lasts if nothing were flushed, "" when that is not known."""
    growth = facts.find(REDO_GROWTH)
    if growth is None or growth.per_s <= 0 or room <= 0:
        return ""
    return f", and the rest is full in {figures.seconds(room / growth.per_s)} without flushing"
