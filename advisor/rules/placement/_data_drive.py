"""A redo log on a slow drive of its own moves to the data's drive."""

from __future__ import annotations

from advisor.facts.watched.placement import STORAGE_BINLOG_APART
from advisor.facts.watched.sync_cost import REDO_SYNC_COST, WATCH_BINLOG_SYNC, SyncCost
from advisor.facts.watched.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Needs, by_hand
from advisor.rules.placement._log import Log, takes
from advisor.workload.commit_waits import binlog_synced, shorter
from advisor.workload.sync_cost import DATA_DRIVE, FASTER, SLOW_US, faster_on_data_drive
from probes.figures import duration_us, times

MOVE_USES = (*DATA_DRIVE, STORAGE_BINLOG_APART)


def to_data_drive(facts: Facts, log: Log, despite: tuple[str, ...]) -> Answer | None:
    """Propose the data's drive, whose syncs are faster; None where they are not known to be.

    ``despite`` is what a drive that pages are flushed to has to wait for: this one need not.
    """
    there, redo = faster_on_data_drive(facts), facts.find(REDO_SYNC_COST)
    if there is None or redo is None or redo.own is None:
        return None
    now_us, then_us = redo.own.latency_us.value, there.commit_us.value
    return facts.card(
        f"A sync of the redo log takes {redo.own.latency_us.text(duration_us)}, "
        f"{redo.own.source}; one on the data's drive, {duration_us(then_us)}"
        f"{_known(there, redo.own)}.",
        takes(log, redo.own, max(SLOW_US, FASTER * then_us)),
        because=_because(there),
        valid="While the data's drive has room for the redo log's writes.",
    ).recommend(
        by_hand(
            "the data's drive",
            "Move the redo log to the data's drive",
            (
                "See that the drive has room for the redo log.",
                "Stop the server cleanly (innodb_fast_shutdown = 1).",
                "Copy the redo files (#innodb_redo, or ib_logfile* of older servers) to the data "
                "directory, with their owner and rights.",
                "Take innodb_log_group_home_dir out of the option file, and a link or a mount that "
                "leads to the other drive away.",
                "Start the server, look for its files there, then delete the old ones.",
            ),
            log.undo,
            Needs.RESTART,
        ),
        setting=f"place of the {log.name}",
        now="on a drive of its own",
        effect=f"There a sync takes about {duration_us(then_us)}, {times(now_us / then_us)} as "
        f"fast, and nothing has to be bought.{_binlog_too(facts, then_us)}",
        relieves=(shorter(facts, log.role, now_us, then_us),),
        confidence=Confidence.MEDIUM,
        despite=despite,
        risk="A restart. Without its redo log the server does not start: keep the old files until "
        "it has.",
        cost_of_error="Two restarts.",
        side_effects="The data's drive has the log's syncs beside its own requests.",
        verify=log.verify,
    )


def _known(there: SyncCost, own: CallTime) -> str:
    """Who timed it, for the end of a sentence; "" where the same timed the log's own."""
    if there.own is None:
        return ", as it was measured there"
    return "" if there.own.source == own.source else f", {there.own.source}"


def _because(there: SyncCost) -> str:
    if there.own is None:
        return "A sync on the data's drive was measured, and that drive is idle most of the time."
    return "The syncs of both drives were watched under the server's own load."


def _binlog_too(facts: Facts, then_us: float) -> str:
    """That the binary log would sync faster there as well, as a sentence after a space."""
    own: CallTime | None = facts.find(WATCH_BINLOG_SYNC)
    apart = facts.find(STORAGE_BINLOG_APART) and binlog_synced(facts)
    if own is None or not apart or own.latency_us.value < max(SLOW_US, FASTER * then_us):
        return ""
    return (
        f" The binary log takes {duration_us(own.latency_us.value)} where it lies and would be as "
        "fast there; apart, it survives a failure of the data's drive."
    )
