"""Turns of what a live server's commits wait for: which syncs, and of which log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.forecasts.inputs import redo_rates
from advisor.forecasts.live import Live, commit_times, commit_us
from advisor.forecasts.turned import Turned, whole
from advisor.model.measured_rates import MeasuredRates
from advisor.workload.query_time import RELAXED
from probes.errors import UsageError
from probes.ranges import Range

DURABILITY = ("flush_log_at_trx_commit", "sync_binlog")
"""Those that say what a commit waits for, together."""


def durable(live: Live, found: Turned, given: Mapping[str, str]) -> Turned:
    """Commits that wait for other syncs, or for those of another log."""
    settings = live.settings
    redo, binlog = settings.redo_synced, settings.binlog_synced
    if "flush_log_at_trx_commit" in given:
        value = given["flush_log_at_trx_commit"].strip()
        if value not in {"0", "1", "2"}:
            raise UsageError(f"'{value}' is no innodb_flush_log_at_trx_commit.", "Write 0, 1 or 2.")
        now, redo = ("1" if redo else "0 or 2"), value not in RELAXED
        lost = () if redo else ("The last second of commits can be lost in a crash.",)
        found = found.also("flush_log_at_trx_commit", now, value, *lost)
    if "sync_binlog" in given:
        count = whole(given["sync_binlog"], "commits per sync", 10**9, least=0)
        now, binlog = ("1" if binlog else "0 or more than 1"), count == 1
        beside = () if settings.binlog_on else ("The binary log is off: nothing changes.",)
        found = found.also("sync_binlog", now, str(count), *beside)
    same = (redo, binlog) == (settings.redo_synced, settings.binlog_synced)
    if same and found.settings.redo_us == settings.redo_us:
        return found
    if live.server.commits.value <= 0:
        note = "No commits were counted while it was watched: what they wait for changes nothing."
        return replace(found, notes=(*found.notes, note))
    sync_us = commit_us(found.settings, redo, binlog)
    if sync_us is None:
        raise UsageError(
            "What a sync takes is not known: nobody timed one of this server's.",
            "Measure commits on its drive with `leadline probe redo`.",
        )
    log = found.change.log or live.server.log
    times = commit_times(found.settings, redo, binlog)
    return found.changed(replace(found.change, sync_us=sync_us, sync_times=times, log=log))


def other_log(live: Live, found: Turned, log: Contender) -> Turned:
    return log_of(live, found.also("redo log", "as now", log.name), redo_rates(log))


def log_of(live: Live, found: Turned, curve: MeasuredRates) -> Turned:
    sync_us = Range.exact(1e6 / float(curve.up_to(1)[0]))
    settings = replace(
        found.settings, redo_us=sync_us, binlog_us=None, redo_times=None, binlog_times=None
    )
    return replace(found, settings=settings, change=replace(found.change, log=curve))
