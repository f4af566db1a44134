"""One point in words: its rate, what most of its operations took, what held it back."""

from __future__ import annotations

import math
from functools import partial

from probes.figures import (
    THIN,
    Say,
    count,
    counted,
    duration_us,
    percent,
    rate,
    size,
    took_at_least,
    with_range,
)
from probes.kinds.words import BESIDE_SERVER
from probes.points import Curve, LimitedBy, Point, Probe, Trust

WHOLE_FROM = 100.0
"""From here on, transactions are given as whole numbers, as users count them (our choice)."""


def rate_text(point: Point, what: str, of: Curve | None = None) -> str:
    """The rate; ``at least`` where something else held it back, in doubt with what it may be.

    ``of`` is a curve whose block size is named with it.
    """
    say, ends = says(what, point.rate_per_s if point.setting.probe is Probe.OLTP else 0.0)
    low, high = point.rate_per_s, point.rate_per_s
    if point.trust is not Trust.OK:
        low, high = point.bounds_per_s
    text = with_range(point.rate_per_s, low, high, say, ends)
    if point.limited_by is not LimitedBy.NOTHING and point.setting.probe is not Probe.POINT_SELECT:
        text = f"at least {text}"
    beside = f" {BESIDE_SERVER}" if point.beside_server else ""
    blocks = "" if of is None else f" of {block(of)}"
    return f"{text}{blocks}{beside}"


def says(what: str, per_s: float) -> tuple[Say, Say]:
    """How a rate is written, with what it counts and alone: ``1,907 transactions/s``, ``1,907/s``.

    Below ``WHOLE_FROM`` with three digits, as all other rates are.
    """
    if per_s < WHOLE_FROM:
        return partial(rate, what=what), rate
    return (lambda value: f"{count(value)}{THIN}{what}/s"), (lambda value: f"{count(value)}/s")


def within(point: Point) -> str:
    """What most of them took, where that is known."""
    if point.beyond_scale is not None:
        return f", {took_at_least(point.beyond_scale, 'them')}"
    p95_us = point.latency.p95_us
    return "" if math.isnan(p95_us) else f", {percent(0.95)} of them within {duration_us(p95_us)}"


def limit(point: Point) -> str:
    """What other than the drive held a point back, after a semicolon; "" where nothing did."""
    match point.limited_by:
        case LimitedBy.CPU:
            return "; the CPUs limited, not the drive"
        case LimitedBy.PROBER:
            return "; the prober limited, not the drive"
        case LimitedBy.NOTHING:
            return ""


def block(curve: Curve) -> str:
    """The size of a curve's blocks."""
    return size(curve.setting.block_size_bytes)


def threads(point: Point) -> str:
    """How many threads it had."""
    return counted(point.setting.threads, "thread")
