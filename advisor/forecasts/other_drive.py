"""Another drive under a live server: its reads, its commits, and what can be flushed to it."""

from __future__ import annotations

from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.forecasts.commit_turns import log_of
from advisor.forecasts.inputs import drive_rates, redo_rates
from advisor.forecasts.live import Live
from advisor.forecasts.turned import Turned
from probes.errors import UsageError
from probes.points import Probe
from probes.ranges import Range
from probes.repeats import curves


def other_drive(live: Live, found: Turned, drive: Contender) -> Turned:
    change = replace(found.change, drive=drive_rates(drive, found.settings.page_bytes))
    can = _flushable(drive, found.settings.page_bytes)
    now = live.server.flushed_per_s
    change = replace(change, flushable=None if can is None or now is None else can / now)
    found = found.changed(change).also("drive", "as now", drive.name)
    if live.settings.redo_apart or live.server.sync_us is None or not live.server.commits.value:
        return found
    try:
        return log_of(live, found, redo_rates(drive))
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
