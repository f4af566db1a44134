"""The memory that the redo log is mapped into (MariaDB).

## What it checks
Whether MariaDB has mapped its redo log into memory, and what lies under it.

## Why it matters
On persistent memory MariaDB maps the log and writes it without any call to the kernel: the fastest
commit. It treats files under /dev/shm (tmpfs) as such memory too: then commits are as fast, and all
of them are lost when the machine goes down.

## How it is judged
`innodb_log_file_mmap` of the running server. The manual calls ON the default; a running server
shows OFF wherever the log lies on a drive, since it maps it for recovery alone.
- the log lies on tmpfs or ramfs: watch, with full weight, mapped or not. Where the data lies in
  memory as well, the log alone loses nothing: fine here; another rule judges the data.
- ON elsewhere: fine, that is persistent memory. OFF elsewhere: fine.

## How to check by hand
`SELECT @@innodb_log_file_mmap;` and `df -T DIR` of the redo log

## Risk and undo
Nothing is changed here. To move the log: shut down cleanly, set `innodb_log_group_home_dir`, move
ib_logfile0 there, start.

## When it is wrong
On a test server that may lose everything.

## References
- MariaDB documentation, "InnoDB System Variables", innodb_log_file_mmap
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Stakes, mariadb, rule

VOLATILE = {"tmpfs", "ramfs"}


@rule(
    topic="Redo log",
    setting="innodb_log_file_mmap",
    needs=(REDO_DIRECTORY,),
    uses=(STORAGE_DATA,),
    applies_to=(mariadb("10.11.10"),),
    findings=("F88",),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
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
