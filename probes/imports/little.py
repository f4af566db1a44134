"""Little's law: rate times mean latency is how many operations were under way on average.

No more can be under way than there are threads. Where each thread asks again as soon as it has its
answer, not much fewer can be either: something took the rest of the time that is in no latency.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from probes.doubts import Doubt, stated
from probes.figures import counted

MOST = 1.25
"""More times the threads under way than this don't fit them (our choice)."""

LEAST = 1 / 3
"""Fewer times the threads under way than this leave too much of their time unknown (our choice)."""

LEAST_MEAN_US = 100.0
"""Below it, a mean given to a hundredth of a millisecond is too coarse to ask from above."""

MISFIT = "Rate and latency don't fit the threads, by Little's law."

OWN_US = 25.0
"""What a load generator itself may need between two operations: less is not asked (our choice)."""


class Busy(NamedTuple):
    """Operations that ran in the same threads as a point's, and are not counted by it."""

    rate_per_s: float
    mean_us: float

    @property
    def under_way(self) -> float:
        """How many of them on average; nan where one of both is not known."""
        return self.rate_per_s * self.mean_us / 1e6 if self.rate_per_s else 0.0


@dataclass(frozen=True, slots=True)
class Loop:
    """What a point's threads did.

    ``from_above``: no more operations are under way than there are threads; not so where they wait
    in a queue of their own (a target rate, asynchronous I/O). ``from_below``: each thread asks
    again at once, and all that it waits for is in a latency; not so with a rate, a think time, or
    syncs that nobody timed. ``beside`` is what else kept the same threads busy.
    """

    from_above: bool = True
    from_below: bool = False
    beside: tuple[Busy, ...] = ()

    def misfit(self, threads: int, rate_per_s: float, mean_us: float) -> list[Doubt]:
        """Why rate and latency don't fit that many threads; nothing where they do."""
        if not rate_per_s > 0 or math.isnan(mean_us):
            return []
        all_per_s = rate_per_s + sum(each.rate_per_s for each in self.beside)
        under_way = rate_per_s * mean_us / 1e6 + sum(each.under_way for each in self.beside)
        if math.isnan(under_way):
            return []
        if self.from_above and mean_us >= LEAST_MEAN_US and under_way > threads * MOST:
            text = (
                f"Rate and latency don't fit {counted(threads, 'thread')}: by Little's law "
                f"{under_way:.3g} operations were in flight."
            )
            return [stated(text, MISFIT)]
        unknown_us = (threads - under_way) / all_per_s * 1e6
        if self.from_below and under_way < threads * LEAST and unknown_us > OWN_US:
            verb = "was" if threads == 1 else "were"
            text = (
                f"Rate and latency don't fit: by Little's law {under_way:.2g} of "
                f"{counted(threads, 'thread')} {verb} busy. What took the rest of the time is not "
                "in the latency."
            )
            return [stated(text, MISFIT)]
        return []


ASKED_FROM_ABOVE = Loop()
"""Of a loop that nobody knows more of."""

NOT_ASKED = Loop(from_above=False)
"""Of rates that no thread of the setting waits for."""

CLOSED = Loop(from_below=True)
"""Of threads that do nothing but this, one after the other."""
