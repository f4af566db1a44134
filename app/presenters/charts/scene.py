"""Pictures laid out for drawing: curves as marks in the coordinates of the two plots."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from advisor.compare.ratio import Ratio
from app.controllers.run import Growing
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.operating_point import (
    OperatingPoint,
    Spread,
    belongs_to,
    on_latencies,
    on_rates,
)
from app.presenters.charts.ratios import Reading, p95_figure, rate_figure, ratio_scale, ratios
from app.presenters.charts.scales import Scale, linear, logarithmic, positions
from probes.points import Point, Trust


@dataclass(frozen=True, slots=True)
class PointMark:
    """A point in plot coordinates; ``low`` and ``high`` end its interval.

    ``y`` is nan where the source does not give the figure; such a mark is not drawn.
    """

    x: float
    y: float
    low: float
    high: float
    trust: Trust = Trust.OK
    point_id: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """One drawn curve; ``upper`` is a second, fainter line above it (p99 over p95)."""

    index: int
    marks: tuple[PointMark, ...]
    upper: tuple[PointMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Sprout:
    """The growing point: its samples, their middle, and the point it will be joined to."""

    x: float
    samples: tuple[float, ...]
    middle: float | None
    previous: PointMark | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one plot shows."""

    across: Scale
    up: Scale
    traces: tuple[Trace, ...] = ()
    sprout: Sprout | None = None
    marked: frozenset[int] = field(default_factory=frozenset)
    show_rejected: bool = False
    working: Spread | None = None


EMPTY = Scene(Scale(0, 1, ()), Scale(0, 1, ()))


@dataclass(frozen=True, slots=True)
class SceneOptions:
    """What the user chose to see.

    ``hidden`` are keys of curves; ``most_ticks`` is how many the height of a plot can carry. With
    ``against``, the index of a curve, all figures are ratios to that curve's. ``working`` is where
    the server itself works, drawn where it belongs.
    """

    log_rate: bool = False
    log_latency: bool = True
    show_rejected: bool = False
    hidden: frozenset[tuple[object, ...]] = frozenset()
    marked: frozenset[int] = frozenset()
    most_ticks: int = 6
    against: int | None = None
    working: OperatingPoint | None = None


MOST_SAMPLES = 200
"""More samples of a growing point would only cover each other."""

WIDEST = 1.25
"""How far above the highest rate an interval still moves the axis; beyond, it leaves the plot."""

Ordinate = Callable[[float], float]


def rate_scene(picture: Picture, growing: Growing | None, options: SceneOptions) -> Scene:
    """Rates with their 95 % intervals."""
    if options.against is not None:
        return _ratio_scene(picture, options, rate_figure)
    shown = _visible(picture, options)
    measured = [point for series in shown for point in _counted(series, options)]
    rates = [point.rate_per_s for point in measured if not math.isnan(point.rate_per_s)]
    # An interval that nothing is known from shall not press all curves to the ground.
    room = WIDEST * max(rates, default=0.0)
    rates += [end for point in measured for end in point.ci95_per_s if 0 < end <= room]
    rates += [sample.rate_per_s for sample in growing.samples[-MOST_SAMPLES:]] if growing else []
    working = options.working if belongs_to(picture) else None
    rates += [working.per_s.value] if working is not None else []
    up, ordinate = _scale(rates, "", options.most_ticks, log=options.log_rate)
    traces = tuple(
        Trace(series.index, tuple(_rate_mark(series, point, ordinate) for point in series.points))
        for series in shown
    )
    latest = growing.samples[-MOST_SAMPLES:] if growing is not None else []
    samples = tuple(sample.rate_per_s for sample in latest)
    scene = _scene(
        picture, up, traces, _sprout(picture, traces, growing, samples, ordinate), options
    )
    if working is None:
        return scene
    return replace(scene, working=on_rates(working, scene.across, log=options.log_rate))


def latency_scene(picture: Picture, growing: Growing | None, options: SceneOptions) -> Scene:
    """p95 as the curve, p99 as the fainter line above it, in microseconds."""
    if options.against is not None:
        return _ratio_scene(picture, options, p95_figure)
    shown = _visible(picture, options)
    values = [
        value
        for series in shown
        for point in _counted(series, options)
        for value in (point.latency.p95_us, point.latency.p99_us)
        if not math.isnan(value)
    ]
    latest = growing.samples[-MOST_SAMPLES:] if growing is not None else []
    samples = tuple(sample.p95_us for sample in latest if sample.p95_us > 0)
    working = options.working if belongs_to(picture) else None
    values += [working.latency_us.value] if working is not None else []
    up, ordinate = _scale([*values, *samples], "us", options.most_ticks, log=options.log_latency)
    traces = tuple(
        Trace(
            series.index,
            tuple(
                _latency_mark(series, point, point.latency.p95_us, ordinate)
                for point in series.points
            ),
            tuple(
                _latency_mark(series, point, point.latency.p99_us, ordinate)
                for point in series.line
            ),
        )
        for series in shown
    )
    scene = _scene(
        picture, up, traces, _sprout(picture, traces, growing, samples, ordinate), options
    )
    if working is None:
        return scene
    return replace(scene, working=on_latencies(working, scene.across, log=options.log_latency))


def _ratio_scene(picture: Picture, options: SceneOptions, reading: Reading) -> Scene:
    """Each curve over the baseline's, with the intervals of the ratios where they are known."""
    shown = _visible(picture, options)
    baseline = next((one for one in picture.series if one.index == options.against), None)
    found = [
        (series, _plain(row) if series is baseline else row)
        for series in shown
        for row in (ratios(series, baseline, reading),)
    ]
    values = [end for _, row in found for one in row for end in (one.value, one.low, one.high)]
    up = ratio_scale(values, options.most_ticks)
    traces = tuple(
        Trace(
            series.index,
            tuple(
                _ratio_mark(series, point, one)
                for point, one in zip(series.points, row, strict=True)
            ),
        )
        for series, row in found
    )
    return _scene(picture, up, traces, None, options)


def _plain(row: list[Ratio]) -> list[Ratio]:
    """The baseline over itself is 1, however well it is known."""
    return [Ratio(one.value) for one in row]


def _ratio_mark(series: Series, point: Point, one: Ratio) -> PointMark:
    at = series.axis.place(point.setting)
    if not one.value > 0:
        return PointMark(at, math.nan, math.nan, math.nan, point.trust, point.id)
    ends = (one.low, one.high) if one.known else (one.value, one.value)
    low, high = (math.log10(max(end, 1e-9)) for end in ends)
    return PointMark(at, math.log10(one.value), low, high, point.trust, point.id)


def _visible(picture: Picture, options: SceneOptions) -> list[Series]:
    return [series for series in picture.series if series.key not in options.hidden]


def _counted(series: Series, options: SceneOptions) -> tuple[Point, ...]:
    """The points for which the axis makes room."""
    return series.points if options.show_rejected else series.line


def _scale(values: list[float], unit: str, most: int, *, log: bool) -> tuple[Scale, Ordinate]:
    if log:
        floor = min((value for value in values if value > 0), default=1.0)
        return logarithmic(values, unit, most), lambda value: _log10(value, floor)
    return linear(max(values, default=0.0), unit, most), lambda value: value


def _log10(value: float, floor: float) -> float:
    return value if math.isnan(value) else math.log10(max(value, floor))


def _scene(
    picture: Picture,
    up: Scale,
    traces: tuple[Trace, ...],
    sprout: Sprout | None,
    options: SceneOptions,
) -> Scene:
    across = positions(picture.planned, picture.axis)
    return Scene(across, up, traces, sprout, options.marked, options.show_rejected)


def _rate_mark(series: Series, point: Point, ordinate: Ordinate) -> PointMark:
    low, high = point.interval_per_s or (point.rate_per_s, point.rate_per_s)
    return PointMark(
        series.axis.place(point.setting),
        ordinate(point.rate_per_s),
        ordinate(low),
        ordinate(high),
        point.trust,
        point.id,
    )


def _latency_mark(series: Series, point: Point, value_us: float, ordinate: Ordinate) -> PointMark:
    y = ordinate(value_us)
    return PointMark(series.axis.place(point.setting), y, y, y, point.trust, point.id)


def _sprout(
    picture: Picture,
    traces: tuple[Trace, ...],
    growing: Growing | None,
    samples: tuple[float, ...],
    ordinate: Ordinate,
) -> Sprout | None:
    if growing is None or not picture.holds(growing.setting):
        return None
    x = picture.axis.place(growing.setting)
    index = picture.index_of(growing.setting)
    own = next((trace for trace in traces if trace.index == index), None)
    before = (
        [mark for mark in own.marks if mark.x < x and mark.trust is not Trust.REJECTED]
        if own
        else []
    )
    middle = ordinate(sum(samples) / len(samples)) if samples else None
    drawn = tuple(ordinate(sample) for sample in samples)
    return Sprout(x, drawn, middle, before[-1] if before else None)
