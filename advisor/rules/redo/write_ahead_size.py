"""innodb_log_write_ahead_size against the block size under the redo log.

## What it checks
Whether redo is written in whole blocks of the file system and the drive.

## Why it matters
A write of half a block makes the kernel or the drive read the whole one first. Commits then wait
for a read as well. XFS even makes unaligned direct writes wait for one another. Redo is padded with
zeros up to this size, so that a block is never written in part.

## How it is judged
`block` = the largest of 4 KiB, the file system's block and the drive's physical sector. A kernel
with pages of 64 KiB still reads single blocks of the file system: its page does not count.
- the setting is a multiple of the block: fine; a larger one only pads more.
- it is smaller: the block is proposed.
- the block is larger than the setting can be (16 KiB, or a page of the server): watch. Where it
  is the drive's, a drive with a cache of its own gathers whole blocks and is hardly affected.
ZFS is left out: it writes synchronous writes to its intent log first. Network file systems are not
judged: the block that they report is that of their transfers.

## How to check by hand
`stat -f -c %S DIR`, `cat /sys/block/*/queue/physical_block_size`,
`SELECT @@innodb_log_write_ahead_size;`

## Risk and undo
Changes at once, can be undone at once. The log's format does not depend on it.

## When it is wrong
When an array or a virtual disk hides the size of its real blocks. MariaDB 10.8 and later detect the
block and show it here read-only.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MariaDB documentation, "InnoDB System Variables"
- Linux kernel, XFS: unaligned direct I/O is serialised
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    mariadb,
    mysql,
    rule,
)
from probes.figures import size
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS

LEAST_BLOCK, LARGEST = 4096, 16384


@rule(
    topic="Redo log",
    do="Give the redo log a volume of smaller blocks",
    setting="innodb_log_write_ahead_size",
    needs=(REDO_DIRECTORY,),
    uses=(variable("innodb_page_size"),),
    applies_to=(mysql("5.7"), mariadb("10.2", "10.8")),
    findings=("F87", "F97", "F128"),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for whole blocks."""
    now, where = facts.now, facts.get(REDO_DIRECTORY)
    if where.filesystem == "zfs":
        return Inapplicable("ZFS writes synchronous writes of any size to its intent log.")
    if where.filesystem in NETWORK_FILESYSTEMS:
        return Unjudged(f"On {where.filesystem} the block that is written is not known.")
    sectors = [disk.physical_block_bytes or 0 for disk in where.disks]
    if where.block_bytes is None and not any(sectors):
        return Unjudged("Neither the file system nor the drive reports its block size.")
    block = max(LEAST_BLOCK, where.block_bytes or 0, *sectors)
    padded = At(
        "block",
        block,
        of=f"max({LEAST_BLOCK}, {where.block_bytes or 0}, {max(sectors, default=0)})",
        most=now.number,
        say=size,
    ) & Is(now.number % block == 0, "it is a multiple of the block")
    card = facts.card(
        f"Redo is padded to {size(now.number)} {'by default' if now.default else 'as set'}; blocks "
        f"under it have {size(block)}.",
        padded,
        valid="As long as the redo log stays on this file system and drive.",
    )
    if padded:
        return card.fine(
            "Fine as it is: no write of redo has to read first.", confidence=Confidence.HIGH
        )
    page = facts.find(variable("innodb_page_size"))
    largest = LARGEST if page is None else min(LARGEST, int(page.number))
    if block > largest:
        return _unreachable(card, largest, of_drive=block == max(sectors, default=0))
    return card.recommend(
        facts.to(str(block)),
        effect="A commit never waits for a read of the block that it writes.",
        flips_when=f"it is {size(block)} or a multiple of that",
        because="The manual asks for it; the gain on this drive was not measured.",
        risk=f"Low: each write of redo is padded to {size(block)}.",
        cost_of_error="A few KiB of padding more per write.",
    )


def _unreachable(card: Card, largest: int, *, of_drive: bool) -> Answer:
    where = "drive" if of_drive else "file system"
    unknown = (
        "The kernel reports both sizes; whether the drive's cache gathers writes is not known."
    )
    return card.watch(
        f"No value pads that far (at most {size(largest)}): each commit may read a block first. "
        f"A {where} with smaller blocks suits the redo log better.",
        flips_when=f"the redo log lies where blocks are {size(largest)} or less",
        confidence=Confidence.LOW if of_drive else Confidence.MEDIUM,
        because=unknown if of_drive else "",
    )
