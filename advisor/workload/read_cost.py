"""What page requests that miss the buffer pool cost: their number times the drive's latency."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, status
from advisor.model.operating_point import in_flight, rate_at
from advisor.rulekit import At, Facts
from advisor.rulekit import per_s as rate_of
from probes import figures
from probes.points import Curve

USES = (status("Innodb_buffer_pool_reads"), CURVE_RANDOM_READ_PAGE)

NOTHING = 1.0
"""Fewer misses per second than this cost nothing on any drive."""


@dataclass(frozen=True, slots=True)
class ReadCost:
    """Misses over the status window, at the latency that the drive has at their rate.

    ``waiting`` is how many queries wait for a read on average (Little's law: rate x latency).
    ``curve`` is that of the drive's reads.
    """

    missed_per_s: float
    waiting: float
    curve: Curve

    @property
    def latency_us(self) -> float:
        """What one read takes at this rate."""
        return self.waiting / self.missed_per_s * 1e6

    def misses_at(self, waiting: float) -> float:
        """Give the misses per second at which this many queries wait for a read."""
        return rate_at(self.curve, waiting)

    @property
    def product(self) -> str:
        """Misses times latency, with their numbers."""
        return (
            f"{figures.count(self.missed_per_s)} misses/s x {figures.duration_us(self.latency_us)}"
        )

    @property
    def formula(self) -> str:
        """The product and what comes of it."""
        return f"{self.product} = {self.waiting:.2f} queries that wait for a read on average"

    def at_least(self, waiting: float) -> At:
        """Ask whether this many queries wait for a read on average."""
        return At(
            "the average number of queries that wait for a read",
            self.waiting,
            least=waiting,
            of=self.product,
            say="{:.2f}".format,
        )


def missed(per_s: float) -> At:
    """Ask whether requests miss the buffer pool at all."""
    return At("the miss rate", per_s, least=NOTHING, say=rate_of())


def read_cost(facts: Facts) -> ReadCost | None:
    """Price the misses; None when they or the drive were not measured, or are beyond the drive."""
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if missed is None or curve is None or missed < NOTHING:
        return None
    waiting = in_flight(curve, missed)
    if waiting is None:
        return None
    return ReadCost(missed, waiting, curve)
