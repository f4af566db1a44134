"""How many pages can be flushed after a change of the drive, of doublewrite or of the pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from advisor.compare.contender import Contender
from advisor.forecasts.knobs.turned import Turned
from advisor.forecasts.server.live import Live
from advisor.forecasts.server.settings import Settings, flushed_per_s
from probes import figures
from probes.points import Curve, Probe
from probes.statistics.ranges import Range
from probes.statistics.repeats import curves


def flush_ceiling(live: Live, found: Turned, drive: Contender | None) -> Turned:
    """The change with what can be flushed then, as it was measured; all else is turned already.

    What a stripe flushes is between one drive's pages and all drives'.
    """
    now, change, then = live.server.flushed_per_s, found.change, found.settings
    elsewhere = drive is not None and change.elsewhere
    own_way = (then.page_bytes, then.twice) == (live.settings.page_bytes, live.settings.twice)
    if own_way and not elsewhere:
        can: Range | None = Range.exact(1.0)
    else:
        measured = _measured(live, then, drive if elsewhere else None)
        can = None if now is None or measured is None else measured / now
    notes = []
    if now is not None and live.server.pages.value > 0:
        if can is None:
            pages = f"pages of {figures.size(then.page_bytes)}"
            notes = [f"Flushing {pages} there was not measured: where it limits is not known."]
        elif change.drives > 1:
            notes = [
                f"A stripe of {change.drives} is taken to flush between as many pages as one drive "
                f"and {change.drives} times as many."
            ]
    if can is not None and change.drives > 1:
        can *= Range(change.drives**0.5, 1.0, float(change.drives))
    return replace(found, change=replace(change, flushable=can), notes=(*found.notes, *notes))


def _measured(live: Live, then: Settings, drive: Contender | None) -> Range | None:
    """Pages a second on another drive, or on the server's own one with other pages."""
    if drive is not None:
        return _most(curves(drive.usable), then)
    if then.page_bytes == live.settings.page_bytes:
        return flushed_per_s(live.settings, twice=then.twice)
    return _most(live.case.curves(Probe.PAGE_FLUSH), then)


def _most(measured: Iterable[Curve], then: Settings) -> Range | None:
    """The most pages that were flushed, of this size and written so often."""
    flushed = [
        point
        for curve in measured
        for point in curve.points
        if point.usable
        and point.setting.probe is Probe.PAGE_FLUSH
        and point.setting.block_size_bytes == then.page_bytes
        and point.setting.options.get("doublewrite") == ("on" if then.twice else "off")
    ]
    best = max(flushed, key=lambda point: point.rate_per_s, default=None)
    return None if best is None else Range(best.rate_per_s, *best.bounds_per_s)
