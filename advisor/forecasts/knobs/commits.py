"""Knobs of what a live server's commits wait for: which syncs, of which log, on which drive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.facts.watched.sync_cost import RELAXED
from advisor.forecasts.knobs.turned import Turned, whole
from advisor.forecasts.server.inputs import alike, beyond_one, drive_rates, redo_rates
from advisor.forecasts.server.live import Live
from advisor.forecasts.server.settings import commit_times, commit_us, waiting_share
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.change import KEPT
from advisor.model.network.own_error import ChangeKind
from probes.errors import UsageError
from probes.statistics.ranges import Range

SYNC_CPU_US = Range(50.0, 10.0, 300.0)
"""What the kernel and the server's threads take of a processor for a commit's sync (our choice).

Two servers that were limited by two processors did so much less with it that each commit took 37
and 42 us more of one.
"""

LEAST_CPU = 0.5
"""So much of a query's processor time is left at least."""

SELDOM_SYNC = Range(0.6, 0.2, 1.0)
"""Syncs that come once a second have more to write than those of each commit: what these take of
their time (our choice)."""

DURABILITY = ("flush_log_at_trx_commit", "sync_binlog")
"""Those that say what a commit waits for, together."""


def durable(live: Live, found: Turned, given: Mapping[str, str]) -> Turned:
    """Commits that wait for other syncs, or for those of another log."""
    settings = live.settings
    redo, every = settings.redo_synced, settings.binlog_every
    if "flush_log_at_trx_commit" in given:
        value = given["flush_log_at_trx_commit"].strip()
        if value not in {"0", "1", "2"}:
            raise UsageError(f"'{value}' is no innodb_flush_log_at_trx_commit.", "Write 0, 1 or 2.")
        before, redo = ("1" if redo else "0 or 2"), value not in RELAXED
        lost = () if redo else ("The last second of commits can be lost in a crash.",)
        found = found.also("flush_log_at_trx_commit", before, value, *lost)
    if "sync_binlog" in given:
        now, every = every, whole(given["sync_binlog"], "commits per sync", 10**9, least=0)
        beside = () if settings.binlog_on else ("The binary log is off: nothing changes.",)
        found = found.also("sync_binlog", str(now), str(every), *beside)
    same = (redo, every) == (settings.redo_synced, settings.binlog_every)
    if same and found.settings.redo_us == settings.redo_us:
        return found
    if live.server.commits.value <= 0:
        note = "No commits were counted while it was watched: what they wait for changes nothing."
        return replace(found, notes=(*found.notes, note))
    sync_us = commit_us(found.settings, redo, every)
    if sync_us is None:
        raise UsageError(
            "What a sync takes is not known: nobody timed one of this server's.",
            "Measure commits on its drive with `leadline probe redo`.",
        )
    if redo and not settings.redo_synced:
        sync_us = sync_us * SELDOM_SYNC
    log = found.change.log or live.server.log
    today = waiting_share(settings, settings.redo_synced, settings.binlog_every)
    change = replace(
        found.change,
        sync_us=sync_us,
        sync_times=commit_times(found.settings, redo, every),
        log=log,
        own_cpu=found.change.own_cpu * _sync_cpu(live, int(redo) - int(settings.redo_synced)),
        commits=found.change.commits * waiting_share(settings, redo, every) / today,
    ).erring(ChangeKind.DURABILITY)
    return found.changed(change)


def _sync_cpu(live: Live, more: int) -> Range:
    """The processor time of a query, as a factor, where each commit has ``more`` syncs, or fewer.

    Of a saturated server that is all that they cost.
    """
    own_us = live.server.likeliest().own_cpu_us if more else 0.0
    if own_us <= 0:
        return Range.exact(1.0)
    ends = sorted(
        max(LEAST_CPU, 1 + more * each * live.server.commits.value / own_us)
        for each in (SYNC_CPU_US.value, SYNC_CPU_US.low, SYNC_CPU_US.high)
    )
    return Range(ends[1], ends[0], ends[2])


def other_log(live: Live, found: Turned, log: Contender) -> Turned:
    """Commits to a redo log on another drive."""
    return log_of(live, found.also("redo log", "as now", log.name), log)


def log_of(live: Live, found: Turned, drive: Contender) -> Turned:
    """Commits to a log on this drive; raises UsageError where it has none.

    Today's syncs may take longer or shorter than one committer's on the server's own curve. As of
    reads, half of that factor (as a power) is taken along to another drive.
    """
    curve, own = redo_rates(drive), live.server.log
    if alike(curve, own):
        return replace(found, notes=(*found.notes, f"{drive.name} has the server's own log."))
    settings, one = live.settings, _one_commit_us(curve)
    redo_us, binlog_us = one, None
    notes = beyond_one(f"On {drive.name}", curve)
    if isinstance(own, MeasuredRates) and settings.redo_us is not None:
        factor = 1 / _one_commit_us(own).value
        redo_us = _carried(one, settings.redo_us.value * factor)
        if settings.binlog_us is not None:
            binlog_us = _carried(one, settings.binlog_us.value * factor)
    elif settings.redo_us is not None:
        notes += (
            "Commits were not measured on the server's own drive: that its syncs beside its load "
            f"may take other times than alone is not known of {drive.name}'s.",
        )
    then = replace(
        found.settings, redo_us=redo_us, binlog_us=binlog_us, redo_times=None, binlog_times=None
    )
    change = replace(found.change, log=curve, elsewhere=True)
    return replace(found, settings=then, change=change, notes=(*found.notes, *notes))


def _one_commit_us(curve: MeasuredRates) -> Range:
    """What a commit takes that is alone."""
    if curve.threads[0] > 1:
        return Range.exact(1e6 / float(curve.up_to(1)[0]))
    rate = curve.rates_per_s[0]
    return Range(1e6 / rate.value, 1e6 / rate.high, 1e6 / rate.low)


def _carried(one_us: Range, factor: float) -> Range:
    """A sync's time where today's is ``factor`` of what its drive's curve says of one."""
    return Range(
        one_us.value * factor**KEPT,
        one_us.low * min(1.0, factor),
        one_us.high * max(1.0, factor),
    )


def other_drive(live: Live, found: Turned, drive: Contender) -> Turned:
    """The server on a drive with these curves; raises UsageError where it has no reads."""
    reads = drive_rates(drive, found.settings.page_bytes)
    found = found.also("drive", "as now", drive.name)
    if alike(reads, found.change.drive or live.server.drive):
        return replace(found, notes=(*found.notes, f"{drive.name} is the server's own drive."))
    found = found.changed(replace(found.change, drive=reads, elsewhere=True))
    if live.settings.redo_apart or live.server.sync_us is None or not live.server.commits.value:
        return found
    try:
        return log_of(live, found, drive)
    except UsageError:
        note = f"{drive.name} has no commits: the log's syncs are taken to stay as they are."
        return replace(found, notes=(*found.notes, note))
