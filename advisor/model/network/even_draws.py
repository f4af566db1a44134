"""Random numbers that cover their range evenly: one in each of as many equal parts, in any order.

Of sums of many things drawn so, percentiles are known from far fewer draws than from chance alone
(M. McKay, R. Beckman, W. Conover, "A comparison of three methods for selecting values of input
variables in the analysis of output from a computer code", Technometrics 21, 1979).
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from advisor.model.curves.latency_shape import Floats

Counts = npt.NDArray[np.int64]

_TABLE = 1024
_SHARES = (np.arange(_TABLE) + 0.5) / _TABLE
_NORMAL = np.array([NormalDist().inv_cdf(float(each)) for each in _SHARES])

_KEPT = 4
"""Numbers of draws whose figures are kept: mostly all draws are of one number."""

_MANY = 1000.0
"""Larger Poisson numbers are hardly a matter of chance beside what each of them takes."""


class EvenDraws:
    """Draws of several distributions."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random

    def order(self, count: int) -> Counts:
        """All numbers below ``count`` in any order."""
        return self._random.permutation(count)

    def shares(self, count: int) -> Floats:
        """Between 0 and 1."""
        return _middles(count)[self.order(count)]

    def exponential(self, count: int) -> Floats:
        """Exponentially distributed, with a mean of 1."""
        return _exponential(count)[self.order(count)]

    def normal(self, count: int) -> Floats:
        """Normal, with a mean of 0 and a standard deviation of 1."""
        return _normal(count)[self.order(count)]

    def normals(self, count: int, figures: int) -> Floats:
        """Several figures of each draw, all of them normal: (count, figures)."""
        return np.column_stack([self.normal(count) for _ in range(figures)])

    def poisson(self, mean: float, count: int) -> Counts:
        """Whole numbers with this mean."""
        if mean > _MANY:
            return self._random.poisson(mean, count)
        most = int(mean + 10 * mean**0.5 + 10)
        steps = np.log(mean) - np.log(np.arange(1, most)) if mean > 0 else np.full(most, -np.inf)
        likely = np.exp(np.concatenate(([0.0], np.cumsum(steps))) - mean)
        return np.searchsorted(np.cumsum(likely), self.shares(count)).astype(np.int64)


@lru_cache(_KEPT)
def _middles(count: int) -> Floats:
    """The middles of as many equal parts of what lies between 0 and 1."""
    return np.asarray((np.arange(count) + 0.5) / count)


@lru_cache(_KEPT)
def _exponential(count: int) -> Floats:
    return np.asarray(-np.log(_middles(count)))


@lru_cache(_KEPT)
def _normal(count: int) -> Floats:
    return np.asarray(np.interp(_middles(count), _SHARES, _NORMAL))
