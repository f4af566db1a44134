"""Runs sysbench's fileio and oltp_point_select tests."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from outcome import Measured
from process import BenchmarkError, Finished, run

NAME = "sysbench"


def measure(
    arguments: list[str], *, seconds: float, setting: str, number: int, cwd: Path | None = None
) -> Measured:
    """Run a test for a while. What it costs to start is measured apart and taken off."""
    idle = _start_up(tuple(arguments), cwd)
    finished = run(["sysbench", *arguments, f"--time={seconds:.0f}", "run"], cwd=cwd)
    operations = _operations(finished)
    return Measured(
        program=NAME,
        setting=setting,
        round=number,
        rate_per_s=operations / seconds,
        user_us=max(0.0, finished.user_s - idle.user_s) * 1e6 / operations,
        system_us=max(0.0, finished.system_s - idle.system_s) * 1e6 / operations,
    )


@cache
def _start_up(arguments: tuple[str, ...], cwd: Path | None) -> Finished:
    """One operation alone: options, threads and connections."""
    return run(["sysbench", *arguments, "--time=0", "--events=1", "run"], cwd=cwd)


def _operations(finished: Finished) -> int:
    found = re.search(r"total number of events:\s+(\d+)", finished.output)
    if found is None:
        raise BenchmarkError(f"sysbench counts no events: {finished.output[-500:]}")
    return int(found[1])
