"""The checkpoint age against the redo log's limit.

## What it checks
What share of the usable redo log the checkpoint age takes up.

## Why it matters
A part of the log can be used again only after the pages that it changed are on the drive. Near the
limit the server flushes pages aggressively, and at the limit every writer waits for that:
throughput suddenly falls to what the drive can write.

## How it is judged
`share = checkpoint age / limit`: the larger age of the window's two ends. The limit is the server's
own (`Innodb_checkpoint_max_age` of MariaDB), else 83 % of the log's size on MySQL 8.0.30 and newer,
where writers have to flush themselves, and 80 % before.
- watch from where on the server flushes for the log alone: 93 % of the limit (78 % of the log) on
  MySQL 8.0.30 and newer, 7/8 of it elsewhere. From 95 % on with more weight (our choice).
- below: fine. Adaptive flushing is meant to hold the age at half to three quarters of the log.

## How to check by hand
MySQL 8.0.30+: `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_%lsn'`, current less checkpoint. MariaDB:
`Innodb_checkpoint_age`. Older: `SHOW ENGINE INNODB STATUS`, section LOG.

## Risk and undo
Nothing is changed. More room (a larger log) or faster flushing bring the age down.

## When it is wrong
The values at a window's two ends miss what was between them.

## References
- MySQL 8.0 reference manual, "Redo Log" and "Configuring Buffer Pool Flushing"; MySQL 8.0 sources,
  log0files_capacity.cc, MySQL 5.7 and MariaDB 10.11 sources, log0log.cc
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, REDO_CAPACITY, REDO_CHECKPOINT_AGE, REDO_GROWTH
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Relief, Unjudged, Wait, rule
from advisor.workload.checkpoint import LIMIT, checkpoint_age
from probes.figures import percent, seconds, size

URGENT = 0.95


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, REDO_CHECKPOINT_AGE, REDO_CAPACITY),
    uses=(REDO_GROWTH, LIMIT),
    findings=("F69", "F67"),
    symptom_of=("redo.capacity", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Compare the age with the limit."""
    age = checkpoint_age(facts)
    if age is None or age.age > facts.get(REDO_CAPACITY):
        return Unjudged("Checkpoint age exceeds the redo log's size: the log is being shrunk.")
    late = age.late
    card = facts.card(
        f"Checkpoint age is {size(age.age)}, {percent(age.share)} of its {size(age.limit)} limit"
        f"{_left(facts, age.limit - age.age) if late else ''}.",
        late,
        confidence=Confidence.HIGH if age.reported else Confidence.MEDIUM,
        valid="For this window; check again in the busiest hour.",
        because="The server reports its limit."
        if age.reported
        else "The limit follows from the log's size and the server's sources.",
        verify="Check the checkpoint age again under load.",
    )
    if not late:
        return card.fine("Fine as it is: flushing keeps ahead of the log.")
    return card.but(relieves=(Relief.up_to(Wait.CHECKPOINTS, 1.0),)).watch(
        "At the limit all writers wait until pages are written. A larger log or faster flushing "
        "gives room.",
        risk="All writers stall at once when the limit is reached.",
    )


def _left(facts: Facts, room: float) -> str:
    """Say how long the room lasts if nothing were flushed, "" when that is not known."""
    growth = facts.find(REDO_GROWTH)
    if growth is None or growth.per_s <= 0 or room <= 0:
        return ""
    return f"; without flushing the rest fills in {seconds(room / growth.per_s)}"
