"""How InnoDB opens and flushes its data files.

## What it checks
Whether data files bypass the page cache, and whether the flush method is safe.

## Why it matters
Without O_DIRECT every page is cached twice, once in the buffer pool and once by the kernel, and
page writes come out in bursts at fsync. Methods that skip fsync are faster only as long as the
power stays on: they are risks to the data, whatever they gain.

## How it is judged
- The probe's own files show whether O_DIRECT works on this file system. Where none was measured,
  ext4 and XFS are known to support it.
- MySQL, and MariaDB before 11.0 (`innodb_flush_method`): O_DIRECT is fine. `fsync`, `O_DSYNC` or
  nothing: O_DIRECT is proposed where it works, but not on NFS and ZFS, and only watched while the
  buffer pool holds less than a quarter of the memory (our choice; the page cache then does its
  work). Where a larger pool is recommended too, O_DIRECT goes with it: both take one restart. Where
  the misses of a full pool ask for none, it is minor, and the size that fits is named. It is also
  minor where nothing is seen to suffer: less than 100 requests/s miss the pool, less than 1,000
  pages/s are written, and no read is known to come from the page cache (our choices).
- Reads of data files that never reach the drive (30 % of their bytes or more, by the server's and
  the kernel's count) and are faster on average than the drive's are answered by the page cache: the
  figures are given, and confidence is high. Where they would cost much without it, a larger pool
  goes with O_DIRECT; where none fits, the card has what reads take then.
- O_DIRECT_NO_FSYNC before MySQL 8.0.14 (growing files were not synced) and on MariaDB before 11.0,
  `nosync` and `littlesync` everywhere: a risk to the data, whatever is known of the drive. O_DIRECT
  is proposed where it works, and in place of O_DIRECT_NO_FSYNC where an account alone looks, since
  such a server opens its files so already; else `fsync`.
- O_DIRECT_NO_FSYNC on later MySQL, which syncs growing files: fine when all of the data's drives
  report write through, or redo and data share a drive, whose cache each sync of the redo log
  empties. With redo on another drive the manual names the loss of data: a risk. So it is where
  pages stay in the kernel's memory whatever is asked: the file system refuses O_DIRECT, ZFS, and
  `data=journal`.
- These three on MariaDB 11.0 and newer: a risk, the line has to be removed. From 11.0.6 on
  O_DIRECT_NO_FSYNC silently turns doublewrite into `fast`.
- MariaDB 11.0 and newer: `innodb_data_file_buffering`; OFF is fine, ON is judged like fsync.

## How to check by hand
`SELECT @@innodb_flush_method;` and on MariaDB 11 `SHOW VARIABLES LIKE 'innodb_data_file%';`

## Risk and undo
A restart, except for MariaDB's own switches. Size the buffer pool first: O_DIRECT bypasses the page
cache. The server does not start with an unknown value.

## When it is wrong
On NFS, where fsync was measured to be faster, and on ZFS, which caches by its own rules; from 2.3
on ZFS takes O_DIRECT as such (`direct=standard`), and what that brings to InnoDB is not known
(2026-11). With tables compressed to less than the drive's logical block (1 or 2 KiB on 4Kn
drives): such writes are refused.

## References
- MySQL reference manual, innodb_flush_method
- MariaDB documentation, "InnoDB Flush Method"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- NetApp, "MySQL innodb_flush_method"; OpenZFS, "Workload Tuning"; OpenZFS issue 18610
- Linux, open(2): O_DIRECT
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.measured.points import PROBE_DIRECT, REDO_FDATASYNC, REDO_O_DSYNC
from advisor.facts.server.data_files import FOR_PAGE_CACHE, kept_all_the_same
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.drive import WATCH_CACHED_READS, CachedReads
from advisor.facts.watched.placement import STORAGE_REDO_APART
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Is,
    Judged,
    Knowledge,
    Stakes,
    Unjudged,
    change,
    rule,
)
from advisor.variables.catalogue import MARIADB, MYSQL
from advisor.variables.standing import Standing
from advisor.workload.flushing.load import CALM
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.growth import MANY_PER_S, MEMORY, SIZE
from advisor.workload.pool.read_cost import cached_reads, past_cache_waiting
from advisor.workload.write_caches import written_through
from probes.figures import duration_us, listed, percent, size

SMALL_POOL = 0.25
KNOWN_TO_WORK = ("ext4", "xfs")
"""File systems on block devices that support O_DIRECT, whatever was measured (open(2))."""

UNSAFE = {"NOSYNC", "LITTLESYNC"}
NO_FSYNC = "O_DIRECT_NO_FSYNC"
MISSES, WRITTEN = "Innodb_buffer_pool_reads", "Innodb_pages_written"


@rule(
    topic="Flushing",
    do="Let the data files bypass the page cache, once the pool is larger",
    needs=(MYSQL_VERSION,),
    uses=(
        *pool_growth.USES,
        PROBE_DIRECT,
        variable("innodb_flush_method"),
        variable("innodb_data_file_buffering"),
        SIZE,
        MEMORY,
        HOST_MEMORY,
        STORAGE_DATA,
        STORAGE_REDO_APART,
        REDO_FDATASYNC,
        REDO_O_DSYNC,
        WATCH_CACHED_READS,
        status(WRITTEN),
    ),
    settings=("innodb_flush_method", "innodb_data_file_buffering"),
    findings=("F31", "F54", "F61", "F88", "F89", "F92", "F102", "F127", "F129", "B09"),
    part_of=("buffer-pool.size",),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Judge the switch that this version really obeys."""
    version, method = facts.version, facts.find(variable("innodb_flush_method"))
    if method is not None and method.value.upper() in {NO_FSYNC, *UNSAFE}:
        return _unsynced(facts, method)
    if _direct(facts) is None:
        return Unjudged(
            "Whether O_DIRECT works where the data lies is not known: no random read or write was "
            "measured."
        )
    buffering = facts.find(variable("innodb_data_file_buffering"))
    if version.at_least(MARIADB, 11, 0) and buffering is not None:
        if buffering.on:
            return _cached(facts, buffering, "OFF")
        return _card(facts, buffering).fine(flips_when="it is switched on")
    if method is None:
        return Unjudged(f"No flush method was found in {version}.")
    return _method(facts, method)


def _method(facts: Facts, now: Standing) -> Judged:
    word = now.value.upper()
    if word == "O_DIRECT":
        return _card(facts, now).fine(flips_when="another method is set")
    if word in {"", "FSYNC", "FDATASYNC", "NORMAL", "O_DSYNC"}:
        return _cached(facts, now, "O_DIRECT")
    return _card(facts, now).watch(
        f"The method {now.value} is not known to this version of Leadline.",
        flips_when="a method that is known here is set",
    )


def _cached(facts: Facts, now: Standing, value: str) -> Judged:
    """Judge a server whose data files go through the page cache."""
    card, storage = _card(facts, now), facts.find(STORAGE_DATA)
    if not _direct(facts):
        return card.fine(
            "Fine as it is: the file system refuses O_DIRECT.",
            flips_when="the data moves to a file system with O_DIRECT",
        )
    if storage is not None and storage.filesystem in FOR_PAGE_CACHE:
        return card.fine(
            f"Fine as it is: O_DIRECT gains nothing on {storage.filesystem}.",
            flips_when=f"the data moves to another file system than {storage.filesystem}",
        )
    share, grown, seen = _pool_share(facts), pool_growth.grown(facts), cached_reads(facts)
    if seen is not None:
        card = card.but(
            saw=f"{card.says['saw']} {seen.text}.",
            confidence=Confidence.HIGH,
            because="The reads that never reached the drive were counted.",
        )
    direct = "pages are no longer cached twice, and page writes no longer come in bursts at fsync."
    moved = "the data moves to NFS or ZFS, O_DIRECT is refused, or"
    if share is None:
        flips = f"{moved} the pool has less than {percent(SMALL_POOL)} of the memory"
        return _proposed(facts, now, card.but(flips_when=flips), value, effect=direct)
    small = At("pool's share of the memory", share, below=SMALL_POOL, say=percent)
    card = card.but(condition=small)
    if not small:
        card = card.but(
            flips_when=f"{moved} {small.turn}", slight=seen is None and _nothing_suffers(facts)
        )
        if grown is None and seen is not None:
            direct = f"{direct}{_reads_longer(facts, seen)}"
        elif grown is not None:
            direct = _replaced(grown, direct)
        return _proposed(facts, now, card, value, effect=direct)
    if grown is None:
        return _small_and_kept(facts, card, share)
    card = card.but(flips_when=f"{moved} the pool stays as it is")
    return _proposed(facts, now, card, value, effect=_replaced(grown, direct))


def _small_and_kept(facts: Facts, card: Card, share: float) -> Judged:
    """Watch a pool that is small beside the page cache and that nobody asks to enlarge."""
    found = pool_growth.growth(facts)
    does = f"The page cache does the work of a buffer pool that has {percent(share)} of the memory"
    if found is None or (found.worth and found.fits and found.cost is None):
        return card.watch(f"{does}: enlarge the pool, then use O_DIRECT.")
    if found.worth and found.fits:
        fits = f"a pool of up to {size(found.value)} and O_DIRECT, or neither"
        return card.watch(f"{does}, and reads cost little so: {fits}.", slight=True)
    return card.watch(f"{does}. Without room for a larger pool let it do so.", slight=True)


def _replaced(grown: float, direct: str) -> str:
    return f"A buffer pool of {size(grown)} replaces the page cache: {direct}"


def _reads_longer(facts: Facts, seen: CachedReads) -> str:
    """What reads take that the page cache answers no more, as a sentence after a space."""
    drive_us, lost = seen.device.reads.latency_us, past_cache_waiting(facts)
    if seen.asked_us is None or drive_us is None or not lost:
        return ""
    return (
        f" All misses reach the drive then: a read takes {duration_us(drive_us.value)} in place of "
        f"{duration_us(seen.asked_us.value)}, and {lost:.2f} queries wait for one at a time."
    )


def _nothing_suffers(facts: Facts) -> bool:
    """Whether hardly a page is read, and few are written: then a restart alone brings little."""
    missed, written = (facts.find(status(name)) for name in (MISSES, WRITTEN))
    return missed is not None and missed < MANY_PER_S and (written or 0.0) < CALM


def _unsynced(facts: Facts, now: Standing) -> Answer:
    """Judge a method that skips syncs of data files, by what each release still syncs."""
    version, word = facts.version, now.value.upper()
    card = _card(facts, now).but(
        flips_when="losing the data at a power cut is acceptable",
        stakes=Stakes.DATA,
        knowledge=Knowledge.DOCUMENTED,
        confidence=Confidence.HIGH,
        because="The maker documents what the method leaves out.",
    )
    if version.at_least(MARIADB, 11, 0):
        return card.watch(
            "Remove its line from the option file: data files are synced again, and doublewrite "
            "is what it is set to. Four switches have replaced the setting.",
            flips_when="its line is removed",
        )
    growth_synced = version.at_least(MYSQL, 8, 0, 14)
    if word == NO_FSYNC and growth_synced and not _through_page_cache(facts):
        return _growth_synced(facts, card)
    direct = _direct(facts)
    if direct is None and word == NO_FSYNC:
        direct = True  # The server opens its files so already; a sync is all that is added.
    value = "O_DIRECT" if direct and _filesystem(facts) not in FOR_PAGE_CACHE else "fsync"
    effect = "Data files are synced again; without that a power cut can lose the database."
    if word == NO_FSYNC and version.is_mysql and not growth_synced:
        effect = "Growing files are synced again; a power cut could cut off their end."
    return _proposed(facts, now, card, value, effect=effect)


def _through_page_cache(facts: Facts) -> bool:
    """Whether pages stay in the kernel's memory despite O_DIRECT: only a sync ends that."""
    data = facts.find(STORAGE_DATA)
    return _direct(facts) is False or kept_all_the_same(data)


def _growth_synced(facts: Facts, card: Card) -> Answer:
    """Judge it on releases that sync a file when it grows: what is left is the drive's cache."""
    data, apart = facts.find(STORAGE_DATA), facts.find(STORAGE_REDO_APART)
    card = card.but(confidence=Confidence.MEDIUM)
    if data is not None and written_through(data):
        return card.fine(
            "Fine as it is: the data's drives report that each finished write is safe.",
            flips_when="the data's drives report a write-back cache",
        )
    if apart is None:
        return Unjudged(
            "Whether redo and data share a drive, as this flush method takes, is not known."
        )
    shared = Is(not apart, "redo and data share a drive", "redo and data lie on two drives")
    if shared:
        return card.fine(
            "Fine as it is: redo and data share a drive, whose cache each sync of the redo log "
            "empties.",
            flips_when=shared.turn,
        )
    return card.watch(
        "Redo lies on another drive than the data, whose cache no sync empties: unless it is "
        "protected, a power cut can lose pages that a checkpoint counts on. Set O_DIRECT.",
        flips_when=f"{shared.turn}, or the data's drive is known to have a protected cache",
        risk="Loss of data at a power cut.",
    )


def _card(facts: Facts, now: Standing) -> Card:
    here = _HERE[_direct(facts)]
    sync, dsync = facts.find(REDO_FDATASYNC), facts.find(REDO_O_DSYNC)
    ways = [
        f"{duration_us(point.latency.p50_us)} with {how}"
        for point, how in ((sync, "fdatasync"), (dsync, "O_DSYNC"))
        if sync is not None and point is not None
    ]
    cost = f", an append takes {listed(ways)}" if ways else ""
    whose = "the default" if now.default else "the server's"
    known = "This file system is known to support O_DIRECT; it was not tried here."
    return facts.card(
        f"{here}{cost}; {whose} {now.name} is {now.value or 'unset, which means fsync'}.",
        setting=now.name,
        now=now.now if now.default else now.value or "fsync",
        because="" if facts.find(PROBE_DIRECT) is not None else known,
        valid="For this file system and drive.",
    )


_HERE = {
    True: "O_DIRECT works here",
    False: "The file system refuses O_DIRECT",
    None: "Whether O_DIRECT works here is not known",
}


def _proposed(facts: Facts, now: Standing, card: Card, value: str, *, effect: str) -> Judged:
    return card.recommend(
        change(facts.version, now, value),
        effect=effect,
        risk="Medium: takes a restart, and a small buffer pool loses the page cache.",
        cost_of_error="A pool that is too small then reads from the drive what the page cache "
        "held.",
        side_effects="The page cache's memory becomes free for a larger pool.",
    )


def _direct(facts: Facts) -> bool | None:
    """Tell whether O_DIRECT works where the data lies, None where that is not known."""
    tried = facts.find(PROBE_DIRECT)
    if tried is not None:
        return tried
    storage = facts.find(STORAGE_DATA)
    return True if storage is not None and storage.filesystem in KNOWN_TO_WORK else None


def _filesystem(facts: Facts) -> str:
    storage = facts.find(STORAGE_DATA)
    return "" if storage is None else storage.filesystem


def _pool_share(facts: Facts) -> float | None:
    """Say how much of the memory the user's own buffer pool has."""
    pool, memory = facts.find(SIZE), facts.find(HOST_MEMORY)
    return None if pool is None or pool.default or not memory else pool.number / memory
