"""Loop devices below the data.

## What it checks
Whether the data lies on a loop device: a file that plays a drive.

## Why it matters
Each page goes through two file systems, and each sync through both journals. Unless the loop device
goes around the page cache (direct I/O), every page is kept in the machine's cache once more, and
one kernel thread does the writing. When the file below is sparse, the outer file system can run
full while the inner one still has room.

## How it is judged
- a loop device without direct I/O: a drive or a volume of its own is proposed; direct I/O is named
  as the smaller step.
- one with direct I/O: watch.
- no loop device: fine.

## How to check by hand
`losetup -l` (column DIO), `findmnt -T /var/lib/mysql`

## Risk and undo
Moving the data takes a shutdown. `losetup --direct-io=on` can be set while it is in use, and is
forgotten with the loop device: the unit or script that makes it has to say it, too.

## When it is wrong
For test servers, whose speed is of no interest.

## References
- losetup(8), --direct-io
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from probes.inventory.facts import Layer


@rule(topic="Block layer", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Look for a loop device among the layers."""
    storage = facts.get(STORAGE_DATA)
    loop = next((layer for layer in storage.layers if layer.kind == "loop"), None)
    if loop is None:
        if not storage.disks and not storage.layers:
            return Unjudged("What lies below the data's file system is not known.")
        return Judged(
            Verdict.FINE,
            "No loop device lies below the data.",
            effect="Fine as it is: a page goes through one file system.",
            confidence=Confidence.HIGH,
            because="the layers as the kernel tells them",
            flips_when="the data lies on a loop device",
        )
    if loop.direct:
        return Judged(
            Verdict.WATCH,
            f"The data lies on the loop device {loop.name}, which goes around the page cache.",
            effect="Each sync goes through two file systems: a volume of its own would save one.",
            confidence=Confidence.MEDIUM,
            formula=f"{loop.name}: direct I/O on; file systems on the way of a sync: 2, not 1",
            because="the layers as the kernel tells them",
            valid="for servers whose commits count",
            cost_of_error="a move for little",
            flips_when="the data lies on a drive or a volume",
            gain=0.2,
        )
    return _twice(loop)


def _twice(loop: Layer) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"The data lies on the loop device {loop.name}, which goes through the page cache.",
        setting="place of the data directory",
        now="loop device",
        effect="One file system and one cache less on the way of each page and each sync.",
        confidence=Confidence.HIGH,
        formula=f"{loop.name}: direct I/O {'off' if loop.direct is False else 'not told'}; "
        "file systems on the way of a page: 2, not 1",
        because="the layers as the kernel tells them",
        risk="Medium: the server is down while its data is copied; take a backup first.",
        valid="for servers whose speed counts",
        cost_of_error="a move for a server whose speed does not matter",
        side_effects="the file's room is free again in the outer file system",
        verify="findmnt -no SOURCE -T of the data directory names no /dev/loop",
        flips_when="the loop device goes around the page cache, or the data lies on a drive",
        gain=0.5,
    ).by(
        by_hand(
            "a drive or a volume",
            "Move the data off the loop device",
            (
                f"At once, as a smaller step: losetup --direct-io=on {quote('/dev/' + loop.name)}, "
                "and in the unit or script that makes the loop device.",
                "Make a volume (LVM, or a partition) with a file system of its own.",
                "Shut the server down, copy the data directory, point datadir at it, start.",
            ),
            (
                "Shut down, and point datadir at the old directory again.",
                f"losetup --direct-io=off {quote('/dev/' + loop.name)}",
            ),
        )
    )
