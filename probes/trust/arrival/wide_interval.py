"""The rate swung so much that its mean says little.

Half a 95 % interval above half the rate means that the batches differed by more than a factor of
two or three: the drive did two different things, or somebody else used it. Plans ask for 1.5 to
5 %; a point that misses this at its time cap is still of use as long as the interval is shown with
it, so the threshold is far above.
"""

from __future__ import annotations

from probes.points import Trust
from probes.trust import say
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

WIDEST = 0.50
"""Half a 95 % interval as a share of the rate."""


def check(seen: Seen) -> Doubt | None:
    """Doubt a point whose interval is wider than its rate allows; unknown intervals pass."""
    width = half_width(seen)
    if not width > WIDEST:
        return None
    return Doubt(
        Trust.DOUBTFUL, f"The rate swung: its 95{say.THIN}% interval is ±{say.percent(width)} wide."
    )


def half_width(seen: Seen) -> float:
    """Half the interval as a share of the rate, nan when unknown."""
    rate = seen.point.rate_per_s
    return (seen.point.ci95_per_s[1] - rate) / rate if rate > 0 else float("nan")
