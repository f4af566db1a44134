"""The write cache of the redo log's drives.

## What it checks
Whether the redo log's drives have a volatile cache, and whether flushes still reach it.

## Why it matters
A volatile cache is safe only as long as the server's syncs make the drive empty it. Mounted without
barriers they no longer do: a power cut loses confirmed commits and can corrupt every page that was
in flight. A controller's cache without a battery does the same. Fast syncs are then a bad sign.

## How it is judged
By what each drive and the kernel report (`write back` or `write through`), the mount options, the
model and the measured sync. The drive's own report counts more than the kernel's.
- all write through: fine. Each finished write is safe: a protected cache, or none.
- the model is of a series with power-loss protection, or a controller's whose cache has a battery
  or flash behind it: fine, whatever the cache is called.
- write back and mounted with `nobarrier` or `barrier=0`, or treated as write through by the kernel:
  watch, with full weight. No sync empties the cache.
- write back and slow syncs, 0.2 ms and more (our choice): fine, they are as slow as flushes that
  reach the medium. In a virtual machine the delay may be the hypervisor's own, which lowers the
  confidence.
- write back, a sync below 0.2 ms, and a model that is not known: an open question, no risk yet.
  Either the cache is protected (some such drives report write back) or flushes are answered
  without being done. Its data sheet says which.
- nothing reported: not judged.

## How to check by hand
`cat /sys/block/*/queue/write_cache`; `findmnt -o TARGET,OPTIONS`; the drive's data sheet
(power-loss protection); the controller's tool (battery and write policy)

## Risk and undo
Nothing is changed here. Where barriers are off: mount again without that option.

## When it is wrong
A controller may report its own cache wrongly; a hypervisor may report what its host does not do.
Only pulling the plug of a test machine proves it (diskchecker).

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"
- T. Poder, "Using pg_test_fsync for testing low latency writes"
- Linux kernel documentation, explicit volatile write cache control
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_VIRTUAL
from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Knowledge, Stakes, Unjudged, rule
from advisor.workload.write_caches import BACK, THROUGH, cache_of, protected
from probes.figures import duration_us
from probes.inventory.facts import Storage

NO_BARRIER = {"nobarrier", "barrier=0", "barrier=none"}
QUICK_US = 200


@rule(
    topic="Durability",
    do="Protect the write cache of the redo log's drives",
    needs=(REDO_DIRECTORY,),
    uses=(REDO_FDATASYNC, HOST_VIRTUAL),
    settings=("innodb_flush_log_at_trx_commit",),
    findings=("F23", "F27", "F89", "F93"),
    stakes=Stakes.DATA,
)
def check(facts: Facts) -> Answer:
    """Join what the drives report with what is known of them and what a sync takes."""
    where = facts.get(REDO_DIRECTORY)
    reported = {disk.name: cache_of(disk) for disk in where.disks if cache_of(disk)}
    if len(reported) < max(1, len(where.disks)):
        return Unjudged("Not every drive under the redo log reports its write cache.")
    names = ", ".join(name for name, cache in reported.items() if cache == BACK)
    through = ", ".join(reported)
    volatile = Is(bool(names), "a drive under the redo log reports a write-back cache")
    card = facts.card(
        f"The cache of {through} is reported as {THROUGH}: each finished write is safe.",
        volatile,
        formula=f"write cache of {names or through} = {BACK if names else THROUGH}",
        valid="For what the kernel sees; a controller or a hypervisor may hide a cache of its own.",
    )
    if not volatile:
        return card.fine("Fine as it is, if the report is true.")
    if kept := protected(where):
        return _kept(card, names, kept)
    if why := _unflushed(where):
        return _unsafe(card, names, why)
    sync = facts.find(REDO_FDATASYNC)
    if sync is None:
        return Unjudged(f"The cache of {names} may be volatile, and no sync was measured on it.")
    return _by_sync(card, names, sync.latency.p50_us, facts.find(HOST_VIRTUAL) or "")


def _unflushed(where: Storage) -> str:
    """Say why no sync empties the drives' caches, "" when syncs do."""
    off = sorted(NO_BARRIER & set(where.mount_options))
    if off:
        return f"{where.mount_point or where.path} is mounted with {off[0]}"
    for disk in where.disks:
        if cache_of(disk) == BACK and disk.write_cache == THROUGH:
            return f"the kernel treats {disk.name} as write through"
    return ""


def _kept(card: Card, names: str, kept: str) -> Answer:
    return card.fine(
        "Fine as it is: what is in the cache survives a power cut.",
        saw=f"The cache of {names} is reported as write back; {kept}.",
        flips_when="the drive or the controller is replaced, or the controller's battery fails",
        knowledge=Knowledge.DOCUMENTED,
        because="The model shows it; see the controller's tool for its battery.",
    )


def _unsafe(card: Card, names: str, why: str) -> Answer:
    return card.watch(
        "A power cut loses confirmed commits and can corrupt the database. Unless a battery "
        "protects the cache, let syncs reach it: see the advice on barriers and on the drive's "
        "cache.",
        saw=f"The cache of {names} is write back, and {why}: no sync empties it.",
        flips_when="syncs reach the cache, or it is known to be protected",
        confidence=Confidence.HIGH,
        because="The kernel reports both.",
        risk="Loss of the database.",
        verify="cat /sys/block/*/queue/write_cache; findmnt -o TARGET,OPTIONS",
    )


def _by_sync(card: Card, names: str, sync_us: float, virtual: str) -> Answer:
    takes = duration_us(sync_us)
    quick = At("sync time", sync_us, below=QUICK_US, say=duration_us)
    if not quick:
        return card.fine(
            "Fine as it is: what is synced survives a power cut"
            + (", if the host flushes its own cache." if virtual else "."),
            saw=f"The cache of {names} is write back, and a sync takes {takes}, as long as one "
            "that reaches the medium.",
            condition=quick,
            flips_when=f"{quick.turn}, or barriers are off",
            confidence=Confidence.LOW if virtual else Confidence.MEDIUM,
            because="The sync was measured here, and it is slow enough to be real"
            + (f"; on {virtual} the path to the drive may take that long." if virtual else "."),
        )
    ask = (
        "Ask whoever runs the host."
        if virtual
        else (
            "The data sheet of the drive (power-loss protection), or the controller's tool "
            "(battery and write policy)."
        )
    )
    return Unjudged(
        f"The cache of {names} is write back, yet a sync takes only {takes}: "
        "protected against power loss, or never flushed.",
        turns_on=REDO_DIRECTORY.name,
        settled_by=ask,
    )
