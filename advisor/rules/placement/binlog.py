"""Place of the binary log.

## What it checks
Whether the binary log lies on the data's drive, and whether commits get slower there while pages
are flushed.

## Why it matters
With a binary log a commit syncs two files, one after the other. A drive of its own does not take
the second sync away, so on a quiet drive it brings nothing. It helps only where the syncs wait
behind flushed pages. There is another reason for it, which no speed can tell: when the data's drive
dies, the binary log is what brings back the hours since the last backup.

## How it is judged
- No binary log: nothing to say. On different drives: fine.
- On one drive, and commits slower by a quarter or more beside a rate of flushing that the server
  reaches, with `sync_binlog` above 0: move it, after redo. Slower only at other rates, or the
  rate is not known: watch. Not slower: fine.

## How to check by hand
`SHOW VARIABLES LIKE 'log_bin_basename'`, and `iostat -x 1` while commits are slow.

## Risk and undo
A clean stop, a copy of the files and of their index, a start. Paths in the index file must be
changed too.

## When it is wrong
When the other drive syncs slower than this one. On MySQL in a group, where commits wait for the
network longer than for any drive.

## References
- MySQL reference manual, log_bin and sync_binlog
- MySQL reference manual, "Point-in-Time Recovery Using Binary Log"
"""

from __future__ import annotations

from advisor.facts.known import MIXED_COMMITS, STORAGE_BINLOG_APART, status, variable
from advisor.rulekit.answers import Answer, Inapplicable
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.placement._commit_neighbours import Neighbours
from advisor.rules.placement._log_place import Log, judge_place

BINLOG = Log(
    name="binary log",
    apart_brings="The log survives the data's drive.",
    useless="A drive of its own would make no commit faster: the two syncs follow each other "
    "anyway. It would still save the binary log when the data's drive dies.",
    risk="A restart, and paths in the index file that must be right.",
    side_effects="Backups must take the new path in.",
    steps=(
        "Measure the other drive first: its syncs must be at least as fast and as safe.",
        "Make a directory of the server's own user there, and allow it in AppArmor's or SELinux' "
        "rules for the server where the system has them.",
        "Stop the server cleanly.",
        "Copy the binary logs and their index file to it, and change the paths in the index file.",
        "Set log_bin to the new path and base name in the option file.",
        "Start the server, look at SHOW BINARY LOGS, then delete the old files.",
    ),
    undo=(
        "Stop the server cleanly, copy the files and their index back, change the paths in the "
        "index file back, set log_bin to what it was, start.",
    ),
    verify="SHOW BINARY LOGS; SELECT @@log_bin_basename;",
    gain=0.4,
)


@rule(
    topic="Placement",
    needs=(variable("log_bin"), STORAGE_BINLOG_APART, MIXED_COMMITS),
    uses=(variable("sync_binlog"), status("Innodb_pages_written")),
    settings=("log_bin",),
    findings=("F90", "F91"),
    waits_for=("placement.redo",),
)
def check(facts: Facts) -> Answer:
    """Ask for a drive for the binary log where its syncs are seen to wait."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log.")
    written = facts.find(status("Innodb_pages_written"))
    neighbours = Neighbours(facts.get(MIXED_COMMITS), written)
    sync = facts.find(variable("sync_binlog"))
    return judge_place(
        BINLOG,
        neighbours,
        apart=facts.get(STORAGE_BINLOG_APART),
        synced=sync is None or sync.number > 0,
    )
