"""What watching took itself, and how much of what there was to see it saw."""

from __future__ import annotations

from dataclasses import dataclass

KERNEL_US_PER_EVENT = 0.18
"""What the kernel takes to record an event, as measured (benchmarks/WATCH.md: 0.36 µs for two)."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """How much a trace recorded: ``events`` in ``sampled`` (0..1) of its ``seconds``.

    ``lost`` events were never reported: there was no room for them.
    """

    seconds: float
    sampled: float
    events: float
    lost: float

    @property
    def lost_share(self) -> float:
        """The share of the events that were to be recorded (0..1)."""
        whole = self.events + self.lost
        return self.lost / whole if whole else 0.0

    @property
    def per_s(self) -> float:
        """Recorded events per second of the whole trace."""
        return self.events / self.seconds if self.seconds else 0.0

    @property
    def kernel_cpu(self) -> float:
        """How many processors the kernel is busy with recording, by what an event takes."""
        return self.per_s * KERNEL_US_PER_EVENT / 1e6


@dataclass(frozen=True, slots=True)
class OwnCost:
    """How many processors the agent kept busy itself, and its ``trace``; None without one."""

    cpu: float
    trace: Tracing | None
