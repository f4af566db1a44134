"""Flushes from the file systems to their drives.

## What it checks
Whether a file system with data, redo, binary log or any other of the server's files is mounted so
that it sends no flush to the drive (nobarrier, barrier=0).

## Why it matters
A drive with a volatile write cache acknowledges writes before they are durable. The flush that the
file system sends at each fsync makes a commit durable. Without it a power cut loses acknowledged
commits, and may corrupt the file system's metadata, because the cache writes in its own order.

## How it is judged
The mount with the highest risk decides.
- The option is set, and a drive below has a write-back cache, or does not report one: barriers are
  proposed.
- It is set, and by their models all drives with a write-back cache keep it over a power cut: fine.
- It is set, and all drives write through: watch. The kernel would send no flush anyway, but the
  option would stay when the drive is replaced.
- It is not set: fine.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`, `cat /sys/block/*/queue/write_cache`

## Risk and undo
Commits take as long as safe commits take on this drive. A controller with power-loss protection
answers the flush at once, so there it costs almost nothing.

## When it is wrong
When every drive below has power-loss protection that its model does not show, and takes long to
answer a flush.

## References
- Linux kernel documentation: ext4 (barrier), "Explicit volatile write back cache control"
- XFS dropped the option in Linux 4.19
"""

from __future__ import annotations

from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.storage import STORAGE_ALL
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Inapplicable, Is, Stakes, Unjudged, remounted, rule
from advisor.rulekit.host_change import one_line
from advisor.workload.write_caches import protected
from probes.figures import duration_us
from probes.inventory.facts import Storage

OFF = ("nobarrier", "barrier=0", "barrier=none")
KNOW_IT = ("ext3", "ext4", "xfs", "btrfs", "reiserfs")
BACK = {"nobarrier": "barrier", "barrier=0": "barrier=1", "barrier=none": "barrier=flush"}


@rule(
    topic="Durability",
    do="Let the file system flush its drives again",
    needs=(STORAGE_ALL,),
    uses=(REDO_FDATASYNC,),
    findings=("F23", "F27", "F93"),
    stakes=Stakes.DATA,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Look for the option in every place, then at the caches that the drives there report."""
    places = facts.get(STORAGE_ALL)
    knowing = [one for one in places if one.filesystem in KNOW_IT]
    if not knowing:
        names = ", ".join(dict.fromkeys(one.filesystem or "unknown" for one in places))
        return Inapplicable(f"No mount option turns flushes off there ({names}).")
    known = [one for one in knowing if one.mount_options]
    if not known:
        return Unjudged("The mount options of these file systems are not known.")
    worst = max(known, key=lambda one: (bool(_found(one)), not protected(one), _at_stake(one)))
    found, stake = _found(worst), _at_stake(worst)
    flushed = Is(
        not found, "the option is no longer set", f"{OFF[0]} or {OFF[1]} is among the options"
    )
    if flushed:
        points = ", ".join(dict.fromkeys(one_line(one.mount_point or one.path) for one in known))
        return facts.card(f"No file system is mounted with nobarrier ({points}).", flushed).fine(
            "Fine as it is: each fsync reaches the drive.", confidence=Confidence.HIGH
        )
    caches = ", ".join(dict.fromkeys(disk.write_cache or "unknown" for disk in worst.disks))
    card = facts.card(
        f"The file system on {one_line(worst.mount_point or worst.path)} "
        f"({worst.role.replace('_', ' ')}) is mounted with {found}: an fsync sends no flush to "
        f"the drive. {_CACHES[stake]}",
        formula=f"{found} is among the options; caches below: {caches or 'unknown'}",
        confidence=Confidence.MEDIUM if stake == 1 else Confidence.HIGH,
    )
    if kept := protected(worst):
        return card.fine(
            "Fine as it is: what is in the cache survives a power cut.",
            because=f"The model shows it: {kept}.",
            flips_when="a drive below is replaced by one without power-loss protection",
        )
    if stake == 0:
        return card.watch(
            "The option saves no time, since the kernel sends no flush to such a drive, and "
            "commits may be lost once the drive is replaced.",
            now=found,
            valid="While no drive below has a volatile cache.",
            flips_when="a drive below reports a write-back cache",
        )
    return _flushing(facts, card, worst, found)


_CACHES = (
    "All drives below write through.",
    "No drive reports its cache.",
    "A drive below has a write-back cache.",
)
"""By what is at stake."""


def _at_stake(storage: Storage) -> int:
    """Nothing where all drives write through, most where one is known to cache writes."""
    caches = [disk.write_cache for disk in storage.disks]
    if "write back" in caches:
        return 2
    return 0 if caches and all(cache == "write through" for cache in caches) else 1


def _found(storage: Storage) -> str:
    return next((option for option in OFF if option in storage.mount_options), "")


def _flushing(facts: Facts, card: Card, storage: Storage, found: str) -> Answer:
    point = facts.find(REDO_FDATASYNC)
    price = (
        f" A 4 KiB append with fdatasync takes {duration_us(point.latency.p50_us)} without the "
        "flush; expect more with it."
        if point
        else ""
    )
    unsure = "The mount's options; whether the cache is volatile is not known."
    return card.recommend(
        remounted(storage, BACK[found], found),
        setting=f"mount option of {one_line(storage.mount_point or storage.path)}",
        now=found,
        effect=f"Acknowledged commits survive a power cut.{price}",
        because=unsure if _at_stake(storage) == 1 else "",
        risk="Low: commits take longer without power-loss protection, as they must.",
        valid="For drives and controllers without power-loss protection.",
        cost_of_error="With power-loss protection, one more command at each commit, answered at "
        "once.",
        side_effects="All syncs on this mount reach the drive, other programs' too.",
        flips_when="all drives below report a write-through cache",
    )
