"""The throughput of many like networks at once: the draws that a forecast's band is made of.

The same convolution as in `advisor.model.closed_network`, with numbers in place of logarithms. All
rates are measured in one unit, the network's own throughput, so that no product leaves what a
number can hold; the draws for which that fails all the same are solved with logarithms.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
import numpy.typing as npt

from advisor.model.closed_network import Floats, solve

_LEAST = 1e-280
"""Terms below change no sum, and numpy is slow where numbers underflow."""


def throughputs(networks: npt.ArrayLike, typical_per_s: Floats) -> Floats:
    """Rounds per second with 1..N customers: (networks, N).

    ``networks`` are the rates of each station with 1..N inside: (networks, stations, N).
    ``typical_per_s`` is the throughput of a network like them with 1..N customers, which tells the
    unit.
    """
    unit = float(np.exp(np.log(typical_per_s).mean()))
    rates = np.asarray(networks, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        constants = np.ones((*rates.shape[:2], rates.shape[2] + 1))
        constants[..., 1:] = np.exp(np.cumsum(np.log(unit / rates), axis=2))
        constants[constants < _LEAST] = 0.0
        whole = np.array([reduce(_joined, each) for each in constants])
        # Nonsense where a product left the numbers' range.
        found = np.asarray(whole[:, :-1] / whole[:, 1:] * unit)
        good = np.isfinite(found) & (found > 0)
    for at in np.flatnonzero(~good.all(axis=1)):
        found[at] = solve([*rates[at]]).rate_per_s
    return found


def _joined(left: Floats, right: Floats) -> Floats:
    joined: Floats = np.convolve(left, right)[: len(left)]
    return joined
