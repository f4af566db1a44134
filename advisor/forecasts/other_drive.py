"""Another drive under a live server: its reads and its commits."""

from __future__ import annotations

from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.forecasts.commit_turns import log_of
from advisor.forecasts.inputs import alike, drive_rates
from advisor.forecasts.live import Live
from advisor.forecasts.turned import Turned
from probes.errors import UsageError


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
