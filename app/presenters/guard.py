"""The guard of a live server in words."""

from __future__ import annotations

from probes.events import CanaryBeat
from probes.figures import counted, duration_us

NEAR = 0.5
"""From this share of the added latency on, the canary is called slow."""


def guard_tone(beat: CanaryBeat) -> str:
    """``good``, ``warn`` when the canary is near its limit, ``bad`` beyond it."""
    room = beat.limit_us - beat.baseline_us
    added = beat.latency_us - beat.baseline_us
    if room <= 0 or added < NEAR * room:
        return "good"
    return "warn" if added < room else "bad"


def guard_text(beat: CanaryBeat) -> str:
    """The canary's slowest read of the last second, against what was before and what may be."""
    threads = counted(beat.threads_running, "thread")
    waits = counted(beat.row_lock_waits, "row-lock wait")
    return (
        f"Guard: a primary-key read takes {duration_us(beat.latency_us)}"
        f" ({duration_us(beat.baseline_us)} before; the run stops at {duration_us(beat.limit_us)})"
        f"  ·  {threads} running  ·  {waits}"
    )
