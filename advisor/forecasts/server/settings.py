"""What a live server has of what can be turned, and what follows from other values of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.model.curves.doublewrite_price import DoublewritePrice
from advisor.model.curves.latency_shape import LatencyShape, one_after_the_other
from advisor.model.server.miss_ratio import MissCurve
from advisor.model.server.redo_log import RedoLog
from advisor.workload.commit_waits import syncs_us
from probes.statistics.ranges import Range
from probes.version import ServerVersion

TWICE = Range(1.5, 1.0, 2.0)
"""Requests that a flushed page makes of the drive with doublewrite, where its price was not
measured: its copy goes out with others in one request, and takes as many bytes (our choice)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server has now, of what can be turned; None where nobody knows it.

    One in ``binlog_every`` commits waits for a sync of the binary log, of 0 none.
    No more pages than ``dirtied_per_s`` are changed each second. ``page_requests`` are how often a
    query asks the pool for a page, ``filled_bytes`` what of it ever held one; a larger pool is
    rounded up to a multiple of ``pool_step_bytes``. ``log_writers`` is whether redo has threads of
    its own, ``hand_over_us`` what a commit takes of a processor for them.
    """

    page_bytes: int
    pool_bytes: float | None
    data_bytes: float | None
    memory_bytes: float | None
    miss_curve: MissCurve | None
    redo_synced: bool
    binlog_every: int
    binlog_on: bool
    redo_us: Range | None
    binlog_us: Range | None
    twice: bool
    price: DoublewritePrice | None
    version: ServerVersion | None
    io_capacity: float | None
    written_per_s: float
    reading_share: float
    redo_apart: bool
    redo: RedoLog | None
    redo_files: int
    log_writers: bool | None
    hand_over_us: Range
    dirtied_per_s: float | None = None
    page_requests: float | None = None
    filled_bytes: float | None = None
    pool_step_bytes: int = 1
    redo_times: LatencyShape | None = None
    binlog_times: LatencyShape | None = None
    past_cache: float = 1.0
    """How many times as long reads take where the page cache answers none of them."""

    def pool_of(self, wanted_bytes: int) -> int:
        """What the server makes of a pool that is to be larger: whole chunks of each instance."""
        if self.pool_bytes is None or wanted_bytes <= self.pool_bytes:
            return wanted_bytes
        return math.ceil(wanted_bytes / self.pool_step_bytes) * self.pool_step_bytes


def commit_us(settings: Settings, redo_synced: bool, binlog_every: int) -> Range | None:
    """What the syncs of a commit take that waits for any; None where nobody timed one."""
    binlog_us = settings.binlog_us or settings.redo_us
    share = _binlog_share(redo_synced, binlog_every)
    return syncs_us(
        settings.redo_us,
        None if binlog_us is None else binlog_us.times(share),
        redo_synced=redo_synced,
        binlog_synced=binlog_every > 0 and settings.binlog_on,
    )


def waiting_share(settings: Settings, redo_synced: bool, binlog_every: int) -> float:
    """The share of commits that wait for a sync, of those that wait for any at some time."""
    rarely = settings.binlog_on and binlog_every > 1 and not redo_synced
    return 1 / binlog_every if rarely else 1.0


def _binlog_share(redo_synced: bool, binlog_every: int) -> float:
    """The part of a sync of the binary log that such a commit has, where all wait for the redo."""
    return 1 / binlog_every if redo_synced and binlog_every else 1.0


def commit_times(settings: Settings, redo_synced: bool, binlog_every: int) -> LatencyShape | None:
    """How the times of a commit's syncs are spread; None where one of them was not traced."""
    share = _binlog_share(redo_synced, binlog_every)
    logs = (
        (redo_synced, settings.redo_times, settings.redo_us, 1.0),
        (binlog_every and settings.binlog_on, settings.binlog_times, settings.binlog_us, share),
    )
    waited = [(shape, took, part) for synced, shape, took, part in logs if synced]
    known = [
        (shape, took.value * part)
        for shape, took, part in waited
        if shape is not None and took is not None
    ]
    return one_after_the_other(known) if known and len(known) == len(waited) else None


def requests_per_page(settings: Settings, *, twice: bool) -> Range:
    """How much work of the drive a flushed page is, by the price that was measured, else about."""
    if not twice:
        return Range.exact(1.0)
    price = settings.price
    ratio = None if price is None else (price.on_ratio or price.legacy_ratio)
    return TWICE if ratio is None or ratio.value <= 0 else Range.exact(max(1.0, 1 / ratio.value))


def flushed_per_s(settings: Settings, *, twice: bool) -> Range | None:
    """How many pages the drive can flush with doublewrite or without; None where not measured."""
    price = settings.price
    if price is None:
        return None
    point = (price.on or price.legacy) if twice else price.off
    return None if point is None else Range(point.rate_per_s, *point.bounds_per_s)
