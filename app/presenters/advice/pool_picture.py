"""How many misses larger buffer pools would have, as a picture beside the advice on the pool."""

from __future__ import annotations

import math
from functools import partial

from advisor.case import Case
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.forecasts.server.pool_misses import PoolMisses, pool_misses
from advisor.outcomes import Outcome, Recommendation, Verdict
from app.presenters.charts.connection_curves import (
    ConnectionLine,
    ConnectionMark,
    CurvesPicture,
    Spot,
    rates_up,
)
from app.presenters.charts.scales import Scale
from app.runtime.translation import tr
from probes.figures import percent, rate, size
from probes.statistics.ranges import Range

SETTING = "innodb_buffer_pool_size"
MOST_TICKS = 4


def pool_picture(outcome: Outcome, case: Case | None) -> CurvesPicture | None:
    """What an advised larger pool would miss; None for other advice, and where nobody traced it."""
    if case is None or not isinstance(outcome, Recommendation):
        return None
    if outcome.verdict is not Verdict.RECOMMEND or outcome.setting != SETTING:
        return None
    traced = any(each.fact == POOL_MISS_CURVE.name for each in outcome.evidence)
    if not traced or not outcome.proposed.isdigit():
        return None
    found = pool_misses(case, float(outcome.proposed))
    return None if found is None else _picture(found)


def _picture(found: PoolMisses) -> CurvesPicture:
    today_per_s = found.steps[0][1].value
    marks = tuple(
        ConnectionMark(math.log2(at), partial(_mark_text, at, misses, today_per_s))
        for at, misses in found.steps
    )
    last = marks[-1].x
    here, then = (
        (math.log2(at), misses.value)
        for at, misses in (found.steps[0], (found.proposed_bytes, found.proposed_per_s))
    )
    lines = [
        ConnectionLine(tr("today"), (here, (last, today_per_s)), today=True, at=here),
        _line(tr("as traced"), found, found.now_bytes, found.reach_bytes, then),
    ]
    if found.reach_bytes < found.steps[-1][0]:
        beyond = _line(tr("at most"), found, found.reach_bytes, math.inf, then)
        lines.insert(0, beyond)
    return CurvesPicture(
        tr("misses/s"),
        marks,
        tuple(lines),
        _across(marks),
        rates_up(lines),
        below=tr("buffer pool"),
    )


def _line(name: str, found: PoolMisses, first: float, last: float, then: Spot) -> ConnectionLine:
    """The curve between two sizes; dotted where the trace saw nothing."""
    part = [(math.log2(at), misses) for at, misses in found.steps if first <= at <= last]
    return ConnectionLine(
        name,
        tuple((x, misses.value) for x, misses in part),
        thin=first == found.reach_bytes,
        at=then if part[0][0] < then[0] <= part[-1][0] else None,
        band=tuple((x, misses.low, misses.high) for x, misses in part),
    )


def _mark_text(at: float, misses: Range, today_per_s: float) -> str:
    return tr(
        "{size}: {misses}, {share} of today's",
        size=size(at),
        misses=misses.text(lambda each: rate(each, tr("misses"))),
        share=percent(misses.value / today_per_s),
    )


def _across(marks: tuple[ConnectionMark, ...]) -> Scale:
    """Sizes, with a tick for each power of two as far as there is room."""
    first, last = marks[0].x, marks[-1].x
    powers = range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)
    ticks = [(float(each), size(2.0**each)) for each in powers]
    apart = math.ceil(len(ticks) / MOST_TICKS)
    return Scale(first - 0.2, last + 0.2, tuple(ticks[::apart]))
