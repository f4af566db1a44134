"""Flushes from the file systems to their drives.

## What it checks
Whether a file system with data, redo, binary log or any other of the server's files was mounted so
that it sends no flush to the drive (nobarrier, barrier=0).

## Why it matters
A drive with a volatile write cache says "written" before it is. What makes a commit durable is the
flush that the file system sends at each fsync. Without it a power cut loses commits that were
acknowledged, and may tear the file system's own structure, because the cache writes in its own
order.

## How it is judged
The mount that has most to lose decides.
- The option is there, and a drive below keeps a write-back cache, or does not tell: barriers are
  proposed.
- It is there, and all drives write through: watch. The kernel would send no flush anyway, but the
  option will still be there when the drive is another one.
- It is not there: fine.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`, `cat /sys/block/*/queue/write_cache`

## Risk and undo
Commits become as slow as they are in truth. A controller with a protected cache answers the flush
at once, so there it costs nothing.

## When it is wrong
When every drive below has protection against power loss and yet takes long to answer a flush.

## References
- Linux kernel documentation: ext4 (barrier), "Explicit volatile write back cache control"
- XFS dropped the option in Linux 4.19
"""

from __future__ import annotations

from advisor.facts.known import REDO_FDATASYNC, STORAGE_ALL
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line, remounted
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Storage

OFF = ("nobarrier", "barrier=0", "barrier=none")
KNOW_IT = ("ext3", "ext4", "xfs", "btrfs", "reiserfs")
BACK = {"nobarrier": "barrier", "barrier=0": "barrier=1", "barrier=none": "barrier=flush"}


@rule(
    topic="Durability",
    needs=(STORAGE_ALL,),
    uses=(REDO_FDATASYNC,),
    findings=("F23", "F27", "F93"),
)
def check(facts: Facts) -> Answer:
    """Look for the option in every place, then at what the drives there say of their caches."""
    places: tuple[Storage, ...] = facts.get(STORAGE_ALL)
    knowing = [one for one in places if one.filesystem in KNOW_IT]
    if not knowing:
        names = ", ".join(dict.fromkeys(one.filesystem or "unknown" for one in places))
        return Inapplicable(f"No mount option leaves the flushes out there ({names}).")
    told = [one for one in knowing if one.mount_options]
    if not told:
        return Unjudged("The mount table does not tell the options of these file systems.")
    without = max((one for one in told if _found(one)), key=_at_stake, default=None)
    if without is None:
        points = ", ".join(dict.fromkeys(one_line(one.mount_point or one.path) for one in told))
        return Judged(
            Verdict.FINE,
            f"No file system is mounted with nobarrier ({points}): each fsync reaches the drive.",
            effect="Fine as it is.",
            confidence=Confidence.HIGH,
            because="the mounts' own options",
            flips_when="nobarrier or barrier=0 is among the options",
        )
    found, caches = _found(without), [disk.write_cache for disk in without.disks]
    saw = (
        f"The file system on {one_line(without.mount_point or without.path)} "
        f"({without.role.replace('_', ' ')}) is mounted with {found}: an fsync sends no flush to "
        "the drive."
    )
    if _at_stake(without) == 0:
        return _needless(saw, found)
    return _dangerous(saw, found, without, facts, known="write back" in caches)


def _at_stake(storage: Storage) -> int:
    """Nothing where all drives write through, most where one is known to cache writes."""
    caches = [disk.write_cache for disk in storage.disks]
    if "write back" in caches:
        return 2
    return 0 if caches and all(cache == "write through" for cache in caches) else 1


def _found(storage: Storage) -> str:
    return next((option for option in OFF if option in storage.mount_options), "")


def _needless(saw: str, found: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"{saw} All drives below write through.",
        now=found,
        effect="It saves nothing, since the kernel sends no flush to such a drive, and will lose "
        "commits on the day when the drive is another one.",
        confidence=Confidence.HIGH,
        formula=f"{found} is among the options; caches below: write through",
        because="the mount's options and what the drives say of their caches",
        valid="while no drive below keeps a volatile cache",
        cost_of_error="none today",
        flips_when="a drive below reports a write-back cache",
        gain=0.2,
    )


def _dangerous(saw: str, found: str, storage: Storage, facts: Facts, *, known: bool) -> Judged:
    point = facts.find(REDO_FDATASYNC)
    price = (
        ""
        if point is None
        else f" A small synced append takes {figures.duration_us(point.latency.p50_us)} here as it "
        "is; expect more with the flush."
    )
    caches = ", ".join(dict.fromkeys(disk.write_cache or "untold" for disk in storage.disks))
    caches = caches or "untold"
    cache = "A drive below keeps a write-back cache." if known else "No drive tells of its cache."
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} {cache}",
        setting=f"mount option of {one_line(storage.mount_point or storage.path)}",
        now=found,
        effect=f"Commits that were acknowledged survive a power cut.{price}",
        confidence=Confidence.HIGH if known else Confidence.MEDIUM,
        formula=f"{found} is among the options; caches below: {caches}",
        because="the mount's options, and the cache that the kernel sees"
        if known
        else "the mount's options; whether the cache is volatile is not told",
        risk="Low: commits take longer where the cache is not protected, as they must.",
        valid="for drives and controllers without a protected cache",
        cost_of_error="with a protected cache, one command more at each commit, answered at once",
        side_effects="all syncs on this mount reach the drive, other programs' too",
        flips_when="all drives below report a write-through cache",
        gain=0.9,
    ).by(remounted(storage, BACK[found], found))
