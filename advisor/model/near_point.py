"""Stations of which one point is known, or the time of one call: what a watch alone tells."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from advisor.model.measured_rates import Floats

HALFWAY = 0.5
"""Beyond its point a drive does from as many requests as there to as many more as wait for it;
between the two the rate follows this power of what is inside (our choice)."""


@dataclass(frozen=True, slots=True)
class NearPoint:
    """A drive that does ``rate_per_s`` with ``inside`` requests in it; at least one is inside.

    With fewer nobody waits for another. With more it is not known what it does: ``power`` is drawn
    from 0, as if it were saturated, to 1, as if nobody waited yet.
    """

    inside: float
    rate_per_s: float
    power: float = HALFWAY
    bounded = False

    @property
    def reach(self) -> float:
        """As many as were inside."""
        return self.inside

    def at(self, inside: Floats) -> Floats:
        """Rates with so many inside."""
        part = inside / self.inside
        return np.asarray(self.rate_per_s * np.where(part > 1, part**self.power, part))

    def drawn(self, random: np.random.Generator) -> NearPoint:
        """Another course beyond the point."""
        return replace(self, power=float(random.uniform()))


@dataclass(frozen=True, slots=True)
class GroupCommit:
    """A log whose syncs take ``sync_us``, however many commits share one.

    While one sync is under way all commits that come gather, and share the next: each waits for the
    rest of one, and for its own. With n committers that come back at once, half of them are in each
    sync.
    """

    sync_us: float
    bounded = False

    @property
    def reach(self) -> float:
        """Known for any number."""
        return math.inf

    def at(self, inside: Floats) -> Floats:
        """Commits per second with so many committers."""
        return np.asarray(np.minimum(np.maximum(1.0, inside / 2), inside) / self.sync_us * 1e6)

    def drawn(self, random: np.random.Generator) -> GroupCommit:
        """Itself: its time is drawn by whoever knows its range."""
        return self
