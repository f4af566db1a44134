"""The binary log inside InnoDB (MariaDB).

## What it checks
Whether commits wait for a sync of the binary log that InnoDB's own log would spare them.

## Why it matters
With a binary log in files of its own a commit that survives a power cut waits for two syncs, one
after the other. MariaDB 12.3 can keep the binary log in InnoDB's files: its redo log then makes
both durable by one sync, and neither log needs the other after a crash. Published runs of writes
gain 1.3 to 1.5 times on drives that sync fast, 1.5 to over 4 times where a sync is slow.

## How it is judged
- No binary log: not applicable. `innodb`: fine.
- Semi-synchronous replicas or a Galera cluster: fine as it is, neither works with it.
- Binary logs on a volume while the data lies on a drive that the cloud empties when the machine
  stops: fine as it is, for inside InnoDB's files they would go with the data.
- Commits that do not wait for the binary log's sync (`sync_binlog` other than 1): fine.
- `spared` is what the server's own syncs of the binary log take, else what was measured with two
  files less what was with one, else a sync of redo. Below 0.2 ms (our choice): fine. From there on
  `innodb` is proposed.

## How to check by hand
`SELECT @@binlog_storage_engine, @@sync_binlog;` and the wait/io/file/sql/binlog row of
`performance_schema.file_summary_by_event_name`.

## Risk and undo
High: old binary logs are ignored from the restart on, replication has to be by GTID, replicas by
MariaDB 12.3 or newer, and programs that read binary logs have to know the new files. The old kind
comes back the same way. Start with a replica, and promote it.

## When it is wrong
Where replicas connect by file and offset. Where point-in-time recovery reads the old files.

## References
- MariaDB documentation, "InnoDB-Based Binary Log"
- M. Callaghan, "MariaDB innovation: binlog_storage_engine" (2026)
"""

from __future__ import annotations

from advisor.facts.measured.commit_points import REDO_WITH_BINLOG
from advisor.facts.server.cluster import CLUSTER_GALERA_NODES
from advisor.facts.server.storage import STORAGE_EPHEMERAL
from advisor.facts.server.variables import variable
from advisor.facts.watched.placement import STORAGE_BINLOG_APART
from advisor.facts.watched.sync_cost import (
    COMMITS_REPLICA_WAIT,
    REDO_SYNC_COST,
    WATCH_BINLOG_SYNC,
)
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Is,
    Relief,
    Unjudged,
    Wait,
    mariadb,
    rule,
)
from advisor.workload.commit_waits import relaxed
from probes.figures import duration_us
from probes.inventory.facts import Role

BINLOG, SYNC, COMMIT = (
    variable("log_bin"),
    variable("sync_binlog"),
    variable("innodb_flush_log_at_trx_commit"),
)
WORTH_US = 200
"""A sync that takes less is not worth a move of all replication. Our choice."""


@rule(
    topic="Durability",
    setting="binlog_storage_engine",
    needs=(BINLOG, SYNC),
    uses=(
        COMMIT,
        CLUSTER_GALERA_NODES,
        STORAGE_BINLOG_APART,
        STORAGE_EPHEMERAL,
        COMMITS_REPLICA_WAIT,
        REDO_SYNC_COST,
        REDO_WITH_BINLOG,
        WATCH_BINLOG_SYNC,
    ),
    applies_to=(mariadb("12.3"),),
    findings=("F116", "F117"),
)
def check(facts: Facts) -> Answer:
    """Weigh the sync that it spares."""
    if not facts.get(BINLOG).on:
        return Inapplicable("The server writes no binary log.")
    inside = Is(
        facts.now.value.lower() == "innodb",
        "InnoDB keeps the binary log",
        "it has files of its own",
    )
    if inside:
        return facts.card("InnoDB keeps the binary log.", inside).fine()
    if kept := _kept(facts):
        return facts.card(
            f"The binary log has files of its own. {kept}", flips_when="that ends"
        ).fine()
    spared_us, redo_us = _spared_us(facts), _redo_us(facts)
    if spared_us is None:
        return Unjudged("What a sync of the binary log takes was neither watched nor measured.")
    dear = At("sync of the binary log", spared_us, least=WORTH_US, say=duration_us)
    card = facts.card(
        f"A commit waits {duration_us(redo_us + spared_us)} for redo and binary log; "
        f"{duration_us(spared_us)} of it for the sync of the latter.",
        dear,
        confidence=Confidence.MEDIUM,
        because="Its syncs were measured here; the gain of one less was published.",
        valid="For replication by GTID.",
    )
    if not dear:
        return card.fine("Fine as it is: one sync less would save little on this drive.")
    return card.recommend(
        facts.to("innodb"),
        relieves=(Relief.to(Wait.COMMITS, redo_us + spared_us, redo_us),),
        effect="A commit waits for one sync in place of two. Write log_bin without a value beside "
        "it; start with a replica.",
        risk="High: old binary logs are ignored, replicas have to use GTID and 12.3 or newer.",
        cost_of_error="Replicas that have to be set up again.",
        side_effects="sync_binlog has no effect any more; binary logs grow by whole files.",
        verify="SELECT @@binlog_storage_engine; SHOW BINARY LOGS;",
    )


def _kept(facts: Facts) -> str:
    """Say why files of its own are right, "" where nothing does."""
    if (facts.find(CLUSTER_GALERA_NODES) or 1) > 1:
        return "A Galera cluster needs them."
    if facts.find(COMMITS_REPLICA_WAIT) is not None:
        return "Semi-synchronous replicas need them."
    lent = facts.find(STORAGE_EPHEMERAL) or frozenset()
    apart = facts.find(STORAGE_BINLOG_APART) and Role.BINLOG not in lent
    if apart and Role.DATA in lent:
        return "A stop of the machine empties the data's drive, and they outlive that."
    if facts.get(SYNC).value != "1":
        return "Commits do not wait for its sync."
    return ""


def _redo_us(facts: Facts) -> float:
    """What a commit waits for redo."""
    spared, cost = relaxed(facts), facts.find(REDO_SYNC_COST)
    return 0.0 if spared or cost is None else cost.takes_us.value


def _spared_us(facts: Facts) -> float | None:
    """What the sync of the binary log takes, None where nobody knows."""
    own, both = facts.find(WATCH_BINLOG_SYNC), facts.find(REDO_WITH_BINLOG)
    cost = facts.find(REDO_SYNC_COST)
    if own is not None:
        return own.latency_us.value
    if both is not None and cost is not None and cost.own is None:
        return max(0.0, both.latency.p50_us - cost.takes_us.value)
    return None if cost is None else cost.takes_us.value
