"""Waiting for what happens at once on a quiet machine, and later on a busy one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

HANG_S = 600.0
"""What has not happened by then hangs. It is no measure of speed: benchmarks/ has those."""

_STEP_S = 0.02


def wait_until(fact: Callable[[], bool]) -> bool:
    """Whether ``fact`` became true."""
    hangs_at = time.monotonic() + HANG_S
    while not fact():
        if time.monotonic() > hangs_at:
            return False
        time.sleep(_STEP_S)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"


def all_ended(pids: Iterable[int]) -> bool:
    """Whether all of these processes came to their end."""
    return wait_until(lambda: not any(map(alive, pids)))
