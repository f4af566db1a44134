"""Contenders of a few points each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from advisor.compare.contender import Contender
from probes.points import Latency, Point, Probe, Setting, Trust
from tests.points import point

CONDITIONS = {
    "engine": "agent",
    "engine_version": "0.2.0",
    "filesystem": "ext4",
    "file_bytes": str(1 << 30),
    "fill_share": "0.40",
}


def rated(
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
    """A point of which the rate alone is known, ``within`` of it to either side."""
    unknown = math.nan
    return point(
        Setting(probe, threads, block, files, "/d", options),
        rate,
        within,
        engine=engine,
        latency=Latency(*(unknown,) * 6),
        cpu_user_us_per_op=unknown,
        cpu_system_us_per_op=unknown,
        trust=trust,
    )


def reads(rates: Mapping[int, float], within: float = 0.02, **options: str) -> tuple[Point, ...]:
    made = (rated(Probe.RANDOM_READ, threads, rate, within) for threads, rate in rates.items())
    return tuple(replace(one, setting=replace(one.setting, options=options)) for one in made)


def contender(name: str, *points: Point, **conditions: str) -> Contender:
    return Contender(name, f"{name}, a test", {**CONDITIONS, **conditions}, points)


def fast_and_slow(slow_reads: Mapping[int, float]) -> tuple[Contender, Contender]:
    """Two drives: one wins at reads and syncs, the other's syncs are doubtful."""
    fast = contender(
        "fast",
        *reads({1: 4000, 8: 20_000, 64: 60_000}),
        rated(Probe.REDO_SYNC, 1, 5000, block=4096, sync="fdatasync"),
    )
    slow = contender(
        "slow",
        *reads(slow_reads),
        rated(Probe.REDO_SYNC, 1, 500, block=4096, sync="fdatasync", trust=Trust.DOUBTFUL),
        filesystem="xfs",
    )
    return fast, slow
