"""How much of what is read ahead is evicted from the buffer pool unused."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.status import status
from advisor.rulekit import At, Card, Condition, Facts, per_s
from probes.figures import percent, rate

LINEAR = status("Innodb_buffer_pool_read_ahead")
RANDOM = status("Innodb_buffer_pool_read_ahead_rnd")
EVICTED = status("Innodb_buffer_pool_read_ahead_evicted")
CURVE = CURVE_RANDOM_READ_PAGE

WASTEFUL = 0.2
"""Above this share of unused pages, too much is read ahead."""

BUSY = 10.0
"""Fewer pages/s than this say nothing, and cost nothing."""

LITTLE = 0.01
"""A share of the drive's reads that does not matter."""


@dataclass(frozen=True, slots=True)
class Waste:
    """Pages per second: read ahead in both ways, and evicted before they were used.

    ``peak_per_s`` is the most reads that the drive gives, None where it was not measured. The two
    counters are of one window, so a page may be counted as evicted that was read before it.
    """

    ahead_per_s: float
    evicted_per_s: float
    peak_per_s: float | None

    @property
    def share(self) -> float:
        """The evicted part of what is read ahead, 1 at the most."""
        return min(1.0, self.evicted_per_s / self.ahead_per_s) if self.ahead_per_s else 0.0

    @property
    def limit_per_s(self) -> float:
        """How many pages may be evicted unused."""
        return max(WASTEFUL * self.ahead_per_s, LITTLE * (self.peak_per_s or 0.0))

    @property
    def condition(self) -> Condition:
        """Whether enough is read ahead, and enough of it evicted unused, to act on it."""
        busy = At("rate of read-ahead", self.ahead_per_s, least=BUSY, say=per_s("pages"))
        return busy & At(
            "rate of pages evicted unused",
            self.evicted_per_s,
            above=self.limit_per_s,
            say=per_s("pages"),
        )

    @property
    def formula(self) -> str:
        """What the limit is made of."""
        parts = f"{percent(WASTEFUL)} of {rate(self.ahead_per_s, 'pages')}"
        if self.peak_per_s:
            parts = f"max({parts}, {percent(LITTLE)} of {rate(self.peak_per_s, 'reads')})"
        return f"limit = {parts} = {rate(self.limit_per_s, 'pages')}"

    def on(self, card: Card) -> Card:
        """Give a card the waste as what decides."""
        return card.but(condition=self.condition, formula=self.formula)


def waste(facts: Facts) -> Waste | None:
    """Read the counters; None where the server does not show what it reads ahead."""
    linear, evicted = facts.find(LINEAR), facts.find(EVICTED)
    if linear is None or evicted is None:
        return None
    curve = facts.find(CURVE)
    ahead = linear + (facts.find(RANDOM) or 0.0)
    return Waste(ahead, evicted, None if curve is None else curve.peak.rate_per_s)
