"""innodb_log_file_buffering: redo and the page cache (MariaDB).

## What it checks
Whether redo goes through the page cache although each commit is synced.

## Why it matters
With every commit synced, the page cache only copies what has to go to the drive at once; direct
writes are mostly, but not always, faster. Where commits are not synced, the cache gathers small
writes and tends to help. The server decides by itself: ON when it was started with
`innodb_flush_log_at_trx_commit = 2`, or when it can't find the drive's block size.

## How it is judged
- ON while commits are synced (1 or 3): watch, OFF is worth a trial.
- ON while they are not (0 or 2), or OFF: fine.
- ON where the server can have nothing else: fine. It asks the kernel for the block size of the
  directory's own device, which there is none of on a network, in memory, and on ZFS, btrfs or an
  overlay; then it stays ON whatever is set.

## How to check by hand
`SELECT @@innodb_log_file_buffering, @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Takes a restart. The server says yes to ON and to OFF while it runs, but only ON has an effect: once
on, it stays on until the next start. MariaDB 10.11.19, 11.4.5, 11.8.6 and 11.8.9 all do so.

## When it is wrong
Some drives take small direct writes badly: compare commits/s.

## References
- MariaDB documentation, "InnoDB Flush Method" and "InnoDB System Variables"
- Behaviour of MariaDB 10.11.19 to 11.8.9
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_DIRECTORY, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from probes.inventory.storage import NETWORK_FILESYSTEMS

SETTING = "innodb_log_file_buffering"
SYNCED = {"1", "3"}
NO_DEVICE = {"tmpfs", "ramfs", "zfs", "btrfs", "overlay"} | NETWORK_FILESYSTEMS
"""File systems whose directories name no block device of their own."""


@rule(
    topic="Redo log",
    needs=(
        MYSQL_VERSION,
        variable("innodb_log_file_buffering"),
        variable("innodb_flush_log_at_trx_commit"),
    ),
    uses=(REDO_DIRECTORY,),
    settings=(SETTING,),
    applies_to=(mariadb("10.8.4"),),
    findings=("F88",),
)
def check(facts: Facts) -> Answer:
    """Ask for direct writes where each commit is synced anyway."""
    now = facts.get(variable("innodb_log_file_buffering"))
    commit = facts.get(variable("innodb_flush_log_at_trx_commit"))
    synced = commit.text in SYNCED
    judged = Judged(
        Verdict.FINE,
        f"Redo goes {'through' if now.on else 'past'} the page cache, and commits are "
        f"{'' if synced else 'not '}synced.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when="it is ON while every commit is synced",
        formula=f"buffering = {now.text}, innodb_flush_log_at_trx_commit = {commit.text}",
        valid="On file systems that take direct writes.",
        because="It rests on the maker's own experience; both ways were not measured here.",
        cost_of_error="Some per cent of commits/s at most.",
    )
    if not now.on or not synced:
        return judged
    where = facts.find(REDO_DIRECTORY)
    if where is not None and where.filesystem in NO_DEVICE:
        return replace(
            judged,
            effect=f"Fine as it is: on {where.filesystem} the server finds no block size and can "
            "have nothing else.",
            flips_when="the redo log lies on a file system with a block device of its own",
        )
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="A commit's redo is not copied into the page cache first; mostly that is faster.",
        confidence=Confidence.LOW,
        risk="Low: takes a restart. Some drives take small direct writes badly; compare commits/s.",
        flips_when="commits are not synced",
        gain=0.15,
    ).by(change(facts.get(MYSQL_VERSION), now, "OFF", dynamic=False))
