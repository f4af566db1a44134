"""Commits of a redo log over committers: n of them get no more than n times what one gets.

A commit waits for a sync that begins after it came, and a sync takes as long whoever shares it. A
curve that says otherwise was disturbed while one committer was measured, or helped later on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from advisor.model.curves.latency_shape import Floats
from advisor.model.curves.measured_rates import MeasuredRates, PlainRates, measured_rates
from probes.points import Curve
from probes.statistics.ranges import BOUNDS_AT

_EXACT = 1e-9


@dataclass(frozen=True)
class CommitRates(MeasuredRates):
    """Such a curve.

    ``beyond`` are the numbers of committers whose measured rates, low bounds included, lie above
    what one committer can make of it at most: these have the most instead.
    """

    beyond: tuple[int, ...] = ()

    def drawn(self, random: np.random.Generator) -> PlainRates:
        """What the true curve may be: of each draw as well n committers get n times one's."""
        plain = super().drawn(random)
        if self.threads[0] > 1:
            return plain
        each = plain.log_rates - plain.log_threads
        return replace(plain, log_rates=np.minimum(each, each[0]) + plain.log_threads)


def commit_rates(curve: Curve) -> CommitRates | None:
    """A measured curve of commits; None where no point is usable.

    Within its interval each point is moved so that a committer gets no more where there are others.
    Where that does not suffice, n committers have n times the most that one may have.
    """
    found = measured_rates(curve)
    if found is None:
        return None
    measured = np.log(found.values) - np.log(found.threads)
    reach = BOUNDS_AT * found.spreads
    each = np.clip(_falling(measured, found.spreads**-2.0), measured - reach, measured + reach)
    if found.threads[0] == 1:
        each[0] = min(each.max(), measured[0] + reach[0])
        each = np.minimum(each, each[0])
    beyond = each < measured - reach - _EXACT
    moved = found.with_values(np.exp(each) * np.array(found.threads))
    return CommitRates(
        **{one.name: getattr(moved, one.name) for one in fields(moved)},
        beyond=tuple(n for n, past in zip(found.threads, beyond, strict=True) if past),
    )


def _falling(values: Floats, weights: Floats) -> Floats:
    """The nearest values that never rise: neighbours that do are pooled (isotonic regression)."""
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        pool = (float(value), float(weight), 1)
        while pools and pools[-1][0] < pool[0]:
            before = pools.pop()
            whole = before[1] + pool[1]
            mean = (before[0] * before[1] + pool[0] * pool[1]) / whole
            pool = (mean, whole, before[2] + pool[2])
        pools.append(pool)
    return np.repeat([mean for mean, _, _ in pools], [count for _, _, count in pools])
