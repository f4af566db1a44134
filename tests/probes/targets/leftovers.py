"""Waiting for what must be gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def wait_until(fact: Callable[[], bool], limit_s: float = 10.0) -> bool:
    """Whether ``fact`` became true in time."""
    deadline = time.monotonic() + limit_s
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"
