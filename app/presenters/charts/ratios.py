"""Curves as ratios: each contender's figure over the baseline's at the same level."""

from __future__ import annotations

import math
from collections.abc import Callable

from advisor.compare.comparison import LETTERS
from advisor.compare.matching import figure
from advisor.compare.ratio import Estimate, Ratio, ratio
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.scales import Scale
from app.runtime.translation import tr
from probes.points import Point

STEPS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 1e4, 1e5)

Reading = Callable[[Point], Estimate]


def rate_figure(point: Point) -> Estimate:
    """The rate with its interval."""
    return figure(point)


def p95_figure(point: Point) -> Estimate:
    """The p95, whose interval nobody knows."""
    return Estimate(point.latency.p95_us)


def ratios(series: Series, baseline: Series | None, reading: Reading) -> list[Ratio]:
    """For each point of a curve its ratio; nan where the baseline has no such level.

    So it is where one of both was measured beside the server's own load.
    """
    found = []
    for point in series.points:
        base = baseline.at(series.axis.place(point.setting)) if baseline is not None else None
        alike = base is not None and base.beside_server == point.beside_server
        found.append(ratio(reading(point), reading(base)) if base and alike else Ratio(math.nan))
    return found


def without_ratios(picture: Picture, against: int) -> str:
    """Whose curves have no ratio to the baseline's, by letter, and why; "" where all have some."""
    baseline = next((one for one in picture.series if one.index == against), None)
    if baseline is None:
        # The titles say that it lacks this curve.
        return ""
    bare = [
        one
        for one in picture.series
        if not any(math.isfinite(each.value) for each in ratios(one, baseline, rate_figure))
    ]
    loads = [one for one in bare if _meet(one, baseline)]
    levels = [one for one in bare if one not in loads]
    sentences = []
    if loads:
        text = tr("No ratio of {names}: one is beside a load.", names=_letters(loads))
        sentences.append(text)
    if levels:
        sentences.append(tr("No ratio of {names}: no level in common.", names=_letters(levels)))
    return " ".join(sentences)


def _meet(one: Series, other: Series) -> bool:
    """Whether both were measured at some level."""
    return any(other.at(one.axis.place(point.setting)) is not None for point in one.line)


def _letters(series: list[Series]) -> str:
    return ", ".join(LETTERS[one.index] for one in series)


EDGE = 1.15
"""How far an axis goes beyond what lies on it."""


def ratio_scale(values: list[float], most: int) -> Scale:
    """A logarithmic axis around 1: twice as fast and half as fast lie equally far away."""
    known = [value for value in values if math.isfinite(value) and value > 0]
    furthest = max((abs(math.log10(value)) for value in known), default=0.0)
    reach = max(furthest, math.log10(1.25))
    edge = max(step for step in STEPS if math.log10(step) <= reach + 1e-9)
    kept = [step for step in STEPS if step <= edge]
    gap = 2 * reach * EDGE / most
    # From the outermost inwards, so that the reach is always shown.
    chosen = [edge]
    for step in kept[::-1]:
        at = math.log10(step)
        if gap <= at <= math.log10(chosen[-1]) - gap:
            chosen.append(step)
    values_shown = sorted({1.0, *chosen, *(1 / step for step in chosen)})
    ticks = tuple((math.log10(value), _tick(value)) for value in values_shown)
    return Scale(-reach * EDGE, reach * EDGE, ticks)


def _tick(value: float) -> str:
    """A third is 0.33×: what lies between steps is no measured figure."""
    return f"{value:.2g}×" if value < 1 else f"{value:.3g}×"
