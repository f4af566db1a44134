"""innodb_log_write_ahead_size against the block that is written at once.

## What it checks
Whether redo is written in whole blocks of the file system and the drive.

## Why it matters
Who writes half a block makes the kernel or the drive read the whole one first. Commits then wait
for a read as well. XFS even lets unaligned direct writes wait for one another. Redo is padded with
zeros up to this size, so that a block is never written in part.

## How it is judged
`block` = the largest of 4 KiB (the kernel's page), the file system's block and the drive's physical
sector.
- the setting is a multiple of the block: fine; a larger one only pads more.
- it is smaller: the block is proposed.
- the block is larger than the setting can be (16 KiB, or a page of the server): watch. Where it
  is the drive's, a drive with a cache of its own gathers whole blocks and hardly feels it.
ZFS is left out: it takes synchronous writes into its intent log first. File systems over a network
are not judged: the block that they show is that of their transfers.

## How to check by hand
`stat -f -c %S DIR`, `cat /sys/block/*/queue/physical_block_size`,
`SELECT @@innodb_log_write_ahead_size;`

## Risk and undo
Changes at once, can be undone at once. The log's format does not depend on it.

## When it is wrong
When an array or a virtual disk hides the size of its real blocks. MariaDB 10.8 and later find the
block by themselves and show it here read-only.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MariaDB documentation, "InnoDB System Variables"
- Linux kernel, XFS: unaligned direct I/O is serialised
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_DIRECTORY, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.storage import NETWORK_FILESYSTEMS
from probes.version import ServerVersion

SETTING = "innodb_log_write_ahead_size"
KERNEL_PAGE, LARGEST = 4096, 16384


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, variable("innodb_log_write_ahead_size"), REDO_DIRECTORY),
    uses=(variable("innodb_page_size"),),
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2", "10.8")),
    findings=("F87", "F97"),
)
def check(facts: Facts) -> Answer:
    """Ask for whole blocks."""
    now = facts.get(variable("innodb_log_write_ahead_size"))
    where = facts.get(REDO_DIRECTORY)
    if where.filesystem == "zfs":
        return Inapplicable("ZFS takes synchronous writes into its intent log, of any size.")
    if where.filesystem in NETWORK_FILESYSTEMS:
        return Unjudged(
            f"Over the network {where.filesystem} does not tell which block is written."
        )
    sectors = [disk.physical_block_bytes or 0 for disk in where.disks]
    if where.block_bytes is None and not any(sectors):
        return Unjudged("Neither the file system nor the drive tells the size of its blocks.")
    block = max(KERNEL_PAGE, where.block_bytes or 0, *sectors)
    whose = "by default" if now.default else "as set"
    judged = Judged(
        Verdict.FINE,
        f"Redo is padded to {figures.size(now.number)} {whose}; a block under it has "
        f"{figures.size(block)}.",
        SETTING,
        now.now,
        effect="Fine as it is: no write of redo has to read first.",
        confidence=Confidence.HIGH,
        flips_when=f"a block under the redo log is larger than {figures.size(now.number)}",
        formula=f"block = max({KERNEL_PAGE}, {where.block_bytes or 0}, {max(sectors, default=0)}) "
        f"= {block}; setting = {now.text}",
        valid="As long as the redo log stays on this file system and drive.",
        because="Both sizes are what the kernel tells.",
        cost_of_error="A few KiB of padding more per write.",
    )
    if now.number >= block and now.number % block == 0:
        return judged
    page = facts.find(variable("innodb_page_size"))
    largest = LARGEST if page is None else min(LARGEST, int(page.number))
    if block > largest:
        return _unreachable(judged, block, largest, of_drive=block == max(sectors, default=0))
    return _padded(facts.get(MYSQL_VERSION), now, judged, block)


def _unreachable(fine: Judged, block: int, largest: int, *, of_drive: bool) -> Judged:
    where = "drive" if of_drive else "file system"
    return replace(
        fine,
        verdict=Verdict.WATCH,
        effect=f"No setting pads that far (at most {figures.size(largest)}): each commit may read "
        f"a block first. A {where} with smaller blocks suits the redo log better.",
        confidence=Confidence.LOW if of_drive else Confidence.MEDIUM,
        flips_when=f"the redo log lies where blocks have {figures.size(largest)} or less",
        gain=0.1 if of_drive else 0.2,
        because="Both sizes are what the kernel tells; whether a cache in the drive gathers the "
        "writes is not known."
        if of_drive
        else fine.because,
        cost_of_error="None: nothing is changed.",
    )


def _padded(version: ServerVersion, now: Standing, fine: Judged, block: int) -> Judged:
    return replace(
        fine,
        verdict=Verdict.RECOMMEND,
        effect="A commit never waits for a read of the block that it writes.",
        confidence=Confidence.MEDIUM,
        risk=f"Low: each write of redo is padded to {figures.size(block)}.",
        flips_when=f"it is {figures.size(block)} or a multiple of that",
        gain=0.2,
        because="The manual asks for it; how much it gains on this drive was not measured.",
    ).by(change(version, now, str(block)))
