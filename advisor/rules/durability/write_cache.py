"""The write cache of the redo log's drives.

## What it checks
Whether the redo log's drives have a cache that forgets, and whether flushes still reach it.

## Why it matters
A volatile cache is safe only as long as the server's syncs make the drive empty it. Mounted without
barriers they no longer do: a power cut loses confirmed commits and can corrupt every page that was
in flight. A controller's cache without a battery does the same. Fast syncs are then a bad sign.

## How it is judged
By what each drive and the kernel say (`write back` or `write through`), the mount options and the
measured sync. What the drive itself says counts more than what the kernel goes by.
- all write through: fine. Each finished write is safe: a protected cache, or none.
- write back and mounted with `nobarrier` or `barrier=0`, or the kernel goes by write through:
  watch, with full weight. No sync empties the cache.
- write back and a sync below 0.2 ms: watch. Either the cache is protected after all (some such
  drives report write back) or something answers flushes without doing them. Ask, or pull the plug.
- write back and slower syncs: fine, they are as slow as flushes that reach the medium. In a
  virtual machine the delay may be the hypervisor's own, which lowers the confidence.
- nothing reported: not judged.

## How to check by hand
`cat /sys/block/*/queue/write_cache`; `findmnt -o TARGET,OPTIONS`; the drive's data sheet
(power-loss protection); the controller's tool (battery and write policy)

## Risk and undo
Nothing is changed here. Where barriers are off: mount again without that option.

## When it is wrong
A controller may keep its own cache and report whatever it likes; a hypervisor may promise what its
host does not keep. Only pulling the plug of a test machine proves it (diskchecker).

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"
- T. Poder, "Using pg_test_fsync for testing low latency writes"
- Linux kernel documentation, explicit volatile write cache control
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import HOST_VIRTUAL, REDO_DIRECTORY, REDO_FDATASYNC
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Disk, Storage

NO_BARRIER = {"nobarrier", "barrier=0", "barrier=none"}
BACK = "write back"
QUICK_US = 200


@rule(
    topic="Durability",
    needs=(REDO_DIRECTORY,),
    uses=(REDO_FDATASYNC, HOST_VIRTUAL),
    settings=("innodb_flush_log_at_trx_commit",),
    findings=("F23", "F27", "F89", "F93"),
)
def check(facts: Facts) -> Answer:
    """Join what the drives say with what a sync takes."""
    where = facts.get(REDO_DIRECTORY)
    told = {disk.name: _cache(disk) for disk in where.disks if _cache(disk)}
    if len(told) < max(1, len(where.disks)):
        return Unjudged("Not every drive under the redo log tells whether its cache forgets.")
    sync = facts.find(REDO_FDATASYNC)
    forgets = [name for name, cache in told.items() if cache == BACK]
    fine = _through(", ".join(told))
    if not forgets:
        return fine
    names = ", ".join(forgets)
    unflushed = _unflushed(where)
    if unflushed:
        return _unsafe(fine, names, unflushed)
    if sync is None:
        return Unjudged(f"The cache of {names} may forget, and no sync was measured on it.")
    return _by_sync(fine, names, sync.latency.p50_us, facts.find(HOST_VIRTUAL) or "")


def _cache(disk: Disk) -> str:
    """Give the disk's own word on its cache, else the kernel's; "" when neither tells."""
    if disk.own_write_cache:
        return BACK if disk.own_write_cache.startswith(BACK) else "write through"
    return disk.write_cache


def _unflushed(where: Storage) -> str:
    """Say why no sync empties the drives' caches, "" when syncs do."""
    off = sorted(NO_BARRIER & set(where.mount_options))
    if off:
        return f"{where.mount_point or where.path} is mounted with {off[0]}"
    for disk in where.disks:
        if _cache(disk) == BACK and disk.write_cache == "write through":
            return f"the kernel was told that {disk.name} writes through"
    return ""


def _through(names: str) -> Judged:
    return Judged(
        Verdict.FINE,
        f"The cache of {names} is reported as write through: each finished write is safe.",
        effect="Fine as it is, if the report is true.",
        confidence=Confidence.MEDIUM,
        flips_when="a drive under the redo log reports a write-back cache",
        formula=f"write cache of {names} = write through",
        valid="For what the kernel sees; a controller or a hypervisor may hide a cache of its own.",
        because="It is the drive's own report.",
        cost_of_error="Confirmed commits and whole pages, at a power cut.",
    )


def _unsafe(fine: Judged, names: str, why: str) -> Judged:
    return replace(
        fine,
        verdict=Verdict.WATCH,
        saw=f"The cache of {names} is write back, and {why}: no sync empties it.",
        effect="A power cut loses confirmed commits and can corrupt the database. Unless a battery "
        "protects the cache, let syncs reach it: the advice on barriers and on the drive's cache "
        "says how.",
        confidence=Confidence.HIGH,
        risk="Loss of the database.",
        flips_when="syncs reach the cache, or it is known to be protected",
        gain=1.0,
        formula=f"write cache of {names} = write back; {why}",
        because="Both are what the kernel tells.",
        verify="cat /sys/block/*/queue/write_cache; findmnt -o TARGET,OPTIONS",
    )


def _by_sync(fine: Judged, names: str, sync_us: float, virtual: str) -> Judged:
    takes = figures.duration_us(sync_us)
    formula = f"write cache of {names} = write back, sync = {takes}, limit = {QUICK_US} µs"
    if sync_us >= QUICK_US:
        return replace(
            fine,
            saw=f"The cache of {names} is write back, and a sync takes {takes}, as one that "
            "reaches the medium does.",
            effect="Fine as it is: what is synced survives a power cut"
            + (", if the host below keeps its word." if virtual else "."),
            confidence=Confidence.LOW if virtual else Confidence.MEDIUM,
            flips_when=f"a sync takes less than {figures.duration_us(QUICK_US)}, or barriers are "
            "off",
            formula=formula,
            because="The sync was measured here, and it is slow enough to be real"
            + (f"; on {virtual} the way to the drive may take that long." if virtual else "."),
        )
    whose = f" This is {virtual}: ask whoever runs the host." if virtual else ""
    return replace(
        fine,
        verdict=Verdict.WATCH,
        saw=f"The cache of {names} is write back, yet a sync takes only {takes}.",
        effect="Either the cache is protected against power loss, or flushes are answered without "
        f"being done.{whose or ' Look into the data sheet of the drive or the controller.'}",
        confidence=Confidence.LOW,
        risk="If the cache forgets, a power cut loses confirmed commits.",
        flips_when=f"the cache is known to be protected, or a sync takes "
        f"{figures.duration_us(QUICK_US)} or more",
        gain=0.5,
        formula=formula,
        because="Drives without protection take about a millisecond for a sync.",
    )
