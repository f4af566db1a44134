"""What visits of one station take, drawn one by one for many queries.

Whoever comes finds some others there, waits for those before it, and is served. Waiting is a sum of
exponential times, service exponential, too, unless it was measured how its times are spread. Where
all are served at once, in slices of time, nobody waits for those before it: with twice as many
inside each takes twice as long. There some may be served before others: only a share of them waits.
"""

from __future__ import annotations

import numpy as np

from advisor.model.curves.latency_shape import Floats, LatencyShape, MeasuredTimes
from advisor.model.network.even_draws import Counts, EvenDraws

MOST_VISITS = 800_000
"""Of one place that are drawn one by one: some 50 MB at a time."""

_NOTABLE = 1e-9
"""A part of the service; less than that is no waiting, but what rounding left."""


class Visits:
    """The visits of all queries to a station, ``counts`` of each query.

    ``rates`` are of queries, with 1, 2, 3... inside, and count on ``visits`` of each.
    """

    def __init__(self, rates: Floats, counts: Counts, visits: float, draws: EvenDraws) -> None:
        self._counts, self._ends = counts, np.cumsum(counts)
        self._begins, self._once = self._ends - counts, bool((counts == 1).all())
        total = int(self._ends[-1])
        # A report may read a million pages: the sum of many has their mean and their spread.
        self._many = draws.normal(len(counts)) if total > MOST_VISITS else None
        self._total = min(total, MOST_VISITS)
        inside = np.arange(1, len(rates) + 1, dtype=np.float64)
        self._whole_us = np.asarray(inside / rates * 1e6 / visits)
        self._alone_us = np.minimum(self._whole_us[0], self._whole_us)
        self._queues_us = self._whole_us - self._alone_us
        # Those before it go one by one, as many at a time as are served together.
        ahead = np.maximum(1.0, inside * (1 - self._alone_us / self._whole_us))
        self._ninth = 1 / (9 * ahead)
        self._nobody_waits = not (self._queues_us > _NOTABLE * self._alone_us).any()
        self._inside = inside
        self._order = draws.order(self._total)
        self._luck, self._wait = (
            self._ranked(each(self._total)) for each in (draws.exponential, draws.normal)
        )
        self._draws = draws
        self._whole: MeasuredTimes | None = None
        self._waits: Floats | None = None
        self.constant = False

    def spread(
        self,
        whole: MeasuredTimes | None = None,
        served: LatencyShape | None = None,
        crowd: float | Floats = 1.0,
    ) -> None:
        """Say how times were measured to be spread: of ``whole`` visits, or of the service alone.

        Both are exponential where nobody looked. ``crowd`` is how many requests are in a drive for
        each that a query waits for, with 1, 2, 3... of these.
        """
        self._whole, self._inside = whole, self._inside * crowd
        if whole is not None:
            self._luck = self._ranked(self._draws.shares(self._total))
        elif served is not None:
            self._luck = self._ranked(served.at(self._draws.shares(self._total)))

    def in_slices(self, waiting: float) -> None:
        """Have all be served at once, in slices; a share ``waiting`` of them waits for the others.

        For one visit of each query.
        """
        self._waits = self._ranked((self._draws.shares(self._total) < waiting) / waiting)

    def goes_with(self, elsewhere: Counts, share: float) -> None:
        """Have a ``share`` of what each query needs here go with its visits ``elsewhere``.

        For one visit of each query, before anything is said of its spread.
        """
        mean = float(elsewhere.mean())
        if mean > 0:
            self._luck = (1 - share) * self._luck + share * self._ranked(elsewhere / mean)

    def took_us(self, seen: Floats) -> Floats:
        """What all visits of each query take, where 0, 1, 2... others are there so likely."""
        each_us = self._each_us(seen)[self._order]
        if self._many is not None:
            spread_us = each_us.std() * np.sqrt(self._counts) * self._many
            return np.asarray(np.maximum(self._counts * each_us.mean() + spread_us, 0.0))
        if self._once:
            return np.asarray(each_us)
        sums = np.concatenate(([0.0], np.cumsum(each_us)))
        return np.asarray(sums[self._ends] - sums[self._begins])

    def _ranked(self, drawn: Floats) -> Floats:
        """What was drawn for each visit, in the order of how many others the visits find."""
        ranked = np.empty_like(drawn)
        ranked[self._order] = drawn
        return ranked

    def _each_us(self, seen: Floats) -> Floats:
        """What each visit takes, those first that find the fewest others."""
        ends = np.rint(np.cumsum(seen) * self._total).astype(np.int64)
        ends[-1] = self._total
        finding = np.diff(ends, prepend=0)

        def each(of_all: Floats) -> Floats:
            return np.repeat(of_all[: len(seen)], finding)

        if self.constant:
            return each(self._whole_us)
        if self._whole is not None:
            mean_us = float(seen @ self._whole_us[: len(seen)])
            inside, whole_us = each(self._inside), each(self._whole_us)
            return self._whole.of_visits(inside, whole_us, mean_us, self._luck)
        if self._waits is not None:
            alone_us, queues_us = each(self._alone_us), each(self._queues_us)
            return np.asarray((alone_us + queues_us * self._waits) * self._luck)
        served_us = each(self._alone_us) * self._luck
        if self._nobody_waits:
            return served_us
        return np.asarray(
            served_us + each(self._queues_us) * _waited(each(self._ninth), self._wait)
        )


def _waited(ninth: Floats, z: Floats) -> Floats:
    """What several exponential times take together, over its mean (Wilson and Hilferty, 1931).

    ``ninth`` is 1 by nine times their number.
    """
    root = np.maximum(0.0, 1 - ninth + z * np.sqrt(ninth))
    return np.asarray(root * root * root)
