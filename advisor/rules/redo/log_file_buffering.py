"""innodb_log_file_buffering: redo and the page cache (MariaDB).

## What it checks
Whether redo goes through the page cache although each commit is synced.

## Why it matters
With every commit synced, the page cache only copies what has to go to the drive at once; direct
writes are mostly, but not always, faster. Where commits are not synced, the cache gathers small
writes and tends to help. The default depends: ON when the server was started with
`innodb_flush_log_at_trx_commit = 2`, or when it can't find the drive's block size.

## How it is judged
- ON while commits are synced (1 or 3): watch, OFF is worth a trial.
- ON while they are not (0 or 2), or OFF: fine.
- ON where OFF is not possible: fine. The server asks the kernel for the block size of the
  directory's own device; network file systems, memory, ZFS, btrfs and overlays have none, and there
  it stays ON whatever is set.

## How to check by hand
`SELECT @@innodb_log_file_buffering, @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Takes a restart. The server accepts ON and OFF while it runs, but only ON has an effect: once
on, it stays on until the next start. MariaDB 10.11.19, 11.4.5, 11.8.6 and 11.8.9 all do so.

## When it is wrong
Some drives handle small direct writes badly: compare commits/s.

## References
- MariaDB documentation, "InnoDB Flush Method" and "InnoDB System Variables"
- Behaviour of MariaDB 10.11.19 to 11.8.9
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, mariadb, rule
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS

COMMIT = "innodb_flush_log_at_trx_commit"
SYNCED = {"1", "3"}
NO_DEVICE = {"tmpfs", "ramfs", "zfs", "btrfs", "overlay"} | NETWORK_FILESYSTEMS
"""File systems whose directories name no block device of their own."""


@rule(
    topic="Redo log",
    setting="innodb_log_file_buffering",
    needs=(variable(COMMIT),),
    uses=(REDO_DIRECTORY,),
    applies_to=(mariadb("10.8.4"),),
    findings=("F88",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for direct writes where each commit is synced anyway."""
    now, commit = facts.now, facts.get(variable(COMMIT)).value
    copied = Is(now.on, "it is ON", "it is OFF") & Is(
        commit in SYNCED, "commits are synced", "commits are not synced"
    )
    card = facts.card(
        f"Redo {'goes through' if now.on else 'bypasses'} the page cache, and commits are "
        f"{'' if commit in SYNCED else 'not '}synced ({COMMIT} = {commit}).",
        copied,
        valid="On file systems that support direct writes.",
        because="MariaDB's documentation says so; the two were not compared here.",
    )
    if not copied:
        return card.fine()
    where = facts.find(REDO_DIRECTORY)
    if where is not None and where.filesystem in NO_DEVICE:
        return card.fine(
            f"Fine as it is: on {where.filesystem} the server finds no block size and stays ON.",
            flips_when="the redo log lies on a file system with a block device of its own",
        )
    return card.consider(
        facts.to("OFF", dynamic=False),
        effect="A commit's redo is not copied into the page cache first; mostly that is faster.",
        confidence=Confidence.LOW,
        risk="Low: takes a restart. Some drives handle small direct writes badly; compare "
        "commits/s.",
        cost_of_error="Some per cent of commits/s at most.",
    )
