"""The point ended at its time cap while its rate still wandered in one direction.

A rate that rises or falls through the whole point has no mean to be sure of: a cache fills, a drive
warms up, credit runs out. The halves of the measured part are compared; they must differ by more
than 20 % and by more than four standard errors, which the swing of each half gives. A point that
the interval ended has settled by definition, one that stepped is ``bursts``' business, and
``steady_write`` reports its phases instead.
Source: the test of the means of two halves is the simplest of those in L. Schruben, "Detecting
initialization bias in simulation output", Operations Research 30, 1982.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import fmean

from probes import figures
from probes.points import EndedBy, Probe, Trust
from probes.trust.arrival import bursts
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

DRIFT = 0.20
SURE_SIGMAS = 4.0
FEWEST_SAMPLES = 8


def check(seen: Seen) -> Doubt | None:
    """Doubt a point that had not settled when its time was up."""
    skipped = (
        seen.point.setting.probe is Probe.STEADY_WRITE or "touch" in seen.point.setting.options
    )
    if skipped or seen.point.ended_by is EndedBy.INTERVAL or len(seen.counted) < FEWEST_SAMPLES:
        return None
    rates = [sample.rate_per_s for sample in seen.counted]
    first, second = rates[: len(rates) // 2], rates[len(rates) // 2 :]
    before, after = fmean(first), fmean(second)
    chance = math.sqrt(_of_mean(first) + _of_mean(second))
    least = max(SURE_SIGMAS * chance, DRIFT * max(before, after))
    if abs(after - before) <= least or bursts.check(seen) is not None:
        return None
    way = "rose" if after > before else "fell"
    return Doubt(
        Trust.DOUBTFUL,
        f"The rate had not settled when its time was up: it {way} from {figures.rate(before)} in "
        f"the first half to {figures.rate(after)} in the second.",
    )


def _of_mean(rates: Sequence[float]) -> float:
    """The variance of a half's mean, from steps between pairs of samples.

    Steps leave out the drift itself (J. von Neumann, "Distribution of the ratio of the mean square
    successive difference to the variance", 1941); pairs, because neighbours are alike.
    """
    means = [fmean(rates[at : at + 2]) for at in range(0, len(rates), 2)]
    steps = [(after - before) ** 2 / 2 for before, after in itertools.pairwise(means)]
    return fmean(steps) / len(means)
