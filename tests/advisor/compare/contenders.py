"""Contenders of a few points each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from advisor.compare.contender import Contender
from probes.points import Latency, Point, Probe, Setting, Trust

CONDITIONS = {
    "engine": "agent",
    "engine_version": "0.2.0",
    "filesystem": "ext4",
    "file_bytes": str(1 << 30),
    "fill_share": "0.40",
}


def point(
    probe: Probe,
    threads: int,
    rate: float,
    within: float = 0.02,
    *,
    block: int = 16384,
    files: int = 1,
    trust: Trust = Trust.OK,
    engine: str = "agent",
    **options: str,
) -> Point:
    """A point whose 95 % interval is ``within`` of its rate to either side."""
    nan = math.nan
    return Point(
        setting=Setting(probe, threads, block, files, "/d", options),
        engine=engine,
        seconds=1.0,
        operations=int(rate),
        rate_per_s=rate,
        ci95_per_s=(rate * (1 - within), rate * (1 + within)),
        latency=Latency(nan, nan, nan, nan, nan, nan),
        histogram="",
        cpu_user_us_per_op=nan,
        cpu_system_us_per_op=nan,
        trust=trust,
    )


def reads(rates: Mapping[int, float], within: float = 0.02, **options: str) -> tuple[Point, ...]:
    made = (point(Probe.RANDOM_READ, threads, rate, within) for threads, rate in rates.items())
    return tuple(replace(one, setting=replace(one.setting, options=options)) for one in made)


def contender(name: str, *points: Point, **conditions: str) -> Contender:
    return Contender(name, f"{name}, a test", {**CONDITIONS, **conditions}, points)
