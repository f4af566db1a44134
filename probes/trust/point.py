"""Judging one point at its arrival: what its own figures and samples say against it.

What only shows beside other points, or with what is known of the drive, is ``probes.trust.review``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from probes.events import Calibrated
from probes.points import Point, Probe, Sample
from probes.trust.arrival import (
    buffered,
    bursts,
    busy_cpu,
    clock_frequency,
    clock_jump,
    failures,
    fewer_threads,
    foreign_io,
    nothing_finished,
    prober_limit,
    stolen_time,
    unseen_by_device,
    unseen_syncs,
    unsettled,
    wide_interval,
)
from probes.trust.arrival.seen import Seen, seen
from probes.trust.change_points import phases
from probes.trust.doubt import Doubt, lower

Check = Callable[[Seen], Doubt | None]

CHECKS: tuple[Check, ...] = (
    nothing_finished.check,
    unseen_by_device.check,
    unseen_syncs.check,
    buffered.check,
    wide_interval.check,
    bursts.check,
    unsettled.check,
    failures.failed,
    failures.missing_rows,
    fewer_threads.check,
    foreign_io.check,
    stolen_time.check,
    prober_limit.check,
    busy_cpu.check,
    clock_frequency.check,
    clock_jump.check,
)
"""In the order in which their reasons are told."""


def judge(point: Point, samples: Sequence[Sample], *, calibrated: Calibrated | None) -> Point:
    """The point with its trust, the reasons for it and what limited it.

    ``samples`` are all of the point, those of the warm-up too. Trust and reasons that the point has
    already (an engine's own warnings) are kept: trust only falls. An engine puts what it counted
    into ``details``: ``errors`` and ``missing_rows`` (operations), ``threads`` that ran, and what
    PROTOCOL.md lists there. Of what is unknown (absent or nan) nothing is said. A steady_write gets
    its phases into ``details.phases``, so that they stay known without the samples.
    """
    found = seen(point, samples, calibrated)
    judged = lower(point, (doubt for check in CHECKS if (doubt := check(found)) is not None))
    if point.setting.probe is not Probe.STEADY_WRITE:
        return judged
    told = [phase.as_detail() for phase in phases(samples, point.setting.block_size_bytes)]
    return replace(judged, details={**judged.details, "phases": told})
