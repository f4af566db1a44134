"""Requests that may wait for the drive.

## What it checks
How many requests the kernel keeps ready for a drive (nr_requests for each of its queues), against
the measured curve of reads.

## Why it matters
A thread that finds no free place for its request sleeps until one is free. Below some dozen places,
page flushing, which sends hundreds of writes at once, leaves none for reads and commits. Far more
places than the drive works on at a time bring nothing: requests wait inside rather than outside.

## How it is judged
`places = nr_requests x hardware queues`, of all drives below together.
- fewer than 32, and a scheduler is at work: 128 for each queue is proposed. InnoDB alone keeps more
  than that ready. Without a scheduler: watch, since the kernel then takes no more places than the
  drive has, and does not tell how many that are.
- 32 and more, and the curve of reads stops growing right there (less than 10 % more beyond, though
  it still grew by a fifth and more up to it): watch.
- else fine. High values are left alone: what they cost was not measured here.

A change of the scheduler makes the kernel set it anew, and the places follow the drive's own depth,
so advice on those goes first.

## How to check by hand
`cat /sys/block/sda/queue/nr_requests`

## Risk and undo
It can be changed under load, both ways.

## When it is wrong
When somebody made it small to keep one program from filling the drive's queue.

## References
- Linux kernel documentation: sysfs-block, queue/nr_requests
- observed defaults: 1,023 on NVMe without a scheduler, 64 on SATA with one
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_16K, STORAGE_PROBE
from advisor.model.ending import STOPS, ends_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import queue_setting
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Disk

FEW = 32
WANTED = 128


@rule(
    topic="Block layer",
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K,),
    findings=("F98",),
    waits_for=("block.scheduler", "block.queue-depth"),
)
def check(facts: Facts) -> Answer:
    """Count the places, and see whether the curve ends with them."""
    disks = tuple(one for one in facts.get(STORAGE_PROBE).disks if one.nr_requests)
    if not disks:
        return Unjudged("How many requests the kernel keeps ready for the drives is not known.")
    places = sum(_places(disk) for disk in disks)
    saw = f"The kernel keeps up to {figures.count(places)} requests ready for the drives below."
    formula = " + ".join(f"{disk.nr_requests} x {disk.hardware_queues or 1}" for disk in disks)
    formula = f"{formula} = {places} places"
    if places < FEW:
        scheduled = all(disk.scheduler not in {"", "none"} for disk in disks)
        return _few(saw, formula, disks) if scheduled else _bare(saw, formula)
    curve = facts.find(CURVE_RANDOM_READ_16K)
    limit = None if curve is None else ends_at(curve, places)
    if limit is None:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: these places are not what ends the curve of reads.",
            confidence=Confidence.MEDIUM,
            formula=formula,
            because="the kernel's setting, and the curve of reads where it was measured",
            flips_when=f"there are fewer than {FEW} places, or the rate of reads grows up to "
            f"{figures.count(places)} threads and not beyond",
        )
    here, beyond = limit
    return Judged(
        Verdict.WATCH,
        f"{saw} Reads grow up to there and then no more: {figures.rate(here)} with as many, "
        f"{figures.rate(beyond)} with more.",
        effect="These places may be the limit, and not the drive: try more, and measure again.",
        confidence=Confidence.LOW,
        formula=formula,
        because="the curve ends where the places do, which may be chance",
        valid=f"for more than {figures.count(places)} reads at a time",
        cost_of_error="a measurement",
        flips_when=f"reads grow by more than {figures.percent(STOPS - 1)} beyond "
        f"{figures.count(places)} threads",
        gain=0.15,
    )


def _places(disk: Disk) -> int:
    return (disk.nr_requests or 0) * (disk.hardware_queues or 1)


def _bare(saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        effect="While pages are flushed, reads and commits wait for a place. Without a scheduler "
        "the drive's own queue is the bound: if somebody made it smaller, the driver's limit is "
        "what to set again; else only mq-deadline can keep more ready.",
        confidence=Confidence.LOW,
        formula=f"{formula}, fewer than {FEW}",
        because="the kernel's setting; what the drive itself takes is not told",
        valid="for drives that are asked by many threads at a time",
        cost_of_error="a look",
        flips_when=f"there are {FEW} places or more, or a scheduler is at work",
        gain=0.15,
    )


def _few(saw: str, formula: str, disks: tuple[Disk, ...]) -> Judged:
    old = tuple(str(disk.nr_requests) for disk in disks)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="nr_requests",
        now=", ".join(dict.fromkeys(old)),
        effect="Reads and commits find a place while pages are being flushed.",
        confidence=Confidence.MEDIUM,
        formula=f"{formula}, fewer than {FEW}",
        because="the kernel's setting; that anybody waited was not seen",
        risk="Low: the scheduler holds more requests back at a time.",
        valid="for drives that are asked by many threads at a time",
        cost_of_error="requests that wait inside the drive's queue rather than outside",
        side_effects="a backup on the same drive gets more places, too",
        flips_when=f"there are {FEW} places or more",
        gain=0.35,
    ).by(queue_setting(disks, "nr_requests", old, str(WANTED)))
