"""The drive's claim to rotate.

## What it checks
Whether the kernel takes the drive for a rotating disk although its measured reads are faster than
any disk can turn.

## Why it matters
Virtual drives and RAID volumes say "rotational" whatever lies below. Programs believe it: MariaDB
from 10.4.4 decides by it whether neighbours of a dirty page are written too, file systems spread
files differently, and advisors that look nowhere else recommend settings for disks.

## How it is judged
A disk at 15,000 turns per minute needs 2 ms on average until the block comes round, before any
seek. `reads per second = 1 / time of a read`.
- claims to rotate, one thread's median read below 1 ms, and a peak above 2,000 reads/s: 0 is
  proposed where the server is a MariaDB that looks at it. Older ones and MySQL do not: watch.
- claims to rotate, and one thread's read takes 2 ms or more: fine. Does not claim it: fine.
- in between: watch.

## How to check by hand
`cat /sys/block/vda/queue/rotational`

## Risk and undo
It can be changed under load, both ways. MariaDB looks when it starts, and at the device that its
files lie on: volumes above (LVM, RAID, encryption) take the drive's word over when they are set up,
at the latest at the next boot.

## When it is wrong
When the measured reads came from a cache in front of real disks, and the server's data is larger
than that cache.

## References
- Linux kernel documentation: sysfs-block, queue/rotational
- MariaDB server: flush neighbours is ignored on SSD
- an advisor that called an array of SSDs hard disks
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_16K, MYSQL_VERSION, STORAGE_PROBE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import queue_setting
from advisor.rulekit.rule import Answer, Judged, Unjudged, rule
from advisor.variables.catalogue import MARIADB
from advisor.workload.single_read import alone_us
from probes import figures
from probes.inventory.facts import Disk
from probes.points import Curve, Point
from probes.version import ServerVersion

TOO_QUICK_US = 1000.0
TOO_MANY_PER_S = 2000.0
DISK_US = 2000.0


@rule(
    topic="Block layer",
    needs=(STORAGE_PROBE, CURVE_RANDOM_READ_16K),
    uses=(MYSQL_VERSION,),
    findings=("F71",),
)
def check(facts: Facts) -> Answer:
    """Compare the claim with the reads of one thread and with the peak."""
    disks = facts.get(STORAGE_PROBE).disks
    curve = facts.get(CURVE_RANDOM_READ_16K)
    claiming = tuple(disk for disk in disks if disk.rotational)
    if not disks or all(disk.rotational is None for disk in disks):
        return Unjudged("What the drives say of themselves is not known.")
    if alone_us(curve) is None:
        return Unjudged("Reads of one thread were not measured.")
    return _weighed(claiming, curve, facts.find(MYSQL_VERSION))


def _weighed(claiming: tuple[Disk, ...], curve: Curve, version: ServerVersion | None) -> Judged:
    one = curve.points[0]
    read_us, peak = one.latency.p50_us, curve.peak.rate_per_s
    measured = (
        f"one thread's read takes {figures.duration_us(read_us)} and the most was "
        f"{figures.rate(peak, 'reads')}"
    )
    if not claiming:
        return _fine(f"No drive below claims to rotate; {measured}.", "Fine as it is.")
    names = ", ".join(disk.name for disk in claiming)
    saw = f"Drive {names} claims to rotate; {measured}."
    if read_us >= DISK_US:
        return _fine(saw, "Fine as it is: a read takes as long as a disk's.")
    if read_us < TOO_QUICK_US and peak > TOO_MANY_PER_S:
        if version is None or not version.at_least(MARIADB, 10, 4, 4):
            return _believed_by_others(saw, read_us, peak, version)
        return _false(saw, claiming, one, peak)
    return Judged(
        Verdict.WATCH,
        saw,
        effect="It may be a disk behind a cache, or a busy flash drive: take no setting over that "
        "was meant for disks.",
        confidence=Confidence.LOW,
        formula=_formula(read_us, peak),
        because="measured reads between those of a disk and those of flash",
        valid="for data as large as the file that was measured",
        cost_of_error="none: nothing is changed",
        flips_when=f"one thread's read takes less than {figures.duration_us(TOO_QUICK_US)} and the "
        f"peak is above {figures.rate(TOO_MANY_PER_S, 'reads')}, or a read takes "
        f"{figures.duration_us(DISK_US)} or more",
        gain=0.1,
    )


def _believed_by_others(
    saw: str, read_us: float, peak: float, version: ServerVersion | None
) -> Judged:
    server = "No server is known here that goes by it." if version is None else "Change nothing."
    return Judged(
        Verdict.WATCH,
        f"{saw}{'' if version is None else f' {version} does not go by the claim.'}",
        effect=f"{server} Take no setting over that was meant for disks, whoever recommends it: "
        "innodb_flush_neighbors belongs off.",
        confidence=Confidence.HIGH,
        formula=_formula(read_us, peak),
        because=f"measured reads: {figures.rate(peak, 'reads')} are more than a disk gives",
        valid="for data as large as the file that was measured",
        cost_of_error="none: nothing is changed",
        flips_when="the server is a MariaDB from 10.4.4 on, which goes by the claim, or one "
        f"thread's read takes {figures.duration_us(TOO_QUICK_US)} or more",
        gain=0.05,
    )


def _fine(saw: str, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.HIGH,
        because="the kernel's word and the measured reads",
        flips_when="the claim and the measured reads no longer agree: below "
        f"{figures.duration_us(TOO_QUICK_US)} and above "
        f"{figures.rate(TOO_MANY_PER_S, 'reads')} on a drive that claims to rotate",
    )


def _formula(read_us: float, peak: float) -> str:
    return (
        f"half a turn at 15,000 per minute = {figures.duration_us(DISK_US)}; measured "
        f"{figures.duration_us(read_us)}, against {figures.duration_us(TOO_QUICK_US)}, and "
        f"{figures.rate(peak)}, against {figures.rate(TOO_MANY_PER_S)}"
    )


def _false(saw: str, claiming: tuple[Disk, ...], one: Point, peak: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="rotational",
        now="1",
        effect="MariaDB and other programs no longer take it for a disk. The drive itself becomes "
        "no faster.",
        confidence=Confidence.HIGH,
        formula=_formula(one.latency.p50_us, peak),
        because=f"measured reads: {figures.rate(peak, 'reads')} are more than a disk gives",
        risk="None: it is a hint to programs.",
        valid="for data as large as the file that was measured",
        cost_of_error="with disks behind a cache, programs no longer write neighbours together",
        side_effects="file systems and the swap place their blocks as on flash, from the next "
        "mount on",
        flips_when=f"one thread's read takes {figures.duration_us(TOO_QUICK_US)} or more, or the "
        f"peak is {figures.rate(TOO_MANY_PER_S, 'reads')} or less",
        gain=0.15,
    ).by(queue_setting(claiming, "rotational", ("1",) * len(claiming), "0"))
