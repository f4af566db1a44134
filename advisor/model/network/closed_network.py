"""The exact solution of a closed network of load-dependent stations, by convolution.

A closed network holds N customers that go round its stations: N connections, each with one query on
its way. What a station does is given by its rates alone: how many queries per second it finishes
while 1, 2, 3... of them are in it. For such stations the network has a product form, and its
normalising constant is the convolution of the stations' own (J. Buzen, "Computational algorithms
for closed queueing networks with exponential servers", 1973; load-dependent rates: Chandy, Herzog
and Woo, "Parametric analysis of queuing networks", 1975). All products are kept as logarithms, so
that thousands of customers neither overflow nor underflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.model.curves.latency_shape import Floats

MOST_CUSTOMERS = 4096
"""Time and memory grow with the square; more connections than these are no use to any server."""

_NOTHING = -80.0
"""Logarithm of a term that changes no sum of thousands; numpy is slow where results underflow."""

_ROWS = 48
"""Rows that are summed up at once: large enough for numpy, small enough for the cache."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A network with 1..N customers.

    ``rate_per_s[n - 1]`` is how many customers finish a round per second while n go round;
    ``inside[n - 1, k]`` how many of them are at station k on average (the row's sum is n).
    """

    rate_per_s: Floats
    inside: Floats

    @property
    def residence_s(self) -> Floats:
        """How long a customer is at each station per round, waiting included: (N, stations)."""
        return self.inside / self.rate_per_s[:, None]


def solve(stations: Sequence[npt.ArrayLike]) -> Solution:
    """Solve the network for 1..N customers.

    Each station gives its N rates: ``rates[n - 1]`` rounds per second while n customers are in it
    (visits of the station per second, over visits per round). Raises ValueError for stations of
    different lengths, for none, for more than ``MOST_CUSTOMERS`` and for rates that are not above
    0.
    """
    rates = [np.asarray(station, dtype=np.float64) for station in stations]
    if not rates or len({len(each) for each in rates}) != 1:
        raise ValueError("stations of one length are needed")
    if not 1 <= len(rates[0]) <= MOST_CUSTOMERS:
        raise ValueError(f"from 1 to {MOST_CUSTOMERS} customers")
    if not all(np.all(np.isfinite(each) & (each > 0)) for each in rates):
        raise ValueError("rates are above 0")
    count = np.arange(len(rates[0]) + 1, dtype=np.float64)
    constants = _constants(rates[0])
    inside = count[:, None]
    for each in rates[1:]:
        constants, inside = _joined(constants, inside, _constants(each), count)
    return Solution(np.exp(constants[:-1] - constants[1:]), inside[1:])


def _constants(rates: Floats) -> Floats:
    """Logarithms of a station's own constants for 0..N customers: 1 / (rate 1 x ... x rate n)."""
    return np.concatenate(([0.0], -np.cumsum(np.log(rates))))


def _joined(left: Floats, inside: Floats, right: Floats, count: Floats) -> tuple[Floats, Floats]:
    """The network with one more station, whose constants are ``right``.

    ``inside`` are the mean numbers at the stations so far, given how many are at them in all. How
    likely it is that m of n are there is what the convolution weighs its terms by, so that means
    come with it.
    """
    size = len(left)
    constants = np.empty(size)
    means = np.empty((size, inside.shape[1] + 1))
    # One product with all of what is averaged, and with 1 for the sum itself.
    averaged = np.column_stack((np.ones(size), count, inside))
    # Row n is left[m] + right[n - m]; what would lie before right's first is no state at all.
    padded = np.concatenate((right[::-1], np.full(size - 1, -np.inf)))
    shifted = np.lib.stride_tricks.sliding_window_view(padded, size)[::-1]
    for first in range(0, size, _ROWS):
        last = min(first + _ROWS, size)
        terms = shifted[first:last, :last] + left[:last]
        most = terms.max(axis=1)
        # Mostly a few neighbours make up the sum.
        counted = np.flatnonzero((terms > (most + _NOTHING)[:, None]).any(axis=0))
        telling = slice(counted[0], counted[-1] + 1)
        terms = np.maximum(terms[:, telling] - most[:, None], _NOTHING)
        sums = np.exp(terms, out=terms) @ averaged[telling]
        total = sums[:, :1]
        constants[first:last] = most + np.log(total[:, 0])
        means[first:last, :-1] = sums[:, 2:] / total
        means[first:last, -1] = count[first:last] - sums[:, 1] / total[:, 0]
    return constants, means
