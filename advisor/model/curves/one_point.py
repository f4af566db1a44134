"""Stations of which one point is known, or the time of one call: what a watch alone shows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from advisor.model.curves.latency_shape import Floats

HALFWAY = 0.5
"""Beyond its point a drive does from as many requests as there to as many more as wait for it;
between the two the rate follows this power of what is inside (our choice). So it is with fewer:
from as if nobody waited to as if the drive were saturated by one."""


@dataclass(frozen=True, slots=True)
class NearPoint:
    """A drive that does ``rate_per_s`` with ``inside`` requests in it; at least one is inside.

    With more or fewer it is not known what it does. ``power`` is of more: drawn from 0, as if it
    were saturated, to ``most``, 1 as if nobody waited yet. ``below`` is of fewer in the same way;
    where single requests were timed, the quickest of them show how long one takes that does not
    wait.
    """

    inside: float
    rate_per_s: float
    power: float = HALFWAY
    below: float = HALFWAY
    apart: float = HALFWAY
    most: float = 1.0
    bounded = False

    @property
    def reach(self) -> float:
        """As many as were inside."""
        return self.inside

    def at(self, inside: Floats) -> Floats:
        """Rates with ``inside`` in it."""
        part = inside / self.inside
        power = np.where(part > 1, self.power, self.below)
        return np.asarray(self.rate_per_s * part**power)

    def drawn(self, random: np.random.Generator) -> NearPoint:
        """Another course to either side of the point."""
        ends = (max(0.0, self.below - self.apart), min(1.0, self.below + self.apart))
        return replace(
            self, power=float(random.uniform(0.0, self.most)), below=float(random.uniform(*ends))
        )


@dataclass(frozen=True, slots=True)
class Contended:
    """Waits for each other that let ``rate_per_s`` go with ``inside`` in them.

    With another number in them it is as much as a power of it says, 0 where one holds up all
    others, 1 where nobody waits for another: ``power`` of more, ``below`` of fewer.
    """

    inside: float
    rate_per_s: float
    power: float
    below: float
    bounded = False

    @property
    def reach(self) -> float:
        """Assumed for any number."""
        return math.inf

    def at(self, inside: Floats) -> Floats:
        """Rates with ``inside`` in them."""
        part = inside / self.inside
        return np.asarray(self.rate_per_s * part ** np.where(part > 1, self.power, self.below))

    def drawn(self, random: np.random.Generator) -> Contended:
        """Itself: its power is drawn with the server's other figures."""
        return self


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
        """Commits per second with that many committers."""
        return np.asarray(np.minimum(np.maximum(1.0, inside / 2), inside) / self.sync_us * 1e6)

    def drawn(self, random: np.random.Generator) -> GroupCommit:
        """Itself: its time is drawn by whoever knows its range."""
        return self
