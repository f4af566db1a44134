"""The throughput of many like networks at once: the draws that a forecast's band is made of.

The same convolution as in `advisor.model.closed_network`, with numbers in place of logarithms. All
rates are measured in one unit, the network's own throughput, so that no product leaves what a
number can hold; the draws for which that fails all the same are solved with logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from advisor.model.closed_network import Floats, solve

_LEAST = 1e-280
"""Terms below change no sum, and numpy is slow where numbers underflow."""


def throughputs(networks: Sequence[Sequence[Floats]], typical_per_s: Floats) -> Floats:
    """Rounds per second with 1..N customers: (networks, N).

    Each network gives its stations' rates with 1..N inside, as for `solve`. ``typical_per_s`` is
    the throughput of a network like them with 1..N customers, which tells the unit.
    """
    unit = float(np.exp(np.log(typical_per_s).mean()))
    found = np.empty((len(networks), len(typical_per_s)))
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        for row, stations in zip(found, networks, strict=True):
            row[:] = _throughput(stations, unit)
            if not np.all(np.isfinite(row) & (row > 0)):
                row[:] = solve(stations).rate_per_s
    return found


def _throughput(stations: Sequence[Floats], unit: float) -> Floats:
    """Nonsense where a product left the numbers' range."""
    rates = np.array(stations)
    constants = np.ones((len(rates), rates.shape[1] + 1))
    constants[:, 1:] = np.exp(np.cumsum(np.log(unit / rates), axis=1))
    constants[constants < _LEAST] = 0.0
    whole = reduce(_joined, constants)
    return np.asarray(whole[:-1] / whole[1:] * unit, dtype=np.float64)


def _joined(left: Floats, right: Floats) -> Floats:
    joined: Floats = np.convolve(left, right)[: len(left)]
    return joined
