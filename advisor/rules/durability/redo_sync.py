"""The price of a durable commit on this drive.

## What it checks
How long a sync of the redo log takes, how many commits per second that allows one connection,
and whether it is so fast that a volatile cache may be answering.

## Why it matters
With `innodb_flush_log_at_trx_commit = 1` every commit waits for the redo log to be on the drive. A
drive with a third of the sync rate made MySQL three times slower although its other tests were
better. Rotating disks managed 143 syncs/s bare and 4,735/s behind a cache with a battery.

## How it is judged
The mean of the server's own redo syncs under its load: from its Performance Schema, else traced in
the kernel, else what flushes of the redo log's device take. Where none of them is known, the median
of a 4 KiB append with fdatasync by one writer (all bounds are our choice):
- below 0.2 ms: a protected cache or power-loss protection (fine);
- 0.2 to 1 ms: network volume or busy drive (fine);
- 1 to 5 ms: consumer flash without protection or, on a virtual disk, a network volume (watch);
- above 5 ms: a rotating disk without a cache, or worse; on a virtual disk a slow network volume
  (watch).
The server's own syncs take 1 ms or more, the measured append less: the drive is fast, but syncs
wait behind other requests (watch).
Too fast: below 20 µs, or below 30 µs where the disk reports a "write back" cache or is virtual: the
flush may end in memory (watch).

## How to check by hand
`cat /sys/block/*/queue/write_cache`; `pg_test_fsync`. Whether a sync reaches the medium is proved
only by pulling the plug of a test machine (diskchecker).

## Risk and undo
Nothing is changed. Settings that skip the sync are not proposed: they lose commits.

## When it is wrong
When others used the drive during the run or the status window. While commits don't wait for syncs
(`innodb_flush_log_at_trx_commit` 0 or 2), each sync takes more redo with it. Group commit lets many
clients share one sync, so the figure limits a single connection, not the server.

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"; D. Kravtchuk, "8.0 GA and
  IO-bound TPCC"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- T. Poder, "Using pg_test_fsync for testing low latency writes"
"""

from __future__ import annotations

from advisor.facts.known import HOST_VIRTUAL, REDO_SYNC_COST, STORAGE_PROBE
from advisor.facts.sync_cost import SyncCost
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Relief, Stakes, Wait, rule
from advisor.workload.sync_cost import SLOW_US, measured_beside, own_sync, slow_sync
from probes.figures import duration_us, rate, size, times
from probes.points import Point

SUSPECT_US, SUSPECT_CACHED_US = 20, 30
PROTECTED_US, ROTATING_US = 200, 5000
PROTECTED_TAKES_US = 50
"""What a sync takes on a drive whose cache is protected against power loss."""


@rule(
    topic="Durability",
    needs=(REDO_SYNC_COST,),
    uses=(STORAGE_PROBE, HOST_VIRTUAL),
    findings=("F23", "F38", "F80", "F89", "F93"),
)
def check(facts: Facts) -> Answer:
    """Name the class of the drive from its sync latency."""
    cost = facts.get(REDO_SYNC_COST)
    takes_us = cost.takes_us.value
    saw = own_sync(cost)
    formula = f"commits/s of one connection = 1 / {duration_us(takes_us)} = {rate(1e6 / takes_us)}"
    if cost.own is None and cost.probe is not None:
        saw = _appended(cost.probe)
        formula += f" at the median, {rate(cost.probe.rate_per_s)} in all"
    slow = slow_sync(cost)
    card = facts.card(
        f"{saw}: {_class_of(facts, cost)}.{measured_beside(cost)}",
        slow,
        formula=formula,
        valid="For one connection on the measured drive; many connections share each sync."
        if cost.own is None
        else "While the load is like that of the status window; many connections share each sync.",
    )
    hidden = _hidden_cache(facts)
    suspect_us = SUSPECT_CACHED_US if hidden else SUSPECT_US
    least_us = takes_us if cost.measured_us is None else cost.measured_us
    suspect = At("the sync time", least_us, below=suspect_us, say=duration_us)
    if suspect:
        told = f"{saw}.{measured_beside(cost)}"
        return _suspect(card.but(condition=suspect), suspect, told, hidden)
    if not slow:
        return card.fine("Full durability costs little here; keep it.")
    if _waits_behind_others(cost):
        return card.watch(
            "The drive itself is fast: the syncs wait behind this server's other requests. Fewer "
            "page writes, or a drive of its own for redo, would help.",
            risk="Relaxed durability would lose commits.",
        )
    if _virtual(facts):
        return card.but(relieves=(Relief.up_to(Wait.COMMITS, 1.0),)).watch(
            "Most of it is the network, or the machine below this one: a volume of a faster kind, "
            "or a local drive with power-loss protection, would sync faster. No setting does that "
            "safely.",
            risk="Change the volume rather than relax durability: that loses commits.",
        )
    return card.but(relieves=(Relief.to(Wait.COMMITS, takes_us, PROTECTED_TAKES_US),)).watch(
        "Redo on a drive with power-loss protection would sync in a few tens of µs, "
        f"{times(takes_us / PROTECTED_TAKES_US)} as fast; no setting does that safely.",
        risk="Change the drive rather than relax durability: that loses commits.",
    )


def _appended(point: Point) -> str:
    return (
        f"A {size(point.setting.block_size_bytes)} append with fdatasync takes "
        f"{duration_us(point.latency.p50_us)} (median; p99 {duration_us(point.latency.p99_us)}), "
        f"so one connection commits at most {rate(point.rate_per_s, 'times')}"
    )


def _suspect(card: Card, suspect: At, told: str, hidden: str) -> Answer:
    return card.watch(
        "If a volatile cache answers, a power cut loses commits that were confirmed and "
        "can tear the database. Ask for the cache's protection, or test by pulling the plug.",
        saw=f"{told} That is fast for a flush that reaches stable storage, and "
        f"{hidden or 'few drives are that fast'}.",
        flips_when=f"the cache is known to be protected, or {suspect.turn}",
        confidence=Confidence.LOW,
        because="The sync was measured here; only pulling the plug proves whether it reaches "
        "the medium.",
        risk="Loss of confirmed commits.",
        stakes=Stakes.DATA,
    )


def _waits_behind_others(cost: SyncCost) -> bool:
    """Whether the server's own syncs are slow on a drive that synced fast when it was measured."""
    if cost.own is None or cost.measured_us is None:
        return False
    return bool(slow_sync(cost)) and cost.measured_us < SLOW_US


def _class_of(facts: Facts, cost: SyncCost) -> str:
    if _waits_behind_others(cost):
        return "the server's other requests slow them down"
    takes_us = cost.takes_us.value
    if takes_us < PROTECTED_US:
        return "the speed of a protected cache or of flash with power-loss protection"
    if takes_us < SLOW_US:
        return "the speed of a network volume or a busy drive"
    virtual, slow = bool(_virtual(facts)), takes_us >= ROTATING_US
    return _SLOW_CLASSES[virtual, slow]


_SLOW_CLASSES = {
    (False, False): "the speed of consumer flash without power-loss protection",
    (False, True): "the speed of a rotating disk without a cache",
    (True, False): "the speed of a network volume, or of a virtual disk without protected memory",
    (True, True): "the speed of a slow network volume, or of a rotating disk below this machine",
}
"""What a slow sync is like, by whether the drive is virtual, and whether it is slower still."""


def _hidden_cache(facts: Facts) -> str:
    """Say what makes a fast flush doubtful, "" when nothing does."""
    storage = facts.find(STORAGE_PROBE)
    if storage is not None and any(disk.write_cache == "write back" for disk in storage.disks):
        return "the disk reports a write-back cache"
    return _virtual(facts)


def _virtual(facts: Facts) -> str:
    """Say that the drive is not the machine's own, "" where it is."""
    storage = facts.find(STORAGE_PROBE)
    if storage is not None and any(disk.bus == "virtio" for disk in storage.disks):
        return "the disk is a virtual one"
    virtual = facts.find(HOST_VIRTUAL)
    return f"this is {virtual}" if virtual else ""
