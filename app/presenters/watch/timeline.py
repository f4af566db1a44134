"""A server's file I/O over time: a lane for each operation, in it the roles of its files."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from app.presenters.charts.lanes import NOTHING, Lane, LaneSheet, LaneTrace, Spot, top_scale
from app.presenters.charts.scales import WAITED, Scale, clock, logarithmic
from app.runtime.translation import tr
from probes.figures import duration_us, rate, throughput, under_way
from probes.watch.over_time import Course, OverTime
from probes.watch.watched import FileIO, Watched
from probes.watch.words import ROLES, TIMED, FileRole, Operation

TONES: dict[str, str] = {
    FileRole.DATA: "series:0",
    FileRole.REDO: "series:1",
    FileRole.DOUBLEWRITE: "series:2",
    FileRole.BINLOG: "series:3",
    FileRole.TEMP: "series:5",
    FileRole.UNDO: "series:4",
    FileRole.SYSTEM: "seventh",
    FileRole.RELAY_LOG: "eighth",
}
"""Each role has its colour on every page; what has none is grey."""

OTHERS = "growing"
SMALL = 0.01
"""Of a lane's total: what has less is not shown on its own."""

OUTLINED = 0.05
"""Of a lane's total: a layer of less would be all outline, on top of the others."""

_MIB = 2.0**20


class LaneMeasure(StrEnum):
    """What the lanes show."""

    WAITING = "waiting"
    RATE = "rate"
    BYTES = "bytes"
    LATENCY = "latency"


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one measure is read, said and scaled; ``title`` is a lane's, ``whole`` of the window."""

    title: str
    values: Callable[[Course], tuple[float, ...]]
    whole: Callable[[FileIO], float | None]
    say: Callable[[float], str]
    scale: float = 1.0
    unit: str = ""


_KINDS = {
    LaneMeasure.WAITING: _Kind(
        "{calls} under way",
        lambda one: one.waiting,
        lambda seen: seen.under_way,
        under_way,
        unit=WAITED,
    ),
    LaneMeasure.RATE: _Kind(
        "{calls}/s", lambda one: one.per_s, lambda seen: seen.per_s.value, rate
    ),
    LaneMeasure.BYTES: _Kind(
        "{calls}, MiB/s",
        lambda one: one.bytes_per_s,
        lambda seen: seen.bytes_per_s,
        throughput,
        scale=1 / _MIB,
    ),
    LaneMeasure.LATENCY: _Kind(
        "{calls}: what each takes",
        lambda one: one.latency_us,
        lambda seen: None if seen.latency_us is None else seen.latency_us.value,
        duration_us,
    ),
}

_NOUNS = {
    Operation.READ: "Reads",
    Operation.WRITE: "Writes",
    Operation.SYNC: "Syncs",
}


def measures(watched: Watched) -> list[LaneMeasure]:
    """What is known of this watch over time."""
    courses = _courses(watched.over_time)
    return [
        each
        for each in LaneMeasure
        if any(not math.isnan(value) for one in courses for value in _KINDS[each].values(one))
    ]


def over_time(watched: Watched, measure: LaneMeasure) -> LaneSheet:
    """A lane for each operation; without any course the sheet has no lane.

    Rates, bytes and what is under way add up, so they are stacked; latencies do not, and are lines
    on a logarithmic axis.
    """
    courses = _courses(watched.over_time)
    if not courses:
        return NOTHING
    last = max(one.edges_s[-1] for one in courses)
    lanes = []
    for operation in Operation:
        own = [one for one in courses if one.operation is operation]
        lane = _lane(operation, own, measure, watched)
        if lane is not None:
            lanes.append(lane)
    return LaneSheet(clock(0.0, last), tuple(lanes))


def source_text(watched: Watched) -> str:
    """Who timed what the lanes show, as the end of a title."""
    courses = _courses(watched.over_time)
    words = dict.fromkeys(TIMED[one.source] for one in courses)
    return "; ".join(words)


def sheet_title(watched: Watched) -> str:
    """What the lanes are of; where nobody timed files, of disks."""
    known = watched.over_time
    by_disk = known is not None and known.devices and not is_by_role(watched)
    return tr("Disk I/O") if by_disk else tr("File I/O by role")


def is_by_role(watched: Watched) -> bool:
    """Whether somebody timed the server's calls on its files over time."""
    return watched.over_time is not None and bool(watched.over_time.files)


def _courses(known: OverTime | None) -> tuple[Course, ...]:
    """Of roles' files; where nobody timed those, of devices."""
    if known is None:
        return ()
    return known.files or known.devices


def _lane(
    operation: Operation, courses: Sequence[Course], measure: LaneMeasure, watched: Watched
) -> Lane | None:
    kind = _KINDS[measure]
    rows = [(one, kind.values(one)) for one in courses]
    rows = [(one, values) for one, values in rows if _total(values) > 0]
    if not rows:
        return None
    rows.sort(key=lambda each: -mean_over(each[1], each[0].edges_s))
    title = tr(kind.title, calls=_NOUNS[operation])
    if measure is LaneMeasure.LATENCY:
        return _latency_lane(title, rows, watched)
    return _stack(title, rows, kind, watched)


def _stack(
    title: str,
    rows: Sequence[tuple[Course, tuple[float, ...]]],
    kind: _Kind,
    watched: Watched,
) -> Lane:
    """The largest at the ground, each over the one before; the small ones together on top."""
    grid = rows[0][0].edges_s
    laid = [(one.of, laid_on(one.edges_s, values, grid)) for one, values in rows]
    means = {one.of: _mean(one, values, kind, watched) for one, values in rows}
    whole = sum(_total(values) for _, values in laid)
    least = OUTLINED * whole
    shown = [each for each in laid if _total(each[1]) >= SMALL * whole]
    small = [values for name, values in laid if _total(values) < SMALL * whole]
    if sum(map(_total, small)) >= SMALL * whole:
        shown.append((tr("others"), tuple(_added(part) for part in zip(*small, strict=True))))
    middles = [(start + end) / 2 for start, end in pairwise(grid)]
    # What lies on each other ends where one of them is not known.
    whole_at = [
        at for at in range(len(middles)) if not any(math.isnan(its[at]) for _, its in shown)
    ]
    under = [0.0] * len(middles)
    traces = []
    for name, values in shown:
        spots = []
        for at in whole_at:
            under[at] += values[at] * kind.scale
            spots.append(Spot(middles[at], under[at], kind.say(values[at])))
        mean = means.get(name, mean_over(values, grid))
        traces.append(
            LaneTrace(
                ROLES.get(name, name),
                TONES.get(name, OTHERS),
                tuple(spots),
                kind.say(mean),
                filled=True,
                outlined=_total(values) >= least,
            )
        )
    return Lane(title, top_scale(under, kind.unit), tuple(traces))


def _latency_lane(
    title: str, rows: Sequence[tuple[Course, tuple[float, ...]]], watched: Watched
) -> Lane:
    """Those that most time is waited in first; behind the first lies the range of its mean."""
    weights = {one.of: mean_over(one.waiting, one.edges_s) for one, _ in rows}
    order = sorted(rows, key=lambda each: -weights[each[0].of])
    whole = sum(weights.values())
    order = [each for each in order if weights[each[0].of] >= SMALL * whole]
    up = logarithmic((value for _, values in order for value in values), "us", 3)
    floor = 10**up.low
    traces = []
    for one, values in order:
        middles = [(start + end) / 2 for start, end in pairwise(one.edges_s)]
        spots = tuple(
            Spot(at, math.log10(max(value, floor)), duration_us(value))
            for at, value in zip(middles, values, strict=True)
            if not math.isnan(value)
        )
        mean = _mean_latency(one, watched)
        tone = TONES.get(one.of, OTHERS)
        traces.append(LaneTrace(ROLES.get(one.of, one.of), tone, spots, duration_us(mean)))
    return Lane(title, up, tuple(traces), band=_band(order[0][0], watched, up))


def of_course(one: Course, watched: Watched) -> FileIO | None:
    """What every other place says of a course: figures of the whole window; None of a device."""
    wanted = (one.of, one.operation)
    return next((each for each in watched.files if (each.role, each.operation) == wanted), None)


def _known(one: Course, kind: _Kind, watched: Watched) -> float | None:
    """What is said elsewhere of the whole window."""
    seen = of_course(one, watched)
    return None if seen is None else kind.whole(seen)


def _mean(one: Course, values: Sequence[float], kind: _Kind, watched: Watched) -> float:
    known = _known(one, kind, watched)
    return mean_over(values, one.edges_s) if known is None else known


def _mean_latency(one: Course, watched: Watched) -> float:
    known = _known(one, _KINDS[LaneMeasure.LATENCY], watched)
    if known is not None:
        return known
    calls = _total(one.per_s)
    return _total(one.waiting) / calls * 1e6 if calls else math.nan


def _band(one: Course, watched: Watched, up: Scale) -> tuple[float, float] | None:
    """The range of the mean, in the axis' coordinates; None where it is not known."""
    seen = of_course(one, watched)
    if seen is None or seen.latency_us is None:
        return None
    low, high = (
        math.log10(max(value, 10**up.low)) for value in (seen.latency_us.low, seen.latency_us.high)
    )
    return max(low, up.low), min(high, up.high)


def laid_on(
    edges_s: Sequence[float], values: Sequence[float], grid: Sequence[float]
) -> tuple[float, ...]:
    """Values of some stretches as means over those of ``grid``; nan where nothing is known."""
    if tuple(edges_s) == tuple(grid):
        return tuple(values)
    laid = []
    for start, end in pairwise(grid):
        weighed, weight = 0.0, 0.0
        first = max(0, bisect_right(edges_s, start) - 1)
        for at in range(first, min(len(values), bisect_left(edges_s, end))):
            overlap = min(end, edges_s[at + 1]) - max(start, edges_s[at])
            if overlap > 0 and not math.isnan(values[at]):
                weighed, weight = weighed + values[at] * overlap, weight + overlap
        laid.append(weighed / weight if weight else math.nan)
    return tuple(laid)


def coloured(sheet: LaneSheet) -> LaneSheet:
    """Devices have no colour of their own: the palette's, in turns."""
    names = dict.fromkeys(
        trace.name for lane in sheet.lanes for trace in lane.traces if trace.name not in TONES
    )
    tones = {name: f"series:{at}" for at, name in enumerate(names) if name != tr("others")}
    lanes = tuple(
        replace(
            lane,
            traces=tuple(
                replace(trace, tone=tones.get(trace.name, trace.tone)) for trace in lane.traces
            ),
        )
        for lane in sheet.lanes
    )
    return replace(sheet, lanes=lanes)


def _added(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) if known else math.nan


def _total(values: Sequence[float]) -> float:
    return sum(value for value in values if not math.isnan(value))


def mean_over(values: Sequence[float], edges_s: Sequence[float]) -> float:
    """The mean over the time for which a course is known; nan where it is not at all."""
    known = [
        (value, end - start)
        for value, (start, end) in zip(values, pairwise(edges_s), strict=True)
        if not math.isnan(value)
    ]
    whole = sum(span for _, span in known)
    return sum(value * span for value, span in known) / whole if whole else math.nan
