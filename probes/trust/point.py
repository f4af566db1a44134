"""Judging one point at its arrival: what its own figures and samples say against it.

What only shows beside other points, or with what is known of the drive, is ``probes.trust.review``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from probes.events import Calibrated
from probes.points import Point, Probe, Sample
from probes.trust.arrival.caches import through_page_cache, unseen_reads, unseen_syncs
from probes.trust.arrival.machine import (
    busy_processors,
    clock_frequency,
    clock_jump,
    prober_limit,
)
from probes.trust.arrival.neighbours import foreign_io, stolen_time
from probes.trust.arrival.rate import (
    failed_operations,
    fewer_threads,
    missing_rows,
    not_settled,
    nothing_finished,
    stepped,
    wide_interval,
)
from probes.trust.arrival.seen import Seen, seen
from probes.trust.change_points import phases
from probes.trust.doubt import Remark, lower
from probes.trust.server_load import marked_alone

Check = Callable[[Seen], Remark | None]

CHECKS: tuple[Check, ...] = (
    nothing_finished,
    unseen_reads,
    unseen_syncs,
    through_page_cache,
    wide_interval,
    stepped,
    not_settled,
    failed_operations,
    missing_rows,
    fewer_threads,
    foreign_io,
    stolen_time,
    prober_limit,
    busy_processors,
    clock_frequency,
    clock_jump,
)
"""In the order in which their reasons are given."""


def judge(point: Point, samples: Sequence[Sample], *, calibrated: Calibrated | None) -> Point:
    """The point with its trust, the reasons for it and what limited it.

    ``samples`` are all of the point, those of the warm-up too. Trust and reasons that the point has
    already (an engine's own warnings) are kept: trust only falls. An engine puts what it counted
    into ``details``: ``errors`` and ``missing_rows`` (operations), ``threads`` that ran, and what
    PROTOCOL.md lists there. Of what is unknown (absent or nan) nothing is said. A steady_write gets
    its phases into ``details.phases``, so that they stay known without the samples; a point beside
    the server's own load gets that load's figures (``probes.points.SERVER_LOAD``).
    """
    found = seen(point, samples, calibrated)
    judged = lower(point, (remark for check in CHECKS if (remark := check(found)) is not None))
    judged = marked_alone(judged)
    if point.setting.probe is not Probe.STEADY_WRITE:
        return judged
    details = [phase.as_detail() for phase in phases(samples, point.setting.block_size_bytes)]
    return replace(judged, details={**judged.details, "phases": details})
