"""sync_binlog, and its price on this drive.

## What it checks
Whether the binary log is synced with every group of commits.

## Why it matters
With anything but 1 a power cut can lose binary log events of transactions that InnoDB has kept.
Replicas then miss them for ever. On a drive that syncs fast, 1 costs a few per cent at most; 0
and large values write in bursts and stall.

## How it is judged
- No binary log: not applicable.
- 1: fine. Anything else: watch, 1 is proposed, with its price measured here: what a commit takes
  with a second file synced beside the redo log, less what it takes without; else one sync. Where
  commits and queries at work were counted, the part of query time that commits would wait for it
  is said (from one sync each to one and a half, our choice: half of one may be under way).

- A member of a group (Group Replication, InnoDB Cluster): what its binary log lost comes from the
  other members, once more where InnoDB has kept it. Such a transaction ends its recovery.

## How to check by hand
`SELECT @@log_bin, @@sync_binlog;`

## Risk and undo
Changes at once. One more sync per group of commits.

## When it is wrong
Galera's nodes do not read each other's binary logs; replicas of one do. MariaDB with the binary log
inside InnoDB ignores the setting. The binary log may lie on another
drive than the measured one.

## References
- MySQL reference manual, sync_binlog
- MySQL reference manual, "Group Replication" ("Distributed Recovery")
- MariaDB documentation, "Replication and Binary Log System Variables"
"""

from __future__ import annotations

from advisor.facts.measured.commit_points import REDO_WITH_BINLOG
from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.cluster import CLUSTER_GALERA_NODES, CLUSTER_GROUP
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import WATCH_BINLOG_SYNC
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Inapplicable, Is, Knowledge, Range, Stakes, rule
from advisor.rules.durability._price_of_safety import USES, price_of_safety
from probes.figures import duration_us


@rule(
    topic="Durability",
    setting="sync_binlog",
    needs=(variable("log_bin"),),
    uses=(
        WATCH_BINLOG_SYNC,
        REDO_FDATASYNC,
        REDO_WITH_BINLOG,
        CLUSTER_GALERA_NODES,
        CLUSTER_GROUP,
        *USES,
    ),
    findings=("F89", "F90", "F91"),
    stakes=Stakes.DATA,
    knowledge=Knowledge.MEASURED,
    not_fine_beside=("durability.write-cache", "block.write-cache"),
)
def check(facts: Facts) -> Answer:
    """Ask for 1 where a binary log is written."""
    log_bin, now = facts.get(variable("log_bin")), facts.now.value
    if not log_bin.on:
        whose = f"By default {facts.version}" if log_bin.default else "The server"
        return Inapplicable(f"{whose} writes no binary log.")
    takes_us, formula = _price(facts)
    price = "one sync" if takes_us is None else duration_us(takes_us.value)
    synced = Is(now == "1", "it is set to 1", "it is set to anything but 1")
    card = facts.card(
        f"The binary log is synced with every group of commits ({price}).",
        synced,
        formula=formula,
        valid="While the binary log lies on the measured drive.",
        confidence=Confidence.HIGH,
    )
    if synced:
        return card.fine("Fine as it is: replicas miss no events after a power cut.")
    often = "never synced by the server" if now == "0" else f"synced every {now} groups of commits"
    return card.consider(
        facts.to("1"),
        saw=f"The binary log is {often}.",
        effect=f"{_lost(facts)} {_safe(price_of_safety(facts, takes_us), price)}",
        risk="One more sync per group of commits.",
        cost_of_error="Slower commits for each connection.",
    )


def _lost(facts: Facts) -> str:
    if (facts.find(CLUSTER_GALERA_NODES) or 1) > 1:
        return (
            "A power cut can lose events, which replicas of this node then miss for ever; the "
            "other nodes of the Galera cluster do not read them."
        )
    if facts.find(CLUSTER_GROUP):
        return (
            "A power cut can lose events. The group's other members hold them and send them again, "
            "and this one stops where InnoDB has kept such a transaction: clone it then."
        )
    return "A power cut can lose events, which replicas then miss for ever."


def _safe(share: str, price: str) -> str:
    """What 1 would cost: its part of query time, where that is known, and each sync."""
    if share:
        return f"{share}, {price} more for each group of them."
    return f"With 1 every group of commits waits for {price} more."


def _price(facts: Facts) -> tuple[Range | None, str]:
    """What a synced binary log adds to a group of commits, and how that was found."""
    own = facts.find(WATCH_BINLOG_SYNC)
    if own is not None:
        takes = duration_us(own.latency_us.value)
        return own.latency_us, f"price = a sync of the binary log = {takes}, {own.source}"
    redo, both = facts.find(REDO_FDATASYNC), facts.find(REDO_WITH_BINLOG)
    if redo is None:
        return None, "price = one sync per group of commits; it was not measured"
    alone_us = redo.latency.p50_us
    alone = duration_us(alone_us)
    if both is None or both.latency.p50_us <= alone_us:
        return Range.exact(alone_us), f"price = a sync = {alone} per group of commits"
    more_us = both.latency.p50_us - alone_us
    return (
        Range.exact(more_us),
        f"price = {duration_us(both.latency.p50_us)} - {alone} = {duration_us(more_us)} per group "
        "of commits",
    )
