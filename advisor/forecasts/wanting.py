"""Where a forecast's band is too wide to be one: which figures are wanting."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from advisor.forecasts.what_if import WhatIf

TOO_WIDE = 10.0
"""A band whose high end is more than this many times its low end says nothing (our choice)."""

OPEN = 1.5
"""So far apart, as a factor, both ends of what a change leaves of today's misses are not known."""


class Wanting(StrEnum):
    """A figure that nobody has measured yet."""

    MISS_TRACE = "miss-trace"
    DRIVE_READS = "drive-reads"
    DRIVE_FLUSHING = "drive-flushing"
    COMMITS = "commits"


def is_narrow(found: WhatIf) -> bool:
    """Whether the band is narrow enough to be a forecast."""
    then = found.then.rate_per_s
    return then.high <= TOO_WIDE * then.low


def wanting(found: WhatIf) -> tuple[Wanting, ...]:
    """What would narrow the band of a change, as far as it is known; the most likely first."""
    return tuple(_wanting(found))


def _wanting(found: WhatIf) -> Iterator[Wanting]:
    server, settings, change = found.live.server, found.live.settings, found.turned.change
    misses = change.reads
    if settings.miss_curve is None and misses.high > OPEN * misses.low:
        yield Wanting.MISS_TRACE
    if server.drive is None and server.reads.value > 0:
        yield Wanting.DRIVE_READS
    if server.pages.value > 0 and (settings.price is None or change.flushable is None):
        yield Wanting.DRIVE_FLUSHING
    if server.commits.value > 0 and server.log is None:
        yield Wanting.COMMITS
