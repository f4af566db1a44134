"""One point over time: what it was made of, and what device and host did meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from statistics import fmean, median

from advisor.wording.measured.cells import rate_cell
from app.presenters.charts.lanes import (
    SHARES,
    Figure,
    Lane,
    LaneSheet,
    LaneTrace,
    Spot,
    figure_text,
    top_scale,
)
from app.presenters.charts.point_text import spread
from app.presenters.charts.scales import Scale, clock, linear
from app.presenters.charts.scene import WIDEST
from app.runtime.translation import tr
from probes.figures import duration_us, percent, rate, size
from probes.kinds.words import unit
from probes.points import HostSample, Point, Sample, Setting
from probes.trust.change_points import read_phases

STACK = (
    ("user", "series:0"),
    ("system", "series:1"),
    ("waiting for I/O", "series:4"),
    ("stolen", "bad"),
)


SEEN = 0.02
"""A layer that is written as 0 % and never reaches this share would be a line on top of the others,
and nothing else (our choice)."""

MOST_SPOTS = 400
"""More than this can't be distinguished in a lane, and takes long to draw."""

Say = Callable[[float], str]


def timeline(point: Point, samples: Sequence[Sample], index: int, ticks: int = 4) -> LaneSheet:
    """The lanes of one point; time 0 is where measuring began, after the warm-up that was cut.

    ``index`` is that of the curve's colour, ``ticks`` how many the rate's lane has room for.
    Without samples the sheet has no lane.
    """
    if not samples:
        return LaneSheet(Scale(0.0, 1.0, ()), ())
    last = samples[-1].at_s
    start = max(0.0, last - point.seconds) if point.seconds > 0 else 0.0
    what = unit(point.setting)
    sheet = _sheet(what, thinned(samples), start, index=index, ticks=ticks, point=point)
    return replace(sheet, marks=_marks(point, start))


def course(setting: Setting, samples: Sequence[Sample], index: int) -> LaneSheet:
    """The lanes of a point that still grows."""
    return _sheet(unit(setting), thinned(samples), 0.0, index=index)


def _sheet(
    what: str,
    samples: Sequence[Sample],
    start: float,
    *,
    index: int,
    ticks: int = 4,
    point: Point | None = None,
) -> LaneSheet:
    times = [sample.at_s - start for sample in samples]
    gap = min((after - before for before, after in pairwise(times)), default=0.2)
    first = min(times[0] - max(gap, 0.0), 0.0)
    across = clock(first, max(times[-1], 0.1))
    rates = _rates(what, samples, times, index=index, ticks=ticks, point=point)
    lanes = [rates, _latencies(samples, times, index, point)]
    lanes += _host_lanes(samples, times)
    shaded = ((first, 0.0, tr("warm-up")),) if first < 0 else ()
    return LaneSheet(across, tuple(lanes), shaded)


def thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    """At most ``MOST_SPOTS`` samples: neighbours become one, of mean rate and highest latency.

    What device and host did is that of the middle one.
    """
    if len(samples) <= MOST_SPOTS:
        return samples
    width = -(-len(samples) // MOST_SPOTS)
    groups = (samples[at : at + width] for at in range(0, len(samples), width))
    return [
        replace(
            group[-1],
            rate_per_s=fmean(one.rate_per_s for one in group),
            p95_us=max(one.p95_us for one in group),
            p99_us=max(one.p99_us for one in group),
            host=group[len(group) // 2].host,
        )
        for group in groups
    ]


def _marks(point: Point, start: float) -> tuple[tuple[float, str], ...]:
    """Where a long write changed its rate for good: how much had been written until then."""
    return tuple(
        (
            phase.start_s - start,
            tr("{rate} after {size}", rate=rate(phase.rate_per_s), size=size(phase.bytes_before)),
        )
        for phase in read_phases(point.details)[1:]
    )


def _rates(
    what: str,
    samples: Sequence[Sample],
    times: Sequence[float],
    *,
    index: int,
    ticks: int,
    point: Point | None,
) -> Lane:
    spots = tuple(
        Spot(at, sample.rate_per_s, rate(sample.rate_per_s, what))
        for at, sample in zip(times, samples, strict=True)
    )
    low, high = point.ci95_per_s if point is not None else (math.nan, math.nan)
    known = not math.isnan(low) and not math.isnan(high)
    highest = max(spot.y for spot in spots)
    # An interval that nothing is known from shall not press the course to the ground.
    top = max(highest, min(high, WIDEST * highest)) if known else highest
    summary = rate(samples[-1].rate_per_s, what)
    if point is not None:
        summary = rate_cell(point, partial(rate, what=what))
        if known:
            beside = spread(point)
            summary += f" {beside}" if beside.startswith("±") else f", {beside}"
    trace = LaneTrace("", f"series:{index}", spots, summary, dots=len(spots) <= 40)
    title = f"{what.capitalize()}/s"
    if known:
        title = tr("{unit}, the point's rate with its 95 % interval", unit=title)
    band = (low, high) if known else None
    return Lane(title, linear(top, "", ticks), (trace,), 3.0, band)


def _latencies(
    samples: Sequence[Sample], times: Sequence[float], index: int, point: Point | None
) -> Lane:
    """Without a cursor the titles have the point's own figures, as all that describes it has."""
    whole = None if point is None else point.latency
    traces = []
    for name, faint in (("p95", False), ("p99", True)):
        spots = _spots(
            times,
            (sample.p95_us if name == "p95" else sample.p99_us for sample in samples),
            duration_us,
            empty=0.0,
        )
        text = _middle(spots, duration_us)
        own = math.nan if whole is None else whole.p99_us if faint else whole.p95_us
        if own > 0:
            text = duration_us(own)
        traces.append(LaneTrace(name, f"series:{index}", spots, text, faint=faint))
    top = max((spot.y for trace in traces for spot in trace.spots), default=1.0)
    return Lane(tr("Latency"), linear(top, "us", 3), tuple(traces), 2.0)


def _spots(
    times: Sequence[float], values: Iterable[float], say: Say, empty: float = math.nan
) -> tuple[Spot, ...]:
    """Figures over time; unknown ones and those of an empty interval are left out."""
    return tuple(
        Spot(at, value, say(value))
        for at, value in zip(times, values, strict=True)
        if not math.isnan(value) and value != empty
    )


def _middle(spots: Sequence[Spot], say: Say) -> str:
    after = [spot.y for spot in spots if spot.x > 0] or [spot.y for spot in spots]
    return say(median(after)) if after else ""


def _host_lanes(samples: Sequence[Sample], times: Sequence[float]) -> list[Lane]:
    """Device, CPU and context switches; empty where nobody looked."""
    seen = [
        (at, sample.host)
        for at, sample in zip(times, samples, strict=True)
        if sample.host is not None
    ]
    if not seen:
        return []
    device = next((host.device for _, host in seen if host.device), "")
    lanes = []
    if device:
        lanes += [
            _lane(
                tr("{device} busy", device=device),
                seen,
                (("", "accent", lambda h: h.utilisation),),
                share=True,
            ),
            _lane(
                tr("{device} queue", device=device),
                seen,
                (("", "accent", lambda h: h.queue),),
            ),
            _awaits(device, seen),
        ]
    lanes += [_cpu(seen), _switches(seen)]
    return [lane for lane in lanes if any(trace.spots for trace in lane.traces)]


def _lane(
    title: str,
    seen: Sequence[tuple[float, HostSample]],
    figures: Sequence[tuple[str, str, Figure]],
    *,
    share: bool = False,
) -> Lane:
    times = [at for at, _ in seen]

    def say(value: float) -> str:
        return figure_text(value, share=share)

    traces = []
    for name, tone, figure in figures:
        spots = _spots(times, (figure(host) for _, host in seen), say)
        traces.append(LaneTrace(name, tone, spots, _middle(spots, say), filled=share))
    values = [spot.y for trace in traces for spot in trace.spots]
    return Lane(title, SHARES if share else top_scale(values), tuple(traces))


def _awaits(device: str, seen: Sequence[tuple[float, HostSample]]) -> Lane:
    times = [at for at, _ in seen]
    traces = []
    for name, tone, values in (
        (tr("reads"), "series:0", [host.read_await_us for _, host in seen]),
        (tr("writes"), "series:1", [host.write_await_us for _, host in seen]),
    ):
        spots = _spots(times, values, duration_us, empty=0.0)
        if spots:
            traces.append(LaneTrace(name, tone, spots, _middle(spots, duration_us)))
    top = top_scale((spot.y for trace in traces for spot in trace.spots), "us")
    return Lane(tr("{device} await", device=device), top, tuple(traces))


def _cpu(seen: Sequence[tuple[float, HostSample]]) -> Lane:
    """Shares of all processors, on top of each other."""
    below = [0.0] * len(seen)
    traces: list[LaneTrace] = []
    for (name, tone), values in zip(
        STACK,
        (
            [host.cpu_user for _, host in seen],
            [host.cpu_system for _, host in seen],
            [host.cpu_iowait for _, host in seen],
            [host.cpu_steal for _, host in seen],
        ),
        strict=True,
    ):
        known = [0.0 if math.isnan(value) else value for value in values]
        after = [value for (at, _), value in zip(seen, known, strict=True) if at > 0] or known
        if traces and percent(median(after)) == percent(0.0) and max(known) < SEEN:
            continue
        below = [low + value for low, value in zip(below, known, strict=True)]
        spots = tuple(
            Spot(at, top, percent(value))
            for (at, _), top, value in zip(seen, below, known, strict=True)
        )
        traces.append(LaneTrace(name, tone, spots, percent(median(after)), filled=True))
    return Lane("CPU", SHARES, tuple(traces))


def _switches(seen: Sequence[tuple[float, HostSample]]) -> Lane:
    times = [at for at, _ in seen]
    spots = _spots(times, [host.context_switches_per_s for _, host in seen], rate)
    trace = LaneTrace("", "accent", spots, _middle(spots, rate))
    return Lane(tr("Context switches"), top_scale(spot.y for spot in spots), (trace,))
