"""How InnoDB opens and flushes its data files.

## What it checks
Whether data files bypass the page cache, and whether what is used in its place is safe.

## Why it matters
Without O_DIRECT every page is cached twice, once in the buffer pool and once by the kernel, and
page writes come out in bursts at fsync. Methods that skip fsync are faster only as long as the
power stays on.

## How it is judged
- The probe's own files tell whether O_DIRECT works on this file system. Where none was measured,
  ext4 and XFS are known to take it.
- MySQL, and MariaDB before 11.0 (`innodb_flush_method`): O_DIRECT is fine. `fsync`, `O_DSYNC` or
  nothing: O_DIRECT is proposed where it works, but not on NFS and ZFS, and only watched while the
  buffer pool holds less than a quarter of the memory (the page cache then does its work). Where a
  larger pool is recommended too, O_DIRECT goes with it: both belong into one restart.
- O_DIRECT_NO_FSYNC: O_DIRECT is proposed before MySQL 8.0.14 (growing files were not synced) and on
  MariaDB before 11.0. Later MySQL: fine when redo and data share a drive that syncs within 0.2 ms,
  else watched.
- `nosync`, `littlesync`: O_DIRECT is proposed, they can lose the database.
- These three on MariaDB 11.0 and newer: watched, the line has to go. From 11.0.6 on
  O_DIRECT_NO_FSYNC turns doublewrite into `fast` without a word.
- MariaDB 11.0 and newer: `innodb_data_file_buffering`; OFF is fine, ON is judged like fsync.

## How to check by hand
`SELECT @@innodb_flush_method;` and on MariaDB 11 `SHOW VARIABLES LIKE 'innodb_data_file%';`

## Risk and undo
A restart, except for MariaDB's own switches. Not without the buffer pool's right size: O_DIRECT
takes the page cache away. An unknown word keeps the server from starting.

## When it is wrong
On NFS, where fsync was measured to be faster, and on ZFS, which caches by its own rules.

## References
- MySQL reference manual, innodb_flush_method
- MariaDB documentation, "InnoDB Flush Method"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- NetApp, "MySQL innodb_flush_method"; OpenZFS, "Workload Tuning"
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_MEMORY,
    MYSQL_VERSION,
    PROBE_DIRECT,
    REDO_FDATASYNC,
    REDO_O_DSYNC,
    STORAGE_DATA,
    STORAGE_REDO_APART,
    variable,
)
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MARIADB, MYSQL
from advisor.variables.standing import Standing
from advisor.workload import pool_growth
from advisor.workload.pool_growth import MEMORY, SIZE
from probes import figures
from probes.points import Point
from probes.version import ServerVersion

PROTECTED_US = 200
SMALL_POOL = 0.25
NOT_FOR = ("nfs", "nfs4", "zfs")
KNOWN_TO_WORK = ("ext4", "xfs")
"""File systems on block devices that take O_DIRECT, whatever was measured (open(2))."""

UNSAFE = {"NOSYNC", "LITTLESYNC"}


@rule(
    topic="Flushing",
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
    ),
    settings=("innodb_flush_method", "innodb_data_file_buffering"),
    findings=("F31", "F54", "F61", "F88", "F89", "F92", "F102", "B09"),
)
def check(facts: Facts) -> Answer:
    """Judge the switch that this version really obeys."""
    if _direct(facts) is None:
        return Unjudged(
            "Whether O_DIRECT works where the data lies is not known: no random read or write was "
            "measured."
        )
    version = facts.get(MYSQL_VERSION)
    buffering = facts.find(variable("innodb_data_file_buffering"))
    if version.at_least(MARIADB, 11, 0) and buffering is not None:
        return _switch(version, buffering, facts)
    now = facts.find(variable("innodb_flush_method"))
    if now is None:
        return Unjudged(f"No flush method was found in {version}.")
    return _method(version, now, facts)


def _method(version: ServerVersion, now: Standing, facts: Facts) -> Judged:
    word = now.text.upper()
    if word == "O_DIRECT":
        flips = "another method is set"
        return _judged(Verdict.FINE, now, facts, "Fine as it is.", flips)
    if word == "O_DIRECT_NO_FSYNC":
        return _no_fsync(version, now, facts)
    if word in UNSAFE:
        effect = "Data files are synced again; without that a power cut can lose the database."
        flips = "the data may be lost at the next power cut"
        return _proposed(version, now, facts, "O_DIRECT", effect=effect, flips=flips, gain=1.0)
    if word in {"", "FSYNC", "FDATASYNC", "NORMAL", "O_DSYNC"}:
        return _cached(version, now, facts, "O_DIRECT")
    effect = f"This version of Leadline knows nothing about the method {now.text}."
    return _judged(Verdict.WATCH, now, facts, effect, "a method that is known here is set")


def _switch(version: ServerVersion, now: Standing, facts: Facts) -> Judged:
    method = facts.find(variable("innodb_flush_method"))
    if method is not None and method.text.upper() in {"O_DIRECT_NO_FSYNC", *UNSAFE}:
        return _no_fsync(version, method, facts)
    if now.on:
        return _cached(version, now, facts, "OFF")
    return _judged(Verdict.FINE, now, facts, "Fine as it is.", "it is switched on")


def _cached(version: ServerVersion, now: Standing, facts: Facts, value: str) -> Judged:
    """Judge a server whose data files go through the page cache."""
    storage = facts.find(STORAGE_DATA)
    if not _direct(facts):
        effect = "Fine as it is: the file system refuses O_DIRECT."
        flips = "the data moves to a file system with O_DIRECT"
        return _judged(Verdict.FINE, now, facts, effect, flips)
    if storage is not None and storage.filesystem in NOT_FOR:
        effect = f"Fine as it is: O_DIRECT is no gain on {storage.filesystem}."
        flips = f"the data moves to another file system than {storage.filesystem}"
        return _judged(Verdict.FINE, now, facts, effect, flips)
    share, grown = _pool_share(facts), pool_growth.grown(facts)
    if share is not None and share < SMALL_POOL and grown is not None:
        return _with_the_pool(version, now, facts, value, grown)
    if share is not None and share < SMALL_POOL:
        effect = (
            f"The page cache does the work of a buffer pool that has {figures.percent(share)} of "
            "the memory: enlarge the pool, then use O_DIRECT."
        )
        flips = f"the pool has {figures.percent(SMALL_POOL)} of the memory or more"
        return _judged(Verdict.WATCH, now, facts, effect, flips, gain=0.3)
    effect = "Pages are no longer cached twice, and page writes no longer come in bursts at fsync."
    flips = (
        "the data moves to NFS or ZFS, O_DIRECT is refused, or the pool has less than "
        f"{figures.percent(SMALL_POOL)} of the memory"
    )
    return _proposed(version, now, facts, value, effect=effect, flips=flips, gain=0.3)


def _with_the_pool(
    version: ServerVersion, now: Standing, facts: Facts, value: str, grown: float
) -> Judged:
    """Propose it beside the larger pool that takes over what the page cache does today."""
    effect = (
        f"A buffer pool of {figures.size(grown)} takes over from the page cache: with it pages are "
        "no longer cached twice, and page writes no longer come in bursts at fsync."
    )
    flips = "the data moves to NFS or ZFS, O_DIRECT is refused, or the pool stays as it is"
    return _proposed(version, now, facts, value, effect=effect, flips=flips, gain=0.6)


def _direct(facts: Facts) -> bool | None:
    """Tell whether O_DIRECT works where the data lies, None where that is not known."""
    tried = facts.find(PROBE_DIRECT)
    if tried is not None:
        return tried
    storage = facts.find(STORAGE_DATA)
    return True if storage is not None and storage.filesystem in KNOWN_TO_WORK else None


def _no_fsync(version: ServerVersion, now: Standing, facts: Facts) -> Judged:
    flips = "it is set to O_DIRECT"
    if version.at_least(MARIADB, 11, 0):
        effect = (
            "Take its line out of the option file: data files are synced again, and doublewrite is "
            "what it is set to. Four switches have taken the place of the setting."
        )
        return _judged(Verdict.WATCH, now, facts, effect, "its line is taken out", gain=0.6)
    if version.is_mariadb:
        effect = "Data files are synced again."
        return _proposed(version, now, facts, "O_DIRECT", effect=effect, flips=flips, gain=0.6)
    if version.before(MYSQL, 8, 0, 14):
        effect = "Files that grow are synced again; a power cut could cut off their end."
        return _proposed(version, now, facts, "O_DIRECT", effect=effect, flips=flips, gain=0.6)
    sync = facts.find(REDO_FDATASYNC)
    apart = facts.find(STORAGE_REDO_APART)
    bound = figures.duration_us(PROTECTED_US)
    if sync is not None and sync.latency.p50_us < PROTECTED_US and not apart:
        effect = "Fine as it is: redo and data share a drive that syncs like a protected cache."
        flips = f"a sync takes {bound} or more, or redo and data lie on two drives"
        return _judged(Verdict.FINE, now, facts, effect, flips)
    effect = (
        "Safe only where the drive's cache survives a power cut and redo and data share it; that "
        "was not seen here."
    )
    flips = f"a sync takes less than {bound}, and redo and data share a drive"
    return _judged(Verdict.WATCH, now, facts, effect, flips, gain=0.4)


def _proposed(
    version: ServerVersion,
    now: Standing,
    facts: Facts,
    value: str,
    *,
    effect: str,
    flips: str,
    gain: float,
) -> Judged:
    judged = _judged(Verdict.RECOMMEND, now, facts, effect, flips, gain=gain)
    return judged.by(change(version, now, value))


def _judged(
    verdict: Verdict,
    now: Standing,
    facts: Facts,
    effect: str,
    flips_when: str,
    *,
    gain: float = 0.0,
) -> Judged:
    here = "O_DIRECT works here" if _direct(facts) else "The file system refuses O_DIRECT"
    tried = facts.find(PROBE_DIRECT) is not None
    sync, dsync = facts.find(REDO_FDATASYNC), facts.find(REDO_O_DSYNC)
    cost = "" if sync is None else f", an append with fdatasync takes {_median(sync)}"
    cost += "" if sync is None or dsync is None else f" and with O_DSYNC {_median(dsync)}"
    value = now.text or "unset, which means fsync"
    whose = "the default" if now.default else "the server's"
    return Judged(
        verdict,
        f"{here}{cost}; {whose} {now.name} is {value}.",
        now.name,
        now.now if now.default else now.text or "fsync",
        effect=effect,
        risk="Medium: takes a restart, and takes the page cache away from a small buffer pool."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=flips_when,
        gain=gain,
        formula=_formula(facts),
        because="the probe's own files tried O_DIRECT where the data lies"
        if tried
        else "this file system is known to take O_DIRECT; it was not tried here",
        cost_of_error="a pool too small for its work then reads from the drive what the page cache "
        "held"
        if verdict is Verdict.RECOMMEND
        else "none: nothing is changed",
        side_effects="The page cache's memory becomes free for a larger pool."
        if verdict is Verdict.RECOMMEND
        else "",
        valid="for this file system and drive",
    )


def _pool_share(facts: Facts) -> float | None:
    """Say how much of the memory the user's own buffer pool has."""
    pool = facts.find(SIZE)
    memory = facts.find(HOST_MEMORY)
    return None if pool is None or pool.default or not memory else pool.number / memory


def _formula(facts: Facts) -> str:
    parts = ["O_DIRECT works" if _direct(facts) else "O_DIRECT is refused"]
    share = _pool_share(facts)
    if share is not None:
        parts.append(f"the pool has {figures.percent(share)} of the memory")
    sync = facts.find(REDO_FDATASYNC)
    if sync is not None:
        parts.append(f"{_median(sync)} a sync, protected below {figures.duration_us(PROTECTED_US)}")
    return "; ".join(parts)


def _median(point: Point) -> str:
    return figures.duration_us(point.latency.p50_us)
