"""What the misses of a query take of processors: each less, the more of them there are.

Measured with MariaDB 10.11 on a virtual machine of two processors, whose pool was made smaller
step by step beside 16 connections that look up rows (`oltp_point_select`, uniform keys, O_DIRECT):
15.3 us of a query in the pool, and 7.0 more with 0.034 misses of a query, 10.8 with 0.13, 19.2 with
0.32, 32.2 with 0.70 and 34.5 with 0.89. That is 36 us times the square root, within 12 % for four
of five. The first misses cost most, since a pool that has to make room moves pages at hits, too.
"""

from __future__ import annotations

from probes.statistics.ranges import Range

GROWS = 0.5
"""The power of a query's misses that their processor time grows with."""

POWERS = (0.35, 1.0)
"""Within these it is held to be: a read that costs much beside the rest makes it grow in
proportion (our choice)."""


def per_miss(at: float, then: float, power: float = GROWS) -> float:
    """How many times as much a miss takes with ``then`` misses of a query as with ``at``; above 0.

    1 where a query has none.
    """
    return float((then / at) ** (power - 1)) if at > 0 and then > 0 else 1.0


def of_all(at_one_us: Range, misses: float) -> Range:
    """What each of a query's ``misses`` takes, where one for each query takes ``at_one_us``."""
    return at_one_us.times(per_miss(1.0, misses))
