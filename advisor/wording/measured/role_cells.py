"""A contender's figures in a role, as a cell of a table has them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from advisor.compare.ratio import Estimate
from advisor.compare.roles import Entry, RoleComparison, Unit
from advisor.wording.measured.cells import MARKS, short
from probes.figures import Say, counted, duration_us, is_narrow, percent, ranged
from probes.points import Point

LEVEL_LEGEND = "@4 measured with 4 threads, or page cleaners"

UNSURE = 1 / 3
"""A figure's spread from which on it is not told, but called unsure (our choice)."""


def figure_said(role: RoleComparison, entry: Entry, per_s: str = "/s") -> str:
    """A contender's figure in a role with the mark of its trust: ``21.3 k/s?``."""
    said = rounded(entry.figure, saying(role)) + (per_s if role.unit is Unit.PER_S else "")
    return f"{said}{MARKS[entry.point.trust]}"


def saying(role: RoleComparison) -> Say:
    """How a role's figures are written in a narrow cell, without the unit of a rate."""
    return short if role.unit is Unit.PER_S else duration_us


def rounded(figure: Estimate, say: Say = short) -> str:
    """A figure with no digit that its interval denies."""
    return ranged(figure.value, figure.low, figure.high, say)[0]


def level_said(role: RoleComparison, entry: Entry) -> str:
    """`` @4``: with how many threads it was measured, where the role's title does not say it."""
    level = entry.point.setting.threads
    told = role.title.endswith(f", {counted(level, 'thread')}") or role.unit is Unit.US
    return "" if told else f" @{level}"


def levels_told(roles: Iterable[RoleComparison]) -> bool:
    """Whether any of the figures has its level beside it."""
    return any(entry and level_said(role, entry) for role in roles for entry in role.entries)


def spread(figure: Estimate, say: Say = short) -> str:
    """``±2 %``; where that is wide ``(16–26k)``.

    What is less sure than a third is called unsure: its bounds are in the document.
    """
    if math.isnan(figure.spread):
        return ""
    if figure.spread > UNSURE:
        return " unsure"
    if is_narrow(figure.value, figure.low, figure.high):
        return f" ±{percent(figure.spread)}"
    _, low, high = ranged(figure.value, figure.low, figure.high, say)
    return f" ({low}–{high})"


def tail_text(point: Point) -> str:
    """``3.1 ms, 8.4 ms``: the 99th and the 99.9th percentile; "" where they are not known."""
    known = (point.latency.p99_us, point.latency.p999_us)
    return ", ".join(duration_us(each) for each in known if math.isfinite(each))
