"""Drives under a watched server as curves: which is the fastest from where on, with bands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import Crossing, Stretch, UnderServer
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import ForecastStep
from advisor.model.network.response_time import ResponseTimes
from app.presenters.charts.connection_curves import (
    ConnectionLine,
    ConnectionMark,
    CurvesPicture,
    FastestReach,
    Here,
    LevelPoint,
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
from probes.figures import count, duration_us, ranged, rate

_Known = Mapping[int, WhatIf]
"""Forecasts by their drives' places among the contenders."""


def under_picture(found: UnderServer) -> CurvesPicture:
    """Queries per second over connections on each drive that has a forecast."""
    known = _known(found)
    lines = tuple(
        ConnectionLine(
            _name(found, at),
            spots(what.after.steps, rate_of),
            at=spot(what.then, rate_of),
            band=band_of(what.after.steps),
            series=at,
            short=LETTERS[at],
        )
        for at, what in known.items()
    )
    marks = _marks(known, _rate_text)
    now = next(iter(known.values())).now
    return CurvesPicture(
        tr("queries/s"),
        marks,
        lines,
        across(marks),
        rates_up(lines),
        _here(now, rate_of(now), rate(now.rate_per_s.value)),
        _reaches(found),
        tuple(_levels(found.crossings, lines)),
    )


def under_times_picture(found: UnderServer) -> CurvesPicture | None:
    """Within which time 95 of 100 queries are done on each drive; None where nobody can tell."""
    known = _known(found)
    lines = []
    for at, what in known.items():
        late, band, then = late_line(what.after.steps, what.times_after, what.then)
        if late:
            name = _name(found, at)
            lines.append(
                ConnectionLine(name, late, at=then, band=band, series=at, short=LETTERS[at])
            )
    if not lines:
        return None
    marks = _marks(known, _time_text)
    first = next(iter(known.values()))
    today = first.times_now
    late_us = None if today is None else today.every.p95_us.value
    here = None if late_us is None else _here(first.now, time_of(late_us), duration_us(late_us))
    return CurvesPicture(
        "p95", marks, tuple(lines), across(marks), times_up(lines), here, _reaches(found)
    )


def _known(found: UnderServer) -> _Known:
    return {at: each.found for at, each in enumerate(found.entrants) if each.found is not None}


def _name(found: UnderServer, at: int) -> str:
    return f"{LETTERS[at]}  {found.entrants[at].contender.name}"


def _here(now: ForecastStep, y: float, figure: str) -> Here:
    """Where the server is on its own drive, as it was watched."""
    text = tr(
        "today: {connections}, {figure}",
        connections=workers_text("connection", now.threads),
        figure=figure,
    )
    return Here(math.log2(now.threads), y, (text, tr("today")))


def _reaches(found: UnderServer) -> tuple[FastestReach, ...]:
    return tuple(map(_reach, found.stretches, (*found.stretches[1:], None)))


def _reach(each: Stretch, following: Stretch | None) -> FastestReach:
    """It goes to where the next one begins, so that every border is one line."""
    last = each.last if following is None else following.first
    numbers = {"first": count(each.first), "last": count(each.last)}
    if each.best is None:
        texts = (
            tr("{first} to {last} connections: too close to call", **numbers),
            tr("too close"),
            "?",
        )
    else:
        name = LETTERS[each.best]
        long = tr("{first} to {last}: {name} is the fastest", name=name, **numbers)
        texts = long, tr("{name} is the fastest", name=name), name
    return FastestReach(math.log2(each.first), math.log2(last), each.best, texts)


def _levels(
    crossings: tuple[Crossing, ...], lines: tuple[ConnectionLine, ...]
) -> Iterator[LevelPoint]:
    """Between both curves as they are drawn, from doubling to doubling."""
    curves = {line.series: line.spots for line in lines}
    for each in crossings:
        x = math.log2(each.at)
        both = (_between(curves[at], x) for at in (each.before, each.after))
        yield LevelPoint(x, sum(both) / 2, count(each.at))


def _between(curve: tuple[tuple[float, float], ...], x: float) -> float:
    left = max((each for each in curve if each[0] <= x), default=curve[0])
    right = min((each for each in curve if each[0] >= x), default=curve[-1])
    part = (x - left[0]) / (right[0] - left[0]) if right[0] > left[0] else 0.0
    return left[1] + part * (right[1] - left[1])


def _marks(
    known: _Known, say: Callable[[int, ForecastStep, ResponseTimes | None], str]
) -> tuple[ConnectionMark, ...]:
    """One for each number of connections; ``say`` gives a drive's figures there."""
    columns = (zip(each.after.steps, each.times_after, strict=True) for each in known.values())
    found = []
    for row in zip(*columns, strict=True):
        by_drive = dict(zip(known, row, strict=True))
        threads = row[0][0].threads
        found.append(
            ConnectionMark(math.log2(threads), partial(_mark_text, threads, by_drive, say))
        )
    return tuple(found)


def _mark_text(
    threads: int,
    by_drive: Mapping[int, tuple[ForecastStep, ResponseTimes | None]],
    say: Callable[[int, ForecastStep, ResponseTimes | None], str],
) -> str:
    """One line for each drive, the fastest first."""
    ranked = sorted(by_drive.items(), key=lambda pair: -rate_of(pair[1][0]))
    lines = (say(at, step, times) for at, (step, times) in ranked)
    return "\n".join((workers_text("connection", threads), *lines))


def _rate_text(at: int, step: ForecastStep, _times: ResponseTimes | None) -> str:
    of = step.rate_per_s
    middle, low, high = ranged(of.value, of.low, of.high, rate)
    return tr("{name}: {rate} ({low} to {high})", name=LETTERS[at], rate=middle, low=low, high=high)


def _time_text(at: int, step: ForecastStep, times: ResponseTimes | None) -> str:
    mean = duration_us(step.latency_us)
    if times is None:
        return tr("{name}: {mean} on average", name=LETTERS[at], mean=mean)
    p95_us = times.every.p95_us
    late, low, high = ranged(p95_us.value, p95_us.low, p95_us.high, duration_us)
    return tr(
        "{name}: 95 of 100 within {late} ({low} to {high}), {mean} on average",
        name=LETTERS[at],
        late=late,
        low=low,
        high=high,
        mean=mean,
    )
