"""I/O scheduler of the data's drives.

## What it checks
The kernel's I/O scheduler of each drive under the data directory.

## Why it matters
cfq and its successor bfq share a drive fairly between programs: they hold requests back and wait
for more from the same program. A database sends many small requests from many threads, and seldom
shares its drive. On a RAID array of 2008 the same load ran about half as fast under cfq as under
noop. mq-deadline only bounds how long a request waits; none passes requests on as they come.

## How it is judged
- bfq or cfq: `none` is proposed for NVMe and virtual drives, mq-deadline for others. A kernel that
  still has cfq calls them noop and deadline.
- mq-deadline or kyber on NVMe: watch with little weight; the drive sorts its requests itself, and
  the scheduler's lock costs time only at very high rates.
- none on a SATA drive with rotational=1 whose reads, by one thread, take 2 ms or more (our choice):
  watch. mq-deadline serves reads before the pages that are being flushed.
- anything else: fine. The flag alone is not enough: RAID volumes and virtual drives often report
  it wrongly.

## How to check by hand
`cat /sys/block/*/queue/scheduler`; the one in brackets is active.

## Risk and undo
It can be changed and changed back under load.

## When it is wrong
When other programs use the same drive heavily and need their share of it.

## References
- Red Hat Enterprise Linux 9: "Setting the disk scheduler"
- Linux kernel documentation: block, "Switching Scheduler"
- a forum's measurement of noop, deadline and cfq on RAID 10 (2008)
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Unjudged, queue_setting, rule
from advisor.workload.single_read import alone_us
from probes.figures import counted, duration_us
from probes.inventory.facts import Disk

FAIR = ("bfq", "cfq")
SORTING = ("mq-deadline", "kyber", "deadline")
SORTS_ITSELF = ("nvme", "virtio", "virtio-scsi", "xen", "hyper-v", "rbd", "nbd")
"""Drives whose requests are sorted further down: by many queues, or by the machine's host."""


PLAIN = ("none", "noop")
DISK_US = 2000.0
"""Half a rotation at 15,000 rpm: no disk is faster."""


@rule(
    topic="Block layer",
    do="Try another scheduler, and measure again",
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
    fair = tuple(disk for disk in known if disk.scheduler in FAIR)
    doubly = tuple(disk for disk in known if disk.bus == "nvme" and disk.scheduler in SORTING)
    of = f"of {counted(len(known), 'drive')}"
    card = facts.card(
        f"Drive {', '.join(f'{disk.name} uses {disk.scheduler}' for disk in known)}.",
        Is(
            bool(fair), "the scheduler is bfq or cfq", "the scheduler is none, mq-deadline or kyber"
        ),
    )
    if fair:
        return card.recommend(
            queue_setting(fair, "scheduler", tuple(disk.scheduler for disk in fair), _wanted(fair)),
            setting="I/O scheduler",
            now=", ".join(dict.fromkeys(disk.scheduler for disk in fair)),
            effect="Requests are no longer held back for fairness between programs.",
            formula=f"{' or '.join(FAIR)}: {len(fair)} {of}",
            because="How the scheduler works, and one published measurement on an array; not "
            "measured on this drive.",
            risk="Low: a backup on the same drive may take more of it.",
            valid="For a drive that serves mainly this database.",
            cost_of_error="Other programs on the drive get less of it.",
            side_effects="I/O priorities (ionice) count for less, or no longer; the kernel resets "
            "nr_requests.",
        )
    if doubly:
        return card.watch(
            "NVMe drives sort requests themselves; the scheduler costs some CPU time for each, "
            "which shows at hundreds of thousands of requests per second.",
            formula=f"{SORTING[0]}, {SORTING[1]} or {SORTING[2]} on NVMe: {len(doubly)} {of}",
            flips_when="the scheduler is none",
            because="The kernel's setting; the difference was not measured on this drive.",
        )
    read_us = alone_us(facts.find(CURVE_RANDOM_READ_16K))
    if read_us is not None and any(_plain_disk(disk) for disk in known):
        slow = At("one thread's read", read_us, the=False, least=DISK_US, say=duration_us)
        if slow:
            return card.watch(
                "Without a scheduler a read may wait behind all pages that are being flushed; "
                "mq-deadline serves reads first. Try it and measure again.",
                saw=f"{card.says['saw']} One thread's read takes {duration_us(read_us)}, as on a "
                "disk.",
                condition=slow & Is(True, "", "the scheduler is mq-deadline"),
                confidence=Confidence.LOW,
                because="The kernel's setting and the measured reads; the difference was not "
                "measured.",
                valid="For a single disk, not behind a RAID controller.",
            )
    return card.fine("Fine as it is: requests are not held back.", confidence=Confidence.HIGH)


def _plain_disk(disk: Disk) -> bool:
    return disk.bus == "sata" and disk.rotational is True and disk.scheduler in PLAIN


def _wanted(fair: tuple[Disk, ...]) -> str:
    old = any(disk.scheduler == "cfq" for disk in fair)
    if all(disk.bus in SORTS_ITSELF for disk in fair):
        return "noop" if old else "none"
    return "deadline" if old else "mq-deadline"
