"""Judging one point at its arrival: what its own figures and samples say against it.

What only shows beside other points, or with what is known of the drive, is ``probes.trust.review``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from probes.events import Calibrated
from probes.points import Point, Sample
from probes.trust.arrival import (
    buffered,
    failures,
    fewer_threads,
    nothing_finished,
    wide_interval,
)
from probes.trust.arrival.seen import Seen, seen
from probes.trust.doubt import Doubt, lower

Check = Callable[[Seen], Doubt | None]

CHECKS: tuple[Check, ...] = (
    nothing_finished.check,
    buffered.check,
    wide_interval.check,
    failures.failed,
    failures.missing_rows,
    fewer_threads.check,
)
"""In the order in which their reasons are told."""


def judge(point: Point, samples: Iterable[Sample], *, calibrated: Calibrated | None) -> Point:
    """The point with its trust, the reasons for it and what limited it.

    ``samples`` are all of the point, those of the warm-up too. Trust and reasons that the point has
    already (an engine's own warnings) are kept: trust only falls. An engine puts what it counted
    into ``details``: ``errors`` and ``missing_rows`` (operations), ``threads`` that ran, and what
    PROTOCOL.md lists there. Of what is unknown (absent or nan) nothing is said.
    """
    found = seen(point, samples, calibrated)
    return lower(point, (doubt for check in CHECKS if (doubt := check(found)) is not None))
