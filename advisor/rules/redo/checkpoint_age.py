"""The checkpoint age against the redo log's limit.

## What it checks
What share of the usable redo log the checkpoint age takes up, and whether it exceeds the whole log.

## Why it matters
A part of the log can be used again only after the pages that it changed are on the drive. Near the
limit the server flushes pages aggressively, and at the limit every writer waits for that:
throughput suddenly falls to what the drive can write. Beyond the log's end the server has
overwritten changes that recovery needs: it works on, and after a crash it can't be started.

## How it is judged
`share = checkpoint age / limit`: the larger age of the window's two ends. The limit is the server's
own (`Innodb_checkpoint_max_age` of MariaDB), else 83 % of the log's size on MySQL 8.0.30 and newer,
where writers have to flush themselves, and 80 % before.
- watch from where on the server flushes for the log alone: 93 % of the limit (78 % of the log) on
  MySQL 8.0.30 and newer, 7/8 of it elsewhere.
- more than the whole log holds: a risk before all others. The log was overwritten (MariaDB's error
  log says "Crash recovery is broken", MySQL's "exceeds the log group capacity"). Only while the
  server itself reports two sizes of its log, on a release that resizes it online (MySQL from
  8.0.30, MariaDB from 10.9), it is being resized: then nothing is judged, nor where such a MySQL
  does not report the size that its log has.
- below: fine. Adaptive flushing is meant to hold the age at half to three quarters of the log.

## How to check by hand
MySQL 8.0.30+: `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_%lsn'`, current less checkpoint. MariaDB:
`Innodb_checkpoint_age`. Older: `SHOW ENGINE INNODB STATUS`, section LOG.

## Risk and undo
Nothing is changed. More room (a larger log) or faster flushing bring the age down. Where the log
was overwritten, physical backups and snapshots hold the same log and can't be recovered either: a
dump of the rows can. A clean shutdown writes all pages and needs no log.

## When it is wrong
The values at a window's two ends miss what was between them.

## References
- MySQL 8.0 reference manual, "Redo Log" and "Configuring Buffer Pool Flushing"; MySQL 8.0 sources,
  log0files_capacity.cc, MySQL 5.7 and MariaDB 10.11 sources, log0log.cc
- MariaDB documentation, "InnoDB Redo Log": resizing from 10.9 on
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_VERSION
from advisor.facts.watched.redo import (
    REDO_CAPACITY,
    REDO_CHECKPOINT_AGE,
    REDO_GROWTH,
    REDO_RESIZING,
)
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Knowledge,
    Needs,
    Relief,
    Stakes,
    Unjudged,
    Wait,
    by_hand,
    rule,
)
from advisor.variables.catalogue import MARIADB, MYSQL
from advisor.workload.flushing.checkpoint import (
    LIMIT,
    CheckpointAge,
    beyond_the_log,
    checkpoint_age,
    resizing,
)
from probes.figures import percent, seconds, size


@rule(
    topic="Redo log",
    do="Give the redo log more room, or flush faster",
    needs=(MYSQL_VERSION, REDO_CHECKPOINT_AGE, REDO_CAPACITY),
    uses=(REDO_GROWTH, REDO_RESIZING, LIMIT),
    findings=("F69", "F67"),
    symptom_of=("redo.capacity", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Compare the age with the limit."""
    age = checkpoint_age(facts)
    if age is None:
        return Unjudged("The checkpoint age has no limit that is known.")
    if beyond_the_log(facts):
        sizes = resizing(facts)
        if sizes is None:
            return Unjudged(facts.lacks(REDO_RESIZING))
        if sizes:
            return Unjudged(f"The redo log is being resized: the server reports {sizes} at once.")
        return _overwritten(facts, age)
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


def _resizes_online(facts: Facts) -> bool:
    """Whether the release may give its log another size between two looks."""
    version = facts.version
    return version.at_least(MYSQL, 8, 0, 30) or version.at_least(MARIADB, 10, 9)


def _overwritten(facts: Facts, age: CheckpointAge) -> Answer:
    """Say that a crash can't be recovered from, and what to do before anything else."""
    capacity = facts.get(REDO_CAPACITY)
    beyond = At("checkpoint age", age.age, above=capacity, say=size)
    card = facts.card(
        f"The redo log was overwritten: the checkpoint age is {size(age.age)} and the whole log "
        f"holds {size(capacity)}. After a crash this server can't recover.",
        beyond,
        setting="the data",
        now="not recoverable",
        stakes=Stakes.DATA,
        urgent=True,
        knowledge=Knowledge.DOCUMENTED,
        confidence=Confidence.MEDIUM if _resizes_online(facts) else Confidence.HIGH,
        because="The server reports both log positions, and one size of its log.",
        valid="Until the age falls within the log, or the server has shut down cleanly.",
    )
    return card.recommend(
        by_hand(
            "backed up",
            "Back the data up, then end the server cleanly and upgrade it",
            (
                "Don't kill the server, and keep it from being killed: free memory and disk space "
                "now, and hold back the heaviest writers.",
                "Dump the data now (mariadb-dump or mysqldump with --single-transaction). A "
                "snapshot or a physical backup needs the same log, and can't be recovered.",
                "Wait until the checkpoint age is within the log, then shut down cleanly with "
                "innodb_fast_shutdown = 0: that writes all pages.",
                "Upgrade to the last release of the series, or a later one, with a larger log.",
            ),
            ("A dump needs no undoing.",),
            Needs.OS,
        ),
        effect="Don't kill it; back it up now; upgrade. Until the pages are written, a crash or a "
        "power cut loses the database.",
        risk="A dump reads all data, which costs the server's other queries time.",
        cost_of_error="A dump that was not needed.",
        verify="Look at the checkpoint age again: it must be less than the log's size.",
    )
