"""I/O scheduler of the data's drives.

## What it checks
The kernel's I/O scheduler of each drive under the data directory.

## Why it matters
cfq and its heir bfq share a drive fairly between programs: they hold requests back and wait for
more of the same program. A database sends many small requests from many threads and has no rival to
be fair to. On a RAID array of 2008 the same load ran about half as fast under cfq as under noop.
mq-deadline only sees to it that no request waits too long; none sends them on as they come.

## How it is judged
- bfq or cfq: for NVMe and virtual drives none is proposed, for others mq-deadline. A kernel that
  still has cfq calls them noop and deadline.
- mq-deadline or kyber on NVMe: watch with little weight; the drive sorts its requests itself, and
  the scheduler's lock costs time only at very high rates.
- none on a SATA drive that claims to rotate and whose reads, by one thread, take 2 ms or more:
  watch. mq-deadline serves reads before the pages that are being flushed.
- anything else: fine. The claim alone is not enough: RAID volumes and virtual drives claim it
  wrongly.

## How to check by hand
`cat /sys/block/*/queue/scheduler`; the one in brackets is at work.

## Risk and undo
It can be changed under load, both ways.

## When it is wrong
When other programs use the same drive heavily and the database should not get it all.

## References
- Red Hat Enterprise Linux 9: "Setting the disk scheduler"
- Linux kernel documentation: block, "Switching Scheduler"
- a forum's measurement of noop, deadline and cfq on RAID 10 (2008)
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_16K, STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import queue_setting
from advisor.rulekit.rule import rule
from advisor.workload.single_read import alone_us
from probes import figures
from probes.inventory.facts import Disk

FAIR = ("bfq", "cfq")
SORTING = ("mq-deadline", "kyber", "deadline")
SORTS_ITSELF = ("nvme", "virtio", "virtio-scsi", "xen", "hyper-v", "rbd", "nbd")
"""Drives whose requests are sorted further down: by many queues, or by the machine's host."""


PLAIN = ("none", "noop")
DISK_US = 2000.0
"""Half a turn at 15,000 per minute: no disk is quicker."""


@rule(
    topic="Block layer",
    needs=(STORAGE_DATA,),
    uses=(CURVE_RANDOM_READ_16K,),
    findings=("F29", "F98", "F99"),
)
def check(facts: Facts) -> Answer:
    """Look at every drive below; the worst choice decides."""
    disks = facts.get(STORAGE_DATA).disks
    known = tuple(disk for disk in disks if disk.scheduler)
    if not known:
        return Unjudged("The scheduler of the drives below the data is not known.")
    saw = f"Drive {_listed(known)}."
    fair = tuple(disk for disk in known if disk.scheduler in FAIR)
    if fair:
        return _fair(saw, fair, len(known))
    sorted_twice = [disk for disk in known if disk.bus == "nvme" and disk.scheduler in SORTING]
    if sorted_twice:
        return Judged(
            Verdict.WATCH,
            saw,
            effect="NVMe sorts its requests itself; the scheduler costs some CPU time for each, "
            "which shows at hundreds of thousands of requests per second.",
            confidence=Confidence.MEDIUM,
            formula=f"{SORTING[0]}, {SORTING[1]} or {SORTING[2]} on NVMe: {len(sorted_twice)} of "
            f"{figures.counted(len(known), 'drive')}",
            because="the kernel's setting; the difference was not measured on this drive",
            valid="for NVMe drives",
            cost_of_error="none: both let every request through",
            flips_when="the scheduler is none",
            gain=0.1,
        )
    read_us = alone_us(facts.find(CURVE_RANDOM_READ_16K))
    if read_us is not None and any(_unsorted_disk(disk, read_us) for disk in known):
        return _unsorted(saw, read_us)
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: requests are not held back.",
        confidence=Confidence.HIGH,
        because="the kernel's setting for each drive",
        flips_when="the scheduler is bfq or cfq",
    )


def _unsorted_disk(disk: Disk, read_us: float) -> bool:
    claims = disk.bus == "sata" and disk.rotational is True and disk.scheduler in PLAIN
    return claims and read_us >= DISK_US


def _unsorted(saw: str, read_us: float) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"{saw} Its reads are those of a disk.",
        effect="Without a scheduler a read may wait behind all pages that are being flushed; "
        "mq-deadline serves reads first. Try it and measure again.",
        confidence=Confidence.LOW,
        formula=f"one thread's read takes {figures.duration_us(read_us)}, not below "
        f"{figures.duration_us(DISK_US)}",
        because="the kernel's setting and the measured reads; the difference was not measured",
        valid="for a single disk, not behind a RAID controller",
        cost_of_error="none: nothing is changed",
        flips_when="the scheduler is mq-deadline, or a read takes less than 2 ms",
        gain=0.1,
    )


def _listed(disks: tuple[Disk, ...]) -> str:
    return ", ".join(f"{disk.name} is served by {disk.scheduler}" for disk in disks)


def _fair(saw: str, fair: tuple[Disk, ...], of: int) -> Judged:
    old = any(disk.scheduler == "cfq" for disk in fair)
    sorts = all(disk.bus in SORTS_ITSELF for disk in fair)
    value = ("noop" if old else "none") if sorts else ("deadline" if old else "mq-deadline")
    now = ", ".join(dict.fromkeys(disk.scheduler for disk in fair))
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="I/O scheduler",
        now=now,
        effect="Requests are no longer held back in order to be fair between programs.",
        confidence=Confidence.MEDIUM,
        formula=f"{' or '.join(FAIR)}: {len(fair)} of {figures.counted(of, 'drive')}",
        because="how the scheduler works, and one published measurement on an array; not measured "
        "on this drive",
        risk="Low: a backup on the same drive may take more of it.",
        valid="for a drive that serves mainly this database",
        cost_of_error="other programs on the drive get less of it",
        side_effects="I/O priorities (ionice) count for less or nothing; the kernel sets "
        "nr_requests anew",
        flips_when="the scheduler is none, mq-deadline or kyber",
        gain=0.4,
    ).by(queue_setting(fair, "scheduler", tuple(disk.scheduler for disk in fair), value))
