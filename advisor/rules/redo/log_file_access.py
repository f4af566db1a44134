"""How MariaDB writes its redo log: through the page cache, into memory, or through to the drive.

## What it checks
Whether redo goes through the page cache although each commit is synced
(`innodb_log_file_buffering`), what lies under a log that is mapped into memory
(`innodb_log_file_mmap`), and whether redo is synced in the faster of the two safe ways
(`innodb_log_file_write_through`): a write that returns when it is on the drive (O_DSYNC), or a
write and then fdatasync.

## Why it matters
Every synced commit takes this path. The page cache then only copies what has to go to the drive at
once; direct writes are mostly, but not always, faster. Where commits are not synced, the cache
gathers small writes and tends to help: buffering is ON by default when the server was started with
`innodb_flush_log_at_trx_commit = 2`, or when it can't find the drive's block size. A drive that can
write a single block through its cache (FUA) is faster with O_DSYNC; others flush their whole cache
for it, or write the file's time each time.

On persistent memory MariaDB maps the log and writes it without any call to the kernel: the fastest
commit. It treats files under /dev/shm (tmpfs) as such memory too: then commits are as fast, and all
of them are lost when the machine goes down.

## How it is judged
- Buffering ON while commits are synced (1 or 3): watch, OFF is worth a trial. ON while they are not
  (0 or 2), or OFF: fine. ON where OFF is not possible: fine. The server asks the kernel for the
  block size of the directory's own device; network file systems, memory, ZFS, btrfs and overlays
  have none, and there it stays ON whatever is set.
- The log lies on tmpfs or ramfs: watch, with full weight, mapped or not. Where the data lies in
  memory as well, the log alone loses nothing: fine here; another rule judges the data. Elsewhere
  both are fine: ON is persistent memory. The manual calls ON the default; a running server shows
  OFF wherever the log lies on a drive, since it maps it for recovery alone.
- Medians of a 4 KiB append with each way, measured here: the other way at least 15 % faster (our
  choice) is proposed, else fine. Both ways are equally safe where commits are synced. Where they
  are not (0 or 2) write-through is left alone: ON makes the writes of 2 durable at once, and OFF
  takes that away.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_log_file%';`, `SELECT @@innodb_flush_log_at_trx_commit;`,
`df -T DIR` of the redo log, and `pg_test_fsync` (open_datasync against fdatasync)

## Risk and undo
Write-through changes at once and can be undone at once; while the log is resized the server may
ignore the change silently: check the value again. Buffering takes a restart: the server accepts ON
and OFF while it runs, but only ON has an effect; once on, it stays on until the next start
(MariaDB 10.11.19, 11.4.5, 11.8.6 and 11.8.9 all do so). To move the log: shut down cleanly, set
`innodb_log_group_home_dir`, move ib_logfile0 there, start.

## When it is wrong
Some drives handle small direct writes badly: compare commits/s. Both ways to sync were measured
through the page cache by one writer; MariaDB writes past it by default, and many commits share a
sync. `innodb_flush_method = O_DSYNC` sets write-through at each start. A test server may lose
everything.

## References
- MariaDB documentation, "InnoDB Flush Method" and "InnoDB System Variables"
- Behaviour of MariaDB 10.11.19 to 11.8.9
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from advisor.facts.measured.points import REDO_FDATASYNC, REDO_O_DSYNC
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.facts.watched.sync_cost import RELAXED
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Is,
    Knowledge,
    Stakes,
    mariadb,
    rule,
)
from advisor.workload.commit_waits import PARTS, shorter
from probes.figures import duration_us, percent, times
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS
from probes.watch.words import FileRole

COMMIT = "innodb_flush_log_at_trx_commit"
SYNCED = {"1", "3"}
VOLATILE = {"tmpfs", "ramfs"}
NO_DEVICE = VOLATILE | {"zfs", "btrfs", "overlay"} | NETWORK_FILESYSTEMS
"""File systems whose directories name no block device of their own."""

FASTER = 1.15


@rule(
    name="redo.log-file-buffering",
    title="innodb_log_file_buffering: redo and the page cache (MariaDB)",
    topic="Redo log",
    do="Check how the redo log uses the page cache",
    setting="innodb_log_file_buffering",
    needs=(variable(COMMIT),),
    uses=(REDO_DIRECTORY,),
    applies_to=(mariadb("10.8.4"),),
    findings=("F88",),
    knowledge=Knowledge.DOCUMENTED,
)
def buffering(facts: Facts) -> Answer:
    """Ask for direct writes where each commit is synced anyway."""
    now, commit = facts.now, facts.get(variable(COMMIT)).value
    copied = Is(now.on, "it is ON", "it is OFF") & Is(
        commit in SYNCED, "commits are synced", "commits are not synced"
    )
    card = facts.card(
        f"Redo {'goes through' if now.on else 'bypasses'} the page cache, and commits are "
        f"{'' if commit in SYNCED else 'not '}synced ({COMMIT} = {commit}).",
        copied,
        valid="On file systems that support direct writes.",
        because="MariaDB's documentation says so; the two were not compared here.",
    )
    if not copied:
        return card.fine()
    where = facts.find(REDO_DIRECTORY)
    if where is not None and where.filesystem in NO_DEVICE:
        return card.fine(
            f"Fine as it is: on {where.filesystem} the server finds no block size and stays ON.",
            flips_when="the redo log lies on a file system with a block device of its own",
        )
    return card.consider(
        facts.to("OFF", dynamic=False),
        effect="A commit's redo is not copied into the page cache first; mostly that is faster.",
        confidence=Confidence.LOW,
        risk="Low: takes a restart. Some drives handle small direct writes badly; compare "
        "commits/s.",
        cost_of_error="Some per cent of commits/s at most.",
    )


@rule(
    name="redo.log-file-mmap",
    title="The memory that the redo log is mapped into (MariaDB)",
    topic="Redo log",
    do="Move the redo log to a drive",
    setting="innodb_log_file_mmap",
    needs=(REDO_DIRECTORY,),
    uses=(STORAGE_DATA,),
    applies_to=(mariadb("10.11.10"),),
    findings=("F88",),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def mapping(facts: Facts) -> Answer:
    """See that a mapped log lies in memory that survives a power cut."""
    mapped, kind = facts.now.on, facts.get(REDO_DIRECTORY).filesystem
    volatile = Is(
        kind in VOLATILE,
        "the log lies in memory that a power cut empties",
        "the log lies on a drive or on persistent memory",
    )
    card = facts.card(
        f"The redo log is {'' if mapped else 'not '}mapped into memory and lies on "
        f"{kind or 'an unknown file system'}.",
        volatile,
        valid="For the log's directory as it is mounted now.",
    )
    if not volatile:
        return card.fine(
            f"Fine as it is{': the fastest commit, on persistent memory' if mapped else ''}."
        )
    data = facts.find(STORAGE_DATA)
    if data is not None and data.filesystem in VOLATILE:
        return card.fine(
            "The data lies in memory too: log and data are lost together.",
            flips_when="the data lies on a drive",
        )
    return card.watch(
        "When the machine goes down the log is lost, and the server does not start without its "
        "log: the data is lost as well. Move the log to a drive.",
        confidence=Confidence.HIGH,
        risk="Loss of the database.",
    )


@rule(
    name="redo.log-file-write-through",
    title="innodb_log_file_write_through against both ways to sync on this drive (MariaDB)",
    topic="Redo log",
    do="Check both ways to sync the redo log",
    setting="innodb_log_file_write_through",
    needs=(REDO_FDATASYNC, REDO_O_DSYNC),
    uses=PARTS,
    applies_to=(mariadb("11.0"),),
    findings=("F88", "F89"),
    knowledge=Knowledge.MEASURED,
)
def write_through(facts: Facts) -> Answer:
    """Take the faster of two safe ways."""
    now = facts.now
    after_us, through_us = (
        facts.get(each).latency.p50_us for each in (REDO_FDATASYNC, REDO_O_DSYNC)
    )
    used_us, other_us = (through_us, after_us) if now.on else (after_us, through_us)
    slower = At(
        "time ratio of both ways",
        used_us / other_us,
        of=f"{duration_us(used_us)} / {duration_us(other_us)}",
        least=FASTER,
        say=times,
    )
    card = facts.card(
        f"A 4 KiB append takes {duration_us(after_us)} with fdatasync and {duration_us(through_us)}"
        f" with O_DSYNC (medians); write-through is {now.value}.",
        slower,
        valid="While the redo log lies on the measured drive; for one writer.",
    )
    commit = facts.find(variable(COMMIT))
    if commit is not None and commit.value in RELAXED:
        # One way is safer than the other then, and durability is the owner's decision.
        return card.fine(
            f"Left as it is: with {COMMIT} = {commit.value} only what is written through survives a"
            " power cut."
            if now.on
            else f"Fine as it is: with {COMMIT} = {commit.value} commits do not wait for a sync.",
            flips_when=f"{COMMIT} is 1 or 3",
        )
    if not slower:
        return card.fine()
    return card.recommend(
        facts.to("OFF" if now.on else "ON"),
        effect=f"Each sync of redo takes {percent(1 - other_us / used_us)} less time.",
        relieves=(shorter(facts, FileRole.REDO, used_us, other_us),),
        risk="Low: as safe as before.",
        verify=f"SELECT @@GLOBAL.{now.name};  -- during a resize of the log it may stay as it was",
    )
