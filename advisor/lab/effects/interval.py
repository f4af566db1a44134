"""Which differences the turns don't exclude, however often one looks: a confidence sequence.

A value is excluded where it makes what came less likely, by a set factor, than a normal mixture of
values around it does (Robbins, Annals of Mathematical Statistics 41, 1970; Lai, Annals of
Statistics 4, 1976; Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021; for noise
that is normal only in the mean: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, 2021,
arXiv:2103.06476). Both likelihoods are averaged over the variances with their prior, as a Bayes
factor is. By Ville's inequality a true value is ever excluded in at most one of that factor, were
the prior that of all labs and the noise normal, however long one looks.
"""

from __future__ import annotations

import math

import numpy as np

from advisor.lab.effects.scatter import Floats

ERROR = 0.05
"""How often an interval may miss at any of all looks."""

MIXED_OVER = (0.04, 0.4)
"""The sizes of the differences that are to be found soonest, as logarithms: one that is just worth
a change, and one that nobody overlooks (our choice). Each is half of the mixture."""

EXCLUDED_AT = 0.14
"""A value is excluded where the likelihoods' ratio is below this, for an error of ERROR. A lab has
tens of looks, not endlessly many, so that Ville's bound is not reached. It was chosen in the worlds
of the package's docstring and with recorded turns, so that equal twins were called different in 1
to 2 of 100 labs; benchmarks/lab/truth.py tries it in others."""

_FURTHEST = 40.0
_TRIED, _TIMES = 13, 3


def interval(
    mean: Floats, variance: Floats, weight: Floats, error: float = ERROR
) -> tuple[float, float]:
    """Low and high; what is outside is ever excluded wrongly in ``error`` of all labs.

    ``mean`` and ``variance`` are those of the difference for each pair of standard deviations, of
    probability ``weight``; three flat arrays.
    """
    likely = weight > 1e-5 * weight.max()
    mean, variance, weight = mean[likely], variance[likely], weight[likely]
    middle, spread = moments(mean, variance, weight)
    least = EXCLUDED_AT * error / ERROR / len(MIXED_OVER)

    def bound(side: int) -> float:
        low, high = 0.0, _FURTHEST * spread
        for _ in range(_TIMES):
            tried = np.linspace(low, high, _TRIED)
            off = (mean - (middle + side * tried)[:, None]) ** 2
            here = _likelihood(off, variance, weight)
            around = sum(_likelihood(off, variance + size**2, weight) for size in MIXED_OVER)
            # Far out both are nothing, and that is excluded.
            left = here / np.maximum(around, 1e-300) - least
            excluded = np.flatnonzero(left < 0)
            at = max(1, int(excluded[0])) if len(excluded) else _TRIED - 1
            low, high = float(tried[at - 1]), float(tried[at])
        part = float(left[at - 1] / (left[at - 1] - left[at])) if left[at] < 0 else 1.0
        return middle + side * (low + part * (high - low))

    return bound(-1), bound(1)


def _likelihood(off_squared: Floats, variance: Floats, weight: Floats) -> Floats:
    """Of each of several differences, averaged over the variances, but for one factor."""
    likelihood: Floats = np.exp(-0.5 * off_squared / variance) @ (weight / np.sqrt(variance))
    return likelihood


def moments(mean: Floats, variance: Floats, weight: Floats) -> tuple[float, float]:
    """The difference's posterior mean and standard deviation; arguments as ``interval``'s."""
    weight = weight / weight.sum()
    middle = float(weight @ mean)
    return middle, math.sqrt(float(weight @ (variance + (mean - middle) ** 2)))
