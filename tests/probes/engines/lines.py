"""The agent's lines as it would write them, and plans to go with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hdrh.histogram import HdrHistogram

from probes.engines.agent.events import AgentReader
from probes.events import EngineEvent
from probes.plans.file_sets import set_name
from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.points import Probe, Setting

DIRECTORY = "/srv/mysql data/ü"
STEADY = [1000.0, 1010.0, 990.0, 1005.0, 995.0]


def read_all(reader: AgentReader, lines: Iterable[bytes]) -> list[EngineEvent]:
    return [event for each in lines for event in reader.read(each)]


def read_setting(threads: int = 1, directory: str = DIRECTORY) -> Setting:
    return Setting(Probe.RANDOM_READ, threads, block_size_bytes=16384, directory=directory)


def redo_setting(directory: str = DIRECTORY) -> Setting:
    return Setting(
        Probe.REDO_SYNC, 1, block_size_bytes=512, directory=directory, options={"sync": "fdatasync"}
    )


def select_setting(threads: int = 1, working_set: str = "cached") -> Setting:
    return Setting(
        Probe.POINT_SELECT,
        threads,
        options={"protocol": "prepared", "working_set": working_set},
    )


def plan_of(
    *settings: Setting,
    seconds: float = 1.0,
    warmup_s: float = 0.2,
    file_bytes: int = 1 << 22,
    **changes: Any,
) -> Plan:
    """A plan with a file set for every directory, number of files and set that settings name."""
    wanted = {
        (setting.directory, setting.files, name)
        for setting in settings
        if (name := set_name(setting)) is not None
    }
    return Plan(
        name=PlanName.QUICK,
        file_sets=tuple(FileSet(at, files, file_bytes, name) for at, files, name in sorted(wanted)),
        steps=tuple(Step(setting, seconds, warmup_s) for setting in settings),
        seconds=0.0,
        sandbox=False,
        **changes,
    )


def mixed_setting(rate: str = "1000", threads: int = 4, directory: str = DIRECTORY) -> Setting:
    options = {"flush_per_s": rate, "doublewrite": "on", "sync": "fdatasync"}
    return Setting(Probe.MIXED, threads, 16384, directory=directory, options=options)


def line(event: str, **fields: object) -> bytes:
    return json.dumps({"event": event, **fields}).encode()


def histogram(*latencies_us: float) -> str:
    counted = HdrHistogram(1, 100_000_000_000, 2)
    for latency in latencies_us:
        counted.record_value(round(latency * 1000))
    return str(counted.encode().decode("ascii"))


def samples(
    rates: Sequence[float], *, warmup: int = 0, point: str = "0", **more: object
) -> list[bytes]:
    """One sample each 0.2 s; the first ``warmup`` of them belong to the warm-up."""
    return [
        line(
            "sample",
            id=point,
            at_s=round(0.2 * (index + 1 - warmup), 3),
            operations=round(rate * 0.2),
            rate_per_s=rate,
            p95_us=200.0,
            p99_us=300.0,
            **more,
        )
        for index, rate in enumerate(rates)
    ]


def point(rate: float = 1000.0, **changes: object) -> bytes:
    fields: dict[str, object] = {
        "id": "0",
        "seconds": 1.0,
        "operations": round(rate),
        "rate_per_s": rate,
        "ci95_per_s": [0.97 * rate, 1.03 * rate],
        "warmup_seconds": 0.2,
        "ended_by": "interval",
        "histogram": histogram(100, 200, 900),
        "cpu_user_us_per_op": 0.2,
        "cpu_system_us_per_op": 5.0,
        "direct": True,
        "errors": 0,
    }
    return line("point", **{**fields, **changes})
