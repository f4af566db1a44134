"""The price of a durable commit on this drive.

## What it checks
How long a small synchronous append takes, how many commits per second that allows one connection,
and whether it is so fast that a volatile cache may be answering.

## Why it matters
With `innodb_flush_log_at_trx_commit = 1` every commit waits for the redo log to be on the drive. A
drive with a third of the sync rate made MySQL three times slower although its other tests were
better. Rotating disks managed 143 syncs/s bare and 4,735/s behind a cache with a battery.

## How it is judged
Median of a 4 KiB append with fdatasync by one writer:
- below 0.2 ms: a protected cache or power-loss protection (fine);
- 0.2 to 1 ms: network volume or busy drive (fine);
- 1 to 5 ms: consumer flash without protection (watch);
- above 5 ms: a rotating disk without a cache, or worse (watch).
Too fast: below 20 µs, or below 30 µs where the disk reports a "write back" cache or is virtual: the
flush may end in memory (watch).

## How to check by hand
`cat /sys/block/*/queue/write_cache`; `pg_test_fsync`. Whether a sync reaches the medium is proved
only by pulling the plug of a test machine (diskchecker).

## Risk and undo
Nothing is changed. Settings that skip the sync are not proposed: they lose commits.

## When it is wrong
When others used the drive during the run. Group commit lets many clients share one sync, so the
figure limits a single connection, not the server.

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"; D. Kravtchuk, "8.0 GA and
  IO-bound TPCC"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- T. Poder, "Using pg_test_fsync for testing low latency writes"
"""

from __future__ import annotations

from advisor.facts.known import HOST_VIRTUAL, REDO_FDATASYNC, STORAGE_PROBE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, rule
from probes.figures import duration_us, rate, size, times

SUSPECT_US, SUSPECT_CACHED_US = 20, 30
PROTECTED_US, SLOW_US, ROTATING_US = 200, 1000, 5000


@rule(
    topic="Durability",
    needs=(REDO_FDATASYNC,),
    uses=(STORAGE_PROBE, HOST_VIRTUAL),
    findings=("F23", "F38", "F80", "F89", "F93"),
)
def check(facts: Facts) -> Answer:
    """Name the class of the drive from its sync latency."""
    point = facts.get(REDO_FDATASYNC)
    median_us = point.latency.p50_us
    saw = (
        f"A {size(point.setting.block_size_bytes)} append with fdatasync takes "
        f"{duration_us(median_us)} (median; p99 {duration_us(point.latency.p99_us)}), so one "
        f"connection commits at most {rate(point.rate_per_s, 'times')}"
    )
    hidden = _hidden_cache(facts)
    suspect_us = SUSPECT_CACHED_US if hidden else SUSPECT_US
    suspect = At("the sync time", median_us, below=suspect_us, say=duration_us)
    slow = At("the sync time", median_us, least=SLOW_US, say=duration_us)
    card = facts.card(
        f"{saw}: {_class_of(median_us)}.",
        slow,
        formula=f"commits/s of one connection = 1 / {duration_us(median_us)} = "
        f"{rate(1e6 / median_us)} at the median, {rate(point.rate_per_s)} in all",
        valid="For one connection on the measured drive; many connections share each sync.",
    )
    if suspect:
        return card.watch(
            "If a volatile cache answers, a power cut loses commits that were confirmed and "
            "can tear the database. Ask for the cache's protection, or test by pulling the plug.",
            saw=f"{saw}. That is fast for a flush that reaches stable storage, and "
            f"{hidden or 'few drives are that fast'}.",
            condition=suspect,
            flips_when=f"the cache is known to be protected, or {suspect.turn}",
            confidence=Confidence.LOW,
            because="The sync was measured here; only pulling the plug proves whether it reaches "
            "the medium.",
            risk="Loss of confirmed commits.",
            gain=0.9,
        )
    if not slow:
        return card.fine("Full durability costs little here; keep it.")
    return card.watch(
        "Redo on a drive with power-loss protection would sync in a few tens of µs, "
        f"{times(median_us / 50)} as fast; no setting does that safely.",
        risk="Change the drive rather than relax durability: that loses commits.",
        gain=0.7 if median_us < ROTATING_US else 0.9,
    )


def _class_of(median_us: float) -> str:
    if median_us < PROTECTED_US:
        return "the speed of a protected cache or of flash with power-loss protection"
    if median_us < SLOW_US:
        return "the speed of a network volume or a busy drive"
    if median_us < ROTATING_US:
        return "the speed of consumer flash without power-loss protection"
    return "the speed of a rotating disk without a cache"


def _hidden_cache(facts: Facts) -> str:
    """Say what makes a fast flush doubtful, "" when nothing does."""
    storage = facts.find(STORAGE_PROBE)
    if storage is not None and any(disk.write_cache == "write back" for disk in storage.disks):
        return "the disk reports a write-back cache"
    if storage is not None and any(disk.bus == "virtio" for disk in storage.disks):
        return "the disk is a virtual one"
    virtual = facts.find(HOST_VIRTUAL)
    return f"this is {virtual}" if virtual else ""
