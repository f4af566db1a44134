"""What a watched server does over time, as its status and the kernel count it on any server."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.presenters.charts.lanes import (
    NOTHING,
    SHARES,
    Lane,
    LaneSheet,
    LaneTrace,
    Spot,
    top_scale,
)
from app.presenters.charts.scales import clock
from app.presenters.watch.timeline import mean_over
from app.runtime.translation import tr
from probes.figures import Say, percent, rate, under_way
from probes.watch.over_time import rates
from probes.watch.watched import Watched

_QUERIES = (("Questions", ""),)
_PAGES = (("Innodb_pages_read", "read"), ("Innodb_pages_written", "written"))
_COMMITS = (("Com_commit", "commits"), ("Innodb_os_log_fsyncs", "log syncs"))
"""Counters of a lane, and what each is called in it."""

Values = tuple[Sequence[float], Sequence[float]]
"""The edges of stretches in seconds, and a figure for each."""


def load_sheets(watched: Watched) -> tuple[LaneSheet, LaneSheet]:
    """What clients ask for, and what that asks of storage: two sheets over one axis."""
    asked = (
        _counted(tr("Queries/s"), _QUERIES, watched),
        _at_work(watched),
        _counted(tr("Commits/s"), _COMMITS, watched),
    )
    stored = (_counted(tr("Pages/s"), _PAGES, watched), _busy(watched))
    known = () if watched.over_time is None else watched.over_time.busy
    last = max((each.edges_s[-1] for each in known), default=0.0)
    across = clock(0.0, max(watched.seconds, last, 1.0))
    first, second = (tuple(filter(None, each)) for each in (asked, stored))
    return (
        LaneSheet(across, first) if first else NOTHING,
        LaneSheet(across, second) if second else NOTHING,
    )


def _counted(title: str, named: Sequence[tuple[str, str]], watched: Watched) -> Lane | None:
    """A lane of counters per second; those that never grew are left out."""
    status = watched.status
    grown = ((name, status.growth(counter)) for counter, name in named)
    known = [(name, rates(status.at_s, each)) for name, each in grown if each and any(each)]
    alone = len(known) == 1 and known[0][0] == named[0][1]
    lines = [("" if alone else name, (edges, values)) for name, (edges, values) in known]
    return _lane(title, lines, rate)


def _at_work(watched: Watched) -> Lane | None:
    """Queries that were at work, look by look: each stands for the stretch that it ends."""
    samples, at_s = watched.at_work_samples, watched.status.at_s
    if watched.at_work is None or len(samples) < 2:
        return None
    weighed = [
        now * (after - before)
        for now, (before, after) in zip(samples[1:], pairwise(at_s), strict=True)
    ]
    edges, values = rates(at_s, weighed)
    return _lane(tr("Queries at work"), [("", (edges, values))], under_way)


def _busy(watched: Watched) -> Lane | None:
    """The share of the time in which each disk had a request in flight."""
    known = () if watched.over_time is None else watched.over_time.busy
    traces = [(each.of, (each.edges_s, each.shares)) for each in known]
    lane = _lane(tr("Disk busy"), traces, percent)
    return None if lane is None else Lane(lane.title, SHARES, lane.traces)


def _lane(title: str, known: Sequence[tuple[str, Values]], say: Say) -> Lane | None:
    if not known:
        return None
    traces = tuple(
        LaneTrace(name, f"series:{at}", tuple(_spots(values, say)), say(mean_over(*values[::-1])))
        for at, (name, values) in enumerate(known)
    )
    return Lane(title, top_scale(spot.y for one in traces for spot in one.spots), traces)


def _spots(values: Values, say: Say) -> Iterator[Spot]:
    for value, (start, end) in zip(values[1], pairwise(values[0]), strict=True):
        if not math.isnan(value):
            yield Spot((start + end) / 2, value, say(value))
