"""What the what-if page draws: two curves with a band, and where the time goes, as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from advisor.forecasts.what_if import WhatIf
from advisor.model.forecast import Step
from advisor.model.stations import Place
from advisor.report.forecast_sentences import NAMES
from advisor.report.what_if_sentences import place_name
from app.presenters.scales import Scale, linear
from probes.figures import count, counted, duration_us, percent, rate, times

TONES: Mapping[Place, str] = {
    Place.DRIVE: "series:0",
    Place.CPU: "series:1",
    Place.REDO: "series:2",
    Place.FLUSHING: "series:3",
    Place.NETWORK: "series:4",
    Place.OTHER: "growing",
}
"""The colours of the places where a query spends its time."""

_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Mark:
    """One number of connections: ``x`` is its log2; rates per second, low and high the band's."""

    x: float
    threads: int
    today: float
    then: float
    low: float
    high: float
    said: str


@dataclass(frozen=True, slots=True)
class CurvesPicture:
    """Both curves over connections; ``now`` and ``then`` are where the server stands on them."""

    marks: tuple[Mark, ...]
    across: Scale
    up: Scale
    now: tuple[float, float]
    then: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """A place's part of a bar, 0..1 of the longest bar."""

    tone: str
    width: float


@dataclass(frozen=True, slots=True)
class TimeBar:
    """Where the time of a query goes, as one bar as long as it takes."""

    title: str
    total: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class TimePicture:
    """Both bars, and the key: tone, name, and the shares today and then."""

    bars: tuple[TimeBar, TimeBar]
    key: tuple[tuple[str, str, str], ...]


def headline(found: WhatIf) -> str:
    """The change's effect, or today's figures while nothing is turned."""
    now, then, gain = found.now, found.then, found.gain
    if not found.turned.said:
        return (
            f"{rate(now.rate_per_s.value, 'queries')} with {counted(now.threads, 'connection')}, "
            f"{duration_us(now.latency_us)} each. Turn something to see what it would bring."
        )
    return (
        f"{times(gain.value)} ({times(gain.low)} to {times(gain.high)}): "
        f"{rate(then.rate_per_s.value, 'queries')} with {counted(then.threads, 'connection')}, "
        f"{duration_us(then.latency_us)} each, in place of {rate(now.rate_per_s.value)} "
        f"and {duration_us(now.latency_us)}."
    )


def curves_picture(found: WhatIf) -> CurvesPicture:
    """Both curves, with axes that hold them and the band."""
    marks = tuple(
        Mark(
            math.log2(then.threads),
            then.threads,
            now.rate_per_s.value,
            then.rate_per_s.value,
            then.rate_per_s.low,
            then.rate_per_s.high,
            _said(now, then),
        )
        for now, then in zip(found.today.steps, found.after.steps, strict=True)
    )
    most = max(max(mark.today, mark.then) for mark in marks)
    # A band that is not known upwards must not flatten the curves.
    top = min(max(mark.high for mark in marks), 1.6 * most)
    powers = range(math.floor(marks[0].x), math.ceil(marks[-1].x) + 1)
    ticks = tuple((float(each), count(1 << each)) for each in powers)
    across = Scale(marks[0].x - 0.2, marks[-1].x + 0.2, ticks)
    return CurvesPicture(
        marks, across, linear(top, "", _MOST_TICKS), _spot(found.now), _spot(found.then)
    )


def time_picture(found: WhatIf) -> TimePicture:
    """Both bars to one scale."""
    longest = max(found.now.latency_us, found.then.latency_us)
    bars = (
        _bar("Today", found.now, longest),
        _bar("Then", found.then, longest),
    )
    now, then = (
        {share.place: share.whole for share in step.time} for step in (found.now, found.then)
    )
    key = tuple(
        (
            TONES[place],
            place_name(place),
            f"{percent(now.get(place, 0.0))}  ›  {percent(then.get(place, 0.0))}",
        )
        for place in TONES
        if place in now or place in then
    )
    return TimePicture(bars, key)


def _bar(title: str, step: Step, longest_us: float) -> TimeBar:
    shares = {share.place: share.whole for share in step.time}
    whole = step.latency_us / longest_us
    parts = tuple(
        Part(TONES[place], shares[place] * whole) for place in TONES if shares.get(place, 0.0) > 0
    )
    return TimeBar(title, duration_us(step.latency_us), parts)


def _spot(step: Step) -> tuple[float, float]:
    return math.log2(step.threads), step.rate_per_s.value


def _said(now: Step, then: Step) -> str:
    expected = then.rate_per_s
    limited = "" if then.limited_by is None else f", {NAMES[then.limited_by]} limits"
    unsure = ", beyond what was measured" if then.extrapolated else ""
    return (
        f"{counted(then.threads, 'connection')}: {rate(now.rate_per_s.value)} today, then "
        f"{rate(expected.value)} ({rate(expected.low)} to {rate(expected.high)}), "
        f"{duration_us(then.latency_us)} each{limited}{unsure}"
    )
