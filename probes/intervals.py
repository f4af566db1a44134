"""How sure a measured rate is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

_T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom (NIST handbook)."""


def rate_interval(rate_per_s: float, batches_per_s: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of a rate, by the method of batch means.

    ``batches_per_s`` are the rates of equally long stretches of the measured time. The half width
    is t(0.975, n-1) * s / sqrt(n) (Law and Kelton, Simulation Modeling and Analysis, chapter 9).
    With fewer than two batches nothing is known: from 0 to twice the rate.
    """
    count = len(batches_per_s)
    if count < 2:
        return (0.0, 2 * rate_per_s)
    freedom = count - 1
    t = _T_975[freedom - 1] if freedom <= len(_T_975) else 1.960 + 2.4 / freedom
    half = t * stdev(batches_per_s, fmean(batches_per_s)) / math.sqrt(count)
    return (max(0.0, rate_per_s - half), rate_per_s + half)
