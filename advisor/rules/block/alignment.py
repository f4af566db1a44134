"""Alignment of partitions to the drive's blocks.

## What it checks
Whether the partitions below the data begin at a multiple of the drive's physical block and of 4
KiB.

## Why it matters
Every block of the file system then lies across two blocks of the drive: each write of 4 KiB makes
the drive read both, change them and write both. Old partition tools began at sector 63, which is
wrong for every drive with blocks of 4 KiB, for flash and for RAID.

## How it is judged
`rest = start of the partition modulo the larger of 4 KiB and the physical block`.
- a rest: a new partition is proposed; with less certainty where no drive tells of blocks of 4 KiB
  or more, since many hide them.
- none, but not at a multiple of 1 MiB: watch only where the drive is one of several in a RAID,
  since chunks may then cut pages; else fine.
- a multiple of 1 MiB: fine.

## How to check by hand
`cat /sys/class/block/sda1/start` (in sectors of 512 bytes), `parted /dev/sda align-check optimal 1`

## Risk and undo
Everything on the partition has to be copied to another place and back.

## When it is wrong
When the drive really has blocks of 512 bytes and nothing above needs larger ones: some old disks.

## References
- Linux kernel documentation: sysfs-block, physical_block_size, alignment_offset
- parted(8), align-check
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Partition

BLOCK_BYTES = 4 << 10
USUAL_BYTES = 1 << 20


@rule(topic="Block layer", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Take each partition's start modulo the block."""
    storage = facts.get(STORAGE_DATA)
    if not storage.partitions:
        if storage.disks:
            return Inapplicable("No partition is known below the data.")
        return Unjudged("What lies below the data's file system is not known.")
    block = max([BLOCK_BYTES, *(disk.physical_block_bytes or 0 for disk in storage.disks)])
    worst = max(storage.partitions, key=lambda one: one.start_bytes % block)
    rest = worst.start_bytes % block
    saw = (
        f"The partition {worst.name} begins at byte {figures.count(worst.start_bytes)}; blocks "
        f"have {figures.size(block)}."
    )
    formula = f"{worst.start_bytes:,} modulo {block:,} = {rest:,}"
    if rest:
        told = any((disk.physical_block_bytes or 0) >= BLOCK_BYTES for disk in storage.disks)
        return _across(saw, formula, worst, block, told=told)
    odd = [one for one in storage.partitions if one.start_bytes % USUAL_BYTES]
    if odd and any(layer.kind == "md" for layer in storage.layers):
        return Judged(
            Verdict.WATCH,
            saw,
            effect="In a RAID a partition that begins at no multiple of a chunk makes chunks cut "
            "pages that would lie on one disk otherwise.",
            confidence=Confidence.LOW,
            formula=formula,
            because="the partition's start; where files begin was not looked at",
            valid="for arrays whose chunks are larger than 4 KiB",
            cost_of_error="none: nothing is changed",
            flips_when=f"it begins at a multiple of {figures.size(USUAL_BYTES)}",
            gain=0.1,
        )
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: blocks of the file system are blocks of the drive.",
        confidence=Confidence.HIGH,
        formula=formula,
        because="the partitions' starts and the drive's physical block",
        flips_when=f"a partition begins at no multiple of {figures.size(block)}",
    )


def _across(saw: str, formula: str, partition: Partition, block: int, *, told: bool) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=f"start of {partition.name}",
        now=f"byte {partition.start_bytes}",
        effect="A block is written without reading two others first: on a disk with blocks of "
        f"{figures.size(block)} a turn less for each write.",
        confidence=Confidence.HIGH if told else Confidence.MEDIUM,
        formula=formula,
        because="the partition's start and the drive's physical block"
        if told
        else "the partition's start; the drive tells of blocks of 512 bytes, or nothing",
        risk="Medium: everything on the partition is copied away and back.",
        valid="for drives whose blocks have 4 KiB or more inside: all flash, most disks since 2011",
        cost_of_error="a copy for nothing, where the drive has blocks of 512 bytes",
        side_effects="up to 1 MiB of the drive stays unused",
        verify=f"cat /sys/class/block/{partition.name}/start is a multiple of 2048",
        flips_when=f"it begins at a multiple of {figures.size(block)}",
        gain=0.5,
    ).by(
        by_hand(
            "a multiple of 1 MiB",
            "Make the partition anew",
            (
                "Take a backup and try to restore it.",
                "Shut the server down and copy the data directory to another drive.",
                "Make the partition anew (parted, fdisk and sfdisk begin at 1 MiB) and a file "
                "system on it.",
                "Copy back, start, measure again.",
            ),
            ("Restore the backup to a partition of the old kind.",),
        )
    )
