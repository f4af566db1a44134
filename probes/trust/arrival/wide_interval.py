"""The rate swung so much that its mean says little.

An interval that reaches from 0.6 to 1.65 times the rate means that the drive did two different
things, or that somebody else used it. Plans ask for 1.5 to 5 %; a point that misses this at its
time cap is still of use as long as the interval is shown with it, so the threshold is far above.
Swings multiply a rate, so the width is taken of its logarithm: half of the way from the lower to
the upper end.
"""

from __future__ import annotations

import math

from probes import figures
from probes.points import Point, Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

WIDEST = 0.50
"""Half the 95 % interval of the rate's logarithm."""


def check(seen: Seen) -> Doubt | None:
    """Doubt a point whose interval is wider than its rate allows; unknown intervals pass."""
    if not half_width(seen.point) > WIDEST:
        return None
    low, high = seen.point.ci95_per_s
    return Doubt(
        Trust.DOUBTFUL,
        f"The rate swung: its 95{figures.THIN}% interval goes from {figures.rate(low)} to "
        f"{figures.rate(high)}.",
    )


def half_width(point: Point) -> float:
    """Half the interval of the rate's logarithm, for small ones its share of the rate.

    Infinite where the interval reaches down to 0, nan where it is not known.
    """
    low, high = point.ci95_per_s
    if not point.rate_per_s > 0 or math.isnan(low) or math.isnan(high):
        return math.nan
    return math.log(high / low) / 2 if low > 0 else math.inf
