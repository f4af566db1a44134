"""Whether a curve ends just where a queue does."""

from __future__ import annotations

from probes.points import Curve

STOPS = 1.10
"""Less growth than this beyond the queue means that the curve ended there."""
GREW = 1.20
"""At least this growth up to the queue means that it had not ended before."""


def ends_at(curve: Curve, depth: int) -> tuple[float, float] | None:
    """The rates per second at ``depth`` threads and the best beyond, where the curve ends there.

    None where it goes on, had ended before, or was not measured on both sides of ``depth``.
    """
    below = [point for point in curve.points if point.setting.threads < depth]
    at = [point for point in curve.points if depth <= point.setting.threads < depth * 2]
    beyond = [point for point in curve.points if point.setting.threads >= depth * 2]
    if not below or not at or not beyond:
        return None
    here, more = at[0].rate_per_s, max(point.rate_per_s for point in beyond)
    ends = here >= GREW * below[-1].rate_per_s and more < STOPS * here
    return (here, more) if ends else None
