"""Processors that a host withholds from a virtual machine (steal), and who waits for them."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.watched.steal import WATCH_CPU_STEAL
from advisor.facts.watched.watch import WATCH_CPU_BUSY, WATCH_SERVER_CPU
from advisor.rulekit.facts import Facts
from probes.figures import counted, percent
from probes.statistics.ranges import Range

USES = (HOST_CPU_THREADS, WATCH_CPU_BUSY, WATCH_CPU_STEAL, WATCH_SERVER_CPU)
"""What it looks at; all of it may be absent."""

MUCH = 0.1
"""From this share of what is asked of processors on it is more than neighbours that come and go
(our choice)."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """Of ``of`` processors those that the host ``took`` while they were wanted, and ``used``."""

    took: float
    used: float
    of: float

    @property
    def share(self) -> float:
        """The share (0..1) of what was asked of processors that the host did not give."""
        asked = self.took + self.used
        return self.took / asked if asked else 0.0

    @property
    def much(self) -> bool:
        """Whether it is worth a word."""
        return self.share >= MUCH

    @property
    def text(self) -> str:
        """How much it is, as a sentence without its end."""
        processors = counted(round(self.of), "processor")
        return (
            f"the host withholds {percent(self.took / self.of)} of {processors} (steal), "
            f"{self.used:.1f} are used"
        )


def withheld_of(steal: float, busy: float, of: float) -> Withheld:
    """From the shares of ``of`` processors that the host took, and that are busy with it."""
    return Withheld(steal * of, max(0.0, busy - steal) * of, of)


def withheld(facts: Facts) -> Withheld | None:
    """What the host took while the server was watched; None where nobody counted it."""
    steal, busy = facts.find(WATCH_CPU_STEAL), facts.find(WATCH_CPU_BUSY)
    of = facts.find(HOST_CPU_THREADS)
    if steal is None or busy is None or not of:
        return None
    return withheld_of(steal.value, busy.value, of)


def servers_part(facts: Facts) -> Range | None:
    """How many of the server's threads are on a processor that the host withholds.

    They run by the scheduler's books, and nobody counts their time: by what the server has of all
    that is used. None where that is not known.
    """
    steal, found, cpu = facts.find(WATCH_CPU_STEAL), withheld(facts), facts.find(WATCH_SERVER_CPU)
    if steal is None or found is None or cpu is None:
        return None
    part = min(1.0, cpu.value / found.used) if found.used else 1.0
    return steal.times(found.of * part)
