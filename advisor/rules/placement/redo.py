"""Place of the redo log.

## What it checks
Whether the redo log lies on the data's drive, and whether commits get slower there while pages are
flushed.

## Why it matters
A commit waits for one small sync of the redo log. On the same drive background flushing sends
batches of pages, and the sync queues behind them. On some drives that doubles the time of a commit,
on others nothing happens: only measuring tells.

## How it is judged
- Mixed points measure commits without flushing and beside rates of it. The level is the highest
  measured rate that the server's own (`Innodb_pages_written` per second) reaches.
- `slower` = the median or p99 of commits there / without flushing. From 1.25 on, and not by chance,
  it counts.
- On different drives: fine. On one, and slower at the server's own rate: a drive for redo. Slower
  only at higher rates, or the server's rate is not known: watch. Not slower: fine.

## How to check by hand
`iostat -x 1` while commits are slow: `w_await` of the data's drive grows with its `wkB/s`.

## Risk and undo
The redo log must be on storage that is as safe as the data's: with it gone, the data is lost too. A
clean stop, a copy and a start; the way back is the same.

## When it is wrong
When the other drive syncs slower than this one: measure it first. Two partitions or two volumes of
one array are one drive.

## References
- D. Kravtchuk, "8.0 GA and IO-bound TPCC", on redo and page writes
- MySQL reference manual, innodb_log_group_home_dir
"""

from __future__ import annotations

from advisor import wording
from advisor.model.interference import Interference
from advisor.outcomes import Apply, Confidence, Needs, Verdict
from advisor.plan.steps import Procedure
from advisor.rules.commit_neighbours import WORDS, Neighbours
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, rule

WHAT = "Move the redo log to a drive of its own"
STEPS = (
    "Measure the other drive first: its syncs must be at least as fast and as safe.",
    "Stop the server cleanly (innodb_fast_shutdown = 1).",
    "Copy the redo files (#innodb_redo, or ib_logfile* of older servers) to a directory of the "
    "server's own user there.",
    "Set innodb_log_group_home_dir to that directory in the option file.",
    "Start the server, look for its files there, then delete the old ones.",
)
UNDO = (
    "Stop the server cleanly, copy the redo files back, take innodb_log_group_home_dir out, start.",
)


@rule(
    topic="Placement",
    needs=("storage.redo_apart", "mixed.commits"),
    uses=("mysql.status.Innodb_pages_written",),
    findings=("F37", "F38"),
)
def check(facts: Facts) -> Answer:
    """Ask for a drive for redo where flushing is seen to slow commits down."""
    apart = facts.get("storage.redo_apart", bool)
    mixture = facts.get("mixed.commits", Interference)
    written = facts.find("mysql.status.Innodb_pages_written", float)
    neighbours = Neighbours(mixture, written)
    if apart:
        return Judged(
            Verdict.FINE,
            "Redo and data lie on different drives.",
            effect="Flushed pages do not stand in the way of commits.",
            confidence=Confidence.HIGH,
            flips_when="both move to one drive",
            formula="drives under redo and data: none in common",
            because="both were followed down to their drives",
            valid="As long as both keep their drives.",
        )
    if neighbours.slower is None:
        return _harmless(neighbours)
    if written is None:
        return _somewhere(neighbours, "The server's own rate of flushing is not known.")
    return _slower(neighbours, written)


def _harmless(neighbours: Neighbours) -> Answer:
    harmful = neighbours.harmful_per_s
    if harmful is not None:
        return _somewhere(neighbours, "The server flushes less than that.")
    most = neighbours.mixture.levels[-1].flushed_per_s
    return Judged(
        Verdict.FINE,
        "Redo and data share a drive, and commits do not get slower beside up to "
        f"{wording.rate(most, 'flushed pages')}.",
        effect="A drive for redo alone would bring commits nothing.",
        confidence=Confidence.HIGH,
        flips_when="commits get slower by a quarter beside flushing",
        formula=neighbours.formula,
        because="commits and flushing were measured together on this drive",
        valid=f"For flushing up to {wording.rate(most, 'pages')}.",
    )


def _somewhere(neighbours: Neighbours, known: str) -> Answer:
    harmful = neighbours.harmful_per_s or neighbours.level.flushed_per_s
    return Judged(
        Verdict.WATCH,
        "Redo and data share a drive, and commits get slower beside "
        f"{wording.rate(harmful, 'flushed pages')}. {known}",
        effect="Keep innodb_io_capacity below that rate. A drive for redo is worth its price only "
        "when the server has to flush more.",
        confidence=Confidence.MEDIUM,
        flips_when=f"the server flushes {wording.rate(harmful, 'pages')} or more",
        gain=0.15,
        formula=neighbours.formula,
        because="commits and flushing were measured together on this drive",
        valid="For this drive and page size.",
        cost_of_error="None: nothing is changed.",
    )


def _slower(neighbours: Neighbours, written: float) -> Answer:
    found = neighbours.slower
    if found is None:
        return _harmless(neighbours)
    figure, ratio = found
    harmful = neighbours.harmful_per_s or written
    return Judged(
        Verdict.RECOMMEND,
        f"Redo and data share a drive. The server flushes {wording.rate(written, 'pages')}, and "
        f"beside that the {WORDS[figure]} of a commit is {wording.times(ratio.value)} what it is "
        "without flushing.",
        proposed="a drive for the redo log alone",
        effect=f"Commits lose the wait behind flushed pages: the {WORDS[figure]} falls to "
        f"{wording.percent(1 / ratio.value)} of what it is.",
        confidence=Confidence.MEDIUM,
        risk="Redo is as dear as the data: the other drive must be as safe. It needs a restart.",
        needs=Needs.OS,
        apply=Apply(os="\n".join(STEPS)),
        undo="\n".join(UNDO),
        flips_when=f"the server flushes less than {wording.rate(harmful, 'pages')}",
        gain=0.5,
        formula=neighbours.formula,
        because="commits and flushing were measured together here, the other drive was not",
        valid="For this drive and this rate of flushing.",
        cost_of_error="A restart, and a drive that brings little.",
        side_effects="Two drives to keep safe in place of one.",
        verify="SELECT @@innodb_log_group_home_dir; then measure commits again.",
        steps=(Procedure(WHAT, STEPS, UNDO, Needs.OS),),
    )
