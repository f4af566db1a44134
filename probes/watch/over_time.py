"""What a watch saw over time: rates and latencies stretch by stretch, as plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from probes.watch.words import Operation, Source

MOST_STRETCHES = 120
"""More can't be distinguished in a picture: neighbours of a longer watch become one."""

CLASSES = 76
"""Classes of latencies, two to a power of two: class n begins at 2^(n/2) ns."""

LEAST_TIMED = 0.05
"""The share of reads that is always taken to be timed, however many were read ahead."""

Sample = TypeVar("Sample")

_NS_PER_US = 1e3
_US_PER_S = 1e6


GLIMPSED = 240
"""How many samples at most are read of a window that goes on: a picture shows no more."""


def thinned(samples: list[Sample]) -> list[Sample]:
    """As many of them as a picture of a window that goes on shows, counted from the latest."""
    width = len(samples) // GLIMPSED + 1
    return samples[::-width][::-1]


def class_edges_us(index: int) -> tuple[float, float]:
    """Where a class of latencies begins and ends."""
    return 2.0 ** (index / 2) / _NS_PER_US, 2.0 ** ((index + 1) / 2) / _NS_PER_US


@dataclass(frozen=True, slots=True)
class Amounts:
    """What happened in one stretch; ``waited_us`` adds up all calls."""

    calls: float
    size_bytes: float
    waited_us: float


@dataclass(frozen=True, slots=True)
class Course:
    """One operation over time, on the files of a role or on a device; ``of`` names which.

    Stretch n lies between ``edges_s`` n and n + 1, which count from the watch's start. A figure is
    nan where it is not known; ``latency_us``, the mean, also where nothing ended. ``waiting`` is
    how many calls or requests were under way on average.
    """

    of: str
    operation: Operation
    source: Source
    edges_s: tuple[float, ...]
    per_s: tuple[float, ...]
    bytes_per_s: tuple[float, ...]
    latency_us: tuple[float, ...]
    waiting: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LatencyCells:
    """How often each latency occurred over time, of one operation; ``of`` as in ``Course``.

    ``cells`` are (stretch, class, how many ended); ``recorded`` is the share of each stretch in
    which the kernel was asked.
    """

    of: str
    operation: Operation
    edges_s: tuple[float, ...]
    recorded: tuple[float, ...]
    cells: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class BusyTime:
    """The share of each stretch (0..1) in which a device had a request in flight.

    ``of`` and ``edges_s`` as in ``Course``.
    """

    of: str
    edges_s: tuple[float, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OverTime:
    """All that is known over time: of roles' files, of devices, and the latencies of both.

    ``files`` are from the server where that timed them, else from a trace. ``busy`` are the
    devices whose time the kernel counts.
    """

    files: tuple[Course, ...] = ()
    devices: tuple[Course, ...] = ()
    latencies: tuple[LatencyCells, ...] = ()
    busy: tuple[BusyTime, ...] = ()


def course(
    of: str,
    operation: Operation,
    source: Source,
    edges_s: Sequence[float],
    amounts: Sequence[Amounts],
    *,
    looked_s: Sequence[float] | None = None,
    aside: Sequence[float] | None = None,
) -> Course:
    """Rates from amounts, in at most ``MOST_STRETCHES``.

    ``looked_s`` is for how long of each stretch somebody looked, all of it where it is None.
    ``aside`` are calls that took next to nothing and are left out of the latency.
    """
    if looked_s is None:
        looked_s = [after - before for before, after in pairwise(edges_s)]
    starts, width = stretches(len(amounts))
    kept = [_sum(amounts[at : at + width]) for at in starts]
    looked = [sum(looked_s[at : at + width]) for at in starts]
    left_out = [sum(aside[at : at + width]) for at in starts] if aside else [0.0] * len(kept)
    timed = any(each.waited_us for each in kept)
    return Course(
        of,
        operation,
        source,
        (*(edges_s[at] for at in starts), edges_s[-1]),
        tuple(_by(each.calls, span) for each, span in zip(kept, looked, strict=True)),
        tuple(_by(each.size_bytes, span) for each, span in zip(kept, looked, strict=True)),
        tuple(
            _by(each.waited_us, max(each.calls - fewer, LEAST_TIMED * each.calls))
            if timed
            else math.nan
            for each, fewer in zip(kept, left_out, strict=True)
        ),
        tuple(
            _by(each.waited_us / _US_PER_S, span) if timed else math.nan
            for each, span in zip(kept, looked, strict=True)
        ),
    )


def stretches(known: int) -> tuple[range, int]:
    """Where each stretch of a picture begins among as many that are known, and its width."""
    width = -(-known // MOST_STRETCHES) or 1
    return range(0, known, width), width


def rates(edges_s: Sequence[float], grown: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """The edges of at most ``MOST_STRETCHES``, and what grew by ``grown`` per second of each."""
    starts, width = stretches(len(grown))
    edges = (*(edges_s[at] for at in starts), edges_s[-1])
    spans = (after - before for before, after in pairwise(edges))
    return edges, tuple(
        _by(sum(grown[at : at + width]), span) for at, span in zip(starts, spans, strict=True)
    )


def _sum(amounts: Sequence[Amounts]) -> Amounts:
    return Amounts(
        sum(each.calls for each in amounts),
        sum(each.size_bytes for each in amounts),
        sum(each.waited_us for each in amounts),
    )


def _by(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else math.nan
