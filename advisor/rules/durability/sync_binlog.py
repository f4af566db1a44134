"""sync_binlog: whether the binary log survives a power cut, and its price here.

## What it checks
Whether the binary log is synced with every group of commits.

## Why it matters
With anything but 1 a power cut can lose binary log events of transactions that InnoDB has kept.
Replicas then miss them for ever. On a drive that syncs fast, 1 costs a few per cent at most; 0
and large values write in bursts and stall.

## How it is judged
- No binary log: not judged.
- 1: fine. Anything else: watch, 1 is proposed, with the price of a sync measured here.

## How to check by hand
`SELECT @@log_bin, @@sync_binlog;`

## Risk and undo
Changes at once. One more sync per group of commits.

## When it is wrong
MariaDB with the binary log inside InnoDB ignores the setting. The binary log may lie on another
drive than the measured one.

## References
- MySQL reference manual, sync_binlog
- MariaDB documentation, "Replication and Binary Log System Variables"
"""

from __future__ import annotations

from advisor import wording
from advisor.outcomes import Confidence, Verdict
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.variables.standing import Standing
from probes.points import Point
from probes.version import ServerVersion

SETTING = "sync_binlog"


@rule(
    topic="Durability",
    needs=("mysql.version", "mysql.variable.log_bin", "mysql.variable.sync_binlog"),
    uses=("redo.fdatasync",),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Ask for 1 where a binary log is written."""
    version = facts.get("mysql.version", ServerVersion)
    log_bin = facts.get("mysql.variable.log_bin", Standing)
    now = facts.get("mysql.variable.sync_binlog", Standing)
    if not log_bin.on:
        whose = f"By default {version}" if log_bin.default else "The server"
        return Unjudged(f"{whose} writes no binary log.")
    sync = facts.find("redo.fdatasync", Point)
    price = "one sync" if sync is None else wording.duration_us(sync.latency.p50_us)
    if now.text == "1":
        return Judged(
            Verdict.FINE,
            f"The binary log is synced with every group of commits ({price}).",
            SETTING,
            now.now,
            effect="Fine as it is: replicas miss nothing after a power cut.",
            confidence=Confidence.HIGH,
            flips_when="it is set to anything but 1",
        )
    often = "never by the server" if now.text == "0" else f"every {now.text} groups of commits"
    return Judged(
        Verdict.WATCH,
        f"The binary log is synced {often}.",
        SETTING,
        now.now,
        effect="A power cut can lose events that replicas then miss for ever. With 1 every group "
        f"of commits waits for {price} more.",
        confidence=Confidence.HIGH,
        risk="One more sync per group of commits.",
        flips_when="it is set to 1",
        gain=0.5,
    ).by(change(version, now, "1"))
