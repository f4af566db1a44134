"""A server's forecasts as figures: queries per second, and most queries' time, by connections."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from advisor.compare.comparison import lettered
from advisor.forecasts.under import UnderServer
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import ForecastStep
from advisor.report.curve_axis import AxisLevel
from advisor.report.document.blocks import Graph
from advisor.report.document.plot import Plot, PlotMark, Scale, doublings, from_zero, plotted
from probes.figures import counted, duration_us, rate
from probes.statistics.ranges import Range

_Seen = Iterator[tuple[int, PlotMark]]
"""Marks by their numbers of connections."""


def under_graph(found: UnderServer) -> Graph:
    """Each drive that has a forecast is a line, with the range that is expected at each mark."""
    names = tuple(
        "" if each.found is None else lettered(at, each.contender.name)
        for at, each in enumerate(found.entrants)
    )
    plots = (
        _plot(found, "queries per second, and the range expected", _rates, from_zero),
        _plot(found, "95 of 100 queries within", _times, doublings),
    )
    return Graph(names, tuple(one for one in plots if any(line.marks for line in one.lines)))


def today_graph(found: WhatIf) -> Graph:
    """Today and then, each a line, with the range that is expected of then."""
    lines = (found.today, found.after)
    rates = [
        {_level(step): _mark(step.threads, step.rate_per_s, rate) for step in each.steps}
        for each in lines
    ]
    times = [
        {
            _level(step): _mark(step.threads, late.every.p95_us, duration_us)
            for step, late in zip(each.steps, all_late, strict=True)
            if late is not None
        }
        for each, all_late in zip(lines, (found.times_today, found.times_after), strict=True)
    ]
    plots = (
        plotted("queries per second, and the range expected", "connections", rates, from_zero),
        plotted("95 of 100 queries within", "connections", times, doublings),
    )
    return Graph(
        ("today", "after the plan"),
        tuple(one for one in plots if any(line.marks for line in one.lines)),
    )


def _level(step: ForecastStep) -> AxisLevel:
    return AxisLevel(math.log2(step.threads), str(step.threads))


def _plot(found: UnderServer, title: str, seen: Callable[[WhatIf], _Seen], scale: Scale) -> Plot:
    curves = [
        {
            AxisLevel(math.log2(threads), str(threads)): each
            for threads, each in (() if entrant.found is None else seen(entrant.found))
        }
        for entrant in found.entrants
    ]
    return plotted(title, "connections", curves, scale)


def _rates(what: WhatIf) -> _Seen:
    for step in what.after.steps:
        yield step.threads, _mark(step.threads, step.rate_per_s, rate)


def _times(what: WhatIf) -> _Seen:
    for step, times in zip(what.after.steps, what.times_after, strict=True):
        if times is not None:
            yield step.threads, _mark(step.threads, times.every.p95_us, duration_us)


def _mark(connections: int, figure: Range, say: Callable[[float], str]) -> PlotMark:
    label = f"{counted(connections, 'connection')}: {figure.text(say)}"
    return PlotMark(figure.value, label, interval=(figure.low, figure.high))
