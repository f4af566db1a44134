"""The rates of many like curves at once: those that are drawn from one measured curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.model.measured_rates import Floats, PlainRates, Rates, rates_between


@dataclass(frozen=True, slots=True)
class Scaled:
    """A curve whose rates are all ``times`` as high."""

    curve: Rates
    times: float

    @property
    def reach(self) -> float:
        """As far as the curve's."""
        return self.curve.reach

    @property
    def bounded(self) -> bool:
        """As the curve is."""
        return self.curve.bounded

    def at(self, inside: Floats) -> Floats:
        """The curve's rates, scaled."""
        return np.asarray(self.curve.at(inside) * self.times)

    def drawn(self, random: np.random.Generator) -> Scaled:
        """Another curve, scaled alike."""
        return replace(self, curve=self.curve.drawn(random))


class StandIn(Scaled):
    """The curve of a like station where its own was not measured: all of it is extrapolated."""

    __slots__ = ()

    @property
    def reach(self) -> float:
        """Nothing is known."""
        return 0.0


def rates_at(curves: Sequence[Rates], inside: Floats) -> Floats:
    """The rates of each curve with as many inside as its row of ``inside`` says."""
    found = np.empty(inside.shape)
    alike: dict[object, list[int]] = {}
    for at, curve in enumerate(curves):
        alike.setdefault(_kind(curve), []).append(at)
    for rows in alike.values():
        found[rows] = _rates_of_kind([curves[at] for at in rows], inside[rows])
    return found


def _kind(curve: Rates) -> object:
    """What curves have in common that are asked at once."""
    return id(curve.log_threads) if isinstance(curve, PlainRates) else type(curve)


def _rates_of_kind(curves: Sequence[Rates], inside: Floats) -> Floats:
    scaled = [each for each in curves if isinstance(each, Scaled)]
    if scaled:
        times = np.array([[each.times] for each in scaled])
        return np.asarray(rates_at([each.curve for each in scaled], inside) * times)
    plain = [each for each in curves if isinstance(each, PlainRates)]
    if plain:
        log_rates = np.array([each.log_rates for each in plain])
        return rates_between(plain[0].log_threads, log_rates, inside)
    return np.array([each.at(row) for each, row in zip(curves, inside, strict=True)])
