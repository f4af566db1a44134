"""Another drive under a live server: its reads, its commits, and what can be flushed to it."""

from __future__ import annotations

from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.forecasts.commit_turns import log_of
from advisor.forecasts.inputs import alike, drive_rates
from advisor.forecasts.live import Live
from advisor.forecasts.turned import Turned
from probes.errors import UsageError
from probes.points import Probe
from probes.ranges import Range
from probes.repeats import curves


def other_drive(live: Live, found: Turned, drive: Contender) -> Turned:
    """The server on a drive with these curves; raises UsageError where it has no reads."""
    reads = drive_rates(drive, found.settings.page_bytes)
    found = found.also("drive", "as now", drive.name)
    if alike(reads, found.change.drive or live.server.drive):
        return replace(found, notes=(*found.notes, f"{drive.name} is the server's own drive."))
    can, now = _flushable(drive, found.settings.page_bytes), live.server.flushed_per_s
    flushable = None if can is None or now is None else can / now
    change = replace(found.change, drive=reads, flushable=flushable, elsewhere=True)
    found = found.changed(change)
    if live.settings.redo_apart or live.server.sync_us is None or not live.server.commits.value:
        return found
    try:
        return log_of(live, found, drive)
    except UsageError:
        note = f"{drive.name} has no commits: the log's syncs are taken to stay as they are."
        return replace(found, notes=(*found.notes, note))


def _flushable(drive: Contender, page_bytes: int) -> Range | None:
    flushed = [
        point
        for curve in curves(drive.usable)
        for point in curve.points
        if point.setting.probe is Probe.PAGE_FLUSH
        and point.setting.block_size_bytes == page_bytes
        and point.setting.options.get("doublewrite") == "on"
    ]
    best = max(flushed, key=lambda point: point.rate_per_s, default=None)
    return None if best is None else Range(best.rate_per_s, *best.bounds_per_s)
