"""Loop devices below the data.

## What it checks
Whether the data lies on a loop device: a file used as a drive.

## Why it matters
Each page goes through two file systems, and each sync through both journals. Unless the loop device
uses direct I/O, every page is cached a second time in the page cache, and one kernel thread does
the writing. When the file below is sparse, the outer file system can fill up while the inner one
still has free space.

## How it is judged
- a loop device without direct I/O: a drive or a volume of its own is proposed; direct I/O is named
  as the smaller step.
- one with direct I/O: watch.
- no loop device: fine.

## How to check by hand
`losetup -l` (column DIO), `findmnt -T /var/lib/mysql`

## Risk and undo
Moving the data takes a shutdown. `losetup --direct-io=on` can be set while it is in use, and lasts
as long as the loop device: the unit or script that makes it has to set it, too.

## When it is wrong
For test servers, whose speed does not matter.

## References
- losetup(8), --direct-io
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.plan.foreign_words import shell
from advisor.rulekit import Answer, Change, Facts, Is, Needs, Unjudged, by_hand, rule


@rule(
    topic="Block layer",
    do="Give the data a volume of its own",
    needs=(STORAGE_DATA,),
)
def check(facts: Facts) -> Answer:
    """Look for a loop device among the layers."""
    storage = facts.get(STORAGE_DATA)
    loop = next((layer for layer in storage.layers if layer.kind == "loop"), None)
    if loop is None:
        if not storage.disks and not storage.layers:
            return Unjudged("The devices below the data's file system are not known.")
        return facts.card(
            "No loop device lies below the data.", flips_when="the data lies on a loop device"
        ).fine("Fine as it is: a page goes through one file system.", confidence=Confidence.HIGH)
    state = {True: "on", False: "off", None: "unknown"}[loop.direct]
    direct = Is(bool(loop.direct), "the loop device uses direct I/O")
    card = facts.card(
        f"The data lies on the loop device {loop.name}, which "
        f"{'uses direct I/O' if direct else 'goes through the page cache'}.",
        direct | Is(False, "the data lies on a drive or a volume"),
        formula=f"{loop.name}: direct I/O {state}; file systems between page and drive: 2, not 1",
    )
    if direct:
        return card.watch(
            "Each sync goes through two file systems: a volume of its own would save one.",
            flips_when="the data lies on a drive or a volume",
            valid="For servers whose commits count.",
            cost_of_error="A move for a small gain.",
        )
    return card.recommend(
        _moved(loop.name),
        setting="place of the data directory",
        now="loop device",
        effect="One file system and one cache less between each page, each sync and the drive.",
        confidence=Confidence.HIGH,
        risk="Medium: the server is down while its data is copied; take a backup first.",
        valid="For servers whose speed counts.",
        cost_of_error="A move for a server whose speed does not matter.",
        side_effects="The file's space in the outer file system is free again.",
        verify="findmnt -no SOURCE -T of the data directory names no /dev/loop",
    )


def _moved(loop: str) -> Change:
    device = shell("/dev/" + loop)
    return by_hand(
        "a drive or a volume",
        "Move the data off the loop device",
        (
            f"At once, as a smaller step: losetup --direct-io=on {device}, "
            "and in the unit or script that makes the loop device.",
            "Make a volume (LVM, or a partition) with a file system of its own.",
            "Shut the server down, copy the data directory, point datadir at it, start.",
        ),
        (
            "Shut down, and point datadir at the old directory again.",
            f"losetup --direct-io=off {device}",
        ),
        Needs.REWRITE,
    )
