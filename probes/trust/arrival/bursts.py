"""The point holds two levels: a burst that ended, or a throttle that came and went.

The mean of two levels is a rate at which the drive never worked. They are looked for as steps in
the samples, each level at least three samples (0.6 s) long and half as fast again as the other;
less is an unsteady drive, which the interval shows. ``steady_write`` is left out: its levels are
its result (``probes.trust.change_points``).
Source: ``probes.trust.levels`` (Killick, Fearnhead and Eckley 2012); cloud volumes and SLC caches
burst (AWS, "Amazon EBS volume types", gp2; G. Wu and others on SLC caching in consumer SSDs).
"""

from __future__ import annotations

from probes import figures
from probes.points import Probe, Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt
from probes.trust.levels import levels

SHORTEST_SAMPLES = 3
FEWEST_SAMPLES = 10
FACTOR = 1.5


def check(seen: Seen) -> Doubt | None:
    """Doubt a point within which the rate stepped from one level to another."""
    if seen.point.setting.probe is Probe.STEADY_WRITE or len(seen.counted) < FEWEST_SAMPLES:
        return None
    rates = [max(0.0, sample.rate_per_s) for sample in seen.counted]
    found = levels(rates, shortest=SHORTEST_SAMPLES, factor=FACTOR)
    if len(found) < 2:
        return None
    first, last = found[0], found[-1]
    after_s = seen.counted[first.end - 1].at_s
    return Doubt(
        Trust.DOUBTFUL,
        f"The rate stepped from {figures.rate(first.mean)} to {figures.rate(found[1].mean)} after "
        f"{figures.seconds(after_s)}"
        + (f", then to {figures.rate(last.mean)}" if len(found) > 2 else "")
        + ": the mean is neither.",
    )
