"""One measured point, made of what a test cares about."""

from __future__ import annotations

import math
from typing import Any

from advisor.wording.measured.doubts import sentence
from probes.doubts import Doubt, stated
from probes.points import Latency, Point, Probe, Setting, Trust
from probes.trust import thresholds


def point(
    setting: Setting,
    rate_per_s: float,
    half: float = 0.02,
    *,
    p50_us: float | None = None,
    seconds: float = 1.0,
    **others: Any,
) -> Point:
    """A trusted point of the agent; ``others`` are fields of Point by their names.

    ``half`` is half of the 95 % interval as a share of the rate. Without ``p50_us`` the median
    latency is what the setting's threads in flight make of the rate.
    """
    rate_per_s = float(rate_per_s)  # as the store gives it, whatever a case wrote
    if p50_us is None:
        p50_us = setting.threads / rate_per_s * 1e6 if rate_per_s > 0 else 0.0
    operations = round(rate_per_s * seconds) if math.isfinite(rate_per_s) else 0
    fields: dict[str, Any] = {
        "engine": "agent",
        "operations": max(1, operations) if rate_per_s > 0 else operations,
        "ci95_per_s": (rate_per_s * (1 - half), rate_per_s * (1 + half)),
        "latency": Latency(p50_us, p50_us, p50_us * 1.5, p50_us * 2, p50_us * 3, p50_us * 5),
        "histogram": "",
        "cpu_user_us_per_op": 0.2,
        "cpu_system_us_per_op": 4.0,
        "direct": None if setting.probe in (Probe.POINT_SELECT, Probe.REDO_SYNC) else True,
    }
    return Point(setting=setting, rate_per_s=rate_per_s, seconds=seconds, **{**fields, **others})


def doubted(*texts: str, rejects: bool = False) -> tuple[Doubt, ...]:
    """Doubts in the words of whoever made the point."""
    return tuple(stated(text, rejects=rejects) for text in texts)


def doubts_of(point: Point) -> tuple[str, ...]:
    """Why a point is not trusted, in sentences."""
    return tuple(map(sentence, point.doubts))


def asked_no_drive(point: Point) -> None:
    """A sync of memory is rejected for its time; what a busy machine delays is doubted at least."""
    assert point.trust is not Trust.OK
    if point.latency.p50_us < thresholds.NO_DRIVE_SYNC_US:
        assert point.trust is Trust.REJECTED
        assert any("no drive was asked" in reason for reason in doubts_of(point))
