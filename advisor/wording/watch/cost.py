"""What a watch took itself and how much of the work it saw, as every form of the report says it."""

from __future__ import annotations

from collections.abc import Iterator

from probes import figures
from probes.watch.own_cost import OwnCost, Tracing

WHOLE = 0.999
"""The share of the time from which on a trace counts as one without pauses."""


def cost_sentences(cost: OwnCost) -> Iterator[str]:
    """What it took of a processor; of a trace also what it left out and what it lost."""
    took = f"Watching took {figures.percent(cost.cpu)} of one processor"
    trace = cost.trace
    if trace is None:
        yield f"{took}."
        return
    kernel = figures.percent(trace.kernel_cpu)
    yield (
        f"{took}, and recording {figures.rate(trace.per_s, 'events')} some {kernel} more in the "
        "kernel."
    )
    if trace.sampled < WHOLE:
        yield (
            f"Too many events to record all: they were recorded in slices, "
            f"{figures.percent(trace.sampled)} of the time."
        )
    yield _lost(trace)


def _lost(trace: Tracing) -> str:
    if not trace.lost:
        return "No event was lost."
    return (
        f"{figures.counted(trace.lost, 'event')} ({figures.percent(trace.lost_share)}) found no "
        "room and were lost: traced rates are too low by about as much."
    )
