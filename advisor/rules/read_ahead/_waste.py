"""How much of what is read ahead leaves the buffer pool unused."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, status
from advisor.rulekit.facts import Facts
from probes import figures

LINEAR = status("Innodb_buffer_pool_read_ahead")
RANDOM = status("Innodb_buffer_pool_read_ahead_rnd")
EVICTED = status("Innodb_buffer_pool_read_ahead_evicted")
CURVE = CURVE_RANDOM_READ_PAGE

WASTEFUL = 0.2
"""From this share on, read-ahead fetches too much that nobody wants."""

BUSY = 10.0
"""Fewer pages/s than this say nothing, and cost nothing."""

LITTLE = 0.01
"""A part of the drive's reads that nobody misses."""


@dataclass(frozen=True, slots=True)
class Waste:
    """Pages per second: read ahead in both ways, and thrown out before anybody looked.

    ``peak_per_s`` is the most reads that the drive gives, None where it was not measured. The two
    counters are of one window, so a page may be counted as thrown out that was read before it.
    """

    ahead_per_s: float
    evicted_per_s: float
    peak_per_s: float | None

    @property
    def share(self) -> float:
        """What is thrown out of what is read ahead, 1 at the most."""
        return min(1.0, self.evicted_per_s / self.ahead_per_s) if self.ahead_per_s else 0.0

    @property
    def wasteful(self) -> bool:
        """Whether enough is read ahead, and enough of it in vain, to act on it."""
        return self.ahead_per_s >= BUSY and self.evicted_per_s > self.bearable_per_s

    @property
    def bearable_per_s(self) -> float:
        """Pages that may leave unused: a fifth, or a hundredth of what the drive reads."""
        return max(WASTEFUL * self.ahead_per_s, LITTLE * (self.peak_per_s or 0.0))

    @property
    def ends_when(self) -> str:
        """When the waste is bearable, in words."""
        return f"{figures.rate(self.bearable_per_s, 'pages')} or less are thrown out unused"

    @property
    def begins_when(self) -> str:
        """When there is waste, in words."""
        more = f"more than {figures.rate(self.bearable_per_s, 'pages')} are thrown out unused"
        busy = f" of {BUSY:.0f} pages/s or more that are read ahead"
        return more if self.ahead_per_s >= BUSY else more + busy

    @property
    def gain(self) -> float:
        """What stopping it is worth: the drive's share that is wasted, 0.3 at the most."""
        if not self.peak_per_s:
            return 0.1
        return min(0.3, 0.05 + self.evicted_per_s / self.peak_per_s)

    @property
    def formula(self) -> str:
        """The quotient with its numbers."""
        said = (
            f"{figures.count(self.evicted_per_s)} / {figures.count(self.ahead_per_s)} pages/s = "
            f"{figures.percent(self.share)} unused"
        )
        if self.peak_per_s:
            part = figures.percent(self.evicted_per_s / self.peak_per_s)
            said += f", {part} of the {figures.count(self.peak_per_s)} reads/s that the drive gives"
        return said


def waste(facts: Facts) -> Waste | None:
    """Read the counters; None where the server does not show what it reads ahead."""
    linear, evicted = facts.find(LINEAR), facts.find(EVICTED)
    if linear is None or evicted is None:
        return None
    curve = facts.find(CURVE)
    ahead = linear + (facts.find(RANDOM) or 0.0)
    return Waste(ahead, evicted, None if curve is None else curve.peak.rate_per_s)
