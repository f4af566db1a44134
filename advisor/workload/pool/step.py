"""How far a buffer pool grows at once: as far as memory is idle, then as its misses repay it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.model.server.miss_ratio import MissCurve

IDLE_PART = 0.5
"""So much of the available memory nobody is going to use: it costs nothing (our choice)."""

NEARLY = 0.9
"""A pool that saves this share of what the largest would save is as good (our choice)."""

SIZEABLE = 0.25
"""A pool of this share of the data may hold most of what is read again and again (our choice)."""

TIMES, HALF_WAY = 2.0, 0.5
"""It becomes this many times as large, or this part of the way if that is more (our choices)."""


@dataclass(frozen=True, slots=True)
class PoolStep:
    """A pool of ``size`` bytes as the next step, of the ``most`` that memory and data allow.

    ``unknown`` is whether the trace ends there, so that nobody knows what more would save; else the
    largest would save hardly more. ``traced`` is whether there is a trace.
    """

    size: float
    most: float
    unknown: bool
    traced: bool = True


def next_step(curve: MissCurve, now: float, idle_to: float, most: float) -> PoolStep | None:
    """The step to go first; None where all of ``most`` is to be taken at once. Sizes are in bytes.

    Up to ``idle_to`` the pool takes memory that lies idle, or is worth the change at all.
    """
    if most <= idle_to:
        return None
    page_bytes = now / curve.pool_pages
    end = min(most, curve.reach_pages * page_bytes)
    if end <= idle_to:
        return PoolStep(idle_to, most, unknown=True)
    wanted = NEARLY * _saved(curve, end / page_bytes)
    sizes = (pages * page_bytes for pages in _bends(curve))
    good = (each for each in sizes if idle_to < each < end)
    enough = (each for each in (idle_to, *good) if _saved(curve, each / page_bytes) >= wanted)
    size = next(enough, end)
    # Beyond the trace more may be saved than it shows, unless hardly a miss is left.
    unknown = end < most and _saved(curve, size / page_bytes) < NEARLY
    return PoolStep(size, most, unknown) if size < most else None


def untraced_step(now: float, data: float, most: float) -> PoolStep | None:
    """The step to go first where nobody has seen which pages are read again, in bytes.

    None where all of ``most`` is to be taken: the pool is small beside the data, or nearly there.
    """
    size = max(TIMES * now, now + HALF_WAY * (most - now))
    if now < SIZEABLE * data or size >= NEARLY * most:
        return None
    return PoolStep(size, most, unknown=True, traced=False)


def _bends(curve: MissCurve) -> Iterator[float]:
    """The pools at which the curve bends, in pages, ascending."""
    return (curve.kept_pages + distance for distance, _ in curve.steps)


def _saved(curve: MissCurve, pages: float) -> float:
    """The share of the misses that such a pool saves."""
    left = curve.share(min(pages, curve.reach_pages))
    return 0.0 if left is None else 1 - left.value
