"""Place of the binary log.

## What it checks
Whether the binary log lies on the data's drive, and whether commits get slower there while pages
are flushed; on a drive of its own, whether that one syncs slower than the redo log's.

## Why it matters
With a binary log a commit syncs two files, one after the other. A drive of its own does not save
the second sync, so on a quiet drive it gains nothing. It helps only where the syncs wait for
flushed pages. Another reason is safety: when the data's drive fails, the binary log restores the
hours since the last backup. A drive of its own that syncs slowly costs each commit what it takes
longer than the redo log's.

## How it is judged
- No binary log: not applicable.
- On different drives, where commits wait for its syncs, and these take 1 ms or more and at least
  twice as long (our choices) as syncs of the redo log: the redo log's drive is proposed. Nobody
  timed the redo log's: watch. Else fine.
- The redo log's drive is one that a cloud empties when the machine stops: the binary log is what
  survives there, and stays. At Amazon an io2 volume is proposed for it, of which AWS states 0.5 ms
  on average: from 1.5 times that on where commits take a fifth of query time (our choices).
  Elsewhere a faster kind of volume: watch.
- `sync_binlog` 0, so that commits don't sync it: fine. The server's own syncs of it take less than
  0.2 ms beside its page writes: fine.
- On one drive, and commits slower by a quarter or more and by 0.2 ms or more (our choices) beside a
  rate of flushing that the server reaches: move it, after redo. Slower at rates that the server
  does not reach: fine. Slower at lower rates alone, or the rate is not known: watch. Not slower:
  fine.
- While the volume's limit on requests or bytes is to be raised, this waits. It also waits while
  another pool or a larger redo log is proposed: the server writes another number of pages then.
- Where that was not measured: the server's own syncs take less than 1 ms, or the drive is busy less
  than half of the time: fine. Else watch.

## How to check by hand
`SHOW VARIABLES LIKE 'log_bin_basename'`, and `iostat -x 1` while commits are slow.

## Risk and undo
A clean stop, a copy of the files and of their index, a start. Paths in the index file must be
changed too.

## When it is wrong
When the other drive syncs slower than this one. With group replication, where commits wait longer
for the network than for a drive.

## References
- MySQL reference manual, log_bin and sync_binlog
- MySQL reference manual, "Point-in-Time Recovery Using Binary Log"
- AWS, "Amazon EBS volume types"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_EPHEMERAL
from advisor.facts.server.variables import variable
from advisor.facts.watched.placement import BINLOG_PLACE_SEEN, MIXED_COMMITS, STORAGE_BINLOG_APART
from advisor.facts.watched.sync_cost import REDO_SYNC_COST, WATCH_BINLOG_SYNC
from advisor.facts.watched.watch import CallTime
from advisor.rulekit import (
    Answer,
    Facts,
    Inapplicable,
    Knowledge,
    Needs,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rules.placement._commit_neighbours import Neighbours
from advisor.rules.placement._log import MEASURE_FIRST, Log, judge_apart, takes
from advisor.rules.placement._log_place import judge_place
from advisor.rules.placement._outliving_log import OUTLIVING_USES, outliving, slow_from_us
from advisor.rules.placement._watched_log import USES
from advisor.workload.commit_waits import PARTS, shorter, shorter_by_up_to
from advisor.workload.sync_cost import FASTER, SLOW_US
from probes.figures import duration_us, times
from probes.inventory.facts import Role
from probes.watch.words import FileRole

BINLOG = Log(
    name="binary log",
    role=FileRole.BINLOG,
    apart_brings="The log survives a failure of the data's drive.",
    useless="A drive of its own would not make commits faster: the two syncs follow each other "
    "anyway. It would still save the binary log when the data's drive fails.",
    risk="A restart, and paths in the index file that must be right.",
    side_effects="Backups must include the new path.",
    steps=(
        MEASURE_FIRST,
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
)


@rule(
    topic="Placement",
    do="Give the binary log the faster drive",
    needs=(variable("log_bin"),),
    uses=(
        STORAGE_BINLOG_APART,
        BINLOG_PLACE_SEEN,
        MIXED_COMMITS,
        *(each for each in PARTS if each != variable("log_bin")),
        *USES,
        STORAGE_EPHEMERAL,
        *OUTLIVING_USES,
        variable("sync_binlog"),
        status("Innodb_pages_written"),
    ),
    settings=("log_bin",),
    findings=("F90", "F91"),
    waits_for=(
        # What the place of redo waits for comes before it: while that is held back, so is this.
        "cloud.request-limit",
        "cloud.throughput-limit",
        "buffer-pool.size",
        "redo.capacity",
        "placement.redo",
    ),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Ask for a drive for the binary log where its syncs are seen to wait."""
    if not facts.get(variable("log_bin")).on:
        # It has no directory of one either: that must not be what is said to be lacking.
        return Inapplicable("The server writes no binary log.")
    for needed in (STORAGE_BINLOG_APART, BINLOG_PLACE_SEEN):
        if facts.find(needed) is None:
            return Unjudged(facts.lacks(needed))
    if facts.find(STORAGE_BINLOG_APART):
        return _apart(facts)
    mixed, written = facts.find(MIXED_COMMITS), facts.find(status("Innodb_pages_written"))
    sync = facts.find(variable("sync_binlog"))
    return judge_place(
        facts,
        BINLOG,
        None if mixed is None else Neighbours(mixed, written),
        facts.find(WATCH_BINLOG_SYNC),
        synced=sync is None or sync.number > 0,
    )


def _apart(facts: Facts) -> Answer:
    """Judge a drive of its own by what commits wait for its syncs."""
    own, sync = facts.find(WATCH_BINLOG_SYNC), facts.find(variable("sync_binlog"))
    synced = sync is not None and sync.value == "1"
    outlives = Role.REDO in (facts.find(STORAGE_EPHEMERAL) or ())
    least_us = slow_from_us(facts) if outlives else SLOW_US
    if own is None or not synced or not (slow := takes(BINLOG, own, least_us)):
        return judge_apart(facts, BINLOG)
    redo = facts.find(REDO_SYNC_COST)
    if redo is not None and FASTER * redo.takes_us.value > own.latency_us.value:
        return judge_apart(facts, BINLOG)
    card = facts.card(
        f"The binary log lies on a drive of its own, and a sync takes "
        f"{own.latency_us.text(duration_us)} there, {own.source}.",
        slow,
        valid="While the load is like that of the status window.",
    )
    if outlives:
        return outliving(facts, card, own)
    if redo is None:
        return card.watch(
            "Commits wait for it: measure a sync on the redo log's drive, and move the binary log "
            "to the faster of the two, or to a drive with power-loss protection.",
            relieves=(shorter_by_up_to(facts, FileRole.BINLOG, 1.0),),
        )
    return _to_redo(facts, own, redo.takes_us.value)


def _to_redo(facts: Facts, own: CallTime, redo_us: float) -> Answer:
    """Move it to the drive whose syncs are faster."""
    binlog_us = own.latency_us.value
    return facts.card(
        f"A sync of the binary log takes {own.latency_us.text(duration_us)}, {own.source}; one of "
        f"the redo log, on another drive, {duration_us(redo_us)}.",
        takes(BINLOG, own, max(SLOW_US, FASTER * redo_us)),
        because="The server's own syncs of both logs were watched.",
        valid="While the redo log's drive has room for the binary log's writes.",
    ).recommend(
        by_hand(
            "the redo log's drive",
            "Move the binary log to the redo log's drive",
            (
                "See that the drive has room for the binary logs that are kept.",
                *BINLOG.steps[1:],
            ),
            BINLOG.undo,
            Needs.RESTART,
        ),
        setting="place of the binary log",
        now="on a drive of its own",
        effect=f"There a sync takes about {duration_us(redo_us)}, "
        f"{times(binlog_us / redo_us)} as fast. Or put it on a drive with power-loss protection.",
        relieves=(shorter(facts, FileRole.BINLOG, binlog_us, redo_us),),
        risk="A restart. When that drive fails, data and binary log are gone at once: a replica or "
        "copies of the binary log have to stand in.",
        cost_of_error="A restart.",
        side_effects=BINLOG.side_effects,
        verify=BINLOG.verify,
    )
