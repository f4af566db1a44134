"""How many misses another buffer pool would have, where no trace shows it: named shapes.

Of a cache that grows, misses fall by a power of its size, on most loads between the square root and
somewhat less (C. Chow, "On optimization of storage hierarchies", IBM Journal of Research and
Development 18, 1974); where it holds all data there are none left: expected is the power, of the
part of the data that has no room. Rows that are read alike often
(uniform) are what a larger pool helps least, at first. What a load is like shows in no counter, so
that the range reaches from one shape to the other.
"""

from __future__ import annotations

import math

from advisor.model.server.miss_ratio import MissCurve
from probes.statistics.ranges import Range

ROOT, STEEP = 0.5, 1.0
"""The power that is expected, and the steepest that the range holds (our choice)."""

GENTLE = 0.1
"""The power of a pool that shrinks, at least: what it drops was hardly asked for (our choice)."""

ASKED = 0.85
"""Of the data's size this part at least is ever asked for (our choice): pages have free room, and
files have pages that hold nothing."""

LEAST = 0.002
"""Of today's misses some are left in any pool: pages that nobody read before (our choice)."""


def share_of_misses(
    pool_bytes: float, other_bytes: float, data_bytes: float | None, measured: MissCurve | None
) -> Range:
    """The share of today's misses that another pool would have; above 1 for a smaller one.

    ``measured`` is the curve from a trace, which goes before the shapes as far as it reaches.
    ``data_bytes`` is the size of all tables, None where nobody knows it.
    """
    if other_bytes == pool_bytes:
        return Range.exact(1.0)
    if measured is None or other_bytes < pool_bytes:
        return _shaped(pool_bytes, other_bytes, data_bytes)
    page_bytes = pool_bytes / measured.pool_pages
    found = measured.share(other_bytes / page_bytes)
    if found is not None:
        return found
    reach_bytes = measured.reach_pages * page_bytes
    last = measured.steps[-1][1]
    beyond = _shaped(max(reach_bytes, pool_bytes), other_bytes, data_bytes)
    return Range(
        max(LEAST, last.value * beyond.value), last.low * beyond.low, last.high * beyond.high
    )


def reads_of_denser_pages(
    pool_bytes: float,
    times: float,
    data_bytes: float | None,
    measured: MissCurve | None,
    now_bytes: float | None = None,
) -> Range:
    """The share of its reads that a pool has which holds ``times`` as many pages of another size.

    Between rows that lie together, and rows each alone on its page: then it is as if the pool were
    that many times as large. ``times`` below 1 is for larger pages. ``now_bytes`` is the pool that
    ``measured`` is of, where the other one is a change too.
    """
    if times == 1:
        return Range.exact(1.0)
    now = pool_bytes if now_bytes is None else now_bytes
    before, after = (
        share_of_misses(now, each, data_bytes, measured)
        for each in (pool_bytes, pool_bytes * times)
    )
    # Both are shares of today's misses, by the same shape at each end.
    most = after.value / before.value if before.value else 1.0
    pairs = ((after.low, before.low), (after.high, before.high))
    ends = [most, *(one / other for one, other in pairs if other > 0)]
    return Range((1 + most) / 2, min(1.0, *ends), max(1.0, *ends))


def _shaped(pool_bytes: float, other_bytes: float, data_bytes: float | None) -> Range:
    data = math.inf if data_bytes is None else data_bytes
    if other_bytes >= data:
        return Range(LEAST, 0.0, max(LEAST, 0.1))
    if pool_bytes >= data:
        # It holds all data and misses all the same: new pages, read once.
        return Range.exact(1.0) if other_bytes >= pool_bytes else Range(2.0, 1.0, 10.0)
    if other_bytes < pool_bytes:
        return _smaller(pool_bytes, other_bytes, data)
    uniform = 1.0 if math.isinf(data) else (data - other_bytes) / (data - pool_bytes)
    middle = (pool_bytes / other_bytes) ** ROOT * uniform
    steep = _power(pool_bytes, other_bytes, data, STEEP)
    shapes = (middle, steep, uniform)
    asked = ASKED * data
    fewer = _power(pool_bytes, other_bytes, asked, STEEP) if asked > other_bytes else 0.0
    return Range(max(middle, LEAST), min(*shapes, fewer), max(*shapes, LEAST))


def _smaller(pool_bytes: float, other_bytes: float, data_bytes: float) -> Range:
    """Misses of a smaller pool: hardly more where what it drops is seldom asked for again.

    Of a pool that holds nearly all data most misses may be of pages that nobody read before: then
    they rise as in a cache of endless data, and else from the few that it has room for.
    """
    endless = (pool_bytes / other_bytes) ** ROOT
    ends = [endless, (pool_bytes / other_bytes) ** STEEP]
    if not math.isinf(data_bytes):
        ends += [_power(pool_bytes, other_bytes, data_bytes, each) for each in (ROOT, STEEP)]
        ends.append((data_bytes - other_bytes) / (data_bytes - pool_bytes))
    middle = math.sqrt(endless * ends[2]) if len(ends) > 2 else endless
    return Range(middle, (pool_bytes / other_bytes) ** GENTLE, max(ends))


def _power(pool_bytes: float, other_bytes: float, data_bytes: float, power: float) -> float:
    """Misses that fall by a power of the pool, to none where it holds all data."""
    least = (pool_bytes / data_bytes) ** power
    return float(((pool_bytes / other_bytes) ** power - least) / (1 - least))
