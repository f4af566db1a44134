"""rotational=1 on a drive that reads faster than a disk can.

## What it checks
Whether the kernel takes the drive for a rotating disk although its measured reads are faster than
any disk allows.

## Why it matters
Virtual drives and RAID volumes report "rotational" whatever lies below. Programs act on it: MariaDB
from 10.4.4 decides by it whether neighbours of a dirty page are written too, file systems spread
files differently, and advisors that check nothing else recommend settings for disks.

## How it is judged
A disk at 15,000 rpm has a rotational latency of 2 ms on average, before any seek. `reads per second
= 1 / time of a read`.
- rotational=1, one thread's median read below 1 ms, and a peak above 2,000 reads/s (our choices): 0
  is proposed where the server is a MariaDB that reads the flag. Older ones and MySQL do not: watch.
- rotational=1, and one thread's read takes 2 ms or more: fine. rotational=0: fine.
- in between: watch.
- What it brings nobody has counted: it is minor.

## How to check by hand
`cat /sys/block/vda/queue/rotational`

## Risk and undo
It can be changed and changed back under load. MariaDB reads the flag when it starts, from the
device that its files lie on: volumes above (LVM, RAID, encryption) inherit the drive's flag when
they are set up, at the latest at the next boot.

## When it is wrong
When the measured reads came from a cache in front of real disks, and the server's data is larger
than that cache.

## References
- Linux kernel documentation: sysfs-block, queue/rotational
- MariaDB server: flush neighbours is ignored on SSD
- an advisor that called an array of SSDs hard disks
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Unjudged, per_s, queue_setting, rule
from advisor.variables.catalogue import MARIADB
from advisor.workload.single_read import alone_us
from probes.figures import duration_us

DISK_US = 2000.0
"""Half a rotation at 15,000 rpm."""

TOO_QUICK_US = 1000.0
TOO_MANY_PER_S = 2000.0


@rule(
    topic="Block layer",
    do="Apply no setting that is meant for disks",
    needs=(STORAGE_PROBE, CURVE_RANDOM_READ_16K),
    uses=(MYSQL_VERSION,),
    findings=("F71",),
)
def check(facts: Facts) -> Answer:
    """Compare what the drives report with the reads of one thread and with the peak."""
    disks, curve = facts.get(STORAGE_PROBE).disks, facts.get(CURVE_RANDOM_READ_16K)
    claiming = tuple(disk for disk in disks if disk.rotational)
    if not disks or all(disk.rotational is None for disk in disks):
        return Unjudged("Whether the drives report rotational=1 is not known.")
    if alone_us(curve) is None:
        return Unjudged("Reads by one thread were not measured.")
    read_us, peak = curve.points[0].latency.p50_us, curve.peak.rate_per_s
    flash = At("one thread's read", read_us, the=False, below=TOO_QUICK_US, say=duration_us) & At(
        "peak", peak, above=TOO_MANY_PER_S, say=per_s("reads")
    )
    names = ", ".join(disk.name for disk in claiming)
    reported = (
        f"Drive {names} reports rotational=1" if claiming else "No drive reports rotational=1"
    )
    card = facts.card(
        f"{reported}; one thread's read takes {duration_us(read_us)}, and the peak is "
        f"{per_s('reads')(peak)}.",
        Is(bool(claiming), "a drive reports rotational=1") & flash,
        valid="For data as large as the file that was measured.",
        confidence=Confidence.HIGH,
    )
    if not claiming or read_us >= DISK_US:
        return card.fine()
    if not flash:
        return card.watch(
            "It may be a disk behind a cache, or a busy flash drive: apply no setting that is "
            "meant for disks.",
            confidence=Confidence.LOW,
        )
    version = facts.find(MYSQL_VERSION)
    if version is None or not version.at_least(MARIADB, 10, 4, 4):
        server = "No server here reads the flag" if version is None else f"{version} ignores it"
        return card.watch(
            f"{server}: change nothing, apply no setting that is meant for disks, and keep "
            "innodb_flush_neighbors off.",
            flips_when=f"the server is a MariaDB from 10.4.4 on, or {flash.turn}",
        )
    return card.recommend(
        queue_setting(claiming, "rotational", ("1",) * len(claiming), "0"),
        setting="rotational",
        now="1",
        slight=True,
        effect="MariaDB and other programs no longer treat it as a disk. The drive itself becomes "
        "no faster.",
        risk="None: it is a hint to programs.",
        cost_of_error="With disks behind a cache, programs no longer write neighbours together.",
        side_effects="File systems and swap place blocks as on flash, from the next mount on.",
    )
