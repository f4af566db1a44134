"""What stands in narrow cells: rates, and how sure they are."""

from __future__ import annotations

import math

from probes.figures import UNKNOWN, Say, is_narrow, percent, ranged
from probes.points import Point, Trust

MARKS = {Trust.OK: "", Trust.DOUBTFUL: "?", Trust.REJECTED: "!"}
LEGEND = "? doubtful: its range is wide   ! rejected: it feeds no advice"


def short(per_s: float) -> str:
    """``812``, ``3.12k``, ``31.2k``, ``1.25M``: a rate in a narrow cell."""
    if math.isnan(per_s):
        return UNKNOWN
    for limit, divisor, unit in ((999.5, 1, ""), (999_500, 1e3, "k")):
        if per_s < limit:
            return f"{per_s:.0f}" if not unit else f"{three(per_s / divisor)}{unit}"
    return f"{three(per_s / 1e6)}M"


def three(value: float) -> str:
    """At most three digits that matter, never more than two after the point."""
    if math.isnan(value):
        return UNKNOWN
    if value < 9.995:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def rate_cell(point: Point, say: Say = short) -> str:
    """A point's rate, with no digit that its interval denies."""
    ends = point.interval_per_s
    return say(point.rate_per_s) if ends is None else ranged(point.rate_per_s, *ends, say)[0]


def interval_text(point: Point, say: Say = short, to: str = "–") -> str:
    """``±2 %``; where that is wide, its ends, ``280–28k``; a dash where nobody knows."""
    share, ends = half_width(point), point.interval_per_s
    if math.isnan(share) or ends is None:
        return UNKNOWN
    if is_narrow(point.rate_per_s, *ends):
        return f"±{percent(share)}"
    _, low, high = ranged(point.rate_per_s, *ends, say)
    return f"{low}{to}{high}"


def half_width(point: Point) -> float:
    """Half of the rate's 95 % interval as a share of the rate; nan where that is unknown."""
    ends = point.interval_per_s
    if ends is None or point.rate_per_s <= 0:
        return math.nan
    return (ends[1] - ends[0]) / 2 / point.rate_per_s
