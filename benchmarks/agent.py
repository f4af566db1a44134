"""Runs the built agent as it ships."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hdrh.histogram import HdrHistogram
from outcome import Measured
from process import BenchmarkError, run

ROOT = Path(__file__).resolve().parents[1]
NAME = "agent"
PROTOCOL = 2
_PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}


def path() -> Path:
    """The agent for this processor."""
    processor = _PROCESSORS.get(platform.machine(), platform.machine())
    return ROOT / "resources" / "agents" / f"leadline-agent-linux-{processor}"


@dataclass(frozen=True)
class Report:
    """The points of one run of the agent as it tells them, and what its process took at most."""

    points: list[dict[str, Any]]
    resident_bytes: int


def carry_out(plan: dict[str, object]) -> Report:
    """Carry out a plan whose points must all succeed."""
    finished = run([str(path()), "probe"], stdin=json.dumps({"protocol": PROTOCOL} | plan) + "\n")
    events = [json.loads(line) for line in finished.output.splitlines()]
    failures = [event for event in events if event["event"] == "error"]
    if failures:
        raise BenchmarkError(f"the agent could not measure: {failures[0]['message']}")
    points = [event for event in events if event["event"] == "point"]
    return Report(points, finished.resident_bytes)


def measure(plan: dict[str, object], *, settings: list[str], number: int) -> list[Measured]:
    """Carry out a plan; ``settings`` name its points in their order."""
    points = carry_out(plan).points
    return [
        measured(point, setting=setting, number=number)
        for setting, point in zip(settings, points, strict=True)
    ]


def measured(point: dict[str, Any], *, setting: str, number: int) -> Measured:
    """A point as a row."""
    return Measured(
        program=NAME,
        setting=setting,
        round=number,
        rate_per_s=point["rate_per_s"],
        user_us=point["cpu_user_us_per_op"],
        system_us=point["cpu_system_us_per_op"],
        p50_us=_p50_us(point["histogram"]),
    )


def read_at_random(
    directory: Path,
    *,
    file_bytes: int,
    block_bytes: int,
    threads: int,
    seconds: float,
    setting: str,
    number: int,
) -> Measured:
    """Measure one point of random reads on one file of the agent's own, into huge pages."""
    files = {"id": "f", "directory": str(directory), "files": 1, "bytes_per_file": file_bytes}
    point = {
        "id": "p",
        "probe": "random_read",
        "file_set": "f",
        "block_size_bytes": block_bytes,
        "threads": threads,
        "seconds": seconds,
        "warmup_seconds": 0.3,
        "seed": number,
        "buffers": "huge",
    }
    plan: dict[str, object] = {"ignore_floor": True, "file_sets": [files], "points": [point]}
    return measure(plan, settings=[setting], number=number)[0]


def _p50_us(encoded: str) -> float:
    return float(HdrHistogram.decode(encoded).get_value_at_percentile(50)) / 1000
