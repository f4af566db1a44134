"""A moment of a watch in which calls took far longer than in most of its others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from probes.figures import duration_us, seconds, times
from probes.watch.over_time import Course
from probes.watch.watched import Watched

FAR_OUT = 10.0
"""How many times the median moment's mean a call takes in a burst (our choice)."""

ENOUGH_CALLS, ENOUGH_MOMENTS = 10.0, 8
"""A mean needs at least this many calls, and the median this many moments (our choice)."""

TELLING = 0.05
"""A burst takes this share of the time of all file I/O, or nothing is said of it (our choice)."""


@dataclass(frozen=True, slots=True)
class _Burst:
    """When it was, what a call took in it and mostly, and the time that all of them took."""

    course: Course
    at_s: float
    latency_us: float
    usual_us: float
    took_s: float


def burst_sentence(watched: Watched) -> str:
    """The one burst that took most of the time of file I/O; "" where none stands far out."""
    courses = () if watched.over_time is None else watched.over_time.files
    most = max(
        (burst for one in courses for burst in _bursts(one)),
        key=lambda burst: burst.took_s,
        default=None,
    )
    if most is None or most.took_s < TELLING * sum(map(_took_s, courses)):
        return ""
    usual = duration_us(most.usual_us)
    return (
        f"A burst at {seconds(round(most.at_s))}: {most.course.of} {most.course.operation}s took "
        f"{duration_us(most.latency_us)} each, {times(most.latency_us / most.usual_us)} their "
        f"median of {usual}."
    )


def _took_s(course: Course) -> float:
    spans = (end - start for start, end in pairwise(course.edges_s))
    took = (each * span for each, span in zip(course.waiting, spans, strict=True))
    return sum(each for each in took if not math.isnan(each))


def _bursts(course: Course) -> Iterator[_Burst]:
    known = []
    stretches = zip(pairwise(course.edges_s), course.per_s, course.latency_us, strict=True)
    for (start, end), per_s, latency_us in stretches:
        calls = per_s * (end - start)
        if calls >= ENOUGH_CALLS and latency_us > 0:
            known.append(((start + end) / 2, latency_us, calls))
    if len(known) < ENOUGH_MOMENTS:
        return
    usual_us = median(latency_us for _, latency_us, _ in known)
    for at_s, latency_us, calls in known:
        if latency_us >= FAR_OUT * usual_us:
            yield _Burst(course, at_s, latency_us, usual_us, calls * latency_us / 1e6)
