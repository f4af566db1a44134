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
  reaches, with `sync_binlog` above 0: move it, after redo. Slower only at higher rates, or the
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

from advisor import wording
from advisor.model.interference import Interference
from advisor.outcomes import Apply, Confidence, Needs, Verdict
from advisor.plan.steps import Procedure
from advisor.rules.commit_neighbours import WORDS, Neighbours
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Inapplicable, Judged, rule
from advisor.variables.standing import Standing

WHAT = "Move the binary log to a drive of its own"
STEPS = (
    "Measure the other drive first: its syncs must be at least as fast and as safe.",
    "Stop the server cleanly.",
    "Copy the binary logs and their index file to a directory of the server's own user there, and "
    "change the paths in the index file.",
    "Set log_bin to the new path and base name in the option file.",
    "Start the server, look at SHOW BINARY LOGS, then delete the old files.",
)
UNDO = (
    "Stop the server cleanly, copy the files and their index back, set log_bin to the old path, "
    "start.",
)


@rule(
    topic="Placement",
    needs=("mysql.variable.log_bin", "storage.binlog_apart", "mixed.commits"),
    uses=("mysql.variable.sync_binlog", "mysql.status.Innodb_pages_written"),
    settings=("log_bin",),
    findings=("F90", "F91"),
    waits_for=("placement.redo",),
)
def check(facts: Facts) -> Answer:
    """Ask for a drive for the binary log where its syncs are seen to wait."""
    if not facts.get("mysql.variable.log_bin", Standing).on:
        return Inapplicable("The server writes no binary log.")
    if facts.get("storage.binlog_apart", bool):
        return Judged(
            Verdict.FINE,
            "The binary log and the data lie on different drives.",
            effect="Flushed pages do not stand in the way of its syncs, and it survives the data's "
            "drive.",
            confidence=Confidence.HIGH,
            flips_when="both move to one drive",
            formula="drives under binary log and data: none in common",
            because="both were followed down to their drives",
            valid="As long as both keep their drives.",
        )
    written = facts.find("mysql.status.Innodb_pages_written", float)
    neighbours = Neighbours(facts.get("mixed.commits", Interference), written)
    sync = facts.find("mysql.variable.sync_binlog", Standing)
    synced = sync is None or sync.number > 0
    harmful = neighbours.harmful_per_s
    if harmful is None or not synced:
        return _harmless(neighbours, synced=synced)
    if written is None or neighbours.slower is None:
        return _watch(neighbours, harmful)
    return _move(neighbours, written, harmful)


def _harmless(neighbours: Neighbours, *, synced: bool) -> Answer:
    why = (
        "commits do not get slower while pages are flushed"
        if synced
        else "the binary log is not synced at commits"
    )
    return Judged(
        Verdict.FINE,
        f"The binary log and the data share a drive, and {why}.",
        effect="A drive of its own would make no commit faster: the two syncs follow each other "
        "anyway. It would still save the binary log when the data's drive dies.",
        confidence=Confidence.HIGH,
        flips_when="commits get slower by a quarter beside flushing",
        formula=neighbours.formula,
        because="commits and flushing were measured together on this drive",
        valid="For the rates of flushing that were measured.",
    )


def _watch(neighbours: Neighbours, harmful: float) -> Answer:
    return Judged(
        Verdict.WATCH,
        "The binary log and the data share a drive, and commits get slower beside "
        f"{wording.rate(harmful, 'flushed pages')}.",
        effect="The server is not seen to flush that much. Keep innodb_io_capacity below it.",
        confidence=Confidence.MEDIUM,
        flips_when=f"the server flushes {wording.rate(harmful, 'pages')} or more",
        gain=0.1,
        formula=neighbours.formula,
        because="commits and flushing were measured together on this drive",
        valid="For this drive and page size.",
        cost_of_error="None: nothing is changed.",
    )


def _move(neighbours: Neighbours, written: float, harmful: float) -> Answer:
    found = neighbours.slower
    if found is None:
        return _watch(neighbours, harmful)
    figure, ratio = found
    return Judged(
        Verdict.RECOMMEND,
        "The binary log and the data share a drive. The server flushes "
        f"{wording.rate(written, 'pages')}, and beside that the {WORDS[figure]} of a sync is "
        f"{wording.times(ratio.value)} what it is without flushing.",
        proposed="a drive for the binary log",
        effect="The second sync of each commit no longer waits behind flushed pages, and the "
        "binary log survives the data's drive.",
        confidence=Confidence.MEDIUM,
        risk="A restart, and paths in the index file that must be right.",
        needs=Needs.OS,
        apply=Apply(os="\n".join(STEPS)),
        undo="\n".join(UNDO),
        flips_when=f"the server flushes less than {wording.rate(harmful, 'pages')}",
        gain=0.4,
        formula=neighbours.formula,
        because="commits and flushing were measured together here, the other drive was not",
        valid="For this drive and this rate of flushing.",
        cost_of_error="A restart, and a drive that brings little.",
        side_effects="Backups must take the new path in.",
        verify="SHOW BINARY LOGS; SELECT @@log_bin_basename;",
        steps=(Procedure(WHAT, STEPS, UNDO, Needs.OS),),
    )
