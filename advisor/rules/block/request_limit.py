"""Requests that may wait for the drive.

## What it checks
How many requests the kernel queues for a drive (nr_requests for each of its queues), against the
measured curve of reads.

## Why it matters
When the queue is full, a thread sleeps until another request is done. With a limit below some dozen
requests, page flushing, which sends hundreds of writes at once, leaves no slot for reads and
commits. A limit far above the drive's own queue depth brings no benefit: requests wait inside
rather than outside.

## How it is judged
`limit = nr_requests x hardware queues`, of all drives below together.
- fewer than 32 (our choice), and a scheduler is at work: 128 for each queue is proposed. InnoDB
  alone queues more than that. Without a scheduler: watch, since the limit is then at most the
  drive's own queue depth, which is not known.
- 32 and more, and the curve of reads stops growing right there (less than 10 % more beyond, though
  it still grew by a fifth and more up to it; our choices): watch.
- else fine. High values are not judged: what they cost was not measured.

A change of the scheduler resets it, and the limit follows the drive's own queue depth, so advice on
those comes first.

## How to check by hand
`cat /sys/block/sda/queue/nr_requests`

## Risk and undo
It can be changed and changed back under load.

## When it is wrong
When it was lowered on purpose, to keep one program from filling the drive's queue.

## References
- Linux kernel documentation: sysfs-block, queue/nr_requests
- observed defaults: 1,023 on NVMe without a scheduler, 64 on SATA with one
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.model.curves.knee import STOPS, ends_at
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Unjudged, number, queue_setting, rule
from probes.figures import counted, rate, times
from probes.inventory.facts import Disk

FEW = 32
WANTED = 128


@rule(
    topic="Block layer",
    do="Try a higher limit of requests, and measure again",
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K,),
    findings=("F98",),
    waits_for=("block.scheduler", "block.queue-depth"),
)
def check(facts: Facts) -> Answer:
    """Multiply limits and queues, and see whether the curve ends there."""
    disks = tuple(one for one in facts.get(STORAGE_PROBE).disks if one.nr_requests)
    if not disks:
        return Unjudged("How many requests the kernel queues for the drives is not known.")
    limit = sum((disk.nr_requests or 0) * (disk.hardware_queues or 1) for disk in disks)
    enough = At(
        "request limit",
        limit,
        of=" + ".join(f"{disk.nr_requests} x {disk.hardware_queues or 1}" for disk in disks),
        least=FEW,
        say=number("request"),
    )
    saw = f"The kernel queues up to {counted(limit, 'request')} for the drives below."
    card = facts.card(saw, enough)
    if not enough:
        return _few(card, disks)
    curve = facts.find(CURVE_RANDOM_READ_16K)
    ends = None if curve is None else ends_at(curve, limit)
    if ends is None:
        return card.fine(
            "Fine as it is: the limit does not cap the measured reads.",
            flips_when=f"{enough.turn}, or the rate of reads grows up to "
            f"{counted(limit, 'thread')} and not beyond",
        )
    here, beyond = ends
    return card.watch(
        "The limit may cap the reads, and not the drive: try a higher one, and measure again.",
        saw=f"{saw} Reads stop growing there: {rate(here)} at that depth, {rate(beyond)} beyond.",
        condition=enough
        & At(
            f"growth beyond {counted(limit, 'thread')}",
            beyond / here,
            the=False,
            of=f"{rate(beyond)} / {rate(here)}",
            below=STOPS,
            say=times,
        ),
        confidence=Confidence.LOW,
        because="The curve ends at the limit, which may be chance.",
        valid=f"For more than {counted(limit, 'read')} at a time.",
    )


def _few(card: Card, disks: tuple[Disk, ...]) -> Answer:
    card = card.but(valid="For drives with requests from many threads at a time.")
    bare = Is(
        any(disk.scheduler in {"", "none"} for disk in disks),
        "no scheduler is at work",
        "a scheduler is at work",
    )
    if bare:
        return card.watch(
            "While pages are flushed, reads and commits wait for a free slot. Without a scheduler "
            "the drive's own queue depth is the bound: raise the driver's limit if it was "
            "lowered; else only mq-deadline can queue more.",
            flips_when=f"{card.says['condition'].turn}, or {bare.turn}",
            confidence=Confidence.LOW,
            because="The kernel's setting; the drive's own queue depth is not known.",
        )
    old = tuple(str(disk.nr_requests) for disk in disks)
    return card.recommend(
        queue_setting(disks, "nr_requests", old, str(WANTED)),
        setting="nr_requests",
        now=", ".join(dict.fromkeys(old)),
        effect="Reads and commits find a free slot while pages are being flushed.",
        because="The kernel's setting; no wait was measured.",
        risk="Low: the scheduler queues more requests at a time.",
        cost_of_error="Requests that wait inside the drive's queue rather than outside.",
        side_effects="A backup on the same drive gets more slots, too.",
    )
