"""Alignment of partitions to the drive's blocks.

## What it checks
Whether the partitions below the data begin at a multiple of the drive's physical block and of 4
KiB.

## Why it matters
On a misaligned partition every block of the file system spans two blocks of the drive: each write
of 4 KiB becomes two read-modify-writes. Old partition tools began at sector 63, which is wrong for
every drive with blocks of 4 KiB, for flash and for RAID.

## How it is judged
`rest = start of the partition modulo the larger of 4 KiB and the physical block`.
- a rest: a new partition is proposed; with less certainty where no drive reports blocks of 4 KiB or
  more, since many hide them.
- no rest, but not a multiple of 1 MiB: watch only where the drive is one of several in a RAID,
  since pages may then span two chunks; else fine.
- a multiple of 1 MiB: fine.

## How to check by hand
`cat /sys/class/block/sda1/start` (in sectors of 512 bytes), `parted /dev/sda align-check optimal 1`

## Risk and undo
Everything on the partition has to be copied away and back.

## When it is wrong
When the drive really has blocks of 512 bytes and nothing above needs larger ones: some old disks.

## References
- Linux kernel documentation: sysfs-block, physical_block_size, alignment_offset
- parted(8), align-check
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    Change,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Needs,
    Unjudged,
    by_hand,
    rule,
)
from probes.figures import count, size

BLOCK_BYTES = 4 << 10
USUAL_BYTES = 1 << 20


@rule(
    topic="Block layer",
    do="Check the partitions against the RAID's chunk size",
    needs=(STORAGE_DATA,),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Take each partition's start modulo the block."""
    storage = facts.get(STORAGE_DATA)
    if not storage.partitions:
        if storage.disks:
            return Inapplicable("No partition is known below the data.")
        return Unjudged("The devices below the data's file system are not known.")
    block = max([BLOCK_BYTES, *(disk.physical_block_bytes or 0 for disk in storage.disks)])
    worst = max(storage.partitions, key=lambda one: one.start_bytes % block)
    start, rest = worst.start_bytes, worst.start_bytes % block
    whole = f"a multiple of {size(block)}"
    aligned = Is(rest == 0, f"it begins at {whole}", f"a partition does not begin at {whole}")
    card = facts.card(
        f"Partition {worst.name} begins at byte {count(start)}; the block size is {size(block)}.",
        aligned,
        formula=f"{start:,} modulo {block:,} = {rest:,}",
        confidence=Confidence.HIGH,
    )
    if not aligned:
        known = any((disk.physical_block_bytes or 0) >= BLOCK_BYTES for disk in storage.disks)
        unsure = "The partition's start; the drive reports blocks of 512 bytes, or none at all."
        return card.recommend(
            _new_partition(),
            setting=f"start of {worst.name}",
            now=f"byte {start}",
            effect=f"Writes no longer read two blocks first: on a disk with blocks of "
            f"{size(block)} each write saves a rotation.",
            confidence=Confidence.HIGH if known else Confidence.MEDIUM,
            because="" if known else unsure,
            risk="Medium: everything on the partition is copied away and back.",
            valid="For drives with internal blocks of 4 KiB or more: all flash, most disks since "
            "2011.",
            cost_of_error="A copy of all data without benefit, where the drive's blocks are 512 "
            "bytes.",
            side_effects="Up to 1 MiB of the drive stays unused.",
            verify=f"cat /sys/class/block/{worst.name}/start is a multiple of 2048",
        )
    odd = any(one.start_bytes % USUAL_BYTES for one in storage.partitions)
    if odd and any(layer.kind == "md" for layer in storage.layers):
        return card.watch(
            "In a RAID, a partition that does not begin at a multiple of the chunk size makes "
            "pages span two disks.",
            confidence=Confidence.LOW,
            because="The partition's start; where files begin was not checked.",
            valid="For arrays whose chunks are larger than 4 KiB.",
            flips_when=f"it begins at a multiple of {size(USUAL_BYTES)}",
        )
    return card.fine("Fine as it is: blocks of the file system match blocks of the drive.")


def _new_partition() -> Change:
    return by_hand(
        "a multiple of 1 MiB",
        "Recreate the partition",
        (
            "Take a backup and try to restore it.",
            "Shut the server down and copy the data directory to another drive.",
            "Recreate the partition (parted, fdisk and sfdisk begin at 1 MiB) and a file "
            "system on it.",
            "Copy back, start, measure again.",
        ),
        ("Restore the backup to a partition of the old kind.",),
        Needs.REWRITE,
    )
