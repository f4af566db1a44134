"""What one random read costs when nothing else is asked of the drive: cheap, or a seek."""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.rulekit.facts import Facts
from probes import figures
from probes.points import Curve

CURVE = CURVE_RANDOM_READ_PAGE

CHEAP_US, SEEK_US = 1000.0, 3000.0
"""Below the first a read is cheap (flash), above the second the drive seeks."""

CHEAP = figures.duration_us(CHEAP_US)

NOT_ALONE = "One random read at a time was not measured, and several wait for each other."


def single_read_us(facts: Facts) -> float | None:
    """Give the median of one read at a time, None where fewer than two at a time were not measured.

    With more of them in flight a read waits for the others: a network volume at its limit would
    look like a disk that seeks.
    """
    return alone_us(facts.find(CURVE))


def alone_us(curve: Curve | None) -> float | None:
    """Give the median of a curve's point of one thread, None where there is none."""
    if curve is None or curve.points[0].setting.threads > 1:
        return None
    return curve.points[0].latency.p50_us
