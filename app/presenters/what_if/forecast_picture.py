"""What the what-if page draws: two curves with a band, and where the time goes, as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from advisor.forecasts.kept import KeptScenario, forecast_text
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import ForecastStep
from advisor.model.network.response_time import ResponseTimes
from advisor.model.network.stations import Place
from advisor.wording.forecasts.more import more_texts
from advisor.wording.forecasts.places import heading, named
from app.presenters.charts.connection_curves import (
    ConnectionLine,
    ConnectionMark,
    CurvesPicture,
    across,
    band_of,
    late_line,
    rate_of,
    rates_up,
    spot,
    spots,
    time_of,
    times_up,
)
from app.presenters.texts.phrases import workers_text
from app.runtime.translation import tr
from probes.figures import duration_us, percent, ranged, rate

TONES: Mapping[Place, str] = {
    Place.DRIVE: "series:0",
    Place.CPU: "series:1",
    Place.REDO: "series:2",
    Place.FLUSHING: "series:3",
    Place.NETWORK: "series:4",
    Place.OTHER: "growing",
}
"""The colours of the places where a query spends its time."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """A place's part of a bar, 0..1 of the longest bar."""

    tone: str
    width: float


@dataclass(frozen=True, slots=True)
class TimeBar:
    """Where the time of a query goes, as one bar as long as it takes."""

    title: str
    total: str
    parts: tuple[BarPart, ...]


@dataclass(frozen=True, slots=True)
class TimePicture:
    """The bars, and the key: tone, name, and the shares today and then; of one bar today's."""

    bars: tuple[TimeBar, ...]
    key: tuple[tuple[str, str, str], ...]


def headline(found: WhatIf) -> str:
    """The change's effect, or today's figures while nothing is turned."""
    now, then = found.now, found.then
    if not found.turned.words:
        return tr(
            "{rate}, {each} today.",
            rate=rate(now.rate_per_s.value, "queries"),
            each=_each(now, found.times_now),
        )
    gain, low, high = more_texts(found.gain)
    return tr(
        "{gain} ({low} to {high}): {rate}, {each}, in place of {before} and {each_before}.",
        gain=gain,
        low=low,
        high=high,
        rate=rate(then.rate_per_s.value, "queries"),
        each=_each(then, found.times_then),
        before=rate(now.rate_per_s.value),
        each_before=_with_p95(duration_us(now.latency_us), found.times_now),
    )


def kept_sentences(kept: KeptScenario | None, found: WhatIf) -> tuple[str, ...]:
    """What was forecast of a scenario when it was kept, where that is no more what it is now."""
    if kept is None or kept.sentence == forecast_text(found):
        return ()
    return (tr("When this scenario was kept its forecast was: {said}.", said=kept.sentence),)


def _connections(step: ForecastStep) -> str:
    return workers_text("connection", step.threads)


def _each(step: ForecastStep, times: ResponseTimes | None) -> str:
    """What a query takes: "745 µs each (p95 2.10 ms)"."""
    return _with_p95(tr("{time} each", time=duration_us(step.latency_us)), times)


def _with_p95(mean: str, times: ResponseTimes | None) -> str:
    return mean if times is None else f"{mean} (p95 {duration_us(times.every.p95_us.value)})"


def curves_picture(found: WhatIf) -> CurvesPicture:
    """Queries per second today and then, with axes that hold both and the band.

    While nothing is turned both are one curve.
    """
    today, after = found.today.steps, found.after.steps
    marks = tuple(
        ConnectionMark(math.log2(then.threads), partial(_rate_text, now, then))
        for now, then in zip(today, after, strict=True)
    )
    turned = bool(found.turned.words)
    banded = ConnectionLine(
        tr("then, with band") if turned else tr("today, with band"),
        spots(after, rate_of),
        at=spot(found.then, rate_of),
        band=band_of(after),
    )
    now_line = ConnectionLine(
        tr("today"), spots(today, rate_of), today=True, at=spot(found.now, rate_of)
    )
    lines = (now_line, banded) if turned else (banded,)
    return CurvesPicture(tr("queries/s"), marks, lines, across(marks), rates_up(lines))


def times_picture(found: WhatIf) -> CurvesPicture:
    """How long queries take today and then: the mean, and within which time 95 of 100 are done."""
    today, after = found.today.steps, found.after.steps
    then_pair = (after, found.times_after, found.then, False)
    pairs = (
        ((today, found.times_today, found.now, True), then_pair)
        if found.turned.words
        else (then_pair,)
    )
    means, lates = [], []
    for steps, times, present, is_today in pairs:
        name = "" if is_today else tr("mean")
        means.append(ConnectionLine(name, spots(steps, _mean), today=is_today, thin=True))
        late, band, at = late_line(steps, times, present)
        name = tr("today") if is_today else tr("p95 with its band")
        lates.append(
            ConnectionLine(name, late, today=is_today, at=at, band=() if is_today else band)
        )
    marks = tuple(
        ConnectionMark(math.log2(then.threads), partial(_time_text, now, then, early, late))
        for now, then, early, late in zip(
            today, after, found.times_today, found.times_after, strict=True
        )
    )
    lines = (*means, *lates)
    return CurvesPicture(tr("time"), marks, lines, across(marks), times_up(lines))


def _mean(step: ForecastStep) -> float:
    return time_of(step.latency_us)


def time_picture(found: WhatIf) -> TimePicture:
    """Both bars to one scale; today's alone while nothing is turned."""
    turned = bool(found.turned.words)
    longest = max(found.now.latency_us, found.then.latency_us)
    steps = [(tr("A query today"), found.now), (tr("A query then"), found.then)]
    bars = tuple(_bar(title, step, longest) for title, step in steps[: 1 + turned])
    now, then = (
        {share.place: share.whole for share in step.time} for step in (found.now, found.then)
    )
    shown = (now, then) if turned else (now,)
    key = tuple(
        (
            TONES[place],
            heading(place),
            "  ›  ".join(percent(each.get(place, 0.0)) for each in shown),
        )
        for place in TONES
        if place in now or place in then
    )
    return TimePicture(bars, key)


def _bar(title: str, step: ForecastStep, longest_us: float) -> TimeBar:
    shares = {share.place: share.whole for share in step.time}
    whole = step.latency_us / longest_us
    parts = tuple(
        BarPart(TONES[place], shares[place] * whole)
        for place in TONES
        if shares.get(place, 0.0) > 0
    )
    return TimeBar(title, duration_us(step.latency_us), parts)


def _rate_text(now: ForecastStep, then: ForecastStep) -> str:
    expected = then.rate_per_s
    figure, low, high = ranged(expected.value, expected.low, expected.high, rate)
    text = tr(
        "{connections}: {now} today, then {then} ({low} to {high}), {each} each",
        connections=_connections(then),
        now=rate(now.rate_per_s.value),
        then=figure,
        low=low,
        high=high,
        each=duration_us(then.latency_us),
    )
    if then.limited_by is not None:
        text = tr("{said}, {what} limits", said=text, what=named(then.limited_by))
    return tr("{said}, beyond what was measured", said=text) if then.extrapolated else text


def _time_text(
    now: ForecastStep, then: ForecastStep, early: ResponseTimes | None, late: ResponseTimes | None
) -> str:
    if early is None or late is None:
        return tr(
            "{connections}: {now} a query today, then {then}",
            connections=_connections(then),
            now=duration_us(now.latency_us),
            then=duration_us(then.latency_us),
        )
    return tr(
        "{connections}: {now} a query today, then {then}; 95 of 100 within {early} today, then "
        "{late}",
        connections=_connections(then),
        now=duration_us(now.latency_us),
        then=duration_us(then.latency_us),
        early=duration_us(early.every.p95_us.value),
        late=late.every.p95_us.text(duration_us),
    )
