"""The memory that the redo log may be mapped into (MariaDB).

## What it checks
Whether MariaDB has mapped its redo log into memory, and what lies under it.

## Why it matters
On persistent memory MariaDB maps the log and writes it without any call to the kernel, the fastest
commit there is. It takes files under /dev/shm (tmpfs) for such memory too: then commits are as
fast, and nothing of them is left after the machine goes down.

## How it is judged
`innodb_log_file_mmap` of the running server. The manual calls ON the default; a running server
shows OFF wherever the log lies on a drive, since it maps it for recovery alone.
- the log lies on tmpfs or ramfs: watch, with full weight, mapped or not. Where the data lies in
  memory as well, nothing is lost by the log alone: fine here, and told of the data elsewhere.
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

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_DIRECTORY, STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb

SETTING = "innodb_log_file_mmap"
FORGETS = {"tmpfs", "ramfs"}


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, variable("innodb_log_file_mmap"), REDO_DIRECTORY),
    uses=(STORAGE_DATA,),
    settings=(SETTING,),
    applies_to=(mariadb("10.11.10"),),
    findings=("F88",),
)
def check(facts: Facts) -> Answer:
    """See that a mapped log lies in memory that lasts."""
    now = facts.get(variable("innodb_log_file_mmap"))
    where = facts.get(REDO_DIRECTORY)
    kind = where.filesystem or "an unknown file system"
    judged = Judged(
        Verdict.FINE,
        f"The redo log is {'' if now.on else 'not '}mapped into memory; it lies on {kind}.",
        SETTING,
        now.now,
        effect="Fine as it is"
        + (": on persistent memory that is the fastest commit there is." if now.on else "."),
        confidence=Confidence.MEDIUM,
        flips_when="the log lies in memory that a power cut empties",
        formula=f"mapped = {now.text}, file system = {kind}",
        valid="For the log's directory as it is mounted now.",
        because="The server shows whether it maps the log, the kernel what lies under it.",
        cost_of_error="Everything that was committed.",
    )
    if where.filesystem not in FORGETS:
        return judged
    data = facts.find(STORAGE_DATA)
    if data is not None and data.filesystem in FORGETS:
        effect = "The data lies in memory too: the log lasts as long as what it is for."
        return replace(judged, effect=effect, flips_when="the data lies on a drive")
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="When the machine goes down the log is gone, and with it the server's data: it does "
        "not start without its log. Move the log to a drive.",
        confidence=Confidence.HIGH,
        risk="Loss of the database.",
        flips_when="the log lies on a drive or on persistent memory",
        gain=1.0,
    )
