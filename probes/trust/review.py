"""Judging points beside each other, and against what is known of their drive.

A single point can look sound and yet be a cache's, or faster than its bus. What its own figures say
is ``probes.trust.point``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from probes.points import Point
from probes.trust.across.caches import emulated_direct, small_set, zeros_and_holes
from probes.trust.across.device_limits import (
    faster_than_bus,
    impossible_latency,
    in_memory,
    rotating_disks,
)
from probes.trust.across.first_touch import first_touch
from probes.trust.across.mixtures import mixed_buffers, mixed_io
from probes.trust.across.undurable_sync import undurable_sync
from probes.trust.doubt import Remark, lower
from probes.trust.server_load import marked
from probes.trust.surroundings import Surroundings

__all__ = ["CHECKS", "Surroundings", "review"]

Check = Callable[[Sequence[Point], Surroundings], Iterator[tuple[int, Remark]]]

CHECKS: tuple[Check, ...] = (
    in_memory,
    impossible_latency,
    faster_than_bus,
    rotating_disks,
    emulated_direct,
    small_set,
    first_touch,
    zeros_and_holes,
    undurable_sync,
    mixed_io,
    mixed_buffers,
)
"""Each yields doubts with the index of the point that they are about."""


def review(points: Sequence[Point], surroundings: Surroundings) -> list[Point]:
    """The same points, in their order, with what shows only beside others.

    Those beside the server's own load are marked. Trust only ever falls; ids and figures stay.
    Reviewing again changes nothing: what a check says it says of figures, and trust that has fallen
    can only make it say less.
    """
    points = marked(points)
    remarks: dict[int, list[Remark]] = {}
    for check in CHECKS:
        for index, remark in check(points, surroundings):
            remarks.setdefault(index, []).append(remark)
    return [lower(point, remarks.get(index, ())) for index, point in enumerate(points)]
