"""What commits pay to hand their redo to threads of its own (MySQL from 8.0.22 on)."""

from __future__ import annotations

from probes.ranges import Range

AS_MEASURED = 4
"""Up to so many CPUs a hand-over surely costs; with more the threads may save as much."""

_TAKES_US = Range(100.0, 50.0, 200.0)
"""With two CPUs a transaction took so much less of the server's processor time without: of 9.7.4
with all data in its pool 109 to 510 µs from 4 and 16 connections, of 8.0.33 with its default pool
74 to 350 from one and 16. The figure and its range are our choice."""


def hand_over_us(cpus: float | None) -> Range:
    """What the hand-over of a commit that changes rows takes of a processor."""
    sure = cpus is not None and cpus <= AS_MEASURED
    return _TAKES_US if sure else _TAKES_US.reaching(low=0.0)
