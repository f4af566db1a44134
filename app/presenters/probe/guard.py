"""The guard of a live server in words."""

from __future__ import annotations

from app.runtime.translation import tr, tr_n
from probes.events import CanaryBeat
from probes.figures import duration_us

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
    read = tr(
        "Guard: a primary-key read takes {now} ({before} before; the limit is {limit})",
        now=duration_us(beat.latency_us),
        before=duration_us(beat.baseline_us),
        limit=duration_us(beat.limit_us),
    )
    threads = tr_n("1 thread running", "{n} threads running", beat.threads_running)
    waits = tr_n("1 row-lock wait", "{n} row-lock waits", beat.row_lock_waits)
    return f"{read}  ·  {threads}  ·  {waits}"
